"""The files a ticket is about that names none: what this branch changed, asked of git once (SPEC §4.2)."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest

from brain.git.refs import find_repo
from brain.recall.files import MOST_FILES, changed_files, files_of_branch, own_prefixes
from brain.recall.recall import recall
from brain.workspace import Brain, open_brain
from tests.support.recall import TODAY, ticket_of
from tests.support.repos import ROOT, clone, commit, git, make_memory_repo, make_repo, memory_text

LESSON = "01.Lessons/dev/_global/retry.md"


@pytest.fixture
def code(tmp_path: Path) -> Path:
    """Return a clone of a code repo, on a branch that changed one file, removed one and renamed one."""
    origin = make_repo(
        tmp_path / "origin", {"src/pay.py": "1\n" * 50, "src/old.py": "2\n" * 50, "src/gone.py": "3\n", "README": "x"}
    )
    repo = clone(origin, tmp_path / "code")
    git(repo, "switch", "-q", "-c", "feature")
    git(repo, "mv", "src/old.py", "src/new.py")
    commit(repo, {"src/pay.py": "4\n", "src/gone.py": None, "src/đơn hàng.py": "5\n"})
    commit(origin, {"README": "changed upstream"})
    git(repo, "fetch", "-q")
    return repo


CHANGED = ("src/gone.py", "src/new.py", "src/old.py", "src/pay.py", "src/đơn hàng.py")


def changed(repo: Path, cache: Path) -> tuple[str, ...]:
    found = find_repo(str(repo))
    assert found
    return changed_files(found, str(cache))


@pytest.fixture
def no_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return what puts a git on the PATH that leaves a mark and fails."""
    mark, program = tmp_path / "git-was-run", tmp_path / "bin" / "git"

    def forbid() -> Path:
        program.parent.mkdir()
        program.write_text(f"#!/bin/sh\necho \"$@\" >> '{mark}'\nexit 1\n")
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
        return mark

    return forbid


def test_a_branch_is_about_what_it_changed_since_it_left_the_default_branch(code: Path, tmp_path: Path) -> None:
    assert changed(code, tmp_path / "cache") == CHANGED


def test_the_answer_is_kept_until_a_commit_moves(code: Path, tmp_path: Path, no_git: Any) -> None:
    assert changed(code, tmp_path / "cache") == CHANGED
    mark = no_git()
    assert changed(code, tmp_path / "cache") == CHANGED
    assert not mark.exists()
    assert changed(code, tmp_path / "empty") == ()
    assert mark.exists()


def test_a_new_commit_is_asked_about(code: Path, tmp_path: Path) -> None:
    changed(code, tmp_path / "cache")
    commit(code, {"src/more.py": "x"})
    assert changed(code, tmp_path / "cache") == tuple(sorted((*CHANGED, "src/more.py")))
    git(code, "update-ref", "refs/remotes/origin/main", "HEAD")
    assert changed(code, tmp_path / "cache") == ()


def test_on_the_default_branch_git_is_not_asked(code: Path, tmp_path: Path, no_git: Any) -> None:
    git(code, "switch", "-q", "--detach", "origin/main")
    mark = no_git()
    assert changed(code, tmp_path / "cache") == ()
    assert not mark.exists()
    assert not (tmp_path / "cache").exists()


def test_what_is_not_committed_does_not_count(code: Path, tmp_path: Path) -> None:
    git(code, "switch", "-q", "--detach", "origin/main")
    (code / "src/pay.py").write_text("dirty")
    assert changed(code, tmp_path / "cache") == ()


def test_without_a_remote_the_local_default_branch_is_the_base(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "code", {"a": "1"})
    git(repo, "switch", "-q", "-c", "feature")
    commit(repo, {"b": "1"})
    assert changed(repo, tmp_path / "cache") == ("b",)


@pytest.mark.parametrize("broken", ["unborn", "unrelated", "base gone", "damaged cache", "no room"])
def test_what_cannot_be_told_is_no_files(code: Path, tmp_path: Path, broken: str) -> None:
    cache = tmp_path / "cache"
    expected: tuple[str, ...] = ()
    if broken == "unborn":
        code = make_repo(tmp_path / "unborn")
    elif broken == "unrelated":
        git(code, "switch", "-q", "--orphan", "alone")
        commit(code, {"x": "1"})
    elif broken == "base gone":
        git(code, "update-ref", "-d", "refs/remotes/origin/main")
        (code / ".git/refs/remotes/origin/main").write_text("1" * 40 + "\n")
    elif broken == "damaged cache":
        changed(code, cache)
        (name,) = cache.iterdir()
        name.write_text(json.dumps({**json.loads(name.read_text()), "files": "all"}))
        expected = CHANGED
    else:
        cache.write_text("a file where a folder should be")
        expected = CHANGED
    assert changed(code, cache) == expected


