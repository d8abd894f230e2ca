"""``brain-hook install|uninstall|doctor``: put our hooks into assistants' files, take them out, tell of them."""

from __future__ import annotations

import os
import shutil
import sys
from argparse import ArgumentParser
from pathlib import Path

from brain import __version__, clock
from brain.environment import read_environment
from brain.errors import BrainError
from brain.program import say_bug, say_error, say_os_error, use_utf8
from brain.workspace import find_workspace
from brain_hooks import beside, githook, install, report
from brain_hooks.backup import drop_backup, keep_backup
from brain_hooks.change import apply_plan
from brain_hooks.places import NOTES, PLACES, PROGRAM

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Mapping

    from brain_hooks.change import Plan
    from brain_hooks.places import Scope

GIT = "git"
NOT_ON_PATH = "it is not on the PATH here: hosts start it by name, so add its folder to the PATH they start with"


def run(arguments: list[str]) -> int:
    """Run one of the commands for people and return its exit status."""
    use_utf8()
    args = _parser().parse_args(arguments)
    env = read_environment()
    try:
        if args.command == "doctor":
            return _doctor(env)
        plans = _plans(args, env)
        if args.dry_run:
            print("".join(plan.diff for plan in plans).rstrip("\n") or _summary(plans), flush=True)
        else:
            for plan in plans:
                keep_backup(plan)
            print(_summary([apply_plan(plan) for plan in plans]), flush=True)
            for plan in plans:
                drop_backup(plan)
        if args.command == "install":
            _say_what_else(args, is_new=any(plan.changed for plan in plans))
    except BrainError as error:
        return _refuse(args, error, env)
    except OSError as error:  # a folder that is gone, a pipe that is closed
        return say_os_error("brain-hook", error)
    except KeyboardInterrupt:
        return 130
    except Exception:  # noqa: BLE001 - the boundary for people, who want to see it
        return say_bug("brain-hook")
    return 0


def _doctor(env: Mapping[str, str]) -> int:
    """Say where our hooks are; exit 1 if some need mending."""
    seen = report.look(os.getcwd(), env)
    print("\n".join(report.as_lines(seen, clock.now())), flush=True)
    if not report.needs_mending(seen):
        return 0
    print("hint: brain-hook install HOST renews what is old, and says what cannot be read", file=sys.stderr)
    return 1


def _summary(plans: list[Plan]) -> str:
    """Return a line for each file that changes; where none does, the first one's."""
    return "\n".join([plan.summary for plan in plans if plan.changed] or [plans[0].summary])


def _say_what_else(args: Namespace, *, is_new: bool) -> None:
    if is_new and args.host in NOTES:
        print(f"brain-hook: {NOTES[args.host]}", file=sys.stderr)
    if is_new and not args.hooks_only and args.scope in beside.FILES.get(args.host, ()) and not beside.has_server():
        print(f"brain-hook: {beside.NO_SERVER}", file=sys.stderr)
    if not shutil.which(PROGRAM):
        print(f"brain-hook: {NOT_ON_PATH}", file=sys.stderr)


def _refuse(args: Namespace, error: BrainError, env: Mapping[str, str]) -> int:
    """Say why nothing was done, and print what to put in by hand."""
    status = say_error("brain-hook", error)
    if args.command == "install":
        text = snippet(args.host, args.scope, env)
        if text:
            print("or put this in by hand:", file=sys.stderr)
            print(text)
    return status


def snippet(host: str, scope: Scope, env: Mapping[str, str]) -> str:
    """Return what ``install`` writes, for pasting; "" where the host has no such file."""
    if host == GIT:
        return githook.BLOCK.decode()
    if not getattr(PLACES[host], scope):
        return ""
    try:
        path = install.settings_path(host, scope, Path(find_workspace(os.getcwd()).root), env)
    except BrainError:  # no home: the name is enough
        path = Path(getattr(PLACES[host], scope))
    return install.by_hand(host, path, install.default_command(sys.platform))


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog="brain-hook",
        description="Hooks for assistants. An assistant runs `brain-hook HOST EVENT [PART]`; people run these:",
    )
    parser.add_argument("--version", action="version", version=f"brain-hook {__version__}")
    commands = parser.add_subparsers(dest="command", required=True)
    for name, text in (("install", "put the hooks into a host's settings"), ("uninstall", "take them out again")):
        command = commands.add_parser(name, help=text, description=text)
        command.add_argument("host", choices=(*PLACES, GIT), help="the assistant, or git for post-merge")
        scope = command.add_mutually_exclusive_group()
        for flag, help_text in (
            ("project", "for all who work in this project (the default)"),
            ("local", "for you, in this project"),
            ("user", "for you, in all your projects"),
        ):
            scope.add_argument(f"--{flag}", dest="scope", action="store_const", const=flag, help=help_text)
        command.add_argument("--dry-run", action="store_true", help="print what would change")
        command.set_defaults(scope="project", hooks_only=False)
        if name == "install":
            only = "no entry for the MCP server, no instruction in CLAUDE.md, AGENTS.md or GEMINI.md"
            command.add_argument("--hooks-only", action="store_true", help=only)
    text = "say for each assistant where our hooks and MCP entry are, whether they are trusted, when it last got memory"
    commands.add_parser("doctor", help=text, description=text)
    return parser


def _plans(args: Namespace, env: Mapping[str, str]) -> list[Plan]:
    adds = args.command == "install"
    if args.host == GIT:
        return [githook.plan_hook(os.getcwd(), env) if adds else githook.plan_unhook(os.getcwd(), env)]
    root = Path(find_workspace(os.getcwd()).root)
    path = install.settings_path(args.host, args.scope, root, env)
    if not adds:
        return beside.take_beside(install.plans_to_uninstall(args.host, path), args.host, args.scope, root, env)
    plans = install.plans_to_install(args.host, path, install.default_command(sys.platform))
    return plans if args.hooks_only else beside.add_beside(plans, args.host, args.scope, root, env)
