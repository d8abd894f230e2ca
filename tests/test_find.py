"""Memories by id: the approved, the draft of it, or the nearest one's name."""

from __future__ import annotations

from pathlib import Path

import pytest

from brain.errors import MemoryNotFoundError
from brain.find import find_memories, get_memories
from brain.workspace import Brain, open_brain
from tests.support.repos import commit, make_memory_repo, memory_text, pending

A, B = "01.Lessons/dev/F-003_Payment/retry.md", "00.Shared/decisions/use-git.md"


@pytest.fixture
def brain(tmp_path: Path) -> Brain:
    """Return a memory of two, with a draft of one of them and one draft alone."""
    repo = make_memory_repo(tmp_path / "repo", {A: "", B: ""})
    pending(repo, A, body="Not so.")
    pending(repo, "00.Shared/decisions/mine.md")
    return open_brain(str(repo), {})


def statuses(brain: Brain, name: str) -> list[tuple[str, str]]:
    return [(memory.path, memory.status) for memory in find_memories(brain, name)]


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("mem-F003-retry", [(A, "approved"), (A, "pending")]), ("mem-global-use-git", [(B, "approved")]), ("mem-global-mine", [("00.Shared/decisions/mine.md", "pending")]),
        (A, [(A, "approved"), (A, "pending")]), ("mem-F003", []), ("", []), ("mem-F003-RETRY", []), ("x\0y", []), ("在庫", []), ("\udcff", []),
    ],
)  # fmt: skip
def test_an_id_or_a_path_finds_the_approved_first(brain: Brain, name: str, found: list[tuple[str, str]]) -> None:
    assert statuses(brain, name) == found


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("mem-F003-retyr", "did you mean mem-F003-retry?"),
        ("mem-global-mime", "did you mean mem-global-mine?"),
        ("zzz", ""),
    ],
)
def test_an_unknown_id_names_the_nearest(brain: Brain, name: str, hint: str) -> None:
    with pytest.raises(MemoryNotFoundError) as caught:
        get_memories(brain, name)
    assert (str(caught.value), caught.value.hint) == (f"no memory {name!r}", hint)


def test_what_a_later_commit_changed_is_found_once(brain: Brain, tmp_path: Path) -> None:
    repo = commit(tmp_path / "repo", {f"99.Memory/{B}": memory_text(B, body="Now so."), f"99.Memory/{A}": None})
    later = open_brain(str(repo), {})
    assert [memory.body for memory in find_memories(later, "mem-global-use-git")] == ["Now so."]
    assert statuses(later, "mem-F003-retry") == [(A, "pending")]
