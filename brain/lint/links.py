"""Links, images and addresses: where they lead, what they send, and what they say of it (lint/facts.md §4)."""

from __future__ import annotations

import re
from collections import Counter

from brain.lint.finding import ERROR, WARNING, Rule
from brain.lint.folded import fold_text
from brain.lint.pattern import Pattern
from brain.lint.tags import NOT_SHOWN, NOT_WORDS
from brain.lint.words import gives_orders
from brain.text import count_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from brain.lint.markdown import Marked
    from brain.lint.tags import Say

LINK_COMMENT = Rule(
    "M621", "link-comment", ERROR, "a comment made of an empty link definition",
    "Reviewers do not see it in the rendered page, assistants read it.", "say it in the text, or not at all",
)  # fmt: skip
SCRIPT_LINK = Rule(
    "M625", "script-link", ERROR, "a link that runs something",
    "It runs whatever it says, in the reader's name.", "link to a page",
)  # fmt: skip
EXFILTRATING_IMAGE = Rule(
    "M626", "exfiltrating-image", ERROR, "a remote image with a query or a blank to fill",
    "An assistant that renders it sends what it was told to put there.",
    "keep the image in the repo, or link to a page",
)  # fmt: skip
EXFILTRATING_LINK = Rule(
    "M627", "exfiltrating-link", ERROR, "a link with a blank to fill",
    "Who fills it in sends what it asks for.", "link to the page itself",
)  # fmt: skip
REMOTE_IMAGE = Rule(
    "M628", "remote-image", WARNING, "a remote image",
    "Whoever serves it learns who reads, and can change it.", "keep the image in the repo, or link to a page",
)  # fmt: skip
LINK_MISMATCH = Rule(
    "M629", "link-mismatch", ERROR, "a link that leads elsewhere than it says",
    "People and assistants trust the name they see.", "show where it leads",
)  # fmt: skip
ODD_HOST = Rule(
    "M630", "odd-host", ERROR, "a host name in other letters (IDN, punycode)",
    "It looks like a name you trust and is another.", "write the ASCII name of the right host",
)  # fmt: skip
FILE_LINK = Rule(
    "M633", "file-link", WARNING, "a link to a file on the reader's machine",
    "It names another file for each reader.", "write a path in the repo as a ref",
)  # fmt: skip

ODD_LINK = Rule(
    "M639", "odd-link", WARNING, "a link that is neither a page's nor a file's of the repo",
    "It opens another program, or takes its scheme or its host from where it is read.",
    "write the whole address of a page, or a path in the repo",
)  # fmt: skip

