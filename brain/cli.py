"""The ``brain`` command: parser, dispatch, and the program's one boundary."""

from __future__ import annotations

import os
import sys

from brain import __version__
from brain.environment import read_environment
from brain.errors import BrainError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Sequence

COMMANDS = (
    "init", "remember", "pending", "recall", "show", "search", "index", "stale", "verify", "config", "status", "doctor",
)  # fmt: skip
"""In the order of the help; each is a module of ``brain.commands``."""


def build_parser(names: Sequence[str] = COMMANDS) -> ArgumentParser:
    """Return the parser of these commands; only their modules are imported."""
    from argparse import ArgumentParser
    from importlib import import_module

    parser = ArgumentParser(prog="brain", description="A team's memory for its AI assistants.")
    parser.add_argument("--version", action="version", version=f"brain {__version__}")
    parser.add_argument("-C", dest="cwd", default=".", metavar="DIR", help="run as if started in DIR")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name in names:
        module = import_module(f"brain.commands.{name}")
        sub = commands.add_parser(name, help=module.HELP, description=module.HELP)
        module.add_arguments(sub)
        sub.set_defaults(run=module.run)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status (SPEC §13)."""
    from brain.commands import Context

    arguments = list(sys.argv[1:] if argv is None else argv)
    _use_utf8()
    try:
        parser = build_parser([name for name in COMMANDS if name in arguments] or COMMANDS)
        args = parser.parse_args(arguments)
        status: int = args.run(args, Context(os.path.abspath(args.cwd), read_environment()))
        sys.stdout.flush()
        return status
    except BrainError as error:
        print(f"brain: {error}", file=sys.stderr)
        if error.hint:
            print(f"hint: {error.hint}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # the reader has seen enough: `brain index | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:  # a folder that is gone, a full disk: nothing of ours to mend
        print(f"brain: {error.filename or 'input or output'}: {error.strerror or error}", file=sys.stderr)
        return BrainError.exit_code
    except Exception:  # noqa: BLE001 - the program's one boundary
        import traceback

        traceback.print_exc()
        print("brain: this is a bug; please report the lines above", file=sys.stderr)
        return 70


def _use_utf8() -> None:
    """Print UTF-8 whatever the locale says; what it cannot hold is escaped."""
    from io import TextIOWrapper

    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


if __name__ == "__main__":
    raise SystemExit(main())
