"""Tables: a page drops the cells of a row that stand behind its head's last column (GFM 0.29 §4.10)."""

from __future__ import annotations

from brain.lint.finding import WARNING
from brain.lint.markdown import CELL_END, DELIMITERS
from brain.lint.tags import NOT_SHOWN
from brain.lint.words import gives_orders
from brain.text import count_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from brain.lint.markdown import Marked
    from brain.lint.tags import Say

MOST_WORDS = 2
"""Words behind the last column that a pipe too many may leave there; one in code may leave more."""


def scan_tables(marked: Marked, say: Say) -> None:
    """Report what stands behind the last column of tables."""
    if "|" not in marked.prose or "-" not in marked.prose:
        return
    columns = offset = 0
    for line in marked.text.split("\n"):
        if not line.strip(" >") or marked.is_code(offset):
            columns = 0
        elif DELIMITERS.match(line) and "|" in line:
            columns = len(_cells(line))
        elif columns:
            cells = _cells(line)
            behind = "|".join(cells[columns:])
            words, in_code = count_words(behind), any(cell.count("`") % 2 for cell in cells)
            if words:
                severe = (words > MOST_WORDS and not in_code) or gives_orders(behind)
                say(NOT_SHOWN, offset, "a cell behind the table's last column", behind, "" if severe else WARNING)
        offset += len(line) + 1


def _cells(line: str) -> list[str]:
    row = line.strip(" \t>").removeprefix("|")
    return CELL_END.compiled.split(row.removesuffix("|") if not row.endswith("\\|") else row)
