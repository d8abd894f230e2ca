"""Finish what was interrupted, and see how merge requests end: merged, turned down, or still open (SPEC §6.3).

What became of a push is seen on the remote, never guessed.
"""

from __future__ import annotations

import os

from brain.clock import today
from brain.drafts import put_draft
from brain.errors import BrainError, ConflictError
from brain.files import read_bytes, remove_file
from brain.forge.values import CLOSED as TURNED_DOWN
from brain.forge.values import MERGED
from brain.git.objects import blob_id, read_blobs
from brain.git.refs import find_commit
from brain.git.run import try_git
from brain.layout import PENDING, RETRO
from brain.rejected import forget_refusals, note_refusals
from brain.submit.apply import land, open_job, open_landed, take_away
from brain.submit.commit import blobs_at, is_in
from brain.submit.gather import fetch_heads, has_arrived, memory_of
from brain.submit.journal import CLOSED, OPEN, PLANNED, PULLED, PUSHED, Journal, locked
from brain.text import visible
from brain.value import replace, value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from brain.forge.gitlab import GitLab
    from brain.forge.values import MergeRequest, Note
    from brain.submit.apply import Job
    from brain.submit.journal import Entry
    from brain.workspace import Brain

MAX_DRAFT_BYTES = 1 << 20
OUR_NOTE = "<!-- brain:"
MAX_REASON = 300
LOOK_SECONDS = 5.0
NOT_UNDERSTOOD = "it cannot be understood; update Project Brain, or move it away: its texts are in refs/brain/submitted"


@value
class Settled:
    """An entry as it is after a look (None: it is over), and what there is to say."""

    entry: Entry | None
    remarks: tuple[str, ...] = ()


def recover(job: Job, entry: Entry) -> Entry | None:
    """Return the entry with what was interrupted finished, or undone where it did not arrive; None if nothing is left.

    Raises:
        GitError: The remote cannot be reached, so that it is not known what arrived.
    """
    if entry.flight:
        if _has_landed(job, entry):
            return land(job.brain, job.journal, entry)
        left = replace(entry, flight=None)
        if left.stage == PLANNED:
            job.journal.forget(entry)
            return None
        job.journal.save(left)
        return left
    take_away(job.brain, entry)
    return entry


def _has_landed(job: Job, entry: Entry) -> bool:
    flight, link, repo = entry.flight, job.doors.link, job.brain.repo.path
    assert flight
    heads = fetch_heads(job.brain, link, entry.branch, entry.target)
    if heads.tip and is_in(repo, flight.commit, heads.tip):
        return True
    return has_arrived(repo, flight.commit, heads.base, entry.root, tuple(flight.leaving))


def catch_up(job: Job, branch: str) -> Settled:
    """Return a branch's entry with what an earlier run left undone finished, and its merge request looked at.

    Raises:
        BrainError: The remote or GitLab did not answer.
    """
    entry = job.journal.find(branch)
    entry = recover(job, entry) if entry else None
    if entry is None or not (entry.drafts or entry.about or entry.iid):
        return Settled(entry)
    return look(job, entry)


def look(job: Job, entry: Entry) -> Settled:
    """Return an entry as its merge request stands: over where it was merged, drafts back where it was closed.

    Raises:
        ForgeError: GitLab did not answer.
    """
    if entry.stage == CLOSED:
        return _look_at_closed(job, entry)
    gitlab = job.doors.gitlab
    if gitlab is None:
        return Settled(None if _merged_here(job, entry) else entry)
    request = gitlab.merge_request(entry.iid) if entry.iid else _find(gitlab, entry)
    if request is None:
        return _look_without(job, entry)
    if request.state == MERGED:
        return _look_at_merged(job, entry, request)
    if request.state == TURNED_DOWN:
        return _turn_down(job, entry, gitlab, request)
    stage = PULLED if entry.stage == PULLED else OPEN
    found = replace(entry, stage=stage, iid=request.iid, url=request.url, leaving={})
    if found != entry:
        job.journal.save(found)
    return Settled(found)


def _find(gitlab: GitLab, entry: Entry) -> MergeRequest | None:
    """Return the merge request of what we pushed, whoever opened it."""
    found = list(gitlab.merge_requests(source_branch=entry.branch))
    return next((row for row in found if not row.is_foreign and row.sha == entry.commit), None)


def _look_without(job: Job, entry: Entry) -> Settled:
    """Return what a branch without a merge request is: merged by hand, or pushed by a run that was killed then."""
    if _merged_here(job, entry):
        return Settled(None)
    if entry.stage != PUSHED:
        return Settled(entry)
    opened, remarks = open_landed(job, entry)
    return Settled(opened, remarks)


def _merged_here(job: Job, entry: Entry) -> bool:
    """Say whether the default branch, as it is known here, has what was submitted; if so, the entry is over."""
    ref = f"refs/remotes/{job.brain.config['memory.remote']}/{entry.target}"
    target = find_commit(job.brain.repo, ref)
    paths = entry.drafts or entry.about
    merged = bool(target and paths) and has_arrived(job.brain.repo.path, entry.commit, target or "", entry.root, paths)
    if merged:
        end(job, entry)
    return merged


def _look_at_merged(job: Job, entry: Entry, request: MergeRequest) -> Settled:
    gitlab = job.doors.gitlab
    assert gitlab
    rows = gitlab.connection.each(f"{gitlab.at}/merge_requests/{request.iid}/commits", {})
    if request.sha == entry.commit or any(row.get("id") == entry.commit for row in rows):
        end(job, entry)
        return Settled(None, (f"{entry.ticket}: !{request.iid} is merged: {request.url}",))
    # merged before our last push arrived: that needs a merge request of its own
    again = replace(entry, stage=PUSHED, iid=0, url="")
    job.journal.save(again)
    return _look_without(job, again)


