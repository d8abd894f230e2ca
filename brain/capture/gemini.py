"""Gemini CLI's transcripts (hosts/contracts.md §5): a later line replaces, patches or takes back earlier ones."""

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

EXIT = "Exit Code: "


def turns(rows: Iterable[tuple[int, dict[str, Any]]]) -> Iterator[Turn]:
    """Yield the turns that stand at the end, in order; one whole file of older releases is its list of messages."""
    kept: dict[str, list[Turn]] = {}
    for at, row in rows:
        patched = row.get("messages", dict_of(row.get("$set")).get("messages"))
        if "$rewindTo" in row:
            kept = _before(kept, text_of(row["$rewindTo"]))
        elif isinstance(patched, list):
            kept = {text_of(item.get("id")): list(_message(at, item)) for item in dicts_of(patched)}
        elif text_of(row.get("id")):
            kept[text_of(row["id"])] = list(_message(at, row))
    for said in kept.values():
        yield from said


def _before(kept: dict[str, list[Turn]], mark: str) -> dict[str, list[Turn]]:
    """Return the messages before one; none where it is not here, since it came before all that are."""
    names = list(kept)
    return {name: kept[name] for name in names[: names.index(mark)]} if mark in kept else {}


def _message(at: int, row: dict[str, Any]) -> Iterator[Turn]:
    if row.get("type") == "user":
        text = spoken(text_of(row.get("displayContent")) or text_of(row.get("content")))
        if text:
            yield Turn(PERSON, text, at)
    elif row.get("type") == "gemini":
        if text_of(row.get("content")):
            yield Turn(ASSISTANT, clipped(text_of(row["content"])), at)
        for call in dicts_of(row.get("toolCalls")):
            yield call_turn(at, text_of(call.get("id")), text_of(call.get("name")), dict_of(call.get("args")))
            yield _answer(at, call)


def _answer(at: int, call: dict[str, Any]) -> Turn:
    """Return a tool's answer; a shell's failure is a success that names an exit code."""
    texts, failed = [], call.get("status") in ("error", "cancelled")
    for part in dicts_of(call.get("result")):
        response = dict_of(dict_of(part.get("functionResponse")).get("response"))
        texts.append(text_of(response.get("output")) or text_of(response.get("error")))
        failed = failed or bool(response.get("error"))
    text = spoken("\n".join(texts))
    code = text.rpartition(EXIT)[2].split()[:1] if EXIT in text else []
    return answer_turn(at, text_of(call.get("id")), text, failed=failed or code not in ([], ["0"]))
