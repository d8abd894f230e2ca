"""Passwords as people say them: a phrase of words, or a value right behind its word with nothing between."""

from __future__ import annotations

from brain.lint.pattern import Pattern
from brain.lint.secrets.shapes import is_common, is_password
from brain.value import value as record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_PHRASE_WORD = r"(?:pass ?phrase|password|m(?:at)?[ .-]?khau|パスフレ[ー-]ズ|パスワ[ー-]ド|合言葉)"
_OWNER = r"(?: (?:for|of|on|in|at|to|cua|cho)(?: [a-z0-9._-]{1,30}){1,4})?"
_IS = r"[\"'`*]{0,2}\s?(?:=>|->|→|[=:]|は|が|(?<= )(?:is|was|la)(?= |:))\s?"
_WORDS = r"[^\W\d_]{2,12}(?:[ -][^\W\d_]{2,12}){3,9}"
QUOTED_PHRASE = Pattern(
    rf"{_PHRASE_WORD}{_OWNER}{_IS}(?:[\"'`]|\*\*)(?P<v>{_WORDS})(?:[\"'`]|\*\*)", "pass", "khau", "パス", "合言葉"
)
PLAIN_PHRASE = Pattern(
    rf"{_PHRASE_WORD}{_OWNER}{_IS}"
    r"(?P<v>[a-z]{3,12}(?:(?: [a-z]{3,12}){3,7}|(?:-[a-z]{3,12}){3,7}))(?=[.,;]?\s*$|です)",
    "pass", "khau", "パス",
)  # fmt: skip
KANA_PHRASE = Pattern(r"(?:パスフレ[ー-]ズ|合言葉)\s?[:=は]\s?\"(?P<v>[ぁ-ヺー一-鿿]{3,40})\"", "パスフレ", "合言葉")
SEED_WORDS = Pattern(
    r"(?:(?:seed|recovery|backup|mnemonic|secret)[ -](?:phrase|words?|mnemonic)"
    r"|(?:シ[ー-]ド|復元|復旧|リカバリ[ー-]?|ニ[ー-]モニック)フレ[ー-]ズ|cum tu (?:khoi phuc|bi mat|goi nho)"
    r"|\bseed\b|\bmnemonic\b)[^\n:=]{0,20}?"
    r"(?:[:=は]|\b(?:is|are|la)\b)[ \"'`]{0,3}(?P<v>[a-z]{3,8}(?:[ ,]{1,2}[a-z]{3,8}){11,23})(?![a-z])",
    "seed", "recovery", "backup", "mnemonic", "secret", "フレ", "cum tu",
)  # fmt: skip
"""The words that a wallet is made anew from (BIP 39): twelve to twenty-four."""
BARE = Pattern(
    r"(?<![a-z0-9_-])(?:password|passwd|passcode|passphrase|pass|p/?wd?|m(?:at)?[ .-]?khau(?: la)?|mk|パスワ[ー-]ド"
    r"|暗証)"
    r"(?:,[^,\n]{1,40},? (?:is|was|la) | ?: ?"
    r"| (?:[a-z]{2,8} ){0,2})?[\"'`(]{0,2}(?P<v>[a-z0-9]{8,40})(?![a-z0-9_/.:@(=-][a-z0-9]|[(=_-])",
    "pass", "pw", "p/w", "khau", "mk", "パスワ", "暗証",
)  # fmt: skip
_NAME = r"(?:pass ?(?:word|phrase|code)|passwd|pwd|m(?:at)?[ .-]?khau|パスワ[ー-]ド|パスフレ[ー-]ズ|合言葉|暗証)"
BACKWARDS = Pattern(
    r"(?<![a-z0-9_./:@-])(?P<v>[a-z0-9]{8,40})[\"'`*]{0,3}"
    r"(?:\s(?:is|was|la) (?:(?:the|our|my|its|a) )?(?:[a-z-]{1,12} ){0,2}"
    rf"|\s?(?:が|は|という|って)\s?(?:[^\s。.、,\"]{{0,8}}の)?|\svao o ){_NAME}",
    "pass", "pwd", "khau", "パス", "合言葉", "暗証",
)  # fmt: skip
"""A password before its word: ``X is the password``, ``Xがパスワード``."""
WORD = Pattern(
    rf"(?<![a-z_-]){_NAME}{_OWNER}[\"'`*]{{0,2}}\s?(?:=>|->|→|[=:])\s?[\"'`*]{{0,3}}(?P<v>[a-z]{{6,20}})"
    r"[\"'`*]{0,3}[.;,]?\s*$",
    "pass", "pwd", "khau", "パス", "合言葉", "暗証",
)  # fmt: skip
"""A password that is a word like any other, alone behind its own."""
NO_PASSWORD = frozenset(
    "string strings required optional hidden masked secret private public number integer boolean object buffer varchar"
    " nullable unknown nothing undefined default missing invalid incorrect correct changed expired rotated random"
    " stored hashed encrypted redacted removed revoked disabled enabled allowed forbidden unchanged weekly monthly"
    " yearly never always required keepass bitwarden lastpass vaultwarden keychain environment variable config settings"
    " minimum maximum length generated strong policy shared needed password passwords passwd prompt interactive plain"
    " cleartext plaintext bcrypt scrypt argon please varies differs follows below above yourself username value secrets"
    " required prompted ignored reused rejected accepted unused visible censored omitted sensitive".split()
)
"""What stands behind ``password:`` and says what it is, how it is kept, or where."""
NO_PASSPHRASE = frozenset(
    "the an and or of to in on for with without is are was were be been must should shall may can cannot will not no"
    " from by at as it its that this these those your you we our their has have had do does did if when than then but"
    " only at least same any all each every stored kept reset set sent changed expires required characters character"
    " la cua va cho khi khong phai duoc trong nay do bi da se hoac toi thieu nhat ky tu voi tu den cac nhung mot hay"
    " nen can dung sai".split()
)
"""Words of sentences, in English and in Vietnamese without marks: who makes a passphrase has none of them."""
LEAST_OF_OTHERS = 5
"""Words of a phrase in quotes among which one of those may be: without marks some mean two things."""


