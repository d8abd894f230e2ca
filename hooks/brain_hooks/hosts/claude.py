"""Claude Code (hosts/contracts.md §3). Cursor and VS Code run what stands in its settings, with payloads of theirs."""

from __future__ import annotations

from brain_hooks.event import FILE, KEEP, PROMPT, START, STOP
from brain_hooks.hosts.host import Host, encode_nested, read_event

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


def speaker(found: Mapping[str, Any]) -> str:
    """Say which other program runs what stands in Claude Code's settings; Claude Code itself tells no time."""
    return "cursor" if "cursor_version" in found else "vscode" if "timestamp" in found else ""


HOST = Host(
    "claude",
    {
        "SessionStart": (START,), "UserPromptSubmit": (PROMPT,), "PreToolUse": (FILE,), "PostToolUse": (FILE,),
        "Stop": (STOP,), "PreCompact": (KEEP,), "SessionEnd": (KEEP,),
    },
    read_event, encode_nested, speaker=speaker,
)  # fmt: skip
