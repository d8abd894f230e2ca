"""Search memories by words in any language: what a person types, not what a ticket says (SPEC §4.4)."""

from __future__ import annotations

from itertools import islice

from brain.index.cache import Part
from brain.index.segment import TIMES_BITS
from brain.recall.text import match_text
from brain.terms import LANGUAGES, terms, word_key
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

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
    parts = [*brain.tree.parts, *([Part(drafts)] if drafts else [])]
    segments = [part.segment for part in parts]
    said = _widen(terms(text), parts)
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


def _widen(asked: Iterable[str], parts: list[Part]) -> dict[str, float]:
    """Return term → weight of what is asked for and of what begins like it, the shortest first."""
    said = dict.fromkeys(asked, 1.0)
    for term in list(said):
        dense = not term.isascii() and len(term) == 1
        if len(term) < LEAST_LETTERS and not dense:
            continue
        longer = {word for part in parts for word in part.segment.words_with(term, anywhere=dense)} - said.keys()
        alive = (word for word in sorted(longer, key=lambda word: (len(word), word)) if _is_alive(word, parts))
        said.update(dict.fromkeys(islice(alive, MOST_BEGINNINGS), 1.0 if dense else BEGINNING))
    return said


def _is_alive(word: str, parts: list[Part]) -> bool:
    """Say whether a memory that counts has the word: a segment's vocabulary tells of the dead too."""
    return any(
        entry >> TIMES_BITS not in part.dead
        for part in parts for spoken in LANGUAGES for entry in part.segment.postings(word_key(spoken, word))
    )  # fmt: skip
