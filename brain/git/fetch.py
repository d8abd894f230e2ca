"""Fetch the memory repo with a short deadline (SPEC §4.1): a session never waits longer, and never for a prompt."""

from __future__ import annotations

import os
import time

from brain.environment import git_environment
from brain.files import remove_file
from brain.git.refs import has_remote
from brain.git.run import start_git

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from brain.git.refs import Repo

LOG, LOCK, STAMP = "fetch.log", "fetch.lock", "fetch.stamp"
SETTLED_SECONDS = 5.0
"""A fetch that ended this short ago serves the hooks that start together."""
LOCK_SECONDS = 120.0
"""A lock older than this belongs to a process that was killed."""
NO_QUESTIONS = {
    "GCM_INTERACTIVE": "never",
    "SSH_ASKPASS_REQUIRE": "never",
    "GIT_ASKPASS": "true",
    "SSH_ASKPASS": "true",
}


def fetch(repo: Repo, remote: str, seconds: float, folder: str, env: Mapping[str, str]) -> str:
    """Bring the remote's branches here; return "" or why that is not known to have worked, on one line.

    Args:
        repo: The memory repo.
        remote: Its name; without such a remote there is nothing to do.
        seconds: How long to wait; then the fetch goes on by itself. 0: do not even ask.
        folder: Where lock, log and time stamp are kept.
        env: The environment git starts from.
    """
    if not seconds or not has_remote(repo, remote) or not hasattr(os, "posix_spawnp"):
        return ""
    stamp, lock = os.path.join(folder, STAMP), os.path.join(folder, LOCK)
    if _age(stamp) < SETTLED_SECONDS:
        return _read_line(stamp)
    deadline = time.monotonic() + seconds
    try:
        os.makedirs(folder, exist_ok=True)
        if _age(lock) > LOCK_SECONDS:
            remove_file(lock)
        os.close(os.open(lock, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:  # the other hook of this session is at it
        return _wait_for(lock, stamp, deadline)
    except OSError as error:
        return f"the memory repo was not fetched: {error.strerror}"
    try:
        return _fetch(repo, remote, deadline, folder, env)
    finally:
        remove_file(lock)


def _fetch(repo: Repo, remote: str, deadline: float, folder: str, env: Mapping[str, str]) -> str:
    log = os.path.join(folder, LOG)
    quiet = ["-c", "gc.auto=0", "-c", "maintenance.auto=false", "-c", "core.askPass="]
    pid = start_git(
        repo.path, *quiet, "fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head", remote,
        log=log, env={**git_environment(env), **NO_QUESTIONS},
    )  # fmt: skip
    pause = 0.002
    while True:
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            break
        if time.monotonic() > deadline:
            return "the memory repo's remote did not answer in time: the local copy is used, the fetch goes on"
        time.sleep(pause)
        pause = min(pause * 1.5, 0.05)
    code = os.waitstatus_to_exitcode(status)
    cause = (
        "" if code == 0 else f"the memory repo could not be fetched, the local copy is used: {_read_line(log) or code}"
    )
    _write_line(os.path.join(folder, STAMP), cause)
    return cause


def _wait_for(lock: str, stamp: str, deadline: float) -> str:
    while os.path.exists(lock) and time.monotonic() < deadline:
        time.sleep(0.01)
    return _read_line(stamp) if _age(stamp) < SETTLED_SECONDS else ""


def _age(path: str) -> float:
    try:
        return time.time() - os.stat(path).st_mtime
    except OSError:
        return float("inf")


def _read_line(path: str) -> str:
    """Return the first line that names a cause, without what a URL may hold of a secret."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            lines = [line.strip() for line in file if line.strip()]
    except OSError:
        return ""
    telling = [line for line in lines if line.startswith(("fatal:", "error:", "ssh:"))] or lines
    return without_userinfo(telling[0])[:300] if telling else ""


def without_userinfo(text: str) -> str:
    """Return ``text`` with user names and passwords taken out of its URLs."""
    import re

    return re.sub(r"(\w+://)[^/\s@]+@", r"\1", text)


def _write_line(path: str, text: str) -> None:
    try:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    except OSError:
        pass
