"""Windsurf (hosts/contracts.md §10): nothing a hook prints reaches the model, so it gets a rules file too.

What its transcript looks like is nowhere said, so what its events tell is kept as one: a person's words, the files that
were written, the answer. Of a command they tell the line and no result, so no error and its fix is found there.
"""

from __future__ import annotations

from brain_hooks.event import KEEP, Event
from brain_hooks.hosts.heard import heard_tool, heard_words
from brain_hooks.hosts.host import Host, Reply
from brain_hooks.reading import object_of, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


def read(name: str, found: Mapping[str, Any]) -> Event:
    """Return an event; it names no folder, which is the one that its hook is started in."""
    told = object_of(found, "tool_info")
    heard = heard_words(text_of(told, "user_prompt"), text_of(told, "response"))
    if name == "post_write_code":
        heard = heard_tool("write", told, "", failed=False)
    return Event(name, text_of(found, "trajectory_id"), heard=heard)


def encode(_event: str, _reply: Reply) -> str:
    """Return nothing."""
    return ""


HOST = Host(
    "windsurf",
    {"pre_user_prompt": (), "post_write_code": (), "post_cascade_response": (KEEP,)},
    read,
    encode,
    hears=True,
)
