"""Run the git executable.

``posix_spawn`` and a ``poll`` loop stand in for ``subprocess``, whose import alone costs a hook more than the
git call (12 ms against 2); where the system has no ``posix_spawn`` (Windows), ``subprocess`` is used.
"""

from __future__ import annotations

import os
import select
import time

from brain.environment import git_environment
from brain.errors import GitError
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

CHUNK = 1 << 20
SIGKILL = 9  # the module `signal` makes enums of them all, for 5 ms
TIMED_OUT = -1
"""The status of a command that was ended at its deadline."""


@value
class Result:
    """What a command left: exit status (``TIMED_OUT`` at the deadline), stdout, stderr."""

    status: int
    out: bytes
    err: bytes


def git(
    repo: str,
    *args: str,
    stdin: bytes = b"",
    timeout: float | None = None,
    env: Mapping[str, str] | None = None,
    index: bool = True,
    meanwhile: Callable[[], object] | None = None,
) -> bytes:
    """Return what ``git -C repo args`` prints.

    Args:
        repo: Folder git runs in.
        args: The command and its arguments, no shell.
        stdin: Bytes for its standard input.
        timeout: Seconds until it is killed; None waits.
        env: Environment to start from; the process's own by default.
        index: Whether git may read the index: what compares trees needs none, but reads it whole.
        meanwhile: Called while git works, for what is needed once it answers.

    Raises:
        GitError: It exited non-zero, could not be started or took too long.
    """
    result = try_git(repo, *args, stdin=stdin, timeout=timeout, env=env, index=index, meanwhile=meanwhile)
    if result.status == 0:
        return result.out
    err = result.err.decode("utf-8", "replace")
    if result.status == TIMED_OUT:
        err = f"no answer within {timeout:g} s"
    from brain.git.fetch import without_userinfo  # only for an error: an address may hold a password

    raise GitError([without_userinfo(arg) for arg in args], result.status, without_userinfo(err), _hint(err))


def try_git(
    repo: str,
    *args: str,
    stdin: bytes = b"",
    timeout: float | None = None,
    env: Mapping[str, str] | None = None,
    index: bool = True,
    meanwhile: Callable[[], object] | None = None,
) -> Result:
    """Return the result of ``git -C repo args`` whatever its status; see ``git``.

    Raises:
        GitError: Git could not be started.
    """
    argv = ["git", "-C", repo, *args]
    environment = git_environment(env, index=index)
    try:
        return _spawn(argv, stdin, timeout, environment, meanwhile)
    except FileNotFoundError:
        raise GitError(list(args), 127, "git is not on the PATH", "install git 2.31 or newer") from None


def start_git(repo: str, *args: str, log: str, env: Mapping[str, str] | None = None) -> int:
    """Start git in a session of its own, output to the file ``log``; return its process id.

    It has no terminal, so nothing can ask a question, and outlives this process.
    """
    devnull = os.open(os.devnull, os.O_RDONLY)
    out = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        return os.posix_spawnp(
            "git", ["git", "-C", repo, *args], git_environment(env), setsid=True,
            file_actions=[(os.POSIX_SPAWN_DUP2, source, end) for end, source in enumerate((devnull, out, out))],
        )  # fmt: skip
    except FileNotFoundError:
        raise GitError(list(args), 127, "git is not on the PATH", "install git 2.31 or newer") from None
    finally:
        os.close(devnull)
        os.close(out)


def _hint(err: str) -> str:
    if "dubious ownership" in err:
        return "the repository belongs to another user: git config --global --add safe.directory PATH"
    if "index.lock" in err or "Unable to create" in err:
        return "another git command holds a lock; wait for it, or remove the lock file if none runs"
    return ""


def _spawn(
    argv: list[str],
    stdin: bytes,
    timeout: float | None,
    env: dict[str, str],
    meanwhile: Callable[[], object] | None = None,
) -> Result:
    if not hasattr(os, "posix_spawnp"):
        return _subprocess(argv, stdin, timeout, env)
    pipes = [os.pipe() for _ in range(3)]
    child_ends = (pipes[0][0], pipes[1][1], pipes[2][1])
    our_ends = (pipes[0][1], pipes[1][0], pipes[2][0])
    try:
        pid = os.posix_spawnp(
            argv[0],
            argv,
            env,
            file_actions=[(os.POSIX_SPAWN_DUP2, end, number) for number, end in enumerate(child_ends)],
        )
    except BaseException:
        for end in our_ends:
            os.close(end)
        raise
    finally:
        for end in child_ends:
            os.close(end)
    deadline = None if timeout is None else time.monotonic() + timeout
    if meanwhile is not None:
        meanwhile()
    out, err, late = _talk(our_ends, stdin, deadline)
    if late or not _has_ended(pid, deadline):
        os.kill(pid, SIGKILL)
        late = True
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    return Result(TIMED_OUT if late else status, out, err)


def _has_ended(pid: int, deadline: float | None) -> bool:
    """Say whether a child that said all it had to say ends in time; without a deadline there is always time."""
    pause = 0.0001
    while deadline is not None and os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
        if time.monotonic() > deadline:
            return False
        time.sleep(pause)
        pause = min(pause * 2, 0.05)
    return True


def _talk(ends: tuple[int, int, int], stdin: bytes, deadline: float | None) -> tuple[bytes, bytes, bool]:
    """Feed ``stdin`` and collect both outputs until they close; say whether the deadline passed first."""
    into, out, err = ends
    chunks: dict[int, list[bytes]] = {out: [], err: []}
    open_ends, pending = set(ends), memoryview(stdin)
    poll = select.poll()
    poll.register(out, select.POLLIN)
    poll.register(err, select.POLLIN)
    poll.register(into, select.POLLOUT)
    os.set_blocking(into, False)
    while open_ends:
        left = None if deadline is None else max(0.0, deadline - time.monotonic()) * 1000
        ready = poll.poll(left) if pending or into not in open_ends else [(into, 0)]
        if not ready:
            break
        for end, _ in ready:
            if end == into:
                pending = _write(into, pending)
                done = not pending
            else:
                chunks[end].append(os.read(end, CHUNK))
                done = not chunks[end][-1]
            if done:
                poll.unregister(end)
                os.close(end)
                open_ends.discard(end)
    for end in open_ends:
        os.close(end)
    return b"".join(chunks[out]), b"".join(chunks[err]), bool(open_ends)


def _write(into: int, pending: memoryview) -> memoryview:
    """Write what the pipe takes and return what is left; nothing where the reader wants no more."""
    try:
        return pending[os.write(into, pending[:CHUNK]) :] if pending else pending
    except BlockingIOError:
        return pending
    except BrokenPipeError:
        return memoryview(b"")


def _subprocess(argv: list[str], stdin: bytes, timeout: float | None, env: dict[str, str]) -> Result:
    import subprocess

    try:
        done = subprocess.run(argv, input=stdin, capture_output=True, timeout=timeout, env=env, check=False)
    except subprocess.TimeoutExpired as error:
        return Result(TIMED_OUT, error.stdout or b"", error.stderr or b"")
    return Result(done.returncode, done.stdout, done.stderr)
