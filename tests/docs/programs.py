"""The page of commands, from the programs' own parsers."""

from __future__ import annotations

from argparse import SUPPRESS, _HelpAction, _SubParsersAction, _VersionAction
from functools import cache
from typing import TYPE_CHECKING

import brain.cli
import brain_api.cli
import brain_ci.cli
import brain_hooks.people
from tests.docs.markdown import MADE, code, table

if TYPE_CHECKING:
    from argparse import Action, ArgumentParser
    from collections.abc import Iterator

HEAD = f"""\
# Commands

{MADE}

Exit status of each: 0 done, 1 the answer is no (findings, nothing found), 2 usage, 3 something you can mend, 4 git,
5 GitLab, 6 conflict, 70 a bug, 130 interrupted. Each has `--help`. `--json` is for programs: what people read may change
its words.
"""
EMPTY = {"*": "[{}…]", "+": "{}…", "?": "[{}]"}


@cache
def parsers() -> dict[str, ArgumentParser]:
    """Return the parser of each program."""
    return {
        "brain": brain.cli.build_parser(), "brain-hook": brain_hooks.people._parser(),
        "brain-ci": brain_ci.cli.build_parser(), "brain-api": brain_api.cli.build_parser(),
    }  # fmt: skip


def commands(name: str, parser: ArgumentParser, says: str = "") -> Iterator[tuple[str, ArgumentParser, str]]:
    """Yield a command's words, parser and help; those below it after it."""
    yield name, parser, says or parser.description or ""
    for action in parser._actions:
        if isinstance(action, _SubParsersAction):
            helps = {choice.dest: choice.help or "" for choice in action._choices_actions}
            for word, sub in action.choices.items():
                yield from commands(f"{name} {word}", sub, helps.get(word, ""))


def all_commands() -> dict[str, ArgumentParser]:
    """Return words → parser of every command."""
    return {words: found for name, parser in parsers().items() for words, found, _ in commands(name, parser)}


def render() -> str:
    """Return the page."""
    parts = [HEAD]
    for name, parser in parsers().items():
        for words, found, says in commands(name, parser):
            own = [row(action) for action in found._actions if shown(action)]
            heading = "##" if words == name else "###"
            parts.append(f"{heading} {words}\n\n{says[:1].upper()}{says[1:].rstrip('.:')}.\n")
            if own:
                parts.append(table(("", "what"), own))
    return "\n".join(parts)


def shown(action: Action) -> bool:
    """Say whether the page names an argument: help is everywhere, commands have a part of their own."""
    return action.help != SUPPRESS and not isinstance(action, (_HelpAction, _SubParsersAction, _VersionAction))


def row(action: Action) -> tuple[str, str]:
    """Return an argument as it is written, and what it is for."""
    value = str(action.metavar or ("{" + ",".join(map(str, action.choices)) + "}" if action.choices else action.dest))
    if not action.option_strings:
        return code(EMPTY.get(str(action.nargs or ""), "{}").format(value)), action.help or ""
    if action.nargs == 0:
        value = ""
    value = value if action.metavar or action.choices else value.upper()
    needed = " (needed)" if action.required else ""
    return code(f"{', '.join(action.option_strings)} {value}".strip()), f"{action.help or ''}{needed}"
