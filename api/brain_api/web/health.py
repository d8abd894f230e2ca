"""What the page of health shows: how the memory stands, its use and its queue, as numbers for charts."""

from __future__ import annotations

from collections import Counter

from brain.clock import date_to_ordinal, ordinal_to_date
from brain.json_text import render_json
from brain.stale.answers import FRESH, STALE, UNKNOWN
from brain.value import value
from brain_api.answers import report
from brain_api.routes import queue_of
from brain_api.web.memory import state_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from brain.memory import Memory
    from brain_api.project import Project
    from brain_api.snapshot import Snapshot

WEEKS, TOP = 26, 10
AGES = (1, 3, 7, 14)
"""Days up to which a merge request counts as of that age."""
BANDS = ((0.9, "0.9 – 1.0"), (0.7, "0.7 – 0.9"), (0.5, "0.5 – 0.7"), (0.0, "0.0 – 0.5"))
"""From which confidence on a memory is in a band."""


@value
class HealthQuestion:
    """How a project stands on a day: with uses told beside the memory, and days that merge requests wait.

    ``queue`` is None where it is not known.
    """

    day: str
    hits: tuple[tuple[str, int], ...]
    queue: tuple[int, ...] | None

    def answer(self, snapshot: Snapshot) -> bytes:
        """Return numbers for charts: rows of label and number, ``top`` by sentence, ``ages`` by their number."""
        memories, hits = list(snapshot.memories()), dict(self.hits)
        facts = report(snapshot, hits, {"open": [{"days": days} for days in self.queue or ()]})
        uses = ((memory, memory.hits + hits.get(memory.id, 0)) for memory in memories)
        top = sorted((row for row in uses if row[1]), key=lambda row: (-row[1], row[0].id))[:TOP]
        types, areas = (sorted(facts[key].items(), key=lambda row: (-row[1], row[0])) for key in ("byType", "byArea"))
        found = {
            "facts": facts, "freshness": freshness(snapshot, memories), "weeks": weeks(memories, self.day),
            "types": types, "areas": areas, "bands": bands(memories), "ages": ages(self.queue or ()),
            "top": [(memory.sentence or memory.id, count) for memory, count in top],
            "unreadable": snapshot.brain.tree.skipped,
        }  # fmt: skip
        return render_json(found).encode()


def health_question(project: Project, day: str) -> HealthQuestion:
    """Return the question for a project's health, with what is known beside its memory."""
    hits = tuple(sorted(project.hits.totals().items()))
    queue = queue_of(project)
    return HealthQuestion(day, hits, tuple(row["days"] for row in queue.get("open", ())) if queue else None)


def freshness(snapshot: Snapshot, memories: Sequence[Memory]) -> list[tuple[str, int]]:
    """Return how many memories are fresh, stale, unknown, or rest on nothing (``none``)."""
    doubts = snapshot.doubts(memories)
    states = Counter(
        STALE if memory.stale else state_of(memory, doubts.get(memory.path, ())) or "none" for memory in memories
    )
    return [(state, states[state]) for state in (FRESH, STALE, UNKNOWN, "none")]


def weeks(memories: Iterable[Memory], today: str) -> list[tuple[str, int]]:
    """Return the Monday of each of the last weeks, the oldest first, with how many memories were written in it."""
    day = _ordinal(today)
    monday = day - (day + 3) % 7  # day 0 was a Thursday
    first = monday - 7 * (WEEKS - 1)
    counts = Counter((_ordinal(memory.created) - first) // 7 for memory in memories)
    return [(ordinal_to_date(first + 7 * number), counts[number]) for number in range(WEEKS)]


def _ordinal(date: str) -> int:
    year, month, day = (int(part) for part in date[:10].split("-"))
    return date_to_ordinal(year, month, day)


def bands(memories: Iterable[Memory]) -> list[tuple[str, int]]:
    """Return how many memories are in each band of confidence."""
    counts = Counter(next(name for least, name in BANDS if memory.confidence >= least) for memory in memories)
    return [(name, counts[name]) for _, name in BANDS]


def ages(days: Iterable[int]) -> list[tuple[int, int]]:
    """Return how many merge requests are of each age: its number, as in ``AGES`` and one more, and how many.

    >>> ages([0, 1, 5, 40])
    [(0, 2), (1, 0), (2, 1), (3, 0), (4, 1)]
    """
    counts = Counter(next((number for number, most in enumerate(AGES) if age <= most), len(AGES)) for age in days)
    return [(number, counts[number]) for number in range(len(AGES) + 1)]
