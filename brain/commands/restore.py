"""``brain restore``: propose that a softly removed memory comes back."""

from __future__ import annotations

from brain.commands import Context
from brain.commands.proposing import add_proposing
from brain.commands.remember import decoded
from brain.commands.remove import propose
from brain.submit.removal_facts import check_reason

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

HELP = "propose that a memory which was removed comes back"


def add_arguments(parser: ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("id", metavar="ID", help="the memory, by id or path")
    parser.add_argument("--reason", default="", metavar="TEXT", help="why, for the approver")
    add_proposing(parser)


def run(args: Namespace, context: Context) -> int:
    """Propose it; proposed already, say where."""
    reason = check_reason(decoded(args.reason)) if args.reason else ""
    return propose(args, context, [args.id], reason, "")
