"""``brain lint``: judge drafts, files, a change, or all there is, before a reviewer has to."""

from __future__ import annotations

import os
import sys

from brain import clock
from brain.commands import Context, add_json, remark
from brain.errors import BrainError
from brain.git.refs import find_upstream
from brain.layout import PENDING
from brain.lint.run import Job, lint_all, lint_change, lint_disk
from brain.settings import load_config
from brain.workspace import find_memory_repo, find_workspace, read_state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from brain.git.refs import Repo
    from brain.lint.engine import Report

HELP = "check drafts, files or a whole commit: structure, secrets, personal data, attacks, duplicates"
SHOW_EVERY = 500
"""Files after which progress is shown."""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument(
        "paths", nargs="*", metavar="PATH", help="files or folders of the memory repo (this machine's drafts)"
    )
    parser.add_argument("--all", action="store_true", help="everything that HEAD holds, from git's objects")
    parser.add_argument("--base", metavar="REV", help="what HEAD adds or changes since it left REV, from git's objects")
    parser.add_argument("--scanner", action="store_true", help="run the second scanner too (the extra lint)")
    parser.set_defaults(usage=parser.error)
    add_json(parser)


def run(args: Namespace, context: Context) -> int:
    """Print what was found; exit 1 if an error is among it that nobody allowed."""
    if bool(args.paths) + args.all + bool(args.base) > 1:
        args.usage("give PATHS, --all or --base, one of them")
    report = _report(args, context)
    from brain.lint.render import as_json, as_lines, summary

    if args.json:
        print(as_json(report))
    else:
        for line in as_lines(report.findings):
            print(line)
        if report.remark:
            remark(report.remark)
        remark(summary(report))
    return 1 if any(finding.blocks for finding in report.findings) else 0


def _report(args: Namespace, context: Context) -> Report:
    workspace = find_workspace(context.cwd)
    config = load_config({}, read_state(workspace), context.env)
    repo = find_memory_repo(workspace, config)
    program = _scanner() if args.scanner else ""
    job = Job(repo, config["memory.root"], clock.today(context.env), workspace, program, show_progress)
    if args.all:
        return lint_all(job)
    if args.base:
        return lint_change(job, args.base)
    upstream = find_upstream(repo, config["memory.remote"], config["memory.branch"])
    paths = [os.path.join(context.cwd, path) for path in args.paths] or _drafts(repo, job.root)
    if not paths:
        remark("there are no drafts on this machine; brain lint --all judges everything that HEAD holds")
    return lint_disk(job, paths, upstream[1] if upstream else "")


def _scanner() -> str:
    from brain.lint.scanner import find_scanner

    program = find_scanner()
    if not program:
        raise BrainError("--scanner: gitleaks is not installed", "pip install '.[lint]' in Project Brain's folder")
    return program


def _drafts(repo: Repo, root: str) -> list[str]:
    folder = os.path.join(repo.work_tree, root, PENDING)
    return [folder] if repo.work_tree and os.path.isdir(folder) else []


def show_progress(done: int, count: int) -> None:
    """Say now and then how far it is; a terminal sees it in one line."""
    if sys.stderr.isatty():
        print(f"\rbrain: {done} of {count} files", end="\n" if done == count else "", file=sys.stderr, flush=True)
    elif done == count or done % SHOW_EVERY == 0:
        remark(f"{done} of {count} files")
