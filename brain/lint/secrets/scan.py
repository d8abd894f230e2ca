"""Find secrets in a folded text and report them, never whole (lint/facts.md §2)."""

from __future__ import annotations

import re
from itertools import islice

from brain.lint.decoded import SHIFTS, SPACED, decoded_pieces
from brain.lint.finding import ERROR, WARNING, Rule
from brain.lint.pattern import Pattern
from brain.lint.secrets.context import PUBLIC_WORDS, find_in_context
from brain.lint.secrets.pieces import CONCATENATED, LISTED, columns, find_cut, joined, ladders
from brain.lint.secrets.places import find_in_places
from brain.lint.secrets.shapes import ISSUED_ANYWHERE, NAMES_OF_IDS, is_random_tail
from brain.lint.secrets.tokens import HINTS, is_token
from brain.text import strip_marks
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from brain.lint.finding import Sheet
    from brain.lint.folded import Folded
    from brain.lint.secrets.tokens import Row

MAX_LAYERS = 6
"""Layers of base64 that are looked into."""
LONG_RUN = Pattern(r"[A-Za-z0-9_./+:=~-]{16,}")
LONG_HINTS = tuple(hint for hint, _ in HINTS if len(hint) > 2)
"""What of a text can be a token in disguise, and what stands in one: to turn all of every text would take longer."""
ONE_ESCAPED = Pattern(
    r"\\u\{?(?:0{0,2})([2-7][0-9a-fA-F])\}?|\\x([2-7][0-9a-fA-F])|=([2-7][0-9A-F])|\\(1[0-7]{2}|0[4-7][0-7])"
)
LONE = Pattern(r"(?<![A-Za-z0-9_+/.%&#@-])[A-Za-z0-9]{32,128}(?![A-Za-z0-9_+/@-])")
"""Letters and digits that belong to no path, address or longer name."""
LONE_NEAR = 40
"""Characters before one in which a word says that all may know it."""
BREAKS = Pattern(r"\\(?:[nrt]|u00(?:[0-2][0-9a-fA-F]|3[a-fA-F]|60)|x(?:[0-2][0-9a-fA-F]|3[a-fA-F]))", "\\")
"""A line break, a blank or a sign as a program writes it: the letter in it is none of the word behind."""
BESIDE_DASH = Pattern(r" (?=- )|(?<= -) ", " - ")
HEAD = 80
"""Characters of a line before coded text that it is read behind."""
MOST_IN_PROSE = 200
"""Values in prose after which a text has said enough."""
_MEND = "take it out, and change it where it is used: git's history keeps what was pushed"

SECRET_TOKEN = Rule(
    "M400", "secret-token", ERROR, "a token of a service", "Whoever can read the repo can use it.", _MEND,
)  # fmt: skip
SECRET_PLACE = Rule(
    "M401", "secret-in-place", ERROR, "a private key, or a password in an address, header or command",
    "Whoever can read the repo can use it.", _MEND,
)  # fmt: skip
SECRET_VALUE = Rule(
    "M402", "secret-value", ERROR, "a password or key", "Whoever can read the repo can use it.",
    _MEND + "; say where it is kept instead",
)  # fmt: skip
SECRET_ENCODED = Rule(
    "M403", "secret-encoded", ERROR, "a secret in base64 or another code",
    "Coding hides it from a glance, from nobody else.", _MEND,
)  # fmt: skip
SECRET_MAYBE = Rule(
    "M404", "secret-maybe", WARNING, "this looks like a password or key, though no word says so",
    "Whoever can read the repo could use it.",
    "if it is one, take it out and change it; else say what it is, or write <value>",
)  # fmt: skip

