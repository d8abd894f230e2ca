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
BASE32 = Pattern(r"(?<![A-Za-z0-9])(?:[A-Z2-7]{16,}|[a-z2-7]{16,}|[0-9A-V]{16,})(?![A-Za-z0-9])={0,6}")
QUOTED_PRINTABLE = Pattern(r"(?:=[0-9A-F]{2}){6,}", "=")
CHARS = Pattern(r"(?:\b(?i:chr|char|fromcharcode)\(\s{0,2}[0-9]{2,3}\s{0,2}\)[ +.&,]{0,4}){6,}", "(")
BINARY = Pattern(r"(?<![0-9])(?:0[01]{7}[ ,]{0,2}|[01]{7}[ ,]{1,2}){8,}[01]{0,8}(?![0-9])", "01")
BRAILLE = Pattern("(?:[\u2801-\u28ff]{1,40}[ \n]?){4,}")
HEX = Pattern(r"(?:(?:0x|\\x)?[0-9a-fA-F]{2}[ ,:._\n]?){10,}")
DUMP = Pattern(r"(?m)(?:^[ \t>]*[0-9a-fA-F]{4,8}:?[ \t]{1,3}(?:[0-9a-fA-F]{2,4} ){2,16}[^\n]{0,20}\n?){1,400}", "000")
DUMPED = Pattern(r"(?m)^[ \t>]*[0-9a-fA-F]{4,8}:?[ \t]{1,3}((?:[0-9a-fA-F]{2,4} ){2,16})")
UUENCODED = Pattern(r"(?m)^begin [0-7]{3} [^\n]{1,60}\n((?:[ -`]{2,61}\n){1,400})", "begin ")
UTF7 = Pattern(r"(?:\+[A-Za-z0-9/]{3,400}-[^+\n]{0,40}){1,200}", "+A")
ASCII85 = Pattern(
    r"(?<!\S)(?=\S{0,60}[!#$%&*;<>?@^~`{|}=]\S{0,60}[!#$%&*;<>?@^~`{|}=])(?=\S{0,60}[0-9])(?=\S{0,60}[A-Z])(?:<~)?[!-~]{20,2000}(?!\S)",
    *"!#$%&*;<>?@^~`{|}=",
)
QUARTERS = Pattern(r"(?<!\S)(?:[A-Za-z0-9+/]{4} ){5,200}[A-Za-z0-9+/]{2,4}={0,2}(?!\S)")
MORSE = Pattern(r"(?<!\S)(?:[.-]{1,6}(?:[ \t]{1,3}(?:/[ \t])?)){9,400}[.-]{1,6}(?!\S)", " .-", " -.", " ..", " --")
PERCENT = Pattern(r"(?:%[0-9a-fA-F]{2}){6,}")
ESCAPED = Pattern(r"(?:\\(?:U0000)?u?00[0-7][0-9a-fA-F]|\\x[0-7][0-9a-fA-F]){6,}", "\\")
_SIGN = r"(?:0[xXoO]|\\x|\\u\{?|(?:\\N\{)?U\+|&#[xX]?|\\)?"
NUMBERS = Pattern(
    rf"(?<![\w.,-])(?:{_SIGN}[0-9A-Fa-f]{{2,4}}+(?:[ \n,:;}}\-/|]{{1,3}}+|(?=\\))){{9,}}+"
    rf"(?:{_SIGN}[0-9A-Fa-f]{{2,4}}(?![0-9A-Za-z]))?"
)
"""Nine numbers or more with anything between them."""
NUMBER = Pattern(r"[0-9A-Fa-f]{2,4}(?![0-9A-Za-z])")
SPACED = Pattern(r"(?<![^\W_])(?:[^\W_][ ._\-·*/|,]{1,3}+){9,}+[^\W_]?")
BETWEEN = Pattern(r"[ ._\-·*/|,]")
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
_ORDERED = ("instruction", "prompt", "ignore", "disregard")
BASE58 = {sign: number for number, sign in enumerate("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz")}
LONGEST_BASE58 = 200
PARTED_WORDS = ("ignore", "instruction", "disregard", "bo qua", "system prompt")
"""Words of orders that somebody may part with signs."""
BESIDE = 80
"""Characters beside spaced letters that are read with them."""
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
        beside = text[max(0, match.start() - BESIDE) : match.start()], text[match.end() : match.end() + BESIDE]
        yield Piece(BETWEEN.sub("", match[0][:LONGEST_SPACED]).join(beside), match.start(), "spaced letters")
    for sign in "-.":
        bare = text.replace(sign, "")
        if any(word in bare and word not in text for word in PARTED_WORDS):
            yield Piece(bare, 0, f"words with {sign} within")
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
        yield from _base58(code)


def _base58(code: str) -> Iterator[bytes]:
    if len(code) <= LONGEST_BASE58 and set(code) <= BASE58.keys():
        number = 0
        for letter in code:
            number = number * 58 + BASE58[letter]
        yield number.to_bytes(len(code), "big").lstrip(b"\0")


def _quarters(code: str) -> Iterator[bytes]:
    yield from _base64(code.replace(" ", ""))


def _ascii85(code: str) -> Iterator[bytes]:
    """Yield what five signs for four bytes say, in both alphabets."""
    from base64 import a85decode, b85decode  # hardly any text needs it

    for decode, text in ((a85decode, code.removeprefix("<~").removesuffix("~>")), (b85decode, code)):
        try:
            yield decode(text)
        except ValueError:
            continue


