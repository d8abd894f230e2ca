"""The pilot's figures, worked out from facts alone (SPEC §8). ``report_texts`` has the definition of each."""

from __future__ import annotations

from statistics import median

from brain.clock import days_before, ordinal_of, ordinal_to_date
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from brain.memory import Memory
    from brain.tend.counts import Counts

MERGED, CLOSED, OPENED = "merged", "closed", "opened"
TENDING = "memory/consolidate"
MONDAY = 4
"""1970-01-05, in days since 1970-01-01: sprints begin on a Monday."""
REASONS = ("R1", "R2", "R3")
PERSON = "R4"


@value
class Request:
    """A merge request of the memory: its state, branch, and ISO dates ("" where it has not come to that)."""

    state: str
    branch: str
    created: str
    ended: str = ""


@value
class Facts:
    """What the figures are made from.

    ``approved`` are the memories in force, ``since`` path → ISO date of approval; ``removed`` the softly removed ones;
    ``flagged`` the paths that were ever flagged as stale. ``requests`` is None where there is no forge to ask.
    """

    counts: Counts
    approved: Sequence[Memory]
    since: Mapping[str, str]
    removed: Sequence[Memory]
    flagged: frozenset[str]
    requests: Sequence[Request] | None
    today: str
    sprint: int
    used_days: int


@value
class Sprint:
    """Merge requests of memories that ended in a sprint, by its first day."""

    start: str
    approved: int = 0
    rejected: int = 0


@value
class Report:
    """The figures: name → number, None where nothing is known; and what is drawn.

    ``tokens`` and ``cited`` are (ISO date of a Monday, tokens a session) and (…, citations a task).
    """

    figures: Mapping[str, float | None]
    reasons: Mapping[str, int]
    sprints: Sequence[Sprint]
    tokens: Sequence[tuple[str, float]]
    cited: Sequence[tuple[str, float]]
    today: str


def make_report(facts: Facts) -> Report:
    """Return the figures."""
    weeks = facts.counts.weeks
    tickets = {ticket for week in weeks.values() for ticket in week.tickets}
    sessions = sum(week.sessions for week in weeks.values())
    prevented = _prevented(facts)
    requests = [row for row in facts.requests or () if row.branch != TENDING]
    opened = [_days(row.created, facts.today) for row in requests if row.state == OPENED]
    ages = [
        _days(memory.created, facts.since[memory.path]) for memory in facts.approved if facts.since.get(memory.path)
    ]
    now = {memory.path: memory for memory in facts.approved}
    verified = sum(path in now and not now[path].stale for path in facts.flagged)
    used = sum(_is_used(facts, memory) for memory in facts.approved)
    known = facts.requests is not None
    figures: dict[str, float | None] = {
        "memories": len(facts.approved), "used": _share(used, len(facts.approved)),
        "hits": sum(use.hits for use in facts.counts.uses.values()),
        "citations": sum(week.cited for week in weeks.values()), "tasks": len(tickets),
        "citationsPerTask": _share(sum(week.cited for week in weeks.values()), len(tickets)),
        "lessonsThatHelped": len(prevented), "repeatsPrevented": sum(prevented.values()),
        "sessions": sessions, "tokensPerSession": _share(sum(week.tokens for week in weeks.values()), sessions),
        "sessionsOver": _share(sum(week.over for week in weeks.values()), sessions),
        "approved": _state(requests, MERGED) if known else None,
        "rejected": _state(requests, CLOSED) if known else None,
        "queue": len(opened) if known else None, "queueOldestDays": max(opened, default=0) if known else None,
        "daysToApproval": median(ages) if ages else None, "removed": len(facts.removed), "flagged": len(facts.flagged),
        "verifiedAgain": _share(verified, len(facts.flagged)),
    }  # fmt: skip
    return Report(
        figures, _reasons(facts.removed), tuple(_sprints(requests, facts.sprint)),
        tuple((start, week.tokens / week.sessions) for start, week in sorted(weeks.items()) if week.sessions),
        tuple((start, week.cited / len(week.tickets)) for start, week in sorted(weeks.items()) if week.tickets),
        facts.today,
    )  # fmt: skip


def _prevented(facts: Facts) -> dict[str, int]:
    """Return id → tickets other than its own in which a lesson was used, of lessons in force or removed."""
    lessons = {row.id: row for row in (*facts.approved, *facts.removed) if row.type == "lesson"}
    found = {}
    for name, use in facts.counts.uses.items():
        others = [ticket for ticket in use.tickets if name in lessons and ticket not in lessons[name].source.split()]
        if others:
            found[name] = len(others)
    return found


def _is_used(facts: Facts, memory: Memory) -> bool:
    use = facts.counts.uses.get(memory.id)
    return use is not None and use.last >= days_before(facts.today, facts.used_days)


def _state(requests: Iterable[Request], state: str) -> int:
    return sum(row.state == state for row in requests)


def _reasons(removed: Iterable[Memory]) -> dict[str, int]:
    """Return reason → how many were removed for it; a person's own words are R4."""
    found = dict.fromkeys((*REASONS, PERSON), 0)
    for memory in removed:
        word = memory.removal_reason.partition(":")[0]
        found[word if word in REASONS else PERSON] += 1
    return found


def _sprints(requests: Iterable[Request], days: int) -> list[Sprint]:
    """Return the sprints in which merge requests ended, the oldest first."""
    found: dict[str, list[int]] = {}
    for row in requests:
        if row.state in (MERGED, CLOSED) and row.ended:
            rows = found.setdefault(sprint_of(row.ended, days), [0, 0])
            rows[row.state == CLOSED] += 1
    return [Sprint(start, *rows) for start, rows in sorted(found.items())]


def sprint_of(date: str, days: int) -> str:
    """Return the first day of a date's sprint."""
    number = ordinal_of(date)
    return ordinal_to_date(number - (number - MONDAY) % max(days, 1))


def _share(part: float, whole: float) -> float | None:
    return part / whole if whole else None


def _days(start: str, end: str) -> int:
    return max(0, ordinal_of(end) - ordinal_of(start))