def end(job: Job, entry: Entry) -> None:
    """Forget what is merged, and what was once said against it.

    The retrospect is on the default branch now, and would be in the way of a pull.
    """
    path = f"{entry.root}/{RETRO}/{entry.ticket}.md"
    repo = job.brain.repo
    submitted = blobs_at(repo.path, entry.commit, [path]).get(path)
    tracked = try_git(repo.path, "--literal-pathspecs", "ls-files", "--error-unmatch", "--", path).status == 0
    file = os.path.join(repo.work_tree, *path.split("/"))
    if submitted and repo.work_tree and not tracked and blob_id(read_bytes(file), submitted) == submitted:
        remove_file(file)
    forget_refusals(repo, entry.drafts)
    job.journal.forget(entry)


def _turn_down(job: Job, entry: Entry, gitlab: GitLab, request: MergeRequest) -> Settled:
    """Bring the drafts of a closed merge request back, with the reason: its last note. One without drafts is over."""
    note = last_word(gitlab, request)
    by = request.closed_by.username if request.closed_by else ""
    reason = " ".join(visible(note.body).split())[:MAX_REASON] if note else ""
    if entry.about:
        job.journal.forget(entry)
        whom = f" by {by}" if by else ""
        told = f"{entry.ticket}: !{request.iid} is turned down{whom}: {reason or 'no reason given'}: {request.url}"
        return Settled(None, (told,))
    remarks = bring_back(job.brain, entry, entry.commit) if entry.stage != PULLED else ()
    there = blobs_at(job.brain.repo.path, entry.commit, [f"{entry.root}/{path}" for path in entry.drafts])
    refused = {**entry.refused, **{path[len(entry.root) + 1 :]: blob for path, blob in there.items()}}
    by = by or (note.author.username if note else "")
    contents = read_blobs(job.brain.repo.path, there.values(), MAX_DRAFT_BYTES)
    rows = zip((path[len(entry.root) + 1 :] for path in there), contents, strict=True)
    memories = [memory_of(path, (content or b"").decode("utf-8", "replace")) for path, content in rows]
    note_refusals(job.brain.repo, filter(None, memories), today(job.env), by, reason, request.url)
    closed = replace(entry, stage=CLOSED, leaving={}, reason=reason, by=by, refused=refused)
    job.journal.save(closed)
    return Settled(closed, remarks)


def last_word(gitlab: GitLab, request: MergeRequest) -> Note | None:
    """Return the last note that a person wrote."""
    return next((note for note in gitlab.notes(request.iid) if not note.system and OUR_NOTE not in note.body), None)


def _look_at_closed(job: Job, entry: Entry) -> Settled:
    """A closed one is over when none of its drafts lies here any more: submitted again, or dropped."""
    folder = os.path.join(job.brain.memory_root, PENDING)
    if any(os.path.lexists(os.path.join(folder, *path.split("/"))) for path in entry.drafts):
        return Settled(entry)
    job.journal.forget(entry)
    return Settled(None)


def bring_back(brain: Brain, entry: Entry, commit: str) -> tuple[str, ...]:
    """Put an entry's drafts back into ``_pending/`` as ``commit`` has them; return a remark for each that did not go.

    What lies there and is another text is newer, and stays.

    Raises:
        BrainError: The disk takes no file.
    """
    remarks = []
    for path, text in texts_of(brain, entry, commit).items():
        try:
            put_draft(brain, path, text)
        except FileExistsError:
            if read_bytes(os.path.join(brain.memory_root, PENDING, *path.split("/"))) != text:
                where = f"git show {entry.commit[:12]}:{entry.root}/{path}"
                remarks.append(f"warning: {PENDING}/{path} is there, and stays; what was submitted: {where}")
    return tuple(remarks)


def texts_of(brain: Brain, entry: Entry, commit: str) -> Mapping[str, bytes]:
    """Return path → content of an entry's drafts in a commit; in our own where that has them not.

    Raises:
        ConflictError: They are not here any more.
    """
    paths = [f"{entry.root}/{path}" for path in entry.drafts]
    ours = blobs_at(brain.repo.path, entry.commit, paths)
    found = {**ours, **(blobs_at(brain.repo.path, commit, paths) if commit != entry.commit else {})}
    contents = list(read_blobs(brain.repo.path, found.values(), MAX_DRAFT_BYTES))
    if len(found) < len(paths) or None in contents:
        raise ConflictError(f"{entry.ticket}: commit {entry.commit[:12]} is not here any more", "git fetch, and again")
    return {path[len(entry.root) + 1 :]: text or b"" for path, text in zip(found, contents, strict=True)}


def refresh(brain: Brain, env: Mapping[str, str], reopen: Callable[[], Brain]) -> list[Settled]:
    """Return every entry as it is after recovery and a look; where that fails, as it was, with the cause.

    It waits a few seconds at most, and not at all for a submit that is at work.
    """
    journal = Journal(brain.repo)
    entries = journal.entries()
    strange = [Settled(None, (f"warning: {path}: {NOT_UNDERSTOOD}",)) for path in journal.strange()]
    if not entries:
        return strange
    try:
        job = open_job(brain, env, reopen, LOOK_SECONDS)
        with locked(brain.repo, "brain status", 0):
            return [*strange, *(_refresh(job, entry) for entry in journal.entries())]
    except BrainError as error:
        return [*strange, *map(Settled, entries), Settled(None, (f"warning: {error}",))]


def _refresh(job: Job, entry: Entry) -> Settled:
    try:
        there = recover(job, entry)
        return look(job, there) if there else Settled(None)
    except BrainError as error:
        return Settled(entry, (f"warning: {entry.ticket}: {error}",))
