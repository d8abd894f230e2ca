"""Put our hooks into a host's own settings file, and take them out again.

A plan is computed first (``plan_install``, ``plan_uninstall``) and can be shown; ``apply_plan`` carries it
out. Which hooks a host gets stands in ``HOSTS``. All that is not ours keeps its bytes (``jsonedit``).

The command is the same in every scope: Claude Code runs a hook once that user and project settings both hold,
but twice if they differ. It takes the user's ``PYTHONPATH`` away: a package ``brain`` or a ``json.py`` on it
would hide ours. A file that is shared in git holds no path of one machine.
"""

from __future__ import annotations

import difflib
import json
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from brain.errors import BrainError, ConfigError, ConflictError
from brain_hooks import jsonedit

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

Scope = Literal["user", "project", "local"]
PROGRAM = "brain-hook"
MODULE = "brain_hooks"
LOCK_SUFFIX = ".brain-new"
"""The file that is written beside and renamed; while it is there no second installer writes."""
WORD = re.compile(r'"[^"]*"|\'[^\']*\'|\S+')
WITHOUT_PYTHONPATH = ("-u", "PYTHONPATH")


@dataclass(frozen=True, slots=True)
class Group:
    """The hooks one event gets: a hook entry for each item of ``parts``; ``timeout`` in the host's unit."""

    event: str
    matcher: str
    parts: tuple[str, ...]
    timeout: int


@dataclass(frozen=True, slots=True)
class Host:
    """Where a host keeps its settings, relative to home or workspace, and which hooks it gets."""

    home_variable: str
    user: str
    project: str
    local: str
    groups: tuple[Group, ...]


HOSTS = {
    "claude": Host(
        home_variable="CLAUDE_CONFIG_DIR",
        user=".claude/settings.json",
        project=".claude/settings.json",
        local=".claude/settings.local.json",
        groups=(
            # two entries, since the host's size limit counts each one's text (hosts/contracts.md §2.6)
            Group("SessionStart", "startup|resume|clear|compact|fork", ("index", "memories"), timeout=10),
        ),
    )
}


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to become of one file; None stands for no file. ``summary`` is one line for the person."""

    path: Path
    before: bytes | None
    after: bytes | None
    summary: str
    new_mode: int = 0o666

    @property
    def changed(self) -> bool:
        """Whether there is anything to do."""
        return self.before != self.after

    @property
    def diff(self) -> str:
        """The change as a unified diff, "" if there is none."""
        old, new = (_lines(content) for content in (self.before, self.after))
        name = str(self.path)
        was, becomes = (name if content is not None else "/dev/null" for content in (self.before, self.after))
        return "".join(difflib.unified_diff(old, new, was, becomes)) if self.changed else ""


def default_command(scope: Scope, platform: str, python: str) -> tuple[str, ...]:
    """Return the command that starts our program whatever ``PYTHONPATH`` says, without its arguments.

    Args:
        scope: Project files are shared in git and name no path.
        platform: ``sys.platform``. Windows has no ``env``: a private file names the interpreter there, and a
            shared one can only name the program.
        python: ``sys.executable``.
    """
    if platform != "win32":
        return ("env", *WITHOUT_PYTHONPATH, PROGRAM)
    if scope == "project":
        return (PROGRAM,)
    return (python.replace("\\", "/"), "-E", "-P", "-m", MODULE)  # not -I: it hides `pip install --user`


def settings_path(host: str, scope: Scope, root: Path, env: Mapping[str, str]) -> Path:
    """Return the host's settings file of that scope; ``root`` is the workspace.

    Raises:
        ConfigError: The user's file is asked for and the environment names no home.
    """
    where = HOSTS[host]
    if scope != "user":
        return root / (where.project if scope == "project" else where.local)
    if env.get(where.home_variable):
        return Path(env[where.home_variable], Path(where.user).name)
    home = env.get("HOME") or env.get("USERPROFILE")
    if not home:
        raise ConfigError("environment", "HOME", "is not set", f"set HOME, or {where.home_variable}")
    return Path(home, where.user)


def plan_install(host: str, path: Path, command: Sequence[str]) -> Plan:
    """Return the plan after which ``path`` holds our hooks for that host, older ones of ours replaced.

    Raises:
        ConfigError: The file is not what the host would read; the error names the line and the mend.
        BrainError: The file cannot be read.
    """
    before = read_file(path)
    groups = {group.event: group_value(host, group, command) for group in HOSTS[host].groups}
    if before is None:
        tree = {"hooks": {event: [value] for event, value in groups.items()}}
        return Plan(path, None, f"{json.dumps(tree, indent=2)}\n".encode(), f"installed in {path}")
    doc = _parse(before, path)
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
    before = read_file(path)
    doc = _parse(before or b"", path)
    text: str | None = doc.text
    for place in reversed(list(ours(doc, host))):
        text = jsonedit.remove(jsonedit.parse(text or "", str(path)), place)
    if before is None or text == doc.text:
        return Plan(path, before, before, f"not installed in {path}")
    if text is None and path.is_symlink():
        text = "{}\n"
    return Plan(path, before, None if text is None else text.encode(), f"removed from {path}")


def installed(path: Path, host: str = "claude") -> str:
    """Return ``yes``, ``no``, ``old`` (installing again would mend it) or the reason why nobody can tell."""
    try:
        content = read_file(path)
        if content is None:
            return "no"
        doc = _parse(content, path)
        places = list(ours(doc, host))
        if not places:
            plan_install(host, path, (PROGRAM,))
            return "no"
    except BrainError as error:
        return str(error)
    return "yes" if _is_current(doc, host, places) else "old"


def install_claude(path: Path, command: Sequence[str]) -> Plan:
    """Install our hooks in a settings file of Claude Code; return what was done."""
    return apply_plan(plan_install("claude", path, command))


def uninstall_claude(path: Path) -> Plan:
    """Take our hooks out of a settings file of Claude Code; return what was done."""
    return apply_plan(plan_uninstall("claude", path))


def group_value(host: str, group: Group, command: Sequence[str]) -> dict[str, Any]:
    """Return the hook group as the host's settings hold it."""
    program, *first = command
    entries = [
        {
            "type": "command",
            "command": program,
            "args": [*first, host, group.event, part],
            "timeout": group.timeout,
        }
        for part in group.parts
    ]
    return {"matcher": group.matcher, "hooks": entries}


