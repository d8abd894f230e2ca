"""Where each host looks for hooks, which it gets, and how an entry is spelled there (hosts/contracts.md §3-§11)."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any, Literal

from brain_hooks.tomlhooks import has_hooks

Scope = Literal["user", "project", "local"]
Entry = Callable[[Sequence[str], Sequence[str], int], dict[str, Any]]
PROGRAM = "brain-hook"
MODULE = "brain_hooks"
WITHOUT_PYTHONPATH = ("-u", "PYTHONPATH")
WORD = re.compile(r"""(?:"[^"]*"|'[^']*'|\S)+""")
QUOTED = re.compile(r""""([^"]*)"|'([^']*)'""")
PLAIN = re.compile(r"[\w@%+=:,./-]+")
"""A word that no shell takes for anything else."""
MADE = "made by brain-hook install; brain-hook uninstall takes it away"
OWN_NAME = "project-brain"
BOTH = ("index", "memories")
"""Two entries, since a host's size limit counts each one's text (hosts/contracts.md §2.6)."""
ONE = ("",)


@dataclass(frozen=True, slots=True)
class Group:
    """The hooks one event gets: an entry for each item of ``parts``; ``timeout`` in the host's unit."""

    event: str
    matcher: str
    parts: tuple[str, ...]
    timeout: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A host's files by scope, "" where it has none; ``home_variable`` stands for the first folder of ``user``."""

    home_variable: str = ""
    user: str = ""
    project: str = ""
    local: str = ""

    def used(self, path: Path) -> Path:
        """Return the file that our hooks go into, where the host has a choice."""
        return path

    def every(self, path: Path) -> list[Path]:
        """Return the files that may hold hooks of ours."""
        return [path]


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside(Place):
    """A settings file in which our hooks stand beside those of others; ``new`` begins one that we make.

    ``nested`` says that an event's list holds groups of entries, not entries; ``own`` gives the text of each file that
    is ours alone.
    """

    groups: tuple[Group, ...]
    entry: Entry
    nested: bool = True
    comments: bool = False
    new: Mapping[str, Any] = field(default_factory=dict)
    own: Callable[[Path], dict[Path, str]] = lambda _path: {}

    def value(self, host: str, group: Group, command: Sequence[str]) -> Any:
        """Return what stands in the event's list: a group, or a list of entries."""
        arguments = [[host, group.event, *filter(None, [part])] for part in group.parts]
        entries = [self.entry(command, said, group.timeout) for said in arguments]
        matcher = {"matcher": group.matcher} if group.matcher else {}
        return {**matcher, "hooks": entries} if self.nested else [{**entry, **matcher} for entry in entries]

    def command_in(self, host: str, value: Any) -> list[str]:
        """Return the command that an installed group or entry starts our program with."""
        words = words_of(value["hooks"][0] if self.nested else value)
        return words[: words.index(host)] if host in words else [PROGRAM]


class CodexPlace(Beside):
    """Codex reads ``hooks.json`` and ``config.toml``, and warns where both hold hooks."""

    __slots__ = ()

    def used(self, path: Path) -> Path:
        """Return ``config.toml`` where that has hooks and there is no ``hooks.json``."""
        toml = path.with_name("config.toml")
        return toml if not path.exists() and has_hooks(toml) else path

    def every(self, path: Path) -> list[Path]:
        """Return both, as far as they are there, and the one that is asked for."""
        both = [path.with_name("hooks.json"), path.with_name("config.toml")]
        return [file for file in both if file == path or file.exists()]


@dataclass(frozen=True, slots=True, kw_only=True)
class Own(Place):
    """Files that are ours alone: ``files`` gives each one's text, for a path and a command."""

    files: Callable[[Path, Sequence[str]], dict[Path, str]]
    mode: int = 0o666


def line(command: Sequence[str]) -> str:
    """Return a command as the line of a shell; in double quotes, which all shells know, wherever they are enough."""
    return " ".join(map(_quoted, command))


def _quoted(word: str) -> str:
    if PLAIN.fullmatch(word):
        return word
    return shlex.quote(word) if set(word) & set('"$`\\!') else f'"{word}"'


def claude_entry(command: Sequence[str], arguments: Sequence[str], timeout: int) -> dict[str, Any]:
    """Return an entry that is one line: a release that does not know ``args`` would run the first word alone.

    That is ``env``, and what it prints would be told to the model.
    """
    return {"type": "command", "command": line([*command, *arguments]), "timeout": timeout}


def codex_entry(command: Sequence[str], arguments: Sequence[str], timeout: int) -> dict[str, Any]:
    """Return an entry with a line for Windows, where there is no ``env``."""
    shown, plain = line([*command, *arguments]), line([PROGRAM, *arguments])
    return {"type": "command", "command": shown, "commandWindows": plain, "timeout": timeout}


