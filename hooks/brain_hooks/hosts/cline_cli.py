"""Cline's CLI (3.0.65, seen): what is said on a prompt never reaches the model; what is said before a tool does.

No event tells of the first prompt, but each names the session, whose transcript lies in a file of that name.
"""

from __future__ import annotations

from brain.value import replace
from brain_hooks.hosts import cline
from brain_hooks.hosts.host import Host
from brain_hooks.reading import object_of, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from brain_hooks.event import Event

TRANSCRIPT = "~/.cline/data/sessions/{0}/{0}.messages.json"


def read(name: str, found: Mapping[str, Any]) -> Event:
    """Return an event."""
    session = text_of(object_of(found, "sessionContext"), "rootSessionId")
    return replace(cline.read(name, found), transcript=TRANSCRIPT.format(session) if session else "", heard=())


HOST = Host("cline", {**cline.TOOLS, **cline.REST}, read, cline.encode, room=cline.ROOM)
