"""What the commands share that propose something: how a plan is said, and the merge request."""

from __future__ import annotations

from brain.commands import add_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser
    from typing import Any

    from brain.submit.journal import Entry
    from brain.submit.plan import Plan
    from brain.tend.promote import Proposed


def add_proposing(parser: ArgumentParser) -> None:
    """Add what all have that propose something."""
    parser.add_argument("--dry-run", action="store_true", help="print what would be done, and do nothing")
    add_json(parser)


def plan_facts(plan: Plan) -> dict[str, Any]:
    """Return where a plan leads, and whom it asks, for programs."""
    return {
        "branch": plan.branch, "target": plan.target, "parent": plan.parent, "title": plan.title,
        "mergeRequest": plan.iid or None, "assignee": plan.assignee or None, "reviewers": list(plan.reviewers),
    }  # fmt: skip


def entry_facts(entry: Entry | None) -> dict[str, Any]:
    """Return what became of a plan, for programs."""
    return {"mergeRequest": entry.iid or None, "url": entry.url or None, "stage": entry.stage} if entry else {}


def print_plan(plan: Plan) -> None:
    """Print where a plan leads, and whom it asks."""
    print(f"branch: {plan.branch}, on {plan.target} {plan.parent[:12]}\ntitle: {plan.title}")
    people = [f"assignee {plan.assignee}"] if plan.assignee else []
    people += [f"reviewer {name}" for name in plan.reviewers]
    print(f"merge request: {f'!{plan.iid}' if plan.iid else 'a new one'}")
    print(f"for: {', '.join(people) or 'nobody is named in brain.toml'}")


def print_request(found: Entry | Proposed | None, branch: str) -> None:
    """Print the merge request, or the branch that none was opened for."""
    print(f"!{found.iid} {found.url}" if found and found.iid else f"pushed: {branch}")
