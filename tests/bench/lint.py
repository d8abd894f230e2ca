"""What lint costs: ``python -m tests.bench.lint``. A merge request of ten near-alike files, the second net, 10,000 files.

The first two stand beside floors of the same minutes: a bare interpreter, and the scanner by itself over the same texts.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

from brain.lint.scanner import find_scanner
from tests.bench.figures import figure
from tests.bench.measure import Run, best, run
from tests.lint.support import memory
from tests.support.repos import ROOT, commit, git, make_repo

REQUEST_TARGET, NET_TARGET, STORE_TARGET = 8.0, 1.5, 60.0
"""Times a bare interpreter, times the bare scanner, seconds."""
FILES, STORE = 10, 10_000
HERE = Path(__file__).resolve().parents[2]
BODY = (
    "The stock export number {number} must finish before six because the Osaka books close then, and nobody can post "
    "after that.\n\n**Apply:** start job {number} at 17:00.\n"
)


def files(count: int) -> dict[str, str]:
    """Return repo path → text of so many memories that say nearly the same."""
    area = f"{ROOT}/00.Shared/domain/F-002_Order"
    return {
        f"{area}/f{number}.md": memory(BODY.format(number=number), id=f"mem-F002-f{number}") for number in range(count)
    }


def environment() -> dict[str, str]:
    """Return an environment in which the program is found, and its byte code may be kept."""
    keep = {name: text for name, text in os.environ.items() if not name.startswith(("BRAIN_", "PYTHON"))}
    return {**keep, "PYTHONPATH": f"{HERE}:{HERE}/ci", "BRAIN_NOW": "2026-11-30"}


def request(folder: Path, runs: int) -> int:
    """Measure the own rules on a merge request; return how many targets were missed."""
    repo, env = make_repo(folder / "request", {f"{ROOT}/brain.toml": "# s\n", "src/export.py": "x\n"}), environment()
    git(repo, "checkout", "-q", "-b", "memory/BENCH-1")
    commit(repo, files(FILES))
    command = [sys.executable, "-m", "brain", "lint", "--base", "main"]
    floors, costs = [], []
    for _ in range(runs):
        floors.append(run([sys.executable, "-c", "pass"], env=env))
        costs.append(run(command, cwd=repo, env=env))
    return row(f"own rules, {FILES} near-alike files", best(costs), best(floors), REQUEST_TARGET)


def second_net(folder: Path, runs: int) -> int:
    """Measure what the second net adds against the scanner by itself; return how many targets were missed."""
    program, repo, env = find_scanner(), folder / "request", environment()
    if not program:
        print("  the second scanner is not installed")
        return 0
    texts = folder / "texts"
    texts.mkdir()
    for number, text in enumerate(files(FILES).values()):
        (texts / f"{number}.md").write_text(text, encoding="utf-8")
    bare = [program, "dir", str(texts), "--no-banner", "--log-level=error", "--max-decode-depth=2"]
    command = [sys.executable, "-m", "brain", "lint", "--base", "main"]
    floors, own, both = [], [], []
    for _ in range(runs):
        floors.append(run(bare, env=env))
        own.append(run(command, cwd=repo, env=env))
        both.append(run([*command, "--scanner"], cwd=repo, env=env))
    one, two = best(own), best(both)
    added = Run(two.wall - one.wall, two.cpu - one.cpu, two.peak)
    return row("what the second net adds", added, best(floors), NET_TARGET)


def store(folder: Path) -> int:
    """Measure a whole store; return how many targets were missed."""
    repo = make_repo(folder / "store", {f"{ROOT}/brain.toml": "# s\n", "src/export.py": "x\n"})
    commit(repo, files(STORE))
    started = time.perf_counter()
    cost = run([sys.executable, "-m", "brain", "lint", "--all"], cwd=repo, env=environment())
    seconds = time.perf_counter() - started
    met = not figure(f"lint of {STORE:,} files, s", seconds, STORE_TARGET)
    print(
        f"  {STORE:,} files {'':26} {seconds:9.1f} s   peak {cost.peak:.0f} MB (target {STORE_TARGET:g} s: {_word(met)})"
    )
    return int(not met)


def row(label: str, found: Run, floor: Run, target: float) -> int:
    """Print a row; return 1 if its ratio misses the target."""
    ratio = found.wall / floor.wall
    times = f"{found.wall * 1e3:9.1f} ms of {floor.wall * 1e3:.1f}"
    print(f"  {label:38} {times}   {ratio:5.2f} × floor (target {target:g}: {_word(ratio <= target)})", flush=True)
    return figure(f"lint: {label}", ratio, target, f"{floor.wall * 1e3:.1f} ms")


def _word(met: bool) -> str:
    return "met" if met else "MISSED"


def main() -> int:
    """Measure and print; exit 1 if a target was missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--no-store", action="store_true", help="leave out the store of 10,000 files")
    args = parser.parse_args()
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, Python {sys.version.split()[0]}")
    folder = Path(tempfile.mkdtemp(prefix="brain-bench-"))
    try:
        missed = request(folder, args.runs) + second_net(folder, args.runs)
        missed += 0 if args.no_store else store(folder)
    finally:
        shutil.rmtree(folder)
    print(f"\n{missed} targets missed")
    return int(missed > 0)


if __name__ == "__main__":
    raise SystemExit(main())
