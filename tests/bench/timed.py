"""Run ``brain`` or ``brain-ci``, and tell how long it waited for the network: ``python -m tests.bench.timed FILE PROGRAM ARG…``.

What is counted as network is every request to GitLab and every git process that speaks to a remote, whole.
"""

from __future__ import annotations

import json
import sys
import time
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import requests

import brain.git.run

if TYPE_CHECKING:
    from collections.abc import Callable

REMOTE = {"push", "fetch", "ls-remote"}
PROGRAMS = {"brain": "brain.cli", "brain-ci": "brain_ci.cli"}


class Clock:
    """Adds up seconds and counts calls."""

    def __init__(self) -> None:
        self.seconds, self.calls = 0.0, 0

    def wrap(self, function: Callable[..., Any], counts: Callable[..., bool]) -> Callable[..., Any]:
        def timed(*args: Any, **named: Any) -> Any:
            if not counts(*args):
                return function(*args, **named)
            started = time.perf_counter()
            try:
                return function(*args, **named)
            finally:
                self.seconds += time.perf_counter() - started
                self.calls += 1

        return timed


def main() -> int:
    """Run the program, then write what was counted."""
    file, program, *args = sys.argv[1:]
    clock = Clock()
    requests.Session.send = clock.wrap(requests.Session.send, lambda *_: True)  # type: ignore[method-assign]
    spawn = brain.git.run._spawn
    brain.git.run._spawn = clock.wrap(spawn, lambda argv, *_: bool(REMOTE & set(argv)))
    status = int(import_module(PROGRAMS[program]).main(args))
    Path(file).write_text(json.dumps({"seconds": clock.seconds, "calls": clock.calls}))
    return status


if __name__ == "__main__":
    sys.exit(main())
