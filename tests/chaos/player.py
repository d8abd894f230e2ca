"""Run ``brain`` and ``brain-ci`` for a chaos run, and kill them at a step; ``tests.submit.killer`` says how it is asked.

An order also names its ``program``, the ``folder`` it runs in and the ``log`` that its outputs go to.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import brain.cli
import brain_ci.cli
from tests.submit.killer import serve

if TYPE_CHECKING:
    from collections.abc import Callable

PROGRAMS: dict[str, Callable[[list[str]], int]] = {"brain": brain.cli.main, "brain-ci": brain_ci.cli.main}


def play(order: dict[str, Any]) -> int:
    """Run what is ordered and return its status."""
    sys.stdout = sys.stderr = open(order["log"], "w", buffering=1, encoding="utf-8")  # noqa: SIM115 - the process ends
    os.chdir(order["folder"])
    try:
        return PROGRAMS[order["program"]](order["args"])
    except SystemExit as error:  # argparse's own
        return int(str(error.code))


if __name__ == "__main__":
    import brain.commands.consolidate
    import brain.commands.pending
    import brain.commands.pull_back
    import brain.commands.remember
    import brain.commands.remove
    import brain.commands.restore
    import brain.commands.show
    import brain.commands.status
    import brain.commands.submit
    import brain.commands.telemetry
    import brain.commands.verify
    import brain.lint.run

    serve(play)
