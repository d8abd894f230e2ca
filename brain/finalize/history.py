"""What git's history says: commits that claim to be finalize's, and which commits brought a file as it is."""

from __future__ import annotations

import os

from brain.git.run import git, try_git
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

TRAILER = "Brain-Finalize"
"""The trailer by which a commit claims to be finalize's. It proves nothing: anyone can write it."""
GONE = "Taken-out"
"""The trailer that names a memory which a merge request took out at once, by a PM's approval."""
MOST_CLAIMS = 100
MOST_PATHS = 200
"""Paths that git is asked about by name; of more, it tells all below the root, which is faster."""
NO_BLOB = frozenset("0")


@value
class Change:
    """A commit that changed a file: blobs before and after ("" for none), and whether it claims to be finalize's."""

    commit: str
    parents: tuple[str, ...]
    old: str
    new: str
    claims: bool


def claims(repo: str, commit: str, since: str = "") -> list[str]:
    """Return the commits up to ``commit`` (behind ``since``) that claim to be finalize's, the newest first."""
    span = f"{since}..{commit}" if since else commit
    out = git(repo, "rev-list", f"--max-count={MOST_CLAIMS}", f"--grep=^{TRAILER}: ", "--end-of-options", span, "--")
    return out.decode().split()


def taken_out(repo: str, commit: str) -> list[str]:
    """Return the memories (paths below the root) that a commit says were taken out by approval."""
    form = f"--format=%(trailers:key={GONE},valueonly)"
    return git(repo, "show", "-s", "--no-show-signature", form, commit).decode("utf-8", "replace").split("\n")


def changes_of(repo: str, commit: str, since: str, root: str, paths: Collection[str]) -> dict[str, list[Change]]:
    """Return path below the root → the changes that a branch saw of it, the newest first.

    A merge counts as one change, of all that it brought.
    """
    if not paths:
        return {}
    where = [f"{root}/{path}" for path in paths] if len(paths) <= MOST_PATHS else [root]
    span = f"{since}..{commit}" if since else commit
    form = f"commit %H %P%x00%(trailers:key={TRAILER},valueonly,separator=%x2C)"
    out = git(
        repo, "--literal-pathspecs", "log", "--first-parent", "-m", "--raw", "--no-renames", "--no-abbrev", "-z",
        "--no-show-signature", "--no-color", "--no-notes", f"--format={form}", span, "--", *where,
    )  # fmt: skip
    return _read_log(out.split(b"\0"), f"{root}/", set(paths))


def _read_log(tokens: list[bytes], prefix: str, wanted: set[str]) -> dict[str, list[Change]]:
    found: dict[str, list[Change]] = {}
    commit, claiming = "", False
    parents: tuple[str, ...] = ()
    rest = iter(tokens)
    for token in rest:
        word = token.lstrip(b"\n")
        if word.startswith(b"commit "):
            _, commit, *more = word.decode().split()
            parents, claiming = tuple(more), bool(next(rest, b"").strip())
        elif word.startswith(b":"):
            old, new = word.decode().split(" ")[2:4]
            path = os.fsdecode(next(rest, b"")).removeprefix(prefix)
            if path in wanted:
                change = Change(commit, parents, _blob(old), _blob(new), claiming)
                found.setdefault(path, []).append(change)
    return found


def _blob(oid: str) -> str:
    return "" if NO_BLOB.issuperset(oid) else oid


def origin(repo: str, commit: str, path: str) -> str:
    """Return the commit from which ``commit`` has a file as it is, through whichever parent; "" where none tells."""
    done = try_git(repo, "--literal-pathspecs", "rev-list", "--max-count=1", commit, "--", path)
    return done.out.decode().strip() if done.status == 0 else ""
