"""Mail addresses, plain and in disguise: whose they are, and which are nobody's."""

from __future__ import annotations

import re

from brain.lint.pattern import Pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

EMAIL = Pattern(
    r"(?<![A-Za-z0-9._%+-])[A-Za-z0-9][A-Za-z0-9._%+-]{0,63}@(?:[A-Za-z0-9-]{1,63}\.){1,6}[A-Za-z]{2,24}"
    r"(?![A-Za-z0-9_]|\(\))",
    "@",
)
_AT = r"(?i:at|@|a|arroba|アット(?:マ[ー-]ク)?|あっと(?:ま[ーあ]く)?|a[ -]?(?:còng|cong|móc))"
_DOT = r"(?i:dot|\.|ドット|chấm|cham)"
_LOCAL = r"(?<![A-Za-z0-9._%+-])(?P<local>[A-Za-z0-9][A-Za-z0-9._%+-]{1,63}?)"
_PROVIDER = r"(?i:gmail|yahoo|outlook|hotmail|icloud|proton(?:mail)?|docomo|ezweb|softbank|naver|qq|163)"
_SAID_AT = (
    rf"(?:\s?[(\[{{<]\s?{_AT}\s?[)\]}}>]\s?|\s(?i:アット(?:マ[ー-]ク)?|a[ -](?:còng|cong|móc))\s|\s@\s"
    r"|\s?(?i:アット(?:マ[ー-]ク)?|あっと(?:ま[ーあ]く)?)\s?)"
)
_SAID_DOT = rf"(?:\.|\s?[(\[{{<]\s?{_DOT}\s?[)\]}}>]\s?|\s(?i:dot|ドット|chấm|cham)\s|_dot_)"
_END = r"(?![A-Za-z0-9_(])"
DISGUISED = (
    Pattern(
        rf"{_LOCAL}{_SAID_AT}(?P<domain>(?:[A-Za-z0-9-]{{1,63}}{_SAID_DOT}){{1,6}}[A-Za-z]{{2,24}}){_END}",
        " @ ", "(at)", "[at]", "{at}", "<at>", "(@)", "[@]", "(AT)", "[AT]", "( at )", "[ at ]", "[a]", "(a)",
        "アット", "あっと", "còng", "cong", "móc", "arroba",
    ),
    Pattern(
        r"(?<![A-Za-z0-9._%+-])(?P<local>[A-Za-z]{2,}[._][A-Za-z]{2,})(?:\s@|@\s)"
        rf"(?P<domain>(?:[A-Za-z0-9-]{{1,63}}\.){{1,4}}(?:com|net|org|jp|vn|io)){_END}",
        " @", "@ ", "@\n", "\n@", ("@",), (".",),
    ),
    Pattern(
        rf"{_LOCAL}(?:\s(?i:at)\s|_at_)(?P<domain>(?:[A-Za-z0-9-]{{1,63}}(?:\s(?i:dot)\s|_dot_)){{1,6}}[A-Za-z]{{2,24}}){_END}",
        "dot ", "DOT ", "dot_", (" at ", " AT ", "_at_"),
    ),
    Pattern(
        rf"{_LOCAL}(?:\sAT\s|[_-]at[_-])(?P<domain>(?:[A-Za-z0-9-]{{1,63}}\.){{1,6}}(?:com|net|org|jp|vn|io|dev|me|info|edu)){_END}",
        " AT ", "_at_", "-at-", (".",),
    ),
    Pattern(
        rf"{_LOCAL}\s?@\s?(?P<domain>{_PROVIDER}(?:(?:\s?\.\s?|\s)[a-z]{{2,3}}(?:\.[a-z]{{2}})?)?)(?=[^A-Za-z0-9]|$){_END}",
        "@ ", " @", "@\n", "\n@", "@gmail", "@yahoo", "@outlook", "@hotmail", "@icloud", "@proton", ("@",),
    ),
)  # fmt: skip
"""An address whose signs are words or stand apart: in brackets, in plain words, at a provider that all know."""
DOT = Pattern(rf"\s?[(\[{{<]\s?{_DOT}\s?[)\]}}>]\s?|\s(?:dot|ドット|chấm|cham)\s|_dot_|\s?\.\s?|\s")
RESERVED_ENDS = (
    ".test", ".invalid", ".example", ".localhost", ".local", ".internal", ".lan", ".intranet", ".corp", ".home",
    ".service", ".timer", ".socket", ".target", ".mount", ".json", ".js", ".ts", ".yml", ".yaml", ".toml", ".lock",
    ".git", ".gserviceaccount.com", "noreply.github.com", "noreply.gitlab.com", ".png", ".jpg", ".svg", ".conf",
    ".css", ".mjs", ".vue", ".tgz", ".whl", "mail.gmail.com",
)  # fmt: skip
"""Domains that nobody has, names of files and units that look like addresses, and ids of messages."""
FILE_ENDS = (".md", ".py", ".sh", ".rs", ".pl", ".zip")
"""Ends of files that are countries' too: an address where a first and a last name stand before the sign."""
TWO_NAMES = Pattern(r"[a-z]{2,}[._][a-z]{2,}")
EXAMPLE_DOMAINS = Pattern(
    r"(?:[a-z0-9-]+\.){0,4}example(?:\.[a-z]{2,6}){1,2}|(?:[a-z0-9-]+\.)?(?:sample|domain|your[a-z-]*|my(?:company|domain|org)"
    r"|company|acme|foo|bar|test|host|site|placeholder|some[a-z]*|contoso|fabrikam)\.(?:com|net|org|io|dev|jp|co\.jp|vn|com\.vn)"
)
NO_PERSON = Pattern(
    r"^(?:git|hg|svn|no-?reply|do-?not-?reply|mailer-daemon|postmaster|root|nobody|ssh|ec2-user"
    r"|ubuntu|bot|ci|cd|deploy(?:er)?|jenkins|gitlab|github|action|actions|notifications?"
    r"|user(?:name)?|you|me|name|someone|somebody|foo|bar|alice|bob|john|jane|jdoe|john\.?doe"
    r"|jane\.?doe|taro|hanako|test(?:er|user|ing)?|demo|example|email|mail|admin(?:istrator)?"
    r"|webmaster|hostmaster|abuse|support|help(?:desk)?|info|sales|contact|hello|office|team"
    r"|security|privacy|legal|press|jobs|careers|hr|billing|service|feedback|dev|ops|devops|sre"
    r"|oncall|on-call|alerts?|monitoring|builds?|release|announce|users|list|[a-z-]+-(?:dev|users"
    r"|list|announce|team|bot|ops))(?:\+[a-z0-9-]+)?$",
    flags=re.IGNORECASE,
)
MESSAGE_ID = Pattern(r"[0-9]{3}")
"""What an address in a web archive's path has where it is a message's, and no person's."""
ADDRESS_START = " \n\t,;()\"'<>|"
"""Signs that no address of the web goes on behind."""