@record
class Spoken:
    """A password: its offsets in the line, what it is, and whether that is certain."""

    start: int
    end: int
    what: str
    certain: bool


def find_spoken(line: str, words: str) -> Iterator[Spoken]:
    """Yield the passwords of a folded line; ``words`` is the line in lower case without marks, of the same length."""
    yield from _phrases(words)
    for pattern, certain in ((BARE, False), (BACKWARDS, True)):
        for match in pattern.finditer(words):
            value = line[match.start("v") : match.end("v")]
            if is_password(value) and not is_common(value):
                yield Spoken(*match.span("v"), "password", certain)
    for match in WORD.finditer(words):
        if match["v"] not in NO_PASSWORD:
            yield Spoken(*match.span("v"), "password", certain=False)


def _phrases(words: str) -> Iterator[Spoken]:
    for pattern, certain in ((QUOTED_PHRASE, True), (PLAIN_PHRASE, False)):
        for match in pattern.finditer(words):
            said = match["v"].replace("-", " ").split()
            if len(NO_PASSPHRASE.intersection(said)) * LEAST_OF_OTHERS < (len(said) if certain else 1):
                yield Spoken(*match.span("v"), "passphrase", certain and "-" not in match["v"])
    for match in SEED_WORDS.finditer(words):
        if len(NO_PASSPHRASE.intersection(match["v"].replace(",", " ").split())) < LEAST_OF_OTHERS // 2:
            yield Spoken(*match.span("v"), "seed phrase", certain=True)
    for match in KANA_PHRASE.finditer(words):
        yield Spoken(*match.span("v"), "passphrase", certain=False)
