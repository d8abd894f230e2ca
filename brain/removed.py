"""What was taken out of the memory: softly, into ``_deprecated/``, or for good: then history alone has it (SPEC §7)."""

from __future__ import annotations

import os
from functools import lru_cache

from brain.git.objects import find_tree, list_tree
from brain.git.run import git
from brain.layout import DEPRECATED, find_place
from brain.value import value


@value
class Lost:
    """A memory that history alone has: its path below the repo, the commit that removed it, and that one's ISO date."""

    path: str
    commit: str
    when: str


@lru_cache(maxsize=2)  # a commit does not change, and an import asks once a piece
def list_removed(repo: str, commit: str, root: str) -> dict[str, str]:
    """Return path (where it lay, below the root) → blob of each softly removed memory in a commit."""
    tree = find_tree(repo, commit, f"{root}/{DEPRECATED}") if commit else None
    entries = list_tree(repo, tree) if tree else []
    return {entry.path: entry.oid for entry in entries if entry.mode.startswith("100") and find_place(entry.path)}


def find_when(repo: str, commit: str, path: str) -> str:
    """Return the ISO date at which a path below the repo came, "" where history does not say."""
    args = ("log", "-1", "--format=%cs", "--no-renames", "--diff-filter=A", commit, "--", path)
    return git(repo, "--literal-pathspecs", *args).decode().strip()


def find_lost(repo: str, commit: str, root: str, memory_id: str) -> Lost | None:
    """Return the last removal of a memory of that id from which history does not lead to ``_deprecated/``."""
    form = ("--format=%x01%H %cs", "--name-only", "-z")
    args = ("log", *form, "--no-renames", "--diff-filter=D", commit, "--", root)
    for part in git(repo, "--literal-pathspecs", *args).split(b"\1")[1:]:
        head, *paths = part.split(b"\0")
        for path in (os.fsdecode(raw.strip(b"\n")) for raw in paths):
            place = find_place(path.removeprefix(f"{root}/").removeprefix(f"{DEPRECATED}/"))
            if place and place.id == memory_id:
                removing, _, when = head.decode().partition(" ")
                return Lost(path, removing, when.strip())
    return None
