"""The query: what a ticket asks of the memory, in the memory's own terms."""

from __future__ import annotations

from brain.index.segment import Segment
from brain.layout import short_code
from brain.recall.text import query_terms
from brain.tags import fold_keyword, spot_tags
from brain.ticket import Ticket
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


@value
class Query:
    """A ticket, ready to be matched.

    ``codes`` are the short codes of its functions, lower case; ``keywords`` are tags; ``spotted`` those of them that
    only its title or description brought in; ``said`` is term → how much the ticket says it.
    """

    ticket: Ticket
    codes: frozenset[str]
    keywords: frozenset[str]
    spotted: frozenset[str]
    said: dict[str, float]


def make_query(ticket: Ticket, segments: Sequence[Segment]) -> Query:
    """Return the query of a ticket over segments whose tags and aliases are known."""
    text = f"{ticket.title}\n{ticket.description}"
    given = {fold_keyword(keyword) for keyword in ticket.keywords} - {""}
    spotted = spot_tags(text, segments) - given
    codes = {short_code(name).lower() for name in ticket.functions} - {""}
    return Query(
        ticket,
        frozenset(codes),
        frozenset(given | spotted),
        frozenset(spotted),
        query_terms(ticket.title, ticket.description),
    )
