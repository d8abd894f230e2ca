"""``brain-ci finalize``: make official what a PM approved, and put back what nobody did."""

from __future__ import annotations

import sys

from brain.finalize.apply import Outcome, adopt, finalize, tell, tell_mended
from brain.finalize.approvers import read_settings
from brain.finalize.check import check
from brain.finalize.gather import gather, read_heads
from brain.finalize.job import open_job, require_bot
from brain.finalize.landing import WAITING
from brain.finalize.on_branch import finalize_open
from brain.finalize.plan import plan_finalize
from brain.finalize.texts import say
from brain.git.refs import find_commit, find_upstream, get_repo
from brain.json_text import render_json
from brain.layout import printable
from brain.settings import load_config
from brain.submit.commit import is_in
from brain_ci.gitlab_env import read_before, read_merge_request, read_pipeline

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Mapping, Sequence
    from typing import Any

    from brain.finalize.apply import Adopted
    from brain.finalize.check import Fault
    from brain.finalize.job import Job
    from brain.finalize.on_branch import Ended
    from brain.finalize.plan import Plan, Problem
    from brain.git.refs import Repo

HELP = "make merged memories official that a PM approved, and rebuild the index"


ON_BRANCH = "on-branch"


def add_arguments(parser: ArgumentParser) -> None:
    """Add the job's options."""
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--check", action="store_true", help="only check the default branch as it is here; asks nobody")
    what.add_argument("--dry-run", action="store_true", help="print what would be done after merges, and do nothing")
    what.add_argument("--adopt", action="store_true", help="take all that is approved now for approved, once, by hand")
    what.add_argument("--merge-request", metavar="IID", type=int, help="this open merge request alone (on-branch)")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: Namespace, env: Mapping[str, str], cwd: str) -> int:
    """Finalize; exit 1 if something is not final, or the check finds something."""
    pipeline = read_pipeline(env, cwd)
    if args.check:
        return _check(get_repo(pipeline.folder), env)
    job = open_job(pipeline.folder, env)
    if args.dry_run:
        return _report(plan_finalize(gather(job)), None, [], [], as_json=args.json)
    settings = read_settings(job, read_heads(job).base)
    require_bot(job.me, settings["gitlab.bot"])
    if args.adopt:
        print(_say_adopted(adopt(job)))
        return 0
    request = read_merge_request(env)
    iid = args.merge_request or (request.iid if request else 0)
    ended = finalize_open(job, iid) if settings["review.finalize"] == ON_BRANCH else []
    merged = [row.iid for row in ended if row.commit]
    tell_mended(job, merged, settings["review.language"], "done")
    tell(job, [row.problem for row in ended if row.problem], settings["review.language"])
    outcome = None if iid else finalize(job)
    faults = _faults_after(job, outcome)
    return _report(outcome.plan if outcome else None, outcome, ended, faults, as_json=args.json)


def _say_adopted(done: Adopted) -> str:
    if done.landing is None:
        return "nothing to adopt: everything that is approved was looked at already"
    what = f"{done.memories} {'memory' if done.memories == 1 else 'memories'}"
    if done.landing.state == WAITING:
        return f"{what}: adopted once !{done.landing.iid} is merged: {done.landing.url}"
    return f"adopted: {what}, in commit {done.commit[:12]}"


def _faults_after(job: Job, outcome: Outcome | None) -> list[Fault]:
    """Check what finalize left, but for what it told of; where its commit waits, the pipeline after that one does."""
    if outcome is None or (outcome.landing and outcome.landing.state == WAITING):
        return []
    told = {path for row in outcome.plan.problems for path in (row.path, f"{job.root}/{row.path}")}
    return [row for row in _faults(job.repo, read_heads(job).base, job.root, job.env) if row.path not in told]


def _faults(repo: str, commit: str, root: str, env: Mapping[str, str]) -> list[Fault]:
    before = read_before(env)
    return check(repo, commit, root, before if before and is_in(repo, before, commit) else "")


def _check(repo: Repo, env: Mapping[str, str]) -> int:
    config = load_config({}, None, env)
    upstream = find_upstream(repo, config["memory.remote"], config["memory.branch"] or env.get("CI_DEFAULT_BRANCH", ""))
    head = find_commit(repo, "HEAD") or ""
    commit = upstream[1] if upstream and (not head or is_in(repo.path, head, upstream[1])) else head
    faults = _faults(repo.path, commit, config["memory.root"], env)
    _print_faults(faults)
    print(f"brain-ci: {len(faults) or 'no'} fault{'' if len(faults) == 1 else 's'}", file=sys.stderr)
    return 1 if faults else 0


def _print_faults(faults: Sequence[Fault]) -> None:
    for fault in faults:
        print(f"{printable(fault.path)}:{fault.line}: {fault.message}: {fault.mend}")


def _report(
    plan: Plan | None, outcome: Outcome | None, ended: Sequence[Ended], faults: Sequence[Fault], *, as_json: bool
) -> int:
    problems = [row.problem for row in ended if row.problem] + list(plan.problems if plan else ())
    if as_json:
        shown = [{"path": row.path, "line": row.line, "message": row.message, "mend": row.mend} for row in faults]
        print(render_json({**_facts(plan, outcome, ended, problems), "faults": shown}))
    else:
        for row in ended:
            if row.commit:
                print(f"merge: !{row.iid} at {row.commit[:12]}: {printable(row.title)}")
        for step in plan.steps if plan else ():
            by = f", approved by {step.reviewer}" if step.reviewer else ""
            print(f"{step.kind}: {printable(step.path)}{by}{f' (!{step.iid})' if step.iid else ''}")
        for problem in problems:
            print(f"not final: {printable(say(problem))}")
        _print_faults(faults)
        print(f"brain-ci: {_summary(plan, outcome)}", file=sys.stderr)
    return 1 if problems or faults else 0


def _summary(plan: Plan | None, outcome: Outcome | None) -> str:
    if plan is None:
        return "the default branch is left to its own pipeline"
    if plan.is_empty:
        return "nothing to commit: everything that is approved is final"
    subject = plan.message.partition("\n")[0]
    if outcome is None:
        return f"would commit on {plan.target} {plan.base[:12]}: {subject}"
    if outcome.landing and outcome.landing.state == WAITING:
        return f"{subject}: !{outcome.landing.iid} merges when its pipeline has succeeded: {outcome.landing.url}"
    return f"{outcome.commit[:12]} is on {plan.target}: {subject}"


def _facts(
    plan: Plan | None, outcome: Outcome | None, ended: Sequence[Ended], problems: Sequence[Problem]
) -> dict[str, Any]:
    landing = outcome.landing if outcome else None
    return {
        "target": plan.target if plan else None, "base": plan.base if plan else None,
        "commit": (outcome.commit if outcome else "") or None,
        "state": landing.state if landing else None, "mergeRequest": (landing.iid if landing else 0) or None,
        "merged": [{"mergeRequest": row.iid, "commit": row.commit} for row in ended if row.commit],
        "steps": [
            {"kind": step.kind, "path": step.path, "reviewer": step.reviewer or None, "mergeRequest": step.iid or None}
            for step in (plan.steps if plan else ())
        ],
        "problems": [
            {"kind": row.kind, "path": row.path, "mergeRequest": row.iid or None, "reason": row.reason.code,
             "names": list(row.reason.names)}
            for row in problems
        ],
        "changes": sorted(plan.changes) if plan else [],
    }  # fmt: skip
