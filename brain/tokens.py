"""How many tokens a text costs: one estimate, by script, on the safe side.

Coefficients were fitted on 690 texts against the current Claude vocabulary and checked on 494 others (median error
5.5 %, 95 % within 17 %); ``MARGIN`` leaves one memory in a hundred under its true cost. Other models' vocabularies
cost less, so the estimate is an upper bound for them.
"""

from __future__ import annotations

import math
import re
import unicodedata

MARGIN = 1.15
ASCII_LETTER, ACCENTED_LETTER, KANA, HAN, OTHER = 0.365, 1.65, 0.81, 1.33, 1.01
"""Tokens a character; spaces and tabs are free, everything not a letter of these scripts is ``OTHER``."""

_ASCII_LETTERS = re.compile("[A-Za-z]+")
_ACCENTED = re.compile("[\u00c0-\u024f\u1e00-\u1eff]")
_KANA = re.compile("[\u3041-\u30ff\u31f0-\u31ff\uff66-\uff9d]")
_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_FREE = re.compile("[ \t]+")


def estimate(text: str) -> int:
    """Return the tokens ``text`` costs at most, as far as an estimate can tell."""
    return math.ceil(raw_estimate(text) * MARGIN)


def raw_estimate(text: str) -> float:
    """Return the estimate before margin and rounding; it adds up over pieces of a text."""
    if not text.isascii():
        text = unicodedata.normalize("NFC", text)
    length = len(text)
    letters = length - len(_ASCII_LETTERS.sub("", text))
    free = length - len(_FREE.sub("", text))
    if text.isascii():
        return ASCII_LETTER * letters + OTHER * (length - letters - free)
    accented, kana, han = (len(script.findall(text)) for script in (_ACCENTED, _KANA, _HAN))
    other = length - letters - free - accented - kana - han
    return ASCII_LETTER * letters + ACCENTED_LETTER * accented + KANA * kana + HAN * han + OTHER * other
