"""``python -m tests.bench.start``: what session start, cold start, a pull and staleness cost, as ratios against floors of the same run.

Machines are shared and noisy, so every figure is the least of several runs, and stands beside a floor measured in the
same minutes: a bare interpreter, git reading the same blobs, ``rg`` over the same tree, git comparing commit by commit.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from brain.files import write_file
from tests.bench.figures import figure
from tests.bench.measure import Run, best, run
from tests.bench.stores import Store, build, change, git, some_words
from tests.support.hook_process import LAUNCHER

ROOT = Path(__file__).resolve().parents[2]
SIZES = (200, 2_000, 10_000, 100_000)
TARGETS = {"rule": {10_000: 3.0, 100_000: 6.0}, "hybrid": {10_000: 4.0, 100_000: 6.0}}
COLD_TARGET, PULL_TARGET, PEAK_TARGET = 4.0, 1.5, 80.0
RUNS = 15


def main() -> int:
    """Measure and print; exit 1 if a target was missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="*", default=SIZES)
    parser.add_argument("--folder", type=Path, default=ROOT / ".bench")
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--no-stale", action="store_true", help="leave out the staleness table")
    args = parser.parse_args()
    print(
        f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, Python {sys.version.split()[0]}, git {git(ROOT, 'version').split()[2]}"
    )
    missed = sum(bench_size(size, args.folder, args.runs) for size in args.sizes)
    if not args.no_stale:
        from tests.stale import bench_stale

        print("\nstaleness")
        bench_stale.main()
    print(f"\n{missed} targets missed")
    return 1 if missed else 0


def bench_size(size: int, folder: Path, runs: int) -> int:
    """Measure a store of one size, print its table, return how many targets were missed."""
    shutil.rmtree(folder / str(size), ignore_errors=True)
    store = build(folder / str(size), size)
    write_ticket(store)
    missed = 0
    print(f"\n{size:,} memories {'':24} {'wall ms':>9} {'cpu ms':>8} {'peak MB':>8}   ratio")
    bare = best([run([sys.executable, "-c", "pass"]) for _ in range(runs)])
    row("floor: python -c pass", bare)
    for scorer in ("rule", "hybrid"):
        for part in ("index", "memories"):
            hook(store, part, scorer)
            found = best([hook(store, part, scorer) for _ in range(runs)])
            target = TARGETS[scorer].get(size)
            missed += row(f"session start, {size:,}, {part}, {scorer}", found, bare, target)
            if size == 10_000:
                missed += figure(f"peak of the hook, {part}, {scorer}, MB", found.peak, PEAK_TARGET)
    return missed + bench_cold(store, size, runs) + bench_pull(store, size, runs)


def bench_cold(store: Store, size: int, runs: int) -> int:
    """Measure session start without a cache against git reading the same blobs, and rg over the same tree."""
    oids = git(store.memory_repo, "ls-tree", "-r", "--format=%(objectname)", "HEAD:99.Memory").encode() + b"\n"
    times = 3 if size > 10_000 else min(runs, 7)
    blobs = best([run(["git", "-C", str(store.memory_repo), "cat-file", "--batch"], stdin=oids) for _ in range(times)])
    row("floor: git cat-file --batch", blobs)
    if shutil.which("rg"):
        git(store.memory_repo, "checkout", "-q", "-f", "HEAD")
        row(
            "rg over the tree",
            best([run(["rg", "-c", "workflows", str(store.memory_repo)]) for _ in range(times)]),
            blobs,
        )
    cold = []
    for _ in range(times):
        shutil.rmtree(store.memory_repo / ".git" / "brain", ignore_errors=True)
        cold.append(hook(store, "memories", "hybrid"))
    return row("session start, no cache", best(cold), blobs, COLD_TARGET if size == 10_000 else None)


def bench_pull(store: Store, size: int, runs: int) -> int:
    """Measure session start after commits that changed ten memories against the warm one."""
    hook(store, "memories", "hybrid")
    warm = best([hook(store, "memories", "hybrid") for _ in range(runs)])
    after = []
    for seed in range(min(runs, 7)):
        change(store, 10, seed)
        after.append(hook(store, "memories", "hybrid"))
    return row("after a pull of 10 changes", best(after), warm, PULL_TARGET if size == 10_000 else None)


def hook(store: Store, part: str, scorer: str) -> Run:
    """Run the session-start hook once, as a host would."""
    payload = json.dumps({"cwd": str(store.code_repo), "hook_event_name": "SessionStart", "source": "startup"}).encode()
    keep = {name: text for name, text in os.environ.items() if not name.startswith(("BRAIN_", "PYTHON"))}
    env = {**keep, "BRAIN_RECALL_SCORER": scorer, "BRAIN_NOW": "2026-11-30"}
    launcher = store.memory_repo.parent / "hook"  # as installed: neither PYTHONPATH nor the folder it runs in counts
    if not launcher.exists():
        write_file(str(launcher), LAUNCHER)
    return run([sys.executable, "-I", str(launcher), "claude", "SessionStart", part], stdin=payload, env=env)


def write_ticket(store: Store) -> None:
    """Write a ticket of ordinary length that names a function, tags and words of the store."""
    ticket = {
        "taskId": "BENCH-1", "functionId": "F-003_Module3", "title": f"Retry {some_words(6)}", "workflow": "coding",
        "description": some_words(60), "keywords": ["tag3", "mod3", "export"],
    }  # fmt: skip
    (store.code_repo / ".aiflow" / "context" / "current.json").write_text(json.dumps(ticket), "utf-8")


def row(label: str, found: Run, floor: Run | None = None, target: float | None = None) -> int:
    """Print a row; return 1 if its ratio misses the target."""
    ratio = found.wall / floor.wall if floor else 0.0
    verdict = f"{ratio:6.2f} × floor" if floor else ""
    if target and floor:
        figure(label, ratio, target, f"{floor.wall * 1e3:.1f} ms")
        verdict += f"  (target {target:g}: {'met' if ratio <= target else 'MISSED'})"
    print(f"  {label:38} {found.wall * 1e3:9.1f} {found.cpu * 1e3:8.1f} {found.peak:8.1f}   {verdict}", flush=True)
    return int(bool(target) and ratio > (target or 0.0))


if __name__ == "__main__":
    subprocess.run(["git", "version"], check=True, stdout=subprocess.DEVNULL)
    raise SystemExit(main())
