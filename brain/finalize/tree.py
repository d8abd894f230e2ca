"""The memories of one commit, read whole and once: files, memories, and what cannot be read."""

from __future__ import annotations

import os

from brain.errors import InvalidMemoryError
from brain.git.objects import find_tree, list_tree, read_blobs
from brain.git.run import git
from brain.index.build import read_memory
from brain.layout import find_place
from brain.memory import MAX_FILE_BYTES
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from brain.memory import Memory

FILES = frozenset(("100644", "100755"))
"""Modes of plain files; a link or a submodule is no memory."""


@value
class Tree:
    """What a commit has below the memory root.

    ``blobs`` is path → blob of every file, ``memories`` path → memory of those that can be read, ``broken`` what is
    wrong with the others. ``oid`` is the root's own tree, "" where there is none.
    """

    commit: str
    oid: str
    blobs: Mapping[str, str]
    memories: Mapping[str, Memory]
    broken: tuple[InvalidMemoryError, ...]


def read_tree(repo: str, commit: str, root: str) -> Tree:
    """Return the memories of a commit."""
    oid = find_tree(repo, commit, root) or ""
    blobs = {entry.path: entry.oid for entry in list_tree(repo, oid) if entry.mode in FILES} if oid else {}
    paths = {path: blob for path, blob in blobs.items() if find_place(path)}
    memories: dict[str, Memory] = {}
    broken = []
    for path, content in read_files(repo, paths).items():
        try:
            memories[path] = read_memory(path, content, f"{root}/{path}")
        except InvalidMemoryError as error:
            broken.append(error)
    return Tree(commit, oid, blobs, memories, tuple(broken))


def changed_blobs(repo: str, old: str, new: str, root: str) -> dict[str, tuple[str, str]]:
    """Return path below the repo → blobs before and after, of what differs between two commits.

    "" is for what is not there, or no plain file. ``root`` is all that is compared; "" compares everything.
    """
    args = ["diff-tree", "-r", "-z", "--no-renames", "--raw", "--no-abbrev", old, new, *(["--", root] if root else [])]
    rows = git(repo, "--literal-pathspecs", *args).split(b"\0")
    found = {}
    for head, path in zip(rows[::2], rows[1::2], strict=False):
        before, after, one, other, _ = head.decode().removeprefix(":").split(" ")
        found[os.fsdecode(path)] = (one if before in FILES else "", other if after in FILES else "")
    return found


def read_files(repo: str, blobs: Mapping[str, str]) -> dict[str, bytes | None]:
    """Return path → content; None where a blob is "", not here, or too large for a memory."""
    there = {path: oid for path, oid in blobs.items() if oid}
    contents: Iterable[bytes | None] = read_blobs(repo, there.values(), MAX_FILE_BYTES)
    return {**dict.fromkeys(blobs), **dict(zip(there, contents, strict=True))}


def final_memory(path: str, content: bytes | None) -> Memory | None:
    """Return the memory that a file (path below the root) holds if it is an approved one, None for anything else."""
    try:
        memory = read_memory(path, content) if content else None
    except InvalidMemoryError:
        return None
    return memory if memory and memory.status == "approved" else None
