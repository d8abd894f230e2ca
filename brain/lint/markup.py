"""Markup that acts, hides, or sends: HTML, links, commands, entities, blank space (lint/facts.md §4)."""

from __future__ import annotations

from brain.lint.drawn import scan_drawn
from brain.lint.finding import ERROR, WARNING, Rule
from brain.lint.folded import position
from brain.lint.links import scan_links
from brain.lint.pattern import Pattern
from brain.lint.phrases import RUNS_DOWNLOAD, SENDS_SECRETS
from brain.lint.tables import scan_tables
from brain.lint.tags import NOT_SHOWN, NOT_WORDS, scan_html
from brain.text import count_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from brain.lint.finding import Sheet
    from brain.lint.markdown import Marked
    from brain.lint.tags import Say

ENTITIES = Rule(
    "M631", "entity-encoded", ERROR, "letters written as numbered entities",
    "A scan sees numbers, a reader words.", "write the letters",
)  # fmt: skip
PUSHED_AWAY = Rule(
    "M632", "pushed-out-of-sight", ERROR, "text behind a wide gap",
    "It is out of the reviewer's window, not out of the assistant's.", "take the blank space out",
)  # fmt: skip
PIPED_SHELL = Rule(
    "M634", "piped-shell", WARNING, "a download that is run at once",
    "What it runs can change any day.", "pin a version, and check it before it runs",
)  # fmt: skip
SENDING = Rule(
    "M636", "sending-command", WARNING, "a command that sends what the machine keeps to itself, or opens it",
    "Whoever runs it gives keys, names or the next command away.", "name what is sent, and where it is allowed to go",
)  # fmt: skip

NUMBERED = Pattern(
    r"(?:&#(?:x[0-9A-Fa-f]{1,6}|X[0-9A-Fa-f]{1,6}|[0-9]{1,7});(?:[ \t]|[*~_]{1,2}|</?[a-z]{1,6}>)?){3,}"
    r"|(?:&[A-Za-z](?:fr|scr|opf);[ \t]?){3,}",
    "&",
)
_BLANKS = " \t\u00a0\u3000\u2000-\u200a\u202f\u205f"
WIDE = tuple(sign * 10 for sign in "\t\u00a0\u3000\u2002\u2003\u2009\u202f")
GAP = Pattern(rf"(?<![{_BLANKS}])[{_BLANKS}]{{40,}}+(?=\S)", " " * 40, *WIDE)
_SIGNS = "[.─━_=~·・-]"
FILLED_GAP = Pattern(
    r"(?<![ \t])(?:[ \t]{20,}+[^\w\s|]{1,3}+){2,20}+[ \t]{0,200}[^\W\d_]{2}"
    rf"|(?<!{_SIGNS})(?<!{_SIGNS}[ \t])({_SIGNS})(?:[ \t]?\1){{79,}}+[^\n]{{0,40}}?[^\W\d_]{{2}}",
    " " * 20, *(sign * 3 for sign in _SIGNS[1:-1]), *(f"{sign} {sign} " for sign in _SIGNS[1:-1]),
)  # fmt: skip
"""A sign again and again, and words behind it."""
CODE_GAP, SIGN_LINES = 80, 30
"""Blanks in a line of code behind which text is out of sight, and lines of nothing but signs."""
TAGS = Pattern(r"<[^<>\n]{1,40}>", "<")
WRITTEN_GAP = Pattern(
    r"(?:(?:&(?:nbsp|ensp|emsp|thinsp|Tab|NewLine|#160|#x[aA]0|#819[4-6]);|<(?:br|BR|wbr|WBR)\s{0,4}/?>)\s{0,4}){12,}+(?=[^\s&<])",
    "&",
    "<br",
    "<BR",
    "<wbr",
    "<WBR",
)
"""Blanks and line breaks by name."""
EMPTY_LINE = Pattern(r"\n[ \t>\\]", "\n ", "\n\t", "\n>", "\n\\")
MOST_BLANK_LINES = 10
INFO_WORDS = 3
"""Words behind a fence, which no page shows, besides the language and ``name=value``."""
MOST_INFO = 8
"""Words of all that stands there, those of names and values too."""
INSTALLERS = (
    "sh.rustup.rs", "get.docker.com", "deb.nodesource.com", "rpm.nodesource.com", "install.python-poetry.org",
    "astral.sh/", "get.pnpm.io", "bun.sh/", "get.sdkman.io", "raw.githubusercontent.com/nvm-sh/nvm/",
)  # fmt: skip
"""What everybody installs that way, because its makers say so."""


