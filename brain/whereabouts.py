"""Where a memory is that is not in force: merged without a PM's approval, removed, or in history alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from brain.errors import BrainError, InvalidMemoryError
from brain.git.objects import list_tree, read_blob, read_blobs
from brain.index.build import read_memory
from brain.layout import DEPRECATED, find_place
from brain.memory import MAX_FILE_BYTES
from brain.removed import find_lost, find_when, list_removed
from brain.text import visible

if TYPE_CHECKING:
    from brain.memory import Memory
    from brain.workspace import Brain


def list_unapproved(brain: Brain) -> list[Memory]:
    """Return what lies among the memories of the default branch and waits for a PM's approval, by path."""
    tree = brain.tree
    if not tree.tree:
        return []
    numbers = ((part, number) for part in tree.parts for number in range(part.segment.docs) if number not in part.dead)
    known = {part.segment.record(number)[0] for part, number in numbers}
    entries = list_tree(brain.repo.path, tree.tree)
    open_ = {row.path: row.oid for row in entries if row.mode.startswith("100") and row.path not in known}
    open_ = {path: oid for path, oid in open_.items() if find_place(path)}
    contents = read_blobs(brain.repo.path, open_.values(), MAX_FILE_BYTES)
    found = (_read(path, content) for path, content in zip(open_, contents, strict=True))
    return [memory for memory in found if memory and memory.status == "pending"]


def tell_whereabouts(brain: Brain, memory_id: str) -> BrainError | None:
    """Return the error that says what became of an id which no memory in force has, None where nothing tells."""
    repo, commit, root = brain.repo.path, brain.tree.commit, brain.config["memory.root"]
    waiting = next((memory.path for memory in list_unapproved(brain) if memory.id == memory_id), "")
    if waiting:
        why = "no PM approved it, or finalize did not run"
        what = f"{memory_id} is merged and not official, so nobody recalls it: {why}"
        file = f"{root}/{waiting}"
        hint = f"brain pull-back {memory_id}, then brain submit; or a merge request that deletes {file}"
        return BrainError(what, hint)
    removed = list_removed(repo, commit, root)
    path = next((path for path in removed if (place := find_place(path)) and place.id == memory_id), "")
    if path:
        when = find_when(repo, commit, f"{root}/{DEPRECATED}/{path}")
        what = f"{memory_id} is removed already, since {when or '?'}: {_reason(brain, removed[path], path)}"
        return BrainError(what, f"brain restore {memory_id} brings it back")
    lost = find_lost(repo, commit, root, memory_id) if commit else None
    if lost:
        hint = f"history has it: git show {lost.commit[:12]}^:{lost.path}; brain remember writes it anew"
        return BrainError(f"{memory_id} was removed for good on {lost.when}, in commit {lost.commit[:12]}", hint)
    return None


def _reason(brain: Brain, oid: str, path: str) -> str:
    """Return the reason that a softly removed memory names."""
    memory = _read(path, read_blob(brain.repo.path, oid, MAX_FILE_BYTES))
    return visible(memory.removal_reason if memory else "") or "no reason given"


def _read(path: str, content: bytes | None) -> Memory | None:
    try:
        return read_memory(path, content)
    except InvalidMemoryError:
        return None
