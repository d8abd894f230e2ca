"""``brain consolidate``: propose what keeps the memory true, in one merge request."""

from __future__ import annotations

from brain.commands import Context, add_json, print_json, remark
from brain.commands.proposing import print_request
from brain.recall.render import clean_line
from brain.submit.apply import open_job
from brain.submit.gather import renew
from brain.submit.journal import locked
from brain.tend.candidates import find_candidates
from brain.tend.consolidate import consolidate, prepare_consolidation
from brain.tend.gather import BRANCH
from brain.tend.here import publish_here
from brain.tend.publish import fetch
from brain.tend.say import facts_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from brain.submit.apply import Job

HELP = "count uses, flag what is stale, and propose what may go: one merge request"


def add_arguments(parser: ArgumentParser) -> None:
    """Add the command's options."""
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--dry-run", action="store_true", help="print what would be proposed, and do nothing")
    what.add_argument(
        "--candidates", action="store_true", help="print what is used enough to be promoted (brain promote)"
    )
    add_json(parser)


def run(args: Namespace, context: Context) -> int:
    """Publish this machine's counts, and propose; exit 1 where there is nothing to propose."""
    brain = context.open_brain()
    job = open_job(brain, context.env, context.open_brain)
    if args.candidates:
        return _print_candidates(job, as_json=args.json)
    if args.dry_run:
        tended, ready = prepare_consolidation(job, job.journal.find(BRANCH))
        plan, entry, remarks = ready.plan, None, tended.remarks
    else:
        with locked(brain.repo, "brain consolidate", say=remark):
            publish_here(brain, job.doors.link)
            tended, outcome = consolidate(job)
        plan, entry, remarks = outcome.plan, outcome.entry, (*tended.remarks, *outcome.remarks)
    remark(*remarks)
    if args.json:
        print_json(facts_of(tended, plan, entry))
    elif plan.is_empty:
        remark("nothing to propose")
    elif args.dry_run:
        print(f"{plan.title}\n\n{tended.description}", end="")
    else:
        print(plan.title)
        print_request(entry, plan.branch)
    return 1 if plan.is_empty else 0


def _print_candidates(job: Job, *, as_json: bool) -> int:
    """Print what may be promoted; exit 1 where nothing may."""
    brain = renew(job.brain, job.doors.link, job.reopen)
    fetch(job.doors.link)
    found = find_candidates(brain)
    for row in [] if as_json else found:
        print(f"{row.use.hits:5} {row.memory.id} ({len(row.use.tickets)} tickets; {', '.join(row.use.projects)})")
        print(f"      {clean_line(row.memory.sentence)}")
    if as_json:
        print_json([
            {"id": row.memory.id, "hits": row.use.hits, "tickets": list(row.use.tickets),
             "projects": list(row.use.projects), "says": row.memory.sentence}
            for row in found
        ])  # fmt: skip
    elif not found:
        remark("no memory is used enough yet, for enough tickets, in enough projects")
    return 0 if found else 1
