"""Cline's CLI (3.0.65, seen): what is said on a prompt never reaches the model; what is said before a tool does."""

from __future__ import annotations

from brain_hooks.hosts.cline import ROOM, TOOLS, encode, read
from brain_hooks.hosts.host import Host

HOST = Host("cline", TOOLS, read, encode, room=ROOM)
