"""``brain verify``: check a memory against what changed, and say that it still holds."""

from __future__ import annotations

import os

from brain.commands import Context, remark
from brain.recall.doubts import warning_of
from brain.recall.render import clean_line
from brain.text import visible
from brain.verify import approved_memory, changes_under, disputed_text, file_copy, verified_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from brain.memory import Memory
    from brain.workspace import Brain

HELP = "show what changed under a memory; --ok says that it still holds"


def add_arguments(parser: ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("ids", nargs="+", metavar="ID")
    answer = parser.add_mutually_exclusive_group()
    answer.add_argument("--ok", action="store_true", help="it still holds: draft the new verified_commit")
    answer.add_argument("--wrong", action="store_true", help="it does not: draft a copy to mend, or remove it")


def run(args: Namespace, context: Context) -> int:
    """Show each memory's changes, or draft what was decided; exit 1 if something changed and nothing was decided."""
    brain = context.open_brain()
    changed = False
    for name in args.ids:
        memory, text = approved_memory(brain, name)
        if args.ok:
            verified, warnings = verified_text(brain, memory, text)
            for warning in warnings:
                remark(f"{memory.id}: {warning}")
            path = os.path.join(brain.memory_root, file_copy(brain, memory, verified))
            remark(f"{memory.id}: drafted as verified at the present commit: {path}")
        elif args.wrong:
            path = os.path.join(brain.memory_root, file_copy(brain, memory, disputed_text(memory, text)))
            remark(f"{memory.id}: drafted to be mended: edit {path}")
            remark(f"if nothing of it holds: brain pending drop {memory.id}, brain remove {memory.id} --reason TEXT")
        else:
            changed |= _show_changes(brain, memory)
    return 1 if changed else 0


def _show_changes(brain: Brain, memory: Memory) -> bool:
    changes = changes_under(brain, memory)
    print(f"{memory.id}: {clean_line(memory.sentence)}")
    for change in changes:
        print(f"  {warning_of(change.doubt)}")
        if change.diff:
            print("\n".join("    " + visible(line) for line in change.diff.splitlines()))
    if not changes:
        print("  nothing changed under its refs" if memory.refs else "  it has no refs")
    return bool(changes)
