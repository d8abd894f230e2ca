"""How many tokens a text costs: one estimate, by script, on the safe side.

Coefficients were fitted on 690 texts against the current Claude vocabulary and checked on 494 others (median error
5.5 %, 95 % within 17 %); ``MARGIN`` leaves one memory in a hundred under its true cost. Other models' vocabularies
cost less, so the estimate is an upper bound for them.
"""

from __future__ import annotations

import math
import unicodedata

MARGIN = 1.15
ASCII_LETTER, ACCENTED_LETTER, KANA, HAN, OTHER = 0.365, 1.65, 0.81, 1.33, 1.01
"""Tokens a character; spaces and tabs are free, everything not a letter of these scripts is ``OTHER``."""

_LETTERS = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_FREE = b" \t"


class _Costs(dict[str, float]):
    """Character → tokens, worked out once a character."""

    def __missing__(self, character: str) -> float:
        cost = self[character] = _cost(ord(character))
        return cost


def _cost(code: int) -> float:
    if code < 0x80:
        return 0.0 if code in _FREE else ASCII_LETTER if code in _LETTERS else OTHER
    if 0xC0 <= code <= 0x24F or 0x1E00 <= code <= 0x1EFF:
        return ACCENTED_LETTER
    if 0x3041 <= code <= 0x30FF or 0x31F0 <= code <= 0x31FF or 0xFF66 <= code <= 0xFF9D:
        return KANA
    if 0x3400 <= code <= 0x4DBF or 0x4E00 <= code <= 0x9FFF or 0xF900 <= code <= 0xFAFF or 0x20000 <= code <= 0x3FFFF:
        return HAN
    return OTHER


_COSTS = _Costs()


def estimate(text: str) -> int:
    """Return the tokens ``text`` costs at most, as far as an estimate can tell."""
    return math.ceil(raw_estimate(text) * MARGIN)


def raw_estimate(text: str) -> float:
    """Return the estimate before margin and rounding; it adds up over pieces of a text."""
    if text.isascii():
        raw = text.encode()
        others = len(raw.translate(None, _LETTERS))
        return ASCII_LETTER * (len(raw) - others) + OTHER * len(raw.translate(None, _LETTERS + _FREE))
    return sum(map(_COSTS.__getitem__, unicodedata.normalize("NFC", text)))
