"""Cline's memory bank: six files, of which three say what lasts, and two mostly what is so at the moment.

Of ``activeContext.md`` and ``progress.md`` only decisions, patterns and learnings are taken; the rest is out of date
the next day.
"""

from __future__ import annotations

import re

from brain.sources.notes import ARCHITECTURE, DOMAIN, cut, heading_of, lasting, read_note, statement, titled
from brain.sources.piece import MADE, Left, Piece, Reading

FILES = {
    "projectbrief": DOMAIN, "productcontext": DOMAIN, "systempatterns": ARCHITECTURE, "techcontext": ARCHITECTURE,
    "activecontext": None, "progress": None, "decisionlog": ("decision", ""),
}  # fmt: skip
"""What each file holds, by its name without case: type and part; None where it is of the moment."""
MOMENT = "of the moment"


def is_memory(name: str) -> bool:
    """Say whether a file has one of the names."""
    return kind_of(name) in FILES


def kind_of(name: str) -> str:
    """Return a file's name as the six are compared: no case, no hyphens, no ending."""
    return re.sub(r"[-_ ]", "", name.rpartition("/")[2].rpartition(".")[0]).lower()


def read(path: str, text: str) -> Reading:
    """Return the pieces of one file of a memory bank."""
    name = kind_of(path)
    note = read_note(text)
    whole = heading_of(note)
    pieces, left = [], []
    for part in cut(note.body):
        what = lasting(part.trail) or FILES.get(name, ARCHITECTURE)
        if what is None or part.why_left:
            left.append(Left(path, part.anchor, part.why_left if what else MOMENT))
            continue
        pieces.append(
            Piece(
                what[0], titled(name, part.title) if part.title else whole or name,
                statement(part.title or whole, part.text), source=path, anchor=part.anchor,
                reason=f"memory bank, {name}", part=what[1], confidence=MADE,
            )
        )  # fmt: skip
    return Reading(tuple(pieces), tuple(left))