def ours(doc: jsonedit.Document, host: str) -> Iterator[jsonedit.Path]:
    """Yield the places of our hooks, in the text's order: of whole groups, or of entries beside another's."""
    events = jsonedit.find(doc, ("hooks",))
    for event in events.items if events and events.kind == "object" else ():
        for number in range(len(event.node.items) if event.node.kind == "list" else 0):
            place: jsonedit.Path = ("hooks", event.key or "", number)
            entries = jsonedit.find(doc, (*place, "hooks"))
            if entries is None or entries.kind != "list":
                continue
            hooks = jsonedit.value_of(doc, entries)
            mine = [at for at, hook in enumerate(hooks) if _is_ours(hook, host)]
            if mine and len(mine) == len(hooks):
                yield place
            else:
                yield from ((*place, "hooks", at) for at in mine)


def apply_plan(plan: Plan) -> Plan:
    """Carry the plan out and return it: the new file is written beside the old one and renamed.

    A link is followed, the file's mode kept, a missing folder made.

    Raises:
        ConflictError: The file is not as the plan saw it, or another installer is at work.
        BrainError: The file or its folder cannot be written.
    """
    if not plan.changed:
        return plan
    target = Path(os.path.realpath(plan.path))
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        _replace(plan, target)
    except OSError as error:
        hint = "make it writable, or choose another scope; nothing was changed"
        raise BrainError(f"{plan.path}: cannot be written: {error.strerror}", hint) from error
    return plan


def read_file(path: Path) -> bytes | None:
    """Return the file's bytes, or None where there is none.

    Raises:
        BrainError: It cannot be read.
    """
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise BrainError(f"{path}: cannot be read: {error.strerror}", "mend its place or its mode") from error


def _parse(content: bytes, path: Path) -> jsonedit.Document:
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise ConfigError(f"{path}:{line}", "", "is not UTF-8", "save the file as UTF-8") from None
    return jsonedit.parse(text, str(path))


