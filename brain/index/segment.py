"""A segment: memories of one tree, parsed, sorted and inverted, in one file that is read without being loaded.

Layout (native byte order; the file never leaves the machine)::

    magic | header length | header checksum | header (JSON) | columns | key hashes | block ends | record ends |
    blocks | records | vocabulary

* Memories are numbered in the order of their standing merit: confidence, then newest, then id. So the best of any
  list of numbers are its first.
* A *posting* is the ascending list of the memories that have a key: a folder, a tag, a word, a ref. Keys carry
  their kind as a prefix (``tag:payment``); they are found by bisecting their CRC and comparing the key itself.
* A *record* is the memory's path and text. Only those that are chosen get parsed again.

The reader maps the file; a hook over 10,000 memories touches a few dozen of its pages. A checksum stands over the
header, one over all that says where things are, one over each posting, each record and the vocabulary: a damaged file
is found out where it is read, and removed, so that the next reader makes it anew.
"""

from __future__ import annotations

import mmap
import os
import zlib
from bisect import bisect_left
from sys import byteorder

from brain.errors import BrainError
from brain.files import remove_file
from brain.json_text import parse_json
from brain.layout import find_place
from brain.memory import Memory, parse_memory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any, Literal

MAGIC = b"BRAINSG1"
FORMAT = 7
"""Raise with every change of layout or of how terms are made; older files are rebuilt."""
COLUMNS: dict[str, Literal["I", "H", "d"]] = {
    "place": "I", "workflows": "H", "confidence": "d", "created": "I", "length": "H",
}  # fmt: skip
HAS_HITS = 100_000_000
"""Added in the ``created`` column to the date (YYYYMMDD as a number) where a memory has hits: it never gets old."""

TIMES_BITS = 4
MAX_TIMES = (1 << TIMES_BITS) - 1
"""A word's posting holds ``number << TIMES_BITS | times``: how often the memory has it, up to MAX_TIMES."""


class SegmentError(BrainError):
    """The file is not a whole segment of this format."""


class Segment:
    """A segment open for reading.

    ``header`` has what writers put there, ``docs`` is the number of memories, ``checksum`` the header's.
    """

    def __init__(self, data: memoryview, name: str) -> None:
        self.name = name
        try:
            self._open(data)
        except (ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
            raise SegmentError(f"{name}: damaged: {error}") from error

    def _open(self, data: memoryview) -> None:
        size, self.checksum = data[8:16].cast("I")
        head = data[16 : 16 + size]
        if data[:8] != MAGIC or zlib.crc32(head) != self.checksum:
            raise ValueError("the header is not whole")
        self.header = parse_json(str(head, "utf-8"))
        sections = {name: data[start:end] for name, (start, end) in self.header["sections"].items()}
        if self.header["format"] != FORMAT or len(data) != self.header["size"]:
            raise ValueError("another format, or cut short")
        if zlib.crc32(data[16 + size : self.header["sections"]["blocks"][0]]) != self.header["checksum"]:
            raise ValueError("the columns are not whole")
        self.docs: int = self.header["docs"]
        self.columns: dict[str, Any] = {name: sections[name].cast(kind) for name, kind in COLUMNS.items()}
        self._hashes, self._blocks = sections["hashes"].cast("I"), sections["blocks"]
        self._block_ends = sections["block_ends"].cast("Q")
        self._records, self._record_ends = sections["records"], sections["record_ends"].cast("Q")
        self._vocabulary = sections["vocabulary"]

    def postings(self, key: str) -> Sequence[int]:
        """Return the ascending numbers of the memories that have ``key``."""
        raw = key.encode("utf-8", "surrogatepass")
        checksum = zlib.crc32(raw)
        at = bisect_left(self._hashes, checksum)
        while at < len(self._hashes) and self._hashes[at] == checksum:
            start = self._block_ends[at - 1] if at else 0
            block = self._blocks[start : self._block_ends[at]]
            whole, size = block[:8].cast("I")
            if zlib.crc32(block[4:]) != whole:
                raise self.damaged(f"the posting of {key!r}")
            if size == len(raw) and block[8 : 8 + size] == raw:
                return block[8 + padded(size) :].cast("I")
            at += 1
        return ()

    def words_with(self, piece: str, *, anywhere: bool = False) -> Iterator[str]:
        """Yield the terms that begin with ``piece``, or hold it ``anywhere``; some may come twice."""
        vocabulary = bytes(self._vocabulary)
        if zlib.crc32(vocabulary) != self.header["vocabulary_checksum"]:
            raise self.damaged("the vocabulary")
        wanted = encode(piece) if anywhere else b"\n" + encode(piece)
        at = vocabulary.find(wanted)
        while at >= 0:
            start = vocabulary.rfind(b"\n", 0, at + 1) + 1
            end = vocabulary.find(b"\n", max(start, at + 1))
            yield vocabulary[start:end].decode()
            at = vocabulary.find(wanted, end)

    def record(self, number: int) -> tuple[str, str]:
        """Return path and text of a memory."""
        start = self._record_ends[number - 1] if number else 0
        row = bytes(self._records[start : self._record_ends[number]])
        path, _, text = row[4:].partition(b"\0")
        if zlib.crc32(row[4:]) != int.from_bytes(row[:4], byteorder):
            raise self.damaged(f"record {number}")
        return os.fsdecode(path), text.decode("utf-8", "surrogatepass")

    def memory(self, number: int) -> Memory:
        """Return a memory, parsed.

        Raises:
            SegmentError: The record is damaged.
        """
        path, text = self.record(number)
        place = find_place(path)
        if place is None:
            raise self.damaged(f"record {number}")
        return parse_memory(text, place)

    def damaged(self, what: str) -> SegmentError:
        """Remove the file, so that it is made anew, and return the error that says why."""
        if os.path.isabs(self.name):  # else it was never a file
            remove_file(self.name)
        return SegmentError(f"{self.name}: damaged: {what}", "it is removed and will be made anew: try again")


def open_segment(path: str) -> Segment:
    """Map a segment file.

    Raises:
        OSError: It cannot be read.
        SegmentError: It is no whole segment of this format.
    """
    with open(path, "rb") as file:
        if os.fstat(file.fileno()).st_size < 24:
            raise SegmentError(f"{path}: damaged: cut short")
        return Segment(memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)), path)


def encode(text: str) -> bytes:
    """Return text as keys and records are kept."""
    return text.encode("utf-8", "surrogatepass")


def padded(size: int) -> int:
    """Return the room a key of ``size`` bytes takes in a block."""
    return -(-size // 4) * 4
