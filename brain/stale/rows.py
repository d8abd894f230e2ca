"""``brain stale --stdin``: questions as JSON lines, answers as JSON lines."""

from __future__ import annotations

import json

from brain.errors import BrainError
from brain.stale.answers import FRESH, SHOWN, STALE, UNKNOWN
from brain.stale.check import Question, check
from brain.stale.refs import WORKSPACE, parse_ref
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

FIELDS = (("rid", None), ("commit", None), ("head", "HEAD"))
"""Text fields of a row and their defaults."""
FORM = 'a row is {"rid": "…", "commit": "…", "refs": ["…"], "head": "…"}; head may be left out'


@value
class Row:
    """A question about several refs of one repository; ``commit`` and ``head`` are revs."""

    rid: str
    commit: str
    refs: tuple[str, ...]
    head: str


def parse_rows(lines: Iterable[str]) -> Iterator[Row]:
    """Yield the row of each line that is not blank.

    Raises:
        BrainError: A line is no row; it says which.
    """
    for number, line in enumerate(lines, 1):
        if line.strip():
            yield _parse_row(number, line)


def answer_rows(folder: str, rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Return for each row, in order, its ``rid``, ``stale`` and ``per_ref``: true, false or "unknown"."""
    questions = [Question(row.commit, row.head, parse_ref(text)) for row in rows for text in row.refs]
    here = [question for question in questions if question.ref.alias == WORKSPACE]
    found = dict(zip(here, check(folder, here), strict=True))
    states = iter([found[question].state if question in found else UNKNOWN for question in questions])
    return [_render(row.rid, {ref: next(states) for ref in row.refs}) for row in rows]


def render_rows(answers: Iterable[dict[str, Any]]) -> Iterator[str]:
    """Yield the line of each answer, without its end."""
    return (json.dumps(answer, ensure_ascii=False) for answer in answers)


def _render(rid: str, states: dict[str, str]) -> dict[str, Any]:
    worst = next((state for state in (STALE, UNKNOWN) if state in states.values()), FRESH)
    per_ref = {ref: SHOWN[state] for ref, state in states.items()}
    return {"rid": rid, "stale": SHOWN[worst], "per_ref": per_ref}


def _parse_row(number: int, line: str) -> Row:
    try:
        fields = json.loads(line)
    except ValueError as error:
        raise BrainError(f"line {number}: not JSON: {error}", FORM) from None
    if not isinstance(fields, dict):
        raise BrainError(f"line {number}: not an object", FORM)
    refs = fields.get("refs")
    if not isinstance(refs, list) or not all(isinstance(ref, str) for ref in refs):
        raise BrainError(f"line {number}: refs is not a list of texts", FORM)
    rid, commit, head = (_text(number, fields, name, default) for name, default in FIELDS)
    return Row(rid, commit, tuple(refs), head)


def _text(number: int, fields: dict[str, Any], name: str, default: str | None) -> str:
    text = fields.get(name, default)
    if not isinstance(text, str):
        raise BrainError(f"line {number}: {name} is {'missing' if text is None else 'not a text'}", FORM)
    return text
