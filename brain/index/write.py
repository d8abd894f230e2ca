"""Write a segment; ``brain.index.segment`` has the layout. Apart from the reader, whose start it would slow."""

from __future__ import annotations

import os
import zlib
from array import array
from itertools import accumulate
from sys import byteorder

from brain.index.segment import COLUMNS, FORMAT, MAGIC, encode, padded
from brain.json_text import render_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any


def write_segment(
    header: Mapping[str, object],
    columns: Mapping[str, array[Any]],
    postings: Mapping[str, array[int]],
    records: Iterable[tuple[str, str]],
    vocabulary: Iterable[str] = (),
) -> bytes:
    """Return the bytes of a segment.

    Args:
        header: What readers find in ``Segment.header``; ``docs``, if not all records are memories.
        columns: A number a memory, by name.
        postings: Ascending numbers by key.
        records: Path and text of each memory in order, then of retrospects.
        vocabulary: The terms that postings of words are kept under.
    """
    encoded = ((encode(key), numbers) for key, numbers in postings.items())
    keyed = sorted((zlib.crc32(raw), raw, numbers.tobytes()) for raw, numbers in encoded)
    rows = [_row(os.fsencode(path) + b"\0" + encode(text)) for path, text in records]
    blocks = [_block(raw, numbers) for _, raw, numbers in keyed]
    sections = {name: columns[name].tobytes() for name in COLUMNS}
    sections["hashes"] = array("I", [checksum for checksum, _, _ in keyed]).tobytes()
    sections["block_ends"], sections["record_ends"] = _ends(blocks), _ends(rows)
    sections["blocks"], sections["records"] = b"".join(blocks), b"".join(rows)
    sections["vocabulary"] = encode("\n".join(["", *sorted(vocabulary), ""]))
    checksum = zlib.crc32(sections["vocabulary"])
    return _assemble({"docs": len(rows), **header, "format": FORMAT, "vocabulary_checksum": checksum}, sections)


def _row(content: bytes) -> bytes:
    return zlib.crc32(content).to_bytes(4, byteorder) + content


def _block(key: bytes, numbers: bytes) -> bytes:
    return _row(len(key).to_bytes(4, byteorder) + key + bytes(padded(len(key)) - len(key)) + numbers)


def _ends(pieces: list[bytes]) -> bytes:
    return array("Q", accumulate(map(len, pieces))).tobytes()


def _assemble(header: dict[str, object], sections: dict[str, bytes]) -> bytes:
    """Lay out the sections after a header that says where each begins and ends, and how long the file is."""
    where = {name: [0, 0] for name in sections}
    filled = {name: data + bytes(-len(data) % 8) for name, data in sections.items()}
    before = list(sections)[: list(sections).index("blocks")]
    header = {**header, "checksum": zlib.crc32(b"".join(filled[name] for name in before))}
    width = len(render_json({**header, "sections": where, "size": 0})) + 32 * len(sections)
    start = at = 16 + width - width % 8
    for name, data in sections.items():
        where[name] = [at, at + len(data)]
        at += len(filled[name])
    head = render_json({**header, "sections": where, "size": at}).encode()
    head += b" " * (start - 16 - len(head))
    return b"".join([MAGIC, array("I", [len(head), zlib.crc32(head)]).tobytes(), head, *filled.values()])
