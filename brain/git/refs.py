"""Read where a repository is and what its refs say, from its files: no process, no library.

A session-start hook asks this first, and most often nothing has moved since. What the files cannot tell (reftable
storage) goes to the executable.
"""

from __future__ import annotations

import os

from brain.errors import GitError
from brain.git.run import try_git
from brain.value import value

HEX = frozenset("0123456789abcdef")


@value
class Repo:
    """A repository on this disk.

    ``git_dir`` is a linked worktree's own, ``common_dir`` the one they share; ``work_tree`` is "" where bare.
    """

    git_dir: str
    common_dir: str
    work_tree: str

    @property
    def path(self) -> str:
        """The folder git is to run in."""
        return self.work_tree or self.git_dir


def find_repo(start: str) -> Repo | None:
    """Return the repository that ``start`` lies in, looking upward, or None."""
    folder = os.path.abspath(start)
    while True:
        dot_git = os.path.join(folder, ".git")
        if os.path.isdir(dot_git):
            return _repo(dot_git, folder)
        if os.path.isfile(dot_git):
            target = _read(dot_git)
            if target.startswith("gitdir:"):
                return _repo(os.path.normpath(os.path.join(folder, target[7:].strip())), folder)
        if os.path.isdir(os.path.join(folder, "objects")) and os.path.isfile(os.path.join(folder, "HEAD")):
            return _repo(folder, "")
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent


def get_repo(start: str) -> Repo:
    """Return the repository that ``start`` lies in.

    Raises:
        GitError: There is none.
    """
    repo = find_repo(start)
    if repo is None:
        raise GitError(
            ["rev-parse"], 128, f"{start} is not in a git repository", "run git init, or name another folder"
        )
    return repo


def find_commit(repo: Repo, ref: str, depth: int = 5) -> str | None:
    """Return the id that a full ref name, or ``HEAD``, holds; None if it does not exist, or only points in a circle."""
    text = _read(os.path.join(repo.git_dir, ref) if ref == "HEAD" else os.path.join(repo.common_dir, ref)).strip()
    if text == "ref: refs/heads/.invalid":  # reftable: the files say nothing
        return _ask_git(repo, ref)
    if text.startswith("ref:"):
        return find_commit(repo, text[4:].strip(), depth - 1) if depth else None
    if _is_id(text):
        return text
    packed = _find_packed(repo, ref)
    if packed is None and os.path.isdir(os.path.join(repo.common_dir, "reftable")):
        return _ask_git(repo, ref)
    return packed


def find_upstream(repo: Repo, remote: str = "origin", branch: str = "") -> tuple[str, str] | None:
    """Return the full name of the upstream default branch and its commit; None while nothing is committed.

    Without a branch named, the remote's HEAD, its main or master, or the branch that is checked out; without such
    a remote, the same of the local branches (SPEC §4.1).
    """
    head = _read(os.path.join(repo.git_dir, "HEAD")).strip()
    current = head[16:] if head.startswith("ref: refs/heads/") else ""
    names = [branch] if branch else ["main", "master", current]
    candidates = [f"refs/remotes/{remote}/{name}" for name in names if name]
    if not branch:
        pointer = _read(os.path.join(repo.common_dir, "refs", "remotes", remote, "HEAD")).strip()
        if pointer.startswith("ref:"):
            candidates.insert(0, pointer[4:].strip())
    candidates += [f"refs/heads/{name}" for name in names if name]
    for ref in candidates:
        commit = find_commit(repo, ref)
        if commit:
            return ref, commit
    commit = find_commit(repo, "HEAD")
    return ("HEAD", commit) if commit and not branch else None


def has_remote(repo: Repo, remote: str) -> bool:
    """Say whether the repository's own configuration names that remote."""
    return f'[remote "{remote}"]' in _read(os.path.join(repo.common_dir, "config"))


def _repo(git_dir: str, work_tree: str) -> Repo:
    common = _read(os.path.join(git_dir, "commondir")).strip()
    return Repo(git_dir, os.path.normpath(os.path.join(git_dir, common)) if common else git_dir, work_tree)


def _find_packed(repo: Repo, ref: str) -> str | None:
    packed = _read(os.path.join(repo.common_dir, "packed-refs"))
    at = packed.find(f" {ref}\n")
    if at < 0:
        return None
    oid = packed[packed.rfind("\n", 0, at) + 1 : at]
    return oid if _is_id(oid) else None


def _ask_git(repo: Repo, ref: str) -> str | None:
    result = try_git(repo.path, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}")
    return result.out.decode().strip() or None


def _is_id(text: str) -> bool:
    return len(text) in (40, 64) and HEX.issuperset(text)


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return file.read()
    except (OSError, ValueError):  # ValueError: a NUL in the name
        return ""
