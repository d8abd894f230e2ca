"""Claude Code's transcripts (hosts/contracts.md §3.7): one line a content block, appended and never rewritten."""

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
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

NOT_A_PERSON = ("isMeta", "isCompactSummary", "isVisibleInTranscriptOnly")
BY_A_PERSON = (None, "typed", "sdk")
"""What ``promptSource`` says of a person's words; older releases say nothing."""
SYNTHETIC = "<synthetic>"
"""The model's name where the host itself speaks."""


def turns(rows: Iterable[tuple[int, dict[str, Any]]]) -> Iterator[Turn]:
    """Yield the turns of a transcript's lines, each with the byte where it begins; nothing of sub-agents."""
    for at, row in rows:
        message = dict_of(row.get("message"))
        if row.get("isSidechain") or row.get("agentId"):
            continue
        if row.get("type") == "assistant" and message.get("model") != SYNTHETIC:
            yield from _said(at, message)
        elif row.get("type") == "user":
            yield from _heard(at, row, message)


def _said(at: int, message: dict[str, Any]) -> Iterator[Turn]:
    for block in dicts_of(message.get("content")):
        if block.get("type") == "text":
            yield Turn(ASSISTANT, clipped(text_of(block)), at)
        elif block.get("type") == "tool_use":
            yield call_turn(at, text_of(block.get("id")), text_of(block.get("name")), dict_of(block.get("input")))


def _heard(at: int, row: dict[str, Any], message: dict[str, Any]) -> Iterator[Turn]:
    content = message.get("content")
    for block in dicts_of(content):
        if block.get("type") == "tool_result":
            text, call = text_of(block.get("content")), text_of(block.get("tool_use_id"))
            yield answer_turn(at, call, text, failed=block.get("is_error") is True)
    if any(row.get(flag) for flag in NOT_A_PERSON) or row.get("promptSource") not in BY_A_PERSON:
        return
    if dict_of(row.get("origin")).get("kind") in (None, "human"):
        text = spoken(text_of(content))
        if text:
            yield Turn(PERSON, text, at)
