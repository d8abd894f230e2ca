"""What the programs that people run share: UTF-8 on both streams, and how an end is said (SPEC §13)."""

from __future__ import annotations

import os
import sys

from brain.errors import BrainError

BUG = 70
"""The exit status of a mistake of ours."""


def use_utf8() -> None:
    """Print UTF-8 whatever the locale says; what it cannot hold is escaped."""
    from io import TextIOWrapper

    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def say_error(program: str, error: BrainError) -> int:
    """Say what was wrong and the hint, and return the exit status."""
    print(f"{program}: {error}", file=sys.stderr)
    if error.hint:
        print(f"hint: {error.hint}", file=sys.stderr)
    return error.exit_code


def say_os_error(program: str, error: OSError) -> int:
    """Say what the system refused: a folder that is gone, a full disk; nothing of ours to mend."""
    print(f"{program}: {error.filename or 'input or output'}: {error.strerror or error}", file=sys.stderr)
    try:
        if sys.stdout:
            sys.stdout.flush()
    except OSError:  # nor could it be at the very end, where Python would say so once more
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return BrainError.exit_code


def say_bug(program: str) -> int:
    """Say that the exception at hand is a mistake of ours."""
    import traceback

    traceback.print_exc()
    print(f"{program}: this is a bug; please report the lines above", file=sys.stderr)
    return BUG
