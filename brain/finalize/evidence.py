"""What GitLab and git say of merge requests: asked once for each commit, merge request and person."""

from __future__ import annotations

from brain.finalize.approval import (
    BLOCKED,
    BOT,
    DIFFERS,
    GOOD,
    LEFT,
    PUSHED,
    UNPROVEN,
    Case,
    Reason,
    find_consents,
    weigh,
)
from brain.finalize.edits import canonical, neutral, without_removal
from brain.finalize.history import origin
from brain.finalize.tree import read_files
from brain.forge.values import MERGED
from brain.submit.commit import changes_between
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from brain.finalize.history import Change
    from brain.finalize.job import Job
    from brain.forge.values import MergeRequest, Version


@value
class Evidence:
    """What is known of a merge request: the PM who approved what it ended with ("" for none), and why nobody did.

    ``files`` is what it changes below the memory root (``canonical``), None where that cannot be seen.
    """

    request: MergeRequest
    approver: str
    reason: Reason | None
    files: Mapping[str, bytes | None] | None


@value
class Answer:
    """Who approved what a file holds ("" for nobody), by which merge request (0 for none), and why nobody did."""

    iid: int = 0
    approver: str = ""
    reason: Reason | None = None


class Witnesses:
    """GitLab and git, as far as they tell who approved what came to the default branch."""

    def __init__(self, job: Job, target: str, pms: Iterable[str]) -> None:
        self.job, self.target, self.pms = job, target, tuple(pms)
        self._requests: dict[str, list[MergeRequest]] = {}
        self._evidence: dict[int, Evidence] = {}
        self._changes: dict[str, dict[str, bytes | None] | None] = {}
        self._standing: dict[int, str] = {}
        self._ids: dict[int, str] | None = None

    def hear(self, path: str, content: bytes | None, changes: Sequence[Change]) -> Answer:
        """Return who approved that a file holds this (None: is gone), by the changes that the default branch saw of it.

        A change of nothing but what finalize writes is looked through, to the one that brought the text; of that is the
        answer where nobody approved. So is a removal that finalize carried out, to the one that proposed it.
        """
        found: Answer | None = None
        for change in changes:
            quiet = self._is_quiet(path, change) or (change.claims and not change.new)
            if not (quiet and change.claims):
                answer = self._ask(path, content, change)
                if answer.approver:
                    return answer
                found = answer if found is None or not quiet else found
            if not quiet:
                break
        return found or Answer(reason=Reason(UNPROVEN))

    def _is_quiet(self, path: str, change: Change) -> bool:
        """Say whether a change is of nothing but what finalize writes."""
        if not (change.old and change.new):
            return False
        old, new = read_files(self.job.repo, {"old": change.old, "new": change.new}).values()
        return old is not None and neutral(old, path) == neutral(new, path)

    def hear_text(self, path: str, content: bytes, changes: Sequence[Change]) -> Answer:
        """Return who approved a text whose removal is proposed, as one that stays: whichever change brought it."""
        text = without_removal(content, path)
        found: Answer | None = None
        for change in changes:
            new = read_files(self.job.repo, {"new": change.new})["new"]
            if new is None or neutral(new, path, removal=False) != neutral(content, path, removal=False):
                break
            answer = self._ask(path, text, change)
            if answer.approver:
                return answer
            found = found or answer
        return found or Answer(reason=Reason(UNPROVEN))

    def _ask(self, path: str, content: bytes | None, change: Change) -> Answer:
        answer = self._ask_of(change.commit, path, content)
        if answer.approver or len(change.parents) < 2 or (answer.reason and answer.reason.code != UNPROVEN):
            return answer
        # a merge that came by fast-forward brings what others merged before: who brought it to them is asked
        source = origin(self.job.repo, change.commit, f"{self.job.root}/{path}")
        return self._ask_of(source, path, content) if source and source != change.commit else answer

    def _ask_of(self, commit: str, path: str, content: bytes | None) -> Answer:
        wanted = canonical({path: content})
        first: Answer | None = None
        for request in self._brought(commit):
            evidence = self.evidence(request)
            there = {name: evidence.files[name] for name in wanted if name in evidence.files} if evidence.files else {}
            if evidence.files is not None and not there:
                answer = Answer(request.iid, "", Reason(UNPROVEN))
            elif evidence.files is not None and there != wanted:
                answer = Answer(request.iid, "", evidence.reason or Reason(DIFFERS))
            else:
                answer = Answer(request.iid, evidence.approver, evidence.reason)
            if answer.approver:
                return answer
            first = first or answer
        return first or Answer(reason=Reason(PUSHED, (commit[:12],)))

    def _brought(self, commit: str) -> list[MergeRequest]:
        """Return the merged requests by which a commit came to the default branch, the likeliest first."""
        if commit not in self._requests:
            rows = [
                row
                for row in self.job.gitlab.commit_requests(commit)
                if row.state == MERGED and row.target_branch == self.target
            ]
            self._requests[commit] = sorted(rows, key=lambda row: commit not in (row.merge_commit, row.squash_commit))
        return self._requests[commit]

    def evidence(self, request: MergeRequest) -> Evidence:
        """Return what is known of a merge request."""
        found = self._evidence.get(request.iid)
        if found is None or found.request != request:
            found = self._evidence[request.iid] = self._gather(request)
        return found

    def _gather(self, request: MergeRequest) -> Evidence:
        gitlab = self.job.gitlab
        approvals, versions = gitlab.approvals(request.iid), gitlab.versions(request.iid)
        undated = any(not row.at for row in approvals.given)
        notes = list(gitlab.notes(request.iid)) if undated and len(versions) > 1 else []
        people = [row.person.id for row in approvals.given]
        people += [request.merged_by.id] if request.merged_by else []
        ids = self._pm_ids()
        pms = {number: self._objection(number) for number in people if number in ids}
        consents, reason = find_consents(Case(request, approvals, versions, pms, notes))
        files = self._files(request, versions)
        if not consents:
            return Evidence(request, "", reason, files)
        seen = {row: self._changed(request, row) for consent in consents for row in consent.heads}
        approver, reason = weigh(consents, seen, files)
        return Evidence(request, approver, reason, files)

    def _files(self, request: MergeRequest, versions: Sequence[Version]) -> Mapping[str, bytes | None] | None:
        last = next((row for row in versions if row.head == request.sha), None)
        return self._changed(request, last) if last else None

    def _changed(self, request: MergeRequest, version: Version) -> dict[str, bytes | None] | None:
        """Return what a head of a merge request changes below the memory root; None where it cannot be had."""
        key = f"{version.base}..{version.head}"
        if key not in self._changes:
            there = self._has(request, version.head) and self._has(request, version.base)
            self._changes[key] = self._read(version) if there else None
        return self._changes[key]

    def _has(self, request: MergeRequest, commit: str) -> bool:
        """Say whether a commit is here, brought if it was not."""
        if not commit:
            return False
        link = self.job.link
        refs = (f"refs/merge-requests/{request.iid}/head", commit)
        return link.has(commit) or any(link.bring(ref) and link.has(commit) for ref in refs)

    def _read(self, version: Version) -> dict[str, bytes | None]:
        blobs = changes_between(self.job.repo, version.base, version.head, self.job.root)
        texts = read_files(self.job.repo, blobs)
        whole = {
            path: texts[path] if texts[path] is not None or not oid else oid.encode() for path, oid in blobs.items()
        }
        return canonical(whole)

    def _pm_ids(self) -> dict[int, str]:
        if self._ids is None:
            self._ids = {self.job.gitlab.user_id(name): name for name in self.pms}
            self._ids.pop(0, None)
        return self._ids

    def _objection(self, number: int) -> str:
        """Return what speaks against a PM: a bot, blocked, or no member any more."""
        if number not in self._standing:
            person = self.job.gitlab.member(number)
            if person is None:
                self._standing[number] = LEFT
            elif person.bot or number == self.job.me.id:
                self._standing[number] = BOT
            else:
                self._standing[number] = GOOD if person.active else BLOCKED
        return self._standing[number]
