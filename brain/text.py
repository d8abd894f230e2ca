"""Text of any language: folding, counting words, first sentences. Nothing here assumes spaces or ASCII.

Characters are sorted by tables that learn as they go (``str.translate``), not by regular expressions: compiling those
would cost a hook more than everything it does with them.
"""

from __future__ import annotations

import unicodedata

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_DENSE_RANGES = (
    (0x3005, 0x3007), (0x303B, 0x303B), (0x3041, 0x3096), (0x309D, 0x309E), (0x30A1, 0x30FA), (0x30FC, 0x30FE),
    (0x31F0, 0x31FF), (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0xFF66, 0xFF9D), (0x20000, 0x3FFFF),
)  # fmt: skip
"""Han and Kana: scripts written without spaces."""
_INVISIBLE_RANGES = (
    # C0 but tab and newline, DEL, C1; soft hyphen, joiners and directions, fillers, BOM, tags, variation selectors:
    # nothing a reader sees, everything an attack hides in (SPEC §4.5).
    (0x00, 0x08), (0x0B, 0x1F), (0x7F, 0x9F), (0xAD, 0xAD), (0x34F, 0x34F), (0x61C, 0x61C), (0x115F, 0x1160),
    (0x17B4, 0x17B5), (0x180B, 0x180F), (0x200B, 0x200F), (0x2028, 0x202E), (0x2060, 0x206F), (0x3164, 0x3164),
    (0xD800, 0xDFFF), (0xFE00, 0xFE0E), (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFFB), (0x13430, 0x1343F),
    (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF),
)  # fmt: skip
_MARK_RANGES = ((0x300, 0x36F), (0x1AB0, 0x1AFF), (0x1DC0, 0x1DFF), (0x20D0, 0x20FF))
JOINER, EMOJI_STYLE = "\u200d", "\ufe0f"
"""What joins two characters into one, and what has a character drawn as a picture."""
HOOK_WORDS = 15
HOOK_CHARACTERS = 120


class CharacterTable(dict[int, "int | str | None"]):
    """A table for ``str.translate`` that asks ``choose`` once a character: another one, or None to take it out."""

    def __init__(self, choose: Callable[[int], int | str | None]) -> None:
        super().__init__()
        self.choose = choose

    def __missing__(self, code: int) -> int | str | None:
        found = self[code] = self.choose(code)
        return found


def is_dense(code: int) -> bool:
    """Say whether a code point is Han or Kana."""
    return code >= 0x3005 and _within(code, _DENSE_RANGES)


def _within(code: int, ranges: tuple[tuple[int, int], ...]) -> bool:
    return any(first <= code <= last for first, last in ranges)


WORDS = CharacterTable(lambda code: code if chr(code).isalnum() and not is_dense(code) else " ")
"""Keeps the letters and digits of scripts with spaces, and makes all else a space."""
RUNS = CharacterTable(lambda code: code if is_dense(code) else " ")
"""Keeps Han and Kana, and makes all else a space."""
_NOT_DENSE = CharacterTable(lambda code: " " if is_dense(code) else code)
_VISIBLE = CharacterTable(lambda code: None if code != 0x200D and _within(code, _INVISIBLE_RANGES) else code)


def _bare(code: int) -> str | None:
    """Return a character without its marks, None where it is a mark; stroke letters count as marked ones."""
    if _within(code, _MARK_RANGES):
        return None
    parts = [part for part in unicodedata.normalize("NFD", chr(code)) if not _within(ord(part), _MARK_RANGES)]
    return {"đ": "d", "Đ": "D"}.get(chr(code)) or unicodedata.normalize("NFC", "".join(parts))


_BARE = CharacterTable(_bare)


def fold(text: str) -> str:
    """Return ``text`` for comparing: half width, lower case, no marks, ``d`` for ``đ``.

    >>> fold("Đơn hàng ＡＰＩ")
    'don hang api'
    """
    if text.isascii():
        return text.lower()
    return strip_marks(unicodedata.normalize("NFKC", text).casefold())


def strip_marks(text: str) -> str:
    """Return ``text`` without the marks Latin letters carry, ``d`` for ``đ``; kana keep their voicing."""
    return unicodedata.normalize("NFC", text).translate(_BARE)


def visible(text: str) -> str:
    """Return ``text`` in NFC without control, bidi, tag and other invisible characters.

    Tabs and newlines stay, and joiners that make one emoji of two.
    """
    if text.isascii() and text.isprintable():
        return text
    if JOINER in text:
        text = _join_emoji(text)
    return unicodedata.normalize("NFC", text.replace("\r\n", "\n").replace("\r", "\n").translate(_VISIBLE))


def _join_emoji(text: str) -> str:
    """Return ``text`` with no joiners but those between two emoji, which show one person or family then."""
    first, *rest = parts = text.split(JOINER)
    joins = (
        is_emoji(one.removesuffix(EMOJI_STYLE)[-1:]) and is_emoji(two[:1])
        for one, two in zip(parts[:-1], rest, strict=True)
    )
    return first + "".join(JOINER + part if joined else part for part, joined in zip(rest, joins, strict=True))


def is_emoji(character: str) -> bool:
    """Say whether a character is a picture, or may be drawn as one; "" is none."""
    code = ord(character) if character else 0
    return (
        0x1F000 <= code <= 0x1FAFF
        or 0x2190 <= code <= 0x2BFF
        or code in (0x00A9, 0x00AE, 0x203C, 0x2049, 0x3030, 0x303D)
    )


def count_words(text: str) -> int:
    """Count words: white-space tokens that hold a letter or digit, plus half the Han and Kana, rounded up (SPEC §6.1).

    >>> count_words("在庫の出力は 18:00 まで")
    5
    """
    if text.isascii():
        return sum(token.isalnum() or any(map(str.isalnum, token)) for token in text.split())
    text = unicodedata.normalize("NFC", text)
    dense = sum(map(len, text.translate(RUNS).split()))
    return (dense + 1) // 2 + sum(any(map(str.isalnum, token)) for token in text.translate(_NOT_DENSE).split())


def first_sentence(body: str) -> str:
    """Return the body's first sentence on one line, cut to what an index line may hold."""
    line = next((row for row in (raw.strip("#*>- \t") for raw in body.splitlines()) if row), "")
    line = " ".join(line.split())
    ends = [at + 1 for at in map(line.find, "。！？") if at >= 0]
    ends += [at for at in map(line.find, (". ", "! ", "? ")) if at >= 0]
    return cut_words(line[: min(ends, default=len(line))].rstrip(".。 "), HOOK_WORDS, HOOK_CHARACTERS)


def cut_words(text: str, words: int, characters: int) -> str:
    """Return the longest start of at most so many words and characters, with ``…`` where something was left out."""
    if len(text) <= characters and ((text.isascii() and text.count(" ") < words) or count_words(text) <= words):
        return text
    text = text[:characters]
    while text and ((over := count_words(text) - words) > 0 or len(text) >= characters):
        shorter = text.rstrip().rpartition(" ")[0]
        text = shorter if len(shorter) > len(text) // 2 else text[: -max(1, 2 * over - 1)]
    return text.rstrip() + "…"
