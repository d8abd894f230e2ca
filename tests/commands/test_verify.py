"""``brain verify``: what changed under a memory, and the draft that says it holds, or does not (SPEC §5.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from brain.workspace import open_brain
from tests.commands.conftest import RETRY
from tests.support.program import Run, program
from tests.support.repos import ROOT, commit, git, memory_text

if TYPE_CHECKING:
    from pathlib import Path

ID = "mem-F003-retry"


def draft(docs: Path) -> str:
    return (docs / ROOT / "_pending" / RETRY).read_bytes().decode()


def approved(docs: Path) -> str:
    return (docs / ROOT / RETRY).read_bytes().decode()


def test_what_changed_is_shown_with_its_diff(run: Run, code: Path) -> None:
    status, out, err = run("verify", ID)
    assert (status, err) == (1, "")
    lines = out.splitlines()
    first = git(code, "rev-parse", "--short=7", "HEAD~1")
    assert lines[:2] == [
        f"{ID}: Retry a payment at most twice",
        f"  may be stale: src/pay.py changed since {first}: verify before you rely on it",
    ]
    assert lines[2] == "    diff --git a/src/pay.py b/src/pay.py"
    assert lines[-2:] == ["    -one", "    +two"]


def test_a_long_diff_is_cut_and_shows_nothing_invisible(run: Run, code: Path) -> None:
    commit(code, {"src/pay.py": "\x1b[2J\u202e\n" * 500})
    _, out, _ = run("verify", ID)
    lines = out.splitlines()
    assert len(lines) == 2 + 200 + 1
    assert lines[-1].startswith("    … ")
    assert lines[-1].endswith(" more lines")
    assert "\x1b" not in out
    assert "\u202e" not in out


def test_where_nothing_changed_that_is_said(run: Run, docs: Path) -> None:
    assert run("verify", "mem-global-juchu") == (0, "mem-global-juchu: 受注 is an order entry\n  it has no refs\n", "")
    head = git(run.folder, "rev-parse", "HEAD")
    commit(docs, {f"{ROOT}/{RETRY}": memory_text(RETRY, refs=("src/pay.py",), verified_commit=head)})
    assert run("verify", ID) == (0, f"{ID}: Retry a payment at most twice\n  nothing changed under its refs\n", "")


def test_ok_drafts_the_present_commit_and_nothing_else(run: Run, docs: Path, code: Path) -> None:
    old, new = git(code, "rev-parse", "HEAD~1", "HEAD").split()
    text = (
        memory_text(RETRY, refs=("src/pay.py",), verified_commit=old, stale=True)
        .replace("hits: 0", "hits:   0  # of consolidate")
        .replace("\n", "\r\n")
    )
    commit(docs, {f"{ROOT}/{RETRY}": text})
    status, out, err = run("verify", ID, "--ok")
    assert (status, out, err) == (
        0,
        "",
        f"brain: {ID}: drafted as verified at the present commit: {docs}/{ROOT}/_pending/{RETRY}\n",
    )
    expected = (
        text.replace(old, new)
        .replace("stale: true", "stale: false")
        .replace("status: approved", "status: pending")
        .replace("reviewed_by: pm", "reviewed_by:")
    )
    assert draft(docs) == expected
    assert approved(docs) == text
    assert "_pending" not in git(docs, "status", "--short", "--untracked-files=all")


def test_wrong_drafts_a_copy_to_mend(run: Run, docs: Path) -> None:
    status, out, err = run("verify", ID, "--wrong")
    said = f"brain: {ID}: drafted to be mended: edit {docs}/{ROOT}/_pending/{RETRY}\n"
    said += f"brain: if nothing of it holds: brain pending drop {ID}, brain remove {ID} --reason TEXT\n"
    assert (status, out, err) == (0, "", said)
    assert draft(docs) == approved(docs).replace("status: approved", "status: pending").replace(
        "reviewed_by: pm", "reviewed_by:"
    )


def test_a_draft_of_it_is_not_written_over(run: Run, docs: Path) -> None:
    run("verify", ID, "--wrong")
    before = draft(docs)
    assert run("verify", ID, "--ok") == (
        6,
        "",
        f"brain: there is a draft of {ID} already\nhint: look at it with brain pending show {ID}\n",
    )
    assert draft(docs) == before


def test_a_draft_alone_cannot_be_verified(run: Run) -> None:
    assert run("verify", "mem-F003-draft", "--ok") == (1, "", "brain: no memory 'mem-F003-draft'\n")
    assert run("verify", "zzz")[0] == 1
    assert run("verify", ID, "--ok", "--wrong")[0] == 2


def test_without_the_repo_of_its_refs_nothing_is_verified(run: Run, docs: Path) -> None:
    commit(docs, {f"{ROOT}/{RETRY}": memory_text(RETRY, refs=("elsewhere:a.py",))})
    assert run("verify", ID, "--ok") == (
        3,
        "",
        f"brain: {ID}: no repo of its refs is here to verify it in\nhint: run it in a clone of the code\n",
    )
    commit(docs, {f"{ROOT}/{RETRY}": memory_text(RETRY, refs=("elsewhere:a.py", "src/pay.py"))})
    status, _, err = run("verify", ID, "--ok")
    assert (status, err.splitlines()[0]) == (
        0,
        f"brain: {ID}: warning: ref elsewhere:a.py: there is no repo with a commit here to check it in",
    )


def test_what_was_verified_is_no_longer_in_doubt_once_approved(run: Run, docs: Path) -> None:
    assert run("stale", ID)[0] == 1
    run("verify", ID, "--ok")
    commit(docs, {f"{ROOT}/{RETRY}": draft(docs).replace("status: pending", "status: approved")})
    assert run("stale", ID)[0] == 0


def test_a_change_in_the_memory_repo_is_compared_with_what_is_approved(run: Run, docs: Path) -> None:
    first = git(commit(docs, {"01.Spec/a.md": "one\n"}), "rev-parse", "HEAD")
    commit(
        docs,
        {
            f"{ROOT}/{RETRY}": memory_text(RETRY, refs=("docs:01.Spec/a.md",), verified_commit=first),
            "01.Spec/a.md": "two\n",
        },
    )
    git(docs, "switch", "-q", "-c", "other")
    commit(docs, {"01.Spec/a.md": "three\n"})
    _, out, _ = run("verify", ID)
    assert out.splitlines()[-2:] == ["    -one", "    +two"]


@pytest.mark.parametrize("option", ["--ok", "--wrong"])
def test_a_bare_memory_repo_has_nowhere_for_a_draft(code: Path, docs: Path, tmp_path: Path, option: str) -> None:
    git(docs, "clone", "-q", "--bare", str(docs), str(tmp_path / "bare"))
    assert open_brain(str(tmp_path / "bare"), {}).memory_root == ""
    (tmp_path / "here").mkdir()
    done = program(
        "verify", ID, option, folder=code, env={"BRAIN_MEMORY_REPO": str(tmp_path / "bare")}, cwd=tmp_path / "here"
    )
    assert (done.returncode, done.stdout, done.stderr.decode()) == (
        3,
        b"",
        f"brain: {tmp_path / 'bare'} is bare: it has no place for drafts\nhint: connect a clone with files\n",
    )
    assert list((tmp_path / "here").iterdir()) == []
