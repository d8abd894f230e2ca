"""Propose a removal or a restore: with the commit, the push, the journal and the merge request that submit has."""

from __future__ import annotations

from brain.layout import find_place
from brain.submit.apply import Ready, propose
from brain.submit.removal import plan_removal
from brain.submit.removal_body import describe_removal
from brain.submit.removal_facts import gather_removal
from brain.submit.settle import Settled, catch_up

TYPE_CHECKING = False
if TYPE_CHECKING:
    from brain.submit.apply import Job, Outcome
    from brain.submit.journal import Entry
    from brain.submit.removal import Facts, Wish


def catch_up_all(job: Job, wish: Wish) -> Settled:
    """Return the wish's entry as it is after a look at it, and at all others that are about one of its memories.

    Raises:
        BrainError: See ``catch_up``.
    """
    others = [entry.branch for entry in job.journal.entries() if _is_about(entry, wish) and entry.branch != wish.branch]
    remarks = [text for branch in others for text in catch_up(job, branch).remarks]
    found = catch_up(job, wish.branch)
    return Settled(found.entry, (*remarks, *found.remarks))


def _is_about(entry: Entry, wish: Wish) -> bool:
    return any(place.id in wish.ids for place in map(find_place, entry.about) if place)


def prepare_removal(job: Job, wish: Wish, entry: Entry | None) -> tuple[Facts, Ready]:
    """Return the facts, and what is to be done.

    Raises:
        BrainError: See ``gather_removal``.
    """
    facts, brain = gather_removal(job, wish, entry)
    plan = plan_removal(facts, wish)
    texts = describe_removal(facts, wish, plan, brain.config["review.language"])
    return facts, Ready(brain, facts.root, plan, entry, texts)


def propose_removal(job: Job, wish: Wish, entry: Entry | None) -> tuple[Facts, Outcome]:
    """Propose it; proposed twice, it is proposed once. Return the facts it was planned from, and what was done.

    Raises:
        BrainError: See ``gather_removal`` and ``propose``.
    """
    return propose(job, wish.branch, lambda: prepare_removal(job, wish, entry))