def find_mail(text: str, domains: tuple[str, ...]) -> Iterator[tuple[int, int, bool]]:
    """Yield the offsets of mail addresses in folded ``text``, and whether each is a person's.

    ``domains`` are the team's own: addresses there are not looked for.
    """
    own = tuple(domain.lower().lstrip("@") for domain in domains)
    for match in EMAIL.finditer(text):
        local, _, domain = match[0].lower().rpartition("@")
        if (text[match.end() : match.end() + 1] == ":" and local == "git") or not _is_anyones(local, domain, own):
            continue
        before = _address_before(text, match.start())
        if before is None or _names_somebody(before, local, domain):
            yield *match.span(), NO_PERSON.match(local) is None
    for pattern in DISGUISED:
        for match in pattern.finditer(text):
            local, domain = match["local"].lower(), DOT.sub(".", match["domain"].lower())
            if _is_anyones(local, domain, own) and not EMAIL.compiled.match(match[0]):
                plain = " @ " in match[0]
                yield *match.span(), NO_PERSON.match(local) is None and not (plain and local.isalpha())


def may_hold_mail(text: str) -> bool:
    """Say whether a sign of an address stands in ``text``."""
    return "@" in text or any(pattern.may_match(text) for pattern in DISGUISED)


def _address_before(text: str, start: int) -> str | None:
    """Return what stands between ``://`` and ``start`` in an address of the web, None where none goes on there.

    Without a slash in it, what follows is its login: ``user@host``.
    """
    begin = 1 + max(text.rfind(sign, 0, start) for sign in ADDRESS_START)
    scheme = text.rfind("://", begin, start)
    return text[scheme + 3 : start] if scheme >= 0 else None


def _names_somebody(before: str, local: str, domain: str) -> bool:
    """Say whether an address in the path or query of another is a person's: no login, no message of an archive."""
    return not set(before).isdisjoint("/?#") and MESSAGE_ID.search(local) is None and not domain.startswith("lists.")


def _is_anyones(local: str, domain: str, own: tuple[str, ...]) -> bool:
    """Say whether an address may be somebody's: no example, no file, none of the team's own."""
    if domain.endswith(RESERVED_ENDS) or local in ("git", "noreply", "no-reply"):
        return False
    if own and (domain in own or domain.endswith(tuple("." + name for name in own))):
        return False
    if domain.endswith(FILE_ENDS) and TWO_NAMES.fullmatch(local) is None:
        return False
    return EXAMPLE_DOMAINS.fullmatch(domain) is None
