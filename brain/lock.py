"""One command at a time: a lock that says who has it."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

from brain.errors import ConflictError
from brain.files import FileLock, read_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_HOLDER = 60
"""Bytes of a lock file that are read as the name of who has it."""


@contextmanager
def alone(path: str, command: str, seconds: float = 0.0) -> Iterator[None]:
    """Let one command at a time work on what the lock file ``path`` stands for.

    The system takes the lock back from one that was killed.

    Args:
        path: The file, whose folder is made.
        command: What others are told is at work, ``brain sync``.
        seconds: How long another is waited for.

    Raises:
        ConflictError: Another still has it; the error names it.
    """
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with FileLock(path, seconds) as mine:
        if not mine:
            holder = read_bytes(path)[:MOST_HOLDER].decode("utf-8", "replace") or "another command"
            raise ConflictError(f"{holder} is at work on this memory repo", "wait for it to end")
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"{command} (process {os.getpid()})")
        yield
