"""Tables and texts of the pages."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MADE = "Made from the code by `python -m tests.docs`; do not edit it by hand."


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table; what would end a cell is escaped."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "".join("| " + " | ".join(map(cell, line)) + " |\n" for line in lines)


def cell(text: str) -> str:
    """Return a text as a cell takes it."""
    return text.replace("|", "\\|").replace("\n", " ").strip()


def code(text: str) -> str:
    """Return a text as code, "" for none."""
    return f"`{text}`" if text else ""


def sentence(docstring: str | None) -> str:
    """Return a docstring's first paragraph as a page says it: one line, code marked, no number of a chapter."""
    first = " ".join((docstring or "").split("\n\n")[0].split())
    plain = re.sub(r"\s*\((?:SPEC|STYLE)[^)]*\)|(?<=[,;:]) (?:SPEC|STYLE) §[\d.]+", "", first)
    return plain.replace("``", "`")
