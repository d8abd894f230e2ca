"""Carry a plan out: commit, push, take the drafts from ``_pending/``, open the merge request (SPEC §6.3).

After each step the journal knows what is done, so that a run that is killed anywhere is finished by the next.
"""

from __future__ import annotations

import os

from brain.errors import BrainError, ConflictError, GitError
from brain.files import read_bytes
from brain.git.objects import blob_id
from brain.git.run import git
from brain.layout import PENDING
from brain.pending import Pending, drop_draft
from brain.submit.commit import blobs_at, build_commit, write_blob
from brain.submit.describe import describe
from brain.submit.gather import gather, open_doors
from brain.submit.journal import CLOSED, OPEN, PLANNED, PUSHED, Entry, Flight, Journal, ref_of
from brain.submit.plan import branch_of, plan_submit
from brain.submit.push import ARRIVED, MOVED, NO_OPTIONS, REFUSED, UNKNOWN, Answer
from brain.submit.request import NOT_CARRIED, NOT_OPENED, open_request, push_options
from brain.submit.waiting import mark_waiting
from brain.value import replace, value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import TypeVar

    from brain.submit.gather import Doors
    from brain.submit.journal import Texts
    from brain.submit.plan import Facts, Plan
    from brain.ticket import Ticket
    from brain.workspace import Brain

    T = TypeVar("T")

MOST_TRIES = 5
"""How often a plan is made anew because another machine moved the branch meanwhile."""


@value
class Job:
    """What a submit works with; ``reopen`` reads the memory again after a fetch."""

    brain: Brain
    doors: Doors
    journal: Journal
    env: Mapping[str, str]
    reopen: Callable[[], Brain]


def open_job(brain: Brain, env: Mapping[str, str], reopen: Callable[[], Brain], seconds: float | None = None) -> Job:
    """Return what a submit of this memory works with; ``seconds`` as for ``open_doors``.

    Raises:
        GitError: There is no such remote.
    """
    return Job(brain, open_doors(brain, env, seconds), Journal(brain.repo), env, reopen)


@value
class Ready:
    """A plan with what is needed to carry it out.

    ``brain`` is the memory as it is after the fetch, ``root`` its folder, ``entry`` what the journal says by now, and
    ``texts`` what the merge request is to say, None where nothing is proposed.
    """

    brain: Brain
    root: str
    plan: Plan
    entry: Entry | None
    texts: Texts | None


@value
class Outcome:
    """What was done: the plan, the entry as it is now (None where there was nothing to propose), and remarks."""

    plan: Plan
    entry: Entry | None
    remarks: tuple[str, ...] = ()


def submit(job: Job, ticket: Ticket, names: Sequence[str], entry: Entry | None) -> Outcome:
    """Submit drafts.

    Raises:
        BrainError: See ``gather`` and ``propose``.
    """

    def prepare() -> tuple[Facts, Ready]:
        facts, plan, brain = make_plan(job, ticket, names, entry)
        return facts, Ready(brain, facts.root, plan, entry, None if plan.is_empty else describe(brain, facts, plan))

    return propose(job, branch_of(ticket.task_id), prepare)[1]


def propose(job: Job, branch: str, prepare: Callable[[], tuple[T, Ready]]) -> tuple[T, Outcome]:
    """Carry a plan out; where another machine moves the branch meanwhile, one made anew on top of what it has then.

    Return what the last plan was made from, and what was done.

    Raises:
        ConflictError: It moved again and again.
        BrainError: See ``carry_out``.
    """
    for _ in range(MOST_TRIES):
        facts, ready = prepare()
        if ready.texts is None:
            return facts, Outcome(ready.plan, ready.entry)
        outcome = carry_out(replace(job, brain=ready.brain), ready, ready.texts)
        if outcome:
            return facts, outcome
    raise ConflictError(f"{branch} was moved {MOST_TRIES} times by others meanwhile", "run it again later")


def make_plan(job: Job, ticket: Ticket, names: Sequence[str], entry: Entry | None) -> tuple[Facts, Plan, Brain]:
    """Return facts, plan, and the memory as it is after the fetch."""
    facts = gather(job.brain, job.doors, ticket, names, entry, job.env)
    facts = replace(facts, proposals=tuple(mark_waiting(job.brain, facts.proposals, facts.approved)))
    brain = job.brain if job.brain.tree.commit == facts.heads.base else job.reopen()
    return facts, plan_submit(facts), brain


