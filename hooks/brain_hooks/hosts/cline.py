"""Cline's editor extension (hosts/contracts.md §9); its CLI has events of the same names and hears fewer of them.

Neither is known to wait for ``TaskStart``, so a session's texts come with the first prompt or tool call. Neither names
a transcript (§1). Of the extension, what the task, prompts, tools and the task's end tell is kept as one; nothing can
be asked at that end.
"""

from __future__ import annotations

from brain.capture.cline import used
from brain.json_text import render_json
from brain.recall.render import Room
from brain_hooks.event import FILE, KEEP, PROMPT, RESUME, START, Event
from brain_hooks.hosts.heard import heard_words
from brain_hooks.hosts.host import Host
from brain_hooks.reading import files_of, object_of, spoken, text_of, unpacked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from brain.capture.turns import Turn
    from brain_hooks.hosts.host import Reply

ROOM = Room(48_000, 48_000)
"""Cline cuts at 50,000 characters."""


def read(name: str, found: Mapping[str, Any]) -> Event:
    """Return an event; one with a parent is a sub-agent's."""
    roots = found.get("workspaceRoots")
    cwd = text_of({"root": roots[0]}, "root") if isinstance(roots, list) and roots else ""
    cwd = cwd or text_of(object_of(found, "workspaceInfo"), "rootPath")
    tool = object_of(found, "preToolUse", "postToolUse")
    given = object_of(object_of(found, "tool_call", "tool_result"), "input") or object_of(tool, "parameters")
    prompt = text_of(object_of(found, "userPromptSubmit"), "prompt")
    task = text_of(object_of(object_of(found, "taskStart"), "taskMetadata"), "initialTask")
    heard = heard_words(prompt or task, text_of(object_of(found, "turn"), "outputText"))
    return Event(
        name, text_of(found, "taskId"), cwd, RESUME, text_of(found, "parent_agent_id"), prompt=spoken(prompt),
        files=files_of(given), heard=heard or _done(object_of(found, "postToolUse"), given),
    )  # fmt: skip


def _done(tool: dict[str, Any], given: dict[str, Any]) -> tuple[Turn, ...]:
    """Return the turns of a tool that was used: lists stand in it as JSON in a text."""
    if not tool:
        return ()
    given = {**given, "commands": unpacked(given.get("commands"))}
    name, result = text_of(tool, "toolName"), unpacked(tool.get("result"))
    return tuple(used(0, "", name, given, result, failed=tool.get("success") is False))


def encode(_event: str, reply: Reply) -> str:
    """Return one JSON object that cancels nothing; there is no place for remarks."""
    return render_json({"cancel": False, **({"contextModification": reply.text} if reply.text else {})})


def speaker(found: Mapping[str, Any]) -> str:
    """Say whether it is the CLI that calls: the extension calls an event as its file is called."""
    return "cline_cli" if "_" in text_of(found, "hookName") else ""


TOOLS = {"PreToolUse": (START, FILE), "PostToolUse": (START, FILE)}
REST: dict[str, tuple[str, ...]] = {
    "TaskStart": (), "TaskComplete": (KEEP,), "SessionShutdown": (KEEP,),
}  # fmt: skip
HOST = Host(
    "cline",
    {"UserPromptSubmit": (START, PROMPT), **TOOLS, **REST},
    read,
    encode,
    room=ROOM,
    speaker=speaker,
    hears=True,
)
