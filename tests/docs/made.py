"""Which pages, and which parts of pages, are made from the code."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from brain.lint.reference import render_reference
from tests.docs import options, packages, programs, rooms, service, tools

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

ROOT = Path(__file__).resolve().parents[2]
RENEW = "python -m tests.docs"
PAGES: Mapping[str, Callable[[], str]] = {
    "docs/lint-rules.md": render_reference,
    "docs/reference/commands.md": programs.render,
    "docs/reference/settings.md": options.render,
    "docs/reference/http.md": service.render,
    "docs/reference/mcp.md": tools.render,
}
"""Whole pages."""
PARTS: Mapping[str, Callable[[], str]] = {
    "drawing": rooms.drawing, "rooms": rooms.rooms, "modules": rooms.modules, "packages": packages.packages,
}  # fmt: skip
"""Parts of the other pages, between ``<!-- made: NAME -->`` and ``<!-- end -->``."""
PART = re.compile(r"(?<=<!-- made: )(\w+)( -->\n).*?(?=<!-- end -->)", re.DOTALL)


def made_pages() -> dict[str, str]:
    """Return each page that has something made in it, as it should be."""
    pages = {name: render() for name, render in PAGES.items()}
    for path in sorted((ROOT / "docs").glob("*.md")):
        text = path.read_text("utf-8")
        if PART.search(text):
            pages[path.relative_to(ROOT).as_posix()] = PART.sub(lambda found: filled(found[1], found[2]), text)
    return pages


def filled(name: str, mark: str) -> str:
    """Return a part with its mark."""
    return f"{name}{mark}{PARTS[name]().rstrip()}\n"
