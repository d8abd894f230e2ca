"""Fetch the memory repo with a short deadline (SPEC §4.1): a session never waits longer, and never for a prompt."""

from __future__ import annotations

import os
import time

from brain.environment import git_environment
from brain.errors import GitError
from brain.files import remove_file, write_file
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
"""A lock older than this is not believed, though the process it names lives: it may be another by now."""
NO_QUESTIONS = {
    "GCM_INTERACTIVE": "never",
    "SSH_ASKPASS_REQUIRE": "never",
    "GIT_ASKPASS": "true",
    "SSH_ASKPASS": "true",
    "LC_ALL": "C",  # the causes we tell and the hints we give are read from git's English
}
HANGING = ("-c", "http.lowSpeedLimit=1", "-c", "http.lowSpeedTime=60")
"""A fetch that goes on by itself ends some day, too."""
LATE = "the memory repo's remote did not answer in time: the local copy is used, the fetch goes on"
FAILED = "the memory repo could not be fetched, the local copy is used"
HINTS = {"dubious ownership": "it belongs to another user: git config --global --add safe.directory PATH"}


def fetch(repo: Repo, remote: str, seconds: float, folder: str, env: Mapping[str, str]) -> str:
    """Bring the remote's branches here; return "" or why that is not known to have worked, on one line.

    Args:
        repo: The memory repo.
        remote: Its name; without such a remote there is nothing to do.
        seconds: How long to wait; then the fetch goes on by itself. 0: do not even ask.
        folder: Where lock, log and time stamp are kept.
        env: The environment git starts from.
    """
    if seconds <= 0 or not has_remote(repo, remote) or not hasattr(os, "posix_spawnp"):
        return ""
    stamp, lock = os.path.join(folder, STAMP), os.path.join(folder, LOCK)
    if _age(stamp) < SETTLED_SECONDS:
        return _read_line(stamp)
    deadline = time.monotonic() + seconds
    try:
        os.makedirs(folder, exist_ok=True)
        if _is_left_over(lock):
            remove_file(lock)
        descriptor = os.open(lock, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    except FileExistsError:  # the other hook of this session is at it, or one of an earlier session still
        return _wait_for(lock, stamp, deadline)
    except OSError as error:
        return f"{FAILED}: {error.strerror}"
    try:
        return _fetch(repo, remote, deadline, folder, descriptor, env)
    except (GitError, OSError) as error:
        remove_file(lock)
        return f"{FAILED}: {error}"
    finally:
        os.close(descriptor)


def _fetch(repo: Repo, remote: str, deadline: float, folder: str, lock: int, env: Mapping[str, str]) -> str:
    """Start git, name it in the lock and wait for it; one that is late keeps the lock."""
    log = os.path.join(folder, LOG)
    quiet = ["-c", "gc.auto=0", "-c", "maintenance.auto=false", "-c", "core.askPass=", *HANGING]
    pid = start_git(
        repo.path, *quiet, "fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head", remote,
        log=log, env={**git_environment(env), **NO_QUESTIONS},
    )  # fmt: skip
    with open(log, encoding="utf-8", errors="replace") as said:
        remove_file(log)  # it may hold what a URL holds
        _put_pid(lock, pid)
        pause = 0.002
        while True:
            ended, status = os.waitpid(pid, os.WNOHANG)
            if ended:
                break
            if time.monotonic() > deadline:
                return LATE
            time.sleep(pause)
            pause = min(pause * 1.5, 0.05)
        words = said.read() if status else ""
        hints = "".join(f" ({hint})" for sign, hint in HINTS.items() if sign in words)
        cause = f"{FAILED}: {cause_of(words) or os.waitstatus_to_exitcode(status)}{hints}" if status else ""
    try:
        write_file(os.path.join(folder, STAMP), cause)
    except OSError:  # a full disk: the next hook asks again
        pass
    remove_file(os.path.join(folder, LOCK))
    return cause


def _wait_for(lock: str, stamp: str, deadline: float) -> str:
    while os.path.exists(lock) and not _is_left_over(lock):
        if time.monotonic() > deadline:
            return LATE
        time.sleep(0.01)
    return _read_line(stamp) if _age(stamp) < SETTLED_SECONDS else ""


def _is_left_over(lock: str) -> bool:
    """Say whether no fetch is at work behind a lock."""
    age = _age(lock)
    if age > LOCK_SECONDS:
        return True
    try:
        with open(lock, encoding="ascii") as file:
            pid = int(file.read())
        os.kill(pid, 0)
        return _has_ended(pid)
    except ProcessLookupError:
        return age != float("inf")
    except (OSError, ValueError):  # not there; being written this moment; another user's
        pass
    return False


def _has_ended(pid: int) -> bool:
    """Say whether a process only waits to be buried, by this one or by a container's first."""
    try:
        return os.waitpid(pid, os.WNOHANG)[0] == pid
    except ChildProcessError:  # not ours to bury
        pass
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()[:1] == [b"Z"]
    except OSError:  # a system without /proc
        return False


def _put_pid(descriptor: int, pid: int) -> None:
    try:
        os.write(descriptor, str(pid).encode())
    except OSError:  # a full disk: then its age must do
        pass


def _age(path: str) -> float:
    try:
        return abs(time.time() - os.stat(path).st_mtime)
    except OSError:
        return float("inf")


def cause_of(said: str) -> str:
    """Return the first line of git's that names a cause, without what a URL may hold of a secret; "" for no word."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    telling = [line for line in lines if line.startswith(("fatal:", "error:", "ssh:"))] or lines
    return without_userinfo(telling[0])[:300] if telling else ""


def _read_line(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.readline(1000).strip()
    except OSError:
        return ""


def without_userinfo(text: str) -> str:
    """Return ``text`` with user names, passwords and queries taken out of its URLs.

    >>> without_userinfo("to https://ada:p@ss/w@git.example.com/m.git?private_token=1 it went")
    'to https://git.example.com/m.git it went'
    """
    import re

    userinfo = r"[^/\s'\"@:]+:(?!\d+/)[^\s'\"]*@"  # may hold an unescaped "/" or "@"; digits are a port
    text = re.sub(rf"(\w+://)(?:{userinfo}|[^/\s'\"]*@)", r"\1", text)
    return re.sub(r"(\w+://[^\s'\"?]*)\?[^\s'\"]*", r"\1", text)
