"""Find secrets in a folded text and report them, never whole (lint/facts.md §2)."""

from __future__ import annotations

from itertools import islice

from brain.lint.decoded import ROT13, SPACED, decoded_pieces
from brain.lint.finding import ERROR, WARNING, Rule
from brain.lint.pattern import Pattern
from brain.lint.secrets.context import find_in_context
from brain.lint.secrets.places import find_in_places
from brain.lint.secrets.shapes import PLACEHOLDER, is_counting
from brain.lint.secrets.tokens import TOKENS
from brain.text import strip_marks
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from brain.lint.finding import Sheet
    from brain.lint.folded import Folded

MAX_LAYERS = 6
"""Layers of base64 that are looked into."""
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
    r"ssh-(?:rsa|ed25519|dss)\s{1,4}[A-Za-z0-9+/=]{40,2000}|ecdsa-sha2-nistp\d{3}\s{1,4}[A-Za-z0-9+/=]{40,1000}"
    r"|\bSHA(?:1|256|512)?:[A-Za-z0-9+/=]{27,90}|\bMD5:(?:[0-9a-f]{2}:){15}[0-9a-f]{2}|\bsha(?:1|256|384|512)[:=-]\s?[A-Za-z0-9+/=_]{20,128}"
    r"|\bh1:[A-Za-z0-9+/=]{44}|data:image/[a-z+.-]{2,20};base64,[A-Za-z0-9+/=]{4,20000}|--hash[= ]\S{10,200}"
    r"|\bAAAA[BC]3NzaC1[A-Za-z0-9+/=]{20,2000}"
)
PUBLIC_HINTS = ("ssh-", "ecdsa-", "SHA", "sha", "MD5", "h1:", "data:image", "--hash", "AAAA")
ARMOUR = "-----BEGIN "
ARMOUR_END = "-----END "


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
        secret = folded.text[hit.start : hit.end]
        sheet.add(hit.rule, *folded.at(hit.start), hit.what, subject=secret)


def find_secrets(text: str, layer: int = 0) -> list[Hit]:
    """Return the secrets in folded ``text``, in order, none within another."""
    text = _without_public(text)
    hits: list[Hit] = []
    for find in (_tokens, _places):
        found = list(find(text))
        text = _blanked(text, [(hit.start, hit.end) for hit in found])
        hits += found
    if layer < MAX_LAYERS:
        for span, hit in _encoded(text, layer):
            hits += [hit] if hit else []
            text = _blanked(text, [span])
    if not layer:
        hits += _disguised_tokens(text, hits)
    for item in islice(find_in_context(text), MOST_IN_PROSE):
        rule = SECRET_VALUE if item.certain else SECRET_MAYBE
        hits.append(Hit(rule, item.start, item.end, f"a {item.what} of {item.end - item.start} characters"))
    return sorted(hits, key=lambda hit: hit.start)


def _without_public(text: str) -> str:
    """Return ``text`` with public keys, certificates, digests and images blanked out."""
    if any(hint in text for hint in PUBLIC_HINTS):
        text = PUBLIC.sub(lambda match: "\x01" * len(match[0]), text)
    at = text.find(ARMOUR)
    while at >= 0:
        head = text[at + len(ARMOUR) : at + 80].partition("-----")[0]
        end = text.find(ARMOUR_END, at)
        stop = end if end >= 0 else len(text)
        if head.startswith(
            (
                "CERT",
                "PUBLIC",
                "RSA PUBLIC",
                "PGP PUBLIC",
                "PGP SIGN",
                "NEW CERT",
                "SSH2 PUBLIC",
                "X509",
                "TRUSTED",
                "DH PARAM",
                "PGP MESS",
            )
        ):
            inner = text[at:stop]
            text = text[:at] + "\n".join("\x01" * len(line) for line in inner.split("\n")) + text[stop:]
        at = text.find(ARMOUR, stop) if end >= 0 else -1
    return text


def _blanked(text: str, spans: list[tuple[int, int]]) -> str:
    for start, end in spans:
        text = text[:start] + "".join("\n" if sign == "\n" else "\x01" for sign in text[start:end]) + text[end:]
    return text


def _tokens(text: str) -> Iterator[Hit]:
    ends = -1
    found = sorted((match.start(), match.end(), kind) for kind, pattern in TOKENS for match in pattern.finditer(text))
    for start, end, kind in found:
        token = text[start:end]
        tail = token[4:] if len(token) < 30 else token[8:]
        if start < ends or PLACEHOLDER.search(token[-20:].lower()) or is_counting(tail) or len(set(tail.lower())) < 6:
            continue
        ends = end
        yield Hit(SECRET_TOKEN, start, end, f"{kind} ({end - start} characters)")


def _disguised_tokens(text: str, found: list[Hit]) -> Iterator[Hit]:
    """Yield tokens that are backwards, in rot13, spaced out, or hung with accents."""
    length = len(text)
    for hit in _tokens(text[::-1]):
        yield Hit(SECRET_ENCODED, length - hit.end, length - hit.start, f"backwards: {hit.what}")
    for hit in _tokens(text.translate(ROT13)):
        yield Hit(SECRET_ENCODED, hit.start, hit.end, f"rot13: {hit.what}")
    for match in SPACED.finditer(text):
        for hit in _tokens(match[0].replace(" ", "")):
            yield Hit(SECRET_ENCODED, *match.span(), f"spaced letters: {hit.what}")
    bare = text if text.isascii() else strip_marks(text)
    if bare != text:
        known = {bare[hit.start : hit.end] for hit in found}
        for hit in _tokens(bare):
            start = min(hit.start, length - 1)
            if bare[hit.start : hit.end] not in known:
                yield Hit(SECRET_ENCODED, start, min(hit.end, length), f"with accents: {hit.what}")


def _places(text: str) -> Iterator[Hit]:
    ends = -1
    for what, start, end in sorted(find_in_places(text), key=lambda found: (found[1], -found[2])):
        if start >= ends:
            ends = end
            yield Hit(SECRET_PLACE, start, end, f"{what} ({end - start} characters)")


def _encoded(text: str, layer: int) -> Iterator[tuple[tuple[int, int], Hit | None]]:
    """Yield where text is coded, and the secret in it; text that was read so needs no guess at its letters."""
    for piece in decoded_pieces(text):
        inner = [hit for hit in find_secrets(piece.text, layer + 1) if hit.rule is not SECRET_MAYBE]
        span = (piece.offset, piece.offset + piece.length)
        what = f"{piece.coding} that holds {inner[0].what}" if inner else ""
        yield span, Hit(SECRET_ENCODED, *span, what) if inner else None
