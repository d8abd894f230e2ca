"""``brain import``: shown first, asked, written once, and never twice."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest

from brain.frontmatter import split
from brain.layout import find_place
from brain.memory import parse_memory
from tests.support.program import CODE, Run, program
from tests.support.repos import ROOT, commit, git

OTHERS = Path(__file__).parents[1] / "sources/others"
PENDING = f"{ROOT}/_pending"
BANK = {
    "memory-bank/projectbrief.md": "# Brief\n\nThe shop sells spare parts to garages in Japan and Vietnam.\n",
    "memory-bank/systemPatterns.md": "# Patterns\n\n## Decisions\n\nOrders are kept forever, since the tax office asks for them.\n",
}  # fmt: skip
SYLLABLES = ("ka", "te", "mi", "no", "ru", "sha", "po", "gi", "len", "dor")
BODY = "Orders are kept forever, since the tax office asks for them."


@pytest.fixture
def bank(code: Path, run: Run) -> Path:
    """Return the code repo, with a memory bank in git."""
    return commit(code, dict(BANK))


def drafts(docs: Path) -> dict[str, str]:
    folder = docs / PENDING
    return {
        path.relative_to(folder).as_posix(): path.read_text("utf-8")
        for path in sorted(folder.rglob("*.md"))
        if path.name != "draft.md"
    }


def approve(docs: Path, path: str, **changes: str) -> None:
    """Make a draft a memory on the default branch, as the team does."""
    draft = docs / PENDING / path
    text = (
        draft.read_text("utf-8")
        .replace("status: pending", "status: approved")
        .replace("reviewed_by:", "reviewed_by: pm")
    )
    for old, new in changes.items():
        text = text.replace(old, new)
    draft.unlink()
    commit(docs, {f"{ROOT}/{path}": text})


def test_a_dry_run_says_what_would_become_of_it_and_writes_nothing(run: Run, bank: Path, docs: Path) -> None:
    status, out, err = run("import", "memory-bank", "--dry-run")
    assert (status, drafts(docs)) == (0, {})
    assert out == (
        "new\tmem-global-brief\tfact, _global\tmemory-bank/projectbrief.md#start\n"
        f"\t{PENDING}/00.Shared/domain/_global/brief.md\n"
        "new\tmem-global-systempatterns-decisions\tdecision, _global\tmemory-bank/systemPatterns.md#decisions\n"
        f"\t{PENDING}/00.Shared/decisions/systempatterns-decisions.md\n"
    )
    assert err == "brain: a Cline memory bank: 2 drafts, 0 left\n"
    assert not (docs / ".git/brain/imported.json").exists()


def test_nobody_there_and_no_yes_writes_nothing(run: Run, bank: Path, docs: Path) -> None:
    status, _, err = run("import", "memory-bank", stdin="y\n")
    assert (status, drafts(docs)) == (3, {})
    assert err.endswith("nobody is there to say that the drafts are to be written\n"
                        "hint: add --yes, or --dry-run to look\n")  # fmt: skip


@pytest.mark.parametrize(("answer", "written"), [(b"y\n", 2), (b"n\n", 0), (b"\x04", 0)])
def test_a_person_at_a_terminal_is_asked(run: Run, bank: Path, docs: Path, answer: bytes, written: int) -> None:
    terminal, stdin = os.openpty()
    os.write(terminal, answer)
    done = program("import", "memory-bank", folder=bank, stdin=stdin)
    os.close(terminal)
    os.close(stdin)
    assert (len(drafts(docs)), done.returncode) == (written, 0 if written else 1)
    assert b"Write 2 drafts? [y/N] " in done.stderr


def test_what_waits_for_its_merge_request_is_not_drafted_beside_it(
    run: Run, bank: Path, docs: Path, tmp_path: Path
) -> None:
    run("import", "memory-bank", "--yes")
    git(tmp_path, "clone", "-q", "--bare", str(docs), "origin.git")
    git(docs, "remote", "add", "origin", str(tmp_path / "origin.git"))
    git(docs, "fetch", "-q", "origin")
    assert run("submit", "--ticket", "T-1", "mem-global-brief", "mem-global-systempatterns-decisions")[0] == 0
    assert drafts(docs) == {}
    (docs / ".git/brain/imported.json").unlink()
    assert (run("import", "memory-bank", "--yes")[0], drafts(docs)) == (1, {})


def test_a_draft_keeps_its_source_and_passes_the_gate(run: Run, bank: Path, docs: Path) -> None:
    assert run("import", "memory-bank", "--yes")[0] == 0
    head = git(bank, "rev-parse", "HEAD")[:12]
    text = drafts(docs)["00.Shared/decisions/systempatterns-decisions.md"]
    place = find_place("00.Shared/decisions/systempatterns-decisions.md")
    assert place
    memory = parse_memory(text, place)
    assert memory.source == f"code-repo:memory-bank/systemPatterns.md#decisions @ {head}"
    assert memory.confidence == 0.4
    assert memory.body == f"Decisions: {BODY}\n\n**Apply:** take it into account."
    assert run("lint")[0] == 0


@pytest.mark.parametrize("fate", ["draft", "approved", "reworded", "removed", "dropped", "no notes"])
def test_a_second_run_brings_nothing_again(run: Run, bank: Path, docs: Path, fate: str) -> None:
    assert run("import", "memory-bank", "--yes")[0] == 0
    path = "00.Shared/decisions/systempatterns-decisions.md"
    if fate in ("approved", "reworded", "removed"):
        approve(docs, path, **({"forever": "for ten years"} if fate == "reworded" else {}))
    if fate == "removed":
        text = (docs / ROOT / path).read_text("utf-8").replace("status: approved", "status: deprecated")
        commit(docs, {f"{ROOT}/{path}": None, f"{ROOT}/_deprecated/{path}": text})
    if fate == "dropped":
        assert run("pending", "drop", "mem-global-systempatterns-decisions")[0] == 0
    if fate == "no notes":
        (docs / ".git/brain/imported.json").unlink()
    before = drafts(docs)
    status, out, err = run("import", "memory-bank", "--yes")
    assert (status, out, drafts(docs)) == (1, "", before)
    assert "0 drafts" in err


def test_a_reworded_memory_stands_also_where_the_notes_are_gone(run: Run, bank: Path, docs: Path) -> None:
    run("import", "memory-bank", "--yes")
    approve(docs, "00.Shared/decisions/systempatterns-decisions.md", forever="for ten years")
    (docs / ".git/brain/imported.json").unlink()
    before = drafts(docs)
    assert (run("import", "memory-bank", "--yes")[0], drafts(docs)) == (1, before)


def test_an_edited_source_updates_its_draft_or_drafts_an_update(run: Run, bank: Path, docs: Path) -> None:
    run("import", "memory-bank", "--yes")
    path = "00.Shared/decisions/systempatterns-decisions.md"
    commit(
        bank,
        {"memory-bank/systemPatterns.md": BANK["memory-bank/systemPatterns.md"].replace("forever", "for ten years")},
    )
    assert run("import", "memory-bank", "--yes")[1].startswith("update\tmem-global-systempatterns-decisions\t")
    assert "kept for ten years" in drafts(docs)[path]
    approve(docs, path)
    commit(
        bank,
        {"memory-bank/systemPatterns.md": BANK["memory-bank/systemPatterns.md"].replace("forever", "for seven years")},
    )
    assert run("import", "memory-bank", "--yes")[0] == 0
    assert "kept for seven years" in drafts(docs)[path]
    assert "kept for ten years" in (docs / ROOT / path).read_text("utf-8")
    assert len(drafts(docs)) == 2


def test_a_draft_that_a_person_changed_is_left_as_it_is(run: Run, bank: Path, docs: Path) -> None:
    run("import", "memory-bank", "--yes")
    draft = docs / PENDING / "00.Shared/decisions/systempatterns-decisions.md"
    draft.write_text(draft.read_text("utf-8").replace("tax office", "tax office of Osaka"), "utf-8")
    commit(
        bank,
        {"memory-bank/systemPatterns.md": BANK["memory-bank/systemPatterns.md"].replace("forever", "for ten years")},
    )
    status, _, err = run("import", "memory-bank", "--yes")
    assert status == 1
    assert "so did you change the draft mem-global-systempatterns-decisions" in err
    assert "tax office of Osaka" in draft.read_text("utf-8")


def test_globs_become_refs_where_they_name_something(run: Run, code: Path, docs: Path) -> None:
    rule = "---\nglobs: src/*.py, lib/**/*.rb\n---\nA payment is never sent again without its key.\n"
    commit(code, {".cursor/rules/pay.mdc": rule})
    assert run("import", ".cursor/rules", "--yes")[0] == 0
    (text,) = drafts(docs).values()
    place = find_place(next(iter(drafts(docs))))
    assert place
    memory = parse_memory(text, place)
    assert (memory.type, memory.refs, memory.verified_commit) == (
        "instinct", ("src/*.py",), git(code, "rev-parse", "HEAD")
    )  # fmt: skip


def test_a_folder_outside_of_git_keeps_no_path_of_the_machine(
    run: Run, docs: Path, tmp_path: Path, sealed: Path
) -> None:
    folder = sealed / ".claude/projects/-home-ada-work-shop/memory"
    shutil.copytree(OTHERS / "claude", folder)
    status, out, err = run("import", str(folder), "--yes")
    assert status == 0, err
    assert [line.split("\t")[1] for line in out.splitlines() if line.startswith("new")] == [
        "mem-global-build-commands", "mem-global-fixtures-are-committed", "mem-global-gateway-limits"
    ]  # fmt: skip
    for text in drafts(docs).values():
        assert "source: claude-shop:" in text
        assert "ada" not in text


def test_secrets_do_not_come_along(run: Run, code: Path, docs: Path) -> None:
    token = "glpat-" + "Ab3dEf7hIj9kLmN0pQrS"
    commit(code, {
        "memory-bank/projectbrief.md": f"# Brief\n\nThe mirror is read with the token {token} by the nightly job.\n",
        "memory-bank/techContext.md": f"# Tech\n\n## Token {token}\n\nThis token is used for everything that is read.\n",
    })  # fmt: skip
    _, out, err = run("import", "memory-bank", "--yes")
    for text in (*drafts(docs).values(), out, err, (docs / ".git/brain/imported.json").read_text()):
        assert token not in text
    assert "with the token *** by the nightly job" in "".join(drafts(docs).values())


def test_records_become_decisions_with_their_date(run: Run, code: Path, docs: Path) -> None:
    record = ("# 3. Keep orders for ten years\n\nDate: 2025-03-04\n\n## Status\n\nAccepted\n\n## Context\n\nThe tax office "
              "asks for old orders.\n\n## Decision\n\nWe keep every order for ten years in PostgreSQL.\n\n## Consequences\n\n"
              "The archive grows by a gigabyte a year.\n")  # fmt: skip
    commit(code, {"docs/adr/0003-keep-orders.md": record, "docs/adr/README.md": "# Records\n\nThey are here.\n"})
    assert run("import", "docs/adr", "--yes")[0] == 0
    ((path, text),) = drafts(docs).items()
    assert path.startswith("00.Shared/decisions/")
    assert "created: 2025-03-04\n" in text
    assert "source: code-repo:docs/adr/0003-keep-orders.md#" in text


def test_bad_files_are_a_warning_each_and_hinder_nothing(run: Run, code: Path, docs: Path, tmp_path: Path) -> None:
    bank = code / "memory-bank"
    bank.mkdir()
    outside = tmp_path / "outside.md"
    outside.write_text("# Outside\n\nThis must never be read by anybody at all.\n")
    fact = "The export runs at night, since the orders table is locked for an hour."
    (bank / "projectbrief.md").write_bytes(f"\ufeff# Brief\r\n\r\n{fact}\r\n".encode())
    (bank / "techContext.md").write_bytes(
        "# Tech\n\nバッチは夜間に実行する。注文表が一時間ロックされるため。\n".encode("utf-16")
    )
    (bank / unicodedata.normalize("NFD", "kế-hoạch.md")).write_text(
        unicodedata.normalize("NFD", "# Kế hoạch\n\nĐơn hàng được giữ mười năm vì cơ quan thuế yêu cầu.\n"), "utf-8"
    )
    (bank / "huge.md").write_bytes(b"x" * (10 << 20))
    (bank / "latin.md").write_bytes(b"# Caf\xe9\n\nNot UTF-8 at all, and long enough.\n")
    (bank / "broken.md").write_text(
        "---\ntitle: [\n\t*x\n---\n# Broken\n\nIts front matter is broken, its text is fine.\n"
    )
    (bank / "out.md").symlink_to(outside)
    (bank / "up").symlink_to(tmp_path)
    (bank / "loop.md").symlink_to(bank / "loop.md")
    os.mkfifo(bank / "pipe.md")
    status, out, err = run("import", "memory-bank", "--from", "cline", "--yes")
    assert status == 0, err
    assert out.count("new\t") == 4
    assert "never be read" not in "".join(drafts(docs).values())
    warnings = [line.partition("warning: ")[2] for line in err.splitlines() if "warning: " in line]
    names = ["huge.md", "latin.md", "loop.md", "out.md", "pipe.md", "up"]
    assert [line.partition(":")[0] for line in warnings] == names
    assert not [path for path in drafts(docs).values() if unicodedata.normalize("NFC", path) != path]
    assert run("lint")[0] == 0


def test_five_thousand_files_give_what_a_person_can_look_through(run: Run, docs: Path, tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    for number in range(5005):
        figures = [f"{number * prime % 99991:05}" for prime in (7919, 104729, 1299709, 15485863, 32452843, 49979687)]
        words = " ".join("".join(SYLLABLES[int(figure)] for figure in row) for row in figures)
        said = f"[fact] {words}" if number < 250 else "[status] done"
        (folder / f"{number:04}.md").write_text(f"---\npermalink: n/{number}\n---\n- {said}\n")
    status, out, err = run("import", str(folder), "--from", "basic-memory", "--dry-run")
    assert status == 0
    assert out.count("new\t") == 200
    assert "50 for the next run" in err
    assert "over 5000 files: the others are not read" in err


@pytest.mark.parametrize("args", [("nowhere",), (ROOT,), (".",)])
def test_what_is_no_memory_of_another_tool_is_refused(run: Run, docs: Path, args: tuple[str, ...]) -> None:
    run.folder = docs
    status, out, err = run("import", *args, "--yes")
    assert (status, out) == (3, "")
    assert "hint: " in err


def test_json_tells_all_of_it(run: Run, bank: Path, docs: Path) -> None:
    status, out, _ = run("import", "memory-bank", "--json", "--dry-run")
    found = json.loads(out)
    assert (status, found["written"], found["folders"][0]["from"]) == (0, False, "cline")
    assert found["folders"][0]["pieces"][0] == {
        "action": "new", "id": "mem-global-brief", "type": "fact", "area": "_global",
        "source": "memory-bank/projectbrief.md", "anchor": "start",
        "path": f"{PENDING}/00.Shared/domain/_global/brief.md", "why": None,
    }  # fmt: skip


def test_a_killed_run_leaves_whole_drafts_and_the_next_one_goes_on(run: Run, code: Path, docs: Path) -> None:
    files = {
        f"memory-bank/part{n}.md": f"# Part {n}\n\nThe part number {n * 7919} comes from supplier {n * 104729} only.\n"
        for n in range(40)
    }
    commit(code, {**BANK, **files})
    argv = [sys.executable, "-m", "brain", "-C", str(code), "import", "memory-bank", "--yes"]
    env = {**os.environ, **CODE}
    with subprocess.Popen(argv, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as child:
        while child.poll() is None and len(drafts(docs)) < 3:
            pass
        child.send_signal(signal.SIGKILL)
    for path, text in drafts(docs).items():
        place = find_place(path)
        assert place
        parse_memory(text, place)
    program("import", "memory-bank", "--yes", folder=code)
    sources = [split(text, "")[0].partition("source: ")[2].partition("\n")[0] for text in drafts(docs).values()]
    assert len(sources) == len(set(sources))
    assert program("import", "memory-bank", "--yes", folder=code).returncode == 1


def test_it_works_in_the_c_locale(run: Run, code: Path, docs: Path) -> None:
    commit(code, {f"memory-bank/{path.name}": path.read_bytes() for path in (OTHERS / "gascalc/memory-bank").iterdir()})
    done = program("import", "memory-bank", "--yes", folder=code, env={"LC_ALL": "C"})
    assert done.returncode == 0
    assert "memory-bank/systemPatterns.md#データ管理" in done.stdout.decode()
