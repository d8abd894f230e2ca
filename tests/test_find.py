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


def test_an_id_that_is_not_in_force_says_what_became_of_it(tmp_path: Path) -> None:
    waits, gone, lost = (f"00.Shared/decisions/{name}.md" for name in ("waits", "gone", "lost"))
    repo = make_memory_repo(tmp_path / "docs", {
        waits: memory_text(waits, status="pending", reviewed_by=""), lost: memory_text(lost),
        f"_deprecated/{gone}": memory_text(gone, status="deprecated", removal="soft", removal_reason="no longer so"),
    })  # fmt: skip
    commit(repo, {f"99.Memory/{lost}": None}, "gone for good")
    brain = open_brain(str(repo), {})
    said = {}
    for name in ("waits", "gone", "lost"):
        with pytest.raises(MemoryNotFoundError) as raised:
            get_memories(brain, f"mem-global-{name}")
        said[name] = (str(raised.value), raised.value.hint)
    assert said["waits"][0].startswith("mem-global-waits is merged and not official, so nobody recalls it")
    assert said["waits"][1].endswith(f"a merge request that deletes 99.Memory/{waits}")
    assert said["gone"][0].endswith(": no longer so")
    assert said["gone"][1] == "brain restore mem-global-gone brings it back"
    assert "was removed for good on" in said["lost"][0]