def _uuencoded(code: str) -> Iterator[bytes]:
    try:
        yield b"".join(binascii.a2b_uu(line) for line in code.split("\n")[1:] if line)
    except binascii.Error:
        return


def _utf7(code: str) -> Iterator[bytes]:
    yield code.encode("ascii", "ignore").decode("utf-7", "ignore").encode("utf-8", "ignore")


def _morse(code: str) -> Iterator[bytes]:
    words = (word.split() for word in code.split("/"))
    yield " ".join("".join(MORSE_LETTERS.get(letter, "?") for letter in word) for word in words).encode()


def _unpacked(data: bytes) -> bytes:
    """Return what zlib or gzip packed, as far as it goes; a bomb is cut."""
    from zlib import decompressobj, error  # hardly any text needs it

    try:
        return decompressobj(47).decompress(data, MOST_BYTES)
    except error:
        return data


def _base32(code: str) -> Iterator[bytes]:
    """Yield what five bits a letter say, in both alphabets: a module that decodes would be loaded for this alone."""
    letters = code.rstrip("=").upper()
    for alphabet in (_UP + "234567", "0123456789" + _UP[:22]):
        if set(letters) <= set(alphabet):
            bits = "".join(f"{alphabet.index(letter):05b}" for letter in letters)
            yield int(bits[: len(bits) // 8 * 8], 2).to_bytes(len(bits) // 8, "big")


def _braille(code: str) -> Iterator[bytes]:
    """Yield the letters of braille: the first ten, those with a third row, those with two dots there, and w."""
    yield code.translate(BRAILLE_LETTERS).encode()


def _binary(code: str) -> Iterator[bytes]:
    yield bytes(int(digits, 2) for digits in re.findall("(?<![01])[01]{7}(?![01])|[01]{8}", code))


def _chars(code: str) -> Iterator[bytes]:
    yield "".join(chr(int(digits)) for digits in re.findall("[0-9]+", code)).encode()


def _hex(code: str) -> Iterator[bytes]:
    rows = DUMPED.compiled.findall(code)
    for text in (code, *(["".join(rows)] if rows else ())):  # what stands first in a row is its offset, or is not
        digits = re.sub(r"0x|\\x|[ ,:._\n]", "", text)
        if not digits.strip("0123456789abcdefABCDEF"):
            yield bytes.fromhex(digits[: len(digits) // 2 * 2])


def _percent(code: str) -> Iterator[bytes]:
    yield bytes.fromhex(code.replace("%", "").replace("=", ""))


def _escapes(code: str) -> Iterator[bytes]:
    yield bytes.fromhex(re.sub(r"\\U0{6}|\\u00|\\x", "", code))


def _numbers(code: str) -> Iterator[bytes]:
    """Yield what numbers say in each radix in which all of them are characters."""
    numbers = NUMBER.compiled.findall(code)
    for radix, digits in ((10, "0123456789"), (8, "01234567"), (16, "0123456789abcdefABCDEF")):
        if all(set(number) <= set(digits) for number in numbers):
            codes = [int(number, radix) for number in numbers]
            if all(9 <= code < 0xD800 for code in codes):
                yield "".join(map(chr, codes)).encode()


MORSE_LETTERS = dict(
    zip(
        ".- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --.."
        " ----- .---- ..--- ...-- ....- ..... -.... --... ---.. ----. -....-".split(),
        _LOW + "0123456789-", strict=True,
    )
)  # fmt: skip
BRAILLE_LETTERS = str.maketrans("⠁⠃⠉⠙⠑⠋⠛⠓⠊⠚⠅⠇⠍⠝⠕⠏⠟⠗⠎⠞⠥⠧⠺⠭⠽⠵⠤", "abcdefghijklmnopqrstuvwxyz-")
_DECODERS = {
    "base64": _base64, "hex": _hex, "percent signs": _percent, "escapes": _escapes, "numbers": _numbers,
    "base32": _base32, "quoted-printable": _percent, "characters by number": _chars, "ones and zeros": _binary,
    "braille": _braille, "dump of bytes": _hex, "uuencoding": _uuencoded, "UTF-7": _utf7, "base85": _ascii85,
    "base64 in groups": _quarters, "Morse code": _morse,
}  # fmt: skip
CODINGS = (
    (RUN, "base64"), (BASE32, "base32"), (HEX, "hex"), (PERCENT, "percent signs"), (ESCAPED, "escapes"),
    (NUMBERS, "numbers"), (QUOTED_PRINTABLE, "quoted-printable"), (CHARS, "characters by number"),
    (BINARY, "ones and zeros"), (BRAILLE, "braille"), (DUMP, "dump of bytes"), (UUENCODED, "uuencoding"),
    (UTF7, "UTF-7"), (ASCII85, "base85"), (QUARTERS, "base64 in groups"), (MORSE, "Morse code"),
)  # fmt: skip


def _as_text(data: bytes) -> str:
    """Return bytes as text, "" where they are hardly any."""
    if len(data) < 8:
        return ""
    if data.count(0) * 3 > len(data):  # UTF-16: every other byte of plain text is none
        data = data.decode("utf-16-be" if data[0] == 0 else "utf-16-le", "ignore").encode("utf-8", "ignore")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        text = data[: error.start].decode("utf-8")
        if len(text) < 12 or error.start < len(data) - 3:
            return ""
    odd = sum(not (character.isprintable() or character in "\n\t\r") for character in text)
    return text if odd * 10 <= len(text) else ""
