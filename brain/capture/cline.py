"""Cline's tools and its CLI's transcripts (3.0.65, seen): one object with its messages, written anew each time.

What a person typed stands in a tag of its own. A tool's results are a list, each of which names its command line, and
whether that worked.
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

INPUT = "user_input"


def turns(rows: Iterable[tuple[int, dict[str, Any]]]) -> Iterator[Turn]:
    """Yield the turns of a transcript's one object."""
    calls: dict[str, dict[str, Any]] = {}
    for at, row in rows:
        for message in dicts_of(row.get("messages")):
            text = text_of(message.get("content"))
            if message.get("role") == "assistant" and text:
                yield Turn(ASSISTANT, clipped(text), at)
            elif text := spoken(typed(text, INPUT)):
                yield Turn(PERSON, text, at)
            for block in dicts_of(message.get("content")):
                call = text_of(block.get("id")) or text_of(block.get("tool_use_id"))
                if block.get("type") == "tool_use":
                    calls[call] = dict_of(block.get("input"))
                elif block.get("type") == "tool_result":
                    tool, failed = text_of(block.get("name")), block.get("is_error") is True
                    yield from used(at, call, tool, calls.get(call, {}), block.get("content"), failed=failed)


def used(at: int, call: str, tool: str, given: dict[str, Any], result: Any, *, failed: bool) -> Iterator[Turn]:
    """Yield the turns of a tool's call and its answer; of each command line's, where the answer tells them apart."""
    told = [row for row in dicts_of(result) if "query" in row]
    for number, row in enumerate(told):
        each = f"{call}.{number}"
        yield call_turn(at, each, tool, {**given, "command": text_of(row["query"]), "commands": None})
        yield answer_turn(at, each, text_of(row.get("result")), failed=row.get("success") is False)
    if not told:
        yield call_turn(at, call, tool, given)
        yield answer_turn(at, call, text_of(result), failed=failed)
