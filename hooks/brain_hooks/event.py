"""What a host tells a hook: its JSON → one event type."""

from __future__ import annotations

import os

from brain.json_text import parse_json
from brain.value import value

SOURCES = ("startup", "resume", "clear", "compact", "fork")
UNREADABLE = "\ufffd"
"""Stands for bytes that were no UTF-8."""


@value
class Event:
    """A hook call.

    ``source`` says how a session started; ``parent`` is the session whose transcript it goes on with, where that is
    another; ``agent`` is set inside a sub-agent.
    """

    name: str
    session: str = ""
    cwd: str = ""
    source: str = "startup"
    agent: str = ""
    parent: str = ""


class PayloadError(Exception):
    """Standard input is not what the host's contract says."""


def parse_event(name: str, payload: bytes) -> Event:
    """Return the event of a call; empty input is an event without particulars.

    Raises:
        PayloadError: The input is no JSON object.
    """
    text = payload.decode("utf-8", "replace").removeprefix("\ufeff").strip()
    try:
        found = parse_json(text) if text else {}
    except (ValueError, RecursionError) as error:
        raise PayloadError(f"standard input is no JSON: {error}") from None
    if not isinstance(found, dict):
        raise PayloadError("standard input is no JSON object")
    session, source = _text(found.get("session_id")), _text(found.get("source"))
    transcript = _text(found.get("transcript_path")).replace("\\", "/").rpartition("/")[2].removesuffix(".jsonl")
    return Event(
        name, session, _text(found.get("cwd")), source if source in SOURCES else "startup",
        _text(found.get("agent_id")), transcript if transcript != session else "",
    )  # fmt: skip


def folder_of(event: Event) -> str:
    """Return the folder an event is about: the one it names, else this process's; "" where that is gone."""
    if os.path.isabs(event.cwd) and os.path.isdir(event.cwd):
        return event.cwd
    if event.cwd and UNREADABLE not in event.cwd:
        return ""
    try:
        return os.getcwd()
    except OSError:
        return ""


def _text(found: object) -> str:
    return found.encode("utf-8", "replace").decode() if isinstance(found, str) else ""
