"""The query: what a ticket asks of the memory, in the memory's own terms."""

from __future__ import annotations

from brain.layout import short_code
from brain.recall.text import query_terms
from brain.tags import fold_keyword, spot_tags
from brain.ticket import Ticket
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from brain.index.cache import Part
    from brain.index.segment import Segment


@value
class Query:
    """A ticket, ready to be matched.

    ``codes`` are the short codes of its functions, lower case; ``keywords`` are tags; ``spotted`` those of them that
    only its title or description brought in; ``said`` is term → how much the ticket says it; ``ref_prefixes`` are what
    refs into the repo of the ticket's files may begin with.
    """

    ticket: Ticket
    codes: frozenset[str]
    keywords: frozenset[str]
    spotted: frozenset[str]
    said: dict[str, float]
    ref_prefixes: tuple[str, ...] = ("",)


def make_query(
    ticket: Ticket, parts: Sequence[Part], drafts: Segment | None = None, ref_prefixes: tuple[str, ...] = ("",)
) -> Query:
    """Return the query of a ticket over a tree and drafts whose tags and aliases are known."""
    text = f"{ticket.title}\n{ticket.description}"
    given = {fold_keyword(keyword) for keyword in ticket.keywords} - {""}
    spotted = spot_tags(text, [*living(parts), *([drafts] if drafts else [])]) - given
    codes = {short_code(name).lower() for name in ticket.functions} - {""}
    return Query(
        ticket,
        frozenset(codes),
        frozenset(given | spotted),
        frozenset(spotted),
        query_terms(ticket.title, ticket.description),
        ref_prefixes,
    )


def living(parts: Sequence[Part]) -> list[Segment]:
    """Return the parts' segments as tags are looked for in them: without the memories that no longer count."""
    return [_Alive(part) if part.dead else part.segment for part in parts]  # type: ignore[misc]


class _Alive:
    def __init__(self, part: Part) -> None:
        self.postings, self.memory, self.header = part.numbers, part.segment.memory, part.segment.header
