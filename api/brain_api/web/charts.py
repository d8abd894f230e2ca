"""Charts as numbers: what a template draws as SVG; each stands beside its table, which says the same in text."""

from __future__ import annotations

from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


@value
class Bar:
    """One bar: its label, its number, where it starts and how long it is, in percent of the chart."""

    label: str
    count: float
    start: float
    length: float


def bars(rows: Sequence[tuple[str, float]]) -> list[Bar]:
    """Return one bar a row; the largest fills the chart."""
    most = max((count for _, count in rows), default=0) or 1
    return [Bar(label, count, 0.0, round(100 * count / most, 2)) for label, count in rows]


def stacked(rows: Sequence[tuple[str, float]]) -> list[Bar]:
    """Return the parts of one bar, one after another; together they fill the chart.

    >>> [(part.start, part.length) for part in stacked([("a", 1), ("b", 3)])]
    [(0.0, 25.0), (25.0, 75.0)]
    """
    total, before = sum(count for _, count in rows) or 1, 0.0
    found = []
    for label, count in rows:
        found.append(Bar(label, count, round(100 * before / total, 2), round(100 * count / total, 2)))
        before += count
    return found


LEAST_COLUMNS = 12
"""Room that a chart of columns has: fewer stand at its start, as wide as so many would be."""


@value
class Column:
    """One column of a chart 100 high: its label, its number, left edge, top, width and height."""

    label: str
    count: float
    x: float
    y: float
    width: float
    height: float


def columns(rows: Sequence[tuple[str, float]], width: float = 600.0) -> list[Column]:
    """Return one column a row, side by side; the tallest is 100 high, and one that is not 0 can be seen."""
    most = max((count for _, count in rows), default=0) or 1
    step = width / max(LEAST_COLUMNS, len(rows))
    found = []
    for number, (label, count) in enumerate(rows):
        height = max(2.0, round(100 * count / most, 2)) if count else 0.0
        x, y = round(number * step + step * 0.1, 2), round(100 - height, 2)
        found.append(Column(label, count, x, y, round(step * 0.8, 2), height))
    return found
