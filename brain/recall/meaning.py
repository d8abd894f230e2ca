"""The meaning term: how near what a memory says is to what the ticket asks (SPEC §12), in whatever languages.

Its sign is the cosine as a share of the best memory's (of ``SURE`` where even that one is less), of which the part
above ``FAINT`` is spread over 0 to 1. It counts in full where the memory is in another language than the ticket, since
words can say little there, and ``OWN_LANGUAGE`` of it where they have spoken already. Where the ticket's functions
narrow the store, it says nothing about memories in the ticket's language: there the function knows better. From
``FLOOR`` on, meaning alone makes a memory relevant. All of that is visible when the question is asked; the constants
were chosen on the development halves of the evaluation sets, one setting for all.
"""

from __future__ import annotations

from brain.layout import find_place
from brain.recall.score import Nearness
from brain.semantic.texts import embedded_text, text_digest
from brain.semantic.vectors import blob_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from brain.index.segment import Segment
    from brain.semantic.ask import Meaning
    from brain.semantic.vectors import Hit

FAINT = 0.4
SURE = 0.4
OWN_LANGUAGE = 0.2
FLOOR = 0.28
"""A cosine that one or two in a thousand memories of another subject reach, and 19 in 20 of the right ones."""


def match_meaning(
    meaning: Meaning, sources: Sequence[tuple[Segment, frozenset[int], bool]], *, own: float, floor: float = FLOOR
) -> list[Nearness]:
    """Return what is near in each segment.

    The best is the best of the approved memories, so one's drafts do not change the order of what the team shares.

    Args:
        meaning: What was asked, and the rows near it.
        sources: The segments, with the numbers of those that no longer count, and whether they are drafts.
        own: What nearness counts in the language that was asked in.
        floor: The cosine from which it alone makes a memory relevant.
    """
    rows = [
        [(number, hit) for hit in meaning.hits for number in numbers_of(hit, segment) if number not in dead]
        for segment, dead, _ in sources
    ]
    approved = [found for found, (_, _, pending) in zip(rows, sources, strict=True) if not pending]
    best = max([SURE, *(hit.cosine for found in approved for _, hit in found)])
    nearness = []
    for found in rows:
        shares = ((number, hit, own if hit.language == meaning.language else 1.0) for number, hit in found)
        signs = {number: (share * sign_of(hit.cosine, best), hit.cosine) for number, hit, share in shares}
        telling = {number: sign for number, (sign, _) in signs.items() if sign > 0}
        nearness.append(Nearness(telling, frozenset(number for number in telling if signs[number][1] >= floor)))
    return nearness


def sign_of(cosine: float, best: float) -> float:
    """Return how near a memory is, 0 to 1, beside the best one's cosine."""
    return min(1.0, max(0.0, (cosine / best - FAINT) / (1.0 - FAINT)))


def numbers_of(hit: Hit, segment: Segment) -> Iterator[int]:
    """Yield the number of the memory that a row was made from, if it still says the same."""
    place = find_place(hit.path)
    for number in segment.postings(f"id:{place.id}") if place else ():
        path, text = segment.record(number)
        if path == hit.path and (blob_key(text) == hit.key or _says_the_same(hit, segment, number)):
            yield number


def _says_the_same(hit: Hit, segment: Segment, number: int) -> bool:
    """Say whether only such lines of a memory changed as are not embedded: its status, its hits."""
    return text_digest(embedded_text(segment.memory(number))) == hit.digest
