"""What ``brain status`` says: the memory repo, what is in it, and what the hooks did last."""

from __future__ import annotations

import json
import os

from brain.clock import DAY
from brain.git.fetch import STAMP
from brain.index.cache import cache_dir
from brain.pending import list_pending
from brain.telemetry import EVENTS, FAILURES, telemetry_dir
from brain.value import value
from brain.whereabouts import list_unapproved

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from brain.git.refs import Repo
    from brain.pending import Pending
    from brain.workspace import Brain, Workspace

TAIL_BYTES = 65536
"""How much of a log's end is read."""
INJECTED = "injected"


@value
class Overview:
    """The state of a workspace's memory; times are seconds since 1970, 0 where unknown.

    ``unapproved`` are ids of what was merged without a PM's approval, or is not finalized yet. ``injections`` and
    ``failures`` are rows of the hooks' logs, the latest first.
    """

    repo: str
    root: str
    ref: str
    commit: str
    fetched: float
    fetch_problem: str
    memories: int
    unapproved: tuple[str, ...]
    skipped: tuple[str, ...]
    drafts: tuple[Pending, ...]
    old_drafts: tuple[Pending, ...]
    injections: tuple[dict[str, Any], ...]
    failures: tuple[dict[str, Any], ...]


def make_overview(brain: Brain, now: float, rows: int = 3) -> Overview:
    """Return the overview, with at most ``rows`` of each log."""
    folder = telemetry_dir(brain.workspace.state_dir)
    drafts = list_pending(brain.memory_root, now)
    limit = brain.config["review.draftDays"]
    fetched, problem = last_fetch(brain.repo)
    injected = [row for row in read_log(os.path.join(folder, EVENTS)) if row["event"] == INJECTED]
    unapproved = tuple(memory.id for memory in list_unapproved(brain))
    old = tuple(draft for draft in drafts if draft.days > limit)
    return Overview(
        brain.repo.path, brain.config["memory.root"], brain.tree.ref, brain.tree.commit, fetched, problem,
        brain.tree.size, unapproved, brain.tree.skipped, tuple(drafts), old,
        tuple(injected[:rows]), latest_failures(brain.workspace, rows),
    )  # fmt: skip


def latest_failures(workspace: Workspace, rows: int = 3) -> tuple[dict[str, Any], ...]:
    """Return what hooks noted of their failures in a workspace, the latest first."""
    return tuple(read_log(os.path.join(telemetry_dir(workspace.state_dir), FAILURES))[:rows])


def last_fetch(repo: Repo) -> tuple[float, str]:
    """Return when the remote was last asked, by us or by hand, and "" or what was wrong then."""
    stamp = os.path.join(cache_dir(repo), STAMP)
    ours = _mtime(stamp)
    theirs = max(_mtime(os.path.join(folder, "FETCH_HEAD")) for folder in (repo.git_dir, repo.common_dir))
    if theirs >= ours:
        return theirs, ""
    try:
        with open(stamp, encoding="utf-8", errors="replace") as file:
            return ours, file.read(300).strip()
    except OSError:
        return ours, ""


def read_log(path: str) -> list[dict[str, Any]]:
    """Return a log's rows, the latest first: JSON objects with a number ``time`` and a text ``event``, no others."""
    try:
        with open(path, "rb") as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - TAIL_BYTES))
            lines = file.read().decode("utf-8", "replace").splitlines()
    except OSError:
        return []
    rows = filter(None, map(_row, lines))
    return sorted(rows, key=lambda row: -float(row["time"]))


def age(seconds: float) -> str:
    """Return a span of time for people.

    >>> [age(30), age(7200), age(200_000)]
    ['30 s', '2 h', '2 days']
    """
    if seconds < 120:
        return f"{max(0, int(seconds))} s"
    if seconds < 7200:
        return f"{int(seconds // 60)} min"
    return f"{int(seconds // 3600)} h" if seconds < 2 * DAY else f"{int(seconds // DAY)} days"


def _row(line: str) -> dict[str, Any] | None:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(row, dict) or not isinstance(row.get("event"), str):
        return None
    time = row.get("time")
    sane = isinstance(time, (int, float)) and not isinstance(time, bool) and 0 <= time < 1e11
    return row if sane else None


def _mtime(path: str) -> float:
    try:
        return os.stat(path).st_mtime
    except OSError:
        return 0.0
