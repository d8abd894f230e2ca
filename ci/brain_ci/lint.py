"""``brain-ci lint``: the gate. The same engine as ``brain lint``, with reports that GitLab shows."""

from __future__ import annotations

import os
import sys

from brain import clock
from brain.errors import BrainError
from brain.files import write_file
from brain.git.refs import get_repo
from brain.lint.branch import lint_branch
from brain.lint.engine import INDEX_EDITED
from brain.lint.finding import order
from brain.lint.render import as_code_quality, as_junit, as_lines, one_line, summary
from brain.lint.run import Job, lint_all, lint_change
from brain.settings import load_config
from brain.value import replace
from brain_ci.gitlab_env import find_location, read_merge_request, read_pipeline

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Mapping

    from brain.forge.locate import Location
    from brain.lint.engine import Report
    from brain_ci.gitlab_env import MergeRequestPipeline, Pipeline

HELP = "check what a merge request changes, or the whole commit; write reports for GitLab and a note"
TOKEN = "BRAIN_NOTE_TOKEN"  # noqa: S105 - the name of a variable
NO_NOTE = "no note is written: {name} holds no token, and CI_JOB_TOKEN may not write notes"
MEMORY_BRANCH = "memory/"
"""What the branches of memories are called (SPEC §6.3): they may change memories alone."""
SHOW_EVERY = 1000
"""Files after which the job log says how far it is."""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the job's options."""
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--all", action="store_true", help="the whole commit, in a merge request too")
    what.add_argument("--base", metavar="REV", help="what HEAD changes since it left REV (the merge request's base)")
    parser.add_argument("--codequality", metavar="FILE", help="write GitLab's Code Quality report")
    parser.add_argument("--junit", metavar="FILE", help="write a JUnit report")
    parser.add_argument(
        "--scanner", choices=("auto", "need", "off"), default="auto",
        help="the second scanner: where it is installed; or fail without it; or not at all",
    )  # fmt: skip
    parser.add_argument(
        "--token-variable", metavar="NAME", default=TOKEN,
        help=f"the variable that holds the token for notes on the merge request (default: {TOKEN})",
    )  # fmt: skip


def run(args: Namespace, env: Mapping[str, str], cwd: str) -> int:
    """Print and write what was found; exit 1 if an error is among it that nobody allowed."""
    pipeline, request = read_pipeline(env, cwd), read_merge_request(env)
    config = load_config({}, None, env)
    job = Job(
        get_repo(pipeline.folder), config["memory.root"], clock.today(env), None, _scanner(args.scanner),
        _show_progress, request.branch if request else "",
    )  # fmt: skip
    base = "" if args.all else args.base or pipeline.base
    report = _report(job, base, request, pipeline)
    for line in as_lines(report.findings):
        print(line)
    if report.remark:
        print(f"brain-ci: {report.remark}", file=sys.stderr)
    _write_reports(args, report, cwd)
    since = f" changed since {one_line(base)}" if base else ""
    print(f"brain-ci: {summary(report)}{since}", file=sys.stderr)
    if base and request:
        where = find_location(env, config, args.token_variable)
        remark = _tell(request, report, job, base, where) if where else NO_NOTE.format(name=args.token_variable)
        if remark:
            print(f"brain-ci: {remark}", file=sys.stderr)
    return 1 if any(finding.blocks for finding in report.findings) else 0


def _report(job: Job, base: str, request: MergeRequestPipeline | None, pipeline: Pipeline) -> Report:
    report = lint_change(job, base) if base else lint_all(job)
    if base and request and request.branch.startswith(MEMORY_BRANCH):
        return replace(report, findings=tuple(sorted({*report.findings, *lint_branch(job, base)}, key=order)))
    if pipeline.is_default:  # an update just merged is still in the index: finalize mends that, and its check judges it
        return replace(report, findings=tuple(row for row in report.findings if row.rule != INDEX_EDITED))
    return report


def _tell(request: MergeRequestPipeline, report: Report, job: Job, base: str, where: Location) -> str:
    """Write what was found on the merge request, or return why not; the verdict stays as it is."""
    if request.is_foreign:
        return "no note is written: the pipeline runs in a fork"
    from brain_ci.tell import team_language, tell

    return tell(request, report, where, job.repo, team_language(job.repo, job.root, base))


def _write_reports(args: Namespace, report: Report, cwd: str) -> None:
    if args.codequality:
        write_file(os.path.join(cwd, args.codequality), as_code_quality(report.findings))
    if args.junit:
        write_file(os.path.join(cwd, args.junit), as_junit(report))


def _scanner(wish: str) -> str:
    if wish == "off":
        return ""
    from brain.lint.scanner import find_scanner

    program = find_scanner()
    if not program and wish == "need":
        raise BrainError("--scanner need: gitleaks is not installed", "pip install '.[lint]' in Project Brain's folder")
    return program


def _show_progress(done: int, count: int) -> None:
    if done == count or done % SHOW_EVERY == 0:
        print(f"brain-ci: {done} of {count} files", file=sys.stderr, flush=True)
