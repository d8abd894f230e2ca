"""OpenCode (hosts/contracts.md §10): our plugin passes on what it is given, and puts in the text we answer with."""

from __future__ import annotations

from brain.json_text import render_json
from brain.recall.render import UNBOUNDED
from brain_hooks.event import FILE, PROMPT, START, STARTUP, Event
from brain_hooks.hosts.host import Host, encode_remarks
from brain_hooks.reading import files_of, object_of, spoken, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from brain_hooks.hosts.host import Reply


def read(name: str, found: Mapping[str, Any]) -> Event:
    """Return an event: what a plugin's hook gets as ``input`` and ``output``, and the ``directory`` it works in."""
    given, made = object_of(found, "input"), object_of(found, "output")
    parts = made.get("parts")
    said = [text_of(part, "text") for part in parts if isinstance(part, dict)] if isinstance(parts, list) else []
    return Event(
        name, text_of(given, "sessionID"), text_of(found, "directory"), STARTUP, prompt=spoken("\n".join(said)),
        files=files_of(object_of(given, "args") or object_of(made, "args")),
    )  # fmt: skip


def encode(_event: str, reply: Reply) -> str:
    """Return one JSON object for the plugin."""
    return render_json({**encode_remarks(reply), **({"text": reply.text} if reply.text else {})})


HOST = Host(
    "opencode",
    {"experimental.chat.system.transform": (START,), "chat.message": (PROMPT,), "tool.execute.after": (FILE,)},
    read, encode, room=UNBOUNDED,
)  # fmt: skip
