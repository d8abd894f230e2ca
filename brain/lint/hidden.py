"""Characters that nobody sees, that turn text around, or that look like others (lint/facts.md §4).

What is harmless stays quiet: emoji families and flags, keycaps, ideographic variants of a Han character, joiners in
Indic and Arabic words, marks beside right-to-left letters.
"""

from __future__ import annotations

import unicodedata

from brain.lint.finding import ERROR, WARNING, Rule
from brain.lint.folded import position
from brain.lint.pattern import Pattern
from brain.text import is_dense, is_emoji

TYPE_CHECKING = False
if TYPE_CHECKING:
    from brain.lint.finding import Sheet

HIDDEN = Rule(
    "M600", "hidden-character", ERROR, "a character that nobody sees, or that turns the direction of text",
    "What a reviewer is shown is then another text than what an assistant reads, and no scan finds "
"the words it splits.",
    "take it out",
)  # fmt: skip
CONTROL = Rule(
    "M601", "control-character", ERROR, "a control character",
    "A terminal obeys it: it hides text, moves the cursor, or turns a link elsewhere.", "take it out",
)  # fmt: skip
LOOK_ALIKE = Rule(
    "M602", "look-alike-letter", ERROR, "a word with a letter of another script that looks Latin",
    "It names another package, host or person than it seems to.", "write it in one script",
)  # fmt: skip
LOOK_ALIKE_WORD = Rule(
    "M603", "look-alike-word", WARNING, "a word of another script that looks Latin",
    "It names another package, host or person than it seems to.", "write it in Latin letters if it is meant so",
)  # fmt: skip
STYLED = Rule(
    "M604", "styled-letters", ERROR, "mathematical or other styled letters",
    "They read as words and are found by no search.", "write plain letters",
)  # fmt: skip
PRIVATE_USE = Rule(
    "M605", "private-use-character", WARNING, "a private use character",
    "Hosts drop it or show something of their own: what is reviewed and what is read differ.", "take it out",
)  # fmt: skip
MANY_MARKS = Rule(
    "M606", "many-marks", WARNING, "a letter with many marks", "It hides the lines around it.", "take the marks off",
)  # fmt: skip

OTHER_ALPHABET = Rule(
    "M607", "other-alphabet", WARNING, "letters for touch or signals (braille, flags)",
    "They spell words that people do not read and no search finds.", "write plain letters, or put it in `code`",
)  # fmt: skip

