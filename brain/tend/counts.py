"""How often memories were used: numbers that only grow, one set a machine (SPEC §8).

Two states of one machine join to the greater of each number, so that their order and repetition do not matter; those of
different machines add up. What is kept of names is a set, cut to the first in order, which joins the same way.
"""

from __future__ import annotations

from brain.clock import DAY, ordinal_of, ordinal_to_date
from brain.json_text import parse_json, render_json
from brain.value import fields_of, value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any, TypeVar

    T = TypeVar("T")

FORMAT = 1
MOST_NAMES = 20
"""Tickets and projects that are kept of one memory."""
MOST_TICKETS = 300
"""Tickets that are kept of one week."""
MOST_WEEKS = 120
"""Weeks that are kept, the newest."""
MAX_NAME = 100


@value
class Use:
    """How one memory was used: hits (sessions that read or cited it), those that cited it, the last day, and where.

    ``last`` is an ISO date, "" for never.
    """

    hits: int = 0
    cited: int = 0
    last: str = ""
    tickets: tuple[str, ...] = ()
    projects: tuple[str, ...] = ()


@value
class Week:
    """What happened in a week.

    ``sessions`` got memories, ``tokens`` of them in all, ``over`` of them more than the share of their context window
    that is set; ``tickets`` are those that were worked on.
    """

    sessions: int = 0
    tokens: int = 0
    over: int = 0
    hits: int = 0
    cited: int = 0
    tickets: tuple[str, ...] = ()


@value
class Counts:
    """``uses`` is memory id → use; ``weeks`` is the ISO date of a Monday → week."""

    uses: Mapping[str, Use]
    weeks: Mapping[str, Week]


NOTHING = Counts({}, {})


def join(one: Counts, other: Counts) -> Counts:
    """Return what two states of the same machine say together."""
    return _combine(one, other, max)


def total(machines: Iterable[Counts]) -> Counts:
    """Return what different machines say together."""
    found = NOTHING
    for counts in machines:
        found = _combine(found, counts, int.__add__)
    return found


def grown(known: Counts, told: Counts) -> Counts:
    """Return what is more in ``known`` and ``told`` together than in ``known``: each such use and week, whole."""
    both = join(known, told)
    return Counts(
        {name: use for name, use in both.uses.items() if use != known.uses.get(name, Use())},
        {name: week for name, week in both.weeks.items() if week != known.weeks.get(name, Week())},
    )


def _combine(one: Counts, other: Counts, numbers: Callable[[int, int], int]) -> Counts:
    def use(a: Use, b: Use) -> Use:
        return Use(
            numbers(a.hits, b.hits), numbers(a.cited, b.cited), max(a.last, b.last),
            names({*a.tickets, *b.tickets}), names({*a.projects, *b.projects}),
        )  # fmt: skip

    def week(a: Week, b: Week) -> Week:
        return Week(
            numbers(a.sessions, b.sessions), numbers(a.tokens, b.tokens), numbers(a.over, b.over),
            numbers(a.hits, b.hits), numbers(a.cited, b.cited), names({*a.tickets, *b.tickets}, MOST_TICKETS),
        )  # fmt: skip

    return Counts(_each(one.uses, other.uses, use), newest(_each(one.weeks, other.weeks, week)))


def _each(one: Mapping[str, T], other: Mapping[str, T], both: Callable[[T, T], T]) -> dict[str, T]:
    found = {**one, **other}
    found.update({key: both(one[key], other[key]) for key in one.keys() & other.keys()})
    return dict(sorted(found.items()))


def names(found: Iterable[str], most: int = MOST_NAMES) -> tuple[str, ...]:
    """Return a set of names as it is kept: the first in order."""
    return tuple(sorted({name[:MAX_NAME] for name in found if name})[:most])


def newest(weeks: Mapping[str, Week]) -> dict[str, Week]:
    """Return the weeks that are kept."""
    return dict(sorted(weeks.items())[-MOST_WEEKS:])


def monday(date: str) -> str:
    """Return the ISO date of the Monday of a date's week.

    >>> monday("2026-03-01")
    '2026-02-23'
    """
    number = ordinal_of(date)
    return ordinal_to_date(number - (number + 3) % 7)


def date_of(seconds: float) -> str:
    """Return the ISO date in UTC of seconds since 1970."""
    return ordinal_to_date(int(seconds // DAY))


def render_counts(counts: Counts) -> str:
    """Return counts as one line of JSON, the same for the same."""
    return render_json({"format": FORMAT, **plain(counts)}) + "\n"


def plain(counts: Counts) -> dict[str, Any]:
    """Return counts as JSON holds them."""
    return {
        "uses": {name: fields_of(use) for name, use in sorted(counts.uses.items())},
        "weeks": {name: fields_of(week) for name, week in sorted(counts.weeks.items())},
    }


def parse_counts(text: str) -> Counts:
    """Return the counts of a JSON text; nothing for what is no such text, or not of our format."""
    try:
        return read_counts(parse_json(text))
    except (ValueError, RecursionError):
        return NOTHING


def is_newer(text: str) -> bool:
    """Say whether a JSON text holds counts of a later format: to replace it would lose what it says."""
    try:
        found = parse_json(text)
    except (ValueError, RecursionError):
        return False
    number = found.get("format") if isinstance(found, dict) else None
    return isinstance(number, int) and number > FORMAT


def read_counts(found: Any) -> Counts:
    """Return the counts that JSON values hold, without what is not of its kind: anyone may have written them."""
    if not isinstance(found, dict) or found.get("format", FORMAT) != FORMAT:
        return NOTHING
    uses = {name: _read(Use, row, MOST_NAMES) for name, row in _rows(found.get("uses"))}
    weeks = {name: _read(Week, row, MOST_TICKETS) for name, row in _rows(found.get("weeks"))}
    return Counts(dict(sorted(uses.items())), newest(weeks))


def _rows(found: Any) -> list[tuple[str, dict[str, Any]]]:
    rows = found.items() if isinstance(found, dict) else ()
    return [(name[:MAX_NAME], row) for name, row in rows if isinstance(row, dict)]


def _read(kind: type[T], row: Mapping[str, Any], most: int) -> T:
    fields: dict[str, Any] = {}
    for name in kind.__annotations__:
        found = row.get(name)
        if name == "last":
            fields[name] = found[:10] if isinstance(found, str) else ""
        elif name in ("tickets", "projects"):
            found = found if isinstance(found, list) else []
            fields[name] = names((item for item in found if isinstance(item, str)), most)
        elif isinstance(found, int) and not isinstance(found, bool) and 0 <= found < 1 << 40:
            fields[name] = found
    return kind(**fields)