def gemini_entry(command: Sequence[str], arguments: Sequence[str], timeout: int) -> dict[str, Any]:
    """Return an entry that has a name, by which a person can switch it off."""
    name = "-".join([OWN_NAME, *arguments[1:]])
    return {"name": name, "type": "command", "command": line([*command, *arguments]), "timeout": timeout}


def cursor_entry(command: Sequence[str], arguments: Sequence[str], timeout: int) -> dict[str, Any]:
    """Return an entry of Cursor's flat list."""
    return {"command": line([*command, *arguments]), "timeout": timeout}


def copilot_entry(command: Sequence[str], arguments: Sequence[str], timeout: int) -> dict[str, Any]:
    """Return an entry that both Copilot CLI (``powershell``) and VS Code (``windows``) understand everywhere."""
    shown, plain = line([*command, *arguments]), line([PROGRAM, *arguments])
    return {"type": "command", "command": shown, "powershell": plain, "windows": plain, "timeout": timeout}


def copilot_files(path: Path, command: Sequence[str]) -> dict[Path, str]:
    """Return the file that Copilot CLI and VS Code both read."""
    events = (
        ("SessionStart", BOTH, 10), ("UserPromptSubmit", ONE, 5), ("PreToolUse", ONE, 5), ("Stop", ONE, 10),
        ("PreCompact", ONE, 10),
    )  # fmt: skip
    hooks = {
        event: [copilot_entry(command, ["copilot", event, *filter(None, [part])], timeout) for part in parts]
        for event, parts, timeout in events
    }
    return {path: json.dumps({"version": 1, "hooks": hooks}, indent=2) + "\n"}


def kiro_files(path: Path, command: Sequence[str]) -> dict[Path, str]:
    """Return Kiro's file, in the format that its CLI (V3) and editor share."""
    calls = (
        ("SessionStart", "index", 10), ("SessionStart", "memories", 10), ("UserPromptSubmit", "", 5),
        ("PostToolUse", "", 5), ("Stop", "", 10),
    )  # fmt: skip
    hooks = [
        {
            "name": "-".join(filter(None, [OWN_NAME, event, part])), "trigger": event,
            "action": {"type": "command", "command": line([*command, "kiro", event, *filter(None, [part])])},
            "timeout": timeout, "enabled": True,
        }
        for event, part, timeout in calls
    ]  # fmt: skip
    return {path: json.dumps({"version": "v1", "hooks": hooks}, indent=2) + "\n"}


