"""GitHub Copilot CLI's transcripts (hosts/contracts.md §6): an event a line."""

from __future__ import annotations

from brain.capture.turns import ASSISTANT, PERSON, Turn, answer_turn, call_turn, clipped, dict_of, spoken, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any


def turns(rows: Iterable[tuple[int, dict[str, Any]]]) -> Iterator[Turn]:
    """Yield the turns of a transcript's lines; nothing of sub-agents."""
    for at, row in rows:
        kind, event = row.get("type"), dict_of(row.get("data"))
        if event.get("parentToolCallId") or event.get("agentId"):
            continue
        call = text_of(event.get("toolCallId"))
        if kind == "user.message" and event.get("source") in (None, "user"):
            text = spoken(text_of(event.get("content")))
            if text:
                yield Turn(PERSON, text, at)
        elif kind == "assistant.message" and text_of(event.get("content")):
            yield Turn(ASSISTANT, clipped(text_of(event["content"])), at)
        elif kind == "tool.execution_start":
            yield call_turn(at, call, text_of(event.get("toolName")), dict_of(event.get("arguments")))
        elif kind == "tool.execution_complete":
            text = text_of(dict_of(event.get("result")).get("content"))
            error = text_of(dict_of(event.get("error")).get("message"))
            code = dict_of(event.get("shellExecution")).get("exitCode")  # a shell's failure is a success with a code
            yield answer_turn(at, call, error or text, failed=event.get("success") is False or code not in (None, 0))
