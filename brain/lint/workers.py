"""Judge many files on all cores: forked workers, a share of the files each, results in chunks through a pipe."""

from __future__ import annotations

import gc
import os

from brain.lint.engine import Judged, judge_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import IO

    from brain.lint.judge import SourceFile
    from brain.lint.team import Team

    Reader = Callable[[Sequence[int]], Iterator[SourceFile]]
    Progress = Callable[[int, int], None]

PARALLEL_FROM = 300
"""Files from which a second process helps."""
CHUNK = 100
MOST_WORKERS = 8


def judge_all(count: int, read: Reader, team: Team, progress: Progress | None = None) -> list[Judged]:
    """Return what was found in ``count`` files, in order.

    Args:
        count: How many there are.
        read: Yields the files of these numbers.
        team: The team's settings.
        progress: Called now and then with how many are done, and ``count``.
    """
    workers = min(MOST_WORKERS, os.cpu_count() or 1)
    if count < PARALLEL_FROM:
        return _without_collector(count, read, team)
    if workers < 2 or not hasattr(os, "fork"):
        return [judge_file(file, team) for file in read(range(count))]
    shares = [range(start, count, workers) for start in range(workers)]
    children = [_fork(share, read, team) for share in shares]
    found: list[Judged | None] = [None] * count
    done = 0
    for numbers, rows in _collect([pipe for _, pipe in children]):
        for number, row in zip(numbers, rows, strict=True):
            found[number] = row
        done += len(rows)
        if progress:
            progress(done, count)
    for pid, _ in children:
        os.waitpid(pid, 0)
    left = [number for number, row in enumerate(found) if row is None]  # a worker that was killed: we do its share
    for number, file in zip(left, read(left), strict=True):
        found[number] = judge_file(file, team)
    return [row for row in found if row is not None]


def _without_collector(count: int, read: Reader, team: Team) -> list[Judged]:
    """Judge a few files: they make no garbage worth looking for, which would cost a twentieth of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        return [judge_file(file, team) for file in read(range(count))]
    finally:
        if was_on:
            gc.enable()


def _fork(share: Sequence[int], read: Reader, team: Team) -> tuple[int, IO[bytes]]:
    read_end, write_end = os.pipe()
    pid = os.fork()
    if pid:
        os.close(write_end)
        return pid, open(read_end, "rb")
    status = 1
    try:
        os.close(read_end)
        with open(write_end, "wb") as pipe:
            _work(share, read, team, pipe)
        status = 0
    finally:
        os._exit(status)


def _work(share: Sequence[int], read: Reader, team: Team, pipe: IO[bytes]) -> None:
    import pickle

    for start in range(0, len(share), CHUNK):
        numbers = list(share[start : start + CHUNK])
        rows = [judge_file(file, team) for file in read(numbers)]
        pickle.dump((numbers, rows), pipe)
        pipe.flush()


def _collect(pipes: list[IO[bytes]]) -> Iterator[tuple[list[int], list[Judged]]]:
    """Yield the chunks of all workers as they come."""
    import pickle
    from select import select

    while pipes:
        for pipe in select(pipes, [], [])[0]:
            try:
                yield pickle.load(pipe)  # noqa: S301 - from our own child, through a pipe nobody else holds
            except (EOFError, pickle.UnpicklingError):
                pipe.close()
                pipes.remove(pipe)
