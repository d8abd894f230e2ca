"""One file that is to change: computed first, so that it can be shown, then written whole or not at all.

The new file is written beside the old one and renamed; while it lies there no second installer writes. A link is
followed, the file's mode kept, a missing folder made.
"""

from __future__ import annotations

import difflib
import os
from dataclasses import dataclass
from pathlib import Path

from brain.errors import BrainError, ConflictError

LOCK_SUFFIX = ".brain-new"


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to become of one file; None stands for no file. ``summary`` is one line for the person."""

    path: Path
    before: bytes | None
    after: bytes | None
    summary: str
    new_mode: int = 0o666

    @property
    def changed(self) -> bool:
        """Whether there is anything to do."""
        return self.before != self.after

    @property
    def diff(self) -> str:
        """The change as a unified diff, "" if there is none."""
        old, new = (_lines(content) for content in (self.before, self.after))
        name = str(self.path)
        was, becomes = (name if content is not None else "/dev/null" for content in (self.before, self.after))
        return "".join(difflib.unified_diff(old, new, was, becomes)) if self.changed else ""


def apply_plan(plan: Plan) -> Plan:
    """Carry the plan out and return it: the new file is written beside the old one and renamed.

    A link is followed, the file's mode kept, a missing folder made.

    Raises:
        ConflictError: The file is not as the plan saw it, or another installer is at work.
        BrainError: The file or its folder cannot be written.
    """
    if not plan.changed:
        return plan
    target = Path(os.path.realpath(plan.path))
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        _replace(plan, target)
    except OSError as error:
        hint = "make it writable, or choose another scope; nothing was changed"
        raise BrainError(f"{plan.path}: cannot be written: {error.strerror}", hint) from error
    return plan


def read_file(path: Path) -> bytes | None:
    """Return the file's bytes, or None where there is none.

    Raises:
        BrainError: It cannot be read.
    """
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise BrainError(f"{path}: cannot be read: {error.strerror}", "mend its place or its mode") from error


def _lines(content: bytes | None) -> list[str]:
    lines = (content or b"").decode("utf-8", "replace").splitlines(keepends=True)
    return [line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines]


def _replace(plan: Plan, target: Path) -> None:
    lock = target.with_name(target.name + LOCK_SUFFIX)
    number = _open_lock(lock, plan.new_mode)
    try:
        with open(number, "wb") as file:
            _require_unchanged(plan, target)
            if plan.before is not None:
                lock.chmod(_writable_mode(target))
            file.write(plan.after or b"")
            file.flush()
            os.fsync(file.fileno())
        if plan.after is None:
            target.unlink()
            lock.unlink()
        else:
            lock.replace(target)
    except BaseException:  # not `finally`: once renamed, that name may be the next installer's
        lock.unlink(missing_ok=True)
        raise


def _require_unchanged(plan: Plan, target: Path) -> None:
    if read_file(target) != plan.before:
        raise ConflictError(f"{plan.path}: changed since it was read", "run the command again")


def _open_lock(lock: Path, mode: int) -> int:
    try:
        return os.open(lock, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), mode)
    except FileExistsError:
        raise ConflictError(f"{lock}: another installer is at work", f"remove {lock} if none runs") from None


def _writable_mode(target: Path) -> int:
    """Return the file's mode; a read-only one is the user's word, even where a rename would pass over it."""
    mode = target.stat().st_mode & 0o7777
    if not mode & 0o200:
        raise PermissionError(13, "it is read-only")
    return mode
