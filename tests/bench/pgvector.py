"""A team's database at scale: time to fill and to index, p50 and p99 of filtered questions, recall, memory.

100,000 vectors of 384 dimensions in 21 projects, mixed from real ones: pairs of the seed sentences as the packaged model
embeds them, each with noise of its own. Questions are such vectors too. What is exact comes from numpy. Run with
``python -m tests.bench.pgvector`` where the extras semantic and semantic-pg are installed; the server is our own, on a
folder that is removed in the end. ``tests.bench.scale`` reckons from several sizes what ten million would take.
"""

from __future__ import annotations

import argparse
import os
import shutil
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from brain.semantic.embedder import embed, model_of, open_embedder
from brain.semantic.postgres.store import Row, Store
from brain.semantic.seeds import SEEDS
from brain.semantic.vectors import CANDIDATES
from brain.semantic.write import mean_of
from brain.settings import load_config
from tests.bench.figures import figure
from tests.semantic.database import make_server

if TYPE_CHECKING:
    from brain.semantic.vectors import Hit

DIM = 384
BIG_SHARE, SMALL = 0.6, 20
"""What of the rows is one project's; the others are split evenly."""
SCOPES, STATUSES = 50, 5
NOISE = 0.6
"""Length of the noise beside a vector of length 1: near ones then have a cosine of about 0.7."""


def main() -> int:
    """Measure and print; exit 1 if a recall is under 0.98."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--questions", type=int, default=200)
    args = parser.parse_args()
    return int(fill_and_ask(args.rows, args.questions)[0] > 0)


@dataclass(frozen=True)
class Size:
    """What a database of so many rows took: seconds to fill, bytes of its table and of its indexes.

    ``asked`` are the milliseconds of questions in the project that has ``BIG_SHARE`` of the rows, for what a recall wants.
    """

    rows: int
    seconds: float
    table: int
    indexes: int
    asked: tuple[float, ...] = ()


def fill_and_ask(count: int, asked: int, *, filtered: bool = True) -> tuple[int, Size]:
    """Fill a database, ask it, print both; return how many recalls were under 0.98, and its size.

    Questions about whole projects alone are asked unless ``filtered``.
    """
    rng = np.random.default_rng(1)
    bases = real_vectors()
    vectors = mixed(bases, count, rng)
    projects = np.where(rng.random(count) < BIG_SHARE, 0, 1 + rng.integers(0, SMALL, count))
    scopes, statuses = rng.integers(0, SCOPES, count), rng.integers(0, STATUSES, count)
    server = make_server()
    server.start()
    try:
        store = Store(server.dsn)
        space = store.make_space("bench", DIM, b"")
        print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, {count:,} rows")
        seconds = 0.0
        for project in range(SMALL + 1):
            rows = [
                Row(
                    f"m/{at}.md", int(at).to_bytes(20, "big"), bytes(20), 0, f"s{statuses[at]}", f"F-{scopes[at]:03}",
                    vectors[at].tolist(),
                )
                for at in np.flatnonzero(projects == project)
            ]  # fmt: skip
            started = time.perf_counter()
            store.fill(space, f"p{project}", "t", rows)
            took = time.perf_counter() - started
            seconds += took
            if project in (0, 1):
                print(f"fill of {len(rows):,} rows, the index with it where it is due: {took:.1f} s")
        sizes = print_sizes(store, space.table, server.pid)
        questions = mixed(bases, asked, rng)
        missed = 0
        everyone = projects == 0
        cases = (
            Case("60 % of all, no filter", everyone, {"project": "p0"}),
            Case("one project of twenty (2 %)", projects == 1, {"project": "p1"}),
            Case("one status (12 %)", everyone & (statuses == 1), {"project": "p0", "statuses": ["s1"]}),
            Case("one scope (1.2 %)", everyone & (scopes == 3), {"project": "p0", "scopes": ["F-003"]}),
            Case("status and scope (0.24 %)", everyone & (scopes == 3) & (statuses == 1),
                 {"project": "p0", "scopes": ["F-003"], "statuses": ["s1"]}),
        )  # fmt: skip
        found: list[float] = []
        for case in cases if filtered else cases[:2]:
            for limit in (10, CANDIDATES):
                under, times = measure(partial(store.near, space, least=-1.0, limit=limit), case, vectors, questions)
                missed += under
                found = times if case is cases[0] else found
        print_sizes(store, space.table, server.pid)
        store.close()
    finally:
        server.stop()
        shutil.rmtree(Path(server.data).parent, ignore_errors=True)
    return missed, Size(count, seconds, *sizes, tuple(found))


def real_vectors() -> np.ndarray:
    """Return the seed sentences as the packaged model embeds them, without their language's mean."""
    embedder = open_embedder(model_of(load_config({}, None, {})), {}, threads=1)
    found = []
    for sentences in SEEDS:
        language = np.array(embed(embedder, sentences, query=False))
        found.append(language - 0.9 * np.array(mean_of(language.tolist())))
    return unit(np.concatenate(found))


