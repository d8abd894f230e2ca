"""The terms that text is matched by: the same for memories and tickets, in any language.

Words in scripts that write spaces; pairs of characters in Han and Kana, which write none. A camelCase word is in whole
and in parts. A Vietnamese word is in with its marks, wherever the tone is placed, and without: ``don`` finds ``đơn``,
which itself matches more.
"""

from __future__ import annotations

import unicodedata

from brain.text import RUNS, WORDS, CharacterTable, strip_marks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from brain.memory import Memory

MAX_CAMEL = 64
"""Characters of a word that is looked at for camelCase; longer ones are hashes and the like."""
TELLING = 240
"""Characters at the start of a text that show its language."""
FIRST_DENSE = "\u3005"
LATIN, CJK, VIETNAMESE = LANGUAGES = range(3)
"""Languages as far as a script shows them: each has its own common words and its own best match."""
_CODE = CharacterTable(lambda code: code if code == 0x2D or WORDS[code] == code else " ")
_VIETNAMESE = frozenset("ăđơưĂĐƠƯ" + "".join(map(chr, range(0x1EA0, 0x1EFA))))
_TONES = [
    tuple(unicodedata.normalize("NFC", word) for word in (first + tone + second, first + second + tone))
    for first, second in ("oa", "oe", "uy")
    for tone in "\u0300\u0301\u0309\u0303\u0323"
]
"""Both ways to place a tone: hòa and hoà are one word."""


def terms(text: str) -> list[str]:
    """Return the terms of ``text``; what stands in it twice is listed twice."""
    plain = text.isascii()
    if not plain:
        text = unicodedata.normalize("NFKC", text)
    spaced = text.translate(WORDS)
    words = spaced.lower().split()
    found = _singular(words)
    written = spaced.split()
    if written != words:
        for word, lower in zip(written, words, strict=False):
            if word != lower and word[1:] != lower[1:]:
                found += _singular(camel_parts(word))
    if "-" in text or "_" in text:
        found += _joined_codes(text)
    if plain:
        return found
    if not spaced.isascii():
        found = _with_marks(found, words)
    for run in text.translate(RUNS).split() if max(text) >= FIRST_DENSE else ():
        found += map(str.__add__, run, run[1:]) if len(run) > 1 else run
    return found


def _joined_codes(text: str) -> list[str]:
    """Return codes as they are written without their hyphens: F-003 is f003, HTTP_429 is http429."""
    found = []
    for token in text.lower().replace("_", "-").translate(_CODE).split():
        code = token.strip("-")
        if "-" in code and not code.replace("-", "").isalpha():
            found.append(code.replace("-", ""))
    return found


def camel_parts(word: str) -> list[str]:
    """Return the parts of a camelCase word in lower case; none where it is not one.

    >>> camel_parts("parseHTTPHeader2")
    ['parse', 'http', 'header', '2']
    """
    if word.islower() or word.isupper() or word[1:].islower() or word.isdigit() or len(word) > MAX_CAMEL:
        return []
    parts, start = [], 0
    for at in range(1, len(word)):
        before, here, after = word[at - 1], word[at], word[at + 1 : at + 2]
        if (
            (here.isupper() and not before.isupper())
            or (here.isupper() and after.islower())
            or here.isdigit() != before.isdigit()
        ):
            parts.append(word[start:at].lower())
            start = at
    return [*parts, word[start:].lower()] if parts else []


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
    )


def memory_text(memory: Memory) -> str:
    """Return what of a memory is matched: hook, body, tags, aliases."""
    return "\n".join((memory.hook, memory.body, " ".join(memory.tags), " ".join(memory.aliases)))


def word_key(language_: int, term: str) -> str:
    """Return the key under which a segment keeps a term of the memories in one language."""
    return f"word{language_}:{term}"


def language(text: str) -> int:
    """Return the language of a memory's text by its script."""
    if text.isascii():
        return LATIN
    text = text[:TELLING]
    if 8 * sum(map(len, text.translate(RUNS).split())) > len(text):
        return CJK
    marked = sum(map(_VIETNAMESE.__contains__, unicodedata.normalize("NFC", text)))
    return VIETNAMESE if 30 * marked > len(text) else LATIN
