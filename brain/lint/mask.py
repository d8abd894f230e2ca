"""Keep what rules call secret or personal out of what lint says: messages quote the text that they are about."""

from __future__ import annotations

from functools import lru_cache

from brain.lint.folded import Folded
from brain.lint.pattern import Pattern
from brain.lint.personal import find_personal
from brain.lint.secrets.scan import find_secrets
from brain.lint.secrets.shapes import HEX, is_password

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

MASK = "***"
WORD = Pattern(r"[A-Za-z0-9]{8,64}")
LONG_NUMBER = 12
"""Digits of a card or of a person."""
SHORTEST = 6
"""Characters of the shortest text that is masked wherever it stands."""


def masked(message: str, known: Iterable[str] = ()) -> str:
    """Return ``message`` without what looks like a secret or like a person's, and without ``known``, in lower case.

    >>> masked("tags: the tag 'gl" + "pat-Xk2mQ9vL7wRt4Zp8Nb1c' is not lower-case ASCII")
    "tags: the tag '***' is not lower-case ASCII"
    """
    low = message.lower()
    for text in known:
        if len(text) >= SHORTEST and text in low:
            message = _without(message, text)
    return _masked(message) if _may_hold(message) else message


def _is_odd(word: str) -> bool:
    """Say whether a word may be a password: a message quotes a value without the words that would tell."""
    return (word.isdigit() and len(word) >= LONG_NUMBER) or (not HEX.issuperset(word) and is_password(word))


@lru_cache(maxsize=1024)
def _masked(message: str) -> str:
    """Return ``message`` without what rules find in it; what many files say alike is looked at once."""
    folded = Folded(message)
    found = [(hit.start, hit.end) for hit in find_secrets(folded.text)]
    found += [(hit.start, hit.end) for hit in find_personal(folded.text)]
    words = ((match.start(), match.end()) for match in WORD.finditer(folded.text) if _is_odd(match[0]))
    found += [(start, end) for start, end in words if not any(one < end and start < other for one, other in found)]
    for start, end in sorted(found, reverse=True):
        first, last = folded.at(start)[1] - 1, folded.at(end - 1)[1]
        message = message[:first] + MASK + message[last:]
    return message


def _without(message: str, text: str) -> str:
    """Return ``message`` without ``text``, in whatever case it stands there."""
    if len(message.lower()) != len(message):  # a few capitals have longer small letters
        message = message.lower()
    parts = message.lower().split(text)
    kept, at = [], 0
    for part in parts:
        kept.append(message[at : at + len(part)])
        at += len(part) + len(text)
    return MASK.join(kept)


def _may_hold(message: str) -> bool:
    """Say whether a message quotes anything that could be a secret: a long word with a digit, or an address."""
    return "@" in message or any(len(word) > 7 and any(map(str.isdigit, word)) for word in message.split())
