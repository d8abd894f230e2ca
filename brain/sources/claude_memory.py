"""Claude Code's auto memory: ``MEMORY.md`` and a file a topic.

A newer topic is one fact: ``name``, ``description`` and ``type`` (user, feedback, project, reference) above it, and
paragraphs that begin with **Why:** and **How to apply:**. An older one is a page with headings, and so may
``MEMORY.md`` be.
"""

from __future__ import annotations

import re

from brain.sources.notes import (
    LEAST_WORDS,
    LONG,
    SHORT,
    Note,
    cut,
    date_in,
    has_room,
    lasting,
    read_note,
    statement,
    titled,
    with_apply,
)
from brain.sources.piece import MADE, READ, Left, Piece, Reading
from brain.sources.text import plain
from brain.text import count_words

INDEX = "MEMORY.md"
TYPES = {"feedback": "lesson", "project": "fact", "reference": "fact"}
LEAD = re.compile(
    r"^\*\*(?P<name>[^*\n]{2,40}?)\s*[:：]\s*\*\*[ \t]*|^\*\*(?P<other>[^*\n]{2,40}?)\*\*\s*[:：][ \t]*", re.MULTILINE
)
APPLY = re.compile(r"how to apply|apply|cách áp dụng|áp dụng|適用方法|適用", re.IGNORECASE)
INDEX_LINE = re.compile(r"^\s*[-*+]\s+\[[^\]\n]+\]\([^)\n]+\.md\).*$", re.MULTILINE)
PERSON = re.compile(r"(the )?user( preferences?| profile)?|about (me|the user)|personal.*|preferences?", re.IGNORECASE)
OF_A_PERSON = "about a person, not the work: it stays with them"


def read(path: str, text: str) -> Reading:
    """Return the pieces of one file of an auto memory."""
    note = read_note(text)
    name = path.rpartition("/")[2]
    if note.field("description") or note.field("name"):
        return _topic(path, note)
    return _page(path, INDEX_LINE.sub("", note.body), "" if name == INDEX else name.removesuffix(".md"))


def _topic(path: str, note: Note) -> Reading:
    """Return the one fact of a topic; where it is long, each of its headings."""
    kind = note.field("type").lower()
    if kind == "user":
        return Reading((), (Left(path, "all", OF_A_PERSON),))
    title = " ".join(re.split(r"[\s_-]+", note.field("name") or path.rpartition("/")[2].removesuffix(".md")))
    said, apply = split_apply(note.body)
    said = plain(said).strip()
    if not said:
        said = note.field("description")
    if count_words(said) < LEAST_WORDS:
        return Reading((), (Left(path, "all", SHORT),))
    if not has_room(said):
        page = _page(path, note.body, title)
        return page or Reading((), (Left(path, "all", LONG),))
    piece = Piece(
        TYPES.get(kind, "lesson" if apply else "fact"), title, with_apply(said, apply), source=path, anchor="all",
        created=date_in(note.field("created"), note.field("date")), reason=f"auto memory, {kind or 'topic'}",
        confidence=READ,
    )  # fmt: skip
    return Reading((piece,))


def split_apply(text: str) -> tuple[str, str]:
    """Return what a text says, and what it says under **How to apply:**, up to the next such lead."""
    leads = list(LEAD.finditer(text))
    for lead, after in zip(leads, [*leads[1:], None], strict=False):
        if APPLY.fullmatch((lead["name"] or lead["other"]).strip()):
            end = after.start() if after else len(text)
            return text[: lead.start()] + text[end:], text[lead.end() : end].strip()
    return text, ""


def _page(path: str, body: str, name: str) -> Reading:
    pieces, left = [], []
    for part in cut(body):
        if any(PERSON.fullmatch(title) for title in part.trail):
            left.append(Left(path, part.anchor, OF_A_PERSON))
        elif part.why_left:
            left.append(Left(path, part.anchor, part.why_left))
        else:
            said, apply = split_apply(part.text)
            title = part.title or name.replace("-", " ")
            kind, area = lasting(part.trail) or ("lesson" if apply else "fact", "")
            pieces.append(
                Piece(
                    kind, titled(name, part.title) or "notes",
                    with_apply(statement(title, said.strip()), apply), source=path, anchor=part.anchor,
                    reason="auto memory, a section", part=area, confidence=MADE,
                )
            )  # fmt: skip
    return Reading(tuple(pieces), tuple(left))


def is_memory(name: str, text: str) -> bool:
    """Say whether a file is surely of an auto memory: a topic with its fields, or an index of topics."""
    note = read_note(text)
    return bool(note.field("description") and note.field("name")) or (name == INDEX and bool(INDEX_LINE.search(text)))
