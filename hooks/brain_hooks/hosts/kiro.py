"""Kiro (hosts/contracts.md §10): plain text, from two events only, and no session that has a name.

Its hooks name no transcript (§1), so what prompts and tools tell is kept as one. A stop's hook cannot ask for anything.
"""

from __future__ import annotations

from brain.recall.render import Room
from brain.value import replace
from brain_hooks.event import KEEP, PROMPT, START
from brain_hooks.hosts.heard import heard_tool, heard_words
from brain_hooks.hosts.host import Host, read_event
from brain_hooks.reading import object_of, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from brain.capture.turns import Turn
    from brain_hooks.event import Event
    from brain_hooks.hosts.host import Reply

ROOM = Room(2900, 9500)
"""Newer releases cut at 3,000 characters, older ones at 10,240 bytes."""


def read(name: str, found: Mapping[str, Any]) -> Event:
    """Return an event; sessions that bear no name are told apart by their folder, and a new one ends the last."""
    event = read_event(name, found)
    heard = heard_words(text_of(found, "prompt"), text_of(found, "assistant_response"))
    return replace(event, session=event.session or f"kiro {event.cwd}", heard=heard or _done(found))


def _done(found: Mapping[str, Any]) -> tuple[Turn, ...]:
    """Return the turns of a tool that was used; a shell's failure is a success with an exit status."""
    response = object_of(found, "tool_response")
    if not response:
        return ()
    result = response.get("result")
    texts: list[str] = []
    failed = response.get("success") is False
    for item in result if isinstance(result, list) else [result]:
        given = item if isinstance(item, dict) else {"text": item}
        texts += filter(None, (text_of(given, name) for name in ("text", "stdout", "stderr")))
        failed = failed or str(given.get("exit_status", "0")) != "0"
    return heard_tool(text_of(found, "tool_name"), object_of(found, "tool_input"), "\n".join(texts), failed=failed)


def encode(_event: str, reply: Reply) -> str:
    """Return the text alone: whatever is printed becomes context."""
    return reply.text


HOST = Host(
    "kiro",
    {
        "agentSpawn": (START,), "userPromptSubmit": (PROMPT,), "postToolUse": (), "stop": (KEEP,),
        "SessionStart": (START,), "UserPromptSubmit": (PROMPT,), "PostToolUse": (), "Stop": (KEEP,),
    },
    read, encode, room=ROOM, names_sessions=False, hears=True,
)  # fmt: skip
