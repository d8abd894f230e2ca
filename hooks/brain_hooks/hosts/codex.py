"""Codex CLI (hosts/contracts.md §4): it refuses an answer with a key that the event's schema does not name."""

from __future__ import annotations

from brain.value import replace
from brain_hooks.event import FILE, KEEP, PROMPT, START, STOP
from brain_hooks.hosts.host import Host, encode_nested, read_event

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from brain_hooks.event import Event

ID_LENGTH = 36
"""Characters of a session's id, which the transcript's name ends with."""


def read(name: str, found: Mapping[str, Any]) -> Event:
    """Return an event; the transcript is called ``rollout-<time>-<session>``."""
    event = read_event(name, found)
    parent = event.parent[-ID_LENGTH:]
    return replace(event, parent=parent if parent != event.session else "")


HOST = Host(
    "codex",
    {
        "SessionStart": (START,), "UserPromptSubmit": (PROMPT,), "PreToolUse": (FILE,), "PostToolUse": (FILE,),
        "Stop": (STOP,), "PreCompact": (KEEP,), "SessionEnd": (KEEP,),
    },
    read, encode_nested,
)  # fmt: skip
