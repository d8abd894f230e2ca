"""Memories that say the same, or the opposite: proposed to a person, never acted on (SPEC §8). Pure."""

from __future__ import annotations

import re
import unicodedata
import zlib
from itertools import combinations

from brain.similar import NEAR, compared_text, shingles, similarity
from brain.text import fold
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Sequence

    from brain.memory import Memory

SKETCH, COMMON = 24, 4
"""Hashes that a text is sketched by, and how many must be common for two texts to be compared. Ours: of texts half of
whose shingles are common, 8 of the 24 are on average."""
MOST_OF_A_KEY = 200
"""Memories that are compared because of one common thing: of a tag that all have, nobody wants the pairs."""
SAME_WORDS, SAME_TEXT = 0.5, 0.8
"""Share of common words from which two pieces of advice are about one thing, and from which they are one text."""
APPLY = re.compile(r"\*\*(?:Apply|Áp dụng|適用):\*\*", re.IGNORECASE)
NEGATIONS = re.compile(
    r"\b(?:never|not|no longer|no|don'?t|doesn'?t|cannot|can'?t|mustn'?t|shouldn'?t|avoid|without|forbid|stop)\b"
    r"|\b(?:không|đừng|chẳng|tránh|cấm|chưa)\b|ない|ません|禁止|避け|べからず|せずに|不可",
    re.IGNORECASE,
)
"""In text with its marks: without them ``đừng`` (do not) is ``dùng`` (use)."""
OPPOSITES = (
    ("enable", "disable"), ("before", "after"), ("allow", "deny"), ("increase", "decrease"),
    ("sync", "async"), ("first", "last"), ("on", "off"), ("bat", "tat"), ("truoc", "sau"), ("tang", "giam"),
    ("有効", "無効"), ("前", "後"), ("許可", "拒否"), ("同期", "非同期"),
)  # fmt: skip


@value
class Pair:
    """Two memories by path, and how alike they are (0 to 1): by their words, or by their ``meaning``."""

    one: str
    other: str
    similarity: float
    meaning: bool = False


def find_duplicates(memories: Sequence[Memory]) -> list[Pair]:
    """Return the pairs that share a tag and are near, the nearest first."""
    texts = [shingles(compared_text(memory)) for memory in memories]
    found = []
    for one, other in _sketched(texts):
        if set(memories[one].tags) & set(memories[other].tags):
            alike = similarity(texts[one], texts[other])
            if alike >= NEAR:
                found.append(make_pair(memories[one], memories[other], alike))
    return sorted(found, key=order)


def _sketched(texts: Sequence[set[str]]) -> Iterator[tuple[int, int]]:
    """Yield the numbers of texts whose sketches have enough in common."""
    sketches = [sorted({zlib.crc32(part.encode()) for part in text})[:SKETCH] for text in texts]
    common: dict[tuple[int, int], int] = {}
    for pair in sharing(sketches):
        common[pair] = common.get(pair, 0) + 1
    for (one, other), count in common.items():
        if count >= min(COMMON, len(sketches[one]), len(sketches[other])):
            yield one, other


def sharing(rows: Sequence[Iterable[Hashable]]) -> Iterator[tuple[int, int]]:
    """Yield pairs of numbers of rows, once for each thing that both hold and not too many others do."""
    holders: dict[Hashable, list[int]] = {}
    for number, row in enumerate(rows):
        for key in row:
            holders.setdefault(key, []).append(number)
    for numbers in holders.values():
        if len(numbers) <= MOST_OF_A_KEY:
            yield from combinations(numbers, 2)


def find_contradictions(memories: Sequence[Memory]) -> list[Pair]:
    """Return the pairs that have their tags in common and give opposite advice, the likeliest first."""
    tags = [[*memory.tags, *combinations(sorted(memory.tags), 2)] for memory in memories]
    found = []
    for one, other in set(sharing(tags)):
        first, second = memories[one], memories[other]
        if _common(set(first.tags), set(second.tags)) >= SAME_WORDS and meet(first, second):
            alike = opposed(advice(first), advice(second))
            if alike:
                found.append(make_pair(first, second, alike))
    return sorted(found, key=order)


def meet(one: Memory, other: Memory) -> bool:
    """Say whether two memories can be read for one ticket: of one function, or one of them is for all."""
    return one.scope == other.scope or "global" in (one.scope, other.scope)


def advice(memory: Memory) -> str:
    """Return what a memory tells to do: its apply line."""
    return APPLY.split(memory.body)[-1]


def opposed(one: str, other: str) -> float:
    """Return how alike two pieces of advice are that oppose each other, 0.0 where they do not."""
    one, other = unicodedata.normalize("NFC", one), unicodedata.normalize("NFC", other)
    first, second = _words(fold(NEGATIONS.sub(" ", one))), _words(fold(NEGATIONS.sub(" ", other)))
    alike = _common(first, second)
    denied = len(NEGATIONS.findall(one)) % 2 != len(NEGATIONS.findall(other)) % 2
    swapped = any((a in first and b in second) != (b in first and a in second) for a, b in OPPOSITES)
    counted = alike >= SAME_TEXT * SAME_WORDS and _only_numbers_differ(first, second)
    return alike if (alike >= SAME_WORDS and denied != swapped) or counted else 0.0


def _only_numbers_differ(one: set[str], other: set[str]) -> bool:
    left = one ^ other
    return bool(one - other) and bool(other - one) and all(word.isdigit() for word in left) and len(one & other) > 1


def _words(text: str) -> set[str]:
    """Return the words of a text; of a script without spaces, pairs of characters and numbers."""
    words = re.findall(r"[0-9]+|[a-z]+", text)
    dense = "".join(re.findall(r"[^\x00-\u1fff\W]", text))
    return {*words, *(dense[at : at + 2] for at in range(len(dense) - 1)), *(sign for sign in dense if sign in "前後")}


def _common(one: set[str], other: set[str]) -> float:
    return len(one & other) / len(one | other) if one or other else 0.0


def make_pair(one: Memory, other: Memory, alike: float, *, meaning: bool = False) -> Pair:
    """Return a pair in the order of its paths."""
    first, second = sorted((one.path, other.path))
    return Pair(first, second, round(alike, 2), meaning)


def order(pair: Pair) -> tuple[float, str, str]:
    """Return what pairs are sorted by: the nearest first."""
    return -pair.similarity, pair.one, pair.other
