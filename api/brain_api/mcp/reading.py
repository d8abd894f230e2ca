"""What is read, as answers: rows first, text where it is asked for, cut at whole memories and fenced as data."""

from __future__ import annotations

from brain.find import get_memories
from brain.recall.doubts import doubts_of
from brain.recall.recall import memories_text, memory_warnings, piece_name, recall
from brain.recall.render import (
    CLOSE,
    OPEN,
    PREAMBLE,
    UNBOUNDED,
    Shown,
    clean_line,
    limit_of,
    render_block,
    render_memories,
)
from brain.search import patience_of, search_all
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from brain.memory import Memory
    from brain.stale.memories import Doubt
    from brain.ticket import Ticket
    from brain.workspace import Brain

    Doubts = Mapping[str, tuple[Doubt, ...]]
    Look = Callable[[Sequence[Memory]], dict[str, tuple[Doubt, ...]]]
    """Path → the refs in doubt, of memories; a program that stays remembers them."""

FOUND = 10
"""Memories that a search gives."""
NO_ROOM = 1 << 30
"""Tokens for the one memory that alone is over the budget: it is given whole."""


@value
class Answer:
    """What a tool gives: text for a model, the same as facts, and the ids that were read whole."""

    text: str
    facts: Mapping[str, Any]
    used: tuple[str, ...] = ()


def look_now(brain: Brain) -> Look:
    """Return what looks at the refs as they are now."""
    return lambda memories: doubts_of(brain, memories)


def recall_answer(brain: Brain, ticket: Ticket, day: str, look: Look, *, full: bool, remark: str = "") -> Answer:
    """Return what a ticket recalls: rows, and (full) the text an assistant gets at session start.

    ``remark`` says what was missing before, "" where nothing was.
    """
    found = recall(brain, ticket, day, look=lambda _, chosen: look(chosen))
    memories = [item.memory for item in found.chosen]
    rows = [{**row, "score": item.score} for row, item in zip(_rows(memories, found.doubts), found.chosen, strict=True)]
    remarks = [clean_line(text) for text in (remark, found.remark) if text]
    if not full:
        return Answer(_list(rows, remarks), {"memories": rows, "remarks": remarks})
    text = memories_text(found, brain.config, room=UNBOUNDED)
    facts = {"memories": rows, "remarks": remarks, "text": text.text, "left": text.left}
    return Answer("\n".join([text.text or NOTHING, *remarks]), facts)


def search_answer(brain: Brain, words: str, look: Look) -> Answer:
    """Return the memories that match words best, best first."""
    searched = search_all(brain, words, FOUND, patience_of(brain.config))
    memories = [found.memory for found in searched.found]
    rows, remarks = _rows(memories, look(memories)), [clean_line(searched.remark)] if searched.remark else []
    return Answer(_list(rows, remarks), {"memories": rows, "remarks": remarks})


def read_answer(brain: Brain, names: Sequence[str], look: Look) -> Answer:
    """Return memories whole, as far as the budget of an injection goes; the rest is named.

    Raises:
        MemoryNotFoundError: There is none of an id.
    """
    named = {piece_name(memory): memory for name in names for memory in get_memories(brain, name)}
    doubts = look(list(named.values()))
    blocks = {
        name: render_block(Shown(memory, tuple(memory_warnings(memory, doubts)))) for name, memory in named.items()
    }
    title = ", ".join(named)
    limit = limit_of(brain.config["memory.injectBudget"], UNBOUNDED)
    text, kept, left = render_memories(blocks, (), title, limit)
    if not kept:
        first, *left = blocks
        text, kept, _ = render_memories({first: blocks[first]}, (), title, limit_of(NO_ROOM, UNBOUNDED))
    shown = [named[name] for name in kept]
    used = tuple(dict.fromkeys(memory.id for memory in shown))
    return Answer(text, {"memories": _rows(shown, doubts), "text": text, "left": left}, used)


def _rows(memories: Sequence[Memory], doubts: Doubts) -> list[dict[str, Any]]:
    return [
        {
            "id": memory.id, "hook": clean_line(memory.sentence), "type": memory.type, "scope": memory.scope,
            "warnings": [clean_line(text) for text in memory_warnings(memory, doubts)],
        }
        for memory in memories
    ]  # fmt: skip


NOTHING = "Nothing relevant."
HOW_ON = "The tool read gives their full text by id."


def _list(rows: Sequence[Mapping[str, Any]], remarks: Sequence[str]) -> str:
    if not rows:
        return "\n".join([NOTHING, *remarks])
    lines = [OPEN.format(part="found"), PREAMBLE, "", *map(_line, rows), CLOSE, HOW_ON]
    return "\n".join([*lines, *remarks])


def _line(row: Mapping[str, Any]) -> str:
    line = f"- {row['id']} — {row['hook']} ({row['type']}, {row['scope']})"
    return " ".join([line, *(f"⚠ {text}" for text in row["warnings"])])
