"""A segment: memories of one tree, parsed, sorted and inverted, in one file that is read without being loaded.

Layout (native byte order; the file never leaves the machine)::

    magic | header length | header checksum | header (JSON) | columns | key hashes | block ends | blocks | records

* Memories are numbered in the order of their standing merit: confidence, then newest, then id. So the best of any
  list of numbers are its first.
* A *posting* is the ascending list of the memories that have a key: a folder, a tag, a word, a ref. Keys carry
  their kind as a prefix (``tag:payment``); they are found by bisecting their CRC and comparing the key itself.
* A *record* is the memory's path and text. Only those that are chosen get parsed again.

The reader maps the file; a hook over 10,000 memories touches a few dozen of its pages.
"""

from __future__ import annotations

import mmap
import os
import zlib
from bisect import bisect_left
from itertools import accumulate
from sys import byteorder

from brain.errors import BrainError
from brain.json_text import parse_json, render_json
from brain.layout import find_place
from brain.memory import Memory, parse_memory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from array import array
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any, Literal

MAGIC = b"BRAINSG1"
FORMAT = 1
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
    """A segment open for reading. ``header`` has what writers put there, ``docs`` the number of memories."""

    def __init__(self, data: memoryview, name: str) -> None:
        self.name = name
        try:
            self._open(data)
        except (ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
            raise SegmentError(f"{name}: damaged: {error}") from error

    def _open(self, data: memoryview) -> None:
        size, checksum = data[8:16].cast("I")
        head = data[16 : 16 + size]
        if data[:8] != MAGIC or zlib.crc32(head) != checksum:
            raise ValueError("the header is not whole")
        self.header = parse_json(str(head, "utf-8"))
        sections = {name: data[start:end] for name, (start, end) in self.header["sections"].items()}
        if self.header["format"] != FORMAT or len(data) != self.header["size"]:
            raise ValueError("another format, or cut short")
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
            keyed = 4 + _padded(len(raw))
            if block[:4].cast("I")[0] == len(raw) and block[4 : 4 + len(raw)] == raw:
                return block[keyed:].cast("I")
            at += 1
        return ()

    def words_with(self, piece: str, *, anywhere: bool = False) -> Iterator[str]:
        """Yield the terms that begin with ``piece``, or hold it ``anywhere``; some may come twice."""
        vocabulary = bytes(self._vocabulary)
        wanted = _encode(piece) if anywhere else b"\n" + _encode(piece)
        at = vocabulary.find(wanted)
        while at >= 0:
            start = vocabulary.rfind(b"\n", 0, at + 1) + 1
            end = vocabulary.find(b"\n", max(start, at + 1))
            yield vocabulary[start:end].decode()
            at = vocabulary.find(wanted, end)

    def record(self, number: int) -> tuple[str, str]:
        """Return path and text of a memory."""
        start = self._record_ends[number - 1] if number else 0
        path, _, text = bytes(self._records[start : self._record_ends[number]]).partition(b"\0")
        return os.fsdecode(path), text.decode("utf-8", "surrogatepass")

    def memory(self, number: int) -> Memory:
        """Return a memory, parsed.

        Raises:
            SegmentError: The record is damaged.
        """
        path, text = self.record(number)
        place = find_place(path)
        if place is None:
            raise SegmentError(f"{self.name}: damaged: record {number} has the path {path!r}")
        return parse_memory(text, place)


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


def write_segment(
    header: Mapping[str, object],
    columns: Mapping[str, array[int] | array[float]],
    postings: Mapping[str, Sequence[int]],
    records: Iterable[tuple[str, str]],
    vocabulary: Iterable[str] = (),
) -> bytes:
    """Return the bytes of a segment.

    Args:
        header: What readers find in ``Segment.header``.
        columns: A number a memory, by name.
        postings: Ascending numbers by key.
        records: Path and text of each memory in order, then of retrospects.
        vocabulary: The terms that postings of words are kept under.
    """
    encoded = ((_encode(key), numbers) for key, numbers in postings.items())
    keyed = sorted((zlib.crc32(raw), raw, numbers) for raw, numbers in encoded)
    rows = [os.fsencode(path) + b"\0" + _encode(text) for path, text in records]
    blocks = [_block(raw, numbers) for _, raw, numbers in keyed]
    sections = {name: columns[name].tobytes() for name in COLUMNS}
    sections["hashes"] = _pack("I", [checksum for checksum, _, _ in keyed])
    sections["blocks"], sections["block_ends"] = b"".join(blocks), _ends(blocks)
    sections["records"], sections["record_ends"] = b"".join(rows), _ends(rows)
    sections["vocabulary"] = _encode("\n".join(["", *vocabulary, ""]))
    return _assemble({**header, "format": FORMAT, "docs": len(rows)}, sections)


def _encode(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _pack(kind: str, numbers: Iterable[int]) -> bytes:
    from array import array  # imports collections.abc: not for readers

    return array(kind, numbers).tobytes()


def _padded(size: int) -> int:
    return -(-size // 4) * 4


def _block(key: bytes, numbers: Sequence[int]) -> bytes:
    return len(key).to_bytes(4, byteorder) + key + bytes(_padded(len(key)) - len(key)) + _pack("I", numbers)


def _ends(pieces: list[bytes]) -> bytes:
    return _pack("Q", accumulate(map(len, pieces)))


def _assemble(header: dict[str, object], sections: dict[str, bytes]) -> bytes:
    """Lay out the sections after a header that says where each begins and ends, and how long the file is."""
    where = {name: [0, 0] for name in sections}
    width = len(render_json({**header, "sections": where, "size": 0})) + 32 * len(sections)
    start = at = 16 + width - width % 8
    for name, data in sections.items():
        where[name] = [at, at + len(data)]
        at += -(-len(data) // 8) * 8
    head = render_json({**header, "sections": where, "size": at}).encode()
    head += b" " * (start - 16 - len(head))
    padded = [data + bytes(-len(data) % 8) for data in sections.values()]
    return b"".join([MAGIC, _pack("I", [len(head), zlib.crc32(head)]), head, *padded])
