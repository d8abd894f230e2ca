"""What stands in a host's JSON, whatever else is in it: texts, the person's words, the files a tool is about. Pure.

Hosts spell one thing in two or three ways, and two of them send lists and objects as JSON inside a string.
"""

from __future__ import annotations

from brain.json_text import parse_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

MACHINE_TURNS = ("<task-notification>", "[SYSTEM]", "<hook_prompt", "<environment_context>")
"""What a prompt begins with that no person wrote (Claude Code, Cline, Codex)."""
ECHOES = (
    ("<hook_context>", "</hook_context>"), ("<project-brain ", "</project-brain>"),
    ("&lt;project-brain ", "&lt;/project-brain&gt;"),
)  # fmt: skip
"""Texts that hooks put into a prompt, ours among them."""
PATH_KEYS = ("file_path", "filePath", "notebook_path", "path")
LIST_KEYS = ("files", "operations", "paths")
COMMAND_KEYS = ("command", "commands", "cmd")
PATCH_HEADS = ("*** Update File: ", "*** Add File: ", "*** Delete File: ", "*** Move to: ")
MOST_FILES = 20
"""Paths of one tool call that are looked at."""
MOST_COMMAND = 20_000
"""Characters of a command that are looked at."""


def text_of(found: Mapping[str, Any], *names: str) -> str:
    """Return the first text among the fields of these names, lone surrogates replaced; "" where there is none."""
    text = next((found[name] for name in names if isinstance(found.get(name), str)), "")
    return text.encode("utf-8", "replace").decode() if text else ""


def object_of(found: Mapping[str, Any], *names: str) -> dict[str, Any]:
    """Return the first object among the fields of these names, also where it stands as JSON in a text."""
    for name in names:
        inner = unpacked(found.get(name))
        if isinstance(inner, dict):
            return inner
    return {}


def spoken(prompt: str) -> str:
    """Return what a person said: nothing of a machine's turn, and none of the texts that hooks put in."""
    for head, tail in ECHOES:
        while (start := prompt.find(head)) >= 0:
            end = prompt.find(tail, start)
            prompt = prompt[:start] + (prompt[end + len(tail) :] if end >= 0 else "")
    prompt = prompt.strip()
    return "" if prompt.startswith(MACHINE_TURNS) else prompt


def files_of(arguments: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the paths in a tool's arguments, in order, each once: named as files, in a patch, in a command line."""
    found = dict.fromkeys(path for path in _paths(arguments) if path and "\0" not in path)
    return tuple(found)[:MOST_FILES]


def _paths(arguments: Mapping[str, Any]) -> Iterator[str]:
    for key in PATH_KEYS:
        yield text_of(arguments, key)
    for key in LIST_KEYS:
        listed = unpacked(arguments.get(key))
        for item in listed if isinstance(listed, list) else ():
            yield text_of(item, *PATH_KEYS) if isinstance(item, dict) else text_of({"path": item}, "path")
    for key in COMMAND_KEYS:
        commands = arguments.get(key)
        listed = unpacked(commands)
        for command in listed if isinstance(listed, list) else [commands]:
            yield from paths_in_command(text_of({"command": command}, "command"))


def paths_in_command(command: str) -> Iterator[str]:
    """Yield the paths that a patch, or a shell's command line, names.

    >>> list(paths_in_command("sed -n 1,80p 'src/a b.py' | grep -v x >out.txt"))
    ['src/a b.py', 'out.txt']
    """
    if "*** Begin Patch" in command:
        for line in command.splitlines():
            head = next((head for head in PATCH_HEADS if line.startswith(head)), "")
            if head:
                yield line[len(head) :].strip()
        return
    for word in _words(command[:MOST_COMMAND]):
        if not word.startswith("-") and ("/" in word or "." in word.strip(".")):
            yield word


def _words(command: str) -> list[str]:
    """Return the words of a command line as a shell sees them, without what they expand to."""
    words = [""]
    quote, escaped = "", False
    for sign in command:
        if escaped:
            words[-1] += sign
            escaped = False
        elif sign == "\\" and quote != "'":
            escaped = True
        elif quote:
            quote, words[-1] = ("", words[-1]) if sign == quote else (quote, words[-1] + sign)
        elif sign in "'\"":
            quote = sign
        elif sign in " \t\r\n;|&()<>`":
            words.append("")
        else:
            words[-1] += sign
    return [word for word in words if word]


def unpacked(found: Any) -> Any:
    """Return a value that stands as JSON in a text."""
    if isinstance(found, str) and found[:1] in ("{", "["):
        try:
            return parse_json(found)
        except (ValueError, RecursionError):
            return None
    return found