def mixed(bases: np.ndarray, count: int, rng: np.random.Generator) -> np.ndarray:
    """Return vectors near pairs of the bases."""
    one, two = bases[rng.integers(0, len(bases), count)], bases[rng.integers(0, len(bases), count)]
    share = rng.random((count, 1))
    return unit(unit(share * one + (1 - share) * two) + NOISE * unit(rng.normal(size=(count, DIM)))).astype(np.float32)


def unit(vectors: np.ndarray) -> np.ndarray:
    """Return vectors of length 1."""
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


@dataclass(frozen=True)
class Case:
    """One kind of question: which rows it is about, and how it says so."""

    label: str
    mask: np.ndarray
    options: dict[str, Any]


def measure(
    near: partial[list[Hit]], case: Case, vectors: np.ndarray, questions: np.ndarray
) -> tuple[int, list[float]]:
    """Print one row: times of a question, and how much of the exact ten best it finds; return 1 if little, and times."""
    times, kept = [], []
    numbers = np.flatnonzero(case.mask)
    own = vectors[numbers]
    for asked in questions:
        exact = {f"m/{numbers[at]}.md" for at in np.argsort(-(own @ asked))[:10]}
        started = time.perf_counter()
        hits = near(vector=asked.tolist(), **case.options)
        times.append((time.perf_counter() - started) * 1000)
        kept.append(len(exact & {hit.path for hit in hits[:10]}) / 10)
    recall = float(np.mean(kept))
    p50, p99 = np.percentile(times, [50, 99])
    limit = near.keywords["limit"]
    print(f"{case.label:28} best {limit:3}: p50 {p50:6.1f} ms, p99 {p99:6.1f} ms, recall@10 {recall:.3f}", flush=True)
    return figure(f"pgvector, {case.label}, best {limit}: share of the exact ten", recall, 0.98, at_least=True), times


def print_sizes(store: Store, table: str, pid: int) -> tuple[int, int]:
    """Print and return what the table and its indexes take on the disk; print the server's processes of memory."""
    with store._pool.connection() as connection:
        asked = f"SELECT pg_table_size('brain.{table}'), pg_indexes_size('brain.{table}')"
        table_size, index_size = connection.execute(asked).fetchone()
    pids = [pid, *(int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split())]
    shares = [
        int(line.split()[1])
        for child in pids
        for line in Path(f"/proc/{child}/smaps_rollup").read_text().splitlines() if line.startswith("Pss:")
    ]  # fmt: skip
    print(
        f"table {table_size / 1e6:.0f} MB, indexes {index_size / 1e6:.0f} MB, "
        f"server {sum(shares) / 1024:.0f} MB in {len(pids)} processes"
    )
    return table_size, index_size


if __name__ == "__main__":
    raise SystemExit(main())
