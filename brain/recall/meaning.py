"""The meaning term: how near what a memory says is to what the ticket asks (SPEC §12), in whatever languages.

Its sign is the cosine as a share of the best memory's (of ``SURE`` where even that one is less), of which the part
above ``FAINT`` is spread over 0 to 1. In a folder of the ticket's own functions ``SURE_INSIDE`` is enough: what lies
there is relevant anyway, so that a faint nearness cannot let in what is off the topic and only says what comes first.

A sign counts in full where the memory is in another language than the ticket, since words can say little there, and
``OWN_LANGUAGE`` of it where they have spoken already. Where the ticket's functions narrow the store, it says nothing
about memories in the ticket's language: there the function knows better. From ``FLOOR`` on, meaning alone makes a
memory relevant. All of that is visible when the question is asked; the constants were chosen on the development halves
of the evaluation sets, one setting for all.
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
SURE, SURE_INSIDE = 0.4, 0.35
OWN_LANGUAGE = 0.2
FLOOR = 0.28
"""A cosine that one or two in a thousand memories of another subject reach, and 19 in 20 of the right ones."""


def match_meaning(
    meaning: Meaning, sources: Sequence[tuple[Segment, frozenset[int], bool]], *, own: float, floor: float = FLOOR,
    inside: Sequence[frozenset[int]] = (),
) -> list[Nearness]:  # fmt: skip
    """Return what is near in each segment.

    The best is the best of the approved memories, so one's drafts do not change the order of what the team shares.

    Args:
        meaning: What was asked, and the rows near it.
        sources: The segments, with the numbers of those that no longer count, and whether they are drafts.
        own: What nearness counts in the language that was asked in.
        floor: The cosine from which it alone makes a memory relevant.
        inside: The places of each source that are the ticket's own functions; none.
    """
    rows = [
        [(number, hit) for hit in meaning.hits for number in numbers_of(hit, segment) if number not in dead]
        for segment, dead, _ in sources
    ]
    approved = [found for found, (_, _, pending) in zip(rows, sources, strict=True) if not pending]
    best = max((hit.cosine for found in approved for _, hit in found), default=0.0)
    places = inside or [frozenset()] * len(sources)
    nearness = []
    for found, (segment, _, _), own_places in zip(rows, sources, places, strict=True):
        place = segment.columns["place"]
        signs, clear = {}, set()
        for number, hit in found:
            sign = sign_of(hit.cosine, max(best, SURE_INSIDE if place[number] in own_places else SURE))
            sign *= own if hit.language == meaning.language else 1.0
            if sign > 0:
                signs[number] = sign
                if hit.cosine >= floor:
                    clear.add(number)
        nearness.append(Nearness(signs, frozenset(clear)))
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
