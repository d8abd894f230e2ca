"""Run ``brain`` commands and kill them at a step: a step is one effect on the disk, one git process or one request.

A program of its own, without threads, that forks for each command: a line of JSON {"args", "env", "step", "when"} on
standard input is answered by {"status", "steps"}; step 0 kills nowhere. The product knows nothing of it.
"""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import requests

import brain.git.run
from brain.cli import main
from tests.support.program import CODE

if TYPE_CHECKING:
    from collections.abc import Callable

DOORS = (
    (os, "replace"),
    (os, "unlink"),
    (os, "link"),
    (os, "rmdir"),
    (brain.git.run, "_spawn"),
    (requests.Session, "send"),
)


class Steps:
    """Counts the steps, and dies at one."""

    def __init__(self, step: int, when: str) -> None:
        self.step, self.when, self.count = step, when, 0

    def wrap(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*args: Any, **named: Any) -> Any:
            self.count += 1
            number = self.count
            if number == self.step and self.when == "before":
                os.kill(os.getpid(), signal.SIGKILL)
            result = function(*args, **named)
            if number == self.step:
                os.kill(os.getpid(), signal.SIGKILL)
            return result

        return counted


def run(order: dict[str, Any], answer: int, program: Callable[[dict[str, Any]], int]) -> None:
    """Run one command in this process, which ends with it; write the number of its steps to ``answer``."""
    os.environ.update(order["env"])
    steps = Steps(order["step"], order["when"])
    for owner, name in DOORS:
        setattr(owner, name, steps.wrap(getattr(owner, name)))
    sys.stdout = sys.stderr = io.TextIOWrapper(io.BytesIO(), "utf-8")
    status = program(order)
    os.write(answer, json.dumps({"status": status, "steps": steps.count}).encode())
    os._exit(0)


class Orders:
    """Such a program at work, for tests; ``module`` is what it is started as."""

    module = "tests.submit.killer"

    def __init__(self) -> None:
        path = f"{os.getcwd()}{os.pathsep}{CODE['PYTHONPATH']}"
        self.process = subprocess.Popen(
            [sys.executable, "-m", self.module], env={**os.environ, **CODE, "PYTHONPATH": path},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip

    def ask(self, **order: Any) -> dict[str, Any]:
        """Give an order and return the answer."""
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(json.dumps(order) + "\n")
        self.process.stdin.flush()
        found: dict[str, Any] = json.loads(self.process.stdout.readline())
        return found


def serve(program: Callable[[dict[str, Any]], int]) -> None:
    """Answer each order by a fork that runs the program."""
    for line in sys.stdin:
        read_end, write_end = os.pipe()
        pid = os.fork()
        if not pid:
            run(json.loads(line), write_end, program)
        os.close(write_end)
        with open(read_end, "rb") as pipe:
            said = pipe.read()
        os.waitpid(pid, 0)
        print(said.decode() or '{"status": -9, "steps": 0}', flush=True)


if __name__ == "__main__":
    import brain.commands.pull_back
    import brain.commands.remove
    import brain.commands.restore
    import brain.commands.status
    import brain.commands.submit
    import brain.lint.run

    serve(lambda order: main(order["args"]))
