"""HTML in markdown: what acts, what hides, and what no page shows though it stands in the file (lint/facts.md §4)."""

from __future__ import annotations

import re

from brain.lint.finding import ERROR, WARNING, Rule
from brain.lint.pattern import Pattern
from brain.text import count_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    class Say(Protocol):
        """Reports a rule at an offset of the text."""

        def __call__(self, rule: Rule, offset: int, message: str = "", subject: str = "", severity: str = "") -> None:
            """Report it."""


HTML_COMMENT = Rule(
    "M620", "html-comment", ERROR, "an HTML comment",
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
NOT_SHOWN = Rule(
    "M635", "not-shown", ERROR, "text that no page shows",
    "Reviewers do not see it in the rendered page, assistants read it.", "say it in the text, or not at all",
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
HIDING = frozenset(("details", "noframes", "noembed", "noscript"))
NEVER_SHOWN = frozenset(
    "annotation audio canvas datalist defs desc dialog map metadata meter optgroup option progress rp select template"
    " textarea title video".split()
)
"""Tags between which a page shows nothing, or not at first; in prose some are names of blanks to fill."""
HARMLESS = frozenset(
    "a abbr address article aside b bdi blockquote br caption center cite code col colgroup dd del dfn div dl dt em"
    " figcaption figure font footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li main mark nav ol p pre q rp rt ruby s"
    " samp section small span strike strong sub sup table tbody td tfoot th thead time tr tt u ul var wbr"
    " summary".split()
)
SHOWN = frozenset(
    "align alt border cellpadding cellspacing cite class colspan datetime dir height href id lang name open rel rowspan"
    " scope span src start target title type valign value width".split()
)
"""Attributes of text; what others hold is text that nobody sees."""
NOT_WORDS = Pattern(r"[\W\d_]+")
NAMING = frozenset(("class", "href", "id", "name", "src", "cite"))
MOST_WORDS, MOST_BLANK_WORDS, MOST_CLASS_WORDS = 3, 6, 8
"""Words of an attribute's value, and of what looks like the name of a blank to fill."""
COMMENT = Pattern(r"<!--|<!\[CDATA\[|<![A-Za-z]|<\?", "<!", "<?")
MARK_ENDS = {"<!-": "-->", "<![": "]]>", "<?": "?>"}
TAG = Pattern(
    r"</?([A-Za-z][A-Za-z0-9:_-]{0,40})(?:([\s/](?:[^<>\"']|\"[^\"]{0,1000}\"|'[^']{0,1000}')*+)>|((?:[\s/][^<>]{0,2000})?)>?)",
    "<",
)
ATTRIBUTE = Pattern(
    r"[\s/\"'](on[a-z]{3,20}|style|hidden|src|srcset|srcdoc|formaction|xlink:href|background|aria-hidden|color|bgcolor|opacity|ping)\s*(?:=|[\s/]|$)",
    flags=re.IGNORECASE,
)
PAIR = Pattern(r"([^\s\"'<>/=]+)(?:\s*=\s*(\"[^\"]*\"|'[^']*'|[^\s\"'=<>]+))?")
GLUED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/-_.:=@")
"""What stands right before a type's parameter, or a blank within a path or a name."""


SMALL = Pattern(r"(?:<(?:sub|sup|small)>\s{0,4}(?:<(?:b|i|em|u)>|[*~]{1,2})?\s{0,4}){3,}", "<s")
UNSEEN_CLASS = Pattern(
    r"(?:^|\s)!?(?:gl-)?(?:hidden|hide|collapse|invisible|sr-only|visually-hidden|d-none|opacity-0)(?:\s|$)"
)


def scan_html(prose: str, say: Say) -> None:
    """Report comments and tags in a text without its code."""
    for match in COMMENT.finditer(prose):
        _judge_mark(prose, match, say)
    for match in SMALL.finditer(prose.lower()):
        say(HIDING_HTML, match.start(), "text too small to read", match[0])
    for match in TAG.finditer(prose):
        _judge_tag(prose, match, say)


def _judge_mark(prose: str, match: re.Match[str], say: Say) -> None:
    """Judge a comment, an instruction or a declaration; all but the first end somewhere, or are none."""
    is_comment = match[0] == "<!--"
    sign = MARK_ENDS.get(match[0][:3], ">")
    end = prose.find(sign, match.end(), match.end() + 2000)
    starts_line = not prose[prose.rfind("\n", 0, match.start()) + 1 : match.start()].strip(" >")
    inner = prose[match.end() : end if 0 <= end < match.end() + 200 else match.end() + 200].strip().lower()
    known = end >= 0 and (
        KNOWN_COMMENTS.fullmatch(inner) if is_comment else match[0][-1:].lower() + inner == "doctype html"
    )
    if not known and (is_comment or ((end >= 0 or starts_line) and any(map(str.isalpha, match[0] + inner)))):
        say(HTML_COMMENT, match.start(), "", inner[:200])


def _judge_tag(prose: str, match: re.Match[str], say: Say) -> None:
    name, attributes, tag = match[1].lower(), (match[2] or match[3] or "").strip(" /"), match[0]
    closed, closing = tag.endswith(">"), tag.startswith("</")
    at = match.start()
    if closing:
        if attributes and any(map(str.isalpha, attributes)):
            say(NOT_SHOWN, at, "text in a closing tag", tag)
        return
    if not closed and not attributes:
        return
    acts = ATTRIBUTE.search(" " + attributes + " ") is not None
    if (
        name in ACTIVE
        or (attributes and name in ACTIVE_WITH_ATTRIBUTES and "=" in attributes)
        or (acts and (closed or name in HARMLESS))
    ):
        say(ACTIVE_HTML, at, f"<{name}>: HTML that runs, loads, hides or styles something", tag)
    elif (name in HIDING and closed) or (name in NEVER_SHOWN and closed and _holds_words(prose, name, match.end())):
        say(HIDING_HTML, at, f"<{name}> hides what it holds", tag)
    elif name in HARMLESS and (closed or _starts_line(prose, at)):
        for key in _unseen(attributes):
            say(NOT_SHOWN, at, f"{key[:40]} in <{name}> holds text that no page shows", tag)
            break
    elif closed and name not in HARMLESS and not _is_autolink(tag):
        _judge_unknown(prose, match, name, attributes, say)


def _judge_unknown(prose: str, match: re.Match[str], name: str, attributes: str, say: Say) -> None:
    """Judge a tag that is none: a page drops it with all its attributes."""
    at = match.start()
    if count_words(attributes) > MOST_BLANK_WORDS:
        say(NOT_SHOWN, at, f"<{name}>: a page drops all of it", match[0])
    elif not at or prose[at - 1] not in GLUED:
        say(UNKNOWN_TAG, at, f"<{name}> is no HTML of a text", match[0])


def _holds_words(prose: str, name: str, start: int) -> bool:
    end = prose.lower().find(f"</{name}", start, start + 2000)
    return end > 0 and sum(map(str.isalpha, prose[start:end])) > 1


def _starts_line(prose: str, at: int) -> bool:
    return not prose[prose.rfind("\n", 0, at) + 1 : at].strip(" >")


def _unseen(attributes: str) -> list[str]:
    """Return the attributes that hold text which no page shows."""
    found = []
    for match in PAIR.finditer(attributes):
        key, text = match[1].lower(), (match[2] or "").strip("\"'")
        words = text if key in NAMING else text.replace("-", " ").replace("_", " ")
        said = key in ("id", "name", "href") and count_words(NOT_WORDS.sub(" ", text)) > MOST_BLANK_WORDS
        nothing = said and not text.startswith(("http", "/", "#", "."))
        nothing = nothing or (key in ("class", "cite") and count_words(NOT_WORDS.sub(" ", text)) > MOST_CLASS_WORDS)
        nothing = nothing or (key in ("width", "height") and text.strip(" px%") in ("", "0", "1"))
        nothing = nothing or (key == "class" and UNSEEN_CLASS.search(text) is not None)
        if nothing or key not in SHOWN or count_words(words) > MOST_WORDS:
            found.append(key)
    return found


def _is_autolink(tag: str) -> bool:
    return "://" in tag or "@" in tag or tag.lower().startswith(("<http:", "<https:", "<mailto:"))
