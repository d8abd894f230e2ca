"""Markup that acts, hides, or sends: HTML, links, images, entities, blank space (lint/facts.md §4)."""

from __future__ import annotations

import re

from brain.lint.finding import ERROR, WARNING, Rule
from brain.lint.folded import position
from brain.lint.pattern import Pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from brain.lint.finding import Sheet
    from brain.lint.markdown import Marked

HTML_COMMENT = Rule(
    "M620", "html-comment", ERROR, "an HTML comment",
    "Reviewers do not see it in the rendered page, assistants read it.", "say it in the text, or not at all",
)  # fmt: skip
LINK_COMMENT = Rule(
    "M621", "link-comment", ERROR, "a comment made of an empty link definition",
    "Reviewers do not see it in the rendered page, assistants read it.", "say it in the text, or not at all",
)  # fmt: skip
ACTIVE_HTML = Rule(
    "M622", "active-html", ERROR, "HTML that runs, loads or styles something",
    "It acts on whoever opens the page, or hides what it holds.", "write markdown, or put it in code",
)  # fmt: skip
HIDING_HTML = Rule(
    "M623", "hiding-html", ERROR, "HTML that hides what it holds",
    "Reviewers do not see it, assistants read it.", "write it openly",
)  # fmt: skip
UNKNOWN_TAG = Rule(
    "M624", "unknown-tag", WARNING, "a tag that is no HTML",
    "A rendered page drops it; assistants take tags for orders.", "put it in `code`",
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
ENTITIES = Rule(
    "M631", "entity-encoded", ERROR, "letters written as numbered entities",
    "A scan sees numbers, a reader words.", "write the letters",
)  # fmt: skip
PUSHED_AWAY = Rule(
    "M632", "pushed-out-of-sight", ERROR, "text behind a wide gap",
    "It is out of the reviewer's window, not out of the assistant's.", "take the blank space out",
)  # fmt: skip
FILE_LINK = Rule(
    "M633", "file-link", WARNING, "a link to a file on the reader's machine",
    "It names another file for each reader.", "write a path in the repo as a ref",
)  # fmt: skip
PIPED_SHELL = Rule(
    "M634", "piped-shell", WARNING, "a download that is run at once",
    "What it runs can change any day.", "pin a version, and check it before it runs",
)  # fmt: skip

KNOWN_COMMENTS = Pattern(
    r"markdownlint-[a-z-]{3,20}(?: (?:md\d{3}|[a-z]+(?:-[a-z]+){1,3})){0,4}|prettier-ignore(?:-start|-end)?"
    r"|/?toc|tocstop"
    r"|(?:text)?lint[ -](?:disable|enable)(?: [a-z]+-[a-z-]+){0,3}|vale (?:off|on|[\w.]{1,40} = (?:yes|no))"
)
"""What linters and formatters of markdown are told in comments, in lower case; nothing else fits in."""
ACTIVE = frozenset(("script", "iframe", "object", "embed", "style", "applet", "frame", "frameset", "plaintext"))
ACTIVE_WITH_ATTRIBUTES = ACTIVE | frozenset(
    ("link", "meta", "base", "form", "input", "button", "video", "audio", "source")
)
HIDING = frozenset(("details", "noframes", "noembed", "noscript", "template"))
HARMLESS = frozenset(
    "a abbr address article aside b bdi blockquote br caption center cite code col colgroup dd del dfn div dl dt em"
    " figcaption figure font footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li main mark nav ol p pre q rp rt ruby s"
    " samp section small span strike strong sub sup table tbody td tfoot th thead time tr tt u ul var wbr"
    " summary".split()
)
COMMENT = Pattern(r"<!--|<!\[CDATA\[|<\?[a-z]", "<!--", "<![CDATA[", "<?")
TAG = Pattern(r"</?([A-Za-z][A-Za-z0-9:_-]{0,40})((?:[\s/][^<>]{0,2000})?)>?", "<")
ATTRIBUTE = Pattern(
    r"[\s/\"'](on[a-z]{3,20}|style|hidden|src|srcset|srcdoc|formaction|xlink:href|background|aria-hidden|color|bgcolor|opacity)\s*(?:=|[\s/]|$)",
    flags=re.IGNORECASE,
)
LINK_DEFINITION = Pattern(
    r"^[ \t>]{0,8}\[([^\]\n]{1,200})\]:[ \t]*\n?[ \t]*(\S{0,2000})(.*)$", "]:", flags=re.MULTILINE
)
LINK = Pattern(r"(!?)\[([^\[\]\n]{0,300})\](?:\(\s{0,4}<?([^()\s>]{0,2000})|\[([^\]\n]{0,200})\])", "](", "][")
TARGET = Pattern(r"\]\(\s{0,4}<?([^()\s>]{0,2000})", "](")
BARE = Pattern(r"https?://[^\s\"'`<>]{1,300}\?[^\s\"'`<>]{0,300}(?:\{\{|\$\{|%7[Bb])", "?")
SHORT_IMAGE = Pattern(r"!\[([^\[\]\n]{1,200})\](?![(\[])", "![")
ADDRESS = Pattern(
    r"(?<![:/])(?:(?<![A-Za-z0-9+.-])(?!file:)[A-Za-z][A-Za-z0-9+.-]{1,20}:)?//([^\s/?#<>\"'`()\[\]{}|\\^]{1,300})",
    "//",
)
HOST_LABEL = Pattern(
    r"(?:https?://|(?=(?:[a-z0-9-]{1,63}\.){1,8}(?:com|org|net|io|dev|jp|vn|co|gov|edu|internal|app|ai|me|info|biz|cloud|us|uk|eu|de|fr|cn|kr|ly|gg|xyz|site|online|shop|example|test|invalid)(?:[/:?#]|$)))"
    r"([^/:?#\s]{1,300})\S{0,1000}",
    flags=re.IGNORECASE,
)
TEMPLATE = Pattern(r"\{\{|\$\{|\{[a-z_]{3,30}\}|%7B|<[a-z_]{3,30}>|\[[A-Z_]{4,30}\]|__[A-Z]{3,}__", flags=re.IGNORECASE)
NUMBERED = Pattern(r"(?:&#(?:x[0-9a-f]{1,6}|[0-9]{1,7});[ \t]?){3,}", "&#", flags=re.IGNORECASE)
GAP = Pattern(r"(?<![ \t\u00a0\u3000])[ \t\u00a0\u3000]{40,}+(?=\S)", " " * 40, "\t" * 10, "\u3000" * 10, "\u00a0" * 10)
MOST_BLANK_LINES = 10
PIPED = Pattern(
    r"\b(?:curl|wget|iwr|invoke-webrequest)\b[^\n|;]{0,300}\|\s{0,4}(?:sudo\s{1,4})?(?:ba|z|da|k)?sh\b|\b(?:ba|z)?sh\s{1,4}(?:-c\s{1,4})?[\"']?(?:<\(|\$\()\s{0,4}(?:curl|wget)\b|\biex\s{0,4}\(",
    "curl",
    "wget",
    "iwr",
    "iex",
    flags=re.IGNORECASE,
)


def scan_markup(marked: Marked, first_line: int, sheet: Sheet) -> None:
    """Report markup in a text; code is shown as it is, so it is left alone."""
    prose = marked.prose

    def say(rule: Rule, offset: int, message: str = "", subject: str = "") -> None:
        if not sheet.is_full(rule):
            line, column = position(prose, offset)
            sheet.add(rule, first_line + line - 1, column, message, subject=subject)

    _scan_html(prose, say)
    _scan_links(prose, say)
    for match in ADDRESS.finditer(prose):
        host = match[1].rpartition("@")[2].partition(":")[0]
        if (not host.isascii() and not _ends_early(host)) or host.lower().startswith("xn--") or ".xn--" in host.lower():
            say(ODD_HOST, match.start(1), f"the host name {ascii(host)[1:-1][:80]}", host)
    for match in NUMBERED.finditer(prose):
        say(ENTITIES, match.start(), "", match[0])
    _scan_gaps(prose, say)
    for match in PIPED.finditer(marked.text):
        line, column = position(marked.text, match.start())
        sheet.add(PIPED_SHELL, first_line + line - 1, column, subject=match[0])


def _ends_early(host: str) -> bool:
    """Say whether the host's ASCII part is a host by itself: Japanese text may follow an address without a space."""
    ascii_part = re.match(r"[A-Za-z0-9.-]*", host)
    head = ascii_part[0] if ascii_part else ""
    rest = host[len(head) :]
    return bool(re.search(r"\.[A-Za-z]{2,}$|^localhost$", head)) and not re.match(
        "[^\\W\\d_\u3000-\u9fff\uff00-\uffef]", rest
    )


def _scan_html(prose: str, say: _Say) -> None:
    last_end = prose.rfind("-->")
    for match in COMMENT.finditer(prose):
        end = prose.find("-->", match.end()) if match.end() <= last_end else -1
        inner = prose[match.end() : end if 0 <= end < match.end() + 200 else match.end() + 200].strip().lower()
        known = match[0] == "<!--" and KNOWN_COMMENTS.fullmatch(inner) and end >= 0
        if not known:
            say(HTML_COMMENT, match.start(), "", inner[:200])
    for match in TAG.finditer(prose):
        _judge_tag(match, say)


def _judge_tag(match: re.Match[str], say: _Say) -> None:
    name, attributes, tag = match[1].lower(), match[2].strip(" /"), match[0]
    closed, closing = tag.endswith(">"), tag.startswith("</")
    if closing or (not closed and not attributes):
        return
    acts = ATTRIBUTE.search(" " + attributes + " ") is not None
    if (
        name in ACTIVE
        or (attributes and name in ACTIVE_WITH_ATTRIBUTES and "=" in attributes)
        or (acts and (closed or name in HARMLESS))
    ):
        say(ACTIVE_HTML, match.start(), f"<{name}>: HTML that runs, loads, hides or styles something", tag)
    elif name in HIDING and closed and (name != "template" or attributes == ""):
        say(HIDING_HTML if name != "template" else UNKNOWN_TAG, match.start(), f"<{name}> hides what it holds", tag)
    elif closed and name not in HARMLESS and not _is_autolink(tag):
        say(UNKNOWN_TAG, match.start(), f"<{name}> is no HTML of a text", tag)


def _is_autolink(tag: str) -> bool:
    return "://" in tag or "@" in tag or tag.lower().startswith(("<http:", "<https:", "<mailto:"))


def _scan_links(prose: str, say: _Say) -> None:
    targets = {}
    for match in LINK_DEFINITION.finditer(prose):
        label, target, rest = match[1].strip(), match[2], match[3].strip()
        targets[label.casefold()] = target
        if label in ("//", "_", "comment", "#", "^_", "") or (target in ("#", "<>", "<#>") and rest):
            say(LINK_COMMENT, match.start(), "", match[0])
        else:
            _judge_target(target, match.start(2), say)
    seen: set[int] = set()
    for match in LINK.finditer(prose):
        seen.add(match.end(2))
        label = match[4] if match[4] is not None else ""
        target = match[3] if match[3] is not None else targets.get((label or match[2]).strip().casefold(), "")
        if match[1]:
            _judge_image(target, match.start(), say)
        else:
            _judge_target(target, match.start(), say)
            _judge_label(match[2], target, match.start(), say)
    for match in SHORT_IMAGE.finditer(prose):
        _judge_image(targets.get(match[1].strip().casefold(), ""), match.start(), say)
    _scan_odd_links(prose, seen, say)


def _scan_odd_links(prose: str, seen: set[int], say: _Say) -> None:
    """Judge links whose text holds brackets or line breaks, and addresses outside of links."""
    for match in TARGET.finditer(prose):
        if match.start() not in seen:
            is_image = "![" in prose[max(0, match.start() - 300) : match.start()]
            (_judge_image if is_image else _judge_target)(match[1], match.start(), say)
    for match in BARE.finditer(prose):
        if match.start() not in seen and prose[match.start() - 1 : match.start()] not in ("(", "<"):
            say(EXFILTRATING_LINK, match.start(), "an address with a blank to fill", match[0])


def _judge_target(target: str, offset: int, say: _Say) -> None:
    plain = re.sub(r"[\s\x00-\x20]", "", _unescaped(target)).lower()
    if plain.startswith(("javascript:", "vbscript:", "livescript:")) or (
        plain.startswith("data:")
        and not plain.startswith(("data:image/png", "data:image/jpeg", "data:image/gif", "data:image/webp"))
    ):
        say(SCRIPT_LINK, offset, f"a link to {plain.partition(':')[0]}:", target[:80])
    elif plain.startswith("file:"):
        say(FILE_LINK, offset, "", target)
    elif _is_remote(plain) and TEMPLATE.search(target):
        say(EXFILTRATING_LINK, offset, "", target)


def _judge_image(target: str, offset: int, say: _Say) -> None:
    plain = _unescaped(target).strip().lower()
    if not _is_remote(plain):
        _judge_target(target, offset, say)
    elif "?" in target or TEMPLATE.search(target) or not target.isascii():
        say(EXFILTRATING_IMAGE, offset, "", target)
    else:
        say(REMOTE_IMAGE, offset, "", target)


def _judge_label(label: str, target: str, offset: int, say: _Say) -> None:
    """Report a link whose text is an address of another host than its target's."""
    shown = HOST_LABEL.fullmatch(label.strip(" `*_"))
    real = re.match(r"(?:https?:)?//(?:[^@/\s]{0,200}@)?([^/:?#\s]{1,300})", target, re.IGNORECASE)
    if not shown or not real:
        return
    one, other = shown[1].lower().removeprefix("www."), real[1].lower().removeprefix("www.")
    if one != other and not other.endswith("." + one):
        say(LINK_MISMATCH, offset, f"the link says {one[:60]} and leads to {ascii(other)[1:-1][:60]}", one + other)


def _is_remote(target: str) -> bool:
    return target.startswith(("http:", "https:", "//", "ftp:"))


def _unescaped(text: str) -> str:
    if "&" in text or "%" in text:
        from html import unescape
        from urllib.parse import unquote

        return unquote(unescape(text))
    return text


def _scan_gaps(prose: str, say: _Say) -> None:
    for match in GAP.finditer(prose):
        start = prose.rfind("\n", 0, match.end()) + 1
        after = prose[match.end() : match.end() + 40].partition("\n")[0]
        if not any(map(str.isalpha, after)):
            continue
        if (
            not prose[start : match.end()].lstrip().startswith("|")
            and prose[match.end() : match.end() + 1] not in "|\x00"
        ):
            say(PUSHED_AWAY, match.end(), "text behind 40 or more blanks", after)
    blank, offset = 0, 0
    for line in prose.split("\n") if "\n\n\n" in prose or "\n " in prose or "\n\t" in prose else ():
        if line.strip():
            if blank >= MOST_BLANK_LINES and offset > blank:
                say(PUSHED_AWAY, offset, "text behind ten or more empty lines", line[:40])
            blank = 0
        else:
            blank += 1
        offset += len(line) + 1


if TYPE_CHECKING:
    from typing import Protocol

    class _Say(Protocol):
        def __call__(self, rule: Rule, offset: int, message: str = "", subject: str = "") -> None: ...
