"""Cursor's transcripts: a role and blocks a line (its format is nobody's contract: seen in 3.x). No tool's answer.

So no error and its fix is found there. What a person typed stands in a tag of its own, beside what the host adds.
"""

from __future__ import annotations

from brain.capture.turns import (
    ASSISTANT,
    PERSON,
    Turn,
    answer_turn,
    call_turn,
    clipped,
    dict_of,
    dicts_of,
    spoken,
    text_of,
    typed,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

QUERY = "user_query"


def turns(rows: Iterable[tuple[int, dict[str, Any]]]) -> Iterator[Turn]:
    """Yield the turns of a transcript's lines; a call counts as answered, since no line says that it was not."""
    for at, row in rows:
        content = dict_of(row.get("message")).get("content", row.get("content"))
        if row.get("role") == "user":
            text = spoken(typed(text_of(content), QUERY))
            if text:
                yield Turn(PERSON, text, at)
        elif row.get("role") == "assistant":
            text = text_of(content)
            if text:
                yield Turn(ASSISTANT, clipped(text), at)
            for number, block in enumerate(dicts_of(content)):
                if block.get("type") == "tool_use":
                    call = text_of(block.get("id")) or f"{at}.{number}"
                    yield call_turn(at, call, text_of(block.get("name")), dict_of(block.get("input")))
                    yield answer_turn(at, call, "", failed=False)
