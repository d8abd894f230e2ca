"""Cursor (hosts/contracts.md §8). It runs Claude Code's hooks too, under their names, and reads its own answers."""

from __future__ import annotations

from brain.json_text import render_json
from brain.value import replace
from brain_hooks.event import FILE, KEEP, RESUME, START, STOP
from brain_hooks.hosts.host import Host, read_event
from brain_hooks.reading import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from brain_hooks.event import Event
    from brain_hooks.hosts.host import Reply

NOTHING_TO_SAY: dict[str, dict[str, object]] = {
    "beforeSubmitPrompt": {"continue": True}, "beforeReadFile": {"permission": "allow"},
}  # fmt: skip


def read(name: str, found: Mapping[str, Any]) -> Event:
    """Return an event; a session is a conversation, which may start more than once, and its folder the first root.

    What ended in an error, or was broken off by the person, goes on in no other way than theirs: nothing is asked.
    """
    roots = found.get("workspace_roots")
    root = text_of({"root": roots[0]}, "root") if isinstance(roots, list) and roots else ""
    session = text_of(found, "conversation_id", "session_id")
    event = read_event(name, found)
    looped, ended = found.get("loop_count"), text_of(found, "status")
    return replace(
        event, session=session, cwd=root or event.cwd, source=RESUME, parent="",
        continued=event.continued or (isinstance(looped, (int, float)) and looped > 0),
        busy=event.busy or ended not in ("", "completed"),
    )  # fmt: skip


def encode(event: str, reply: Reply) -> str:
    """Return one JSON object; there is no place for remarks."""
    if reply.ask:
        return render_json({"followup_message": reply.ask})
    return render_json({"additional_context": reply.text} if reply.text else NOTHING_TO_SAY.get(event, {}))


HOST = Host(
    "cursor",
    {
        "sessionStart": (START,), "postToolUse": (FILE,), "stop": (STOP,), "preCompact": (KEEP,), "sessionEnd": (KEEP,),
        "SessionStart": (START,), "PostToolUse": (FILE,), "Stop": (STOP,), "PreCompact": (KEEP,), "SessionEnd": (KEEP,),
    },
    read, encode,
)  # fmt: skip
