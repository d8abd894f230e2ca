"""An append-only file of JSON lines that several processes write and read, each line whole on disk or not there.

A line begins with its checksum, so that one which a crash or a full disk cut short is passed over. Writers take turns
by a lock on a file beside it, which the system gives back when its holder dies.
"""

from __future__ import annotations

import os
import zlib
from contextlib import contextmanager
from threading import RLock

from brain.files import take_lock, write_file
from brain.json_text import parse_json, render_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any


class Journal:
    """One such file, read on from where this process stopped."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._turn = RLock()
        self._held = 0
        self._file: tuple[int, int] = (0, 0)
        self._read = 0

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the file alone, against threads and processes.

        Raises:
            OSError: Its folder takes no lock.
        """
        with self._turn:
            if self._held:
                yield
                return
            os.makedirs(os.path.dirname(self.path), exist_ok=True)
            descriptor = os.open(f"{self.path}.lock", os.O_RDWR | os.O_CREAT, 0o600)
            try:
                take_lock(descriptor)
                self._held += 1
                yield
            finally:
                self._held = 0
                os.close(descriptor)

    def read_on(self) -> tuple[bool, list[dict[str, Any]]]:
        """Return the rows since the last call, and whether they are all there are: the file was begun anew."""
        with self._turn:
            try:
                with open(self.path, "rb") as file:
                    status = os.fstat(file.fileno())
                    anew = (status.st_dev, status.st_ino) != self._file or status.st_size < self._read
                    if anew:
                        self._file, self._read = (status.st_dev, status.st_ino), 0
                    file.seek(self._read)
                    whole = file.read()
            except FileNotFoundError:
                anew = self._file != (0, 0)
                self._file, self._read = (0, 0), 0
                return anew, []
            whole = whole[: whole.rfind(b"\n") + 1]
            self._read += len(whole)
        return anew, [row for row in map(_parse, whole.splitlines()) if row is not None]

    def append(self, rows: Iterable[dict[str, Any]]) -> None:
        """Add rows at the end, on disk when this returns; all or none.

        Raises:
            OSError: The disk did not take them; the file is as it was.
        """
        content = b"".join(map(_render, rows))
        with self.locked():
            new = not os.path.exists(self.path)
            descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600)
            try:
                size = os.lseek(descriptor, 0, os.SEEK_END)
                if size and os.pread(descriptor, 1, size - 1) != b"\n":  # what a crash left: it is no line
                    content = b"\n" + content
                try:
                    _write_all(descriptor, content)
                    os.fsync(descriptor)
                except OSError:
                    os.ftruncate(descriptor, size)
                    raise
            finally:
                os.close(descriptor)
            if new:
                _sync_folder(os.path.dirname(self.path))

    def rewrite(self, rows: Iterable[dict[str, Any]]) -> None:
        """Begin the file anew with these rows; readers are told so.

        Raises:
            OSError: The disk did not take them; the file is as it was.
        """
        with self.locked():
            write_file(self.path, b"".join(map(_render, rows)), durable=True)
            _sync_folder(os.path.dirname(self.path))

    def size(self) -> int:
        """Return the file's bytes; 0 where there is none."""
        try:
            return os.stat(self.path).st_size
        except OSError:
            return 0


def _write_all(descriptor: int, content: bytes) -> None:
    view = memoryview(content)
    while view:
        view = view[os.write(descriptor, view) :]


def _sync_folder(folder: str) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _render(row: dict[str, Any]) -> bytes:
    text = render_json(row).encode()
    return b"%08x %s\n" % (zlib.crc32(text), text)


def _parse(line: bytes) -> dict[str, Any] | None:
    checksum, _, text = line.partition(b" ")
    try:
        if int(checksum, 16) != zlib.crc32(text):
            return None
        found = parse_json(text.decode())
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None
