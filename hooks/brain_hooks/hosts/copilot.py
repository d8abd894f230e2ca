"""GitHub Copilot CLI (hosts/contracts.md §6). VS Code reads the same files, and wants the text in another place.

Events have two spellings. The one that begins with a capital is what we install, since both programs know it.
"""

from __future__ import annotations

from brain.json_text import render_json
from brain.recall.render import UNBOUNDED
from brain_hooks.event import FILE, KEEP, PROMPT, START, STOP
from brain_hooks.hosts.host import Host, encode_ask, read_event
from brain_hooks.reading import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from brain_hooks.hosts.host import Reply

OWN_TRANSCRIPT = "/events.jsonl"
MOMENTS = {
    "sessionStart": (START,), "userPromptSubmitted": (PROMPT,), "preToolUse": (FILE,), "postToolUse": (FILE,),
    "agentStop": (STOP,), "preCompact": (KEEP,), "sessionEnd": (KEEP,),
    "SessionStart": (START,), "UserPromptSubmit": (PROMPT,), "PreToolUse": (FILE,), "PostToolUse": (FILE,),
    "Stop": (STOP,), "PreCompact": (KEEP,), "SessionEnd": (KEEP,),
}  # fmt: skip


def speaker(found: Mapping[str, Any]) -> str:
    """Say whether it is VS Code that calls: it names a transcript from the start, or itself in camelCase.

    Copilot names one at a stop, and calls it by another name.
    """
    transcript = text_of(found, "transcript_path").replace("\\", "/")
    named = "hook_event_name" in found and ("transcript_path" in found or "tool_use_id" in found)
    named = named and not transcript.endswith(OWN_TRANSCRIPT)
    return "vscode" if named or "hookEventName" in found else ""


def encode(_event: str, reply: Reply) -> str:
    """Return one JSON object with the text at its top; there is no place for remarks."""
    return render_json({**({"additionalContext": reply.text} if reply.text else {}), **encode_ask(reply)})


HOST = Host("copilot", MOMENTS, read_event, encode, room=UNBOUNDED, speaker=speaker)
