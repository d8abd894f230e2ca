"""Text of any language: folding, counting words, first sentences. Nothing here assumes spaces or ASCII."""

from __future__ import annotations

import re
import unicodedata

HAN_KANA = (
    "\u3005-\u3007\u303b\u3041-\u3096\u309d\u309e\u30a1-\u30fa\u30fc-\u30fe\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uf900-\ufaff\uff66-\uff9d\U00020000-\U0003ffff"
)
"""Han and Kana as a regular expression's character class: scripts written without spaces."""
_HAN_KANA = re.compile(f"[{HAN_KANA}]")
_MARKS = re.compile("[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]+")
_INVISIBLE = re.compile(
    # C0 but tab and newline, DEL, C1; soft hyphen, joiners and directions, word joiner, fillers, BOM, tags,
    # variation selectors: nothing a reader sees, everything an attack hides in (SPEC §4.5).
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff0-\ufffb\U000e0000-\U000e0fff\ud800-\udfff]"
)
_SENTENCE_END = re.compile(r"(?<=[。！？])|(?<=[.!?])(?=\s)")
HOOK_WORDS = 15
HOOK_CHARACTERS = 120


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
    bare = _MARKS.sub("", unicodedata.normalize("NFD", text))
    return unicodedata.normalize("NFC", bare).replace("đ", "d").replace("Đ", "D")


def visible(text: str) -> str:
    """Return ``text`` in NFC without control, bidi, tag and other invisible characters; tabs and newlines stay."""
    if text.isascii() and text.isprintable():
        return text
    return unicodedata.normalize("NFC", _INVISIBLE.sub("", text.replace("\r\n", "\n").replace("\r", "\n")))


def count_words(text: str) -> int:
    """Count words: white-space tokens that hold a letter or digit, plus half the Han and Kana, rounded up (SPEC §6.1).

    >>> count_words("在庫の出力は 18:00 まで")
    6
    """
    text = unicodedata.normalize("NFC", text)
    dense = len(_HAN_KANA.findall(text))
    spaced = sum(1 for token in _HAN_KANA.sub(" ", text).split() if any(map(str.isalnum, token)))
    return spaced + (dense + 1) // 2


def first_sentence(body: str) -> str:
    """Return the body's first sentence on one line, cut to what an index line may hold."""
    line = next((row for row in (raw.strip("#*>- \t") for raw in body.splitlines()) if row), "")
    sentence = _SENTENCE_END.split(" ".join(line.split()), maxsplit=1)[0].rstrip(".。 ")
    return cut_words(sentence, HOOK_WORDS, HOOK_CHARACTERS)


def cut_words(text: str, words: int, characters: int) -> str:
    """Return the longest start of at most so many words and characters, with ``…`` where something was left out."""
    if count_words(text) <= words and len(text) <= characters:
        return text
    while text and (count_words(text) > words or len(text) >= characters):
        shorter = text.rstrip().rpartition(" ")[0]
        text = shorter if len(shorter) > len(text) // 2 else text[: len(text) * 7 // 8]
    return text.rstrip() + "…"
