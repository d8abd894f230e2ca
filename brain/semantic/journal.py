"""Vectors made so far by a build that has not ended: lines of bytes that a kill at any point cannot spoil.

``checksum | digest | scale | numbers``, one after the other. What is torn at the end is not read.
"""

from __future__ import annotations

import zlib
from array import array
from contextlib import contextmanager

from brain.files import read_bytes, remove_file
from brain.semantic.vectors import Code
from brain.semantic.write import DIGEST_BYTES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

HEAD = 4 + DIGEST_BYTES + 4


class Journal:
    """The journal of one build; ``codes`` are digest → vector, those found at its start too."""

    def __init__(self, path: str, dim: int) -> None:
        self.path, self.codes = path, dict[bytes, Code]()
        content, size = read_bytes(path), HEAD + dim
        whole = 0
        while whole + size <= len(content) and self._take(content[whole : whole + size]):
            whole += size
        self._file = open(path, "ab")  # noqa: SIM115 - it is open for as long as the build goes on
        self._file.truncate(whole)

    def _take(self, row: bytes) -> bool:
        if zlib.crc32(row[4:]) != int.from_bytes(row[:4], "little"):
            return False
        (scale,) = array("f", row[4 + DIGEST_BYTES : HEAD])
        self.codes[row[4 : 4 + DIGEST_BYTES]] = Code(scale, row[HEAD:])
        return True

    def add(self, digest: bytes, code: Code) -> None:
        """Keep a vector."""
        row = digest + array("f", [code.scale]).tobytes() + code.numbers
        with self._named():
            self._file.write(zlib.crc32(row).to_bytes(4, "little") + row)
        self.codes[digest] = code

    def flush(self) -> None:
        """Hand what was added to the system: a kill of this process does not lose it."""
        with self._named():
            self._file.flush()

    def close(self, *, remove: bool) -> None:
        """End it; ``remove`` where its vectors are safe elsewhere."""
        with self._named():
            self._file.close()
        if remove:
            remove_file(self.path)

    @contextmanager
    def _named(self) -> Iterator[None]:
        """Name the file in what the system says, which of a full disk names none."""
        try:
            yield
        except OSError as error:
            error.filename = self.path
            raise
