"""The text term: how well a memory's words match the ticket's (SPEC §4.2), and when that is worth something.

BM25 over one bag of words, the rarity of a word squared, the ticket's title counted twice. A word is as common as in
the language where it is most common. Three numbers come out:

* ``share``: the sum, divided by the best memory's in the same language, so that a Japanese memory need not outshout
  English ones.
* ``worth``: the sum in *unique words*: one word that stands in a single memory is worth about 1. Outside the ticket's
  functions a match has to earn its term with a few of them (``earned``).
* ``strength``: the root of worth times the part of the query that is explained. From ``FLOOR`` on, text alone makes a
  memory relevant; a ticket about something the store does not know mostly stays under it.

Constants were chosen on the development halves of the evaluation sets, one setting for all.
"""

from __future__ import annotations

import math

from brain.index.segment import MAX_TIMES, TIMES_BITS
from brain.terms import LANGUAGES, terms, word_key
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from brain.index.cache import Part
    from brain.index.segment import Segment

K1, B = 1.2, 0.75
WEAK = 0.2
"""Below this share a match is noise."""
EARN_FROM, EARN_TO = 2.0, 4.0
FLOOR = 0.5
TITLE = 2
"""How often a word of the title counts."""
MOST_TERMS = 64
READS = 20_000
"""Entries of postings that are read for a language: in a large store the commonest words are left out."""
PRIOR = 50
"""A language with few memories leans on the whole store, as if so many of them were its own."""
NOT_ASCII = 0.5
"""A pair of Kanji is half a word, and a word with marks stands twice among the terms."""


@value
class Match:
    """How well one memory's words match; see the module."""

    share: float
    worth: float
    strength: float


def query_terms(title: str, description: str) -> dict[str, float]:
    """Return term → how much the ticket says it: the title twice, the tenth mention adds little."""
    said: dict[str, int] = {}
    for text, worth in ((title, TITLE), (description, 1)):
        for term in terms(text):
            said[term] = said.get(term, 0) + worth
    return {term: (1.0 + math.log(times)) * (1.0 if term.isascii() else NOT_ASCII) for term, times in said.items()}


def earned(worth: float) -> float:
    """Return the part, 0 to 1, of its text term that a match outside the ticket's functions has earned."""
    return min(1.0, max(0.0, (worth - EARN_FROM) / (EARN_TO - EARN_FROM)))


def match_text(said: Mapping[str, float], parts: Sequence[Part], drafts: Segment | None) -> list[dict[int, Match]]:
    """Return for each part, and the drafts last if there are any, memory number → match; noise left out.

    Rarity, the best, and which terms are read are those of the approved memories, so one's drafts do not change the
    order of what the team shares.
    """
    pools = [_Pool(spoken, said, parts, drafts) for spoken in LANGUAGES]
    size = sum(pool.size for pool in pools)
    values = {term: weight * _rarity(_commonness(term, pools, size), size) for term, weight in said.items()}
    unit, mass = _rarity(1, size), sum(values.values())
    mean = _mean_length(parts, size)
    found: list[dict[int, Match]] = [{} for _ in range(len(parts) + (drafts is not None))]
    for pool in pools:
        sums = pool.add_up(values, mean)
        approved = (total for part in sums[: len(parts)] for total in part.values())
        best = max(approved, default=0.0) or max((total for part in sums for total in part.values()), default=0.0)
        for matches, part in zip(found, sums, strict=True):
            for number, total in part.items():
                if total >= WEAK * best > 0:
                    matches[number] = Match(min(total / best, 1.0), total / unit, total / math.sqrt(mass * unit))
    return found


class _Pool:
    """The memories in one language, with the postings of the query's terms in every part."""

    def __init__(self, spoken: int, said: Mapping[str, float], parts: Sequence[Part], drafts: Segment | None) -> None:
        self.segments = [part.segment for part in parts] + ([drafts] if drafts else [])
        self.size = sum(part.segment.header["languages"][spoken] - part.dead_languages[spoken] for part in parts)
        self.postings: dict[str, list[Sequence[int]]] = {}
        self.counts: dict[str, int] = {}
        if not any(segment.header["languages"][spoken] for segment in self.segments):
            return
        for term in said:
            key = word_key(spoken, term)
            found = [_living(part, part.segment.postings(key)) for part in parts]
            count = sum(map(len, found))
            if drafts:
                found.append(drafts.postings(key))
            if any(map(len, found)):
                self.postings[term], self.counts[term] = found, count

    def add_up(self, values: Mapping[str, float], mean: float) -> list[dict[int, float]]:
        """Return for each segment memory number → BM25 sum over the most telling terms."""
        telling = sorted(self.postings, key=lambda term: (not self.counts[term], -values[term], term))[:MOST_TERMS]
        left = READS
        read: list[str] = []
        for term in telling:
            left -= self.counts[term]
            if left < 0 and read:
                break
            read.append(term)
        return [
            _add_up(segment, [(values[term] * (K1 + 1), self.postings[term][index]) for term in read], mean)
            for index, segment in enumerate(self.segments)
        ]


def _mean_length(parts: Sequence[Part], size: int) -> float:
    """Return the terms of an ordinary memory."""
    total: int = sum(part.segment.header["length"] - part.dead_length for part in parts)
    return max(total / max(size, 1), 1.0)


def _living(part: Part, posting: Sequence[int]) -> Sequence[int]:
    return [entry for entry in posting if entry >> TIMES_BITS not in part.dead] if part.dead else posting


def _commonness(term: str, pools: Sequence[_Pool], size: int) -> float:
    """Return how many memories would have the term, were it as common everywhere as in the language it is most in."""
    overall = sum(pool.counts.get(term, 0) for pool in pools) / max(size, 1)
    most: float = max((pool.counts.get(term, 0) + PRIOR * overall) / (pool.size + PRIOR) for pool in pools)
    return size * most


def _rarity(count: float, size: int) -> float:
    rarity = math.log(1.0 + (max(size - count, 0.0) + 0.5) / (count + 0.5))
    return rarity * rarity


def _add_up(segment: Segment, found: Sequence[tuple[float, Sequence[int]]], mean: float) -> dict[int, float]:
    lengths = segment.columns["length"]
    sums: dict[int, float] = {}
    for gain, posting in found:
        for entry in posting:
            number, times = entry >> TIMES_BITS, entry & MAX_TIMES
            length = K1 * (1 - B + B / mean * lengths[number])
            sums[number] = sums.get(number, 0.0) + gain * times / (times + length)
    return sums