SUSPECT = Pattern(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\u2800\u3164\ufdd0-\ufdef\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffc\ufffe\uffff\ue000-"
    "\uf8ff\ud800-\udfff"
    "\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d159\U0001d173-\U0001d17a\U000e0000-\U000e0fff\U000f0000-\U0010ffff]"
)
MARKS_BESIDE = frozenset((*range(0x600, 0x606), 0x61C, 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x200E, 0x200F))
LATIN_MARK = Pattern("[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f\u3099\u309a]")
"""Marks that are drawn over a Latin letter."""
BLANKS = Pattern("[\u2000-\u200a\u202f\u205f]{4,}")
MOST_VARIANTS, MOST_SELECTORS = 3, 8
"""Ideographic selectors of a text: different ones, and in all; more of them spell something out."""
LAST_VARIANT = 0xE010F
"""No character in use has more variants (Unicode IVD 2022)."""
FLAGS = ("gbeng", "gbsct", "gbwls")
"""Tag sequences of real flags: England, Scotland, Wales (Unicode emoji 16, emoji-sequences.txt)."""
SCRIPTS = Pattern(
    "[\u0131\u0370-\u03ff\u0400-\u052f\u0531-\u058f\u13a0-\u13ff\uab70-\uabbf\u1d00-\u1d2b\u0250-\u02af\u2c80-\u2cff\ua4d0-\ua4ff]"
)
WORD = Pattern(r"[^\W\d_]+(?:[\d_]+[^\W\d_]+)*")
LOOKS_LATIN = frozenset(
    # Cyrillic, Greek and Armenian letters whose usual form is a Latin letter's (Unicode confusables.txt 16)
    "аеорсухіјѕһԁԛԝԍѵӏцқҝԀАВЕЅІЈКМНОРСТУХҮԚԜΑΒΕΖΗΙΚΜΝΟΡΤΥΧοουνϲϳΙօոսցհզՏՕՍɡɑɩ"
    # Coptic letters, and small capitals of which some are just small letters
    "ⲀⲁⲂⲈⲉⲎⲒⲓⲔⲕⲘⲚⲞⲟⲢⲣⲤⲥⲦⲬⲭⲨⲩᴄᴏᴘᴠᴡᴢ"
)
WHOLLY_FOREIGN = Pattern("[\u13a0-\u13ff\uab70-\uabbf\ua4d0-\ua4ff]")
"""Cherokee and Lisu, which nobody mixes with Latin in one word."""
TURKISH = Pattern("[ğşİĞŞəƏ]")
"""Letters of the languages that have a dotless i."""
ROMAN = Pattern("[\u2160-\u217f](?=[A-Za-z])|(?<=[A-Za-z])[\u2170-\u217f]")
DRESSED = Pattern("[\U0001d400-\U0001d7cb](?=[A-Za-z]{2})|(?<=[A-Za-z]{2})[\U0001d400-\U0001d7cb](?=[A-Za-z])")
"""A styled letter within a word of plain ones."""
LOOKS_KANA = Pattern("(?<=[ァ-ヴー])(?:[口力卜工]|[一二](?![カケヵヶか]))(?=[ァ-ヴー])")
"""Han that looks like Katakana, between Katakana."""
LOOKS_NEARLY = frozenset("αγηικρτχωάέίόύвгкмнтѡє")
STYLED_LETTERS = Pattern(
    "[\U0001d400-\U0001d7cb\u24b6-\u24e9\U0001f110-\U0001f12b\U0001f130-\U0001f149\U0001f150-\U0001f169\U0001f170-\U0001f189\u249c-\u24b5]{3,}"
    "|[\u1d00-\u1d6a\u1d9b-\u1dbf\u02b0-\u02b8\u02e0-\u02e4\u2071\u207f\u2090-\u209c\u0262\u026a\u0274\u0280\u028f\u0299\u029c\u029f"
    "\ua730\ua731]{4,}"
)
"""Letters in other clothes, and small or raised ones."""
SIGNALS = Pattern(
    "[\u2801-\u28ff]{3,}|(?:(?<![\U0001f1e6-\U0001f1ff])[\U0001f1e6-\U0001f1ff][ \u200b]{1,2}){2,}"
    "[\U0001f1e6-\U0001f1ff](?![\U0001f1e6-\U0001f1ff])"
)
STACKED = Pattern("[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]{4,}")


def scan_hidden(text: str, sheet: Sheet, line: int = 1, column: int = 1, *, where: str = "") -> None:
    """Report the characters of ``text``, which stands in the file at ``line`` and ``column``.

    ``where`` names a decoded value, whose characters do not stand in the file as they are.
    """
    if text.isascii() and text.replace("\n", "").replace("\t", "").isprintable():
        return
    reported: set[tuple[str, int]] = set()
    row = done = 0
    for match in SUSPECT.finditer(text):
        rule = _judge(text, match.start())
        if rule is None or sheet.is_full(rule):
            continue
        row, done = row + text.count("\n", done, match.start()), match.start()
        if (rule.code, row) not in reported:  # one a line says enough
            reported.add((rule.code, row))
            at = (line, column) if where else _at(text, match.start(), line, column)
            sheet.add(rule, *at, f"{where}{_name(match[0])}", subject=_context(text, match.start()))
    if not text.isascii():
        _scan_strays(text, sheet, line, column)
        _scan_letters(text, sheet, line, column)
        _scan_variants(text, sheet, line, column)


