"""The page's words in its three languages; every key is in each of them, with the same facts in braces."""

from __future__ import annotations

from brain.stale.words import REASONS
from brain_api.web.texts import en, ja, vi

WORDS = {
    language: {**own, **{f"reason_{reason}": text for reason, text in REASONS[language].items()}}
    for language, own in (("en", en.WORDS), ("ja", ja.WORDS), ("vi", vi.WORDS))
}
ONE = "_one"
"""What a key ends in that is for one alone, in a language that says that differently."""
SEPARATORS = {"en": ",", "ja": ",", "vi": "."}
"""Between thousands."""


class Words:
    """The words of one language."""

    def __init__(self, language: str) -> None:
        self.language, self._words = language, WORDS[language]

    def __call__(self, key: str, **facts: object) -> str:
        """Return a text with these facts in it."""
        return self._words[key].format(**facts)

    def count(self, key: str, count: int) -> str:
        """Return a text for so many."""
        own = key + ONE if count == 1 and key + ONE in self._words else key
        return self._words[own].format(count=self.number(count))

    def name(self, group: str, word: str) -> str:
        """Return what a word of machines is called here: itself where it has no name."""
        return self._words.get(f"{group}_{word}", word.replace("_", " "))

    def number(self, count: int) -> str:
        """Return a number as people read it."""
        return f"{count:,}".replace(",", SEPARATORS[self.language])
