"""A disk that is full at any size of file, and locks of git that somebody holds: nothing is lost, the next run completes.

A limit on the size of files stands for the full disk: it meets our files and git's, and needs no rights.
"""

from __future__ import annotations

import resource
import signal
from typing import TYPE_CHECKING

import pytest

from tests.faults.sample import sampled, told
from tests.faults.test_requests import STORIES, Run, bench
from tests.support.program import program

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.faults.bench import Bench, Trial
    from tests.submit.test_killed import Killer

__all__ = ["bench"]
SIZES = (0, 1, 40, 120, 160, 200, 250, 300, 400, 600, 900, 1300, 2000, 4000, 9000)
"""Bytes: below, between and above the sizes of objects, refs, journal entries and drafts."""
LOCKS = (
    "index.lock", "HEAD.lock", "packed-refs.lock", "config.lock", "shallow.lock", "FETCH_HEAD.lock", "refs/remotes/origin/main.lock",
    "refs/brain/submitted/{ticket}.lock", "logs/refs/remotes/origin/main.lock",
)  # fmt: skip
FEW = 11


def limit(size: int) -> Callable[[], None]:
    """Return what keeps a process's files below a size; it is called in the child."""

    def keep() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    return keep


def survives(trial: Trial, run: Run, name: str, texts: set[str], first: tuple[int, bytes]) -> str:
    """Return what did not survive, "" where all did."""
    story = STORIES[name]
    status, err = first
    lost = not trial.kept(texts, story.branch(trial))
    again = run(trial, *story.command(trial))
    if status not in {0, 1, 3, 4, 5, 6} or b"Traceback" in err:
        return f"ended with {status}: {err.decode()}"
    if status and not err.startswith(b"brain: "):
        return f"said nothing: {status} {err.decode()}"
    if lost or len(trial.requests(story.branch(trial))) > 1:
        return "lost or doubled"
    return "" if again == 0 and story.ended(trial, texts) else f"the next run ended with {again}"


@pytest.mark.parametrize("name", STORIES)
def test_a_full_disk(bench: Bench, killer: Killer, name: str) -> None:
    story, run = STORIES[name], Run(killer)
    fell, tried = [], 0
    for size in sampled(SIZES, FEW):
        trial = bench.trial()
        texts = story.before(trial, run)
        done = program(
            *story.command(trial), folder=trial.machine.folder, env=trial.machine.env, preexec_fn=limit(size)
        )
        found = survives(trial, run, name, texts, (done.returncode, done.stderr))
        fell += [f"{size} bytes: {found}"] if found else []
        tried += 1
        trial.end()
    print(*fell, sep="\n")
    told(f"full disk, {name}", tried, tried - len(fell))


@pytest.mark.parametrize("name", STORIES)
def test_a_lock_of_git_is_held(bench: Bench, killer: Killer, name: str) -> None:
    story, run = STORIES[name], Run(killer)
    fell, tried = [], 0
    for lock in sampled(LOCKS, FEW):
        trial = bench.trial()
        texts = story.before(trial, run)
        file = trial.machine.folder / ".git" / lock.format(ticket=trial.ticket)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
        done = program(*story.command(trial), folder=trial.machine.folder, env=trial.machine.env)
        file.unlink()
        found = survives(trial, run, name, texts, (done.returncode, done.stderr))
        fell += [f"{lock}: {found}"] if found else []
        tried += 1
        trial.end()
    print(*fell, sep="\n")
    told(f"lock held, {name}", tried, tried - len(fell))
