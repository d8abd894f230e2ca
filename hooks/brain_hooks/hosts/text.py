"""Plain text, for people and for programs that have no contract of their own."""

from __future__ import annotations

from brain.recall.render import UNBOUNDED
from brain_hooks.event import START
from brain_hooks.hosts.host import Host, Reply, read_event


def encode(_event: str, reply: Reply) -> str:
    """Return plain text, remarks first."""
    return "".join(f"brain: {remark}\n" for remark in reply.remarks) + reply.text


HOST = Host("text", {"SessionStart": (START,)}, read_event, encode, room=UNBOUNDED, has_payload=False)