AUTOLINK = Pattern(
    r"<((?i:javascript|vbscript|livescript|data|https?):[^<>\s]{1,2000}|[A-Za-z][A-Za-z0-9+.-]{1,20}://[^<>\s]{1,2000})>|(?<![\w/(\[<\"'])(file://[^\s<>\"'`]{1,500})",
    "<", "file://",
)  # fmt: skip
ODD_SCHEME = Pattern(
    r"(?!https?:|ftp:|ssh:|git:|mailto:)[a-z][a-z0-9+.-]{1,20}://|(?:smb|ldaps?|gopher|ms-[a-z-]{2,30}|search-ms|view-source|chrome|about|blob|filesystem|intent|jar|mhtml|telnet"
    r"|itms-services|shell|res|vnc|rdp):"
)
LINK_DEFINITION = Pattern(
    r"^[ \t>]{0,8}(?:(?:[-*+]|\d{1,9}[.)])[ \t]{1,4})?\[((?:[^\]\\\n]|\\.|\n(?=\S)){1,200})\]:"
    r"[ \t]*\n?[ \t]*(<[^<>\n]{0,2000}>|\S{0,2000})(.*)$",
    "]:",
    flags=re.MULTILINE,
)
NAMED = Pattern(r"\[([^\[\]]{1,200})\]")
TITLE = Pattern(r"[ \t]*+(?:\n[ \t]*+)?(?:\"([^\"]{0,2000})\"|'([^']{0,2000})'|\(([^)]{0,2000})\))[ \t]*+(?=\n|$)")
LINK_TITLE = Pattern(r"\]\([^()\s]{0,2000}\s{1,4}(?:\"([^\"]{0,2000})\"|'([^']{0,2000})'|\(([^()]{0,2000})\))", "](")
MOST_TITLE, MOST_ALT_WORDS = 6, 25
"""Words of a title, which a page shows to who rests on the link, and of an image's text, shown without the image."""
_TARGET = r"\(\s{0,4}(<[^<>\n]{0,2000}>|(?:[^()\s]|\([^()\s]{0,500}\)){0,2000})"
"""Where a link leads: between angle brackets, or up to a blank, with brackets in pairs (CommonMark 0.31 §6.3)."""
LINK = Pattern(rf"(!?)\[([^\[\]\n]{{0,300}})\](?:{_TARGET}|\[([^\]\n]{{0,200}})\])", "](", "][")
TARGET = Pattern(rf"\]{_TARGET}", "](")
INNER_IMAGE = Pattern(rf"!\[([^\[\]\n]{{0,300}})\]{_TARGET}\)", "![")
ANCHOR = Pattern(
    r"<a\s(?:[^<>\"']|\"[^\"\n]{0,200}\"|'[^'\n]{0,200}'){0,200}?\bhref\s{0,4}=\s{0,4}[\"']?([^\s\"'<>]{1,2000})[^>]{0,300}>"
    r"((?:[^<]|<(?!/a)[^<>]{0,80}>){0,300})",
    "<a",
    "<A",
    flags=re.IGNORECASE,
)
MOST_ALT = 2000
"""Characters before a target in which an image's sign is looked for."""
SHORT_IMAGE = Pattern(r"!\[([^\[\]\n]{1,200})\](?![(\[])", "![")
ADDRESS = Pattern(
    r"(?<![:/])(?:(?<![A-Za-z0-9+.-])(?!file:)[A-Za-z][A-Za-z0-9+.-]{1,20}:)?//([^\s/?#<>\"'`()\[\]{}|\\^]{1,300})",
    "//",
)
_TOP = (
    "com|org|net|io|dev|jp|vn|co|gov|edu|internal|app|ai|me|info|biz|cloud|us|uk|eu|de|fr|cn|kr|ly|gg|tech|xyz|site|online"
    "|shop|example|test|invalid|bank|finance|money|pay|systems|network|software|host|store|kr|tw|hk|sg|th|au|ca|ru|br|in"
)
HOST_LABEL = Pattern(
    rf"(?:https?://|(?=(?:[a-z0-9-]{{1,63}}\.){{1,8}}(?:{_TOP})(?:[/:?#]|$)))([^/:?#\s]{{1,300}})\S{{0,1000}}",
    flags=re.IGNORECASE,
)
SHOWN_HOST = Pattern(r"[^A-Za-z0-9./:?#@%&=+_~-]+|^(?:git:|//)")
"""What stands around a host in a word: quotes, signs, letters of other scripts."""
WIDE_LABEL = Pattern(
    r"([a-z0-9-]{2,63}\.(?:asia|bid|click|club|icu|live|loan|mobi|nagoya|osaka|page|ru|support|tokyo|tools|top|video|vip|win))",
    flags=re.IGNORECASE,
)
"""A name that is a host as likely as something else."""
SEEMS_HOST = Pattern(rf"(?:[a-z0-9-]{{1,63}}\.){{1,8}}(?:{_TOP})(?::.*)?", flags=re.IGNORECASE)
PRODUCTS = frozenset(("asp.net", "ado.net", "vb.net", "ml.net"))
"""Names of software that look like hosts."""
MOST_LABEL = 3
"""Words of a link's text in which a bare host is where the link says it leads, and no topic."""
EXAMPLE_HOST = Pattern(r"(?:[a-z0-9-]+\.)*example\.(?:com|net|org|edu|(?:co\.|com\.)?[a-z]{2})")
"""Hosts that nobody has, for documentation."""
EMPHASIS = Pattern(r"\*+|~~|\\|</?[A-Za-z]{1,8}>")
"""What a page does not show of a link's text."""
BACKSLASH = Pattern(r"\\([!-/:-@\[-`{-~])", "\\")
_BLANK = (
    r"\{\{|\$\{|%7[Bb]|\{[A-Za-z0-9_]{0,30}\}|%s(?![0-9A-Za-z])|%\([a-z]|\$[A-Z][A-Z_]{2,30}|\bYOUR_[A-Z]|<[A-Za-z_]{3,30}>|<[^\W\d_a-zA-Z][^\s<>]{0,30}>|\{[^\W\d_a-zA-Z][^\s{}]{0,30}\}"
    r"|(?<==)(?:\$?\[[A-Za-z]|[【《«〈]|@@|@[A-Za-z]{2,30}@|`|__[A-Za-z]+__|(?:INSERT|PUT|REPLACE)[_-]|\(\(|\$[A-Za-z]"
    r"|\{[^{}\n]{1,30}\}|<[^<>\n]{1,30}>|%[A-Z_]{3,30}%)"
)
TEMPLATE = Pattern(rf"{_BLANK}|\[[A-Z_]{{4,30}}\]|__[A-Z]{{3,}}__|(?<=/)(?:\[[A-Za-z_]{{3,30}}\]|%[A-Z_]{{3,30}}%)")
BLANK = Pattern(_BLANK, "//")
CERTAIN = ("{{", "${", "%7")
"""Blanks of programs, which no person fills in."""
MOST_BLANKS, LONGEST_ADDRESS = 5000, 600
"""Blanks of a text that are looked at, and characters before one in which its address begins."""


