"""Tables of Markdown and AsciiDoc, row by row, escaped bars and all."""

from __future__ import annotations

import re

from brain.sources.text import bare, without_code
from brain.value import value

RULE = re.compile(r"\s*\|?(?:\s*:?-+:?\s*\|)*\s*:?-+:?\s*\|?\s*$")
BAR = re.compile(r"(?<!\\)\|")
ADOC = re.compile(r"\|={3,}\s*$")


@value
class Table:
    """A table: what its columns are called, and its rows, all of as many cells, without markup."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def tables(text: str) -> list[Table]:
    """Return the tables of a text."""
    lines = without_code(text).split("\n")
    found = []
    at = 0
    while at < len(lines):
        if "|" in lines[at] and at + 1 < len(lines) and "-" in lines[at + 1] and RULE.match(lines[at + 1]):
            end = at + 2
            while end < len(lines) and "|" in lines[end]:
                end += 1
            found.append(_table([_cells(lines[at]), *map(_cells, lines[at + 2 : end])]))
            at = end
        elif ADOC.match(lines[at]):
            end = next((row for row in range(at + 1, len(lines)) if ADOC.match(lines[row])), len(lines))
            found += _adoc(lines[at + 1 : end])
            at = end + 1
        else:
            at += 1
    return [table for table in found if len(table.header) > 1 and table.rows]


def _cells(line: str) -> list[str]:
    line = line.strip()
    line = line.removeprefix("|")
    line = line[:-1] if line.endswith("|") and not line.endswith("\\|") else line
    return [bare(re.sub(r"<br\s*/?>", " ", cell.replace("\\|", "|"))) for cell in BAR.split(line)]


def _adoc(lines: list[str]) -> list[Table]:
    """Return an AsciiDoc table whose first line has the header, and whose cells each begin with a bar."""
    rows = [line for line in lines if line.strip()]
    header = _cells(rows[0]) if rows else []
    cells = [cell for line in rows[1:] for cell in _cells(line)]
    size = len(header)
    return [_table([header, *(cells[at : at + size] for at in range(0, len(cells), size))])] if size > 1 else []


def _table(rows: list[list[str]]) -> Table:
    size = len(rows[0])
    return Table(tuple(rows[0]), tuple(tuple((row + [""] * size)[:size]) for row in rows[1:] if any(row)))
