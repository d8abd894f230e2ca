"""All readers of documents, asked in their order."""

from __future__ import annotations

from brain.sources import changelog, glossary, lessons, records
from brain.sources.piece import Reading

READERS = (records.read, changelog.read, glossary.read, lessons.read)


def read_document(path: str, text: str) -> Reading:
    """Return what the readers find in a document; a glossary and lessons may stand in one.

    Args:
        path: From its repo's top, ``/`` between parts.
        text: As ``brain.sources.text.decode`` gives it.
    """
    found = [reader(path, text) for reader in READERS]
    known: dict[str, None] = {}
    pieces = []
    for reading in found:
        for piece in reading.pieces:
            if piece.anchor not in known:
                known[piece.anchor] = None
                pieces.append(piece)
    return Reading(tuple(pieces), tuple(left for reading in found for left in reading.left))
