"""``brain show``: read memories whole."""

from __future__ import annotations

from brain import telemetry
from brain.answers import memory_facts
from brain.commands import Context, add_json, print_json
from brain.find import get_memories
from brain.recall.doubts import doubts_of
from brain.recall.recall import memory_warnings
from brain.recall.render import Shown, clean_line, render_block
from brain.ticket import read_ticket

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from brain.memory import Memory

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
            print_json(memory_facts(memory, doubts.get(memory.path, ())))
        else:
            print(render_block(Shown(memory, tuple(memory_warnings(memory, doubts)))) + _facts(memory))
    ticket, _ = read_ticket({}, context.env, brain.workspace.ticket_dirs)
    ids = [memory.id for memory in memories]
    telemetry.record(brain.workspace.state_dir, telemetry.EVENTS, telemetry.READ, ids=ids, ticket=ticket.task_id)
    return 0


def _facts(memory: Memory) -> str:
    facts = {
        "tags": ", ".join(memory.tags), "workflows": ", ".join(memory.workflows), "refs": ", ".join(memory.refs),
        "confidence": f"{memory.confidence:g}", "created": memory.created, "hits": str(memory.hits),
        "reviewed by": memory.reviewed_by, "file": memory.path,
    }  # fmt: skip
    return "".join(f"{name}: {clean_line(fact)}\n" for name, fact in facts.items() if fact)
