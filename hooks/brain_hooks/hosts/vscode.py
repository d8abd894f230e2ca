"""VS Code's agent hooks (hosts/contracts.md §7): as Claude Code's, but no text reaches the model on a prompt."""

from __future__ import annotations

from brain_hooks.event import FILE, START
from brain_hooks.hosts.host import Host, encode_nested, read_event

HOST = Host(
    "vscode", {"SessionStart": (START,), "PreToolUse": (FILE,), "PostToolUse": (FILE,)}, read_event, encode_nested
)
