"""``brain pull-back``: bring back for editing what was submitted for a ticket, or merged and not approved."""

from __future__ import annotations

from brain.commands import Context, remark
from brain.layout import PENDING
from brain.submit.apply import open_job
from brain.submit.journal import locked
from brain.submit.plan import branch_of
from brain.submit.pullback import get_entry, pull_back
from brain.submit.settle import recover
from brain.submit.waiting import pull_waiting

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

HELP = "bring a ticket's submitted drafts back for editing, or what was merged and not approved"


def add_arguments(parser: ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("ticket", metavar="T|ID", help="the ticket they were submitted for, or the memory")


def run(args: Namespace, context: Context) -> int:
    """Bring the drafts back, and say where they are."""
    brain = context.open_brain()
    job = open_job(brain, context.env, context.open_brain)
    with locked(brain.repo, "brain pull-back", say=remark):
        found = job.journal.find(branch_of(args.ticket))
        waiting = pull_waiting(job, args.ticket) if found is None else ""
        if waiting:
            print(f"{brain.config['memory.root']}/{PENDING}/{waiting}")
            remark("brain submit proposes it again, as it is or edited")
            return 0
        entry = get_entry(recover(job, found) if found else None, args.ticket)
        entry, remarks = pull_back(job, entry)
    remark(*remarks)
    for path in entry.drafts:
        print(f"{entry.root}/{PENDING}/{path}")
    remark(f"edit or drop them, then brain submit --ticket {args.ticket}")
    return 0
