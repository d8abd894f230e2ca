"""What a value looks like: a password, a random key, a placeholder, a pointer to where the secret really is.

The cheap questions come first: most words of a text are done after counting their characters.
"""

from __future__ import annotations

import re
from itertools import pairwise

from brain.lint.pattern import Pattern

NOTHING, LIKELY, WEAK, RANDOM, STRONG = range(5)
"""LIKELY: no word and no name. WEAK: a word and a year. RANDOM: letters and digits at random. STRONG: what people and
generators make passwords of."""

PLACEHOLDER = Pattern(
    r"example|xxxx|your[-_ ]?|my[-_]?(?:pass|secret|token|key)|place.?holder|redacted|dummy|sample"
    r"|changeme|change[-_]me"
    r"|replace|insert|\btodo\b|\*{3,}|\.{3}|(?:0123|1234)5678|abcdef(?:gh|01|12)|foobar|<[^>]*>|_here\b|-here\b"
    r"|deadbeef|cafebabe|lorem|(?:^|[^a-z])(?:fake|mock)|not[-_]?a[-_]?(?:real|secret)|test[-_]?(?:token|key|secret)$"
)
"""For text in lower case."""
REFERENCE = Pattern(
    r"^[\"'(]*(?:\$|%[A-Z_]+%|\{\{|\{[a-z_.]+\}|#\{|@\w+@$|<|op://|vault:|file:|ssm:|arn:|kms:|sops:"
    r"|env:|secret:|secrets\.|process\.env|os\.environ|os\.getenv"
    r"|getenv|ENV\[|System\.|config\.|self\.|this\.|settings\.|var\.|data\.|local\.|env\.|ctx\."
    r"|req\.|request\.|args\.|options\.|\.{0,2}/|~/|https?:|s3:|gs:|/)",
)
CALL = Pattern(r"^[!&*]?[A-Za-z_][\w.:]*[(\[{<]|^\w+\.\w+\.?\w*\(|=>|\)\s*[;{.]|^\w+->")
NAMED_CALL = Pattern(
    r"^[*&!@]{0,2}(?:[A-Za-z]{4,}|[A-Za-z]+[._][A-Za-z._]+)[(\[{]|^[^(\[{]{0,40}\[[a-zA-Z]-[zZ]|^\w+\.\w+\(|\b0-9\b|^\\[a-z]{2,}[_^{(\[]"
)
NAME = Pattern(
    r"^[A-Za-z]+(?:[-_.:/][A-Za-z]+)*[-_.:/]?$|^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$|^[a-z]+(?:[A-Z][a-z]+)+[0-9]?$"
)
UUID = Pattern(r"^\{?[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}\}?$", "-")
WORDISH = Pattern(r"[A-Z]?[a-z]{3,}|[A-Z]{3,}|[0-9]{3,}")
HUMAN = Pattern(
    r"^(?:[A-Za-z][a-z]{2,15}[@!$%&*]{1,2}[0-9]{2,6}|[A-Z][a-z]{2,15}[#_.+-](?:19|20)[0-9]{2})[!#@x$%&*?]{0,3}$"
)
"""A word, a sign and a number. ``name#123`` is an issue and ``name-1.2`` a version: there a year is asked for."""
ISSUED = Pattern(r"(?:(?P<kind>[A-Za-z][A-Za-z0-9]{1,11})[_-])(?:[A-Za-z0-9]{1,16}[_-]){0,4}[A-Za-z0-9]{20,}")
"""How services write their tokens: what it is, and letters and digits at random."""
ISSUED_ANYWHERE = Pattern(
    r"(?<![A-Za-z0-9_-])(?P<kind>[A-Za-z][A-Za-z0-9]{1,23})[_-]{1,2}(?:[A-Za-z0-9]{1,16}[_-]{1,2}){0,4}"
    r"(?P<tail>[A-Za-z0-9]{20,300})(?![A-Za-z0-9])"
)
"""The same in any text."""
NAMES_OF_IDS = frozenset(
    "acct asset batch build cache cart ch chat chatcmpl chunk commit cs cus cursor dpl doc event evt file hash id"
    " image img in index inv job key main md5 msg node order org page pi pk phc pod prj prod proj pub public"
    " publishable rel req request resp rev run sess session sha sha256 sha512 snap span src sub subnet sum task team"
    " thread toolu trace txn user vendor vol vpc".split()
)
"""What stands before an id or a public key that is written in the same way."""
QUOTED_HUMAN = Pattern(r"[^\W\d_]{2,24}[@!#$%&*_.-]{0,2}[0-9]{2,8}[!#@$%&*?]{0,3}")
WIDE_HUMAN = Pattern(r"[^\W\d_]{2,24}[@!#$%&*_.-]{1,2}[0-9]{2,8}[!#@$%&*?]{0,3}(?![0-9A-Za-z])")
HUMAN_END = Pattern(
    r"^[A-Z]?[a-z]{3,15}[0-9]{2,6}[!@#$%^&*?]{1,3}$|^[A-Z][a-z]{2,15}[!@#$%&*][A-Za-z]{2,15}[0-9]{1,6}[!@#$%&*?]{0,3}$"
)
LEET_WORD = Pattern(
    r"^[pP][@a4A][s$5S]{2}[wW][o0O][rR][dD]|^[aA@][dD][mM][i1I][nN][@#!_0-9]|^[qQ][wW][e3E][rR][tT][yY]"
)
COMMON = frozenset(
    "node react vue npm pnpm yarn python java ruby php ubuntu debian windows office release sprint "
    "version build rev step"
    " issue ticket case test item page line row phase part chapter section note port error code "
    "http https sha md utf iso"
    " rfc pep cve zip eip bip ics tip cip jep rep adr es ecma base aes rsa ipv tls ssl web oauth sql db mysql postgres"
    " redis server host api app svc team order user id key job run batch shard group level stage "
    "prod dev room floor plan"
    " vol fig table col field jan feb mar apr may jun jul aug sep oct nov dec week day log backup dump snapshot export"
    " report survey budget event conf summit edition standard law act olympics world expo visual excel word sharepoint"
    " exchange dynamics wsl ios android pixel galaxy iphone win macos fedora centos rhel alpine "
    "bookworm jammy focal".split()
)
PACKAGE = Pattern(r"^@?[\w./-]{1,80}@(?:v?\d{1,5}(?:\.\d{1,5}){0,4}(?:[-+.][\w.+-]{1,40})?|sha256)$", "@")
CODE = Pattern(r"\[\w*\]|\(\)|==|!=|=~|&&|\w\?\.\w|\w=\w+&\w+=|^\w+\[|\\[dwsnrtb]|^[\w.+-]+@[\w-]+\.[\w.-]+$|^&#?\w+;")
TECHNICAL = Pattern(
    r"^\d{4}-\d\d-\d\dT|::|^[\d.]+[*/][a-z_]+$|^[\w.-]+(?:/[\w.-]+)?#\d+$|[\w/]#L\d+(?:-L?\d+)?$"
    r"|^[+-]?\d[\d.,:]*[a-z%]*$"
    r"|^(?:[\w-]+:)?(?:[\w-]+/){1,8}[\w-]+\.(?:md|mdx|txt|rst|adoc|py|js|ts|go|rs|java|kt|toml|ya?ml|json)(?:#[\w/.-]*)?$"
)
SIZE = Pattern(r"^[0-9]+(?:[a-z]{1,3}|chars?|characters?|digits?|bytes?|bits?|days?|hours?|minutes?|times?)$")
"""A number with its unit: ``4096bits``."""
HOME_PATH = Pattern(r"^~/(?:\.?[A-Za-z][\w.-]{0,40}/){1,6}[\w.-]{1,60}$", "~/")
METHOD = Pattern(r"^(?:s?crypt|bcrypt|argon|pbkdf|base|utf|sha|md|aes|rsa|hmac|hs|rs|es)[0-9]")
LONG_WORD = Pattern(r"[A-Z]?[a-z]{6,}|[A-Z]{8,}|[0-9]{7,}")
CONSONANTS = Pattern(r"[bcdfghjklmnpqrstvwxzBCDFGHJKLMNPQRSTVWXZ]{5}")
SIGNS = frozenset("!#%&*=?@^~$+")
PLAIN_SIGNS = frozenset("+/=_-")
HEX = frozenset("0123456789abcdefABCDEF")
DIGITS = frozenset("0123456789")
LONGEST = 600


