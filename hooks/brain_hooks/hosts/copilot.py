"""GitHub Copilot CLI (hosts/contracts.md §6). VS Code reads the same files, and wants the text in another place.

Events have two spellings. The one that begins with a capital is what we install, since both programs know it.
"""

from __future__ import annotations

from brain.json_text import render_json
from brain.recall.render import UNBOUNDED
from brain_hooks.event import FILE, PROMPT, START
from brain_hooks.hosts.host import Host, read_event

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from brain_hooks.hosts.host import Reply

MOMENTS = {
    "sessionStart": (START,), "userPromptSubmitted": (PROMPT,), "preToolUse": (FILE,), "postToolUse": (FILE,),
    "SessionStart": (START,), "UserPromptSubmit": (PROMPT,), "PreToolUse": (FILE,), "PostToolUse": (FILE,),
}  # fmt: skip


def speaker(found: Mapping[str, Any]) -> str:
    """Say whether it is VS Code that calls: it names a transcript from the start, or itself in camelCase."""
    named = "hook_event_name" in found and ("transcript_path" in found or "tool_use_id" in found)
    return "vscode" if named or "hookEventName" in found else ""


def encode(_event: str, reply: Reply) -> str:
    """Return one JSON object with the text at its top; there is no place for remarks."""
    return render_json({"additionalContext": reply.text} if reply.text else {})


HOST = Host("copilot", MOMENTS, read_event, encode, room=UNBOUNDED, speaker=speaker)