def _scan_strays(text: str, sheet: Sheet, line: int, column: int) -> None:
    """Report marks of other scripts behind a Latin letter, which nothing draws, and blanks of two widths in a row."""
    strays = {sign for sign in set(text) if not sign.isascii() and _is_stray(sign)}
    for at in (at for at, sign in enumerate(text) if sign in strays) if strays else ():
        if at and text[at - 1].isascii() and text[at - 1].isalnum() and not sheet.is_full(HIDDEN):
            sheet.add(HIDDEN, *_at(text, at, line, column), _name(text[at]), subject=_context(text, at))
    for match in BLANKS.finditer(text):
        if len(set(match[0])) > 1:
            sheet.add(HIDDEN, *_at(text, match.start(), line, column), "blanks of two widths", subject=match[0])
            break


def _is_stray(sign: str) -> bool:
    category = unicodedata.category(sign)
    if category == "Cn":
        return not (is_emoji(sign) or is_dense(ord(sign)))
    return category in ("Mn", "Mc", "Me") and LATIN_MARK.match(sign) is None and not _is_selector(sign)


def _scan_variants(text: str, sheet: Sheet, line: int, column: int) -> None:
    """Report ideographic selectors, each of which may have its place, where there are too many."""
    found = [match for match in SUSPECT.finditer(text) if 0xE0100 <= ord(match[0]) <= LAST_VARIANT]
    drawn = [match for match in SUSPECT.finditer(text) if match[0] in "\ufe0e\ufe0f"]
    both = min(sum(match[0] == sign for match in drawn) for sign in "\ufe0e\ufe0f")
    if len(found) > MOST_SELECTORS or len({match[0] for match in found}) > MOST_VARIANTS or both > MOST_VARIANTS:
        at = _at(text, (found or drawn)[0].start(), line, column)
        sheet.add(HIDDEN, *at, f"{len(found or drawn)} variation selectors", subject="selectors")


def _at(text: str, offset: int, line: int, column: int) -> tuple[int, int]:
    row, col = position(text, offset)
    return line + row - 1, col + (column - 1 if row == 1 else 0)


def _name(character: str) -> str:
    return f"U+{ord(character):04X} {unicodedata.name(character, 'control character').lower()}"


def _context(text: str, at: int) -> str:
    return text[max(0, at - 12) : at + 12]


def _judge(text: str, at: int) -> Rule | None:
    """Return the rule that a suspect character breaks, None where it has its place."""
    code = ord(text[at])
    if code < 0x20 or 0x7F <= code <= 0x9F:
        return CONTROL
    if 0xE000 <= code <= 0xF8FF or (0xF0000 <= code <= 0x10FFFF and code & 0xFFFE != 0xFFFE):
        return PRIVATE_USE
    return None if _has_its_place(code, text, at) else HIDDEN


def _has_its_place(code: int, text: str, at: int) -> bool:
    before, after = text[at - 1 : at] if at else "", text[at + 1 : at + 2]
    if code in MARKS_BESIDE:
        return _is_rtl(before) or _is_rtl(after)
    if code in (0x200C, 0x200D):
        return _may_join(before, after, text, at)
    if 0xFE00 <= code <= 0xFE0F:
        return _may_vary(code, before)
    if 0xE0100 <= code <= 0xE01EF:
        return code <= LAST_VARIANT and before != "" and is_dense(ord(before)) and not _is_selector(after)
    if 0xE0000 <= code <= 0xE0FFF:
        return _in_flag(text, at)
    mongolian = 0x180B <= code <= 0x180D or code == 0x180F
    return mongolian and before != "" and 0x1820 <= ord(before) <= 0x18AF


def _is_rtl(character: str) -> bool:
    return bool(character) and unicodedata.bidirectional(character) in ("R", "AL")


def _may_join(before: str, after: str, text: str, at: int) -> bool:
    """Say whether a joiner has its place: between emoji, or in an Indic or Arabic word."""
    if not before or not after:
        return False
    if before == "\ufe0f":
        before = text[at - 2 : at - 1]
    if is_emoji(before) and is_emoji(after):
        return True
    code = ord(before)
    indic = 0x900 <= code <= 0xDFF or 0x1000 <= code <= 0x109F or 0x1780 <= code <= 0x17FF
    arabic = 0x600 <= code <= 0x6FF or 0xFB50 <= code <= 0xFEFF
    return (indic or arabic) and unicodedata.category(after)[0] in "LM"


