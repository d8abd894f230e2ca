"""What is proposed to the team: planned first, for a person to confirm, and carried out only as it was confirmed."""

from __future__ import annotations

from hashlib import sha256

from brain.errors import BrainError, ConflictError
from brain.json_text import render_json
from brain.layout import SOFT
from brain.recall.render import clean_line
from brain.submit.apply import Job, make_plan, submit
from brain.submit.gather import FindingsError, memory_of, open_doors
from brain.submit.journal import Journal, locked
from brain.submit.plan import branch_of
from brain.submit.removal import Wish
from brain.submit.removal_facts import check_reason, plain_id
from brain.submit.removing import catch_up_all, prepare_removal, propose_removal
from brain.submit.settle import catch_up
from brain.value import value
from brain_api.mcp.reading import Answer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from brain.submit.apply import Outcome
    from brain.submit.plan import Plan
    from brain.ticket import Ticket
    from brain.workspace import Brain


@value
class Proposal:
    """What would be proposed: the question to a person, a key that is another for other contents, and the doing.

    ``nothing`` is the answer where there is nothing to propose, None otherwise. ``carry_out`` takes the key that was
    confirmed.
    """

    question: str
    key: str
    carry_out: Callable[[str], Answer]
    nothing: Answer | None = None


def plan_submit(
    brain: Brain, env: Mapping[str, str], reopen: Callable[[], Brain], ticket: Ticket, names: Sequence[str]
) -> Proposal:
    """Return the proposal of drafts, all or those that are named.

    Raises:
        BrainError: No ticket is named, drafts have errors, or the remote or GitLab does not answer.
    """
    if not ticket.task_id.strip():
        raise BrainError("which ticket are they from?", "name it: ticket, or taskId in .aiflow/context/current.json")
    job, branch = _job(brain, env, reopen), branch_of(ticket.task_id)
    try:
        _, plan, _ = make_plan(job, ticket, names, job.journal.find(branch))
    except FindingsError as error:
        raise _with_findings(error) from None

    def carry_out(confirmed: str) -> Answer:
        with locked(brain.repo, "the MCP tool submit"):
            entry = catch_up(job, branch).entry
            _check_same(make_plan(job, ticket, names, entry)[1], confirmed)
            return _done(submit(job, ticket, names, entry))

    stays = [f"stays: {clean_line(left.name)} ({clean_line(left.why)})" for left in plan.left]
    nothing = Answer("\n".join(["Nothing to submit.", *stays]), {"title": "", "left": stays}) if plan.is_empty else None
    return Proposal("\n".join([*_question(plan), *stays]), _key(plan), carry_out, nothing)


def plan_removal(
    brain: Brain, env: Mapping[str, str], reopen: Callable[[], Brain], given: Mapping[str, Any]
) -> Proposal:
    """Return the proposal that approved memories are removed.

    Raises:
        BrainError: One is not there or not approved, the reason cannot stand, or the remote or GitLab does not answer.
    """
    ids = sorted({plain_id(name, brain.config["memory.root"]) for name in given["ids"]})
    wish = Wish(tuple(ids), check_reason(given["reason"]), SOFT)
    job = _job(brain, env, reopen)
    _, ready = prepare_removal(job, wish, job.journal.find(wish.branch))

    def carry_out(confirmed: str) -> Answer:
        with locked(brain.repo, "the MCP tool remove"):
            entry = catch_up_all(job, wish).entry
            _check_same(prepare_removal(job, wish, entry)[1].plan, confirmed)
            return _done(propose_removal(job, wish, entry)[1])

    return Proposal("\n".join([*_question(ready.plan), f"reason: {wish.reason}"]), _key(ready.plan), carry_out)


def _job(brain: Brain, env: Mapping[str, str], reopen: Callable[[], Brain]) -> Job:
    return Job(brain, open_doors(brain, env), Journal(brain.repo), env, reopen)


def _question(plan: Plan) -> list[str]:
    """Return what a person is asked: what goes where, to whom."""
    people = [name for name in (plan.assignee, *plan.reviewers) if name]
    request = f"merge request !{plan.iid}" if plan.iid else "a new merge request"
    memories = (memory_of(path, text) for path, text in sorted(plan.changes.items()) if text)
    return [
        f"Propose to the team: {clean_line(plan.title)}",
        *(f"- {memory.id}: {clean_line(memory.sentence)}" for memory in memories if memory),
        f"branch {plan.branch} on {plan.target}, {request}",
        f"for: {', '.join(dict.fromkeys(people)) or 'nobody is named in brain.toml'}",
    ]


def _key(plan: Plan) -> str:
    """Return what is another where the plan's contents are, whatever commit they are put on."""
    said = {"branch": plan.branch, "target": plan.target, "title": plan.title, "gone": list(plan.gone),
            "changes": dict(plan.changes), "withdrawn": list(plan.withdrawn)}  # fmt: skip
    return sha256(render_json(said).encode()).hexdigest()


def _check_same(plan: Plan, confirmed: str) -> None:
    if _key(plan) != confirmed:
        raise ConflictError("nothing was proposed: it is not what was confirmed any more", "ask the person once more")


def _done(outcome: Outcome) -> Answer:
    plan, entry = outcome.plan, outcome.entry
    where = f"!{entry.iid} {entry.url}" if entry and entry.iid else f"pushed: {plan.branch}"
    facts = {"title": plan.title, "branch": plan.branch, "mergeRequest": entry.iid if entry else 0,
             "url": entry.url if entry else "", "remarks": list(outcome.remarks)}  # fmt: skip
    return Answer("\n".join([clean_line(plan.title), where, *outcome.remarks]), facts)


def _with_findings(error: FindingsError) -> BrainError:
    rows = [f"{one.path}:{one.line}: {one.rule.code} {one.message}: {one.mend}" for one in error.findings]
    return BrainError("\n".join([str(error), *map(clean_line, rows)]), "mend them by remember with update")
