"""Propose what keeps the memory true: one merge request, brought up to date by each run (SPEC §8)."""

from __future__ import annotations

from brain.submit.apply import Ready, propose
from brain.submit.body import key_in
from brain.submit.settle import catch_up
from brain.tend.change import Limits
from brain.tend.describe import describe, reason_of, texts_of
from brain.tend.gather import BRANCH, gather
from brain.tend.plan import Proposal, plan_consolidation, propose_changes
from brain.tend.texts import WORDS
from brain.value import replace, value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from brain.submit.apply import Job, Outcome
    from brain.submit.journal import Entry
    from brain.tend.gather import Facts


@value
class Tended:
    """What was found and what is proposed: the facts, the proposal, the description, and remarks."""

    facts: Facts
    proposal: Proposal
    description: str
    remarks: tuple[str, ...]


def prepare_consolidation(job: Job, entry: Entry | None) -> tuple[Tended, Ready]:
    """Return what is proposed, and how it is to be carried out; nothing, where it was turned down as it is.

    Raises:
        BrainError: See ``gather``.
    """
    facts, brain = gather(job)
    config, language = brain.config, brain.config["review.language"]
    proposal = propose_changes(
        facts, Limits.of(config), config["consolidate.maxRemovals"], lambda change: reason_of(change, language)
    )
    description = describe(brain, facts, proposal)
    plan = plan_consolidation(facts, proposal, key_in(description))
    refused = facts.request is None and plan.key in facts.refused
    remarks = (*facts.remarks, WORDS[language]["refused"]) if refused else facts.remarks
    plan = replace(plan, shown={}) if refused else plan
    texts = None if plan.is_empty else texts_of(brain, plan, description)
    return Tended(facts, proposal, description, remarks), Ready(brain, facts.root, plan, entry, texts)


def consolidate(job: Job) -> tuple[Tended, Outcome]:
    """Propose it; proposed twice without anything new, it is proposed once.

    Raises:
        BrainError: See ``gather`` and ``propose``.
    """
    found = catch_up(job, BRANCH)
    return propose(job, BRANCH, lambda: prepare_consolidation(job, found.entry))
