"""Put our hooks into a host's own settings file, and take them out again; where a file is ours alone, make it.

A plan is computed first (``plan_install``, ``plan_uninstall``) and can be shown; ``change.apply_plan`` carries it out.
Which hooks a host gets, and where, stands in ``places``. All that is not ours keeps its bytes (``brain.jsonedit``).

The command is the same in every scope: Claude Code runs a hook once that user and project settings both hold,
but twice if they differ, and Codex asks for trust anew when it changes. It takes the user's ``PYTHONPATH`` away: a
package ``brain`` or a ``json.py`` on it would hide ours. A file that is shared in git holds no path of one machine.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from brain import jsonedit
from brain.errors import BrainError, ConfigError
from brain_hooks import tomlhooks
from brain_hooks.change import Plan, read_file
from brain_hooks.ownfiles import is_ours as file_is_ours
from brain_hooks.ownfiles import plan_own, plan_own_removal
from brain_hooks.places import PLACES, PROGRAM, WITHOUT_PYTHONPATH, Beside, is_command_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from brain_hooks.places import Scope


WHOLE = 3
"""Parts of the path of an item in an event's list: longer ones lead into a group that is not ours."""


def default_command(platform: str) -> tuple[str, ...]:
    """Return the command that starts our program, without its arguments, on a ``sys.platform``.

    Where there is ``env``, whatever ``PYTHONPATH`` says. It names no path: two shells of Windows quote one differently.
    """
    return (PROGRAM,) if platform == "win32" else ("env", *WITHOUT_PYTHONPATH, PROGRAM)


def settings_path(host: str, scope: Scope, root: Path, env: Mapping[str, str]) -> Path:
    """Return the host's file, or folder of files, of that scope; ``root`` is the workspace.

    Raises:
        ConfigError: The host has no such file, or the user's is asked for and the environment names no home.
    """
    where = PLACES[host]
    if not getattr(where, scope):
        good = ", ".join(f"--{name}" for name in ("project", "local", "user") if getattr(where, name))
        raise ConfigError(host, f"--{scope}", "it has no such file", f"use {good}")
    if scope != "user":
        return where.used(root / getattr(where, scope))
    if env.get(where.home_variable):
        return where.used(Path(env[where.home_variable], *Path(where.user).parts[1:]))
    home = env.get("HOME") or env.get("USERPROFILE")
    if not home:
        named = f", or {where.home_variable}" if where.home_variable else ""
        raise ConfigError("environment", "HOME", "is not set", f"set HOME{named}")
    return where.used(Path(home, where.user))


def plans_to_install(host: str, path: Path, command: Sequence[str]) -> list[Plan]:
    """Return the plans after which ``path`` holds our hooks for that host: one a file.

    Raises:
        ConfigError: A file is not what the host would read, or is another's; the error says the mend.
        BrainError: A file cannot be read.
    """
    where = PLACES[host]
    if isinstance(where, Beside):
        own = [plan_own(file, content) for file, content in where.own(path).items()]
        return [plan_install(host, path, command), *own]
    return [plan_own(file, content, where.mode) for file, content in where.files(path, command).items()]


def plans_to_uninstall(host: str, path: Path) -> list[Plan]:
    """Return the plans after which ``path`` holds nothing of ours.

    Raises:
        ConfigError: A file is not what the host would read; the error says the mend.
        BrainError: A file cannot be read.
    """
    where = PLACES[host]
    if isinstance(where, Beside):
        return [*(plan_uninstall(host, file) for file in where.every(path)), *map(plan_own_removal, where.own(path))]
    return [plan_own_removal(file) for file in where.files(path, (PROGRAM,))]