def scan_links(marked: Marked, say: Say) -> None:
    """Report links, images and addresses of a text without its code; a link may say in code where it leads."""
    prose = marked.prose
    targets = _scan_definitions(prose, say)
    seen: set[int] = set()
    for match in LINK.finditer(prose):
        seen.add(match.end(2))
        label = match[4] if match[4] is not None else ""
        target = match[3] if match[3] is not None else targets.get(_key(label or match[2]), "")
        if match[1]:
            judge_image(target, match.start(), say)
            _judge_alt(match[2], match.start(), say)
        else:
            judge_target(target, match.start(), say)
            _judge_label(marked.text[match.start(2) : match.end(2)], target, match.start(), say)
            _judge_empty(match[2], target, match.start(), say)
    for match in SHORT_IMAGE.finditer(prose):
        judge_image(targets.get(_key(match[1]), ""), match.start(), say)
    for match in ANCHOR.finditer(prose):
        judge_target(match[1], match.start(), say)
        _judge_label(match[2], match[1], match.start(), say)
    for match in LINK_TITLE.finditer(prose):
        title = match[1] or match[2] or match[3] or ""
        if count_words(title) > MOST_TITLE or gives_orders(title):
            say(NOT_SHOWN, match.start(), "a long title of a link", match[0])
    for match in AUTOLINK.finditer(prose):
        judge_target(match[1] or match[2], match.start(), say)
    _scan_odd_links(prose, seen, say)
    _scan_addresses(prose, say)


def _key(label: str) -> str:
    return " ".join(label.split()).casefold()


def _scan_definitions(prose: str, say: Say) -> Mapping[str, str]:
    """Judge link definitions and footnotes, of which a page shows those alone that something refers to."""
    found = list(LINK_DEFINITION.finditer(prose))
    targets = {_key(match[1]): match[2].strip("<>") for match in reversed(found)}
    named = Counter(_key(match[1]) for match in NAMED.finditer(prose)) if found else Counter()
    named.subtract(_key(match[1]) for match in found)
    for match in found:
        label, target, rest = match[1].strip(), match[2], match[3].strip()
        used = named[_key(label)] > 0
        named[_key(label)] = 0  # the first of two counts, no page shows the other
        if label.startswith("^"):
            if not used:
                say(NOT_SHOWN, match.start(), "a footnote that nothing refers to", match[0])
            continue
        title = TITLE.compiled.match(prose, match.end(2))
        words = count_words(next(filter(None, title.groups()), "")) if title else 0
        if label in ("//", "_", "comment", "#", "^_", "") or (target in ("#", "<>", "<#>") and rest):
            say(LINK_COMMENT, match.start(), "", match[0])
        elif words > MOST_TITLE:
            say(NOT_SHOWN, match.start(), "a long title of a link", match[0])
        elif not used and (title or not rest):
            says = 0 if "://" in target else count_words(NOT_WORDS.sub(" ", target))
            severe = words or count_words(label) > MOST_LABEL or says > MOST_TITLE
            what = "a link definition that nothing refers to"
            say(NOT_SHOWN, match.start(), what, match[0], "" if severe else WARNING)
        judge_target(target, match.start(2), say)
        _judge_label(label, target, match.start(), say)
    return targets


