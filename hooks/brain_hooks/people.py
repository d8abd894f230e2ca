"""``brain-hook install|uninstall``: put our hooks into an assistant's configuration, or take them out."""

from __future__ import annotations

import json
import os
import shutil
import sys
from argparse import ArgumentParser
from pathlib import Path

from brain import __version__
from brain.environment import read_environment
from brain.errors import BrainError
from brain.program import say_bug, say_error, say_os_error, use_utf8
from brain.workspace import find_workspace
from brain_hooks import githook, install

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from brain_hooks.install import Plan

GIT = "git"
NOT_ON_PATH = "it is not on the PATH here: hosts start it by name, so add its folder to the PATH they start with"


def run(arguments: list[str]) -> int:
    """Run one of the commands for people and return its exit status."""
    use_utf8()
    args = _parser().parse_args(arguments)
    try:
        plan = _plan(args)
        print((plan.diff or plan.summary) if args.dry_run else install.apply_plan(plan).summary, flush=True)
        if args.command == "install" and not shutil.which(install.PROGRAM):
            print(f"brain-hook: {NOT_ON_PATH}", file=sys.stderr)
    except BrainError as error:
        return _refuse(args, error)
    except OSError as error:  # a folder that is gone, a pipe that is closed
        return say_os_error("brain-hook", error)
    except KeyboardInterrupt:
        return 130
    except Exception:  # noqa: BLE001 - the boundary for people, who want to see it
        return say_bug("brain-hook")
    return 0


def _refuse(args: Namespace, error: BrainError) -> int:
    """Say why nothing was done, and print what to put in by hand."""
    status = say_error("brain-hook", error)
    if args.command == "install":
        print("or put this in by hand:", file=sys.stderr)
        print(snippet(args.host, args.scope))
    return status


def snippet(host: str, scope: install.Scope) -> str:
    """Return what ``install`` writes, for pasting: lines of a shell script, or members of the host's JSON."""
    if host == GIT:
        return githook.BLOCK.decode()
    command = install.default_command(scope, sys.platform, sys.executable)
    groups = {group.event: [install.group_value(host, group, command)] for group in install.HOSTS[host].groups}
    return json.dumps({"hooks": groups}, indent=2)


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
        for flag, help_text in (
            ("project", "for all who work in this project (the default)"),
            ("local", "for you, in this project"),
            ("user", "for you, in all your projects"),
        ):
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
