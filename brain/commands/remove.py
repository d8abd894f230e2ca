"""``brain remove``: propose that approved memories are removed, in one merge request."""

from __future__ import annotations

from brain.commands import Context, print_json, remark
from brain.commands.proposing import add_proposing, entry_facts, plan_facts, print_plan, print_request
from brain.commands.remember import decoded
from brain.errors import BrainError
from brain.layout import HARD, SOFT
from brain.submit.apply import open_job
from brain.submit.gather import open_doors, renew
from brain.submit.journal import locked
from brain.submit.removal import Wish
from brain.submit.removal_body import HISTORY, rewriting
from brain.submit.removal_facts import check_reason, plain_id
from brain.submit.removing import catch_up_all, prepare_removal, propose_removal
from brain.tend.originals import originals

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from typing import Any

    from brain.submit.journal import Entry
    from brain.submit.plan import Plan
    from brain.submit.removal import Facts

HELP = "propose that approved memories are removed"


def add_arguments(parser: ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("ids", nargs="*", metavar="ID", help="the memories, by id or path: one merge request")
    parser.add_argument("--reason", metavar="TEXT", help="why: the approver sees it, and the file keeps it")
    parser.add_argument("--promoted", metavar="KIT", help="all that this kit repo has as rules or skills by now")
    parser.add_argument("--hard", action="store_true", help="for good, not to _deprecated/; history still holds it")
    add_proposing(parser)


def run(args: Namespace, context: Context) -> int:
    """Propose the removal; proposed already, say where."""
    ids, reason = args.ids, args.reason or ""
    if args.promoted:
        brain = context.open_brain()
        fresh = renew(brain, open_doors(brain, context.env).link, context.open_brain)
        ids, reason = originals(fresh, args.promoted, ids, context.env)
    elif not ids:
        raise BrainError("which memories are to be removed?", "name their ids, or --promoted KIT")
    return propose(args, context, ids, check_reason(decoded(reason)), HARD if args.hard else SOFT)


def propose(args: Namespace, context: Context, names: list[str], reason: str, removal: str) -> int:
    """Propose a removal, or ("") a restore, and say what was done."""
    brain = context.open_brain()
    ids = sorted({plain_id(name, brain.config["memory.root"]) for name in names})
    wish = Wish(tuple(ids), reason, removal)
    job = open_job(brain, context.env, context.open_brain)
    if args.dry_run:
        facts, ready = prepare_removal(job, wish, job.journal.find(wish.branch))
        _warn(facts)
        return _print_plan(ready.plan, facts, as_json=args.json)
    with locked(brain.repo, "brain remove" if removal else "brain restore", say=remark):
        found = catch_up_all(job, wish)
        remark(*found.remarks)
        facts, outcome = propose_removal(job, wish, found.entry)
    remark(*outcome.remarks)
    if facts.request and not found.entry:
        remark(f"proposed already, by {facts.request.author.username}; nothing of it was changed")
    _warn(facts)
    return _report(outcome.plan, outcome.entry, as_json=args.json)


def _warn(facts: Facts) -> None:
    """Say what is left to do: about drafts, and about the history of what is removed for good."""
    remark(*facts.remarks)
    paths = [target.memory.path for target in facts.targets if target.proposed.removal == HARD]
    if paths:
        remark(*(line.format(command=rewriting(facts.root, paths)) for line in HISTORY))


def _print_plan(plan: Plan, facts: Facts, *, as_json: bool) -> int:
    if as_json:
        print_json(_facts(plan))
        return 0
    print_plan(plan)
    for target in facts.targets:
        removal = target.proposed.removal
        print(f"{f'remove ({removal})' if removal else 'restore'}: {target.memory.path}")
        for reference in target.references:
            print(f"  {reference.how.replace('_', ' ')}: {reference.id}")
    return 0


def _facts(plan: Plan) -> dict[str, Any]:
    return {**plan_facts(plan), "memories": list(plan.about)}


def _report(plan: Plan, entry: Entry | None, *, as_json: bool) -> int:
    if as_json:
        print_json({**_facts(plan), **entry_facts(entry)})
        return 0
    print(plan.title)
    print_request(entry, plan.branch)
    return 0
