"""Text that hides in base64, base32, hex, numbers, moved letters or backwards: what it says, and where it stands."""

from __future__ import annotations

import binascii
import re

from brain.lint.pattern import Pattern
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_BYTES = 32768
MOST_PIECES = 200
PACKED = (b"x\x01", b"x\x9c", b"x\xda", b"x^", b"\x1f\x8b")
"""How zlib and gzip begin."""
LONGEST_SPACED = 4000
RUN = Pattern(r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{16,}={0,2}(?:\n[ \t]*[A-Za-z0-9+/_-]{4,}={0,2}(?![^\n]))*")
BASE32 = Pattern(r"(?<![A-Za-z0-9])(?:[A-Z2-7]{16,}|[a-z2-7]{16,})(?![A-Za-z0-9])={0,6}")
QUOTED_PRINTABLE = Pattern(r"(?:=[0-9A-F]{2}){6,}", "=")
CHARS = Pattern(r"(?:\b(?i:chr|char|fromcharcode)\(\s{0,2}[0-9]{2,3}\s{0,2}\)[ +.&,]{0,4}){6,}", "(")
BINARY = Pattern(r"(?<![0-9])(?:0[01]{7}[ ,]{0,2}){8,}(?![0-9])", "01")
BRAILLE = Pattern("(?:[\u2801-\u28ff]{1,40}[ \n]?){4,}")
HEX = Pattern(r"(?:(?:0x|\\x)?[0-9a-fA-F]{2}[ ,:]?){10,}")
PERCENT = Pattern(r"(?:%[0-9a-fA-F]{2}){6,}")
ESCAPED = Pattern(r"(?:\\u00[0-7][0-9a-fA-F]|\\x[0-7][0-9a-fA-F]){6,}")
_SIGN = r"(?:0[xXoO]|\\x|\\u\{?|U\+|&#[xX]?|\\)?"
NUMBERS = Pattern(
    rf"(?<![\w.,-])(?:{_SIGN}[0-9A-Fa-f]{{2,4}}+(?:[ ,:;}}\-/|]{{1,3}}+|(?=\\))){{9,}}+"
    rf"(?:{_SIGN}[0-9A-Fa-f]{{2,4}}(?![0-9A-Za-z]))?"
)
"""Nine numbers or more with anything between them."""
NUMBER = Pattern(r"[0-9A-Fa-f]{2,4}(?![0-9A-Za-z])")
SPACED = Pattern(r"(?<![^\W_])(?:[^\W_][ ._\-·*]{1,3}+){9,}+[^\W_]?")
BETWEEN = Pattern(r"[ ._\-·*]")
LEET = str.maketrans({"0": "o", "1": "i", "3": "e", "4": "a", "5": "s", "7": "t", "@": "a", "$": "s", "!": "i"})
LEET_WORDS = (
    "ignor",
    "instruct",
    "prompt",
    "forget",
    "disregard",
    "overrid",
    "system",
    "restrict",
    "reveal",
    "guideline",
    "rules",
)
_LOW, _UP = "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
SHIFTS = {
    "rot13" if by == 13 else f"letters moved by {26 - by}":
    str.maketrans(_LOW + _UP, _LOW[by:] + _LOW[:by] + _UP[by:] + _UP[:by])
    for by in range(1, 26)
}  # fmt: skip
"""What undoes letters that were moved along the alphabet, by its name."""
SHIFTS["letters mirrored"] = str.maketrans(_LOW + _UP, _LOW[::-1] + _UP[::-1])
_ORDERED = ("instruction", "prompt", "ignore")
SHIFTED_WORDS = {
    name: tuple(word.translate({new: old for old, new in table.items()}) for word in _ORDERED)
    for name, table in SHIFTS.items()
}  # fmt: skip
"""Name → how words of orders look when their letters were moved so."""


@value
class Piece:
    """A text that was decoded, offset and length of its code in the text around it, and how it was coded."""

    text: str
    offset: int
    coding: str
    length: int = 0


def decoded_pieces(text: str) -> Iterator[Piece]:
    """Yield what base64, hex and percent codes in ``text`` say, as far as that is text."""
    left = MOST_PIECES
    for pattern, coding in CODINGS:
        for match in pattern.finditer(text):
            left -= 1
            if left < 0:
                return
            for data in _DECODERS[coding](match[0][: MOST_BYTES * 2]):
                plain = _as_text(data)
                if plain:
                    yield Piece(plain, match.start(), coding, len(match[0]))
                    break


def disguised(text: str) -> Iterator[Piece]:
    """Yield ``text``, in lower case, with disguises of single letters taken off: leet, spaced out, rot13, backwards."""
    undone = text.translate(LEET)
    if undone != text and any(undone.count(word) > text.count(word) for word in LEET_WORDS):
        yield Piece(re.sub(r"[\w@$!]+", lambda word: _unleet(word[0]), text), 0, "digits for letters")
    for match in SPACED.finditer(text):
        yield Piece(BETWEEN.sub("", match[0][:LONGEST_SPACED]), match.start(), "spaced letters")
    for name, words in SHIFTED_WORDS.items():
        if any(word in text for word in words):
            yield Piece(text.translate(SHIFTS[name]), 0, name)
    if "snoitcurtsni" in text or "tpmorp" in text or "erongi" in text:
        yield Piece(text[::-1], 0, "backwards")


def _unleet(word: str) -> str:
    letters = sum(map(str.isalpha, word))
    return word.translate(LEET) if letters >= len(word) - letters else word


def _base64(code: str) -> Iterator[bytes]:
    lines = code.split("\n")
    joined = "".join(line.strip() for line in lines)
    for run in [joined, *(lines if len(lines) > 1 else ())]:
        clean = run.strip().rstrip("=").replace("-", "+").replace("_", "/")
        clean = clean[: len(clean) - (len(clean) % 4 == 1)]
        try:
            data = binascii.a2b_base64(clean + "=" * (-len(clean) % 4))
        except ValueError:
            continue
        yield _unpacked(data) if data[:2] in PACKED else data
    if "\n" not in code:
        backwards = code.strip("=")[::-1].replace("-", "+").replace("_", "/")
        if len(backwards) % 4 != 1:
            yield binascii.a2b_base64(backwards + "=" * (-len(backwards) % 4))


def _unpacked(data: bytes) -> bytes:
    """Return what zlib or gzip packed, as far as it goes; a bomb is cut."""
    from zlib import decompressobj, error  # hardly any text needs it

    try:
        return decompressobj(47).decompress(data, MOST_BYTES)
    except error:
        return data


def _base32(code: str) -> Iterator[bytes]:
    """Yield what five bits a letter say; written out, for a module to decode it would be loaded for this alone."""
    letters, data = code.rstrip("=").upper(), bytearray()
    for start in range(0, len(letters), 8):
        group, number = letters[start : start + 8], 0
        for letter in group:
            number = number << 5 | (ord(letter) - 65 if letter >= "A" else ord(letter) - 24)
        data += (number >> len(group) * 5 % 8).to_bytes(len(group) * 5 // 8, "big")
    yield bytes(data)


def _braille(code: str) -> Iterator[bytes]:
    """Yield the letters of braille: the first ten, those with a third row, those with two dots there, and w."""
    yield code.translate(BRAILLE_LETTERS).encode()


def _binary(code: str) -> Iterator[bytes]:
    yield bytes(int(digits, 2) for digits in re.findall("[01]{8}", code))


def _chars(code: str) -> Iterator[bytes]:
    yield "".join(chr(int(digits)) for digits in re.findall("[0-9]+", code)).encode()


def _hex(code: str) -> Iterator[bytes]:
    digits = re.sub(r"0x|\\x|[ ,:]", "", code)
    yield bytes.fromhex(digits[: len(digits) // 2 * 2])


def _percent(code: str) -> Iterator[bytes]:
    yield bytes.fromhex(code.replace("%", "").replace("=", ""))


def _escapes(code: str) -> Iterator[bytes]:
    yield bytes.fromhex(re.sub(r"\\u00|\\x", "", code))


def _numbers(code: str) -> Iterator[bytes]:
    """Yield what numbers say in each radix in which all of them are characters."""
    numbers = NUMBER.compiled.findall(code)
    for radix, digits in ((10, "0123456789"), (8, "01234567"), (16, "0123456789abcdefABCDEF")):
        if all(set(number) <= set(digits) for number in numbers):
            codes = [int(number, radix) for number in numbers]
            if all(9 <= code < 0xD800 for code in codes):
                yield "".join(map(chr, codes)).encode()


BRAILLE_LETTERS = str.maketrans("⠁⠃⠉⠙⠑⠋⠛⠓⠊⠚⠅⠇⠍⠝⠕⠏⠟⠗⠎⠞⠥⠧⠺⠭⠽⠵⠤", "abcdefghijklmnopqrstuvwxyz-")
_DECODERS = {
    "base64": _base64, "hex": _hex, "percent signs": _percent, "escapes": _escapes, "numbers": _numbers,
    "base32": _base32, "quoted-printable": _percent, "characters by number": _chars, "ones and zeros": _binary,
    "braille": _braille,
}  # fmt: skip
CODINGS = (
    (RUN, "base64"), (BASE32, "base32"), (HEX, "hex"), (PERCENT, "percent signs"), (ESCAPED, "escapes"),
    (NUMBERS, "numbers"), (QUOTED_PRINTABLE, "quoted-printable"), (CHARS, "characters by number"),
    (BINARY, "ones and zeros"), (BRAILLE, "braille"),
)  # fmt: skip


def _as_text(data: bytes) -> str:
    """Return bytes as text, "" where they are hardly any."""
    if len(data) < 8:
        return ""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        text = data[: error.start].decode("utf-8")
        if len(text) < 12 or error.start < len(data) - 3:
            return ""
    odd = sum(not (character.isprintable() or character in "\n\t\r") for character in text)
    return text if odd * 10 <= len(text) else ""
