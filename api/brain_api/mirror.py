"""A bare mirror of one repository: its branches as they are there, its HEAD on the default branch."""

from __future__ import annotations

import os
import shutil

from brain.errors import GitError
from brain.git.objects import find_tree
from brain.git.refs import Repo, find_commit, find_repo
from brain.git.run import git, try_git
from brain.submit.push import Link
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

REMOTE = "origin"
SECONDS = 60.0
"""Longest that git may take for one thing it does with the remote."""


@value
class Access:
    """How a remote is reached: git's environment, and a token for the server it is for."""

    env: Mapping[str, str]
    token: str = ""
    server: str = ""
    ca: str = ""


class Mirror:
    """The mirror of ``url`` at ``folder``; ``branch`` is the default branch where settings say it."""

    def __init__(self, url: str, folder: str, access: Access, branch: str = "") -> None:
        self.url, self.folder, self.access, self.branch = url, folder, access, branch
        self.broken = False
        """Set by whoever could not read it: the next refresh makes it anew."""
        self._told: tuple[tuple[int, ...], bool] = ((), False)
        """Git's settings there as they were when git was asked last, and whether they name ``url``."""

    @property
    def repo(self) -> Repo | None:
        """The repository, None before its first refresh, and while what lies there is the mirror of another."""
        return find_repo(self.folder) if self._is_ours() else None

    def _is_ours(self) -> bool:
        """Say whether the mirror of ``url`` is there; another process may have made it, or replaced it, by now."""
        try:
            found = os.stat(os.path.join(self.folder, "config"))
        except OSError:
            return False
        seen = (found.st_ino, found.st_mtime_ns, found.st_size)
        if self._told[0] != seen:
            asked = try_git(self.folder, "config", f"remote.{REMOTE}.url").out.decode("utf-8", "surrogateescape")
            self._told = (seen, asked.strip() == self.url)
        return self._told[1]

    def head(self) -> str:
        """Return the default branch's commit, "" where there is none yet; of a mirror that is known, by no process."""
        repo = self.repo
        return (find_commit(repo, "HEAD") or "") if repo else ""

    def default(self) -> str:
        """Return the name of the default branch, "" where it is not known yet."""
        try:
            with open(os.path.join(self.folder, "HEAD"), encoding="utf-8") as file:
                return file.read().strip().removeprefix("ref: refs/heads/")
        except (OSError, ValueError):
            return ""

    def refresh(self) -> None:
        """Bring what is new. The mirror that is there stays as it is until what replaces it is whole.

        Raises:
            GitError: The remote does not answer, has no such branch, or git cannot write.
            OSError: The disk takes nothing.
        """
        if self.repo is None or self.broken:
            self._make_anew()
        else:
            self._bring(self.folder)

    def bring(self, *refspecs: str) -> None:
        """Bring refs beside the branches, where there is a mirror.

        Raises:
            GitError: They could not be brought.
        """
        if self.repo:
            self.link().mirror(*refspecs)

    def link(self) -> Link:
        """Return the way to the remote of the mirror that is here."""
        return self._link(self.folder)

    def _link(self, folder: str) -> Link:
        access = self.access
        link = Link(folder, REMOTE, access.env, access.token, access.ca, access.server)
        link.seconds = SECONDS
        return link

    def _make_anew(self) -> None:
        beside = f"{self.folder}.new"
        shutil.rmtree(beside, ignore_errors=True)
        os.makedirs(os.path.dirname(self.folder), exist_ok=True)
        try:
            git(os.path.dirname(self.folder), "init", "--quiet", "--bare", beside)
            git(beside, "remote", "add", REMOTE, self.url)
            self._bring(beside)
            if os.path.lexists(self.folder):
                old = f"{self.folder}.old"
                shutil.rmtree(old, ignore_errors=True)
                os.rename(self.folder, old)
                os.rename(beside, self.folder)
                shutil.rmtree(old, ignore_errors=True)
            else:
                os.rename(beside, self.folder)
            self.broken = False
        finally:
            shutil.rmtree(beside, ignore_errors=True)

    def _bring(self, folder: str) -> None:
        link = self._link(folder)
        heads = link.heads("", self.branch)
        repo = find_repo(folder)
        if repo and find_commit(repo, "HEAD") == heads.base and self._has(folder, heads.base):
            return
        link.mirror("+refs/heads/*:refs/heads/*")
        git(folder, "symbolic-ref", "HEAD", f"refs/heads/{heads.default}")
        if not self._has(folder, heads.base):
            raise GitError(["fetch", REMOTE], 128, f"fatal: {heads.base[:12]} did not arrive whole")
        try_git(folder, "maintenance", "run", "--auto", "--quiet")

    def _has(self, folder: str, commit: str) -> bool:
        try:
            return find_tree(folder, commit, "") is not None
        except GitError:
            return False
