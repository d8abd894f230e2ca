"""``brain sync``: read what a team has written down already, and draft what is worth remembering of it."""

from __future__ import annotations

import os
import sys

from brain.clock import today
from brain.commands import Context, add_json, draft_path, is_wanted, print_json, remark
from brain.errors import BrainError
from brain.git.refs import find_repo
from brain.layout import printable
from brain.model.model import find_model
from brain.recall.doubts import repo_folders
from brain.sources.documents import name_of
from brain.sources.filing import NEW, SAME, UPDATE, Desk
from brain.sources.imports import repo_name
from brain.sources.sync import carry_out, locked, make_plan
from brain.submit.submitted import submitted_memories
from brain.telemetry import EVENTS, record
from brain.text import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Iterator, Sequence
    from typing import Any

    from brain.git.refs import Repo
    from brain.model.model import Model
    from brain.sources.sync import Done, Plan
    from brain.workspace import Brain

HELP = "draft memories of documents: decision records, glossaries, lessons learned, change logs; or by a model"
NOBODY = "nobody is there to say that it is to start"
MOST_SHOWN = 20
"""Reasons that are told one by one; of more, their number is said."""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the command's options."""
    add = parser.add_argument
    add("paths", nargs="*", metavar="PATH", help="folders and files of the repo (default: all of it)")
    add("--repo", default="", metavar="REPO", help="another repo: its name in brain.toml, docs, or its folder")
    add("--yes", action="store_true", help="do not ask before it starts")
    add("--dry-run", action="store_true", help="say what it would cost and draft; write nothing, ask no model")
    route = parser.add_mutually_exclusive_group()
    route.add_argument("--model", action="store_true", help="fail where no model is set (default: ask it if one is)")
    route.add_argument("--no-model", action="store_true", help="only what the built-in readers know")
    add_json(parser)


def run(args: Namespace, context: Context) -> int:
    """Say the cost, ask, and draft; exit 1 where a document is not done, or nobody wanted it."""
    brain = context.open_brain()
    repo = _repo(args, context, brain)
    model = None if args.no_model else find_model(brain.config, context.env, brain.workspace)
    if args.model and model is None:
        raise BrainError("no model is set", "set model.command or model.endpoint (brain config model)")
    below = [_below(path, repo, context, named=bool(args.repo)) for path in args.paths] or [""]
    desk = Desk(brain, today(context.env), submitted_memories(brain.repo), write=not args.dry_run)
    with locked(brain.repo, "brain sync"):
        plan = make_plan(brain, repo, repo_name(repo), below, desk, model)
        _say_cost(plan, model)
        if not plan.works or args.dry_run:
            return _report(args, brain, plan, list(carry_out(brain, plan, desk, None)), written=not args.dry_run)
        if not args.yes and not is_wanted("Start?", NOBODY, "add --yes, or --dry-run to look"):
            remark("nothing was read")
            return 1
        done = list(_shown(carry_out(brain, plan, desk, model), len(plan.works)))
    ids = [outcome.id for row in done for outcome in row.outcomes if outcome.kind in (NEW, UPDATE)]
    failed = sum(bool(row.failure) for row in done)
    record(brain.workspace.state_dir, EVENTS, "synced", repo=plan.name, documents=len(done), failed=failed, ids=ids)
    return _report(args, brain, plan, done, written=True)


def _repo(args: Namespace, context: Context, brain: Brain) -> Repo:
    """Return the repo whose documents are read."""
    if not args.repo:
        if not brain.workspace.code_repo:
            raise BrainError(f"{brain.workspace.root} is in no git repository", "name the code repo: --repo PATH")
        return brain.workspace.code_repo
    folders = repo_folders(brain)
    folder = folders.get(args.repo) or os.path.join(context.cwd, os.path.expanduser(args.repo))
    if not os.path.isdir(folder):
        reason = f"--repo {args.repo}: there is no such folder, and no clone here of a repo of that name"
        raise BrainError(reason, f"write a folder, or one of {', '.join(filter(None, folders))}")
    repo = find_repo(folder)
    if repo is None:
        raise BrainError(f"--repo {args.repo}: {folder} is in no git repository", "only what is committed is read")
    return repo


def _below(path: str, repo: Repo, context: Context, *, named: bool) -> str:
    """Return a path from the repo's top, "" for the top: where the repo is named, that is where paths begin."""
    top = os.path.realpath(repo.path)
    whole = os.path.realpath(os.path.join(top if named else context.cwd, os.path.expanduser(path)))
    below = name_of(os.fsencode(os.path.relpath(whole, top).replace(os.sep, "/")))
    if below == ".." or below.startswith("../"):
        raise BrainError(f"{path} is not in {repo.path}", "name the repo it is in: --repo PATH")
    return "" if below == "." else below


