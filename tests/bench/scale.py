"""What a database of ten million memories would take, reckoned from smaller ones that are measured: a sum on paper.

The rows' part of size and time grows with the rows; a graph's with its own rows and the depth of a walk, n × log n. A
graph is a project's own, so that a question costs what its project's size costs, however many other projects there are.
Run with ``python -m tests.bench.scale``, as ``tests.bench.pgvector``; ``--rows`` names the sizes to measure.
"""

from __future__ import annotations

import argparse
import math
from typing import TYPE_CHECKING

from brain.semantic.postgres.schema import GRAPH_FROM
from tests.bench.pgvector import BIG_SHARE, Size, fill_and_ask

if TYPE_CHECKING:
    from collections.abc import Sequence

SPLITS = {
    "ten of 1,000,000": [1_000_000] * 10,
    "one hundred of 100,000": [100_000] * 100,
    "one thousand of 10,000": [10_000] * 1000,
}
"""Projects that make ten million together."""


def main() -> int:
    """Measure, reckon and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, nargs="*", default=[10_000, 30_000, 60_000, 100_000])
    parser.add_argument("--questions", type=int, default=100)
    args = parser.parse_args()
    sizes = []
    missed = 0
    for count in args.rows:
        under, size = fill_and_ask(count, args.questions)
        missed += under
        sizes.append(size)
    print(f"\n{'rows':>10}  {'seconds':>8}  {'table MB':>8}  {'indexes MB':>10}")
    for size in sizes:
        print(f"{size.rows:10,}  {size.seconds:8.1f}  {size.table / 1e6:8.0f}  {size.indexes / 1e6:10.0f}")
    for label, projects in SPLITS.items():
        size = reckon(sizes, projects)
        print(
            f"{label:>24}: fill {size.seconds / 3600:.1f} h, table {size.table / 1e9:.1f} GB, "
            f"indexes {size.indexes / 1e9:.1f} GB"
        )
    return int(missed > 0)


def reckon(sizes: Sequence[Size], projects: Sequence[int]) -> Size:
    """Return what projects of so many rows would take.

    The rows' part is that of the smallest measured size, which has no graph; what the largest took beyond it is its one
    graph's.
    """
    small, large = sizes[0], sizes[-1]
    rows, graph = sum(projects), sum(work(count) for count in projects)
    one = work(round(BIG_SHARE * large.rows)) or 1.0

    def reckoned(without: float, with_it: float, share: float) -> float:
        each = without / small.rows
        return rows * each + share * max(0.0, with_it - large.rows * each)

    in_graphs = sum(count for count in projects if count >= GRAPH_FROM) / (BIG_SHARE * large.rows)
    return Size(
        rows,
        reckoned(small.seconds, large.seconds, graph / one),
        round(reckoned(small.table, large.table, 0.0)),
        round(reckoned(small.indexes, large.indexes, in_graphs)),
    )


def work(rows: int) -> float:
    """Return the work of making a graph of so many rows, none where none is made."""
    return rows * math.log(rows) if rows >= GRAPH_FROM else 0.0


if __name__ == "__main__":
    raise SystemExit(main())
