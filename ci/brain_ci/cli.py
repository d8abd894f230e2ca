"""The ``brain-ci`` command: parser, dispatch, and the program's one boundary."""

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

JOBS = ("lint", "finalize", "consolidate")
"""Each is a module of ``brain_ci``."""


def build_parser(names: Sequence[str] = JOBS) -> ArgumentParser:
    """Return the parser of these jobs."""
    from argparse import ArgumentParser
    from importlib import import_module

    parser = ArgumentParser(prog="brain-ci", description="Jobs for GitLab pipelines.", formatter_class=formatter)
    parser.add_argument("--version", action="version", version=f"brain-ci {__version__}")
    jobs = parser.add_subparsers(dest="job", metavar="JOB", required=True, prog="brain-ci")
    for name in names:
        module = import_module(f"brain_ci.{name}")
        sub = jobs.add_parser(name, help=module.HELP, description=module.HELP, formatter_class=formatter)
        module.add_arguments(sub)
        sub.set_defaults(run=module.run)
    return parser


def formatter(prog: str) -> HelpFormatter:
    """Return argparse's formatter for a job log; finding out the width of a terminal would load ``shutil``."""
    from argparse import HelpFormatter

    return HelpFormatter(prog, width=100)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one job and return its exit status (SPEC §13)."""
    use_utf8()
    try:
        arguments = list(sys.argv[1:] if argv is None else argv)
        named = arguments[:1] if arguments[:1] and arguments[0] in JOBS else JOBS  # the others' modules are not loaded
        args = build_parser(named).parse_args(arguments or ["--help"])
        status: int = args.run(args, read_environment(), os.getcwd())
        sys.stdout.flush()
        return status
    except BrainError as error:
        return say_error("brain-ci", error)
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        return say_os_error("brain-ci", error)
    except Exception:  # noqa: BLE001 - the program's one boundary
        return say_bug("brain-ci")