def _say_cost(plan: Plan, model: Model | None) -> None:
    """Say what there is to do, and what it costs."""
    where, there = f"{plan.name} at {plan.listing.commit[:12]}", _documents(len(plan.listing.entries))
    if plan.works:
        since = f"changed since {plan.cursor.commit[:12]}" if plan.cursor.commit else "read for the first time"
        known = sum(bool(work.reading) for work in plan.works)
        remark(f"{where}: {len(plan.works)} of {there} to read ({since}); the built-in readers know {known}")
        asked = sum(bool(work.tokens) for work in plan.works)
        cost = f"{asked} by {model.label}, about {plan.tokens:,} tokens" if asked and model else "no model is asked"
        remark(f"cost: {cost}")
    else:
        remark(f"{where}: nothing to do: {there}, all read before")
    if plan.waiting:
        remark(f"{_documents(len(plan.waiting))} that a model drafted from changed: they wait for a run with a model")


def _documents(count: int) -> str:
    return f"{count} document{'s' if count != 1 else ''}"


def _shown(rows: Iterator[Done], count: int) -> Iterator[Done]:
    """Yield the rows; on a terminal, show how far it is."""
    is_terminal = sys.stderr is not None and sys.stderr.isatty()
    for number, row in enumerate(rows, 1):
        if is_terminal:
            print(f"\r\033[K{number}/{count} {printable(row.path)[-60:]}", end="", file=sys.stderr, flush=True)
        yield row
    if is_terminal:
        print("\r\033[K", end="", file=sys.stderr, flush=True)


def _report(args: Namespace, brain: Brain, plan: Plan, done: Sequence[Done], *, written: bool) -> int:
    """Print what was drafted, or would be, and say what was not and why; 1 where a document is not done."""
    failed = [row for row in done if row.failure]
    if args.json:
        print_json(_facts(brain, plan, done, written=written))
        return 1 if failed else 0
    outcomes = [(row.path, outcome) for row in done for outcome in row.outcomes]
    for path, outcome in outcomes:
        if outcome.kind in (NEW, UPDATE):
            place = printable(f"{path}#{outcome.anchor}")
            print(f"{outcome.kind}\t{outcome.id}\t{place}\n\t{draft_path(brain, outcome.path)}")
        for text in outcome.remarks:
            remark(f"warning: {outcome.id}: {visible(text)}")
    _say_left(_left(plan, done))
    for memory_id, path in sorted(plan.gone.items()):
        remark(f"{memory_id}: its document {printable(path)} is there no more: is it still true?")
    for row in failed:
        remark(f"warning: {printable(row.path)}: not done, the next sync tries it again: {visible(row.failure)}")
    if done:
        kinds = [outcome.kind for _, outcome in outcomes]
        would, more = ("", "; brain pending lists them") if written else ("would be ", "")
        same = f", {kinds.count(SAME)} as before" if SAME in kinds else ""
        remark(f"{would}{kinds.count(NEW)} new and {kinds.count(UPDATE)} updated drafts{same}{more}")
    return 1 if failed else 0


def _say_left(left: Sequence[tuple[str, str]]) -> None:
    for place, why in left[:MOST_SHOWN]:
        remark(f"left: {printable(place)}: {visible(why)}")
    if len(left) > MOST_SHOWN:
        remark(f"left: {len(left) - MOST_SHOWN} more (--json tells all)")


def _left(plan: Plan, done: Sequence[Done]) -> list[tuple[str, str]]:
    """Return place → why of all that was known and not drafted."""
    left = [(f"{row.path}#{part.anchor}", part.reason) for row in done for part in row.left]
    left += [
        (f"{row.path}#{outcome.anchor}", outcome.why)
        for row in done
        for outcome in row.outcomes
        if outcome.kind not in (NEW, UPDATE, SAME)
    ]
    return [*left, *plan.listing.passed.items()]


def _facts(brain: Brain, plan: Plan, done: Sequence[Done], *, written: bool) -> dict[str, Any]:
    drafts = [
        {
            "action": outcome.kind, "id": outcome.id, "path": draft_path(brain, outcome.path), "source": row.path,
            "anchor": outcome.anchor, "warnings": list(outcome.remarks),
        }
        for row in done for outcome in row.outcomes if outcome.kind in (NEW, UPDATE)
    ]  # fmt: skip
    return {
        "written": written, "repo": plan.name, "commit": plan.listing.commit, "documents": len(plan.works),
        "asked": sum(bool(work.tokens) for work in plan.works), "tokens": plan.tokens, "drafts": drafts,
        "same": sum(outcome.kind == SAME for row in done for outcome in row.outcomes),
        "left": [{"place": place, "why": why} for place, why in _left(plan, done)],
        "failed": [{"source": row.path, "why": row.failure} for row in done if row.failure],
        "waiting": list(plan.waiting), "gone": plan.gone,
    }  # fmt: skip
