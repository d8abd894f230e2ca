"""What every host is described by, and the readers and encoders that several of them share. Pure."""

from __future__ import annotations

from brain.json_text import render_json
from brain.recall.render import HOST_ROOM
from brain.value import value
from brain_hooks.event import RESUME, SOURCES, STARTUP, Event
from brain_hooks.reading import files_of, object_of, spoken, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from brain.recall.render import Room

MOST_REMARKS = 2000
"""Characters of what is said to the person."""
NEW = "new"
"""The only source that Copilot and VS Code know. Some releases say it at every prompt, so it may be a session that was
told already: only what is new is said, which to a new session is everything."""


@value
class Reply:
    """What a hook has to say: text for the model, remarks for the person, and at a stop what the model is asked."""

    text: str = ""
    remarks: tuple[str, ...] = ()
    ask: str = ""


@value
class Host:
    """A host.

    ``moments`` says what each of its events is to us, ``read`` makes an event of its JSON, ``encode`` an answer of a
    reply, in ASCII. ``room`` is how long a text may be. ``speaker`` names the host that really calls, where others run
    this one's configuration. One that names no sessions cannot be kept from hearing a thing twice. ``hears`` says that
    it hands over no transcript, so that what its events tell is kept in one of ours.
    """

    name: str
    moments: Mapping[str, tuple[str, ...]]
    read: Callable[[str, Mapping[str, Any]], Event]
    encode: Callable[[str, Reply], str]
    room: Room = HOST_ROOM
    has_payload: bool = True
    names_sessions: bool = True
    speaker: Callable[[Mapping[str, Any]], str] | None = None
    hears: bool = False


def read_event(name: str, found: Mapping[str, Any]) -> Event:
    """Return an event in the spelling that Claude Code began and most took over; camelCase names count too."""
    session, source = text_of(found, "session_id", "sessionId"), text_of(found, "source")
    path = text_of(found, "transcript_path", "transcriptPath")
    transcript = path.replace("\\", "/").rpartition("/")[2].removesuffix(".jsonl")
    return Event(
        name, session, text_of(found, "cwd"), source_of(source), text_of(found, "agent_id"),
        transcript if transcript != session else "", spoken(text_of(found, "prompt")),
        files_of(object_of(found, "tool_input", "toolArgs")),
        path, text_of(found, "last_assistant_message", "prompt_response"),
        bool(found.get("stop_hook_active")), bool(found.get("background_tasks")),
    )  # fmt: skip


def source_of(source: str) -> str:
    """Return how a session started, as we call it."""
    return RESUME if source == NEW else source if source in SOURCES else STARTUP


def encode_nested(event: str, reply: Reply) -> str:
    """Return one JSON object with the text beside its event's name; ``{}`` where there is nothing to say."""
    answer = encode_remarks(reply)
    if reply.ask:
        answer |= encode_ask(reply)
    if reply.text:
        answer["hookSpecificOutput"] = {"hookEventName": event, "additionalContext": reply.text}
    return render_json(answer)


def encode_ask(reply: Reply, decision: str = "block") -> dict[str, object]:
    """Return the part of an answer to a stop that lets the model go on: not to stop yet, and why."""
    return {"decision": decision, "reason": reply.ask} if reply.ask else {}


def encode_remarks(reply: Reply) -> dict[str, object]:
    """Return the part of an answer that the person is shown."""
    said = "\n".join(f"brain: {remark}" for remark in reply.remarks)[:MOST_REMARKS]
    return {"systemMessage": said} if said else {}
