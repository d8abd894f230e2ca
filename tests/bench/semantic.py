"""What the semantic phase adds to a session start: processor time of the hook with a semantic index and without.

The store's vectors are random numbers, since making real ones takes half an hour and searching them costs the same;
the ticket is embedded by the packaged model. Run with ``python -m tests.bench.semantic`` where that is installed.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
from pathlib import Path

from brain.files import write_file
from brain.semantic.embedder import fingerprint_of, model_of
from brain.semantic.texts import read_sources
from brain.semantic.vectors import vectors_path
from brain.semantic.write import Item, Seeds, quantize, write_vectors
from brain.terms import LANGUAGES
from brain.workspace import open_brain
from tests.bench.figures import figure
from tests.bench.measure import Run, best, run
from tests.bench.start import write_ticket
from tests.bench.stores import Store, build
from tests.support.hook_process import LAUNCHER

DIM = 384
TARGET = 130.0
"""Milliseconds of processor time that meaning may add at 10,000 memories."""


def main() -> int:
    """Measure and print; exit 1 if the target was missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="*", default=[1_000, 10_000])
    parser.add_argument("--folder", type=Path, default=Path(__file__).parents[2] / ".bench" / "semantic")
    parser.add_argument("--runs", type=int, default=15)
    args = parser.parse_args()
    launcher = args.folder / "hook"
    missed = 0
    for size in args.sizes:
        store = build(args.folder / str(size), size)
        write_file(str(launcher), LAUNCHER)
        write_ticket(store)
        write_random(store)
        pairs = [(hook(store, launcher, on=False), hook(store, launcher, on=True)) for _ in range(args.runs)]
        without, with_it = best([pair[0] for pair in pairs]), best([pair[1] for pair in pairs])
        added = (with_it.cpu - without.cpu) * 1000
        verdict = f"(target {TARGET:.0f}: {'met' if added <= TARGET else 'MISSED'})"
        if size == 10_000:
            missed += figure("meaning at session start, 10,000, ms of processor", added, TARGET)
        print(
            f"{size:,} memories: {without.cpu * 1000:.0f} ms cpu without, {with_it.cpu * 1000:.0f} with: +{added:.0f} ms {verdict}"
        )
        print(
            f"    wall {without.wall * 1000:.0f} and {with_it.wall * 1000:.0f} ms, peak {without.peak:.0f} and {with_it.peak:.0f} MB"
        )
    return 1 if missed else 0


def write_random(store: Store) -> None:
    """Write a file of vectors as ``brain semantic build`` does, of random numbers."""
    brain = open_brain(str(store.memory_repo), {})
    rng = random.Random(1)
    items = [Item(one.path, one.key, one.digest, one.language, quantize(vector(rng))) for one in read_sources(brain)]
    seeds = Seeds(tuple(vector(rng) for _ in LANGUAGES), tuple(vector(rng) for _ in LANGUAGES))
    fingerprint = fingerprint_of(model_of(brain.config))
    content = write_vectors({"fingerprint": fingerprint, "tree": brain.tree.tree, "seeds_version": 0}, items, seeds)
    write_file(vectors_path(brain.repo, brain.tree.root, fingerprint), content)


def vector(rng: random.Random) -> list[float]:
    """Return a random vector, not long."""
    return [rng.gauss(0.0, 0.05) for _ in range(DIM)]


def hook(store: Store, launcher: Path, *, on: bool) -> Run:
    """Run the session-start hook once, with the deadline so long that it is never left out."""
    payload = {"cwd": str(store.code_repo), "hook_event_name": "SessionStart", "source": "startup"}
    keep = {name: text for name, text in os.environ.items() if not name.startswith(("BRAIN_", "PYTHON"))}
    settings = {"BRAIN_RECALL_SCORER": "hybrid", "BRAIN_NOW": "2026-11-30", "BRAIN_SEMANTIC_DEADLINE": "20000"}
    env = {**keep, **settings, "BRAIN_SEMANTIC_ENABLED": str(on).lower()}
    command = [sys.executable, "-I", str(launcher), "claude", "SessionStart", "memories"]
    return run(command, stdin=json.dumps(payload).encode(), env=env)


if __name__ == "__main__":
    raise SystemExit(main())
