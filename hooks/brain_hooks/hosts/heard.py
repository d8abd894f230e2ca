"""What events tell of a session, as turns of a transcript, in hosts that hand over none. Pure."""

from __future__ import annotations

from brain.capture.turns import ASSISTANT, PERSON, Turn, answer_turn, call_turn, spoken

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def heard_words(person: str = "", assistant: str = "") -> tuple[Turn, ...]:
    """Return the turns of what a person and the assistant said; none for a machine's words."""
    said = (Turn(PERSON, spoken(person), 0), Turn(ASSISTANT, assistant, 0))
    return tuple(turn for turn in said if turn.text)


def heard_tool(tool: str, given: dict[str, Any], answer: str, *, failed: bool) -> tuple[Turn, ...]:
    """Return the turns of a tool's call and its answer."""
    return call_turn(0, "", tool, given), answer_turn(0, "", answer, failed=failed)