def _scan_odd_links(prose: str, seen: set[int], say: Say) -> None:
    """Judge links whose text holds brackets or line breaks."""
    for match in TARGET.finditer(prose):
        if match.start() in seen:
            continue
        before = prose[max(0, match.start() - MOST_ALT) : match.start()].rpartition("\n\n")[2]
        before = INNER_IMAGE.sub(r"\1", before)
        if "![" in before:
            judge_image(match[1], match.start(), say)
            _judge_alt(before.rpartition("![")[2], match.start(), say)
        else:
            judge_target(match[1], match.start(), say)
            _judge_label(before[-200:].rpartition("[")[2].strip("[] "), match[1], match.start(), say)


def _scan_addresses(prose: str, say: Say) -> None:
    """Judge the hosts of addresses anywhere, and blanks to fill in those outside of links."""
    for match in ADDRESS.finditer(prose):
        user, _, host = match[1].rpartition("@")
        host = host.partition(":")[0]
        if SEEMS_HOST.fullmatch(_unescaped(user).partition("/")[0]) or not user.isascii():
            say(
                ODD_HOST, match.start(1), f"it leads to {ascii(host)[1:-1][:60]}, not to what stands before the @", host
            )
        elif (not host.isascii() and not _ends_early(host)) or _is_punycode(host):
            say(ODD_HOST, match.start(1), f"the host name {ascii(host)[1:-1][:80]}", host)
    for number, match in enumerate(BLANK.finditer(prose)):
        if number > MOST_BLANKS:
            break
        window = prose[max(0, match.start() - LONGEST_ADDRESS) : match.start()]
        head = re.split(r"[\s\"'`<>]", window)[-1]
        start = max(head.rfind("http://"), head.rfind("https://"))
        in_link = head[max(0, start - 2) : start] == "](" and " " not in match[0]  # with a blank it is no link
        if start < 0 or in_link or _is_example(head[start:]):
            continue
        severe = "?" in head and match[0].startswith(CERTAIN)
        at = match.start() - len(head) + start
        say(
            EXFILTRATING_LINK, at, "an address with a blank to fill", head[start:] + match[0], "" if severe else WARNING
        )


def _is_punycode(host: str) -> bool:
    return host.lower().startswith("xn--") or ".xn--" in host.lower()


def _host(target: str) -> str:
    """Return the host of an address, "" where there is none."""
    target = _address(target)
    match = re.match(r"(?:[a-z]{2,6}:)?//(?:[^@/\s]{0,200}@)?([^/:?#\s\\]{1,300})", target, re.IGNORECASE)
    return match[1].lower() if match else ""


def _is_example(target: str) -> bool:
    return EXAMPLE_HOST.fullmatch(_host(target)) is not None


def _ends_early(host: str) -> bool:
    """Say whether the host's ASCII part is a host by itself: Japanese text may follow an address without a space."""
    ascii_part = re.match(r"[A-Za-z0-9.-]*", host)
    head = ascii_part[0] if ascii_part else ""
    rest = host[len(head) :]
    return bool(re.search(r"\.[A-Za-z]{2,}$|^localhost$", head)) and not re.match(
        "[\u2044\u2215\u29f8]|[^\\W\\d_\u3000-\u9fff\uff00-\uffef]", rest
    )


