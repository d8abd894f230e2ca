"""``brain-ci consolidate``: the weekly merge request, from a scheduled pipeline."""

from __future__ import annotations

import sys

from brain.json_text import render_json
from brain.layout import printable
from brain.submit.apply import open_job
from brain.submit.journal import locked
from brain.tend.consolidate import consolidate, prepare_consolidation
from brain.tend.say import facts_of
from brain.workspace import open_brain
from brain_ci.gitlab_env import read_pipeline

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Mapping

    from brain.workspace import Brain

HELP = "propose what keeps the memory true: counts, stale flags, removals; one merge request"


def add_arguments(parser: ArgumentParser) -> None:
    """Add the job's options."""
    parser.add_argument("--dry-run", action="store_true", help="print what would be proposed, and do nothing")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: Namespace, env: Mapping[str, str], cwd: str) -> int:
    """Propose; that there is nothing to propose fails no job."""
    folder = read_pipeline(env, cwd).folder

    def reopen() -> Brain:
        found = open_brain(folder, env)
        if found.config.problems:
            raise found.config.problems[0]
        return found

    brain = reopen()
    job = open_job(brain, env, reopen)
    if args.dry_run:
        tended, ready = prepare_consolidation(job, None)
        plan, entry, remarks = ready.plan, None, tended.remarks
    else:
        with locked(brain.repo, "brain-ci consolidate"):
            tended, outcome = consolidate(job)
        plan, entry, remarks = outcome.plan, outcome.entry, (*tended.remarks, *outcome.remarks)
    for text in remarks:
        print(f"brain-ci: {printable(text)}", file=sys.stderr)
    if args.json:
        print(render_json(facts_of(tended, plan, entry)))
    elif plan.is_empty:
        print("brain-ci: nothing to propose", file=sys.stderr)
    else:
        print(tended.description if args.dry_run else f"{plan.title}\n{entry.url if entry else ''}".strip())
    return 0
