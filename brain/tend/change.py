"""What is proposed for one memory: values of its frontmatter, each with the reason and the evidence. Pure (SPEC §8)."""

from __future__ import annotations

from brain.clock import days_before
from brain.layout import SOFT
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from brain.memory import Memory
    from brain.settings import Config
    from brain.stale.memories import Doubt
    from brain.tend.counts import Use

HITS, FLAGGED, CLEARED, FADED, DOUBTED, UNUSED, UNVERIFIED = (
    "hits", "flagged", "cleared", "faded", "doubted", "unused", "unverified"
)  # fmt: skip
"""Reasons: counted; a ref changed; none differs any more; unused for long, so less sure; stale for long, so less sure;
R1, removal of what nobody used; R2, removal of what nobody verified."""


GRACE = 28
"""Days between a loss of confidence and a removal, in which someone may still want the memory. Ours."""


@value
class Limits:
    """The thresholds that are set: days, steps of confidence, and the confidence below which a memory may go."""

    old: int
    quiet: int
    stale: int
    step: float
    stale_step: float
    floor: float

    @classmethod
    def of(cls, config: Config) -> Limits:
        """Return those of a team."""
        return cls(
            config["recall.decayDays"], config["consolidate.quietDays"], config["review.staleDays"],
            config["consolidate.decayStep"], config["consolidate.staleStep"], config["consolidate.removeBelow"],
        )  # fmt: skip


@value
class Case:
    """What is known of one approved memory.

    ``stale`` is what its refs say now, None where they could not all be checked; ``doubts`` says which changed and how;
    ``flagged`` and ``settled`` are the ISO dates since when the default branch has its flag and its confidence.
    """

    memory: Memory
    use: Use
    stale: bool | None
    doubts: tuple[Doubt, ...] = ()
    flagged: str = ""
    settled: str = ""


@value
class Change:
    """What is proposed: ``values`` are the keys that change, ``reasons`` why, in order."""

    case: Case
    values: Mapping[str, Any]
    reasons: tuple[str, ...]

    @property
    def is_removal(self) -> bool:
        """Whether the memory is to be removed."""
        return "removal" in self.values


def judge(case: Case, limits: Limits, today: str) -> Change:
    """Return what is proposed for a memory; no values where it is as it should be.

    A memory gets less sure before it goes, and four weeks go by in between. One that has a date of review is left as
    sure as it is until then.
    """
    values: dict[str, Any] = {}
    reasons: list[str] = []
    memory = case.memory
    if case.use.hits > memory.hits:
        values["hits"] = case.use.hits
        reasons.append(HITS)
    if case.stale is not None and case.stale != memory.stale:
        values["stale"] = case.stale
        reasons.append(FLAGGED if case.stale else CLEARED)
    fate = "" if memory.review_by > today else _of_stale(case, limits, today) or _of_unused(case, limits, today)
    if fate in (FADED, DOUBTED):
        step = limits.step if fate == FADED else limits.stale_step
        values["confidence"] = max(0.0, round(memory.confidence - step, 2))
    elif fate:
        values["removal"] = SOFT
    return Change(case, values, (*reasons, fate) if fate else tuple(reasons))


def is_trusted_in_doubt(case: Case, limits: Limits, today: str) -> bool:
    """Say whether a memory is stale for long and used all the same: it is to be verified before all others."""
    return case.memory.stale and case.stale is not False and _is_past(case.flagged, limits.stale, today) and (
        case.use.last > case.flagged
    )  # fmt: skip


def last_use(case: Case) -> str:
    """Return the ISO date since when nobody used a memory: its last use, else when it was written."""
    return max(case.use.last, case.memory.created)


def _of_stale(case: Case, limits: Limits, today: str) -> str:
    """Return what becomes of a memory that was stale for long and is so still."""
    memory = case.memory
    if not memory.stale or case.stale is False or not _is_past(case.flagged, limits.stale, today):
        return ""
    if case.settled <= case.flagged:
        return DOUBTED if memory.confidence > 0 else ""
    long = _is_past(case.flagged, 2 * limits.stale, today) and _is_past(case.settled, GRACE, today)
    return UNVERIFIED if long and case.use.last <= case.flagged else ""


def _of_unused(case: Case, limits: Limits, today: str) -> str:
    """Return what becomes of a memory that nobody used for long."""
    memory = case.memory
    days = limits.quiet if max(memory.hits, case.use.hits) else limits.old
    if not _is_past(last_use(case), days, today):
        return ""
    if memory.confidence < limits.floor:
        return UNUSED if _is_past(case.settled or memory.created, GRACE, today) else ""
    return FADED if _is_past(case.settled or memory.created, limits.old, today) else ""


def _is_past(date: str, days: int, today: str) -> bool:
    return date != "" and date < days_before(today, days)
