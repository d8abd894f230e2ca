"""A piece: one thing worth a draft, found in one document."""

from __future__ import annotations

from brain.layout import GLOBAL
from brain.value import value

READ = 0.5
"""Confidence of what stands in a document that people wrote, and that a reader understood by its form."""
MADE = 0.4
"""Confidence of what was put into other words by a program."""


@value
class Piece:
    """One thing worth a draft.

    ``type`` is one of ``brain.layout.TYPES``; ``text`` the body within lint's limits, with an apply line where the
    document gives one; ``area`` the function's folder or ``_global``; ``source`` the document's path from its repo's
    top; ``anchor`` a key inside the document that stays while the text around it changes (a heading's path, a term);
    ``created`` an ISO date, "" where the document has none; ``reason`` why the reader took it. ``part`` is a fact's
    ``architecture`` or ``domain``, a lesson's role; "" is guessed.
    """

    type: str
    title: str
    text: str
    area: str = GLOBAL
    tags: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    source: str = ""
    anchor: str = ""
    created: str = ""
    refs: tuple[str, ...] = ()
    reason: str = ""
    part: str = ""
    confidence: float = READ


@value
class Left:
    """A part of a document that a reader knew and did not take: its anchor, and why."""

    source: str
    anchor: str
    reason: str


@value
class Reading:
    """What a reader made of a document; nothing of both where the document is not its kind."""

    pieces: tuple[Piece, ...] = ()
    left: tuple[Left, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.pieces or self.left)
