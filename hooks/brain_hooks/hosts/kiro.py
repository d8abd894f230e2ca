"""Kiro (hosts/contracts.md §10): plain text, from two events only, and no session that has a name."""

from __future__ import annotations

from brain.recall.render import Room
from brain.value import replace
from brain_hooks.event import PROMPT, START
from brain_hooks.hosts.host import Host, read_event

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from brain_hooks.event import Event
    from brain_hooks.hosts.host import Reply

ROOM = Room(2900, 9500)
"""Newer releases cut at 3,000 characters, older ones at 10,240 bytes."""


def read(name: str, found: Mapping[str, Any]) -> Event:
    """Return an event; sessions that bear no name are told apart by their folder, and a new one ends the last."""
    event = read_event(name, found)
    return replace(event, session=event.session or f"kiro {event.cwd}")


def encode(_event: str, reply: Reply) -> str:
    """Return the text alone: whatever is printed becomes context."""
    return reply.text


HOST = Host(
    "kiro",
    {"agentSpawn": (START,), "SessionStart": (START,), "userPromptSubmit": (PROMPT,), "UserPromptSubmit": (PROMPT,)},
    read, encode, room=ROOM, names_sessions=False,
)  # fmt: skip
