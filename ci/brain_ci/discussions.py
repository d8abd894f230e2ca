"""Discussions at the lines of errors: begun once, resolved when the error is gone (facts.md §8).

Each begins with a mark that holds the finding's fingerprint, which stays the same when lines move. Only those whose
first note is ours count: nobody else's text can pass for one.
"""

from __future__ import annotations

import os
import re

from brain.git.run import try_git
from brain.value import value
from brain_ci.note import render_thread

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from brain.errors import ForgeError
    from brain.forge.gitlab import GitLab
    from brain.forge.values import Version
    from brain.lint.finding import Finding

MARK = "<!-- brain:lint {fingerprint} -->"
MARKED = re.compile(r"<!-- brain:lint ([0-9a-f]{20}) -->")
MOST_OPEN = 20
"""Discussions of ours that are open at a time; the note has the rest."""
COMMIT_ID = re.compile(r"[0-9a-f]{40,64}")
HUNK = re.compile(r"@@ -\S+ \+(\d+)(?:,(\d+))? @@")


@value
class Thread:
    """A discussion of ours: GitLab's id, the finding it is about, and whether it is resolved, by us or by a person."""

    id: str
    fingerprint: str
    resolved: bool
    by_us: bool


@value
class Spot:
    """An error on a line that the merge request changes; ``old_path`` differs where the file was moved."""

    finding: Finding
    old_path: str


@value
class Plan:
    """What there is to do: errors to begin a discussion at, ids of discussions to resolve, and to open again."""

    begin: tuple[Spot, ...]
    resolve: tuple[str, ...]
    reopen: tuple[str, ...]


def keep_discussions(gitlab: GitLab, iid: int, repo: str, findings: Sequence[Finding], language: str) -> None:
    """Make the discussions of a merge request fit what was found.

    Raises:
        ForgeError: GitLab does not answer, or the token may not do it.
    """
    version = next(iter(gitlab.versions(iid)), None)
    errors = [finding for finding in findings if finding.blocks]
    if version is None or not all(map(COMMIT_ID.fullmatch, (version.base, version.start, version.head))):
        return
    threads = list(_threads(gitlab, iid))
    plan = plan_discussions(threads, find_spots(repo, version, errors), {error.fingerprint for error in errors})
    at = f"{gitlab.at}/merge_requests/{iid}/discussions"
    for thread in (*plan.resolve, *plan.reopen):
        gitlab.connection.call("put", f"{at}/{thread}", body={"resolved": thread in plan.resolve})
    for spot in plan.begin:
        _begin(gitlab, iid, version, spot, language)


def plan_discussions(threads: Iterable[Thread], spots: Iterable[Spot], errors: Collection[str]) -> Plan:
    """Return what there is to do, ``errors`` being the fingerprints of all there are.

    What a person resolved stays so while the error is there: the note and the verdict still name it.
    """
    known = {thread.fingerprint: thread for thread in threads}
    resolve = [thread.id for thread in known.values() if not thread.resolved and thread.fingerprint not in errors]
    again = [row.id for row in known.values() if row.resolved and row.by_us and row.fingerprint in errors]
    room = MOST_OPEN - sum(not thread.resolved for thread in known.values()) + len(resolve) - len(again)
    new: dict[str, Spot] = {}
    for spot in spots:
        if len(new) >= room:
            break
        if spot.finding.fingerprint not in known:
            new.setdefault(spot.finding.fingerprint, spot)
    return Plan(tuple(new.values()), tuple(resolve), tuple(again))


def find_spots(repo: str, version: Version, errors: Sequence[Finding]) -> Iterator[Spot]:
    """Yield the errors that stand on lines which the merge request adds, as far as this clone shows it.

    Each is looked for when it is asked for: there can be thousands.
    """
    moved = _moved(repo, version) if errors else {}
    lines: dict[str, list[range]] = {}
    for finding in errors:
        path, old = finding.path, moved.get(finding.path, finding.path)
        if path not in lines:
            lines[path] = _added_lines(repo, version, old, path)
        if any(finding.line in span for span in lines[path]):
            yield Spot(finding, old)


def _moved(repo: str, version: Version) -> dict[str, str]:
    """Return new path → old path of files that GitLab's diff shows as moved."""
    command = ("diff", "--name-status", "-z", "-M", "--diff-filter=R", version.base, version.head, "--")
    rows = try_git(repo, *command).out.split(b"\0")
    return {os.fsdecode(new): os.fsdecode(old) for old, new in zip(rows[1::3], rows[2::3], strict=False)}


def _added_lines(repo: str, version: Version, old: str, path: str) -> list[range]:
    """Return the line numbers that a file's diff adds; none where the file that was judged is another one.

    It is in a merged results pipeline, when the target branch changed the file as well.
    """
    names = [f":(literal){name}" for name in dict.fromkeys((old, path))]
    if try_git(repo, "diff", "--quiet", "HEAD", version.head, "--", f":(literal){path}").status:
        return []
    plain = ("--unified=0", "--no-color", "--no-ext-diff", "--no-textconv", "-M")
    diff = try_git(repo, "diff", *plain, version.base, version.head, "--", *names).out.decode("utf-8", "replace")
    hunks = filter(None, map(HUNK.match, diff.split("\n")))
    return [range(int(hunk[1]), int(hunk[1]) + int(hunk[2] or 1)) for hunk in hunks]


def _threads(gitlab: GitLab, iid: int) -> Iterator[Thread]:
    """Yield our discussions, the oldest first."""
    me = gitlab.person().id
    for row in gitlab.connection.each(f"{gitlab.at}/merge_requests/{iid}/discussions", {}):
        first: Mapping[str, Any] = next(iter(row.get("notes") or ()), {})
        marked = MARKED.match(str(first.get("body") or ""))
        if marked and (first.get("author") or {}).get("id") == me:
            by = (first.get("resolved_by") or {}).get("id")
            yield Thread(str(row.get("id")), marked[1], bool(first.get("resolved")), by == me)


def _begin(gitlab: GitLab, iid: int, version: Version, spot: Spot, language: str) -> None:
    """Begin a discussion once: where an answer was lost, look whether it is there before it is sent again.

    A line that GitLab does not take (its diff may be cut) is left to the note.
    """
    finding = spot.finding
    mark = MARK.format(fingerprint=finding.fingerprint)
    position = {
        "position_type": "text", "base_sha": version.base, "start_sha": version.start, "head_sha": version.head,
        "old_path": spot.old_path, "new_path": finding.path, "new_line": finding.line,
    }  # fmt: skip
    body = {"body": f"{mark}\n{render_thread(finding, language)}", "position": position}

    def find(error: ForgeError) -> bool | None:
        there = error.unclear and any(row.fingerprint == finding.fingerprint for row in _threads(gitlab, iid))
        return there or error.status == 400 or None

    gitlab.post_once(f"{gitlab.at}/merge_requests/{iid}/discussions", body, find)
