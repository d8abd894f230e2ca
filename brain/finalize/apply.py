"""Carry a plan out: commit, bring to the default branch, seal, tell merge requests what is not final (SPEC §6.4)."""

from __future__ import annotations

from brain.errors import BrainError, ConflictError
from brain.finalize.approvers import read_settings
from brain.finalize.commit import make_commit
from brain.finalize.gather import gather, read_heads
from brain.finalize.history import TRAILER, changes_of
from brain.finalize.landing import LANDED, OVERTAKEN_BY, WAITING, Landing, Said, land
from brain.finalize.plan import WITHDRAWN, plan_finalize
from brain.finalize.seal import find_seal, set_seal
from brain.finalize.texts import MARKER, WORDS, render_note, render_own
from brain.finalize.tree import changed_blobs, read_tree
from brain.forge.values import MERGED
from brain.git.objects import find_tree
from brain.git.run import git
from brain.layout import INDEX_FILE
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from brain.finalize.gather import Facts
    from brain.finalize.job import Job
    from brain.finalize.plan import Plan, Problem, Step

MOST_TRIES = 5
"""How often all is read again because others moved the default branch meanwhile."""
MOST_LOOKED = 20
"""Commits that are asked about, whether what they brought was not final once."""
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
        landing = land(job, plan.target, commit, plan.base, say_own(plan.message, facts.language)) if commit else None
        if landing and landing.state == OVERTAKEN_BY:
            continue
        sealed = _seal(job, facts, plan, commit, landing)
        tell(job, plan.problems, facts.language)
        open_still = {problem.iid for problem in plan.problems}
        tell_mended(job, _brought(job, facts.seal.trusted, sealed, plan.steps) - open_still, facts.language)
        if landing and landing.state == LANDED:
            _note(job, plan.target, commit, landing)
        return Outcome(plan, commit, landing)
    raise ConflictError(f"the default branch moved {MOST_TRIES} times meanwhile", "run it again later")


def say_own(message: str, language: str) -> Said:
    """Return what finalize's own merge request says: its commit's message, and what it is for."""
    title, _, rest = message.partition("\n")
    return Said(title, render_own(rest, language))


def _check_first(job: Job, facts: Facts, plan: Plan) -> None:
    """Raise where a first look would put many memories back: somebody has to say that it is meant."""
    count = sum(problem.kind == WITHDRAWN for problem in plan.problems)
    if count > MOST_PUT_BACK and not facts.seal.trusted:
        what = (
            f"{count} memories are approved, GitLab does not tell by whom, and {job.me.username} never looked at them"
        )
        hint = "an old store, or another bot before this one: brain-ci finalize --adopt, once, takes them for approved"
        raise BrainError(what, hint)


@value
class Adopted:
    """How many memories were taken for approved, the commit that says so, and its way; 0, "" and None for none."""

    memories: int = 0
    commit: str = ""
    landing: Landing | None = None


def adopt(job: Job) -> Adopted:
    """Take all that is approved on the default branch now for approved, unless all was looked at already.

    Raises:
        ConflictError: The default branch moved meanwhile.
        BrainError: See ``land``.
    """
    heads = read_heads(job)
    trusted = find_seal(job, heads.base).trusted
    if trusted and not changed_blobs(job.repo, trusted, heads.base, job.root):
        return Adopted()
    memories = read_tree(job.repo, heads.base, job.root).memories.values()
    message = f"memory: take what is approved here for approved\n\n{TRAILER}: {heads.base}\n"
    commit = make_commit(job, heads.base, {}, message)
    language = read_settings(job, heads.base)["review.language"]
    landing = land(job, heads.default, commit, heads.base, say_own(message, language))
    if landing.state == OVERTAKEN_BY:
        raise ConflictError("the default branch moved meanwhile", "run it again")
    if landing.state == LANDED:
        set_seal(job, commit)
    return Adopted(sum(memory.status == "approved" for memory in memories), commit, landing)


def _note(job: Job, target: str, commit: str, landing: Landing) -> None:
    """Have git know here what is there now, so that a check that follows looks at it."""
    if landing.iid:
        read_heads(job)
    else:
        git(job.repo, "update-ref", f"refs/remotes/{job.link.remote}/{target}", commit)


def _seal(job: Job, facts: Facts, plan: Plan, commit: str, landing: Landing | None) -> str:
    """Note what was looked at; not while it is in doubt who the PMs are, and not before it is there.

    Return the commit up to which that is, "" where nothing is to be noted.
    """
    if facts.approvers.doubt or (landing and landing.state == WAITING):
        return ""
    same = facts.seal.unsealed and find_tree(job.repo, facts.seal.unsealed, plan.root) == facts.tree.oid
    sealed = commit or (facts.seal.unsealed if same else "")
    if sealed:
        set_seal(job, sealed)
    return sealed


def _brought(job: Job, trusted: str, sealed: str, steps: Iterable[Step]) -> set[int]:
    """Return the merge requests of what was looked at, by whichever of them it came to the default branch.

    What came and went since then differs no more: the steps tell of it.
    """
    changed = changed_blobs(job.repo, trusted or f"{sealed}^", sealed, job.root) if sealed else {}
    paths = {path.removeprefix(f"{job.root}/") for path in changed} - {INDEX_FILE}
    paths |= {step.path for step in steps} if sealed else set()
    found = changes_of(job.repo, sealed, "", job.root, paths)
    commits = dict.fromkeys(row.commit for rows in found.values() for row in rows[:MOST_LOOKED] if not row.claims)
    requests = [row for commit in list(commits)[:MOST_LOOKED] for row in job.gitlab.commit_requests(commit)]
    return {row.iid for row in requests if row.state == MERGED and row.author.id != job.me.id}


def tell_mended(job: Job, iids: Iterable[int], language: str, word: str = "mended") -> None:
    """Say on merge requests that were not final that they are now; those without such a note are left alone."""
    good = tuple(words[name] for words in WORDS.values() for name in ("done", "mended"))
    for iid in sorted(iids):
        notes = [note for note in job.gitlab.notes(iid) if MARKER in note.body and note.author.id == job.me.id]
        if notes and not notes[0].body.endswith(good):
            job.gitlab.put_note(iid, WORDS[language][word], MARKER)


def tell(job: Job, problems: Iterable[Problem], language: str) -> None:
    """Write on each merge request what of it is not final, in one note that is kept up to date."""
    rows = [problem for problem in problems if problem.iid]
    for iid in sorted({problem.iid for problem in rows}):
        mine = [problem for problem in rows if problem.iid == iid]
        job.gitlab.put_note(iid, render_note(mine, language), MARKER)