def judge_target(target: str, offset: int, say: Say) -> None:
    """Report a link that runs something, reads this machine, sends what one fills in, or is not what it seems to be."""
    plain = _address(target)
    if plain.startswith(("javascript:", "vbscript:", "livescript:")) or (
        plain.startswith("data:")
        and not plain.startswith(("data:image/png", "data:image/jpeg", "data:image/gif", "data:image/webp"))
    ):
        say(SCRIPT_LINK, offset, f"a link to {plain.partition(':')[0]}:", target[:80])
    elif plain.startswith("file:"):
        say(FILE_LINK, offset, "", target)
    elif ODD_SCHEME.match(plain) or plain.startswith("//"):
        say(ODD_LINK, offset, f"a link that begins with {plain[:12].partition(':')[0][:12]}", target)
    elif _is_remote(plain):
        user = re.match(r"(?:[a-z]{2,6}:)?//([^/?#\s]{1,200})@", plain)
        if user and (not user[1].isascii() or SEEMS_HOST.fullmatch(user[1].rstrip("\\").partition(":")[0])):
            host = ascii(_host(plain))[1:-1][:60]
            say(ODD_HOST, offset, f"a link to {host}, not to what stands before the @", target)
        elif not _host(plain).isascii():
            say(ODD_HOST, offset, f"a link to the host {ascii(_host(plain))[1:-1][:80]}", target)
        elif (TEMPLATE.search(target) or TEMPLATE.search(plain)) and not _is_example(plain):
            say(EXFILTRATING_LINK, offset, "", target)


def judge_image(target: str, offset: int, say: Say) -> None:
    """Report an image that is fetched from elsewhere."""
    plain = _address(target)
    if not _is_remote(plain):
        judge_target(target, offset, say)
    elif "?" in plain or TEMPLATE.search(target) or not target.isascii():
        say(EXFILTRATING_IMAGE, offset, "", target)
    else:
        say(REMOTE_IMAGE, offset, "", target)


def _judge_empty(label: str, target: str, offset: int, say: Say) -> None:
    """Report a link without a text, of which a page shows nothing, where its address is words."""
    if not label.strip() and count_words(NOT_WORDS.sub(" ", target)) > MOST_TITLE:
        say(NOT_SHOWN, offset, "a link without a text", target)


def _judge_alt(text: str, offset: int, say: Say) -> None:
    """Report an image's text, which a page shows only where the image is not there: orders in it, or a whole story."""
    orders = gives_orders(text)
    if orders or count_words(text) > MOST_ALT_WORDS:
        say(NOT_SHOWN, offset, "an image's text that gives orders" if orders else "a long text of an image", text[:200],
            "" if orders else WARNING)  # fmt: skip


def _judge_label(label: str, target: str, offset: int, say: Say) -> None:
    """Report a link whose text names another host than it leads to."""
    other = _host(target).removeprefix("www.")
    if not other or EXAMPLE_HOST.fullmatch(other):
        return
    words = EMPHASIS.sub("", fold_text(_unescaped(label))).split()
    for word in words:
        if "://" not in word and (len(words) > MOST_LABEL or "@" in word):
            continue
        for part in SHOWN_HOST.compiled.split(word):
            shown, wide = HOST_LABEL.fullmatch(part.strip(".:/-")), None
            if not shown and len(words) == 1:
                shown = wide = WIDE_LABEL.fullmatch(part)
            one = shown[1].lower().removeprefix("www.") if shown else other
            if one != other and not other.endswith("." + one) and one not in PRODUCTS:
                message = f"the link says {one[:60]} and leads to {ascii(other)[1:-1][:60]}"
                say(LINK_MISMATCH, offset, message, one + other, WARNING if wide else "")
                return


def _address(target: str) -> str:
    """Return a target as a browser goes there: without blanks, in small letters, slashes whichever way and how many."""
    plain = re.sub(r"[\s\x00-\x20]", "", _unescaped(target)).lower().strip("<>")
    head = re.match(r"(https?:|ftp:)?[\\/]*", plain)
    if head and (head[1] or len(head[0]) > 1):
        return f"{head[1] or ''}//{plain[head.end() :]}"
    return plain


def _is_remote(target: str) -> bool:
    return target.startswith(("http:", "https:", "//", "ftp:"))


def _unescaped(text: str) -> str:
    """Return a target as a page reads it: entities, percent signs and backslashes before signs undone."""
    if "\\" in text:
        text = text[:2] + BACKSLASH.sub(r"\1", text[2:]) if text.startswith("\\\\") else BACKSLASH.sub(r"\1", text)
    if "&" in text or "%" in text:
        from html import unescape
        from urllib.parse import unquote

        return unquote(unescape(text))
    return text
