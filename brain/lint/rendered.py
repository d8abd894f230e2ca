r"""A text as a page shows it, where that joins what stands apart in the file: ``glpat\-…``, ``tanaka&#64;…``.

Only lines in which a mark stands within a word are rendered; all others are empty, for the text as written says what
they say. Code is shown as it is written, and stays out.
"""

from __future__ import annotations

from brain.lint.folded import Folded
from brain.lint.markdown import CODE_SIGN
from brain.lint.pattern import Pattern
from brain.text import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from brain.lint.markdown import Marked

MARK = Pattern(
    r"&#?[A-Za-z0-9]{1,31};|(?<=[A-Za-z0-9_.@/=+-])(?:\*{1,3}|~~|(?:</?[A-Za-z][^<>\n]{0,80}>){1,4})(?=[A-Za-z0-9_.@/=+-])"
    r"|\\(?=[!-/:-@\[-`{-~])|%[2-7][0-9A-Fa-f]"
    r"|(?<=[A-Za-z0-9_-])(?:!?\]\([^()\s]{0,200}\)\[?|\[(?=[A-Za-z0-9_-])|!\[\]\([^()\s]{0,200}\)|\[\^\w{1,20}\]|:[+-]?\w{1,20}:)(?=[A-Za-z0-9_-])",
    "&", "*", "~~", "<", "\\", "%", "](", "[^", ":+",
)  # fmt: skip
"""A character's name or number; emphasis, tags, a link or a footnote within a word; an escape, a byte in an address."""


class Rendered(Folded):
    """The lines of a text that a page shows otherwise than they are written, folded, at their place in the file."""

    def __init__(self, lines: dict[int, tuple[str, list[int]]], count: int, line: int) -> None:
        super().__init__("\n".join(lines[number][0] if number in lines else "" for number in range(count)), line)
        self._columns = {line + number: starts for number, (_, starts) in lines.items()}

    def at(self, offset: int) -> tuple[int, int]:
        """Return line and column, in the file, of an offset into the folded text."""
        line, column = super().at(offset)
        starts = self._columns.get(line, [])
        return line, starts[min(column, len(starts)) - 1] + 1 if starts else column


def render(marked: Marked, line: int = 1) -> Rendered | None:
    """Return what a page joins of a text that begins at ``line`` of its file, None where it joins nothing."""
    if not MARK.may_match(marked.prose):
        return None
    rows = marked.prose.replace(CODE_SIGN, " ").split("\n")
    changed = {number: found for number, row in enumerate(rows) if (found := _render_line(row)) is not None}
    return Rendered(changed, len(rows), line) if changed else None


def _render_line(row: str) -> tuple[str, list[int]] | None:
    """Return a line without its marks, and the column of each character left; None where no word is joined."""
    pieces: list[str] = []
    starts: list[int] = []
    at = 0
    for match in MARK.finditer(row):
        shown = _shown(match[0])
        if shown == match[0]:
            continue
        pieces += (row[at : match.start()], shown)
        starts += (*range(at, match.start()), *[match.start()] * len(shown))
        at = match.end()
    if not at:
        return None
    return "".join((*pieces, row[at:])), [*starts, *range(at, len(row))]


def _shown(mark: str) -> str:
    """Return what a page shows for a mark."""
    if mark[0] == "&":
        from html import unescape  # two thousand names: few texts have one

        return unescape(mark).replace("\n", " ")
    return chr(int(mark[1:], 16)) if mark[0] == "%" else ""


def hidden_by_name(marked: Marked, line: int = 1) -> Iterator[tuple[int, int, str]]:
    """Yield line, column and character where a page gets a character that nobody sees by its name or number."""
    for match in MARK.finditer(marked.prose):
        shown = _shown(match[0]) if match[0][0] == "&" else ""
        if shown and not shown.isascii() and not visible(shown):
            start = marked.prose.rfind("\n", 0, match.start()) + 1
            yield line + marked.prose.count("\n", 0, start), match.start() - start + 1, shown