def is_refused(value: str) -> bool:
    """Say whether a value is no secret: a placeholder, a pointer elsewhere, code, a name."""
    if len(value) > 5 and len(set(value.lower())) < 5:
        return True
    if PLACEHOLDER.search(value.lower()) or UUID.match(value) or is_counting(value):
        return True
    if NAME.match(value) and not (residue(value) >= 0.25 and len(value) > 19 and is_gibberish(value)):
        return True
    reference = REFERENCE.match(value)
    if reference and not (value.startswith(("/", ".", "~")) and residue(value) >= 0.5):
        return True
    return NAMED_CALL.match(value) is not None or (CALL.search(value) is not None and residue(value) < 0.5)


def is_counting(value: str) -> bool:
    """Say whether most of a value's characters only count up: 0123456789abcdef."""
    if len(value) < 8:
        return False
    codes = value.encode("utf-8", "surrogatepass")
    ups = sum(after - before in (0, 1) for before, after in pairwise(codes))
    return ups * 4 > len(codes) * 3


def residue(value: str) -> float:
    """Return the share of characters outside words and numbers: a random value has over a third of them there."""
    covered = sum(len(match[0]) for match in WORDISH.finditer(value))
    return 1 - covered / (len(value) or 1)


def shape_of(value: str) -> int:
    """Return how much a value looks like a secret by itself."""
    length = len(value)
    if length < 6 or length > LONGEST:
        return NOTHING
    lower = sum("a" <= sign <= "z" for sign in value)
    upper = sum("A" <= sign <= "Z" for sign in value)
    digits = sum("0" <= sign <= "9" for sign in value)
    signs = length - lower - upper - digits
    if not digits and not (lower and upper and length >= (10 if signs else 20)):
        return NOTHING
    shape = NOTHING
    if signs and not SIGNS.isdisjoint(value):
        shape = _password_shape(value, lower, upper, digits)
    if not shape and lower > 2 and 3 < digits < 7 and signs and length < 41:
        shape = WEAK if HUMAN.match(value) and not is_common(value) else NOTHING
    shape = shape or _random_shape(value, lower, upper, digits, signs)
    return NOTHING if shape and is_refused(value) else shape


