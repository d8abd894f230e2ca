"""A text as the rules look at it: folded first, with the way back to line and column (lint/facts.md §1).

Folding takes out what nobody sees, makes full width half width, digits of every script and Japanese quotes and stops
ASCII ones. It lifts
what scanners find in split tokens from 16 to 62 of 100, and never adds or takes a line.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from itertools import accumulate

from brain.text import CharacterTable, visible

_ASCII = {
    "「": '"', "」": '"', "『": '"', "』": '"', "【": "[", "】": "]", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"',
    "‘": "'", "’": "'", "、": ",", "。": ".", "・": " ", "·": " ", "〜": "~", "−": "-",
    "\u2028": " ", "\u2029": " ", "\ufe0f": "", "\u2800": "", "\u3164": "", "\u20e3": "",
}  # fmt: skip
_ASCII |= dict.fromkeys("⁃˗➖╌─", "-") | {"‗": "_"}
_ASCII |= dict(zip("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ", "abcdefghijklmnoprstuvwyz", strict=True))
"""What NFKC leaves: small capitals, quotes and stops that close a Japanese word, blanks that it takes for letters."""


def _fold_character(code: int) -> int | str:
    character = chr(code)
    if code < 0x7F:
        return code if code >= 0x20 or character in "\t\n" else ""
    if character in _ASCII:
        return _ASCII[character]
    category = unicodedata.category(character)
    if category == "Nd":
        return str(unicodedata.digit(character))
    if category == "Pd" and character not in "〜〰゠":
        return "-"
    return unicodedata.normalize("NFKC", visible(character)).replace("\n", " ")


FOLDED = CharacterTable(_fold_character)


def fold_text(text: str) -> str:
    """Return ``text`` as the rules look at it; it has the same number of lines.

    >>> fold_text("パスワード：「ａｂ\u200bc」。")
    'パスワード:"abc".'
    """
    if text.isascii() and text.replace("\n", "").replace("\t", "").isprintable():
        return text
    folded = unicodedata.normalize("NFC", text).translate(FOLDED)
    return unicodedata.normalize("NFC", folded) if "ﾞ" in text or "ﾟ" in text else folded


def _length(before: str, sign: str) -> int:
    """Return how many characters a sign becomes: a mark may join the one before it."""
    if before and (unicodedata.combining(sign) or sign in "ﾞﾟ"):
        return len(fold_text(before + sign)) - len(fold_text(before))
    return len(fold_text(sign))


class Folded:
    """A text and its folded form. ``line`` and ``column`` say where in the file it begins."""

    def __init__(self, raw: str, line: int = 1, column: int = 1) -> None:
        self.raw, self.line, self.column = raw, line, column
        self.text = fold_text(raw)
        self._lines: list[str] | None = None
        self._starts: dict[int, list[int]] = {}

    def at(self, offset: int) -> tuple[int, int]:
        """Return line and column, in the file, of an offset into the folded text."""
        start = self.text.rfind("\n", 0, offset) + 1
        number = self.text.count("\n", 0, start)
        column = offset - start
        if self.text is not self.raw:
            column = max(0, bisect_right(self._starts_of(number), column) - 1)
        return self.line + number, column + (self.column if number == 0 else 1)

    def _starts_of(self, number: int) -> list[int]:
        """Return where each character of a raw line begins in its folded form."""
        if number not in self._starts:
            if self._lines is None:
                self._lines = self.raw.split("\n")
            line = self._lines[number]
            lengths = (_length(line[at - 1 : at], sign) for at, sign in enumerate(line))
            self._starts[number] = [0, *accumulate(lengths)][:-1] or [0]
        return self._starts[number]


def position(text: str, offset: int) -> tuple[int, int]:
    """Return line and column, both from 1, of an offset into ``text``."""
    start = text.rfind("\n", 0, offset) + 1
    return text.count("\n", 0, start) + 1, offset - start + 1
