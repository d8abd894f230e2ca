"""What the weekly merge request will hold, decided from facts alone (SPEC §8)."""

from __future__ import annotations

from brain.edit import edit_memory
from brain.submit.plan import MAX_TITLE, Plan, approver_of, consulted
from brain.tend.change import CLEARED, FLAGGED, HITS, UNVERIFIED, Limits, is_trusted_in_doubt, judge, last_use
from brain.tend.gather import BRANCH, NAME
from brain.value import replace, value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from brain.tend.change import Case, Change
    from brain.tend.gather import Facts
    from brain.tend.pairs import Pair
    from brain.tend.retros import Retro

MOST_PAIRS = 10
"""Pairs of a kind that are shown: a reviewer's attention is the scarcest thing."""


@value
class Proposal:
    """All that is proposed: changes by path, memories to verify before others, pairs to judge, retrospects.

    ``more`` is how many removals wait for another time.
    """

    changes: tuple[Change, ...]
    verify: tuple[Case, ...]
    duplicates: tuple[Pair, ...]
    contradictions: tuple[Pair, ...]
    retros: tuple[Retro, ...]
    more: int = 0

    @property
    def removals(self) -> list[Change]:
        """The memories that are to be removed."""
        return [change for change in self.changes if change.is_removal]


def propose_changes(facts: Facts, limits: Limits, most: int, reason_of: Callable[[Change], str]) -> Proposal:
    """Return what is proposed; what people changed on the branch is theirs. ``most`` is how many may be removed."""
    cases = [case for case in facts.cases if case.memory.path not in facts.held]
    changes = [change for case in cases if (change := judge(case, limits, facts.today)).values]
    removals = sorted((change for change in changes if change.is_removal), key=_urgency)
    waiting = {change.case.memory.path for change in removals[most:]}
    kept = [_without_removal(change) if change.case.memory.path in waiting else change for change in changes]
    final = [_with_reason(change, reason_of) if change.is_removal else change for change in kept if change.values]
    opposed = {(pair.one, pair.other) for pair in facts.contradictions}
    alike = [pair for pair in facts.duplicates if (pair.one, pair.other) not in opposed and _is_open(facts, pair)]
    against = [pair for pair in facts.contradictions if _is_open(facts, pair)]
    return Proposal(
        tuple(final), tuple(case for case in cases if is_trusted_in_doubt(case, limits, facts.today)),
        tuple(alike[:MOST_PAIRS]), tuple(against[:MOST_PAIRS]), tuple(facts.retros), len(waiting),
    )  # fmt: skip


def _urgency(change: Change) -> tuple[bool, float, str, str]:
    """Return what removals are sorted by: R2 first, then the least sure, the longest unused."""
    memory = change.case.memory
    return UNVERIFIED not in change.reasons, memory.confidence, last_use(change.case), memory.path


def _without_removal(change: Change) -> Change:
    values = {key: found for key, found in change.values.items() if key != "removal"}
    return replace(change, values=values, reasons=change.reasons[:-1])


def _with_reason(change: Change, reason_of: Callable[[Change], str]) -> Change:
    return replace(change, values={**change.values, "removal_reason": reason_of(change)})


def _is_open(facts: Facts, pair: Pair) -> bool:
    """Say whether a pair is still to be judged: neither goes, and neither says that it supersedes the other."""
    one, other = facts.memories[pair.one], facts.memories[pair.other]
    linked = {*one.supersedes, *one.superseded_by, *other.supersedes, *other.superseded_by} & {one.id, other.id}
    return not (linked or one.removal or other.removal)


def wanted_texts(facts: Facts, proposal: Proposal) -> dict[str, str]:
    """Return path → text of all that the branch is to change."""
    found = {
        change.case.memory.path: edit_memory(facts.texts[change.case.memory.path], change.values)
        for change in proposal.changes
    }
    found.update({retro.path: retro.text for retro in proposal.retros if retro.user})
    found.update(facts.held)
    return {path: text for path, text in sorted(found.items()) if text and text != facts.texts.get(path)}


def plan_consolidation(facts: Facts, proposal: Proposal, key: str) -> Plan:
    """Return what is to be done; the branch stays as it is where it has all of it already.

    Else it is made anew on the default branch as that is now, so that it never lags behind it.
    """
    wanted = wanted_texts(facts, proposal)
    target, heads = facts.heads.default, facts.heads
    same = facts.parent != heads.base and dict(facts.on_branch) == wanted
    removals = [change.case.memory.path for change in proposal.removals]
    changes: Mapping[str, str | None] = {} if same else dict(wanted)
    return Plan(
        NAME, BRANCH, target, heads.base, facts.parent if same else heads.base, heads.tip, changes,
        shown=wanted, updates=frozenset(wanted), key=key, title=make_title(proposal),
        assignee=approver_of(facts.people, facts.author), reviewers=consulted(facts.people, facts.author, removals),
        iid=facts.request.iid if facts.request else 0, about=tuple(removals),
    )  # fmt: skip


def make_title(proposal: Proposal) -> str:
    """Return a title: ``memory(consolidate): 2 to remove, 3 stale, 1 less sure, 40 counted``."""
    reasons = [change.reasons for change in proposal.changes]
    rows = {
        "to remove": len(proposal.removals), "stale": _count(reasons, FLAGGED), "fresh again": _count(reasons, CLEARED),
        "less sure": sum("confidence" in change.values for change in proposal.changes),
        "retros": sum(retro.user != "" for retro in proposal.retros), "counted": _count(reasons, HITS),
    }  # fmt: skip
    parts = ", ".join(f"{count} {word.removesuffix('s' * (count == 1))}" for word, count in rows.items() if count)
    return f"memory({NAME}): {parts or 'as people left it'}"[:MAX_TITLE]


def _count(reasons: Sequence[tuple[str, ...]], wanted: str) -> int:
    return sum(wanted in row for row in reasons)
