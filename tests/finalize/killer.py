"""Run ``brain-ci finalize`` and kill it at a step; ``tests.submit.killer`` says what a step is and how it is asked."""

from __future__ import annotations

import io
import json
import os
import sys
from typing import Any

from brain_ci.cli import main
from tests.submit.killer import DOORS, Steps


def run(order: dict[str, Any], answer: int) -> None:
    """Run the job in this process, which ends with it; write the number of its steps to ``answer``."""
    os.environ.update(order["env"])
    steps = Steps(order["step"], order["when"])
    for owner, name in DOORS:
        setattr(owner, name, steps.wrap(getattr(owner, name)))
    sys.stdout = sys.stderr = io.TextIOWrapper(io.BytesIO(), "utf-8")
    status = main(["finalize"])
    os.write(answer, json.dumps({"status": status, "steps": steps.count}).encode())
    os._exit(0)


def serve() -> None:
    """Answer each order."""
    for line in sys.stdin:
        read_end, write_end = os.pipe()
        pid = os.fork()
        if not pid:
            run(json.loads(line), write_end)
        os.close(write_end)
        with open(read_end, "rb") as pipe:
            said = pipe.read()
        os.waitpid(pid, 0)
        print(said.decode() or '{"status": -9, "steps": 0}', flush=True)


if __name__ == "__main__":
    serve()
