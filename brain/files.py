"""Files that are never half written: made beside, flushed, renamed."""

from __future__ import annotations

import os
import stat
import time
from itertools import count

from brain.json_text import parse_json

MAX_JSON_BYTES = 32 << 20

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_numbers = count()  # threads of one process write beside each other


def write_file(path: str, content: bytes | str, *, durable: bool = False) -> None:
    """Put ``content`` at ``path``, whole or not at all; make its folder. ``durable`` waits for the disk.

    Raises:
        OSError: It could not be written; what stood there before still does.
    """
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    beside = f"{path}.{os.getpid()}-{next(_numbers)}.tmp"
    try:
        with open(beside, "wb") as file:
            _copy_mode(path, beside)
            file.write(content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content)
            if durable:
                file.flush()
                os.fsync(file.fileno())
        os.replace(beside, path)
    except BaseException as error:
        remove_file(beside)
        if isinstance(error, OSError) and not error.filename:  # of a full disk the system names no file
            error.filename = path
        raise


def _copy_mode(path: str, beside: str) -> None:
    """Give a new file, while it is still empty, the permissions of the one it is to replace."""
    try:
        os.chmod(beside, os.stat(path).st_mode & 0o7777)
    except OSError:  # there is none, or a file system without permissions
        pass


def create_file(path: str, content: bytes | str) -> None:
    """Put ``content`` at ``path``, whole, where nothing is; make its folder.

    Raises:
        FileExistsError: Something is there, even if it came this very moment.
        OSError: It could not be written.
    """
    if os.path.lexists(path):
        raise FileExistsError(17, "something is there already", path)
    beside = f"{path}.{os.getpid()}-{next(_numbers)}.new"
    write_file(beside, content)
    try:
        os.link(beside, path)
    except FileExistsError:
        raise
    except OSError:  # a file system without hard links: the gap between look and rename is all that is lost
        os.rename(beside, path)
    finally:
        remove_file(beside)


def read_bytes(path: str) -> bytes:
    """Return what a file holds; nothing where it cannot be read."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return b""


def remove_file(path: str) -> None:
    """Remove a file if it is there."""
    try:
        os.unlink(path)
    except OSError:
        pass


def read_json(path: str) -> Any:
    """Return what a JSON file holds, or None if it is missing, not a regular file, too large, or no JSON."""
    try:  # not waiting for the other end of a pipe
        with open(os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)), encoding="utf-8") as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode) or status.st_size > MAX_JSON_BYTES:
                return None
            return parse_json(file.read().removeprefix("\ufeff"))
    except (OSError, ValueError, RecursionError):
        return None


class FileLock:
    """A lock that is held while a block runs: ``with FileLock(path) as mine``, which says whether nobody else has it.

    One who has it is waited for so many ``seconds``; the system takes it back from one that dies.

    Raises:
        OSError: The file cannot be made, as the block is entered.
    """

    def __init__(self, path: str, seconds: float = 0.0) -> None:
        self._path, self._seconds = path, seconds

    def __enter__(self) -> bool:
        self._descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        deadline = time.monotonic() + self._seconds
        while not (mine := try_lock(self._descriptor)) and time.monotonic() < deadline:
            time.sleep(0.05)
        return mine

    def __exit__(self, *_: object) -> None:
        os.close(self._descriptor)


def try_lock(descriptor: int) -> bool:
    """Take an open file's lock if nobody has it, and say whether that was so; the system takes it from the dead."""
    try:
        take_lock(descriptor, wait=False)
    except OSError:
        return False
    return True


def take_lock(descriptor: int, *, wait: bool = True) -> None:
    """Take an open file's lock, as soon as nobody has it.

    Raises:
        OSError: It cannot be taken; or somebody has it, and not ``wait``.
    """
    try:
        import fcntl
    except ImportError:  # Windows
        import msvcrt

        how = msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK  # type: ignore[attr-defined,unused-ignore]
        msvcrt.locking(descriptor, how, 1)  # type: ignore[attr-defined,unused-ignore]
    else:
        fcntl.flock(descriptor, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
