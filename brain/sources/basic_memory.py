"""Basic Memory's notes: ``- [category] text #tag (context)`` is an observation, ``- relation [[Note]]`` a relation.

An observation is one fact by itself. Categories that say how things stand, who, or when are left: they age in a day.
"""

from __future__ import annotations

import re

from brain.sources.notes import (
    LEAST_WORDS,
    SHORT,
    cut,
    date_in,
    heading_of,
    lasting,
    read_note,
    statement,
    tags_in,
    titled,
)
from brain.sources.piece import MADE, READ, Left, Piece, Reading
from brain.sources.text import anchor, opening, without_code
from brain.text import count_words, fold

OBSERVATION = re.compile(r"^[ \t]*[-*][ \t]+\[([^\[\]\n(]{2,40})\][ \t]+(?!\()(\S.*)$", re.MULTILINE)
RELATION = re.compile(r"^[ \t]*[-*][ \t]+[\w \-]{0,60}\[\[[^\]\n]+\]\].*$", re.MULTILINE)
HASHTAG = re.compile(r"(?<![\w#&/])#([^\W\d][\w/-]{1,40})")
NOT_TAKEN = frozenset(
    """status owner started shipped designed implemented name role email phone timezone joined birthday date time idea
    ideas todo task next question questions open progress link url source author person mood note-to-self
    designed-by priority assignee due""".split()  # noqa: SIM905
)
"""Categories of what is so at the moment, of people, and of what nobody knows yet."""
KINDS = {
    "decision": frozenset(("decision", "decided", "choice", "tradeoff", "trade-off", "rationale")),
    "lesson": frozenset(
        """lesson gotcha problem solution issue bug fix pitfall mistake learning insight tip technique method practice
        best-practice warning caveat workaround preference rule principle""".split()  # noqa: SIM905
    ),
}
"""Types by category; every other one is a fact."""
PEOPLE = frozenset(("person", "people", "contact", "meeting", "daily", "journal", "task", "conversation"))
"""Types of notes that are about people or about one day."""


def is_note(text: str) -> bool:
    """Say whether a note is surely one: it has a permalink."""
    return bool(read_note(text).field("permalink"))


def read(path: str, text: str) -> Reading:
    """Return the pieces of a note: its observations, and its other sections."""
    note = read_note(text)
    kind = note.field("type").lower()
    if kind in PEOPLE:
        return Reading((), (Left(path, "all", f"a note of type {kind}: of people or of one day, no knowledge"),))
    title = note.field("title") or heading_of(note) or path.rpartition("/")[2].removesuffix(".md")
    tags = tags_in(note.fields.get("tags", ()))
    created = date_in(note.field("created"), note.field("created_at"), note.field("date"))
    body = without_code(note.body)
    pieces, left = [], []
    for category, words in OBSERVATION.findall(body):
        why = _why_left(category, words)
        if why:
            left.append(Left(path, _anchor(category, words), why))
        else:
            pieces.append(_observation(path, title, tags, created, category, words))
    for part in cut(RELATION.sub("", OBSERVATION.sub("", note.body))):
        if part.why_left:
            left.append(Left(path, part.anchor, part.why_left))
        else:
            kind, area = lasting(part.trail) or ("fact", "")
            said = statement(", ".join(filter(None, (title, part.title))), part.text)
            pieces.append(
                Piece(
                    kind,
                    titled(title, part.title), said, tags=tags, source=path, anchor=part.anchor,
                    created=created, reason="a section of a note", part=area, confidence=MADE,
                )
            )  # fmt: skip
    return Reading(tuple(pieces), tuple(left))


def _why_left(category: str, words: str) -> str:
    if _plain(category) in NOT_TAKEN or category.strip().lower() in ("x", " ", "-"):
        return f"[{category}] is so at the moment, or about a person"
    return SHORT if count_words(HASHTAG.sub("", words)) < LEAST_WORDS else ""


def _observation(path: str, title: str, tags: tuple[str, ...], created: str, category: str, words: str) -> Piece:
    own = tags_in(HASHTAG.findall(words))
    said = HASHTAG.sub(r"\1", words) if re.search(r"#\S+\s+\w", words) else HASHTAG.sub("", words)
    said = " ".join(said.split())
    name = _plain(category)
    kind = next((kind for kind, names in KINDS.items() if name in names), "fact")
    return Piece(
        kind, titled(title, " ".join(said.split()[:4])), statement(title, said),
        tags=tuple(dict.fromkeys((*own, *tags))), source=path, anchor=_anchor(category, words), created=created,
        reason=f"an observation, [{category}]", confidence=READ,
    )  # fmt: skip


def _anchor(category: str, words: str) -> str:
    """Return a key that stays while the end of an observation changes."""
    return anchor(category, opening(HASHTAG.sub("", words)))


def _plain(category: str) -> str:
    return re.sub(r"[\s_]+", "-", fold(category.strip()))