def installed(path: Path, host: str = "claude") -> str:
    """Return ``yes``, ``no``, ``old`` (installing again would mend it) or the reason why nobody can tell."""
    where = PLACES[host]
    try:
        if isinstance(where, Beside):
            answer, rest = _installed_beside(path, host), _installed_own(where.own(path))
            return answer if rest in ("", answer) else "old"
        found = {file: read_file(file) for file in where.files(path, (PROGRAM,))}
        if not all(content is not None and file_is_ours(content) for content in found.values()):
            return "no" if not any(content and file_is_ours(content) for content in found.values()) else "old"
    except BrainError as error:
        return str(error)
    return "yes" if any(_is_same(found, where.files(path, command)) for command in _known_commands()) else "old"


def _installed_own(wanted: Mapping[Path, str]) -> str:
    """Return what ``installed`` does, of files that are ours alone beside a settings file; "" where there are none."""
    found = {file: read_file(file) for file in wanted}
    if not any(content and file_is_ours(content) for content in found.values()):
        return "no" if wanted else ""
    return "yes" if _is_same(found, wanted) else "old"


def _is_same(found: Mapping[Path, bytes | None], wanted: Mapping[Path, str]) -> bool:
    return all(content == wanted[file].encode() for file, content in found.items())


def _known_commands() -> list[tuple[str, ...]]:
    return [default_command(platform) for platform in ("linux", "win32")]


def plan_install(host: str, path: Path, command: Sequence[str]) -> Plan:
    """Return the plan after which the settings file at ``path`` holds our hooks, older ones of ours replaced.

    Raises:
        ConfigError: The file is not what the host would read; the error names the line and the mend.
        BrainError: The file cannot be read.
    """
    where = _beside(host)
    before = read_file(path)
    if path.suffix == ".toml":
        return tomlhooks.plan_install(host, path, before, where, command)
    groups = {group.event: where.value(host, group, command) for group in where.groups}
    if before is None:
        tree = {**where.new, "hooks": {event: _items(value) for event, value in groups.items()}}
        return Plan(path, None, f"{json.dumps(tree, indent=2)}\n".encode(), f"installed in {path}")
    doc = _parse(before, path, where)
    had_ours = any(ours(doc, host))
    for event, value in groups.items():
        doc = _install_group(doc, host, event, value)
    after = doc.text.encode()
    if after == before:
        return Plan(path, before, after, f"already installed in {path}")
    return Plan(path, before, after, f"{'updated' if had_ours else 'installed'} in {path}")


def plan_uninstall(host: str, path: Path) -> Plan:
    """Return the plan after which ``path`` holds no hook of ours, and no container that we made.

    A file of which nothing is left goes; where it is a link, its target is left as ``{}``.

    Raises:
        ConfigError: The file is not what the host would read; the error names the line and the mend.
        BrainError: The file cannot be read.
    """
    where = _beside(host)
    before = read_file(path)
    if path.suffix == ".toml":
        return tomlhooks.plan_uninstall(path, before)
    doc = _parse(before or b"", path, where)
    text: str | None = doc.text
    for place in reversed(list(ours(doc, host))):
        text = jsonedit.remove(jsonedit.parse(text or "", str(path), comments=where.comments), place)
    if before is None or text == doc.text:
        return Plan(path, before, before, f"not installed in {path}")
    if text is not None and where.new and json.loads(json.dumps(_value(text, path, where))) == where.new:
        text = None  # nothing is left but what we began the file with
    if text is None and path.is_symlink():
        text = "{}\n"
    return Plan(path, before, None if text is None else text.encode(), f"removed from {path}")


def _value(text: str, path: Path, where: Beside) -> Any:
    doc = jsonedit.parse(text, str(path), comments=where.comments)
    return jsonedit.value_of(doc, doc.root) if doc.root else None


def _beside(host: str) -> Beside:
    where = PLACES[host]
    assert isinstance(where, Beside)
    return where


def _items(value: Any) -> list[Any]:
    """Return what stands in an event's list: one group, or entries of their own."""
    return value if isinstance(value, list) else [value]


