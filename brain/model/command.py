"""A program that reads a prompt on standard input and answers on standard output: ``claude -p``, or any other.

It runs in an empty folder and in a group of its own, which is ended whole: at the deadline, when it says too much, and
after it ended, since a child of it may hold the pipe. It gets this program's environment less what is ours.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from threading import Event, Thread

from brain.environment import guest_environment
from brain.model.model import ModelError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import IO

MAX_ANSWER = 4 << 20
"""Bytes of an answer."""
MAX_SAID = 1 << 16
"""Bytes of what it says of its own trouble that are kept."""
CHUNK = 1 << 16
SIGKILL = 9
LINGER = 1.0
"""Seconds for what is still in the pipe after the group was ended."""


class Command:
    """A program as a model.

    Args:
        argv: The program and its arguments; no shell.
        seconds: Longest that an answer may take.
        env: The environment it starts from.
        folder: Where a relative path to the program begins.
    """

    def __init__(self, argv: Sequence[str], seconds: float, env: Mapping[str, str], folder: str) -> None:
        self._seconds, self._env = seconds, guest_environment(env)
        program = os.path.expanduser(argv[0])
        is_path = os.path.dirname(program) != ""
        found = os.path.join(folder, program) if is_path else shutil.which(program, path=self._env.get("PATH"))
        self._argv = [found or program, *argv[1:]]
        self.label = " ".join(argv)

    def answer(self, prompt: str) -> str:
        """Return what the program prints; see ``Model``."""
        with tempfile.TemporaryDirectory(prefix="brain-model-", ignore_cleanup_errors=True) as empty:
            try:
                process = subprocess.Popen(
                    self._argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=empty,
                    env=self._env, start_new_session=True,
                )  # fmt: skip
            except (OSError, ValueError) as error:
                reason = error.strerror if isinstance(error, OSError) else str(error)
                raise ModelError(f"{self._argv[0]}: {reason}", "is model.command right?") from None
            talk = _Talk(process, prompt.encode("utf-8", "replace"))
            try:
                is_late = not talk.ends_within(self._seconds)
            finally:
                talk.end()
        return self._said(talk, is_late=is_late)

    def _said(self, talk: _Talk, *, is_late: bool) -> str:
        name = os.path.basename(self._argv[0])
        if talk.is_over:
            raise ModelError(f"{name} said more than {MAX_ANSWER >> 20} MB, and was ended")
        if is_late:
            late = f"{name} gave no answer within {self._seconds:g} s"
            raise ModelError(late, "model.deadline is the longest it may take")
        status = talk.process.returncode
        if status:
            how = f"was killed by signal {-status}" if status < 0 else f"ended with status {status}"
            lines = talk.err.decode("utf-8", "replace").strip().splitlines()
            raise ModelError(f"{name} {how}{': ' + lines[-1][:200] if lines else ''}")
        try:
            return talk.out.decode("utf-8-sig")
        except UnicodeDecodeError:
            raise ModelError(f"{name} answered in something else than UTF-8") from None


class _Talk:
    """What is said to a process and by it, each pipe in a thread of its own."""

    def __init__(self, process: subprocess.Popen[bytes], prompt: bytes) -> None:
        self.process = process
        self.out, self.err = bytearray(), bytearray()
        self.is_over = False
        self._stop = Event()
        assert process.stdin
        assert process.stdout
        assert process.stderr
        self._threads = [
            Thread(target=self._tell, args=(process.stdin, prompt), daemon=True),
            Thread(target=self._listen, args=(process.stdout, self.out, MAX_ANSWER), daemon=True),
            Thread(target=self._listen, args=(process.stderr, self.err, MAX_SAID), daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    def _tell(self, pipe: IO[bytes], prompt: bytes) -> None:
        try:
            with pipe:
                pipe.write(prompt)
        except OSError:  # it wants no more, or is gone
            pass

    def _listen(self, pipe: IO[bytes], into: bytearray, limit: int) -> None:
        """Read to the end; of an answer that is too long nothing more, of the rest what has room."""
        with pipe:
            while chunk := os.read(pipe.fileno(), CHUNK):
                into += chunk[: limit - len(into)]
                if into is self.out and len(into) >= limit:
                    self.is_over = True
                    self._stop.set()
                    return

    def ends_within(self, seconds: float) -> bool:
        """Say whether the process ends in time; one that says too much counts as ended."""
        deadline = time.monotonic() + seconds
        while not self._has_ended():
            if self._stop.wait(0.01):
                return True
            if time.monotonic() > deadline:
                return False
        return True

    def _has_ended(self) -> bool:
        """Say whether the process ended; ``end`` collects it, so that until then its group's number is its own."""
        if hasattr(os, "waitid"):
            return os.waitid(os.P_PID, self.process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
        return self.process.poll() is not None

    def end(self) -> None:
        """End the process with all its group, and take what is still in the pipes."""
        if hasattr(os, "killpg"):
            has_said_all = self._has_ended() and not self.is_over
            if has_said_all:
                self._threads[1].join(0.05)  # the last words of a program without children
            try:
                os.killpg(self.process.pid, SIGKILL)
            except OSError:  # nobody is left
                pass
        else:
            self.process.kill()
        self.process.wait()
        deadline = time.monotonic() + LINGER
        for thread in self._threads:
            thread.join(max(0.0, deadline - time.monotonic()))
