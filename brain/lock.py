"""One command at a time: a lock that says who has it."""

from __future__ import annotations

import os
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from brain.errors import ConflictError
from brain.files import FileLock, read_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

QUIET_SECONDS = 1.0
"""How long another is waited for before that is said."""
MOST_HOLDER = 60
"""Bytes of a lock file that are read as the name of who has it."""


@contextmanager
def alone(path: str, command: str, seconds: float = 0.0, say: Callable[[str], None] | None = None) -> Iterator[None]:
    """Let one command at a time work on what the lock file ``path`` stands for.

    The system takes the lock back from one that was killed.

    Args:
        path: The file, whose folder is made.
        command: What others are told is at work, ``brain sync``.
        seconds: How long another is waited for.
        say: Is told once whom it waits for, where that takes a while.

    Raises:
        ConflictError: Another still has it; the error names it.
    """
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with ExitStack() as held:
        mine = held.enter_context(FileLock(path, min(seconds, QUIET_SECONDS)))
        if not mine and seconds > QUIET_SECONDS:
            if say:
                say(f"waiting for {_holder(path)}")
            mine = held.enter_context(FileLock(path, seconds - QUIET_SECONDS))
        if not mine:
            raise ConflictError(f"{_holder(path)} is at work on this memory repo", "wait for it to end")
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"{command} (process {os.getpid()})")
        yield


def _holder(path: str) -> str:
    return read_bytes(path)[:MOST_HOLDER].decode("utf-8", "replace") or "another command"
