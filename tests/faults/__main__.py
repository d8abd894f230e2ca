"""``make faults``: break everything once, and print what was tried and what survived; exit 1 if something did not.

``python -m tests.faults [WORD…] [--sample N]``: the rows whose name has one of these words, one in N tries of each.
Tries are numbered, not drawn: the same N gives the same ones.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import sys
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.faults.rows import ROWS

if TYPE_CHECKING:
    from collections.abc import Sequence

ROOT = Path(__file__).resolve().parents[2]
TALLY = re.compile(r"(\d+) (?:kills|tried), (\d+) survived")


class Tally:
    """Counts for each row what its tests tried and what survived."""

    def __init__(self, rows: Sequence[str]) -> None:
        self.rows = rows
        self.tried: Counter[str] = Counter()
        self.survived: Counter[str] = Counter()
        self.seconds: dict[str, float] = {}
        self.fell: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        row = next(name for name in self.rows if any(report.nodeid.startswith(node) for node in ROWS[name]))
        self.seconds[row] = self.seconds.get(row, 0.0) + report.duration
        if report.skipped or (report.when != "call" and report.passed):
            return
        counts = [(int(tried), int(survived)) for tried, survived in TALLY.findall(report.capstdout)]
        counts = counts or [(1, int(report.passed))]  # a test that tells no numbers is one try
        tried, survived = (sum(column) for column in zip(*counts, strict=True))
        self.tried[row] += tried
        self.survived[row] += survived
        if not report.passed:
            self.fell.append(f"{report.nodeid}\n{report.capstdout}\n{report.longreprtext[-2000:]}")
        print(f"  {'ok  ' if report.passed else 'FELL'} {survived:5} of {tried:5}  {report.nodeid}", flush=True)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.fell.append(f"{report.nodeid}\n{report.longreprtext}")

    def table(self) -> str:
        width = max(map(len, self.rows))
        lines = [f"{'fault':{width}}  {'tried':>6} {'survived':>8} {'seconds':>8}"]
        for name in self.rows:
            lines += [
                f"{name:{width}}  {self.tried[name]:6} {self.survived[name]:8} {self.seconds.get(name, 0.0):8.0f}"
            ]
        total = sum(self.tried.values()), sum(self.survived.values())
        return "\n".join([*lines, f"{'together':{width}}  {total[0]:6} {total[1]:8}"])


def main(argv: Sequence[str] | None = None) -> int:
    """Run the rows that are asked for, and print the table."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.faults", description=__doc__.partition("\n")[0] if __doc__ else ""
    )
    parser.add_argument(
        "words", nargs="*", metavar="WORD", help="rows whose name has one of these words (default: all)"
    )
    parser.add_argument("--sample", type=int, default=1, metavar="N", help="one in N tries (default: each)")
    parser.add_argument("--jobs", type=int, default=2, help="tests at the same time; 1 in this process")
    parser.add_argument("--list", action="store_true", help="print the rows and end")
    args = parser.parse_args(argv)
    rows = [name for name in ROWS if not args.words or any(word in name for word in args.words)]
    if args.list or not rows:
        print(*(rows or ROWS), sep="\n")
        return 0 if rows else 2
    os.environ["BRAIN_FAULTS"] = str(args.sample)
    os.chdir(ROOT)
    tally = Tally(rows)
    nodes = [node for name in rows for node in ROWS[name]]
    spread = ["-n", str(args.jobs)] if args.jobs > 1 else ["-p", "no:xdist"]
    started = time.monotonic()
    status = pytest.main(
        ["-o", "addopts=--import-mode=importlib", "-p", "no:terminal", *spread, *nodes], plugins=[tally]
    )
    seconds = time.monotonic() - started
    print(*tally.fell, sep="\n\n")
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    work = usage.ru_utime + usage.ru_stime
    print(f"\none in {args.sample} tries: {seconds:.0f} s, {work:.0f} s of processor, load {os.getloadavg()[0]:.1f}\n")
    print(tally.table())
    return 1 if tally.fell or status != pytest.ExitCode.OK else 0


if __name__ == "__main__":
    sys.exit(main())