def carry_out(job: Job, ready: Ready, texts: Texts) -> Outcome | None:
    """Do what a plan says; None where others moved the branch, so that it does not hold any more.

    Raises:
        GitError: The push was refused, or there is no clear answer to it; the drafts are where they were.
        ForgeError: The branch is pushed, the merge request is not known to be open; the next run finishes it.
    """
    plan = ready.plan
    commit = _commit(job.brain.repo.path, ready.root, plan)
    entry = ready.entry or Entry(plan.ticket, plan.branch, plan.target, ready.root, PLANNED, about=plan.about)
    flying = replace(entry, flight=Flight(commit, plan.before, plan.leaving, plan.withdrawn, texts))
    remarks: tuple[str, ...] = ()
    if commit != plan.before:
        job.journal.save(flying)
        answer = _push(job, plan, commit)
        if answer.state != ARRIVED:
            if (
                answer.state != UNKNOWN
            ):  # else the flight stays in the journal, and the next run looks what became of it
                job.journal.put_back(ready.entry, flying)
            if answer.state == MOVED:
                return None
            raise _refused(plan, answer)
        flying = replace(flying, iid=answer.iid or entry.iid, url=answer.url or entry.url)
        remarks = _without_token(job, answer)
    landed = land(job.brain, job.journal, flying)
    finished, more = open_landed(job, landed)
    return Outcome(plan, finished, (*remarks, *more))


def land(brain: Brain, journal: Journal, flying: Entry) -> Entry:
    """Note that a push arrived, and take the drafts that it carries from ``_pending/``."""
    flight = flying.flight
    assert flight
    git(brain.repo.path, "update-ref", ref_of(flying.branch), flight.commit)
    earlier = flying.drafts if flying.stage in (PUSHED, OPEN) else ()
    drafts = sorted({*earlier, *flight.leaving} - {*flight.withdrawn})
    old = flying.stage == CLOSED
    landed = replace(
        flying, stage=PUSHED, commit=flight.commit, drafts=tuple(drafts), leaving=flight.leaving, texts=flight.texts,
        refused={path: blob for path, blob in flying.refused.items() if path not in flight.leaving},
        flight=None, iid=0 if old else flying.iid, url="" if old else flying.url, reason="", by="",
    )  # fmt: skip
    journal.save(landed)
    take_away(brain, landed)
    return landed


def take_away(brain: Brain, entry: Entry) -> None:
    """Remove the drafts that arrived, those that are still what was submitted."""
    for path, blob in entry.leaving.items():
        content = read_bytes(os.path.join(brain.memory_root, PENDING, *path.split("/")))
        if blob_id(content, blob) == blob:
            drop_draft(brain.memory_root, Pending("", path, 0, ""))


def open_landed(job: Job, landed: Entry) -> tuple[Entry, tuple[str, ...]]:
    """Return the entry with its merge request, opened or brought up to date, and remarks."""
    remarks: tuple[str, ...] = ()
    entry = replace(landed, stage=OPEN if landed.iid else PUSHED, leaving={})
    if job.doors.gitlab and landed.texts:
        request, more = open_request(job.doors.gitlab, landed.branch, landed.target, landed.texts)
        entry = replace(entry, stage=OPEN, iid=request.iid, url=request.url)
        remarks = tuple(more)
    job.journal.save(entry)
    return entry, remarks


def _commit(repo: str, root: str, plan: Plan) -> str:
    """Return the commit of a plan; the parent where nothing differs.

    Raises:
        BrainError: The default branch has all of it as it is.
    """
    back = [f"{root}/{path}" for path, text in plan.changes.items() if text is None]
    there = blobs_at(repo, plan.base, back)
    changes = {path: there.get(path, "") for path in back} | {f"{root}/{path}": "" for path in plan.gone}
    for path, text in plan.changes.items():
        if text is not None:
            changes[f"{root}/{path}"] = write_blob(repo, text.encode())
    commit = build_commit(repo, plan.parent, changes, f"{plan.title}\n\nBrain-Submit: {plan.key}\n")
    if commit == plan.base:
        raise BrainError("nothing would change: the default branch says all of it", "brain pending drop them")
    return commit


def _push(job: Job, plan: Plan, commit: str) -> Answer:
    """Push; where the answer is lost, look what became of it."""
    link = job.doors.link
    options = () if job.doors.gitlab else push_options(plan)
    answer = link.push(plan.branch, commit, plan.before, options)
    if options and answer.words == NO_OPTIONS:
        answer = link.push(plan.branch, commit, plan.before)
    if answer.state in (ARRIVED, REFUSED):
        return answer
    try:
        heads = link.heads(plan.branch, plan.target)
    except GitError:
        return answer
    return Answer(ARRIVED, answer.words) if heads.tip == commit else answer


def _without_token(job: Job, answer: Answer) -> tuple[str, ...]:
    if job.doors.gitlab:
        return ()
    return (NOT_CARRIED if answer.iid else NOT_OPENED,)


def _refused(plan: Plan, answer: Answer) -> GitError:
    """Return the error for a push that did not arrive, in the server's words."""
    hint = "the drafts are where they were; " if plan.leaving else "nothing is proposed yet; "
    if answer.state == REFUSED:
        hint += "brain doctor looks at the branch rules"
    else:
        hint += "check network, VPN and proxy, and run it again"
    return GitError(["push", plan.branch], 1, f"error: {answer.words}", hint)
