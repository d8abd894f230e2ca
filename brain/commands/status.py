"""``brain status``: which memory this workspace has, what is in it, what the hooks did last."""

from __future__ import annotations

import os
import time

from brain import clock
from brain.commands import Context, add_json, print_json, remark, warn
from brain.errors import NoMemoryRepoError
from brain.index.cache import cache_dir
from brain.overview import Overview, age, latest_failures, make_overview
from brain.text import visible
from brain.workspace import find_workspace, open_brain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Sequence
    from typing import Any

    from brain.submit.journal import Entry
    from brain.workspace import Brain

MOST_NAMED = 5
"""Memories that a line names."""
HELP = "say what memory this workspace has and what the hooks did last"


def add_arguments(parser: ArgumentParser) -> None:
    """Add the command's options."""
    add_json(parser)


def run(args: Namespace, context: Context) -> int:
    """Print the overview; that there is no memory repo yet is an answer, too."""
    try:
        brain = open_brain(context.cwd, context.env)
    except NoMemoryRepoError as error:
        return _print_unconnected(error, latest_failures(find_workspace(context.cwd)), as_json=args.json)
    now = clock.now()
    submitted = _look_at_submitted(brain, context)
    overview = make_overview(brain, now)
    if args.json:
        print_json({**as_json(overview), "submitted": [_entry_facts(entry) for entry in submitted]})
    else:
        for line in as_lines(overview, now):
            print(line)
        for entry in submitted:
            print(f"submitted: {entry.sentence}")
    warn(brain.other_warnings)
    warn(map(str, brain.config.problems))
    return 0


def _print_unconnected(error: NoMemoryRepoError, failures: Sequence[dict[str, Any]], *, as_json: bool) -> int:
    if as_json:
        print_json({"repo": None, "problem": str(error), "hint": error.hint, "failures": list(failures)})
    else:
        print(f"{visible(str(error))}\nnext: {error.hint}")
        for row in failures:
            print(f"hook failed: {_row(row, clock.now())}")
    return 0


def _look_at_submitted(brain: Brain, context: Context) -> list[Entry]:
    """Return what is submitted and not over; finish what was interrupted, and bring back what was turned down."""
    if not os.path.isdir(os.path.join(cache_dir(brain.repo), "submitted")):
        return []
    from brain.submit.settle import refresh  # the whole room of submit, and GitLab's client

    found = refresh(brain, context.env, lambda: open_brain(context.cwd, context.env))
    remark(*(text for settled in found for text in settled.remarks))
    return [settled.entry for settled in found if settled.entry]


def _entry_facts(entry: Entry) -> dict[str, Any]:
    return {
        "ticket": entry.ticket, "stage": entry.stage, "branch": entry.branch, "mergeRequest": entry.iid or None,
        "url": entry.url or None, "drafts": list(entry.drafts), "memories": list(entry.about),
        "reason": entry.reason or None, "by": entry.by or None,
    }  # fmt: skip


def as_lines(overview: Overview, now: float) -> list[str]:
    """Return what people read, one fact a line."""
    fetched = f"fetched {age(now - overview.fetched)} ago" if overview.fetched else "never fetched"
    branch = f"{overview.ref} {overview.commit[:12]}" if overview.commit else "nothing is committed yet"
    unreadable = sum(bool(draft.problem) for draft in overview.drafts)
    lines = [
        f"memory repo: {overview.repo} ({overview.root})",
        f"approved on: {branch}, {fetched}",
        f"memories: {overview.memories}",
        f"drafts: {len(overview.drafts)}" + (f", {unreadable} of them unreadable" if unreadable else ""),
    ]
    if overview.fetch_problem:
        lines.insert(2, f"last fetch: {overview.fetch_problem}")
    if overview.unapproved:
        named = ", ".join(overview.unapproved[:MOST_NAMED]) + (", …" if overview.unapproved[MOST_NAMED:] else "")
        lines.insert(-1, f"merged, and not official: {len(overview.unapproved)}, which nobody recalls: {named}")
    old = [(draft.id or draft.path, draft.days) for draft in overview.old_drafts]
    lines += [f"old draft: {name}, {days} days: submit or drop it" for name, days in old]
    lines += [f"skipped: {text}" for text in overview.skipped]
    lines += [f"injected: {_row(row, now)}" for row in overview.injections] or ["injected: never, as far as is known"]
    return lines + [f"hook failed: {_row(row, now)}" for row in overview.failures]


def _row(row: dict[str, Any], now: float) -> str:
    when = time.strftime("%Y-%m-%d %H:%M", time.gmtime(row["time"]))
    told = " ".join(f"{key}={value}" for key, value in row.items() if key not in ("time", "event", "ids", "left"))
    return visible(f"{when} UTC, {age(now - row['time'])} ago: {row['event']} {told}".strip())[:300]


def as_json(overview: Overview) -> dict[str, Any]:
    """Return the stable machine form."""
    return {
        "repo": overview.repo, "root": overview.root, "ref": overview.ref, "commit": overview.commit,
        "fetched": overview.fetched or None, "fetchProblem": overview.fetch_problem, "memories": overview.memories,
        "unapproved": list(overview.unapproved),
        "drafts": len(overview.drafts), "skipped": list(overview.skipped),
        "oldDrafts": [{"id": draft.id, "path": draft.path, "days": draft.days} for draft in overview.old_drafts],
        "injections": list(overview.injections), "failures": list(overview.failures),
    }  # fmt: skip
