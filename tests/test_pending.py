"""``brain pending``: drafts listed with their problems, shown, kept, dropped and restored, decided one by one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from brain.cli import main
from brain.clock import DAY
from brain.decisions import keep_drafts, undecided
from brain.drafts import MAX_DRAFTS
from brain.errors import BrainError, MemoryNotFoundError
from brain.git.refs import find_repo
from brain.pending import Pending, find_pending, list_pending
from tests.support.repos import PROGRAM, ROOT, make_memory_repo, memory_text, pending

RETRY, PRICE = "01.Lessons/dev/F-003_Payment/retry.md", "00.Shared/decisions/price.md"


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    """Return a memory repo with two drafts, one of them 20 days old."""
    repo = make_memory_repo(tmp_path / "docs")
    old = pending(repo, RETRY)
    os.utime(old, (time.time() - 20.5 * 86400,) * 2)
    pending(repo, PRICE, body="Prices are whole yen. Always.\n\n**Apply:** round once.")
    return repo


def run(repo: Path, *args: str) -> int:
    return main(["-C", str(repo), "pending", *args])


def test_drafts_are_listed_with_their_age_and_first_sentence(repo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(repo) == 0
    assert capsys.readouterr().out == (
        f"mem-global-price\ttoday\tPrices are whole yen\n\t{ROOT}/_pending/{PRICE}\n"
        f"mem-F003-retry\t20 days\tRetry a payment at most twice\n\t{ROOT}/_pending/{RETRY}\n"
    )


def test_what_cannot_be_read_is_named_with_line_and_mend(repo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pending(
        repo, "00.Shared/decisions/bad.md", memory_text("00.Shared/decisions/bad.md").replace("hits: 0", "hits: many")
    )
    pending(repo, "nowhere.md", "x")
    (repo / ROOT / "_pending/00.Shared/decisions/link.md").symlink_to("price.md")
    assert run(repo) == 0
    out, err = capsys.readouterr()
    assert out.count("\n") == 4
    assert (
        "_pending/00.Shared/decisions/bad.md:10: hits: is no whole number from 0 (write 0; consolidate counts)" in err
    )
    assert "_pending/nowhere.md:1: no memory may lie here" in err
    assert "link.md:1: cannot be read" in err
    assert run(repo, "--json") == 0
    rows = json.loads(capsys.readouterr().out)
    assert (rows[0]["path"], rows[0]["line"], bool(rows[0]["problem"])) == ("00.Shared/decisions/bad.md", 10, True)
    assert rows[2] == {
        "id": "mem-global-price",
        "path": PRICE,
        "days": 0,
        "sentence": "Prices are whole yen",
        "kept": False,
        "problem": "",
        "line": 0,
        "mend": "",
    }


def test_a_draft_is_shown_by_id_or_path_without_terminal_codes(repo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pending(repo, "00.Shared/decisions/red.md", body="\x1b[31mred\x1b[0m text")
    assert run(repo, "show", "mem-F003-retry", f"{ROOT}/_pending/{RETRY}") == 0
    assert capsys.readouterr().out == memory_text(RETRY, status="pending", reviewed_by="") * 2
    assert run(repo, "show", "mem-global-red") == 0
    assert "\x1b" not in capsys.readouterr().out


def test_drafts_are_dropped_with_the_folders_they_leave_empty(repo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(repo, "drop", "mem-F003-retry", "mem-F003-retry") == 0
    assert capsys.readouterr() == (
        f"dropped: {RETRY}\n",
        "brain: brain pending restore mem-F003-retry brings it back\n",
    )
    assert not (repo / ROOT / "_pending/01.Lessons").exists()
    assert (repo / ROOT / "_pending" / PRICE).exists()
    assert run(repo, "drop", PRICE) == 0
    assert list((repo / ROOT / "_pending").iterdir()) == []
    capsys.readouterr()
    assert run(repo) == 0
    assert capsys.readouterr().err == "brain: no drafts\n"


def test_an_unknown_name_drops_nothing(repo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(repo, "drop", PRICE, "mem-F003-retri") == 1
    assert capsys.readouterr().err == "brain: no memory 'mem-F003-retri'\nhint: did you mean mem-F003-retry?\n"
    assert (repo / ROOT / "_pending" / PRICE).exists()


def test_what_was_dropped_comes_back_as_it_was_the_latest_first(repo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = repo / ROOT / "_pending" / RETRY
    first = file.read_bytes()
    run(repo, "drop", "mem-F003-retry")
    pending(repo, RETRY, body="Another text. 再送。\n\n**Apply:** wait.")
    second = file.read_bytes()
    run(repo, "drop", RETRY)
    assert run(repo, "restore", "mem-F003-retry") == 0
    assert file.read_bytes() == second
    capsys.readouterr()
    assert run(repo, "restore", "mem-F003-retry") == 6
    assert "there is a draft of that name" in capsys.readouterr().err
    run(repo, "drop", "mem-F003-retry")
    file.parent.mkdir(parents=True, exist_ok=True)
    assert run(repo, "restore", f"{ROOT}/_pending/{RETRY}") == 0
    assert file.read_bytes() == second
    file.unlink()
    assert run(repo, "restore", RETRY) == 0
    assert file.read_bytes() == first
    assert run(repo, "restore", RETRY) == 1


def test_what_cannot_be_read_can_be_dropped_too(repo: Path) -> None:
    link = repo / ROOT / "_pending/00.Shared/decisions/link.md"
    link.symlink_to("price.md")
    assert run(repo, "drop", "00.Shared/decisions/link.md") == 0
    assert (link.is_symlink(), (link.parent / "price.md").exists()) == (False, True)


def kept(repo: Path, capsys: pytest.CaptureFixture[str]) -> list[str]:
    capsys.readouterr()
    run(repo, "--json")
    return [row["id"] for row in json.loads(capsys.readouterr().out) if row["kept"]]


def test_a_kept_draft_is_remembered_until_it_changes_or_grows_old(
    repo: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(repo, "keep", "mem-global-price", "mem-F003-retry") == 0
    assert capsys.readouterr().out == f"kept: {PRICE}\nkept: {RETRY}\n"
    assert run(repo) == 0
    assert "mem-F003-retry\t20 days, kept\t" in capsys.readouterr().out
    assert kept(repo, capsys) == ["mem-global-price", "mem-F003-retry"]
    price = repo / ROOT / "_pending" / PRICE
    price.write_text(price.read_text("utf-8").replace("whole yen", "whole dong"), "utf-8")
    assert kept(repo, capsys) == ["mem-F003-retry"]  # it was old when it was kept, so from then on it counts
    root, now = str(repo / ROOT), time.time()
    found = find_repo(str(repo))
    assert found
    assert undecided(found, root, [PRICE, RETRY], now + 13.9 * DAY, 14) == [PRICE]
    assert undecided(found, root, [PRICE, RETRY], now + 14.1 * DAY, 14) == [PRICE, RETRY]
    keep_drafts(found, root, [PRICE], now)
    os.utime(price, (now - 10 * DAY,) * 2)  # kept when it was young: asked for again once it is old
    assert undecided(found, root, [PRICE], now + 3.9 * DAY, 14) == []
    assert undecided(found, root, [PRICE], now + 4.1 * DAY, 14) == [PRICE]


@pytest.mark.parametrize("text", ["", "[]", '{"a.md": 3, "b.md": ["x", 1], "c.md": [1]}', "{"])
def test_decisions_that_cannot_be_read_are_none(repo: Path, text: str) -> None:
    file = repo / ".git" / "brain" / "kept.json"
    file.parent.mkdir(exist_ok=True)
    file.write_text(text)
    assert run(repo, "keep", PRICE) == 0
    assert list(json.loads(file.read_text())) == [PRICE]


@pytest.mark.parametrize(("answers", "status", "left"), [
    (b"k\nD\n", 0, [PRICE]), (b"s\nkeep\n", 0, [PRICE, RETRY]), (b"\n", 1, [PRICE, RETRY]),
])  # fmt: skip
def test_a_person_decides_one_by_one(repo: Path, answers: bytes, status: int, left: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "brain", "-C", repo, "pending", "decide"], input=answers, env={**os.environ, **PROGRAM},
        capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == status
    assert b"1/2 mem-global-price, today: Prices are whole yen" in done.stderr
    assert (b"now: brain submit mem-global-price" in done.stdout) == answers.startswith(b"s")
    folder = repo / ROOT / "_pending"
    assert sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.md")) == left
    again = subprocess.run(
        [sys.executable, "-m", "brain", "-C", repo, "pending", "decide"], input=b"", env={**os.environ, **PROGRAM},
        capture_output=True, check=False,
    )  # fmt: skip
    assert again.returncode == (0 if answers.startswith(b"k") else 1)


def test_nobody_to_ask_decides_nothing(
    repo: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    assert run(repo, "decide") == 3
    assert "brain pending keep ID" in capsys.readouterr().err


def test_two_drafts_of_one_id_need_a_path() -> None:
    drafts = [
        Pending("mem-global-a", "00.Shared/decisions/a.md", 0, ""),
        Pending("mem-global-a", "00.Shared/glossary/a.md", 0, ""),
    ]
    with pytest.raises(BrainError, match="2 drafts"):
        find_pending(drafts, "mem-global-a")
    assert find_pending(drafts, "_pending/00.Shared/glossary/a.md") is drafts[1]
    with pytest.raises(MemoryNotFoundError):
        find_pending([], "x")


def test_no_drafts_folder_is_no_drafts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert list_pending("", 0) == list_pending(str(tmp_path), 0) == []
    assert run(make_memory_repo(tmp_path / "docs"), "--json") == 0
    assert capsys.readouterr().out == "[]\n"
    assert MAX_DRAFTS > 100
