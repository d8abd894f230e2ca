"""The old store: ``.aiflow/memory/**/*.json``, written by hand through ``aiflow memory save``.

Its form was never written down, so every shape is read that such a store can have: a memory a file, a list, a mapping
by key, any of these below ``memories`` or ``items``; and of a file that was cut off, the memories that are whole.
"""

from __future__ import annotations

import json
import re

from brain.layout import GLOBAL, ROLES, TYPES
from brain.sources.notes import LEAST_WORDS, LONG, SHORT, cut, date_in, has_room, statement, tags_in, with_apply
from brain.sources.piece import READ, Left, Piece, Reading
from brain.sources.text import anchor, plain
from brain.text import count_words, fold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

LISTS = ("memories", "memory", "items", "entries", "data", "records")
NAMES = ("key", "name", "title", "id", "slug")
TEXTS = ("content", "value", "text", "body", "note", "memory", "description", "summary", "lesson", "fact", "decision")
APPLIES = ("apply", "action", "howToApply", "how_to_apply", "solution", "fix", "recommendation", "áp dụng", "適用")
KINDS = ("type", "kind", "category")
TAGS = ("tags", "keywords", "labels", "topics")
DATES = ("createdAt", "created_at", "created", "date", "timestamp", "savedAt", "time", "updatedAt", "updated_at")
AREAS = ("functionId", "function_id", "function", "feature", "scope")
REFS = ("refs", "files", "paths", "file", "path", "relatedFiles")
GUESSES = (
    ("decision", re.compile(r"decision|adr|quyet dinh|決定")),
    ("glossary", re.compile(r"gloss|term|thuat ngu|用語")),
    ("lesson", re.compile(r"lesson|learn|bug|error|fix|issue|feedback|correct|bai hoc|loi|教訓")),
    ("instinct", re.compile(r"instinct|pattern|rule|convention|preference")),
    ("fact", re.compile(r"fact|arch|domain|context|info|knowledge|note|business|spec")),
)  # fmt: skip
CUT_OFF = "the file is cut off or damaged: what is whole in it was read"
NOTHING = "no memory in it that can be read"
DEEPEST = 6
MOST_TRIES = 2000
"""Places of a damaged file at which a memory is looked for."""


def read(path: str, text: str) -> Reading:
    """Return the memories of one file of the store."""
    whole, found = _parse(text)
    pieces: list[Piece] = []
    left = [] if whole else [Left(path, "all", CUT_OFF)]
    for name, row in _rows(found, path.rpartition("/")[2].removesuffix(".json")):
        reading = _memory(path, name, row)
        pieces += reading.pieces
        left += reading.left
    if not pieces and not left:
        left.append(Left(path, "all", NOTHING))
    return Reading(tuple(pieces), tuple(left))


def _parse(text: str) -> tuple[bool, Any]:
    """Return whether a text is whole JSON, or JSON lines, and what it holds; else each object in it that is whole."""
    try:
        return True, json.loads(text)
    except (ValueError, RecursionError):
        pass
    decoder, found, at = json.JSONDecoder(), [], text.find("{")
    for _ in range(MOST_TRIES):
        if at < 0:
            break
        try:
            row, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            end, row = at + 1, None
        if row:
            found.append(row)
        at = text.find("{", end)
    lines = [line for line in text.split("\n") if line.strip()]
    return len(found) == len(lines) and len(lines) > 1, found


def _rows(found: Any, name: str, depth: int = 0) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each memory with the name that it has from its place."""
    if depth > DEEPEST:
        return
    if isinstance(found, list):
        for number, row in enumerate(found, 1):
            yield from _rows(row, f"{name}-{number}", depth + 1)
    elif isinstance(found, str):
        yield name, {"content": found}
    elif isinstance(found, dict):
        inner = next((found[key] for key in LISTS if isinstance(found.get(key), (list, dict))), None)
        if inner is not None and not _text(found):
            yield from _rows(inner, name, depth + 1)
        elif _text(found):
            yield name, found
        else:
            for key, row in found.items():
                if isinstance(row, (dict, list)) or (isinstance(row, str) and count_words(row) >= LEAST_WORDS):
                    yield from _rows(row, key, depth + 1)


def _text(row: dict[str, Any]) -> str:
    """Return what a memory says: its longest text."""
    inner = row.get("value")
    if isinstance(inner, dict):
        return _text(inner)
    return max((row[key] for key in TEXTS if isinstance(row.get(key), str)), key=len, default="").strip()


def _memory(path: str, name: str, row: dict[str, Any]) -> Reading:
    name = _first(row, NAMES) or name
    key, said = anchor(name) or "all", plain(_text(row)).strip()
    if count_words(said) < LEAST_WORDS:
        return Reading((), (Left(path, key, SHORT),))
    if not has_room(said):
        parts = [part for part in cut(_text(row)) if not part.why_left]
        if not parts:
            return Reading((), (Left(path, key, LONG),))
        return Reading(tuple(
            _piece(path, f"{name} {part.title}".strip(), f"{key}/{part.anchor}", statement(part.title, part.text), row)
            for part in parts
        ))  # fmt: skip
    return Reading((_piece(path, name, key, said, row),))


def _piece(path: str, title: str, key: str, said: str, row: dict[str, Any]) -> Piece:
    kind = _kind(row)
    role = _first(row, ("role",)).lower()
    area = _first(row, AREAS)
    return Piece(
        kind, re.sub(r"[_\-./]+", " ", title), with_apply(said, _first(row, APPLIES)),
        area=area if area.lower() not in ("", "global", "all", "project") else GLOBAL, tags=tags_in(_texts(row, TAGS)),
        aliases=_texts(row, ("aliases",)), source=path, anchor=key, created=date_in(*_texts(row, DATES)),
        refs=_texts(row, REFS), reason="the old store", part=role if kind == "lesson" and role in ROLES else "",
        confidence=_confidence(row),
    )  # fmt: skip


def _kind(row: dict[str, Any]) -> str:
    said = fold(_first(row, KINDS))
    if said in TYPES:
        return said
    return next((kind for kind, pattern in GUESSES if said and pattern.search(said)), "fact")


def _confidence(row: dict[str, Any]) -> float:
    found = row.get("confidence")
    return float(found) if isinstance(found, (int, float)) and 0 < found <= 1 else READ


def _first(row: dict[str, Any], names: tuple[str, ...]) -> str:
    return next((row[name].strip() for name in names if isinstance(row.get(name), str) and row[name].strip()), "")


def _texts(row: dict[str, Any], names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the texts under the first of these names that has any."""
    for name in names:
        found = row.get(name)
        rows = found if isinstance(found, list) else [found]
        texts = tuple(item.strip() for item in rows if isinstance(item, str) and item.strip())
        if texts:
            return texts
    return ()