PRAGMA_RULE = Rule(
    "M406", "scanner-pragma", WARNING, "a remark that tells a scanner to look away",
    "Nothing within a memory decides what is let through; only brain.toml does.", "take it out",
)  # fmt: skip
PRAGMA = Pattern(
    r"(?:gitleaks|betterleaks):allow|pragma: ?(?:allowlist|whitelist)|secretlint-disable|trufflehog:ignore|ggignore"
    r"|kingfisher:ignore|nosecret|noqa: ?secret|detect-secrets: ?ignore",
    ":allow", "pragma", "secretlint-", ":ignore", "ggignore", "nosecret", "noqa", "detect-secrets",
)  # fmt: skip
PUBLIC = Pattern(
    r"\bAAAA(?:[BC]3NzaC1|E2VjZHNh|GnNrLXNzaC|InNrLWVjZHNh)[A-Za-z0-9+/=]{20,2000}"
    r"|\bMD5:(?:[0-9a-f]{2}:){15}[0-9a-f]{2}|\bh1:[A-Za-z0-9+/]{43}=(?![A-Za-z0-9+/])"
    r"|\b(?:sha|SHA)-?(?:1|256|384|512)[:=-]\s?(?:[0-9a-f]{128}|[0-9a-f]{96}|[0-9a-f]{64}|[0-9a-f]{40}"
    r"|[A-Za-z0-9+/_-]{86}={0,2}|[A-Za-z0-9+/_-]{64}|[A-Za-z0-9+/_-]{43}=?|[A-Za-z0-9+/_-]{27}=?)(?![A-Za-z0-9+/=_-])"
    r"|data:image/[a-z+.-]{2,20};base64,(?:iVBORw0KGgo|/9j/|R0lGOD|UklGR|AAABAA|Qk[0-3])[A-Za-z0-9+/=]{0,20000}",
    "AAAA", "MD5:", "h1:", "sha", "SHA", "data:image",
)  # fmt: skip
"""Public keys, digests of exactly their length, and images that begin as such a file does."""
ARMOUR = Pattern(
    r"-----BEGIN ((?:CERT|PUBLIC|RSA PUBLIC|PGP PUBLIC|PGP SIGN|PGP MESS|NEW CERT|SSH2 PUBLIC|X509|TRUSTED|DH PARAM)"
    r"[A-Z0-9 ]{0,40})-----",
    "-----BEGIN ",
)
LONGEST_ARMOUR = 20_000
CODED_LINE = Pattern(r"(?:^|(?<=\\n))[ \t>|]*[A-Za-z0-9+/=]{4,100}(?=\\n|$)", flags=re.MULTILINE)
"""A line of base64, also where the line breaks are written ``\\n``."""


@value
class Hit:
    """A secret: its rule, offsets in the text, and what it is in words that reveal nothing."""

    rule: Rule
    start: int
    end: int
    what: str


def scan_secrets(folded: Folded, sheet: Sheet) -> None:
    """Report the secrets in a text; each by what it is and how long, none by its characters."""
    for match in PRAGMA.finditer(folded.text):
        sheet.add(PRAGMA_RULE, *folded.at(match.start()), subject=match[0])
    for hit in find_secrets(folded.text):
        if sheet.is_full(hit.rule):
            continue
        line, column = folded.at(hit.start)
        if not sheet.has_at(hit.rule, line, column):
            sheet.add(hit.rule, line, column, hit.what, subject=folded.text[hit.start : hit.end])


def find_secrets(text: str, layer: int = 0) -> list[Hit]:
    """Return the secrets in folded ``text``, in order, none within another."""
    rows, plain = _rows_in(text), _unbroken(text)
    hits = list(_tokens(plain, rows))
    if not layer:
        hits += _pieces(plain, rows, hits)
    text = _without_public(_blanked(text, [(hit.start, hit.end) for hit in hits]))
    places = list(_places(_unbroken(text)))
    text = _blanked(text, [(hit.start, hit.end) for hit in places])
    hits += places
    if layer < MAX_LAYERS:
        for span, hit in _encoded(text, layer):
            hits += [hit] if hit else []
            text = _blanked(text, [span])
    hits += _disguised_tokens(text, hits)
    prose = list(_in_prose(_unbroken(text)))
    hits += prose
    issued = list(_issued(_blanked(text, [(hit.start, hit.end) for hit in prose if hit.rule is SECRET_VALUE])))
    hits += issued
    hits += _lone(_blanked(text, [(hit.start, hit.end) for hit in (*prose, *issued)]))
    return sorted(hits, key=lambda hit: hit.start)


def _unbroken(text: str) -> str:
    """Return ``text`` with a blank for each sign of a line break, a blank or a sign that a program writes by name."""
    return BREAKS.sub(lambda match: " " * len(match[0]), text)