def is_common(value: str) -> bool:
    """Say whether a value begins with a word that names versions, jobs and the like: ``build2026``."""
    return re.split(r"[^A-Za-z]", value, maxsplit=1)[0].lower() in COMMON


def _password_shape(value: str, lower: int, upper: int, digits: int) -> int:
    if len(value) < 41:
        if HUMAN.match(value) and not (SIGNS - {"+"}).isdisjoint(value):
            return NOTHING if is_common(value) else STRONG
        if HUMAN_END.match(value) or LEET_WORD.match(value):
            return STRONG
    kinds = (lower > 0) + (upper > 0) + (digits > 0)
    if kinds < 2 or _is_technical(value):
        return NOTHING
    least = 0.25 if not (SIGNS - set("+=~")).isdisjoint(value) else 0.35
    if kinds == 3 and len(value) >= 8 and residue(value) >= least:
        return STRONG
    enclosed = not digits and not set(value).isdisjoint("()[]{}")
    odd = len(value) >= 10 and residue(value) >= (0.5 if len(value) < 20 else 0.35)
    return STRONG if odd and not enclosed else NOTHING


def _is_technical(value: str) -> bool:
    """Say whether a value with signs is an address, a path, a package or code rather than a password."""
    if (
        "://" in value
        or value.count("/") > 2
        or value.count(".") > 2
        or PACKAGE.match(value)
        or HOME_PATH.match(value)
        or TECHNICAL.search(value)
    ):
        return True
    if value.startswith(("@", "--", "#", "/")):
        return residue(value) < 0.35
    return CODE.search(value) is not None and residue(value) < 0.55


def _random_shape(value: str, lower: int, upper: int, digits: int, signs: int) -> int:
    length = len(value)
    if length < 10 or (signs and any(not sign.isalnum() and sign not in PLAIN_SIGNS for sign in value)):
        return NOTHING
    if HEX.issuperset(value):
        both = lower + upper > 2 and digits > 2 and not (lower and upper)
        return RANDOM if both and length >= 16 else NOTHING
    if lower and upper and digits:
        return _mixed_shape(value, signs)
    if signs or length < 16:
        return NOTHING
    if not digits:
        least = 0.25 if is_gibberish(value) else 0.45
        return RANDOM if lower and upper and residue(value) >= least else NOTHING
    turns = sum((one in DIGITS) != (other in DIGITS) for one, other in pairwise(value))
    mixed = turns * 5 >= length and digits > 2
    return RANDOM if mixed or (length >= 20 and turns > 1 and is_gibberish(value)) else NOTHING


