"""Markdown, as far as rules need it: what is code, and what is a statement.

Code here is what a renderer makes code of (CommonMark 0.31 with GFM's tables). Where that would need the whole of a
parser it counts as prose, which the rules look at.
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import accumulate

from brain.lint.pattern import Pattern
from brain.value import value

FENCE = Pattern(r"(?P<fence>`{3,}|~{3,})(?P<rest>.*)")
_ADDRESS = r"\[[^\[\]`]{0,300}\]\(https?://[^\s()<>`]*+\)|(?:(?:https?|ftp)://|www\.)[^\s<]*+"
"""A plain link, or an address, which goes on up to the next blank."""
TICKS = Pattern(rf"\\.|`+|{_ADDRESS}", "`")
ITEM = Pattern(r"(?:[-+*]|(\d{1,9})[.)])(?= |$)")
RULER = Pattern(r"(?:\*[ ]*){3,}$|(?:_[ ]*){3,}$|(?:-[ ]*){3,}$")
HEADING = Pattern(r"#{1,6}(?: |$)", "#")
UNDERLINE = Pattern(r"(?:=+|-+) *$")
DELIMITERS = Pattern(r"[ >]*+\|?[ \t]*+:?-++:?[ \t]*+(?:\|[ \t]*+:?-++:?[ \t]*+)*+\|?[ \t]*+$", "-")
CELL_END = Pattern(r"(?<!\\)\|")
HTML_ENDS = (
    (Pattern(r"<(?:pre|script|style|textarea)(?=[\s>]|$)"), Pattern(r"</(?:pre|script|style|textarea)>")),
    (Pattern(r"<!--"), Pattern(r"-->")), (Pattern(r"<\?"), Pattern(r"\?>")), (Pattern(r"<![a-z]"), Pattern(r">")),
    (Pattern(r"<!\[cdata\["), Pattern(r"\]\]>")),
)  # fmt: skip
"""What begins a block of HTML, and what ends it, in lower case (§4.6, 1–5)."""
HTML_BLOCK = Pattern(
    r"</?(?:address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl"
    r"|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main"
    r"|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title"
    r"|tr|track|ul|source)(?=[\s>]|/>|$)"
)
"""What begins a block of HTML that an empty line ends (§4.6, 6)."""
_ATTRIBUTES = r"(?:\s+[A-Za-z_:][\w.:-]*+(?:\s*=\s*(?:[^\s\"'=<>`]+|'[^']*'|\"[^\"]*\"))?)*+\s*"
_TAG = rf"<[A-Za-z][A-Za-z0-9-]*+{_ATTRIBUTES}/?>|</[A-Za-z][A-Za-z0-9-]*+\s*>"
LONE_TAG = Pattern(rf"(?:{_TAG})\s*$")
"""A tag alone on its line, which begins one where no paragraph stands before (§4.6, 7)."""
TOKEN = Pattern(rf"\\.|`+|{_TAG}|{_ADDRESS}|<[A-Za-z][A-Za-z0-9+.-]{{1,31}}:[^<>\s]*+>")
"""What binds as tightly as code, and holds no code where it comes first (§6.1, §6.5, §6.6); comments block anyway."""
RUN = Pattern(r"`+")
NOT_NEWLINE = Pattern(r"[^\n]")
TARGET = Pattern(r"\]\(|\]\[[^\]`]*`[^\]]*\]", "](", "][")
DESTINATION = Pattern(r"\s*(<[^<>\n]*>)?")
TITLE = Pattern(r"(?:\s+(?:\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|\((?:[^()\\]|\\.)*\)))?\s*\)")
DEFINITION = Pattern(r"[ >]*\[[^\]\n]+\]:", "]:")
CODE_SIGN = "\x00"
"""What stands for a character of code: no rule matches it."""
MOST_PARENTHESES = 32
"""Those that may be open in a target (§6.3)."""
MOST_TARGETS, MOST_TARGET = 100, 2000
"""Links of a paragraph, and characters of their target and title, that are looked through for a tick."""


@value
class Marked:
    """A body and its copy with code blanked out (each character of it is ``CODE_SIGN``, newlines stay).

    ``unclosed`` is the line, from 1, of a fence that nothing closes; 0 for none. ``infos`` is for each fence the offset
    of its line, and what stands behind it there.
    """

    text: str
    prose: str
    unclosed: int = 0
    infos: tuple[tuple[int, str], ...] = ()

    def is_code(self, offset: int) -> bool:
        """Say whether the character at ``offset`` is code."""
        return self.prose[offset : offset + 1] == CODE_SIGN


def mark_code(text: str) -> Marked:
    """Return ``text`` with its fenced and inline code marked (CommonMark 0.31 §4.5, §6.1)."""
    if "`" not in text and "~~~" not in text:
        return Marked(text, text)
    reader = _Reader()
    for line in text.split("\n"):
        reader.take(line)
    reader.end_block()
    starts = [0, *accumulate(len(line) + 1 for line in reader.out)]
    infos = tuple((starts[number - 1], info) for number, info in reader.infos)
    return Marked(text, "\n".join(reader.out), reader.infos[-1][0] if reader.fence else 0, infos)


QUOTE = -1
"""Stands for a quote among containers; an item or a footnote is the number of columns before its content."""
FOOTNOTE = 4


class _Reader:
    """Takes lines in; ``out`` has them with code blanked out.

    ``containers`` are the quotes and items that are open, the outermost first, ``block`` the lines of the paragraph
    that is open, ``fence`` and ``html_end`` what ends the code or HTML that is. ``bare`` says that the line before
    began an item and no more.
    """

    def __init__(self) -> None:
        self.out: list[str] = []
        self.block: list[str] = []
        self.infos: list[tuple[int, str]] = []
        self.containers: list[int] = []
        self.fence = ""
        self.html_end: Pattern | None = None
        self.in_html = self.bare = False

    def take(self, line: str) -> None:
        """Take the next line in."""
        rest = line.expandtabs(4)
        if self.bare and not rest.strip(" >"):
            self.containers.pop()
        self.bare = False
        matched = 0
        for container in self.containers:
            inner = _inside(rest, container)
            if inner is None:
                break
            rest, matched = inner, matched + 1
        if matched < len(self.containers):
            self.fence, self.in_html = "", False
        if self.fence:
            self._take_code(line, rest)
        elif self.in_html:
            self.out.append(line)
            self.in_html = not self.html_end.search(rest.lower()) if self.html_end else rest.strip() != ""
        else:
            self._take_leaf(line, *self._enter(rest, matched))

    def _take_code(self, line: str, rest: str) -> None:
        self.out.append(CODE_SIGN * len(line))
        match = FENCE.match(rest.strip(" ")) if _indent(rest) < 4 else None
        if match and match["fence"].startswith(self.fence) and not match["rest"].strip():
            self.fence = ""

    def _enter(self, rest: str, matched: int) -> tuple[str, int]:
        """Enter the quotes and items that a line begins; return what stands in them, and how many it stands in."""
        goes_on = bool(self.block) and matched == len(self.containers)
        while _indent(rest) < 4 and rest.strip():
            begun = _begin(rest, goes_on=goes_on)
            if begun is None:
                break
            self._start(matched)
            container, rest = begun
            self.containers.append(container)
            self.bare = container > 0 and not rest.strip()
            matched, goes_on = matched + 1, False
        return rest, matched

    def _take_leaf(self, line: str, rest: str, matched: int) -> None:
        near, lazy = rest.lstrip(" "), matched < len(self.containers)
        fence = FENCE.match(near) if near[:1] in ("`", "~") and _indent(rest) < 4 else None
        if not near:
            self._start(matched)
            self.out.append(line)
        elif _indent(rest) >= 4:
            if self.block:
                self.block.append(line)
            else:  # indented code: ticks in it begin none
                self._start(matched)
                self.out.append(line)
        elif fence and not ("`" in fence["fence"] and "`" in fence["rest"]):
            self._start(matched)
            self.fence = fence["fence"]
            self.infos.append((len(self.out) + 1, fence["rest"].strip()))
            self.out.append(CODE_SIGN * len(line))
        elif near[0] == "<" and self._begins_html(near, matched):
            self.out.append(line)
        elif HEADING.match(near) or (self.block and not lazy and UNDERLINE.match(near)) or RULER.match(near):
            self._start(matched)
            self.out.append(_blank_spans(line))
        else:
            if not self.block:
                self._start(matched)
            self.block.append(line)

    def _begins_html(self, near: str, matched: int) -> bool:
        low, goes_on = near.lower(), self.block and matched == len(self.containers)
        end = next((end for start, end in HTML_ENDS if start.match(low)), None)
        if end is None and not HTML_BLOCK.match(low) and (goes_on or not LONE_TAG.match(near)):
            return False
        self._start(matched)
        self.html_end, self.in_html = end, end is None or not end.search(low)
        return True

    def _start(self, matched: int) -> None:
        """Begin another block in the first ``matched`` containers."""
        self.end_block()
        del self.containers[matched:]

    def end_block(self) -> None:
        """End the paragraph or table that is open."""
        if self.block:
            self.out += _blank_paragraph(self.block)
            self.block = []


def _indent(rest: str) -> int:
    return len(rest) - len(rest.lstrip(" "))


def _inside(rest: str, container: int) -> str | None:
    """Return what of a line stands in an open container, None where it stands outside."""
    if container == QUOTE:
        near = rest.lstrip(" ")
        return near[1:].removeprefix(" ") if near[:1] == ">" and _indent(rest) < 4 else None
    if not rest.strip():
        return ""
    return rest[container:] if _indent(rest) >= container else None


def _begin(rest: str, *, goes_on: bool) -> tuple[int, str] | None:
    """Return the container that a line begins, and what stands in it; None for none.

    ``goes_on`` says that a paragraph is open there, which not every item ends.
    """
    near, indent = rest.lstrip(" "), _indent(rest)
    if near[0] == ">":
        return QUOTE, near[1:].removeprefix(" ")
    if near.startswith("[^"):
        label, closed, after = near.partition("]:")
        return (FOOTNOTE, after.lstrip(" ")) if closed and len(label) > 2 and " " not in label else None
    item = ITEM.match(near)
    if item is None or RULER.match(near):
        return None
    after = near[item.end() :]
    if goes_on and (not after.strip() or item[1] not in (None, "1")):
        return None
    blanks = _indent(after) if 0 < _indent(after) < 5 and after.strip() else 1
    return indent + item.end() + blanks, after[blanks:]


def _blank_paragraph(lines: list[str]) -> list[str]:
    """Blank out code in a paragraph; in a table, what is code within its cells."""
    whole = _blank_spans("\n".join(lines)).split("\n")
    head = next((number for number, line in enumerate(lines[1:]) if DELIMITERS.match(line) and "|" in line), -1)
    if head < 0 or CODE_SIGN not in "".join(whole):
        return whole
    above = _blank_spans("\n".join(lines[:head])).split("\n") if head else []
    cells = ["|".join(map(_blank_spans, CELL_END.compiled.split(line))) for line in lines[head:]]
    return [
        "".join(one if one == other else sign for one, other, sign in zip(*rows, strict=True))
        for rows in zip(whole, [*above, *cells], lines, strict=True)
    ]


def _blank_spans(text: str) -> str:
    """Blank out `code spans`: a run of ticks up to the next run of the same length.

    Where a run has no end, or stands in an address, renderers differ over the others: all of it is prose then.
    """
    if "`" not in text or _has_tick_in_target(text):
        return text
    ends: dict[int, list[int]] = {}
    for match in RUN.finditer(text):
        ends.setdefault(match.end() - match.start(), []).append(match.end())
    pattern = (TOKEN if "<" in text else TICKS).compiled
    pieces, done, at = [], 0, 0
    while token := pattern.search(text, at):
        at = token.end()
        if token[0][0] == "`":
            length = at - token.start()
            later = ends.get(length, [])
            number = bisect_left(later, at + length)
            if number == len(later):
                return text
            at = later[number]
            pieces += [text[done : token.start()], NOT_NEWLINE.sub(CODE_SIGN, text[token.start() : at])]
            done = at
        elif token[0][0] not in "\\<" and "`" in token[0]:
            return text
    return "".join([*pieces, text[done:]])


def _has_tick_in_target(text: str) -> bool:
    """Say whether a tick may stand in a link's target or title, or in a definition, where it begins no code."""
    if DEFINITION.match(text):
        return True
    for number, match in enumerate(TARGET.finditer(text)):
        tick = text.find("`", match.end(), match.end() + MOST_TARGET)
        if number > MOST_TARGETS or match[0] != "](" or (tick >= 0 and tick < _target_end(text, match.end())):
            return True
    return False


def _target_end(text: str, start: int) -> int:
    """Return where the target and title that begin at ``start`` end; ``start`` where there are none."""
    match = DESTINATION.compiled.match(text, start, start + MOST_TARGET)
    if match is None:
        return start
    at, depth = match.end(), 0
    while match[1] is None and at < len(text) and not text[at].isspace() and (text[at] != ")" or depth):
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        if depth > MOST_PARENTHESES:
            return start
        at += 2 if text[at] == "\\" else 1
    end = TITLE.compiled.match(text, at, start + MOST_TARGET)
    return end.end() if end else start
