"""A commit made in the object store alone: no checkout, no index, no branch of the user's is touched (SPEC §6.3)."""

from __future__ import annotations

import os

from brain.errors import ConflictError, GitError
from brain.git.objects import FOLDER, LINK, SUBMODULE, Entry, changed_entries, list_tree
from brain.git.run import git, try_git

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

FILE = "100644"


def write_blob(repo: str, content: bytes) -> str:
    """Return the id of a file's content, which the object store has then, byte for byte."""
    return git(repo, "hash-object", "-w", "--stdin", "--no-filters", stdin=content).decode().strip()


def build_tree(repo: str, parent: str, changes: Mapping[str, str]) -> str:
    """Return the tree of ``parent`` with changes: path below the repo → blob, "" to remove; the objects are written.

    Raises:
        ConflictError: A file or link stands where a folder is needed, or the other way round.
    """
    nested: dict[str, object] = {}
    for path, oid in changes.items():
        *folders, name = path.split("/")
        here = nested
        for folder in folders:
            here = here.setdefault(folder, {})  # type: ignore[assignment]
        here[name] = oid
    top = git(repo, "rev-parse", "--verify", f"{parent}^{{tree}}").decode().strip()
    return _build(repo, top, nested, "")


def _build(repo: str, tree: str, changes: Mapping[str, object], above: str) -> str:
    """Return a tree with changes, "" where nothing is left in it; ``tree`` is "" where there was none."""
    rows = {row.path: row for row in list_tree(repo, tree, deep=False)} if tree else {}
    for name, change in changes.items():
        old, path = rows.get(name), f"{above}{name}"
        if isinstance(change, dict):
            if old and old.mode != FOLDER:
                raise ConflictError(f"{path} is no folder on the default branch", "rename the draft's folder")
            below = _build(repo, old.oid if old else "", change, f"{path}/")
            rows.pop(name, None)
            if below:
                rows[name] = Entry(FOLDER, below, name)
        elif change:
            if old and old.mode in (FOLDER, LINK, SUBMODULE):
                raise ConflictError(f"{path} is no file on the default branch", "rename the draft")
            rows[name] = Entry(old.mode if old else FILE, str(change), name)
        else:
            rows.pop(name, None)
    if not rows:
        return ""
    text = b"".join(map(_line, rows.values()))
    return git(repo, "mktree", "-z", "--missing", stdin=text).decode().strip()


def _line(row: Entry) -> bytes:
    kind = {FOLDER: "tree", SUBMODULE: "commit"}.get(row.mode, "blob")
    return f"{row.mode} {kind} {row.oid}\t".encode() + os.fsencode(row.path) + b"\0"


def build_commit(repo: str, parent: str, changes: Mapping[str, str], message: str) -> str:
    """Return a commit on ``parent`` with these changes, signed where git is set to; ``parent`` where nothing differs.

    Raises:
        GitError: Git does not know who commits.
        ConflictError: See ``build_tree``.
    """
    tree = build_tree(repo, parent, changes)
    if tree == git(repo, "rev-parse", f"{parent}^{{tree}}").decode().strip():
        return parent
    try:
        return commit_tree(repo, tree, parent, message)
    except GitError as error:
        if "tell me who you are" in error.stderr or "ident" in error.stderr:
            hint = "git config --global user.name NAME, and user.email ADDRESS"
            raise GitError(["commit-tree"], error.status, error.stderr, hint) from None
        raise


def commit_tree(repo: str, tree: str, parent: str, message: str, env: Mapping[str, str] | None = None) -> str:
    """Return a commit of a tree on ``parent``, signed where git is set to; ``env`` may say in whose name."""
    signing = try_git(repo, "config", "--type=bool", "--get", "commit.gpgSign").out.strip() == b"true"
    args = ["commit-tree", *(["-S"] if signing else []), "-p", parent, tree]
    return git(repo, *args, stdin=message.encode(), env=env).decode().strip()


def is_in(repo: str, commit: str, other: str) -> bool:
    """Say whether ``commit`` is ``other`` or one of those before it."""
    return try_git(repo, "merge-base", "--is-ancestor", commit, other).status == 0


def merge_base(repo: str, one: str, other: str) -> str:
    """Return where two commits parted, "" where they have nothing in common."""
    return try_git(repo, "merge-base", one, other).out.decode().strip()


def changes_between(repo: str, old: str, new: str, root: str) -> dict[str, str]:
    """Return what differs below ``root``: path below it → blob in ``new``, "" where it is gone."""
    prefix = root + "/"
    rows = changed_entries(repo, old, new)
    return {path[len(prefix) :]: entry.oid if entry else "" for path, entry in rows if path.startswith(prefix)}


def blobs_at(repo: str, commit: str, paths: list[str]) -> dict[str, str]:
    """Return path → blob of those paths below the repo that a commit has a file at."""
    entries = list_tree(repo, commit, *paths, deep=False) if paths else []
    return {entry.path: entry.oid for entry in entries if entry.mode not in (FOLDER, SUBMODULE)}
