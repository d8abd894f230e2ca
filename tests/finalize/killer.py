"""Run ``brain-ci finalize`` and kill it at a step; ``tests.submit.killer`` says what a step is and how it is asked."""

from __future__ import annotations

from brain_ci.cli import main
from tests.submit.killer import serve

if __name__ == "__main__":
    serve(lambda _: main(["finalize"]))
