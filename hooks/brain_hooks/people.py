"""``brain-hook install|uninstall``: put our hooks into an assistant's configuration, or take them out."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser
from pathlib import Path

from brain import __version__
from brain.environment import read_environment
from brain.errors import BrainError
from brain.workspace import find_workspace
from brain_hooks import githook, install

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from brain_hooks.install import Plan

GIT = "git"


def run(arguments: list[str]) -> int:
    """Run one of the commands for people and return its exit status."""
    try:
        args = _parser().parse_args(arguments)
        plan = _plan(args)
        print(plan.diff if args.dry_run else install.apply_plan(plan).summary)
    except BrainError as error:
        print(f"brain-hook: {error}", file=sys.stderr)
        if error.hint:
            print(f"hint: {error.hint}", file=sys.stderr)
        return error.exit_code
    return 0


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog="brain-hook",
        description="Hooks for assistants. An assistant runs `brain-hook HOST EVENT [PART]`; people run these:",
    )
    parser.add_argument("--version", action="version", version=f"brain-hook {__version__}")
    commands = parser.add_subparsers(dest="command", required=True)
    for name, text in (("install", "put the hooks into a host's settings"), ("uninstall", "take them out again")):
        command = commands.add_parser(name, help=text, description=text)
        command.add_argument("host", choices=(*install.HOSTS, GIT), help="the assistant, or git for post-merge")
        scope = command.add_mutually_exclusive_group()
        for flag, help_text in (("user", "for all your projects"), ("local", "for you, in this project")):
            scope.add_argument(f"--{flag}", dest="scope", action="store_const", const=flag, help=help_text)
        command.add_argument("--dry-run", action="store_true", help="print what would change")
        command.set_defaults(scope="project")
    return parser


def _plan(args: Namespace) -> Plan:
    env = read_environment()
    if args.host == GIT:
        return (
            githook.plan_hook(os.getcwd(), env) if args.command == "install" else githook.plan_unhook(os.getcwd(), env)
        )
    root = Path(find_workspace(os.getcwd()).root)
    path = install.settings_path(args.host, args.scope, root, env)
    if args.command == "uninstall":
        return install.plan_uninstall(args.host, path)
    command = install.default_command(args.scope, sys.platform, sys.executable)
    return install.plan_install(args.host, path, command)
