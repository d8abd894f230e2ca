"""Bring a commit to the default branch: by push, or where that is refused through a merge request of its own.

Every step looks first whether an earlier run has done it, so that a run that was killed anywhere is finished by the
next (SPEC §6.4, facts.md §5).
"""

from __future__ import annotations

import time

from brain.errors import BrainError, ForgeError, GitError
from brain.forge.values import MERGED, OPENED
from brain.submit.commit import is_in
from brain.submit.plan import LABEL
from brain.submit.push import ARRIVED, MOVED, REFUSED, Answer
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from brain.finalize.job import Job
    from brain.forge.values import MergeRequest

PREFIX = "memory/finalize-"
"""What the branches of finalize's own merge requests begin with."""
PAUSES = (0.1, 0.2, 0.5, 1.0, 1.0, 2.0, 2.0, 4.0, 4.0, 8.0, 8.0, 15.0, 15.0)
"""Seconds between looks at a merge request, a minute in all: GitLab looks some time after it is asked."""
SETTLING = frozenset(("unchecked", "checking", "preparing", "approvals_syncing", "ci_must_pass", ""))
"""States that may pass by themselves; a pipeline that must succeed may not have been made yet."""
OVERTAKEN = frozenset(("conflict", "broken_status", "need_rebase", "commits_status", "not_open"))
"""The default branch moved meanwhile, or somebody closed it: what it was made from does not hold any more."""
RUNNING = "ci_still_running"
BUSY = "failed to update ref"
"""What git says there where another push of the same branch is under way."""
LANDED, OVERTAKEN_BY, WAITING = "landed", "overtaken", "waiting"


@value
class Landing:
    """How it went.

    ``LANDED``; ``OVERTAKEN_BY`` others, so that all is to be read again; or ``WAITING`` for its pipeline, after which
    it merges by itself. ``iid`` is its merge request, 0 for none.
    """

    state: str
    iid: int = 0
    url: str = ""


@value
class Said:
    """What a merge request of finalize's own says."""

    title: str
    description: str


def land(job: Job, target: str, commit: str, base: str, said: Said) -> Landing:
    """Bring a commit on ``base`` to the branch ``target``.

    Raises:
        GitError: The push was refused, or there is no clear answer to it.
        ForgeError: GitLab said no.
        BrainError: What GitLab waits for, nobody but a person can do.
    """
    answer = push_seen(job, target, commit, base)
    if answer.state == ARRIVED:
        return Landing(LANDED)
    if answer.state == MOVED:
        return Landing(OVERTAKEN_BY)
    if answer.state != REFUSED:
        raise unclear(target, answer)
    return _land_by_request(job, target, commit, said)


def push_seen(job: Job, branch: str, commit: str, before: str) -> Answer:
    """Push; where it did not arrive, look what is there: another run's push, or ours whose answer was lost."""
    answer = job.link.push(branch, commit, before)
    for pause in PAUSES[:3]:
        if answer.state == ARRIVED:
            break
        heads = job.link.heads(branch, job.branch)
        job.link.fetch(heads, branch)
        if heads.tip and is_in(job.repo, commit, heads.tip):
            return Answer(ARRIVED, answer.words)
        if heads.tip != before:
            return Answer(MOVED, answer.words)
        if BUSY not in answer.words:
            break
        time.sleep(pause)
        answer = job.link.push(branch, commit, before)
    return answer


def unclear(branch: str, answer: Answer) -> GitError:
    """Return the error for a push that neither arrived nor was overtaken."""
    hint = "the token needs the scope write_repository, and its owner a role that may push there"
    if answer.state != REFUSED:
        hint = "nothing is lost: the next run goes on from what arrived"
    return GitError(["push", branch], 1, f"error: {answer.words}", hint)


