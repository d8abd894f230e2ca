"""Cline's editor extension (hosts/contracts.md §9); its CLI has events of the same names and hears fewer of them.

Neither is known to wait for ``TaskStart``, so a session's texts come with the first prompt or tool call.
"""

from __future__ import annotations

from brain.json_text import render_json
from brain.recall.render import Room
from brain_hooks.event import FILE, PROMPT, RESUME, START, Event
from brain_hooks.hosts.host import Host
from brain_hooks.reading import files_of, object_of, spoken, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from brain_hooks.hosts.host import Reply

ROOM = Room(48_000, 48_000)
"""Cline cuts at 50,000 characters."""


def read(name: str, found: Mapping[str, Any]) -> Event:
    """Return an event; one with a parent is a sub-agent's."""
    roots = found.get("workspaceRoots")
    cwd = text_of({"root": roots[0]}, "root") if isinstance(roots, list) and roots else ""
    cwd = cwd or text_of(object_of(found, "workspaceInfo"), "rootPath")
    tool = object_of(found, "preToolUse", "postToolUse")
    call = object_of(found, "tool_call")
    return Event(
        name, text_of(found, "taskId"), cwd, RESUME, text_of(found, "parent_agent_id"),
        prompt=spoken(text_of(object_of(found, "userPromptSubmit"), "prompt")),
        files=files_of(object_of(call, "input") or object_of(tool, "parameters")),
    )  # fmt: skip


def encode(_event: str, reply: Reply) -> str:
    """Return one JSON object that cancels nothing; there is no place for remarks."""
    return render_json({"cancel": False, **({"contextModification": reply.text} if reply.text else {})})


def speaker(found: Mapping[str, Any]) -> str:
    """Say whether it is the CLI that calls: the extension calls an event as its file is called."""
    return "cline_cli" if "_" in text_of(found, "hookName") else ""


TOOLS = {"PreToolUse": (START, FILE), "PostToolUse": (START, FILE)}
HOST = Host("cline", {"UserPromptSubmit": (START, PROMPT), **TOOLS}, read, encode, room=ROOM, speaker=speaker)
