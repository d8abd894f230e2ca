"""Gemini CLI (hosts/contracts.md §5): it reads standard error where standard output is empty, so ``{}`` at least."""

from __future__ import annotations

from brain.recall.render import UNBOUNDED
from brain_hooks.event import FILE, PROMPT, START
from brain_hooks.hosts.host import Host, encode_nested, read_event

HOST = Host(
    "gemini", {"SessionStart": (START,), "BeforeAgent": (PROMPT,), "AfterTool": (FILE,)}, read_event, encode_nested,
    room=UNBOUNDED,
)  # fmt: skip
