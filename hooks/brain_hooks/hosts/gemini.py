"""Gemini CLI (hosts/contracts.md §5): it reads standard error where standard output is empty, so ``{}`` at least.

``PreCompress`` comes before every turn of the model, so nothing is kept there: ``AfterAgent`` comes soon enough.
"""

from __future__ import annotations

from brain.json_text import render_json
from brain.recall.render import UNBOUNDED
from brain_hooks.event import FILE, KEEP, PROMPT, START, STOP
from brain_hooks.hosts.host import Host, Reply, encode_ask, encode_nested, encode_remarks, read_event


def encode(event: str, reply: Reply) -> str:
    """Return one JSON object; an answer is refused where Claude Code's would be blocked."""
    if reply.ask:
        return render_json({**encode_remarks(reply), **encode_ask(reply, "deny")})
    return encode_nested(event, reply)


HOST = Host(
    "gemini",
    {
        "SessionStart": (START,), "BeforeAgent": (PROMPT,), "AfterTool": (FILE,), "AfterAgent": (STOP,),
        "SessionEnd": (KEEP,),
    },
    read_event, encode, room=UNBOUNDED,
)  # fmt: skip
