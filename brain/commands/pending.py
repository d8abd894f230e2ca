"""``brain pending``: the drafts of this machine's user: list, show, drop."""

from __future__ import annotations

import sys

from brain import clock
from brain.commands import Context, add_json, print_json, remark
from brain.errors import BrainError
from brain.layout import PENDING
from brain.pending import Pending, draft_text, drop_draft, find_pending, list_pending
from brain.text import visible
from brain.workspace import open_brain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

HELP = "list, show or drop your drafts"


def add_arguments(parser: ArgumentParser) -> None:
    """Add the command's options."""
    add_json(parser)
    actions = parser.add_subparsers(dest="action", metavar="ACTION")
    show = actions.add_parser("show", help="print a draft")
    show.add_argument("ids", nargs="+", metavar="ID", help="its id, or its path")
    drop = actions.add_parser("drop", help="remove drafts for good")
    drop.add_argument("ids", nargs="+", metavar="ID", help="its id, or its path")
    drop.add_argument("--yes", action="store_true", help="do not ask")


def run(args: Namespace, context: Context) -> int:
    """List the drafts, or do what is asked with some of them."""
    brain = open_brain(context.cwd, context.env)
    drafts = list_pending(brain.memory_root, clock.now())
    if not args.action:
        return _list(drafts, brain.config["memory.root"], as_json=args.json)
    chosen = [find_pending(drafts, name) for name in dict.fromkeys(args.ids)]
    if args.action == "show":
        for draft in chosen:
            print(visible(draft_text(brain.memory_root, draft)), end="")
        return 0
    if not args.yes and not _confirmed(chosen):
        remark("nothing was dropped")
        return 1
    for draft in chosen:
        drop_draft(brain.memory_root, draft)
        print(f"dropped: {draft.path}")
    return 0


def _list(drafts: list[Pending], root: str, *, as_json: bool) -> int:
    if as_json:
        print_json([_facts(draft) for draft in drafts])
        return 0
    for draft in drafts:
        if draft.problem:
            continue
        age = "today" if not draft.days else f"{draft.days} day{'s' if draft.days > 1 else ''}"
        print(f"{draft.id}\t{age}\t{visible(draft.sentence)}\n\t{root}/{PENDING}/{draft.path}")
    for draft in drafts:
        if draft.problem:
            remark(f"warning: {PENDING}/{draft.path}:{draft.line}: {draft.problem} ({draft.mend})")
    if not drafts:
        remark("no drafts")
    return 0


def _facts(draft: Pending) -> dict[str, object]:
    return {
        "id": draft.id, "path": draft.path, "days": draft.days, "sentence": draft.sentence,
        "problem": draft.problem, "line": draft.line, "mend": draft.mend,
    }  # fmt: skip


def _confirmed(drafts: list[Pending]) -> bool:
    if sys.stdin is None or not sys.stdin.isatty():
        raise BrainError("nobody is there to confirm that drafts are dropped", "add --yes")
    for draft in drafts:
        remark(f"{draft.id or draft.path}: {visible(draft.sentence) or draft.problem}")
    print(f"Drop {len(drafts)} for good? [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")
