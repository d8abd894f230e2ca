"""Search memories by words in any language: what a person types, not what a ticket says (SPEC §4.4).

Where there is a semantic index, what is near in meaning is found too: the nearest in another language counts like the
best by words.
"""

from __future__ import annotations

from itertools import islice

from brain.index.segment import TIMES_BITS
from brain.recall.text import match_text
from brain.terms import LANGUAGES, terms, word_key
from brain.value import value
from brain.workspace import has_meaning

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from brain.index.cache import Part
    from brain.index.segment import Segment
    from brain.memory import Memory
    from brain.semantic.ask import Question
    from brain.settings import Config
    from brain.workspace import Brain

BEGINNING = 0.5
"""What a word counts that only begins as the one asked for does."""
MOST_BEGINNINGS = 60
"""Words of the store that one asked-for word may stand for."""
LEAST_LETTERS = 2
PATIENCE = 10.0
"""Seconds that a person who searches waits for the meaning of a text."""
LEAST_BEST = 2.0
"""What the nearest in meaning counts at least, where no words match well."""
FLOOR = 0.22
"""A cosine from which a person may judge for themselves; a recall is stricter."""
OWN_LANGUAGE = 0.5
"""What nearness counts in the language of the words, which have spoken already."""


@value
class Found:
    """A memory that was found; a higher ``score`` is a better match."""

    memory: Memory
    score: float


@value
class Searched:
    """What a search found, best first; ``remark`` says why meaning had no part in it, where it should have."""

    found: list[Found]
    remark: str = ""


def search(brain: Brain, text: str, limit: int = 10) -> list[Found]:
    """Return the memories that match ``text`` best, drafts among them, best first; words may be beginnings."""
    return search_all(brain, text, limit).found


def search_all(brain: Brain, text: str, limit: int = 10, patience: float = PATIENCE) -> Searched:
    """Return what ``search`` finds, and whether something was missing in the search.

    ``patience`` is how many seconds the meaning of the text may take; a service has less than a person.
    """
    question = _ask_meaning(brain, text, patience)
    drafts = brain.drafts.segment if brain.drafts else None
    parts = brain.parts
    segments = [part.segment for part in parts]
    said = _widen(terms(text), parts)
    scores = [
        {number: match.worth for number, match in found.items()} for found in match_text(said, brain.tree.parts, drafts)
    ]
    remark = _add_meaning(question, scores, parts, len(brain.tree.parts)) if question else ""
    rows = [
        (worth, segment, number)
        for segment, found in zip(segments, scores, strict=True)
        for number, worth in found.items()
    ]
    rows.sort(key=lambda row: -row[0])
    best = [Found(segment.memory(number), round(worth, 4)) for worth, segment, number in rows[: limit + len(segments)]]
    best.sort(key=lambda found: (-found.score, found.memory.id, found.memory.status))
    return Searched(best[:limit], remark)


def patience_of(config: Config) -> float:
    """Return the seconds that a service waits for the meaning of a text."""
    return float(config["semantic.deadline"]) / 1000


def _ask_meaning(brain: Brain, text: str, patience: float) -> Question | None:
    if not has_meaning(brain):
        return None
    from brain.semantic.ask import Question  # loaded in the semantic phase alone
    from brain.semantic.embedder import query_text

    asked = query_text("", text)
    return Question(brain, asked, patience) if asked else None


def _add_meaning(question: Question, scores: list[dict[int, float]], parts: Sequence[Part], approved: int) -> str:
    """Add to scores by words (memory number → score, one a part) what is near in meaning; return why not, or "".

    Parts from the number ``approved`` on are drafts.
    """
    from brain.recall.meaning import match_meaning

    meaning = question.answer()
    best = max([LEAST_BEST, *(score for found in scores for score in found.values())])
    sources: list[tuple[Segment, frozenset[int], bool]] = [
        (part.segment, part.dead, index >= approved) for index, part in enumerate(parts)
    ]
    for found, near in zip(scores, match_meaning(meaning, sources, own=OWN_LANGUAGE, floor=FLOOR), strict=True):
        for number, sign in near.signs.items():
            if number in found or number in near.clear:
                found[number] = found.get(number, 0.0) + best * sign
    return meaning.remark


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
