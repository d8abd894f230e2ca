"""Bring a ticket's submitted drafts back to ``_pending/`` for editing; its merge request waits as a draft."""

from __future__ import annotations

from brain.errors import BrainError, ForgeError
from brain.submit.commit import is_in
from brain.submit.gather import fetch_heads
from brain.submit.journal import CLOSED, PULLED
from brain.submit.request import DRAFT
from brain.submit.settle import bring_back
from brain.submit.texts import WORDS
from brain.value import replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from brain.submit.apply import Job
    from brain.submit.journal import Entry

MARK = "<!-- brain:pull-back {commit} -->"


def pull_back(job: Job, entry: Entry) -> tuple[Entry, tuple[str, ...]]:
    """Return the entry, pulled back, and remarks; done twice, it is done once.

    A text that a reviewer changed on the branch comes back as it is there.

    Raises:
        BrainError: There is nothing to bring back, or it cannot be written.
        GitError: The remote cannot be reached.
    """
    if entry.stage in (PULLED, CLOSED):  # their drafts are here; one that was dropped since is not brought again
        return entry, _tell(job, entry) if entry.stage == PULLED else ()
    heads = fetch_heads(job.brain, job.doors.link, entry.branch, entry.target)
    newer = heads.tip and is_in(job.brain.repo.path, entry.commit, heads.tip)
    remarks = bring_back(job.brain, entry, heads.tip if newer else entry.commit)
    pulled = replace(entry, stage=PULLED, leaving={})
    job.journal.save(pulled)
    return pulled, (*remarks, *_tell(job, pulled))


def _tell(job: Job, entry: Entry) -> tuple[str, ...]:
    """Mark the merge request as a draft and leave a note; the drafts are back even where GitLab does not answer."""
    gitlab = job.doors.gitlab
    if gitlab is None or not entry.iid:
        return ("warning: the merge request is not marked as a draft: there is no token",) if entry.iid else ()
    try:
        request = gitlab.merge_request(entry.iid)
        if not request.draft and not request.title.startswith(DRAFT):
            gitlab.update_merge_request(entry.iid, {"title": DRAFT + request.title})
        words = WORDS[job.brain.config["review.language"]]["pulled"].format(count=len(entry.drafts))
        gitlab.put_note(entry.iid, words, MARK.format(commit=entry.commit[:12]))
    except ForgeError as error:
        return (f"warning: !{entry.iid} is not marked as a draft: {error}",)
    return ()


def get_entry(entry: Entry | None, ticket: str) -> Entry:
    """Return the entry.

    Raises:
        BrainError: There is none.
    """
    if entry is None or not entry.drafts:
        raise BrainError(f"nothing of {ticket} is submitted from here", "brain status lists what is")
    return entry