def _may_vary(code: int, before: str) -> bool:
    base = ord(before) if before else 0
    named = is_emoji(before) or before in "0123456789#*" or base in (0x3297, 0x3299, 0x2122, 0x2139)
    return code in (0xFE0E, 0xFE0F) and named


def _is_selector(character: str) -> bool:
    return bool(character) and (0xE0100 <= ord(character) <= 0xE01EF or 0xFE00 <= ord(character) <= 0xFE0F)


def _in_flag(text: str, at: int) -> bool:
    start = text.rfind("\U0001f3f4", max(0, at - 8), at)
    if start < 0:
        return False
    end = start + 1
    while end < len(text) and 0xE0020 <= ord(text[end]) <= 0xE007F:
        end += 1
    tags = "".join(chr(ord(sign) - 0xE0000) for sign in text[start + 1 : end])
    return tags in [flag + "\x7f" for flag in FLAGS]


def _scan_letters(text: str, sheet: Sheet, line: int, column: int) -> None:
    if SCRIPTS.search(text):
        for match in WORD.finditer(text):
            word = match[0]
            if not word.isascii() and SCRIPTS.search(word) and not sheet.is_full(LOOK_ALIKE):
                _judge_word(word, _at(text, match.start(), line, column), text, sheet)
    for match in ROMAN.finditer(text):
        sheet.add(LOOK_ALIKE, *_at(text, match.start(), line, column), f"{_name(match[0])} within a word")
    for match in DRESSED.finditer(text):
        sheet.add(LOOK_ALIKE_WORD, *_at(text, match.start(), line, column), f"{_name(match[0])} within a word")
    for match in LOOKS_KANA.finditer(text):
        sheet.add(LOOK_ALIKE_WORD, *_at(text, match.start(), line, column), f"{_name(match[0])} between Katakana")
    for match in STYLED_LETTERS.finditer(text):
        plain = unicodedata.normalize("NFKC", match[0])[:40]
        sheet.add(STYLED, *_at(text, match.start(), line, column), f"styled letters that read {plain!r}", subject=plain)
    for match in SIGNALS.finditer(text):
        sheet.add(OTHER_ALPHABET, *_at(text, match.start(), line, column), subject=match[0])
    for match in STACKED.finditer(unicodedata.normalize("NFC", text)):
        sheet.add(MANY_MARKS, *_at(text, min(match.start(), len(text) - 1), line, column))


def _judge_word(word: str, at: tuple[int, int], text: str, sheet: Sheet) -> None:
    latin = sum(letter.isascii() and letter.isalpha() for letter in word)
    foreign = [letter for letter in word if not letter.isascii() and SCRIPTS.match(letter)]
    alike = [letter for letter in foreign if letter in LOOKS_LATIN or WHOLLY_FOREIGN.match(letter)]
    if "ı" in foreign and not TURKISH.search(text):
        alike.append("ı")
    shown = f"the word {ascii(word)[1:-1][:60]}"
    if latin and alike:
        sheet.add(LOOK_ALIKE, *at, f"{shown} mixes Latin with {_name(alike[0])}", subject=word)
    elif latin > 2 and foreign and all(letter in LOOKS_NEARLY for letter in foreign):
        sheet.add(LOOK_ALIKE_WORD, *at, f"{shown} mixes Latin with {_name(foreign[0])}", subject=word)
    elif not latin and len(word) > 2 and len(alike) == len(word) and not _has_own_script(word, text):
        sheet.add(LOOK_ALIKE_WORD, *at, f"{shown} looks Latin, and is not", subject=word)


def _has_own_script(word: str, text: str) -> bool:
    """Say whether other words of the text are plainly in the script of ``word``."""
    low, high = (0x370, 0x3FF) if ord(word[0]) < 0x400 else (0x400, 0x52F)
    return any(low <= ord(letter) <= high and letter not in LOOKS_LATIN for letter in text)
