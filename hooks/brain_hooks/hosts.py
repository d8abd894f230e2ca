"""One encoder a host: what our answer looks like to it (hosts/contracts.md)."""

from __future__ import annotations

from brain.json_text import render_json
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

MOST_REMARKS = 2000
"""Characters of what is said to the person."""


@value
class Reply:
    """What a hook has to say: text for the model, remarks for the person."""

    text: str = ""
    remarks: tuple[str, ...] = ()


@value
class Host:
    """A host: its encoder, whether it cuts long texts and says on stdin what happened, the events it is heard on."""

    encode: Callable[[str, Reply], str]
    cuts_texts: bool
    has_payload: bool
    events: frozenset[str]


def encode_claude(event: str, reply: Reply) -> str:
    """Return one JSON object in ASCII; ``{}`` where there is nothing to say."""
    answer: dict[str, object] = {}
    if reply.remarks:
        answer["systemMessage"] = "\n".join(f"brain: {remark}" for remark in reply.remarks)[:MOST_REMARKS]
    if reply.text:
        answer["hookSpecificOutput"] = {"hookEventName": event, "additionalContext": reply.text}
    return render_json(answer)


def encode_text(_event: str, reply: Reply) -> str:
    """Return plain text, remarks first."""
    return "".join(f"brain: {remark}\n" for remark in reply.remarks) + reply.text


HOSTS = {
    "claude": Host(encode_claude, cuts_texts=True, has_payload=True, events=frozenset(("SessionStart",))),
    "text": Host(encode_text, cuts_texts=False, has_payload=False, events=frozenset(("SessionStart",))),
}
