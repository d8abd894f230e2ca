"""The text term: how well a memory's words match the ticket's (SPEC §4.2), and when that is worth something.

BM25 over one bag of words, the rarity of a word squared, the ticket's title counted twice. Three numbers come out:

* ``share``: the sum, divided by the best memory's in the same language, so that a Japanese memory need not outshout
  English ones.
* ``worth``: the sum in *unique words*: one word that stands in a single memory is worth about 1. Outside the ticket's
  functions a match has to earn its term with a few of them (``earned``).
* ``strength``: the root of worth times the part of the query that is explained. From ``FLOOR`` on, text alone makes a
  memory relevant; a ticket about something the store does not know stays under it.

Constants were chosen on the development halves of the evaluation sets, one setting for all.
"""

from __future__ import annotations

import math
from collections import Counter

from brain.index.segment import MAX_TIMES, TIMES_BITS
from brain.terms import terms
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from brain.index.cache import Part
    from brain.index.segment import Segment

K1, B = 1.2, 0.75
MEAN_LENGTH = 80
"""Terms of an ordinary memory. Fixed, so that a score does not depend on how the store is cut into segments."""
WEAK = 0.2
"""Below this share a match is noise."""
EARN_FROM, EARN_TO = 2.0, 4.0
FLOOR = 0.5
MOST_TERMS = 64
LEAST_VALUE = 0.01
"""Terms worth less than this share of the most telling one are not looked up: they decide nothing and stand everywhere."""


@value
class Match:
    """How well one memory's words match; see the module."""

    share: float
    worth: float
    strength: float


def query_terms(title: str, description: str) -> dict[str, float]:
    """Return term → how much the ticket says it: the title twice, the tenth mention adds little."""
    said = Counter(terms(description))
    for term, times in Counter(terms(title)).items():
        said[term] += 2 * times
    return {term: 1.0 + math.log(times) for term, times in said.items()}


def earned(worth: float) -> float:
    """Return the part, 0 to 1, of its text term that a match outside the ticket's functions has earned."""
    return min(1.0, max(0.0, (worth - EARN_FROM) / (EARN_TO - EARN_FROM)))


def match_text(said: Mapping[str, float], parts: Sequence[Part], drafts: Segment | None) -> list[dict[int, Match]]:
    """Return for each part, and the drafts last if there are any, memory number → match; noise left out.

    Rarity is that of the approved memories, so one's drafts do not change the order of what the team shares.
    """
    segments = [part.segment for part in parts] + ([drafts] if drafts else [])
    size = sum(part.segment.docs - len(part.dead) for part in parts)
    postings = {term: [_posting(part, term) for part in parts] for term in said}
    if drafts:
        for term, found in postings.items():
            found.append(drafts.postings(f"word:{term}"))
    counts = {term: sum(map(len, found[: len(parts)])) for term, found in postings.items()}
    values = {term: weight * _rarity(size, counts[term]) for term, weight in said.items()}
    mass, unit = sum(values.values()), _rarity(size, 1)
    telling = [term for term in sorted(values, key=lambda term: (-values[term], term)) if any(map(len, postings[term]))]
    if not telling:
        return [{} for _ in segments]
    least = values[telling[0]] * LEAST_VALUE
    telling = [term for term in telling[:MOST_TERMS] if values[term] >= least]
    sums = [
        _add_up(segment, [(values[term], postings[term][index]) for term in telling])
        for index, segment in enumerate(segments)
    ]
    best = _best_by_language(segments, sums)
    return [
        _matches(segment, found, best, unit, math.sqrt(mass * unit)) for segment, found in zip(segments, sums, strict=True)
    ]


def _posting(part: Part, term: str) -> Sequence[int]:
    posting = part.segment.postings(f"word:{term}")
    return [entry for entry in posting if entry >> TIMES_BITS not in part.dead] if part.dead else posting


def _rarity(size: int, count: int) -> float:
    return math.log(1.0 + (size - count + 0.5) / (count + 0.5)) ** 2 if size >= count else 0.0


def _add_up(segment: Segment, found: Sequence[tuple[float, Sequence[int]]]) -> dict[int, float]:
    """Return memory number → BM25 sum."""
    lengths = segment.columns["length"]
    sums: dict[int, float] = {}
    for weight, posting in found:
        full = weight * (K1 + 1)
        for entry in posting:
            number, times = entry >> TIMES_BITS, entry & MAX_TIMES
            gain = full * times / (times + K1 * (1 - B + B / MEAN_LENGTH * lengths[number]))
            sums[number] = sums.get(number, 0.0) + gain
    return sums


def _best_by_language(segments: Sequence[Segment], sums: Sequence[dict[int, float]]) -> dict[int, float]:
    best: dict[int, float] = {}
    for segment, found in zip(segments, sums, strict=True):
        languages = segment.columns["language"]
        for number, total in found.items():
            if total > best.get(languages[number], 0.0):
                best[languages[number]] = total
    return best


def _matches(
    segment: Segment, sums: dict[int, float], best: Mapping[int, float], unit: float, scale: float
) -> dict[int, Match]:
    languages = segment.columns["language"]
    noise = {name: WEAK * total for name, total in best.items()}
    return {
        number: Match(total / best[languages[number]], total / unit, total / scale)
        for number, total in sums.items()
        if total >= noise[languages[number]]
    }