def _without_public(text: str) -> str:
    """Return ``text`` with public keys, certificates, digests and images blanked out."""
    text = PUBLIC.sub(lambda match: "\x01" * len(match[0]), text)
    at = 0
    while match := ARMOUR.search(text, at):
        at = match.end()
        end = text.find(f"-----END {match[1]}-----", at, at + LONGEST_ARMOUR)
        if end >= 0:
            inner = CODED_LINE.sub(lambda line: "\x01" * len(line[0]), text[at:end])
            text, at = text[:at] + inner + text[end:], end
    return text


def _blanked(text: str, spans: list[tuple[int, int]]) -> str:
    for start, end in spans:
        text = text[:start] + "".join("\n" if sign == "\n" else "\x01" for sign in text[start:end]) + text[end:]
    return text


def _rows_in(text: str) -> list[tuple[str, Row]]:
    """Return the hints of tokens that stand in a text, with kind and pattern."""
    return [row for row in HINTS if row[0] in text]


def _tokens(text: str, rows: Iterable[tuple[str, Row]] | None = None) -> Iterator[Hit]:
    if not text:
        return
    ends = -1
    patterns = dict.fromkeys(row for _, row in (_rows_in(text) if rows is None else rows))
    found = [(match.start(), match.end(), row) for row in patterns for match in row[1].compiled.finditer(text)]
    for start, end, (kind, pattern) in sorted(found, key=lambda row: row[:2]):
        if start >= ends and is_token(text[start:end], pattern):
            ends = end
            yield Hit(SECRET_TOKEN, start, end, f"{kind} ({end - start} characters)")


def _pieces(text: str, rows: list[tuple[str, Row]], found: list[Hit]) -> Iterator[Hit]:
    """Yield the tokens that stand in pieces, and what is a secret once a program has joined its strings."""
    spans = [(hit.start, hit.end) for hit in found]
    plain = {text[start:end] for start, end in spans}
    for joint in (CONCATENATED, LISTED):
        whole, offsets = joined(text, joint)
        prose = [hit for hit in _in_prose(whole) if hit.rule is SECRET_VALUE] if joint is CONCATENATED else []
        for hit in (*_tokens(whole), *prose, *_coded(whole)):
            start, end = offsets[hit.start], offsets[hit.end - 1] + 1
            if end - start > hit.end - hit.start and whole[hit.start : hit.end] not in plain:
                spans.append((start, end))
                yield Hit(SECRET_ENCODED, start, end, f"strings that make {hit.what}")
    for start, end, whole in (*ladders(text), *columns(text)):
        for hit in islice((*_tokens(whole), *_coded(whole)), 1):
            if whole[hit.start : hit.end] not in plain:
                spans.append((start, end))
                yield Hit(SECRET_ENCODED, start, end, f"lines that make {hit.what}")
    for cut in find_cut(text, rows, spans):
        if not any(start < cut.end and cut.start < end for start, end in spans):
            spans.append((cut.start, cut.end))
            yield Hit(SECRET_ENCODED if cut.certain else SECRET_MAYBE, cut.start, cut.end, f"{cut.kind} in pieces")


def _issued(text: str) -> Iterator[Hit]:
    """Yield what has the form of any service's token, wherever it stands."""
    for match in ISSUED_ANYWHERE.finditer(text):
        if len(match[0]) > 31 and match["kind"].lower() not in NAMES_OF_IDS and is_random_tail(match["tail"]):
            yield Hit(SECRET_VALUE, *match.span(), f"a key of {len(match[0])} characters")


def _lone(text: str) -> Iterator[Hit]:
    """Yield what stands alone and looks like a key."""
    for match in LONE.finditer(text):
        near = text[max(0, match.start() - LONE_NEAR) : match.start()].lower()
        if is_random_tail(match[0]) and not PUBLIC_WORDS.search(near):
            yield Hit(SECRET_MAYBE, *match.span(), f"a key of {len(match[0])} characters")


def _coded(text: str) -> Iterator[Hit]:
    """Yield the secrets in what joined pieces say in a code."""
    return (hit for _, hit in _encoded(text, MAX_LAYERS - 1) if hit) if text else iter(())


def _in_prose(text: str) -> Iterator[Hit]:
    """Yield the passwords and keys that words or an assignment tell of; one that is certain is not doubted besides."""
    found = list(islice(find_in_context(text), MOST_IN_PROSE))
    certain = {item.start for item in found if item.certain}
    for item in found:
        if not item.certain and item.start in certain:
            continue
        rule = SECRET_VALUE if item.certain else SECRET_MAYBE
        yield Hit(rule, item.start, item.end, f"a {item.what} of {item.end - item.start} characters")


