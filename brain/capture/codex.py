"""Codex's transcripts (hosts/contracts.md §4). Its event lines say again what its response items say; they are left."""

from __future__ import annotations

from brain.capture.turns import (
    ASSISTANT,
    PERSON,
    Turn,
    answer_turn,
    call_turn,
    clipped,
    dict_of,
    spoken,
    text_of,
)
from brain.json_text import parse_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

KINDS = "internal_chat_message_metadata_passthrough"
EXITS = ("Process exited with code ", "Exit code: ")


def turns(rows: Iterable[tuple[int, dict[str, Any]]]) -> Iterator[Turn]:
    """Yield the turns of a transcript's lines; what a compaction repeats is not said again."""
    for at, row in rows:
        item = dict_of(row.get("payload"))
        if row.get("type") == "response_item":
            yield from _item(at, item)


def _item(at: int, item: dict[str, Any]) -> Iterator[Turn]:
    kind, call = item.get("type"), text_of(item.get("call_id"))
    if kind == "message":
        text = _message(item)
        if text:
            yield Turn(PERSON if item.get("role") == "user" else ASSISTANT, text, at)
    elif kind == "function_call":
        yield call_turn(at, call, text_of(item.get("name")), dict_of(_unpacked(item.get("arguments"))))
    elif kind == "custom_tool_call":
        yield call_turn(at, call, text_of(item.get("name")), {"input": item.get("input"), "cmd": item.get("input")})
    elif kind == "local_shell_call":
        yield call_turn(at, call, "local_shell", dict_of(item.get("action")))
    elif kind in ("function_call_output", "custom_tool_call_output"):
        yield _answer(at, call, item.get("output"))


def _message(item: dict[str, Any]) -> str:
    """Return what a person or the model said; what a person typed is marked so in newer files."""
    text, role = text_of(item.get("content")), item.get("role")
    kinds = dict_of(item.get(KINDS)).get("content_item_kinds")
    if role == "assistant":
        return clipped(text)
    return spoken(text) if role == "user" and (not isinstance(kinds, list) or "user.text" in kinds) else ""


def _answer(at: int, call: str, output: Any) -> Turn:
    found = _unpacked(output)
    if isinstance(found, dict):
        code = dict_of(found.get("metadata")).get("exit_code")
        failed = found.get("success") is False or (isinstance(code, int) and code != 0)
        return answer_turn(at, call, text_of(found.get("output") or found.get("content")), failed=failed)
    text = text_of(output)
    head, _, body = text.partition("\nOutput:\n")
    codes = [head.partition(mark)[2].split("\n")[0].strip() for mark in EXITS if mark in head]
    return answer_turn(at, call, body or text, failed=bool(codes) and codes[0] not in ("0", ""))


def _unpacked(found: Any) -> Any:
    """Return a value that stands as JSON in a text, anything else as it is."""
    if isinstance(found, str) and found[:1] == "{":
        try:
            return parse_json(found)
        except (ValueError, RecursionError):
            return found
    return found
