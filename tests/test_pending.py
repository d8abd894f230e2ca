"""``brain pending``: drafts listed with their problems, shown, dropped after a question."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
import time
from pathlib import Path

import pytest

from brain.cli import main
from brain.drafts import MAX_DRAFTS
from brain.errors import BrainError, MemoryNotFoundError
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
    assert run(repo, "drop", "mem-F003-retry", "mem-F003-retry", "--yes") == 0
    assert capsys.readouterr().out == f"dropped: {RETRY}\n"
    assert not (repo / ROOT / "_pending/01.Lessons").exists()
    assert (repo / ROOT / "_pending" / PRICE).exists()
    assert run(repo, "drop", PRICE, "--yes") == 0
    assert list((repo / ROOT / "_pending").iterdir()) == []
    assert run(repo) == 0
    assert capsys.readouterr().err == "brain: no drafts\n"


def test_an_unknown_name_drops_nothing(repo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(repo, "drop", PRICE, "mem-F003-retri", "--yes") == 1
    assert capsys.readouterr().err == "brain: no memory 'mem-F003-retri'\nhint: did you mean mem-F003-retry?\n"
    assert (repo / ROOT / "_pending" / PRICE).exists()


def test_nobody_to_ask_drops_nothing(
    repo: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    assert run(repo, "drop", PRICE) == 3
    assert "add --yes" in capsys.readouterr().err


@pytest.mark.parametrize(("answer", "status"), [(b"y\n", 0), (b"n\n", 1), (b"\n", 1)])
def test_a_person_is_asked(repo: Path, answer: bytes, status: int) -> None:
    ours, theirs = pty.openpty()
    os.write(ours, answer)
    env = {**os.environ, **PROGRAM}
    done = subprocess.run(
        [sys.executable, "-m", "brain", "-C", repo, "pending", "drop", PRICE],
        stdin=theirs,
        env=env,
        capture_output=True,
        check=False,
    )
    os.close(ours)
    os.close(theirs)
    assert (done.returncode, (repo / ROOT / "_pending" / PRICE).exists()) == (status, bool(status))
    assert b"Prices are whole yen" in done.stderr


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