def _mixed_shape(value: str, signs: int) -> int:
    """Judge a value of small and capital letters, digits and perhaps ``+/=_-``."""
    length = len(value)
    if signs and (length < 20 or value.count("/") > length // 10 or value.count("-") > length // 8):
        return RANDOM if length >= 12 and residue(value) >= 0.6 and signs <= length // 4 else NOTHING
    return RANDOM if residue(value) >= (0.38 if length < 24 else 0.3) else NOTHING


def is_gibberish(value: str) -> bool:
    """Say whether the letters of a value make no words of any language written in Latin."""
    letters = [sign for sign in value.lower() if "a" <= sign <= "z"]
    rare = sum(sign in "jkqvwxyz" for sign in letters)
    return rare * 5 >= len(letters) or CONSONANTS.search(value) is not None


def is_likely(value: str) -> bool:
    """Say whether a value is neither a word nor a name: right after a word for a password that is enough."""
    if not 9 < len(value) < 65:
        return False
    lower, upper, digits = (sum(map(kind, value)) for kind in (str.islower, str.isupper, str.isdigit))
    if not digits or lower + upper < 3 or not set(value).isdisjoint("./:()[]{}\\"):
        return False
    if not (lower and upper) and not (digits > 1 and set(value).isdisjoint("-_")):
        return False
    if LONG_WORD.search(value) or METHOD.search(value.lower()) or _is_technical(value) or is_refused(value):
        return False
    return bool(lower and upper) or residue(value) >= (0.25 if not SIGNS.isdisjoint(value) else 0.4)


def is_firm(value: str) -> bool:
    """Say whether a likely value is so odd that any word for a secret will do."""
    return sum(map(str.isdigit, value)) > 1 or residue(value) >= 0.4


def is_plain_password(value: str) -> bool:
    """Say whether a value after ``password:`` may well be one, though it has no such shape: letters and digits."""
    return (
        5 < len(value) < 65
        and any(map(str.isdigit, value))
        and any(map(str.isalpha, value))
        and not METHOD.search(value.lower())
        and not is_refused(value)
    )


def is_password(value: str) -> bool:
    """Say whether letters and two digits or more, eight and more together, may be a password: no name, no code.

    Asked only right after a word for a password.
    """
    digits = sum(map(str.isdigit, value))
    if not (7 < len(value) < 65 and value.isascii() and value.isalnum() and 1 < digits < len(value)):
        return False
    if _is_numbered(value) or SIZE.match(value) or METHOD.search(value.lower()):
        return False
    return not is_refused(value)


def _is_numbered(value: str) -> bool:
    """Say whether a value is a common word and a short number: ``order1024``."""
    stem = value.rstrip("0123456789")
    return stem.lower() in COMMON and len(value) - len(stem) < 5


def is_key(value: str) -> bool:
    """Say whether a value that many ids look like may be a key: a UUID, 16 hex digits, 24 capitals of no word.

    Asked only right after a word for a secret.
    """
    if UUID.match(value):
        return len(set(value)) > 8
    if len(value) > 15 and HEX.issuperset(value):
        return any(map(str.isdigit, value)) and any(map(str.isalpha, value)) and not is_refused(value)
    return len(value) > 23 and value.isalpha() and value.isupper() and is_gibberish(value)


def is_issued(value: str) -> bool:
    """Say whether a long random value has the form of a service's token, and no name of an id before it."""
    match = ISSUED.match(value)
    return match is not None and match["kind"].lower() not in NAMES_OF_IDS


def is_random_tail(tail: str) -> bool:
    """Say whether letters and digits stand as if thrown: in one case they change often, in both they make no words."""
    if HEX.issuperset(tail) or not any(map(str.isdigit, tail)) or is_counting(tail):
        return False
    if tail.islower() or tail.isupper():
        turns = sum((one in DIGITS) != (other in DIGITS) for one, other in pairwise(tail))
        return turns * 5 >= len(tail) and len(set(tail)) > 8
    return residue(tail) >= 0.3


def is_wide_password(value: str) -> bool:
    """Say whether a run with ``; , < > ' |`` or with letters of any script in it is a password.

    Asked only right after a word for a password.
    """
    if not value.isascii():
        return (WIDE_HUMAN.match(value) or QUOTED_HUMAN.fullmatch(value)) is not None
    kinds = [sum(map(kind, value)) for kind in (str.islower, str.isupper, str.isdigit)]
    signs = len(value) - sum(kinds)
    if not (7 < len(value) < 65 and all(kinds) and signs > 1) or value.startswith("<") or "=" in value or "//" in value:
        return False
    return residue(value) >= 0.5 and CALL.search(value) is None and CODE.search(value) is None
