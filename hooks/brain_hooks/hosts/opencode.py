"""OpenCode (hosts/contracts.md §10): our plugin passes on what it is given, and puts in the text we answer with.

No hook names a transcript (§1). The plugin remembers what was said and done since a session last rested, and tells it
when it rests again (``session.idle``); what is asked then, it says through the client.
"""

from __future__ import annotations

from brain.capture.turns import dict_of, dicts_of
from brain.json_text import render_json
from brain.recall.render import UNBOUNDED
from brain_hooks.event import FILE, PROMPT, START, STARTUP, STOP, Event
from brain_hooks.hosts.heard import heard_tool, heard_words
from brain_hooks.hosts.host import Host, encode_remarks
from brain_hooks.reading import files_of, object_of, spoken, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from brain.capture.turns import Turn
    from brain_hooks.hosts.host import Reply


def read(name: str, found: Mapping[str, Any]) -> Event:
    """Return an event: what a plugin's hook gets as ``input`` and ``output``, and the ``directory`` it works in."""
    given, made = object_of(found, "input"), object_of(found, "output")
    parts = made.get("parts")
    said = [text_of(part, "text") for part in parts if isinstance(part, dict)] if isinstance(parts, list) else []
    return Event(
        name, text_of(given, "sessionID"), text_of(found, "directory"), STARTUP, prompt=spoken("\n".join(said)),
        files=files_of(object_of(given, "args") or object_of(made, "args")),
        heard=tuple(turn for told in dicts_of(found.get("told")) for turn in _heard(told)),
    )  # fmt: skip


def _heard(told: dict[str, Any]) -> tuple[Turn, ...]:
    """Return the turns of one thing the plugin remembered: words, or a tool's input and output.

    A shell's failure is an output with an exit code.
    """
    given, made = dict_of(told.get("input")), dict_of(told.get("output"))
    if not given:
        return heard_words(text_of(told, "person"), text_of(told, "assistant"))
    failed = dict_of(made.get("metadata")).get("exit", 0) not in (0, None)
    return heard_tool(text_of(given, "tool"), dict_of(given.get("args")), text_of(made, "output"), failed=failed)


def encode(_event: str, reply: Reply) -> str:
    """Return one JSON object for the plugin."""
    said = {name: text for name, text in (("text", reply.text), ("ask", reply.ask)) if text}
    return render_json({**encode_remarks(reply), **said})


HOST = Host(
    "opencode",
    {
        "experimental.chat.system.transform": (START,), "chat.message": (PROMPT,), "tool.execute.after": (FILE,),
        "session.idle": (STOP,),
    },
    read, encode, room=UNBOUNDED, hears=True,
)  # fmt: skip
