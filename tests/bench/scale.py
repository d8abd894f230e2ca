"""What ten million memories would take, reckoned and simulated from smaller databases that are measured.

The rows' part of size and time grows with the rows; a graph's with its own rows and the depth of a walk, n × log n. A
graph is a project's own, so that a question costs what its project's size costs, however many other projects there are.
Questions are then played against replicas: they come by chance, take what measured ones took, and wait for a processor.
Run with ``make bench-scale``, as ``tests.bench.pgvector``; ``--rows`` names the sizes to measure.
"""

from __future__ import annotations

import argparse
import heapq
import math
import random
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
RATES = (10, 100, 1000)
"""Questions a second, of all projects together: 1,000 are sixty thousand people who ask once a minute."""
CORES = 2
"""Processors of a replica, as of the machine that was measured."""
QUESTIONS = 20_000
MORE = 1.25
"""What waiting may add: the slowest question in a hundred takes so much of what it takes on an idle server."""


def main() -> int:
    """Measure, reckon, simulate and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, nargs="*", default=[10_000, 100_000])
    parser.add_argument("--questions", type=int, default=100)
    args = parser.parse_args()
    sizes = []
    missed = 0
    for count in args.rows:
        under, size = fill_and_ask(count, args.questions, filtered=False)
        missed += under
        sizes.append(size)
    print(f"\n{'rows':>10}  {'seconds':>8}  {'table MB':>8}  {'indexes MB':>10}")
    for size in sizes:
        print(f"{size.rows:10,}  {size.seconds:8.1f}  {size.table / 1e6:8.0f}  {size.indexes / 1e6:10.0f}")
    for label, projects in SPLITS.items():
        size = reckon(sizes, projects)
        print(
            f"{label:>24}: fill {size.seconds / 3600:.1f} h, table {size.table / 1e9:.1f} GB, "
            f"indexes {size.indexes / 1e9:.1f} GB, a question p50 {share_of(size.asked, 0.5):.0f} ms"
        )
        for rate in RATES:
            servers = replicas_for(size.asked, rate)
            lost = share_of(simulate(size.asked, rate, max(servers - 1, 1)), 0.99)
            print(
                f"{rate:24,} questions a second: {servers} replicas, "
                f"p99 {share_of(simulate(size.asked, rate, servers), 0.99):.0f} ms, with one less {lost:.0f} ms"
            )
    return int(missed > 0)


def reckon(sizes: Sequence[Size], projects: Sequence[int]) -> Size:
    """Return what projects of so many rows would take.

    The rows' part is that of the smallest measured size, which has no graph; what the largest took beyond it is its one
    graph's. A question is one in a project of the mean size.
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
        asked_in(rows / len(projects), small, large),
    )


def asked_in(rows: float, small: Size, large: Size) -> tuple[float, ...]:
    """Return what questions take in a project: a walk's depth is log n of its graph; without one all rows are read."""
    if rows >= GRAPH_FROM:
        longer = math.log(rows) / math.log(BIG_SHARE * large.rows)
        return tuple(took * longer for took in large.asked)
    return tuple(took * rows / (BIG_SHARE * small.rows) for took in small.asked)


def work(rows: int) -> float:
    """Return the work of making a graph of so many rows, none where none is made."""
    return rows * math.log(rows) if rows >= GRAPH_FROM else 0.0


def simulate(asked: Sequence[float], rate: float, servers: int) -> list[float]:
    """Return the milliseconds that questions take, waiting included, where so many a second come to so many servers.

    One queue is before all their processors, as a pool that gives the next free one. Seeded: the same each time.
    """
    chance = random.Random(1)
    free, now, found = [0.0] * (servers * CORES), 0.0, []
    for _ in range(QUESTIONS):
        now += chance.expovariate(rate / 1000)
        done = max(now, heapq.heappop(free)) + chance.choice(asked)
        heapq.heappush(free, done)
        found.append(done - now)
    return found


def replicas_for(asked: Sequence[float], rate: float) -> int:
    """Return the fewest replicas with which waiting adds little."""
    servers = math.ceil(rate * sum(asked) / len(asked) / 1000 / CORES)
    while share_of(simulate(asked, rate, servers), 0.99) > MORE * share_of(asked, 0.99):
        servers += 1
    return servers


def share_of(times: Sequence[float], share: float) -> float:
    """Return the time that such a share of them does not exceed."""
    return sorted(times)[min(len(times) - 1, int(share * len(times)))]


if __name__ == "__main__":
    raise SystemExit(main())
