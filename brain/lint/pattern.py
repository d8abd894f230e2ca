"""Regular expressions that are compiled only when a text holds one of their hints.

Compiling all of them would cost a merge request of ten files more than reading it. Every expression is linear: no
nested repeats, every repeat bounded, possessive or of one class.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class Pattern:
    """An expression, and what must stand in a text for it to match.

    Of the hints that are texts one must be there, and one of each hint that is a tuple of texts. With hints in lower
    case, pass text in lower case.
    """

    __slots__ = ("_compiled", "flags", "groups", "source")

    def __init__(self, source: str, *hints: str | tuple[str, ...], flags: int = 0) -> None:
        self.source, self.flags = source, flags
        texts = tuple(hint for hint in hints if isinstance(hint, str))
        more = () if len(texts) == len(hints) else tuple(hint for hint in hints if not isinstance(hint, str))
        self.groups = ((texts, *more) if texts else more) if hints else ()
        self._compiled: re.Pattern[str] | None = None

    @property
    def compiled(self) -> re.Pattern[str]:
        """The expression, compiled once."""
        if self._compiled is None:
            self._compiled = re.compile(self.source, self.flags)
        return self._compiled

    def may_match(self, text: str) -> bool:
        """Say whether the hints stand in ``text``."""
        for group in self.groups:
            for hint in group:
                if hint in text:
                    break
            else:
                return False
        return True

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """Yield the matches in ``text``."""
        return self.compiled.finditer(text) if self.may_match(text) else iter(())

    def search(self, text: str, start: int = 0) -> re.Match[str] | None:
        """Return the first match in ``text``, from ``start`` on."""
        return self.compiled.search(text, start) if self.may_match(text) else None

    def match(self, text: str) -> re.Match[str] | None:
        """Return the match at the start of ``text``."""
        return self.compiled.match(text) if self.may_match(text) else None

    def sub(self, replacement: str | Callable[[re.Match[str]], str], text: str) -> str:
        """Return ``text`` with each match replaced."""
        return self.compiled.sub(replacement, text) if self.may_match(text) else text

    def fullmatch(self, text: str) -> re.Match[str] | None:
        """Return the match of the whole of ``text``."""
        return self.compiled.fullmatch(text) if self.may_match(text) else None
