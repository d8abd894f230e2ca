"""Markdown, as far as rules need it: what is code, and what is a statement."""

from __future__ import annotations

from brain.lint.pattern import Pattern
from brain.value import value

FENCE = Pattern(r" {0,3}(?P<fence>`{3,}|~{3,})(?P<rest>.*)")
TICKS = Pattern(r"`+")
HTML_BLOCK = Pattern(r" {0,3}</?[A-Za-z!?]", "<")
"""What begins a block of HTML, in which fences mean nothing up to the next empty line (CommonMark 0.31 §4.6)."""
HTML_TICK = "\x02"
"""Stands for a tick in such a block meanwhile: it begins no code there either."""
CODE_SIGN = "\x00"
"""What stands for a character of code: no rule matches it."""


@value
class Marked:
    """A body and its copy with code blanked out (each character of it is ``CODE_SIGN``, newlines stay).

    ``unclosed`` is the line, from 1, of a fence that nothing closes; 0 for none.
    """

    text: str
    prose: str
    unclosed: int = 0

    def is_code(self, offset: int) -> bool:
        """Say whether the character at ``offset`` is code."""
        return self.prose[offset : offset + 1] == CODE_SIGN


def mark_code(text: str) -> Marked:
    """Return ``text`` with its fenced and inline code marked (CommonMark 0.31 §4.5, §6.1)."""
    if "`" not in text and "~~~" not in text:
        return Marked(text, text)
    out: list[str] = []
    fence, opened = "", 0
    in_html = False
    for number, line in enumerate(text.split("\n"), 1):
        match = None if in_html else FENCE.match(line)
        if fence:
            closes = match and match["fence"].startswith(fence) and not match["rest"].strip()
            out.append(CODE_SIGN * len(line))
            fence = "" if closes else fence
        elif match and not ("`" in match["fence"] and "`" in match["rest"]):
            fence, opened = match["fence"], number
            out.append(CODE_SIGN * len(line))
        else:
            in_html = bool(line.strip()) and (in_html or HTML_BLOCK.match(line) is not None)
            out.append(line.replace("`", HTML_TICK) if in_html else line)
    return Marked(text, _blank_spans("\n".join(out)).replace(HTML_TICK, "`"), opened if fence else 0)


def _blank_spans(text: str) -> str:
    """Blank out `code spans`: a run of ticks up to the next run of the same length, within one paragraph."""
    if "`" not in text:
        return text
    runs = [(match.start(), match.end()) for match in TICKS.finditer(text)]
    escaped = {start for start, _ in runs if _backslashes(text, start) % 2}
    by_length: dict[int, list[int]] = {}
    for index, (start, end) in enumerate(runs):
        by_length.setdefault(end - start, []).append(index)
    pieces, at, index = [], 0, 0
    while index < len(runs):
        start, end = runs[index]
        if start in escaped:  # the sign after a backslash opens nothing; what it leaves of the run does
            if end - start == 1:
                index += 1
                continue
            start += 1
        same = by_length.get(end - start, [])
        while same and same[0] <= index:
            same.pop(0)
        close = same[0] if same else -1
        if close < 0 or "\n\n" in text[end : runs[close][0]]:
            index += 1
            continue
        stop = runs[close][1]
        span = text[start:stop]
        pieces.append(text[at:start])
        pieces.append("\n".join(CODE_SIGN * len(part) for part in span.split("\n")))
        at, index = stop, close + 1
    return "".join([*pieces, text[at:]])


def _backslashes(text: str, end: int) -> int:
    """Return how many backslashes stand right before an offset."""
    start = end
    while start and text[start - 1] == "\\":
        start -= 1
    return end - start