def _install_group(doc: jsonedit.Document, host: str, event: str, value: dict[str, Any]) -> jsonedit.Document:
    """Return the document with one group of ours for the event, in the place of an older one if any."""
    places = [place for place in ours(doc, host) if place[1] == event]
    group = next((place for place in places if len(place) == 3), None)
    for place in reversed(places):
        if place != group:
            doc = _again(doc, jsonedit.remove(doc, place))
    if group is None:
        return _again(doc, jsonedit.insert(doc, ("hooks", event, jsonedit.END), value))
    node = jsonedit.find(doc, group)
    if node and jsonedit.value_of(doc, node) == value:
        return doc
    return _again(doc, jsonedit.replace(doc, group, value))


def _again(doc: jsonedit.Document, text: str | None) -> jsonedit.Document:
    return jsonedit.parse(text or "", doc.source)


def _is_current(doc: jsonedit.Document, host: str, places: list[jsonedit.Path]) -> bool:
    """Say whether our hooks are those that this release writes, by whatever command."""
    nodes = {place[1]: jsonedit.find(doc, place) for place in places if len(place) == 3}
    found = {event: jsonedit.value_of(doc, node) for event, node in nodes.items() if node}
    words = _words(next(iter(found.values()))["hooks"][0]) if found else []
    command = words[: words.index(host)] if host in words else [PROGRAM]
    groups = HOSTS[host].groups
    wanted = {group.event: group_value(host, group, command) for group in groups}
    return len(places) == len(groups) and found == wanted


def _is_ours(entry: object, host: str) -> bool:
    """Say whether a hook entry starts our program for that host, by any path, quotes or interpreter."""
    words = _words(entry)
    if words and _program(words[0]) == "env":
        words = words[1:]
        if tuple(words[:2]) == WITHOUT_PYTHONPATH:
            words = words[2:]
    if words and _program(words[0]) == PROGRAM:
        return words[1:2] == [host]
    while len(words) > 1 and words[1].startswith("-") and words[1] != "-m":
        del words[1]
    return words[1:4] == ["-m", MODULE, host]


def _words(entry: object) -> list[str]:
    """Return the command's words and arguments, without quotes; none where it is no command."""
    command, args = (entry.get("command"), entry.get("args")) if isinstance(entry, dict) else (None, None)
    if not isinstance(command, str):
        return []
    if not isinstance(args, list):
        return [word[1:-1] if word[0] in "\"'" else word for word in WORD.findall(command)]
    return [command, *(word for word in args if isinstance(word, str))]


def _program(word: str) -> str:
    return re.sub(r"\.(exe|cmd|bat)$", "", re.split(r"[/\\]", word)[-1].lower())


def _lines(content: bytes | None) -> list[str]:
    lines = (content or b"").decode("utf-8", "replace").splitlines(keepends=True)
    return [line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines]


def _replace(plan: Plan, target: Path) -> None:
    lock = target.with_name(target.name + LOCK_SUFFIX)
    number = _open_lock(lock, plan.new_mode)
    try:
        with open(number, "wb") as file:
            _require_unchanged(plan, target)
            if plan.before is not None:
                lock.chmod(_writable_mode(target))
            file.write(plan.after or b"")
            file.flush()
            os.fsync(file.fileno())
        if plan.after is None:
            target.unlink()
            lock.unlink()
        else:
            lock.replace(target)
    except BaseException:  # not `finally`: once renamed, that name may be the next installer's
        lock.unlink(missing_ok=True)
        raise


def _require_unchanged(plan: Plan, target: Path) -> None:
    if read_file(target) != plan.before:
        raise ConflictError(f"{plan.path}: changed since it was read", "run the command again")


def _open_lock(lock: Path, mode: int) -> int:
    try:
        return os.open(lock, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), mode)
    except FileExistsError:
        raise ConflictError(f"{lock}: another installer is at work", f"remove {lock} if none runs") from None


def _writable_mode(target: Path) -> int:
    """Return the file's mode; a read-only one is the user's word, even where a rename would pass over it."""
    mode = target.stat().st_mode & 0o7777
    if not mode & 0o200:
        raise PermissionError(13, "it is read-only")
    return mode
