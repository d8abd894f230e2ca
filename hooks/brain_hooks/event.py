"""What a host tells a hook: bytes on standard input → a JSON object → one event type, whichever host it is."""

from __future__ import annotations

import os

from brain.json_text import parse_json
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from brain.capture.turns import Turn

START, PROMPT, FILE = "start", "prompt", "file"
"""The moments at which a hook has something to say: a session begins, a person spoke, a file is read or changed."""
STOP, KEEP = "stop", "keep"
"""The moments at which what a session taught is kept: the assistant stops, and can be asked for more; or it cannot."""
STARTUP, RESUME = "startup", "resume"
SOURCES = (STARTUP, RESUME, "clear", "compact", "fork")
HOLDS_OLD = frozenset((RESUME, "fork"))
"""Sources after which the model still holds what it was told: only what is new is said."""
UNREADABLE = "\ufffd"
"""Stands for bytes that were no UTF-8."""


@value
class Event:
    """A hook call.

    ``source`` says how a session started; ``parent`` is the session whose transcript it goes on with, where that is
    another; ``agent`` is set inside a sub-agent. ``prompt`` is what the person said, ``files`` the paths a tool is
    about, as the host spells them.

    At a stop, ``transcript`` is the path of what was said, ``said`` the assistant's last words; ``continued`` says that
    a hook made it go on already, ``busy`` that tasks run in the background. ``heard`` is what an event tells of the
    session itself, in a host that hands over no transcript.
    """

    name: str
    session: str = ""
    cwd: str = ""
    source: str = STARTUP
    agent: str = ""
    parent: str = ""
    prompt: str = ""
    files: tuple[str, ...] = ()
    transcript: str = ""
    said: str = ""
    continued: bool = False
    busy: bool = False
    heard: tuple[Turn, ...] = ()


class PayloadError(Exception):
    """Standard input is not what the host's contract says."""


def parse_payload(payload: bytes) -> dict[str, Any]:
    """Return the object on standard input; empty input is an empty one.

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
    return found


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
