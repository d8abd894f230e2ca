"""An embedder for tests of everything but quality: words that are the same word in three languages lie together."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from brain.terms import terms

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

DIM = 64
WORDS = {
    "再試": "retry", "試行": "retry", "thử": "retry", "決済": "payment", "thanh": "payment", "在庫": "stock",
    "kho": "stock", "apply": "", "適用": "", "áp": "", "dụng": "",
}  # fmt: skip
"""What stands for a word of English; "" says nothing."""


class Hashed:
    """A bag of words, each a random direction that is always the same."""

    dim = DIM

    def __init__(self, fingerprint: str = "hashed/1") -> None:
        self.fingerprint = fingerprint
        self.texts: list[str] = []

    def embed(self, texts: Sequence[str], *, query: bool) -> Iterator[Sequence[float]]:  # noqa: ARG002
        for text in texts:
            self.texts.append(text)
            yield self.vector(text)

    def vector(self, text: str) -> list[float]:
        total = [1e-3] * DIM
        for term in terms(text):
            rng = random.Random(f"{self.fingerprint}{WORDS.get(term, term)}")
            if WORDS.get(term, term):
                total = [one + rng.gauss(0, 1) for one in total]
        return total
