"""One module a command: ``HELP``, ``add_arguments(parser)``, ``run(args, context) -> exit status``."""

from __future__ import annotations

import sys
from argparse import ArgumentTypeError

from brain.errors import BrainError
from brain.layout import PENDING
from brain.ticket import read_ticket
from brain.value import value
from brain.workspace import Brain, open_brain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Iterable, Mapping
    from typing import Any

    from brain.ticket import Ticket


@value
class Context:
    """What a command runs in: a folder and an environment. Facts go to stdout, remarks to stderr."""

    cwd: str
    env: Mapping[str, str]

    def open_brain(self, flags: Mapping[str, Any] | None = None) -> Brain:
        """Return the memory of this folder; its warnings are said, a refused setting is an error."""
        brain = open_brain(self.cwd, self.env, flags)
        warn(brain.warnings)
        if brain.config.problems:
            raise brain.config.problems[0]
        return brain

    def read_ticket(self, brain: Brain, flags: Mapping[str, Any]) -> Ticket:
        """Return the ticket of this folder, what a command's ``flags`` say above it; its warnings are said."""
        ticket, warnings = read_ticket(flags, self.env, brain.workspace.ticket_dirs)
        warn(warnings)
        return ticket


def remark(*texts: str) -> None:
    """Say something beside the answer, a line each."""
    for text in texts:
        print(f"brain: {text}", file=sys.stderr)


def warn(warnings: Iterable[str], where: str = "") -> None:
    """Say warnings, each with the place it is about."""
    remark(*(f"warning: {where}{text}" for text in warnings))


def is_wanted(question: str, missing: str, hint: str) -> bool:
    """Ask a person whether to go on, and say whether they do.

    Raises:
        BrainError: Nobody is there to be asked; ``missing`` and ``hint`` say so.
    """
    if sys.stdin is None or not sys.stdin.isatty():
        raise BrainError(missing, hint)
    print(f"{question} [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def draft_path(brain: Brain, path: str) -> str:
    """Return a draft's path from the repo's top; ``path`` may begin anywhere above the drafts' folder, or below it."""
    return f"{brain.config['memory.root']}/{PENDING}/{path.rpartition(f'{PENDING}/')[2]}"


def count_of(text: str, least: int = 0) -> int:
    """Return an argument that is a whole number from ``least`` on, for argparse."""
    if not (text.isascii() and text.isdigit() and int(text) >= least):
        raise ArgumentTypeError(f"{text!r} is no whole number from {least}")
    return int(text)


def print_json(found: object) -> None:
    """Print one line of JSON."""
    import json

    print(json.dumps(found, ensure_ascii=False))


def add_json(parser: ArgumentParser) -> None:
    """Add ``--json``: the machine form, kept stable."""
    parser.add_argument("--json", action="store_true", help="print JSON, for programs")