def _land_by_request(job: Job, target: str, commit: str, said: Said) -> Landing:
    branch = f"{PREFIX}{commit[:12]}"
    _clear_away(job, branch)
    answer = push_seen(job, branch, commit, "")
    if answer.state != ARRIVED:
        raise unclear(branch, answer)
    fields = {
        "title": said.title, "description": said.description, "labels": LABEL, "remove_source_branch": True,
        "squash": False,
    }  # fmt: skip
    try:
        request = job.gitlab.find_open(branch) or job.gitlab.create_merge_request(branch, target, fields)
    except ForgeError:
        if job.link.heads(branch, job.branch).tip:
            raise
        return Landing(OVERTAKEN_BY)  # another run has merged it meanwhile, and the branch is gone
    landing = merge_when_ready(job, request, commit)
    if landing.state == OVERTAKEN_BY:
        _abandon(job, request.iid, branch)
    return landing


def _clear_away(job: Job, branch: str) -> None:
    """Take away what runs left whose commit does not hold any more; a branch that somebody else asks to merge stays."""
    for name in job.gitlab.branches(f"^{PREFIX}"):
        if not name.startswith(PREFIX) or name == branch:
            continue
        requests = [row for row in job.gitlab.merge_requests(source_branch=name, state=OPENED) if not row.is_foreign]
        if any(row.author.id != job.me.id for row in requests):
            continue
        for row in requests:
            job.gitlab.update_merge_request(row.iid, {"state_event": "close"})
        job.gitlab.delete_branch(name)


def _abandon(job: Job, iid: int, branch: str) -> None:
    if job.gitlab.merge_request(iid).state == OPENED:
        job.gitlab.update_merge_request(iid, {"state_event": "close"})
    job.gitlab.delete_branch(branch)


def merge_when_ready(job: Job, request: MergeRequest, commit: str) -> Landing:
    """Merge a merge request whose head is ``commit``, waiting for GitLab to find that it can be.

    Raises:
        ForgeError: GitLab said no.
        BrainError: It waits for something that this token cannot do.
    """
    said: ForgeError | None = None
    for pause in (0.0, *PAUSES):
        time.sleep(pause)
        request = job.gitlab.merge_request(request.iid)
        if request.state == MERGED:
            return Landing(LANDED, request.iid, request.url)
        if request.sha != commit or request.status in OVERTAKEN:
            return Landing(OVERTAKEN_BY, request.iid, request.url)
        if request.status == RUNNING and request.auto_merge:
            return Landing(WAITING, request.iid, request.url)
        if request.status in SETTLING:
            continue
        if request.status not in ("mergeable", RUNNING):
            break
        try:
            return _merge(job, request, commit)
        except ForgeError as error:
            if error.status not in (405, 406, 422) and not error.unclear:
                raise
            said = error
    raise _stuck(request, said)


def _merge(job: Job, request: MergeRequest, commit: str) -> Landing:
    fields = {"should_remove_source_branch": True, "squash": False}
    if request.status == RUNNING:
        fields |= {"auto_merge": True, "merge_when_pipeline_succeeds": True}  # the second is what it was called before
    try:
        merged = job.gitlab.merge(request.iid, commit, **fields)
    except ForgeError as error:
        if error.status == 409:
            return Landing(OVERTAKEN_BY, request.iid, request.url)
        raise
    return Landing(LANDED if merged.state == MERGED else WAITING, request.iid, request.url)


def _stuck(request: MergeRequest, said: ForgeError | None) -> BrainError:
    """Return the error for a merge request that does not become mergeable."""
    hints = {
        "not_approved": "the project demands an approval: approve it, or let the bot push to the default branch",
        "ci_must_pass": "its pipeline must succeed: run it, or mend what fails; the next run goes on",
    }
    hint = hints.get(request.status, "open it in a browser: GitLab says what it waits for; the next run goes on")
    if said and request.status not in hints:
        return ForgeError(said.request, said.status, f"!{request.iid} ({request.status}): {said.reason}", hint)
    return BrainError(f"!{request.iid} cannot be merged: {request.status or 'no reason given'}: {request.url}", hint)
