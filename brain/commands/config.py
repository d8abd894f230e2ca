"""``brain config``: every setting, its value, and where that came from."""

from __future__ import annotations

import json

from brain.commands import Context, add_json, print_json, remark
from brain.errors import BrainError, ConfigError
from brain.git.fetch import without_userinfo
from brain.settings import SETTINGS, load_config
from brain.workspace import find_workspace, open_brain, read_state, unmerged_settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from brain.settings import Config, Setting

HELP = "print the settings in force and where each came from"


def add_arguments(parser: ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("name", nargs="?", help="one setting (memory.topN), or a group (memory)")
    add_json(parser)


def run(args: Namespace, context: Context) -> int:
    """Print the settings; exit 3 where something was refused."""
    config, problems = _load(context)
    shown = [setting for setting in SETTINGS if _is_meant(setting, args.name)]
    if not shown:
        probe = load_config({args.name: None}, None, {}, "brain config")
        raise probe.problems[0]
    if args.json:
        settings = {setting.name: _facts(config, setting) for setting in shown}
        print_json({"settings": settings, "problems": problems})
    else:
        for setting in shown:
            facts = _facts(config, setting)
            print(f"{setting.name} = {json.dumps(facts['value'], ensure_ascii=False)}\t({facts['source']})")
    remark(*problems)
    return ConfigError.exit_code if problems else 0


def _is_meant(setting: Setting, name: str | None) -> bool:
    return not name or setting.name == name or setting.name.startswith(name + ".")


def _facts(config: Config, setting: Setting) -> dict[str, object]:
    found = config[setting.name]
    if setting.name == "repos":
        found = {alias: without_userinfo(url) for alias, url in found.items()}
    return {"value": found, "source": config.source(setting.name)}


def _load(context: Context) -> tuple[Config, list[str]]:
    """Return the settings, and what was refused; without a memory repo, those of the workspace."""
    try:
        brain = open_brain(context.cwd, context.env)
    except BrainError as error:
        remark(f"warning: team settings are not known: {error}")
        config, others = load_config({}, read_state(find_workspace(context.cwd)), context.env), []
    else:
        config = brain.config
        unmerged = unmerged_settings(brain)
        if unmerged:
            remark(f"{unmerged} differs from what {brain.tree.ref} has: only what is merged counts")
        others = brain.other_warnings
    return config, [*others, *(f"{error} ({error.hint})" if error.hint else str(error) for error in config.problems)]
