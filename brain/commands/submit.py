"""``brain submit``: propose drafts for approval, in one merge request a ticket."""

from __future__ import annotations

from brain.commands import Context, print_json, remark, warn
from brain.commands.proposing import add_proposing, entry_facts, plan_facts, print_plan, print_request
from brain.errors import BrainError
from brain.layout import RETRO
from brain.submit.apply import make_plan, open_job, submit
from brain.submit.gather import FindingsError
from brain.submit.journal import locked
from brain.submit.plan import branch_of
from brain.submit.settle import catch_up
from brain.tend.here import publish_here
from brain.tend.side import publish_retros
from brain.text import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from typing import Any

    from brain.submit.apply import Job, Outcome
    from brain.submit.journal import Entry
    from brain.submit.plan import Plan
    from brain.submit.push import Link
    from brain.ticket import Ticket
    from brain.workspace import Brain

HELP = "propose drafts for approval: one branch and one merge request a ticket"


def add_arguments(parser: ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("ids", nargs="*", metavar="ID", help="only these drafts, by id or path (default: all)")
    parser.add_argument("--ticket", metavar="T", help="the ticket they come from (default: the workspace's)")
    add_proposing(parser)


def run(args: Namespace, context: Context) -> int:
    """Submit; exit 1 where there is nothing to propose, or the drafts that are named have errors."""
    brain = context.open_brain()
    ticket = _ticket(args, context, brain)
    job = open_job(brain, context.env, context.open_brain)
    try:
        if args.dry_run:
            _, plan, _ = make_plan(job, ticket, args.ids, job.journal.find(branch_of(ticket.task_id)))
            return _print_plan(plan, as_json=args.json)
        with locked(brain.repo, "brain submit", say=remark):
            entry = _recovered(job, branch_of(ticket.task_id))
            status = _report(submit(job, ticket, args.ids, entry), as_json=args.json)
            _publish_more(job)
            return status
    except FindingsError as error:
        for finding in error.findings:
            print(f"{finding.path}:{finding.line}: {finding.rule.code} {finding.message}: {finding.mend}")
        raise


def _publish_more(job: Job) -> None:
    """Bring retrospects and the counts of use along; that they could not be is no failure of the submit."""
    for what, bring in (("retrospects", _publish_retros), ("counts of use", publish_here)):
        try:
            bring(job.brain, job.doors.link)
        except (BrainError, OSError) as error:
            remark(f"warning: {what} are not published: {error}")


def _publish_retros(brain: Brain, link: Link) -> None:
    if brain.config["capture.sideBranch"]:
        private = publish_retros(brain, link).private
        warn(f"{RETRO}/{ticket}.md holds a secret or personal data: it stays here" for ticket in private)


def _ticket(args: Namespace, context: Context, brain: Brain) -> Ticket:
    ticket = context.read_ticket(brain, {"taskId": args.ticket} if args.ticket else {})
    if not ticket.task_id.strip():
        raise BrainError(
            "which ticket are they from?", "--ticket TICKET-123, or taskId in .aiflow/context/current.json"
        )
    return ticket


def _recovered(job: Job, branch: str) -> Entry | None:
    """Return the ticket's entry, with what an earlier run left undone finished, and its merge request looked at."""
    found = catch_up(job, branch)
    remark(*found.remarks)
    return found.entry


def _print_plan(plan: Plan, *, as_json: bool) -> int:
    if as_json:
        print_json(_facts(plan))
        return 1 if plan.is_empty else 0
    if plan.is_empty:
        print("nothing to submit")
    else:
        print_plan(plan)
        for path, text in plan.changes.items():
            update = "approve" if path in plan.waiting else "update" if path in plan.updates else "new"
            print(f"{'put back' if text is None else update}: {path}")
    for left in plan.left:
        print(f"stays: {visible(left.name)} ({visible(left.why)})")
    return 1 if plan.is_empty else 0


def _facts(plan: Plan) -> dict[str, Any]:
    return {
        "ticket": plan.ticket, **plan_facts(plan), "changes": sorted(plan.changes), "withdrawn": list(plan.withdrawn),
        "left": [{"name": left.name, "why": left.why} for left in plan.left], "waiting": list(plan.waiting),
    }  # fmt: skip


def _report(outcome: Outcome, *, as_json: bool) -> int:
    """Say what was done."""
    plan, entry = outcome.plan, outcome.entry
    remark(*outcome.remarks)
    if as_json:
        print_json({**_facts(plan), **entry_facts(entry)})
        return 1 if plan.is_empty else 0
    for left in plan.left:
        remark(f"stays a draft: {visible(left.name)} ({visible(left.why)})")
    for path in plan.waiting:
        remark(f"{path} is on {plan.target} already, and no PM approved it: the merge request asks for just that")
    if plan.is_empty:
        remark("nothing to submit" + (f": {entry.url}" if entry and entry.url else ""))
        return 1
    print(plan.title)
    print_request(entry, plan.branch)
    return 0
