"""Doubts: which refs are said to be stale or unknown, and how (SPEC §4.5, §5)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from brain.recall.doubts import doubts_of, repo_folders, warning_of
from brain.recall.recall import memory_warnings, staleness
from brain.stale.answers import Answer
from brain.stale.memories import Doubt
from brain.workspace import Brain, open_brain
from tests.support.recall import memory
from tests.support.repos import ROOT, clone, commit, git, make_memory_repo, make_repo, memory_text

if TYPE_CHECKING:
    from brain.memory import Memory

A, B, C = (f"01.Lessons/dev/_global/{name}.md" for name in "abc")
OID = "a1b2c3d4" * 5


@pytest.mark.parametrize(
    ("doubt", "text"),
    [
        (
            Doubt("src/a.py", OID, Answer("stale", "changed")),
            "may be stale: src/a.py changed since a1b2c3d: verify before you rely on it",
        ),
        (
            Doubt("src/a.py", OID, Answer("stale", "renamed", "src/b.py")),
            "may be stale: src/a.py changed since a1b2c3d, now src/b.py: verify before you rely on it",
        ),
        (Doubt("x:a.py", OID, Answer("unknown", "repo-missing")), "not checked: x:a.py (repo-missing)"),
    ],
)
def test_a_doubt_says_what_changed_since_when(doubt: Doubt, text: str) -> None:
    assert warning_of(doubt) == text


STALE, UNKNOWN = Doubt("a", OID, Answer("stale", "changed")), Doubt("b", OID, Answer("unknown", "repo-missing"))
MARKED = "may be stale: marked so in review: verify before you rely on it"


@pytest.mark.parametrize(
    ("marked", "doubts", "state", "warnings"),
    [
        (False, (), "fresh", []),
        (False, (UNKNOWN,), "unknown", [warning_of(UNKNOWN)]),
        (False, (UNKNOWN, STALE), "stale", [warning_of(UNKNOWN), warning_of(STALE)]),
        (True, (), "stale", [MARKED]),
        (True, (UNKNOWN,), "stale", [MARKED, warning_of(UNKNOWN)]),
        (True, (STALE,), "stale", [warning_of(STALE)]),
    ],
)
def test_a_memory_is_as_doubtful_as_its_worst_ref_or_its_mark(
    marked: bool, doubts: tuple[Doubt, ...], state: str, warnings: list[str]
) -> None:
    item = memory(A, stale=marked)
    assert (staleness(item, {item.path: doubts}), memory_warnings(item, {item.path: doubts})) == (state, warnings)


@pytest.fixture
def brain(tmp_path: Path) -> Brain:
    """Return a workspace whose memory has one stale lesson, one fresh and one without refs."""
    code = make_repo(tmp_path / "code", {"src/a.py": "1", "src/b.py": "1"})
    commit_ = git(code, "rev-parse", "HEAD")
    commit(code, {"src/a.py": "2"})
    texts = {
        A: memory_text(A, refs=("src/a.py", "gone:x"), verified_commit=commit_),
        B: memory_text(B, refs=("src/b.py",), verified_commit=commit_),
        C: memory_text(C),
    }
    docs = make_memory_repo(tmp_path / "docs", texts)
    return open_brain(str(code), {"BRAIN_MEMORY_REPO": str(docs)})


def all_of(brain: Brain) -> list[Memory]:
    return [item for part in brain.tree.parts for item in part.memories()]


def test_only_memories_with_doubts_are_named(brain: Brain) -> None:
    found = doubts_of(brain, all_of(brain))
    assert {path: [(doubt.ref, doubt.answer.state) for doubt in doubts] for path, doubts in found.items()} == {
        A: [("src/a.py", "stale"), ("gone:x", "unknown")]
    }


def test_without_refs_no_repo_is_looked_at(brain: Brain) -> None:
    assert doubts_of(brain, [item for item in all_of(brain) if not item.refs]) == {}
    assert not (Path(brain.repo.path) / ".git/brain/stale").exists()


def test_answers_are_kept_beside_the_index(brain: Brain) -> None:
    doubts_of(brain, all_of(brain))
    (kept,) = (Path(brain.repo.path) / ".git/brain/stale").iterdir()
    assert kept.name.startswith(git(Path(brain.workspace.root), "rev-parse", "HEAD"))


def test_refs_into_the_memory_repo_are_compared_with_what_is_approved(tmp_path: Path) -> None:
    text = memory_text(A, refs=("docs:01.Spec/a.md",))
    docs = make_memory_repo(tmp_path / "docs", {A: text})
    first = git(commit(docs, {"01.Spec/a.md": "1"}), "rev-parse", "HEAD")
    commit(docs, {f"{ROOT}/{A}": memory_text(A, refs=("docs:01.Spec/a.md",), verified_commit=first)})
    mine = clone(docs, tmp_path / "mine")
    git(mine, "switch", "-q", "-c", "other")
    commit(mine, {"01.Spec/a.md": "2"})
    brain = open_brain(str(mine), {})
    assert doubts_of(brain, all_of(brain)) == {}
    git(mine, "push", "-q", "origin", "HEAD:refs/heads/x")
    git(docs, "reset", "-q", "--hard", "x")
    git(mine, "fetch", "-q")
    brain = open_brain(str(mine), {})
    assert [doubt.answer.state for doubt in doubts_of(brain, all_of(brain))[A]] == ["stale"]


def test_an_alias_leads_to_a_folder_the_own_repo_or_a_clone_beside(tmp_path: Path) -> None:
    origin = make_repo(tmp_path / "origin" / "shop.git", {"a": "1"})
    code = clone(origin, tmp_path / "work" / "code")
    beside = clone(make_repo(tmp_path / "origin" / "stock", {"a": "1"}), tmp_path / "work" / "stock")
    settings = f'[repos]\nshop = "{origin}x"\nself = "{str(origin).removesuffix(".git")}"\nstock = "file://{tmp_path}/no"\nnear = "../stock"\n'
    git(beside, "remote", "add", "second", f"file://{tmp_path}/no.git/")
    docs = make_memory_repo(tmp_path / "docs", {A: ""}, settings)
    brain = open_brain(str(code), {"BRAIN_MEMORY_REPO": str(docs)})
    found = {alias: folder and str(Path(folder).resolve()) for alias, folder in repo_folders(brain).items()}
    assert found == {
        "": str(code),
        "docs": str(docs),
        "shop": None,
        "self": str(code),
        "stock": str(beside),
        "near": str(beside),
    }
