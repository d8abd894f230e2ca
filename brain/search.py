"""Search memories by words in any language: what a person types, not what a ticket says (SPEC §4.4)."""

from __future__ import annotations

from itertools import islice

from brain.recall.text import match_text
from brain.terms import terms
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from brain.index.segment import Segment
    from brain.memory import Memory
    from brain.workspace import Brain

BEGINNING = 0.5
"""What a word counts that only begins as the one asked for does."""
MOST_BEGINNINGS = 60
"""Words of the store that one asked-for word may stand for."""
LEAST_LETTERS = 2


@value
class Found:
    """A memory that was found; a higher ``score`` is a better match."""

    memory: Memory
    score: float


def search(brain: Brain, text: str, limit: int = 10) -> list[Found]:
    """Return the memories that match ``text`` best, drafts among them, best first; words may be beginnings."""
    drafts = brain.drafts.segment if brain.drafts else None
    segments = [part.segment for part in brain.tree.parts] + ([drafts] if drafts else [])
    said = _widen(terms(text), segments)
    matches = match_text(said, brain.tree.parts, drafts)
    rows = [
        (match.worth, segment, number)
        for segment, found in zip(segments, matches, strict=True)
        for number, match in found.items()
    ]
    rows.sort(key=lambda row: -row[0])
    best = [Found(segment.memory(number), round(worth, 4)) for worth, segment, number in rows[: limit + len(segments)]]
    best.sort(key=lambda found: (-found.score, found.memory.id, found.memory.status))
    return best[:limit]


def _widen(asked: Iterable[str], segments: list[Segment]) -> dict[str, float]:
    """Return term → weight of what is asked for and of what begins like it."""
    said = dict.fromkeys(asked, 1.0)
    for term in list(said):
        dense = not term.isascii() and len(term) == 1
        if len(term) < LEAST_LETTERS and not dense:
            continue
        for segment in segments:
            for longer in islice(segment.words_with(term, anywhere=dense), MOST_BEGINNINGS):
                said.setdefault(longer, 1.0 if dense else BEGINNING)
    return said
