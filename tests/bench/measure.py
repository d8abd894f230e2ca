"""Time a program as a whole process: wall, processor time and peak memory of each run."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Run:
    """One run: seconds on the wall, seconds of processor time with its children, peak resident megabytes."""

    wall: float
    cpu: float
    peak: float


def run(argv: list[str], *, stdin: bytes = b"", cwd: Path | None = None, env: dict[str, str] | None = None) -> Run:
    """Run a program once, output thrown away.

    Raises:
        RuntimeError: It exited non-zero.
    """
    read_end, write_end = os.pipe()
    os.write(write_end, stdin[:60_000]) if len(stdin) <= 60_000 else None
    null = os.open(os.devnull, os.O_RDWR)
    source = read_end if len(stdin) <= 60_000 else _spooled(stdin)
    command = ["env", "-C", str(cwd), *argv] if cwd else argv
    started = time.perf_counter()
    actions = [(os.POSIX_SPAWN_DUP2, source, 0), (os.POSIX_SPAWN_DUP2, null, 1), (os.POSIX_SPAWN_CLOSE, write_end)]
    pid = os.posix_spawnp(command[0], command, env or dict(os.environ), file_actions=actions)
    os.close(write_end)
    _, status, usage = os.wait4(pid, 0)
    wall = time.perf_counter() - started
    for end in {read_end, source, null}:
        os.close(end)
    if os.waitstatus_to_exitcode(status):
        raise RuntimeError(f"{' '.join(argv)} ended with {os.waitstatus_to_exitcode(status)}")
    return Run(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def best(runs: list[Run]) -> Run:
    """Return the least of each figure: what the work costs when nothing else disturbs it."""
    return Run(min(one.wall for one in runs), min(one.cpu for one in runs), min(one.peak for one in runs))


def _spooled(content: bytes) -> int:
    import tempfile

    with tempfile.TemporaryFile() as file:
        file.write(content)
        file.seek(0)
        return os.dup(file.fileno())
