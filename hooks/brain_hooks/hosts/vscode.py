"""VS Code's agent hooks (hosts/contracts.md §7): as Claude Code's, but no text reaches the model on a prompt."""

from __future__ import annotations

from brain.json_text import render_json
from brain_hooks.event import FILE, KEEP, START, STOP
from brain_hooks.hosts.host import Host, Reply, encode_ask, encode_nested, encode_remarks, read_event


def encode(event: str, reply: Reply) -> str:
    """Return one JSON object; what is asked at a stop stands beside the event's name."""
    if reply.ask:
        return render_json(
            {**encode_remarks(reply), "hookSpecificOutput": {"hookEventName": event, **encode_ask(reply)}}
        )
    return encode_nested(event, reply)


HOST = Host(
    "vscode",
    {
        "SessionStart": (START,), "PreToolUse": (FILE,), "PostToolUse": (FILE,), "Stop": (STOP,), "PreCompact": (KEEP,),
    },
    read_event, encode,
)  # fmt: skip
