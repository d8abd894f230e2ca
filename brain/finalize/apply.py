"""Carry a plan out: commit, bring to the default branch, seal, tell merge requests what is not final (SPEC §6.4)."""

from __future__ import annotations

from brain.errors import BrainError, ConflictError
from brain.finalize.commit import make_commit
from brain.finalize.gather import gather, read_heads
from brain.finalize.history import TRAILER
from brain.finalize.landing import LANDED, OVERTAKEN_BY, WAITING, Landing, land
from brain.finalize.plan import WITHDRAWN, plan_finalize
from brain.finalize.seal import set_seal
from brain.finalize.texts import MARKER, WORDS, render_note
from brain.git.objects import find_tree
from brain.git.run import git
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from brain.finalize.gather import Facts
    from brain.finalize.job import Job
    from brain.finalize.plan import Plan, Problem

MOST_TRIES = 5
"""How often all is read again because others moved the default branch meanwhile."""
MOST_PUT_BACK = 10
"""Memories that are put back in one run where nothing was ever looked at; more are an old store, or a new bot."""


@value
class Outcome:
    """What was done on the default branch.

    The plan, the commit ("" where there was nothing to change), and how it got there.
    """

    plan: Plan
    commit: str = ""
    landing: Landing | None = None


def finalize(job: Job) -> Outcome:
    """Make final what is approved, on the default branch, and put back what is not.

    Raises:
        ConflictError: The default branch moved again and again.
        BrainError: See ``gather`` and ``land``.
    """
    for _ in range(MOST_TRIES):
        facts = gather(job)
        plan = plan_finalize(facts)
        _check_first(job, facts, plan)
        commit = make_commit(job, plan.base, plan.changes, plan.message) if not plan.is_empty else ""
        landing = land(job, plan.target, commit, plan.base, plan.message.partition("\n")[0]) if commit else None
        if landing and landing.state == OVERTAKEN_BY:
            continue
        _seal(job, facts, plan, commit, landing)
        tell(job, plan.problems, facts.language)
        if landing and landing.state == LANDED:
            _note(job, plan.target, commit, landing)
        return Outcome(plan, commit, landing)
    raise ConflictError(f"the default branch moved {MOST_TRIES} times meanwhile", "run it again later")


def _check_first(job: Job, facts: Facts, plan: Plan) -> None:
    """Raise where a first look would put many memories back: somebody has to say that it is meant."""
    count = sum(problem.kind == WITHDRAWN for problem in plan.problems)
    if count > MOST_PUT_BACK and not facts.seal.trusted:
        what = (
            f"{count} memories are approved, GitLab does not tell by whom, and {job.me.username} never looked at them"
        )
        hint = "an old store, or another bot before this one: brain-ci finalize --adopt, once, takes them for approved"
        raise BrainError(what, hint)


def adopt(job: Job) -> str:
    """Take all that is approved on the default branch now for approved, and return the commit that says so.

    Raises:
        ConflictError: The default branch moved meanwhile.
        BrainError: See ``land``.
    """
    heads = read_heads(job)
    message = f"memory: take what is approved here for approved\n\n{TRAILER}: {heads.base}\n"
    commit = make_commit(job, heads.base, {}, message)
    landing = land(job, heads.default, commit, heads.base, message.partition("\n")[0])
    if landing.state == OVERTAKEN_BY:
        raise ConflictError("the default branch moved meanwhile", "run it again")
    if landing.state == LANDED:
        set_seal(job, commit)
    return commit


def _note(job: Job, target: str, commit: str, landing: Landing) -> None:
    """Have git know here what is there now, so that a check that follows looks at it."""
    if landing.iid:
        read_heads(job)
    else:
        git(job.repo, "update-ref", f"refs/remotes/{job.link.remote}/{target}", commit)


def _seal(job: Job, facts: Facts, plan: Plan, commit: str, landing: Landing | None) -> None:
    """Note what was looked at; not while it is in doubt who the PMs are, and not before it is there."""
    if facts.approvers.doubt or (landing and landing.state == WAITING):
        return
    if commit:
        set_seal(job, commit)
    elif facts.seal.unsealed and find_tree(job.repo, facts.seal.unsealed, plan.root) == facts.tree.oid:
        set_seal(job, facts.seal.unsealed)


def tell(job: Job, problems: Iterable[Problem], language: str, done: Iterable[int] = ()) -> None:
    """Write on each merge request what of it is not final, in one note that is kept up to date.

    ``done`` are merge requests that are final now; where there is such a note, it says so.
    """
    for iid in done:
        if any(MARKER in note.body for note in job.gitlab.notes(iid)):
            job.gitlab.put_note(iid, WORDS[language]["done"], MARKER)
    rows = [problem for problem in problems if problem.iid]
    for iid in sorted({problem.iid for problem in rows}):
        mine = [problem for problem in rows if problem.iid == iid]
        job.gitlab.put_note(iid, render_note(mine, language), MARKER)
