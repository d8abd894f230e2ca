"""The transcript that we keep of what a host's events tell, where it hands over none (hosts/contracts.md §1).

A turn a line, redacted before it is written, in the session's own folder: gone when the session is forgotten. A tool's
answer stands in the line after its call, since not every host names its calls.
"""

from __future__ import annotations

from brain.capture.redact import redacted
from brain.capture.turns import ASSISTANT, CALL, ERROR, PERSON, RESULT, Turn, clipped, text_of
from brain.json_text import render_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any


KINDS = frozenset((PERSON, ASSISTANT, CALL, RESULT, ERROR))


def lines_of(turns: Iterable[Turn]) -> str:
    """Return turns as lines of a transcript, without what is secret or personal."""
    rows = (
        {"kind": turn.kind, "text": redacted(clipped(turn.text)), "files": list(turn.files)}
        for turn in turns if turn.text or turn.kind not in (PERSON, ASSISTANT)
    )  # fmt: skip
    return "".join(f"{render_json(row)}\n" for row in rows)


def turns(rows: Iterable[tuple[int, dict[str, Any]]]) -> Iterator[Turn]:
    """Yield the turns of a transcript's lines."""
    call = ""
    for at, row in rows:
        kind = text_of(row.get("kind"))
        call = f"at {at}" if kind == CALL else call
        files = row.get("files")
        named = tuple(file for file in files if isinstance(file, str)) if isinstance(files, list) else ()
        if kind in KINDS:
            yield Turn(kind, text_of(row.get("text")), at, "" if kind in (PERSON, ASSISTANT) else call, named)
