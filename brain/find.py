"""Find memories by id: the approved one, this machine's draft of it, or both."""

from __future__ import annotations

from brain.errors import MemoryNotFoundError
from brain.layout import find_place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from brain.memory import Memory
    from brain.workspace import Brain


def find_memories(brain: Brain, memory_id: str) -> list[Memory]:
    """Return the memories with that id, or the id of that path: approved ones first, then drafts."""
    place = find_place(memory_id)
    key = f"id:{place.id if place else memory_id}"
    return [part.segment.memory(number) for part in brain.parts for number in part.numbers(key)]


def get_memories(brain: Brain, memory_id: str) -> list[Memory]:
    """Return the memories with that id.

    Raises:
        MemoryNotFoundError: There is none; it says what became of it, or names a near one.
    """
    found = find_memories(brain, memory_id)
    if not found:
        from brain.whereabouts import tell_whereabouts  # seldom needed, and it looks at history

        place = find_place(memory_id)
        told = tell_whereabouts(brain, place.id if place else memory_id)
        raise MemoryNotFoundError(memory_id, "" if told else _nearest(brain, memory_id), told)
    return found


def _nearest(brain: Brain, memory_id: str) -> str:
    from difflib import get_close_matches

    ids = [memory.id for part in brain.parts for memory in part.memories()]
    return next(iter(get_close_matches(memory_id, ids, n=1, cutoff=0.6)), "")