def _disguised_tokens(text: str, found: list[Hit]) -> Iterator[Hit]:
    """Yield tokens that are backwards, in rot13, spaced out, or hung with accents."""
    length, runs = len(text), "\n".join(LONG_RUN.compiled.findall(text))
    for hit in _tokens(text[::-1] if _may_hold_token(runs[::-1]) else ""):
        yield Hit(SECRET_ENCODED, length - hit.end, length - hit.start, f"backwards: {hit.what}")
    if any(map(str.isdigit, runs)):
        for name, table in SHIFTS.items():
            for hit in _tokens(text.translate(table) if _may_hold_token(runs.translate(table)) else ""):
                yield Hit(SECRET_ENCODED, hit.start, hit.end, f"{name}: {hit.what}")
    yield from _escaped(text, found)
    yield from _spaced(text)
    bare = text if text.isascii() else strip_marks(text)
    if bare != text:
        known = {bare[hit.start : hit.end] for hit in found}
        for hit in _tokens(bare):
            start = min(hit.start, length - 1)
            if bare[hit.start : hit.end] not in known:
                yield Hit(SECRET_ENCODED, start, min(hit.end, length), f"with accents: {hit.what}")


def _spaced(text: str) -> Iterator[Hit]:
    """Yield the tokens whose letters, or whose dashes, stand between blanks or stops."""
    for match in SPACED.finditer(text):
        between = max(" ._*·/|,-", key=match[0].count)
        parts = match[0].split(between * 3)  # the sign itself, between two
        for hit in _tokens(between.join(part.replace(between, "") for part in parts)):
            yield Hit(SECRET_ENCODED, *match.span(), f"spaced letters: {hit.what}")
    closed, offsets = joined(text, BESIDE_DASH)
    for hit in _tokens(closed):
        start, end = offsets[hit.start], offsets[hit.end - 1] + 1
        if end - start > hit.end - hit.start:
            yield Hit(SECRET_ENCODED, start, end, f"blanks within {hit.what}")


def _escaped(text: str, found: list[Hit]) -> Iterator[Hit]:
    """Yield the tokens of which some letters are written by number: ``0x67lpat-…``, ``=67lpat-…``."""
    if not any(sign in text for sign in ("\\u00", "\\x", "\\1", "=6", "=7", "=4", "=5")):
        return
    plain, offsets = joined(text, ONE_ESCAPED, _unescape)
    known = {text[hit.start : hit.end] for hit in found}
    for hit in _tokens(plain):
        if plain[hit.start : hit.end] not in known and plain[hit.start : hit.end] not in text:
            start = offsets[hit.start]
            yield Hit(SECRET_ENCODED, start, min(start + hit.end - hit.start, len(text)), f"escapes: {hit.what}")


def _unescape(match: re.Match[str]) -> str:
    return chr(int(match[4], 8) if match[4] else int(match[1] or match[2] or match[3], 16))


def _may_hold_token(text: str) -> bool:
    return text != "" and any(hint in text for hint in LONG_HINTS)


def _places(text: str) -> Iterator[Hit]:
    ends = -1
    for what, start, end in sorted(find_in_places(text), key=lambda found: (found[1], -found[2])):
        if start >= ends:
            ends = end
            yield Hit(SECRET_PLACE, start, end, f"{what} ({end - start} characters)")


def _encoded(text: str, layer: int) -> Iterator[tuple[tuple[int, int], Hit | None]]:
    """Yield where text is coded, and the secret in it; text that was read so needs no guess at its letters.

    It is read behind what its line says before it: ``password:`` makes a secret of a word.
    """
    for piece in decoded_pieces(text):
        head = text[max(text.rfind("\n", 0, piece.offset) + 1, piece.offset - HEAD) : piece.offset]
        inner = [
            hit
            for hit in find_secrets(head + piece.text, layer + 1)
            if hit.rule is not SECRET_MAYBE and hit.end > len(head)
        ]
        span = (piece.offset, piece.offset + piece.length)
        what = f"{piece.coding} that holds {inner[0].what}" if inner else ""
        yield span, Hit(SECRET_ENCODED, *span, what) if inner else None
