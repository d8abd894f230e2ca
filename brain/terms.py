"""The terms that text is matched by: the same for memories and tickets, in any language.

Words in scripts that write spaces; pairs of characters in Han and Kana, which write none. A camelCase word is in whole
and in parts. A Vietnamese word is in with its marks, wherever the tone is placed, and without, as are its neighbours
in pairs: ``đơn hàng`` written ``don hang`` still matches, ``đơn hàng`` itself matches more.
"""

from __future__ import annotations

import re
import unicodedata
from operator import concat

from brain.text import strip_marks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from brain.memory import Memory

DENSE = "\u3005\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
"""Han and Kana after NFKC, as a character class."""
MAX_CAMEL = 64
"""Characters of a word that is looked at for camelCase; longer ones are hashes and the like."""
LATIN, CJK, VIETNAMESE = 0, 1, 2
"""Languages as far as a script shows them: each has its own best text match."""

_WORD = re.compile(rf"[^\W_{DENSE}]+")
_RUN = re.compile(f"[{DENSE}]+")
CAMEL = re.compile(r"[a-z0-9][A-Z]|[A-Z]{2}[a-z]")
CAMEL_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_VIETNAMESE = re.compile("[ăđơưĂĐƠƯ\u1ea0-\u1ef9]")
_TONES = [
    pair.split("/")
    for pair in "òa/oà óa/oá ỏa/oả õa/oã ọa/oạ òe/oè óe/oé ỏe/oẻ õe/oẽ ọe/oẹ ùy/uỳ úy/uý ủy/uỷ ũy/uỹ ụy/uỵ".split()
]
"""Both ways to place a tone: hòa and hoà are one word."""


def terms(text: str) -> list[str]:
    """Return the terms of ``text``; what stands in it twice is listed twice."""
    plain = text.isascii()
    if not plain:
        text = unicodedata.normalize("NFKC", text)
    written = _WORD.findall(text)
    words = "\n".join(written).lower().split("\n") if written else []
    found = _singular(words)
    for word in written:
        if not word.islower() and len(word) <= MAX_CAMEL and CAMEL.search(word):
            found += _singular([part.lower() for part in CAMEL_PART.findall(word)])
    if plain:
        return found
    if not "".join(words).isascii():
        found = _with_marks(found, words)
    for run in _RUN.findall(text):
        found += map(concat, run, run[1:]) if len(run) > 1 else run
    return found


def _singular(words: list[str]) -> list[str]:
    """Take off a plural s; where it is none, memories and tickets still agree."""
    return [word[:-1] if word[-1] == "s" and len(word) > 3 and word[-2] not in "su" else word for word in words]


def _with_marks(found: list[str], words: list[str]) -> list[str]:
    marked = "\n".join(words)
    folded = strip_marks(marked).split("\n")
    for old, new in _TONES:
        marked = marked.replace(old, new)
    return (
        [word for word in found if word.isascii()]
        + [word for word in marked.split("\n") if not word.isascii()]
        + [bare for word, bare in zip(words, folded, strict=True) if bare != word]
        + [f"{one} {two}" for one, two in zip(folded, folded[1:], strict=False)]
    )


def memory_text(memory: Memory) -> str:
    """Return what of a memory is matched: hook, body, tags, aliases."""
    return "\n".join((memory.hook, memory.body, " ".join(memory.tags), " ".join(memory.aliases)))


def language(text: str) -> int:
    """Return the language of a memory's text by its script."""
    if text.isascii():
        return LATIN
    if 8 * sum(map(len, _RUN.findall(text))) > len(text):
        return CJK
    return VIETNAMESE if 30 * len(_VIETNAMESE.findall(unicodedata.normalize("NFC", text))) > len(text) else LATIN