def test_of_a_branch_that_changed_a_great_deal_the_first_are_taken(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "code", {"a": "1"})
    git(repo, "switch", "-q", "-c", "feature")
    commit(repo, {f"f{number:03}": "x" for number in range(250)})
    assert changed(repo, tmp_path / "cache") == tuple(f"f{number:03}" for number in range(MOST_FILES))


def test_two_worktrees_keep_their_own_answers(code: Path, tmp_path: Path, no_git: Any) -> None:
    git(code, "worktree", "add", "-q", "-b", "other", str(tmp_path / "tree"), "origin/main")
    commit(tmp_path / "tree", {"other.py": "x"})
    assert (changed(code, tmp_path / "cache"), changed(tmp_path / "tree", tmp_path / "cache")) == (
        CHANGED,
        ("other.py",),
    )
    mark = no_git()
    assert (changed(code, tmp_path / "cache"), changed(tmp_path / "tree", tmp_path / "cache")) == (
        CHANGED,
        ("other.py",),
    )
    assert not mark.exists()


def connect(code: Path, refs: tuple[str, ...], settings: str = "", scorer: str = "hybrid") -> Brain:
    """Return the memory of a workspace in ``code``, with one lesson that has these refs."""
    docs = make_memory_repo(
        code.parent / "docs",
        {LESSON: memory_text(LESSON, refs=refs, tags=("t",), workflows=("none",), confidence=0.0)},
        settings,
    )
    return open_brain(str(code), {"BRAIN_MEMORY_REPO": str(docs), "BRAIN_RECALL_SCORER": scorer})


def terms(brain: Brain, **ticket: Any) -> list[dict[str, float]]:
    found = recall(brain, ticket_of(**ticket), TODAY).chosen
    return [{name: amount for name, amount in item.terms.items() if amount and name != "decay"} for item in found]


def test_the_tickets_own_files_win_over_the_branchs(code: Path) -> None:
    brain = connect(code, ("src/pay.py",))
    assert terms(brain) == [{"files": 4.0 / len(CHANGED)}]
    assert terms(brain, files=["src/pay.py"]) == [{"files": 4.0}]
    assert terms(brain, files=["src/else.py"]) == []
    assert files_of_branch(brain) == CHANGED


def test_under_the_rule_git_is_not_asked_for_files(code: Path) -> None:
    brain = connect(code, ("src/pay.py",), scorer="rule")
    assert terms(brain, keywords=["t"]) == [{"tags": 2.0}]
    assert not [name for name in os.listdir(code.parent / "docs/.git/brain") if name.startswith("changed")]


def test_a_workspace_that_is_no_repository_changed_nothing(tmp_path: Path) -> None:
    (tmp_path / "plain" / ".aiflow").mkdir(parents=True)
    brain = connect(tmp_path / "plain", ("a.py",))
    assert (files_of_branch(brain), own_prefixes(brain)) == ((), ("", "code:"))


@pytest.mark.parametrize(
    ("where", "counts"),
    [
        ("{origin}", True),
        ("{origin}.git/", True),
        ("../code", True),
        ("{code}", True),
        ("https://x/other.git", False),
        ("../docs", False),
    ],
)
def test_refs_under_an_alias_of_this_repo_count(code: Path, where: str, counts: bool) -> None:
    url = where.format(origin=code.parent / "origin", code=code)
    brain = connect(code, ("shop:src/pay.py", "docs:src/pay.py"), f'[repos]\nshop = "{url}"\n')
    assert own_prefixes(brain) == ("", "code:", *(("shop:",) if counts else ()))
    assert terms(brain, files=["src/pay.py"]) == ([{"files": 4.0}] if counts else [])


def test_in_the_memory_repo_itself_its_own_refs_count(tmp_path: Path) -> None:
    docs = make_memory_repo(
        tmp_path / "docs", {LESSON: memory_text(LESSON, refs=("docs:01.Spec/a.md",), tags=(), workflows=("none",))}
    )
    brain = open_brain(str(docs), {"BRAIN_RECALL_SCORER": "hybrid"})
    assert own_prefixes(brain) == ("", "code:", "docs:")
    assert [row["files"] for row in terms(brain, files=["01.Spec/a.md"])] == [4.0]
    assert (docs / ROOT).exists()
