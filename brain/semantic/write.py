"""Write a file of vectors; ``brain.semantic.vectors`` has the layout. Apart from the reader, which a hook loads."""

from __future__ import annotations

import os
import zlib
from array import array
from itertools import accumulate
from operator import mul

from brain.json_text import render_json
from brain.semantic.vectors import FORMAT, KEY_BYTES, MAGIC, ROW_HEAD, Code, padded, sign_bits
from brain.terms import LANGUAGES
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

SEED_WEIGHT = 50
"""A language's mean leans on the seed sentences as if so many memories of the store were they."""
STRENGTH = 0.9
"""How much of the mean is taken out; all of it costs paraphrases in one language some points."""
DIGEST_BYTES = ROW_HEAD - 12 - KEY_BYTES


@value
class Item:
    """A memory with its vector: path, key, digest of what was embedded, language."""

    path: str
    key: bytes
    digest: bytes
    language: int
    code: Code


@value
class Seeds:
    """Means of the seed sentences, one a language: as memories say them, and as tickets."""

    memories: tuple[Sequence[float], ...]
    tickets: tuple[Sequence[float], ...]


def write_vectors(header: Mapping[str, object], items: Sequence[Item], seeds: Seeds) -> bytes:
    """Return the bytes of a file of vectors.

    Args:
        header: What readers find in ``Vectors.header``.
        items: One a memory, in the order of their rows.
        seeds: Means to lean on where the store shows little of a language.
    """
    dim = len(seeds.memories[0])
    memories = [_blend(items, spoken, seeds) for spoken in LANGUAGES]
    tickets = [[STRENGTH * number for number in mean] for mean in seeds.tickets]
    bits, rows = [], []
    for item in items:
        floats = item.code.floats()
        centred = [a - b for a, b in zip(floats, memories[item.language], strict=True)]
        bits.append(sign_bits(centred))
        rows.append(_row(item, sum(map(mul, centred, centred)) ** 0.5))
    paths = [os.fsencode(item.path) for item in items]
    sections = {
        "means": b"".join(array("f", mean).tobytes() for mean in (*memories, *tickets)),
        "seeds": b"".join(array("f", mean).tobytes() for mean in (*seeds.memories, *seeds.tickets)),
        "languages": bytes(item.language for item in items),
        "bits": b"".join(bits),
        "path_ends": array("I", accumulate(map(len, paths))).tobytes(),
        "paths": b"".join(paths),
        "rows": b"".join(rows),
    }
    return _assemble({**header, "format": FORMAT, "dim": dim, "count": len(items)}, sections)


def quantize(vector: Sequence[float]) -> Code:
    """Return a vector in one byte a dimension."""
    scale = (max(map(abs, vector)) or 1.0) / 127
    return Code(array("f", [scale])[0], array("b", [round(number / scale) for number in vector]).tobytes())


def mean_of(vectors: Sequence[Sequence[float]]) -> list[float]:
    """Return the mean of some vectors."""
    return [sum(column) / len(vectors) for column in zip(*vectors, strict=True)]


def _blend(items: Iterable[Item], spoken: int, seeds: Seeds) -> list[float]:
    """Return what is taken out of the memories in a language: the mean of the seeds and of the store's own."""
    sums = [SEED_WEIGHT * number for number in seeds.memories[spoken]]
    count = SEED_WEIGHT
    for item in items:
        if item.language == spoken:
            sums = list(map(float.__add__, sums, item.code.floats()))
            count += 1
    return [STRENGTH * number / count for number in sums]


def _row(item: Item, norm: float) -> bytes:
    numbers = item.code.numbers + bytes(padded(len(item.code.numbers)) - len(item.code.numbers))
    row = array("f", [item.code.scale, norm]).tobytes() + item.key + item.digest + numbers
    return array("I", [zlib.crc32(row)]).tobytes() + row


def _assemble(header: dict[str, object], sections: dict[str, bytes]) -> bytes:
    """Lay out the sections after a header that says where each begins and ends, and how long the file is."""
    filled = {name: content + bytes(-len(content) % 8) for name, content in sections.items()}
    before = [content for name, content in filled.items() if name != "rows"]
    where = {name: [0, 0] for name in sections}
    header = {**header, "checksum": zlib.crc32(b"".join(before)), "sections": where, "size": 0}
    width = len(render_json(header)) + 32 * len(sections)
    start = at = 16 + width - width % 8
    for name, content in sections.items():
        where[name] = [at, at + len(content)]
        at += len(filled[name])
    head = render_json({**header, "size": at}).encode()
    head += b" " * (start - 16 - len(head))
    return b"".join([MAGIC, array("I", [len(head), zlib.crc32(head)]).tobytes(), head, *filled.values()])