def _installed_beside(path: Path, host: str) -> str:
    where = _beside(host)
    content = read_file(path)
    if content is None:
        return "no"
    if path.suffix == ".toml":
        return tomlhooks.installed(host, path, content, where)
    doc = _parse(content, path, where)
    places = list(ours(doc, host))
    if not places:
        plan_install(host, path, (PROGRAM,))
        return "no"
    return "yes" if _is_current(doc, host, places) else "old"


def ours(doc: jsonedit.Document, host: str) -> Iterator[jsonedit.Path]:
    """Yield the places of our hooks, in the text's order: of whole groups, or of entries beside another's."""
    events = jsonedit.find(doc, ("hooks",))
    for event in events.items if events and events.kind == "object" else ():
        for number in range(len(event.node.items) if event.node.kind == "list" else 0):
            place: jsonedit.Path = ("hooks", event.key or "", number)
            item = jsonedit.find(doc, place)
            if item and is_command_of(jsonedit.value_of(doc, item), host):
                yield place
                continue
            entries = jsonedit.find(doc, (*place, "hooks"))
            if entries is None or entries.kind != "list":
                continue
            hooks = jsonedit.value_of(doc, entries)
            mine = [at for at, hook in enumerate(hooks) if is_command_of(hook, host)]
            if mine and len(mine) == len(hooks):
                yield place
            else:
                yield from ((*place, "hooks", at) for at in mine)


def _parse(content: bytes, path: Path, where: Beside) -> jsonedit.Document:
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise ConfigError(f"{path}:{line}", "", "is not UTF-8", "save the file as UTF-8") from None
    return jsonedit.parse(text, str(path), comments=where.comments)


def _install_group(doc: jsonedit.Document, host: str, event: str, value: Any) -> jsonedit.Document:
    """Return the document with our hooks for the event, in the place of older ones if any."""
    places = [place for place in ours(doc, host) if place[1] == event]
    wanted = _items(value)
    kept = [place for place in places if len(place) == WHOLE][: len(wanted)]
    if len(kept) < len(wanted):
        kept = []
    for place in reversed(places):
        if place not in kept:
            doc = _again(doc, jsonedit.remove(doc, place))
    if not kept:
        for item in wanted:
            doc = _again(doc, jsonedit.insert(doc, ("hooks", event, jsonedit.END), item))
    for place, item in zip(kept, wanted, strict=False):
        node = jsonedit.find(doc, place)
        if node and jsonedit.value_of(doc, node) != item:
            doc = _again(doc, jsonedit.replace(doc, place, item))
    return doc


def _again(doc: jsonedit.Document, text: str | None) -> jsonedit.Document:
    return jsonedit.parse(text or "", doc.source, comments=doc.comments)


def _is_current(doc: jsonedit.Document, host: str, places: list[jsonedit.Path]) -> bool:
    """Say whether our hooks are those that this release writes, by whatever command."""
    if not all(len(place) == WHOLE for place in places):
        return False
    where = _beside(host)
    found: dict[str, list[Any]] = {}
    for place in places:
        node = jsonedit.find(doc, place)
        found.setdefault(str(place[1]), []).append(jsonedit.value_of(doc, node) if node else None)
    command = where.command_in(host, next(iter(found.values()))[0])
    wanted = {group.event: _items(where.value(host, group, command)) for group in where.groups}
    return found == wanted


def by_hand(host: str, path: Path, command: Sequence[str]) -> str:
    """Return what ``install`` writes, for pasting."""
    where = PLACES[host]
    if isinstance(where, Beside):
        if path.suffix == ".toml":
            return tomlhooks.block(host, where, command).rstrip("\n")
        groups: dict[str, Any] = {group.event: _items(where.value(host, group, command)) for group in where.groups}
        return json.dumps({**where.new, "hooks": groups}, indent=2)
    return "\n".join(f"{file}:\n{content}" for file, content in where.files(path, command).items())