def scan_markup(marked: Marked, first_line: int, sheet: Sheet) -> None:
    """Report markup in a text; code is shown as it is, so it is left alone."""
    text, prose = marked.text, marked.prose

    def say(rule: Rule, offset: int, message: str = "", subject: str = "", severity: str = "") -> None:
        if not sheet.is_full(rule):
            line, column = position(text, offset)
            sheet.add(rule, first_line + line - 1, column, message, subject=subject, severity=severity)

    scan_html(prose, say)
    scan_links(marked, say)
    scan_tables(marked, say)
    for match in NUMBERED.finditer(prose):
        say(ENTITIES, match.start(), "", match[0])
    for offset, what in _gaps(marked):
        say(PUSHED_AWAY, offset, f"text behind {what}", text[offset : offset + 40].partition("\n")[0])
    _scan_fences(marked, say)
    if "$" in text or marked.infos or "include" in text:
        scan_drawn(marked, say)
    _scan_commands(text, say)


def _scan_fences(marked: Marked, say: Say) -> None:
    """Report what stands behind fences, which no page shows."""
    for offset, info in marked.infos:
        said = " ".join(word for word in info.split() if "=" not in word)
        if count_words(said) > INFO_WORDS or count_words(NOT_WORDS.sub(" ", info)) > MOST_INFO:
            say(NOT_SHOWN, offset, "text behind a code fence", info)


def _scan_commands(text: str, say: Say) -> None:
    for match in RUNS_DOWNLOAD.finditer(text):
        if not any(f"https://{known}" in match[0] for known in INSTALLERS):
            say(PIPED_SHELL, match.start(), "", match[0])
    for match in SENDS_SECRETS.finditer(text):
        say(SENDING, match.start(), "", match[0])


def _gaps(marked: Marked) -> Iterator[tuple[int, str]]:
    """Yield where text stands behind a gap, and behind which."""
    prose = marked.prose
    for match in GAP.finditer(marked.text):
        code = marked.is_code(match.start())
        start = marked.text.rfind("\n", 0, match.end()) + 1
        after = marked.text[match.end() : match.end() + 40].partition("\n")[0]
        in_table = marked.text[start : match.end()].lstrip().startswith("|") or after[:1] == "|"
        wide = len(match[0]) >= CODE_GAP if code else not in_table and prose[match.end()] != "\x00"
        if wide and any(map(str.isalpha, after)):
            yield match.end(), f"{CODE_GAP if code else 40} or more blanks"
    for match in FILLED_GAP.finditer(marked.text):
        yield match.start(), "a line of signs"
    yield from _after_signs(marked.text)
    for match in WRITTEN_GAP.finditer(prose):
        yield match.end(), "blanks and line breaks by name"
    blank, offset = 0, 0
    for line in prose.split("\n") if "\n\n\n" in prose or EMPTY_LINE.search(prose) else ():
        if line.strip(" \t>\\"):
            if blank >= MOST_BLANK_LINES and offset > blank:
                yield offset, "ten or more empty lines"
            blank = 0
        else:
            blank += 1
        offset += len(line) + 1


def _after_signs(text: str) -> Iterator[tuple[int, str]]:
    """Yield where words stand after many lines without any."""
    if text.count("\n") < SIGN_LINES:
        return
    count = offset = 0
    for line in text.split("\n"):
        if any(map(str.isalnum, TAGS.sub("", line))):
            if count >= SIGN_LINES:
                yield offset, f"{SIGN_LINES} or more lines without a word"
            count = 0
        else:
            count += 1
        offset += len(line) + 1
