"""``brain show``: read memories whole."""

from __future__ import annotations

from brain import telemetry
from brain.commands import Context, add_json, print_json
from brain.find import get_memories
from brain.recall.doubts import doubts_of, warning_of
from brain.recall.recall import memory_warnings
from brain.recall.render import Shown, clean_line, render_block

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from typing import Any

    from brain.memory import Memory
    from brain.stale.memories import Doubt

HELP = "print memories whole, with their doubts"


def add_arguments(parser: ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("ids", nargs="+", metavar="ID")
    add_json(parser)


def run(args: Namespace, context: Context) -> int:
    """Print each memory, and count it as read on demand."""
    brain = context.open_brain()
    memories = [memory for name in args.ids for memory in get_memories(brain, name)]
    doubts = doubts_of(brain, memories)
    for memory in memories:
        if args.json:
            print_json(as_json(memory, doubts.get(memory.path, ())))
        else:
            print(render_block(Shown(memory, tuple(memory_warnings(memory, doubts)))) + _facts(memory))
    telemetry.record(brain.workspace.state_dir, telemetry.EVENTS, "read", ids=[memory.id for memory in memories])
    return 0


def _facts(memory: Memory) -> str:
    facts = {
        "tags": ", ".join(memory.tags), "workflows": ", ".join(memory.workflows), "refs": ", ".join(memory.refs),
        "confidence": f"{memory.confidence:g}", "created": memory.created, "hits": str(memory.hits),
        "reviewed by": memory.reviewed_by, "file": memory.path,
    }  # fmt: skip
    return "".join(f"{name}: {clean_line(fact)}\n" for name, fact in facts.items() if fact)


def as_json(memory: Memory, doubts: tuple[Doubt, ...]) -> dict[str, Any]:
    """Return the stable machine form of a memory."""
    names = ("id", "type", "workflows", "tags", "scope", "confidence", "source", "status", "hits", "created")
    more = ("reviewed_by", "refs", "verified_commit", "hook", "aliases", "path", "body")
    facts = {name: getattr(memory, name) for name in (*names, *more)}
    return {**facts, "warnings": [warning_of(doubt) for doubt in doubts]}
