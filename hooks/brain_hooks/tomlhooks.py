"""Our hooks in a ``config.toml``: a block of lines at its end, which is where new tables may stand.

So nothing else is touched, comments included. What comes out is read again and compared before it is believed: a file
that spells its hooks inline cannot take ours, and is left.
"""

from __future__ import annotations

import json
import re
import tomllib
from typing import TYPE_CHECKING, Any

from brain.errors import BrainError, ConfigError
from brain_hooks.block import decoded
from brain_hooks.change import Plan, read_file

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from brain_hooks.places import Beside

BEGIN = "# >>> project brain >>> (brain-hook uninstall takes these lines out)"
END = "# <<< project brain <<<"
FOUND = re.compile(r"^# >>> project brain >>>.*\n(?:.*\n)*?# <<< project brain <<<(?:\r?\n|\Z)", re.MULTILINE)
LINE_NUMBER = re.compile(r"line (\d+)")


def has_hooks(path: Path) -> bool:
    """Say whether a TOML file that can be read holds hooks, and not only which ones are trusted."""
    try:
        content = read_file(path)
        hooks = parse_toml(decoded(content or b"", path), path).get("hooks")
    except BrainError:
        return False
    return isinstance(hooks, dict) and bool(hooks.keys() - {"state"})


def block(host: str, where: Beside, command: Sequence[str]) -> str:
    """Return our lines."""
    lines = [BEGIN]
    for group in where.groups:
        value = where.value(host, group, command)
        lines += [f"[[hooks.{group.event}]]", *_members({k: v for k, v in value.items() if k != "hooks"})]
        for entry in value["hooks"]:
            lines += [f"[[hooks.{group.event}.hooks]]", *_members(entry)]
    return "\n".join([*lines, END]) + "\n"


def plan_install(host: str, path: Path, before: bytes | None, where: Beside, command: Sequence[str]) -> Plan:
    """Return the plan after which the file ends with our lines, older ones of ours replaced.

    Raises:
        ConfigError: It is no TOML, or spells its hooks in a way that ours cannot stand beside.
    """
    text = decoded(before or b"", path)
    parse_toml(text, path)
    found = FOUND.search(text)
    bare = _without(text)
    after = _with(bare, block(host, where, command))
    if not found or found.group().rstrip() != block(host, where, command).rstrip():
        _require_added(bare, after, host, where, command, path)
    else:
        after = text
    if after == text and before is not None:
        return Plan(path, before, before, f"already installed in {path}")
    return Plan(path, before, after.encode(), f"{'updated' if found else 'installed'} in {path}")


def plan_uninstall(path: Path, before: bytes | None) -> Plan:
    """Return the plan after which our lines are gone.

    Raises:
        ConfigError: It is not UTF-8.
    """
    text = decoded(before or b"", path)
    bare = _without(text)
    if before is None or bare == text:
        return Plan(path, before, before, f"not installed in {path}")
    return Plan(path, before, bare.encode(), f"removed from {path}")


def installed(host: str, path: Path, content: bytes, where: Beside) -> str:
    """Return ``yes``, ``no`` or ``old``.

    Raises:
        ConfigError: It is no TOML.
    """
    text = decoded(content, path)
    parse_toml(text, path)
    found = FOUND.search(text)
    if not found:
        return "no"
    words = re.search(rf'^command = "(.*?) {host} ', found.group(), re.MULTILINE)
    command = words.group(1).split() if words else []
    return "yes" if found.group().rstrip() == block(host, where, command).rstrip() else "old"


def _with(text: str, lines: str) -> str:
    return text + lines if text.endswith("\n") or not text else f"{text}\n{lines.rstrip()}"


def _without(text: str) -> str:
    found = FOUND.search(text)
    if not found:
        return text
    start = found.start() if found.group().endswith("\n") else max(0, found.start() - 1)
    return text[:start] + text[found.end() :]


def _require_added(bare: str, after: str, host: str, where: Beside, command: Sequence[str], path: Path) -> None:
    """Make sure that the new text says what the old one did, and our hooks behind its own."""
    wanted = parse_toml(bare, path)
    hint = "write them as [[hooks.EVENT]] tables; the file was left as it is"
    hooks = wanted.setdefault("hooks", {})
    for group in where.groups:
        listed = hooks.setdefault(group.event, []) if isinstance(hooks, dict) else None
        if not isinstance(listed, list):
            raise ConfigError(str(path), f"hooks.{group.event}", "is no list of tables", hint)
        listed.append(where.value(host, group, command))
    try:
        found = tomllib.loads(after.removeprefix("\ufeff"))
    except tomllib.TOMLDecodeError:
        found = {}
    if found != wanted:
        raise ConfigError(str(path), "hooks", "they are spelled inline, so no more can be added behind them", hint)


def _members(found: dict[str, Any]) -> list[str]:
    return [f"{name} = {json.dumps(item, ensure_ascii=False)}" for name, item in found.items()]


def parse_toml(text: str, path: Path) -> dict[str, Any]:
    """Return what a TOML file says.

    Raises:
        ConfigError: It is no TOML.
    """
    try:
        return tomllib.loads(text.removeprefix("\ufeff"))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        number = LINE_NUMBER.search(str(error))
        where = f"{path}:{number.group(1)}" if number else str(path)
        raise ConfigError(where, "", f"is no TOML: {error}", "mend that line; the file was left as it is") from None
