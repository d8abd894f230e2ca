"""``python -m tests.bench.wrk``: recall over HTTP under wrk, with one worker and with two, and who used the processors.

The load generator runs on the same machine: its share is said, since what it takes the workers cannot have.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from tests.bench.api import ROOT, end, open_store, settings_for, start, tickets

if TYPE_CHECKING:
    from collections.abc import Sequence

SCRIPT = """
local asked, at = {}, 0
function init(args)
  for line in io.lines(args[1]) do
    asked[#asked + 1] = wrk.format("POST", args[2], {["content-type"] = "application/json"}, line)
  end
end
function request()
  at = at % #asked + 1
  return asked[at]
end
"""
UNITS = {"us": 1e-3, "ms": 1.0, "s": 1e3}
CONNECTIONS = 32


def main() -> int:
    """Measure each number of workers, and print a row a load."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=10_000)
    parser.add_argument("--folder", type=Path, default=ROOT / ".bench" / "api")
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--workers", type=int, nargs="*", default=[1, 2])
    args = parser.parse_args()
    wrk = shutil.which("wrk")
    if wrk is None:
        print("wrk is not installed", file=sys.stderr)
        return 2
    store = open_store(args.folder / str(args.size), args.size)
    folder = args.folder / "wrk"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "load.lua").write_text(SCRIPT)
    (folder / "tickets").write_bytes(b"\n".join(tickets(100, 1)))
    print(f"{'workers, load':24} {'req/s':>8} {'p50 ms':>8} {'p99 ms':>8} {'server, cores':>14} {'wrk, cores':>11}")
    for workers in args.workers:
        server, port = start(folder, settings_for(folder, store, workers))
        try:
            for load in ("recall", "constant"):
                given = [str(folder / "tickets"), f"/v1/projects/bench/{load}"]
                command = [wrk, "-t1", f"-c{CONNECTIONS}", "--latency", "-s", str(folder / "load.lua")]
                at = f"http://127.0.0.1:{port}"
                subprocess.run(
                    [*command, "-d2s", at, "--", *given], capture_output=True, check=True
                )  # fill what is kept
                print(f"{workers}, {load:21} {row(server.pid, [*command, f'-d{args.seconds}s', at, '--', *given])}")
        finally:
            end(server)
    return 0


def row(pid: int, command: Sequence[str]) -> str:
    """Run wrk; return its rate and latencies, and the cores that the server and wrk itself kept busy."""
    before, own, started = cpu_of(pid), resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    took, after, grown = time.monotonic() - started, cpu_of(pid), resource.getrusage(resource.RUSAGE_CHILDREN)
    assert "Non-2xx" not in said, said
    rate = float(re.findall(r"Requests/sec:\s+([\d.]+)", said)[0])
    half, late = (
        float(number) * UNITS[unit]
        for number, unit in re.findall(r"^\s+(?:50|99)%\s+([\d.]+)(us|ms|s)", said, re.MULTILINE)
    )
    wrk = grown.ru_utime + grown.ru_stime - own.ru_utime - own.ru_stime
    return f"{rate:8.0f} {half:8.2f} {late:8.2f} {(after - before) / took:14.2f} {wrk / took:11.2f}"


def cpu_of(pid: int) -> float:
    """Return seconds of processor time of a process and its children that run."""
    seconds = 0.0
    for found in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = found.read_text().rpartition(")")[2].split()
        except OSError:  # it ended this moment
            continue
        if pid in (int(found.parent.name), int(fields[1])):
            seconds += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return seconds


if __name__ == "__main__":
    raise SystemExit(main())
