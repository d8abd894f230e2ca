"""Before the merge: the finalize commit on a merge request's own branch, and the merge of that very commit (SPEC §6.4).

This is the mode ``on-branch``. The index is not in it: it is rebuilt on the default branch, so that two merge requests
never conflict over it. Where the project takes approvals back on a push, the PM has to approve once more; the commit is
there then, and no second one is made.
"""

from __future__ import annotations

import time

from brain.errors import BrainError, InvalidMemoryError
from brain.finalize.approval import BLOCKED, BOT, CHANGED, FOREIGN, LEFT, OUTSIDE, RESET, STUCK, UNKNOWN, Reason
from brain.finalize.approvers import find_approvers
from brain.finalize.commit import make_commit
from brain.finalize.evidence import Witnesses
from brain.finalize.gather import read_heads
from brain.finalize.landing import OVERTAKEN_BY, PAUSES, PREFIX, merge_when_ready, push_seen, unclear
from brain.finalize.plan import APPROVED, OPEN, REMOVED, Problem, Step, final_files, make_message
from brain.finalize.seal import find_seal
from brain.finalize.tree import changed_blobs, read_files
from brain.forge.values import OPENED
from brain.index.build import read_memory
from brain.submit.commit import changes_between, merge_base
from brain.submit.plan import LABEL
from brain.submit.push import ARRIVED, MOVED
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from brain.finalize.job import Job
    from brain.forge.values import MergeRequest
    from brain.submit.push import Heads

TOLD = frozenset((FOREIGN, BOT, BLOCKED, LEFT, CHANGED, UNKNOWN))
"""Why an approval does not count that somebody should know of; the others wait for the PM."""
UNREADY = frozenset(("unchecked", "checking", "preparing", "approvals_syncing", ""))
"""States in which it cannot be told yet whether a push took approvals away (smarkets/marge-bot#85)."""


@value
class Ended:
    """How it went with one merge request: the commit that is merged (or will be; "" for none), what is in the way."""

    iid: int
    title: str
    commit: str = ""
    problem: Problem | None = None


def finalize_open(job: Job, iid: int) -> list[Ended]:
    """Finalize and merge the open merge requests that a PM approved, or the one ``iid`` (0: all); none that waits.

    Raises:
        GitError: The remote cannot be reached.
        ForgeError: GitLab did not answer.
    """
    heads = read_heads(job)
    approvers = find_approvers(job, heads.default, heads.base, find_seal(job, heads.base).trusted)
    ended = []
    for request in list(_open_requests(job, heads.default, iid)):
        witnesses = Witnesses(job, heads.default, approvers.names)
        try:
            ended += _finalize_one(job, witnesses, heads, request)
        except BrainError as error:
            ended.append(_stopped(request, STUCK, str(error)))
    return ended


def _open_requests(job: Job, target: str, iid: int) -> Iterator[MergeRequest]:
    rows = (
        [job.gitlab.merge_request(iid)]
        if iid
        else job.gitlab.merge_requests(state=OPENED, target_branch=target, labels=LABEL)
    )
    for row in rows:
        ours = row.source_branch.startswith(PREFIX) and not row.is_foreign
        if row.state == OPENED and row.target_branch == target and not (row.draft or ours):
            yield row


def _stopped(request: MergeRequest, code: str, *names: str) -> Ended:
    return Ended(request.iid, request.title, problem=Problem(OPEN, request.title, request.iid, Reason(code, names)))


def _finalize_one(job: Job, witnesses: Witnesses, heads: Heads, request: MergeRequest) -> list[Ended]:
    evidence = witnesses.evidence(request)
    if not evidence.approver:
        reason = evidence.reason
        return [_stopped(request, reason.code, *reason.names)] if reason and reason.code in TOLD else []
    outside = _outside(job, heads, request)
    if outside:
        return [_stopped(request, OUTSIDE, *outside)]
    steps, changes = _plan(job, heads, request, evidence.approver)
    commit = request.sha
    if changes:
        commit = make_commit(job, request.sha, changes, make_message(steps, request.sha))
        answer = push_seen(job, request.source_branch, commit, request.sha)
        if answer.state == MOVED:
            return [_stopped(request, CHANGED)]
        if answer.state != ARRIVED:
            raise unclear(request.source_branch, answer)
        request = _settled(job, request, commit)
        if not witnesses.evidence(request).approver:
            return [_stopped(request, RESET)]
    landing = merge_when_ready(job, request, commit)
    if landing.state == OVERTAKEN_BY:
        return [_stopped(request, STUCK, job.gitlab.merge_request(request.iid).status)]
    return [Ended(request.iid, request.title, commit)]


def _outside(job: Job, heads: Heads, request: MergeRequest) -> list[str]:
    """Return what a merge request changes outside the memory root: of that, the approval was not looked at."""
    base = merge_base(job.repo, heads.base, request.sha)
    return [path for path in changed_blobs(job.repo, base, request.sha, "") if not path.startswith(f"{job.root}/")]


def _plan(job: Job, heads: Heads, request: MergeRequest, approver: str) -> tuple[list[Step], dict[str, bytes | None]]:
    """Return what is done with the memories that a merge request changes, and the files that this makes."""
    base = merge_base(job.repo, heads.base, request.sha)
    blobs = changes_between(job.repo, base, request.sha, job.root)
    steps: list[Step] = []
    changes: dict[str, bytes | None] = {}
    for path, content in read_files(job.repo, blobs).items():
        try:
            memory = read_memory(path, content) if content else None
        except InvalidMemoryError:  # lint's to say
            continue
        if content and memory and memory.status != "deprecated":
            step = Step(REMOVED if memory.removal else APPROVED, path, approver, request.iid)
            made = final_files(path, content, memory, step)
            if made != {path: content}:
                steps.append(step)
                changes.update(made)
    return steps, changes


def _settled(job: Job, request: MergeRequest, commit: str) -> MergeRequest:
    """Return a merge request once GitLab has seen a push, and what it does to approvals."""
    for pause in (0.0, *PAUSES):
        time.sleep(pause)
        request = job.gitlab.merge_request(request.iid)
        if request.state != OPENED or (request.sha == commit and request.status not in UNREADY):
            break
    return request
