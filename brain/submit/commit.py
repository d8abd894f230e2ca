"""A commit made in the object store alone: no checkout, no index, no branch of the user's is touched (SPEC §6.3)."""

from __future__ import annotations

import os

from brain.errors import ConflictError, GitError
from brain.git.objects import LINK, SUBMODULE, changed_entries
from brain.git.run import git, try_git
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

TREE, FILE = "040000", "100644"


@value
class _Row:
    """One row of a tree."""

    mode: str
    oid: str


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
    rows = _rows(repo, tree) if tree else {}
    for name, change in changes.items():
        old, path = rows.get(name), f"{above}{name}"
        if isinstance(change, dict):
            if old and old.mode != TREE:
                raise ConflictError(f"{path} is no folder on the default branch", "rename the draft's folder")
            below = _build(repo, old.oid if old else "", change, f"{path}/")
            rows.pop(name, None)
            if below:
                rows[name] = _Row(TREE, below)
        elif change:
            if old and old.mode in (TREE, LINK, SUBMODULE):
                raise ConflictError(f"{path} is no file on the default branch", "rename the draft")
            rows[name] = _Row(old.mode if old else FILE, str(change))
        else:
            rows.pop(name, None)
    if not rows:
        return ""
    text = b"".join(_line(name, row) for name, row in rows.items())
    return git(repo, "mktree", "-z", "--missing", stdin=text).decode().strip()


def _line(name: str, row: _Row) -> bytes:
    kind = {TREE: "tree", SUBMODULE: "commit"}.get(row.mode, "blob")
    return f"{row.mode} {kind} {row.oid}\t".encode() + os.fsencode(name) + b"\0"


def _rows(repo: str, tree: str) -> dict[str, _Row]:
    rows = {}
    for line in git(repo, "ls-tree", "-z", tree).split(b"\0"):
        if line:
            head, _, name = line.partition(b"\t")
            mode, _, oid = head.decode().split(" ")
            rows[os.fsdecode(name)] = _Row(mode, oid)
    return rows


def build_commit(repo: str, parent: str, changes: Mapping[str, str], message: str) -> str:
    """Return a commit on ``parent`` with these changes, signed where git is set to; ``parent`` where nothing differs.

    Raises:
        GitError: Git does not know who commits.
        ConflictError: See ``build_tree``.
    """
    tree = build_tree(repo, parent, changes)
    if tree == git(repo, "rev-parse", f"{parent}^{{tree}}").decode().strip():
        return parent
    signing = try_git(repo, "config", "--type=bool", "--get", "commit.gpgSign").out.strip() == b"true"
    args = ["commit-tree", *(["-S"] if signing else []), "-p", parent, tree]
    try:
        return git(repo, *args, stdin=message.encode()).decode().strip()
    except GitError as error:
        if "tell me who you are" in error.stderr or "ident" in error.stderr:
            hint = "git config --global user.name NAME, and user.email ADDRESS"
            raise GitError(["commit-tree"], error.status, error.stderr, hint) from None
        raise


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
    if not paths:
        return {}
    found = {}
    for line in git(repo, "--literal-pathspecs", "ls-tree", "-z", "--full-tree", commit, "--", *paths).split(b"\0"):
        head, _, name = line.partition(b"\t")
        if name and b" blob " in head:
            found[os.fsdecode(name)] = head.decode().split(" ")[2]
    return found
