"""The ``brain`` command: parser, dispatch, and the program's one boundary."""

from __future__ import annotations

import os
import sys

from brain import __version__
from brain.environment import read_environment
from brain.errors import BrainError
from brain.program import say_bug, say_error, say_os_error, use_utf8

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, HelpFormatter
    from collections.abc import Sequence

COMMANDS = (
    "init", "sync", "import", "remember", "pending", "submit", "pull-back", "remove", "restore", "lint", "recall",
    "show", "search", "index", "stale", "verify", "telemetry", "consolidate", "promote", "report", "semantic",
    "config", "status", "doctor", "gitlab",
)  # fmt: skip
"""In the order of the help; each is a module of ``brain.commands``."""


def build_parser(names: Sequence[str] = COMMANDS) -> ArgumentParser:
    """Return the parser of these commands; only their modules are imported."""
    from argparse import ArgumentParser
    from importlib import import_module

    parser = ArgumentParser(
        prog="brain", description="A team's memory for its AI assistants.", formatter_class=formatter
    )
    parser.add_argument("--version", action="version", version=f"brain {__version__}")
    parser.add_argument("-C", dest="cwd", default=".", metavar="DIR", help="run as if started in DIR")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True, prog="brain")
    for name in names:
        word = name.replace("-", "_")
        module = import_module(f"brain.commands.{word}_" if word == "import" else f"brain.commands.{word}")
        sub = commands.add_parser(name, help=module.HELP, description=module.HELP, formatter_class=formatter)
        module.add_arguments(sub)
        sub.set_defaults(run=module.run)
    return parser


def formatter(prog: str) -> HelpFormatter:
    """Return argparse's formatter, told the width: to find it out it would load ``shutil`` and all compressions."""
    from argparse import HelpFormatter

    try:
        width = os.get_terminal_size().columns - 2
    except (OSError, ValueError):  # no terminal
        width = 78
    return HelpFormatter(prog, width=max(width, 40))


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status (SPEC §13)."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    use_utf8()
    try:
        return _run_twice(arguments)
    except BrainError as error:
        return say_error("brain", error)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # the reader has seen enough: `brain index | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        return say_os_error("brain", error)
    except Exception:  # noqa: BLE001 - the program's one boundary
        return say_bug("brain")


def _run_twice(arguments: Sequence[str]) -> int:
    """Run a command; once more where it met a damaged index, which is gone then and made anew."""
    from brain.index.segment import SegmentError

    try:
        return _run(arguments)
    except SegmentError:
        return _run(arguments)


def _run(arguments: Sequence[str]) -> int:
    from brain.commands import Context

    args = build_parser(_named_commands(arguments)).parse_args(arguments or ["--help"])
    if not os.path.isdir(args.cwd):
        raise BrainError(f"-C: {args.cwd} is no folder", "name one that is there")
    status: int = args.run(args, Context(os.path.abspath(args.cwd), read_environment()))
    if sys.stdout:  # None where it was closed from the start
        sys.stdout.flush()
    return status


def _named_commands(arguments: Sequence[str]) -> Sequence[str]:
    """Return the command that is asked for, so that only its module is imported; all where none is, or help on all."""
    rest = iter(arguments)
    for argument in rest:
        if argument == "-C":
            next(rest, "")
        elif argument in COMMANDS:
            return (argument,)
        elif not argument.startswith("-C"):
            break
    return COMMANDS


if __name__ == "__main__":
    raise SystemExit(main())
