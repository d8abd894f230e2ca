"""How many memories a ticket gets, and in which order (SPEC §4.3). Pure."""

from __future__ import annotations

from brain.layout import short_code
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeVar

    from brain.settings import Config
    from brain.ticket import Ticket

    T = TypeVar("T")


@value
class Appetite:
    """How much a ticket wants: memories at most (0: every relevant one), its own function's lessons first, or all."""

    limit: int
    own_lessons_first: bool = False
    all_own_lessons: bool = False


def appetite_of(ticket: Ticket, config: Config) -> Appetite:
    """Return what the ticket's kind and size ask for."""
    if ticket.kind == "hotfix":
        return Appetite(config["memory.topNHotfix"], own_lessons_first=True)
    limit = config["memory.topN"]
    if (
        ticket.kind == "large"
        or len({short_code(name).lower() for name in ticket.functions}) > 1
        or len(ticket.description) > config["recall.largeDescription"]
    ):
        limit = max(limit, config["memory.topNLarge"])
    return Appetite(limit, all_own_lessons=ticket.kind == "bugfix")


def choose(ranked: Sequence[T], own_lesson: Sequence[bool], appetite: Appetite) -> tuple[list[T], list[T]]:
    """Return the chosen of a ranking, in the order they are to be shown, and the rest.

    Args:
        ranked: Best first.
        own_lesson: Of each, whether it is a lesson in a folder of the ticket's functions.
        appetite: What the ticket asks for.
    """
    marked = list(zip(ranked, own_lesson, strict=True))
    if appetite.own_lessons_first:
        marked.sort(key=lambda pair: not pair[1])
    limit = appetite.limit or len(marked)
    beyond = [pair for pair in marked[limit:] if appetite.all_own_lessons and pair[1]]
    left = [pair[0] for pair in marked[limit:] if not (appetite.all_own_lessons and pair[1])]
    return [pair[0] for pair in marked[:limit] + beyond], left