def cline_files(path: Path, command: Sequence[str]) -> dict[Path, str]:
    """Return Cline's executables, one an event."""
    script = "#!/bin/sh\n# {made}\nexec {line}\n"
    return {
        path / event: script.format(made=MADE, line=line([*command, "cline", event]))
        for event in ("TaskStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "TaskComplete", "SessionShutdown")
    }


def opencode_files(path: Path, command: Sequence[str]) -> dict[Path, str]:
    """Return OpenCode's plugin."""
    text = resources.files("brain_hooks").joinpath("files/opencode.js").read_text("utf-8")
    return {path: text.replace("@MADE@", MADE).replace('"@COMMAND@"', json.dumps([*command, "opencode"]))}


def windsurf_entry(command: Sequence[str], arguments: Sequence[str], _timeout: int) -> dict[str, Any]:
    """Return an entry of Windsurf's flat list, which knows no time limit."""
    shown, plain = line([*command, *arguments]), line([PROGRAM, *arguments])
    return {"command": shown, "powershell": plain, "show_output": False}


def windsurf_rules(path: Path) -> dict[Path, str]:
    """Return the rules that give what hooks, whose output Windsurf shows to nobody, cannot."""
    text = resources.files("brain_hooks").joinpath("files/windsurf.md").read_text("utf-8")
    return {path.with_name("rules") / f"{OWN_NAME}.md": text.replace("@MADE@", MADE)}


EVERY_SOURCE = "startup|resume|clear|compact|fork"
PLACES: dict[str, Beside | Own] = {
    "claude": Beside(
        home_variable="CLAUDE_CONFIG_DIR", user=".claude/settings.json", project=".claude/settings.json",
        local=".claude/settings.local.json", entry=claude_entry,
        groups=(
            Group("SessionStart", EVERY_SOURCE, BOTH, timeout=10),
            Group("UserPromptSubmit", "", ONE, timeout=5),
            Group("PreToolUse", "Read|Edit|MultiEdit|Write|NotebookEdit", ONE, timeout=5),
            Group("Stop", "", ONE, timeout=10),
            Group("PreCompact", "", ONE, timeout=10),
            Group("SessionEnd", "", ONE, timeout=10),
        ),
    ),
    "codex": CodexPlace(
        home_variable="CODEX_HOME", user=".codex/hooks.json", project=".codex/hooks.json", entry=codex_entry,
        groups=(
            Group("SessionStart", EVERY_SOURCE, BOTH, timeout=10),
            Group("UserPromptSubmit", "", ONE, timeout=5),
            Group("PreToolUse", "Bash|apply_patch|exec", ONE, timeout=5),
            Group("Stop", "", ONE, timeout=10),
            Group("PreCompact", "", ONE, timeout=10),
            Group("SessionEnd", "", ONE, timeout=3),
        ),
    ),
    "gemini": Beside(
        user=".gemini/settings.json", project=".gemini/settings.json", entry=gemini_entry, comments=True,
        groups=(  # milliseconds; what matches a source is no pattern there, so none is written
            Group("SessionStart", "", BOTH, timeout=10_000),
            Group("BeforeAgent", "", ONE, timeout=5_000),
            Group("AfterTool", "read_file|write_file|replace", ONE, timeout=5_000),
            Group("AfterAgent", "", ONE, timeout=10_000),
            Group("SessionEnd", "", ONE, timeout=10_000),
        ),
    ),
    "copilot": Own(
        user=f".copilot/hooks/{OWN_NAME}.json", project=f".github/hooks/{OWN_NAME}.json", files=copilot_files
    ),
    "vscode": Own(
        user=f".copilot/hooks/{OWN_NAME}.json", project=f".github/hooks/{OWN_NAME}.json", files=copilot_files
    ),
    "cursor": Beside(
        user=".cursor/hooks.json", project=".cursor/hooks.json", entry=cursor_entry, nested=False, new={"version": 1},
        groups=(
            Group("sessionStart", "", BOTH, timeout=10),
            Group("postToolUse", "Read|Write|Edit", ONE, timeout=5),
            Group("stop", "", ONE, timeout=10),
            Group("preCompact", "", ONE, timeout=10),
            Group("sessionEnd", "", ONE, timeout=10),
        ),
    ),
    "cline": Own(user=".cline/hooks", project=".clinerules/hooks", files=cline_files, mode=0o777),
    "opencode": Own(
        home_variable="XDG_CONFIG_HOME", user=f".config/opencode/plugin/{OWN_NAME}.js",
        project=f".opencode/plugin/{OWN_NAME}.js", files=opencode_files,
    ),
    "kiro": Own(user=f".kiro/hooks/{OWN_NAME}.json", project=f".kiro/hooks/{OWN_NAME}.json", files=kiro_files),
    "windsurf": Beside(
        project=".windsurf/hooks.json", entry=windsurf_entry, nested=False, own=windsurf_rules,
        groups=(
            Group("pre_user_prompt", "", ONE, timeout=0),
            Group("post_write_code", "", ONE, timeout=0),
            Group("post_cascade_response", "", ONE, timeout=0),
        ),
    ),
}  # fmt: skip
NOTES = {
    "codex": "Codex asks for trust first: start codex and accept the hooks (/hooks shows them)",
    "gemini": "In a project's file they run only where Gemini trusts the folder",
    "copilot": "VS Code reads the same file",
    "vscode": "Copilot CLI reads the same file",
}
"""What a person has to know beside."""


def is_command_of(entry: object, host: str) -> bool:
    """Say whether a hook entry starts our program for that host, by any path, quotes or interpreter."""
    words = words_of(entry)
    if words and _program(words[0]) == "env":
        words = words[1:]
        if tuple(words[:2]) == WITHOUT_PYTHONPATH:
            words = words[2:]
    if words and _program(words[0]) == PROGRAM:
        return words[1:2] == [host]
    while len(words) > 1 and words[1].startswith("-") and words[1] != "-m":
        del words[1]
    return words[1:4] == ["-m", MODULE, host]


def words_of(entry: object) -> list[str]:
    """Return the command's words and arguments, without quotes; none where it is no command."""
    command, args = (entry.get("command"), entry.get("args")) if isinstance(entry, dict) else (None, None)
    if not isinstance(command, str):
        return []
    if not isinstance(args, list):
        return [QUOTED.sub(lambda part: part[1] or part[2] or "", word) for word in WORD.findall(command)]
    return [command, *(word for word in args if isinstance(word, str))]


def _program(word: str) -> str:
    return re.sub(r"\.(exe|cmd|bat)$", "", re.split(r"[/\\]", word)[-1].lower())
