"""Scan a text for what may not be in it: hidden characters, markup that acts, orders, secrets, personal data."""

from __future__ import annotations

from brain.frontmatter import Quoted
from brain.lint.fields import is_commit, is_date
from brain.lint.folded import Folded
from brain.lint.header import SECOND_BLOCK, second_block
from brain.lint.hidden import HIDDEN, scan_hidden
from brain.lint.markdown import mark_code
from brain.lint.markup import scan_markup
from brain.lint.pattern import Pattern
from brain.lint.personal import scan_personal
from brain.lint.rendered import hidden_by_name, render
from brain.lint.secrets.scan import scan_secrets
from brain.lint.words import scan_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from brain.frontmatter import Node
    from brain.lint.finding import Sheet
    from brain.lint.header import Blocks, Header
    from brain.lint.markdown import Marked

PARTING = Pattern(r"(?<![0-9])[-_/.]|[-_/.](?![0-9])")
"""What parts the words of a path; between digits it may part a number."""

SHORT_NAME = 11
"""Characters of a name that says nothing."""


class Names(Folded):
    """The names of a file and its folders: what is found in them is of the whole file."""

    def at(self, offset: int) -> tuple[int, int]:  # noqa: ARG002 - there is one place only
        """Return the first line and column."""
        return 1, 1


def scan_text(text: str, sheet: Sheet, domains: tuple[str, ...] = (), *, markdown: bool = True) -> None:
    """Report what is in any text: a retro, settings, the text of a merge request."""
    scan_path(sheet, domains)
    scan_hidden(text, sheet)
    folded = Folded(text)
    marked = mark_code(text) if markdown else None
    if marked:
        _scan_prose(marked, 1, sheet)
    scan_words(folded, sheet)
    scan_data(folded, sheet, domains)
    if marked:
        _scan_rendered(marked, 1, sheet, domains)


def scan_memory(blocks: Blocks, header: Header, marked: Marked, sheet: Sheet, domains: tuple[str, ...]) -> None:
    """Report what is in a memory: its frontmatter as written and as decoded, its comments, its body."""
    scan_path(sheet, domains)
    scan_hidden(blocks.head, sheet, 2)
    scan_hidden(blocks.body, sheet, blocks.body_line)
    scan_markup(mark_code(blocks.head), 2, sheet)
    _scan_prose(marked, blocks.body_line, sheet)
    folded = Folded(_masked(blocks.head, header) + "---\n" + blocks.body, 2)
    scan_words(folded, sheet)
    scan_data(folded, sheet, domains)
    _scan_rendered(marked, blocks.body_line, sheet, domains)
    for line, column, text in header.comments:
        scan_words(Folded(text, line, column), sheet, hidden=True)
    for key, field in header.fields.items():
        if not field.shown:
            for text in _texts(field.node):
                scan_hidden(text, sheet, field.line, field.column, where=f"{key}: ")
                decoded = Folded(text.replace("\n", " "), field.line, field.column)
                scan_words(decoded, sheet, hidden=True)
                scan_data(decoded, sheet, domains)


def scan_path(sheet: Sheet, domains: tuple[str, ...] = ()) -> None:
    """Report what the names of a file and of its folders say, as they are written and as words."""
    path = sheet.path.replace("\n", " ")
    said = [name for name in path.split("/") if len(name) > SHORT_NAME]
    if any(name.count("-") + name.count("_") + name.count(" ") > 1 for name in said):
        scan_words(Names(PARTING.sub(" ", path)), sheet)
    numbered = [name for name in said if any(map(str.isdigit, name))]
    if numbered or "@" in path:
        scan_data(Names("\n".join((path, *(PARTING.sub(" ", text) for text in (path, *numbered))))), sheet, domains)


def _scan_prose(marked: Marked, first_line: int, sheet: Sheet) -> None:
    scan_markup(marked, first_line, sheet)
    line = second_block(marked.prose)
    if line:
        sheet.add(SECOND_BLOCK, first_line + line - 1)


def _scan_rendered(marked: Marked, first_line: int, sheet: Sheet, domains: tuple[str, ...]) -> None:
    """Report what a page shows, or holds, that the text as written does not say."""
    rendered = render(marked, first_line)
    if rendered is None:
        return
    for line, column, sign in hidden_by_name(marked, first_line):
        sheet.add(HIDDEN, line, column, f"U+{ord(sign):04X} by its name or number")
    scan_words(rendered, sheet)
    scan_data(rendered, sheet, domains)


def scan_data(folded: Folded, sheet: Sheet, domains: tuple[str, ...] = ()) -> None:
    """Report secrets and personal data."""
    scan_secrets(folded, sheet)
    scan_personal(folded, sheet, domains)


def _masked(head: str, header: Header) -> str:
    """Return the frontmatter without the values that are ids and dates for certain: no scan need doubt them."""
    lines = head.split("\n")
    for key, field in header.fields.items():
        if _is_certain(key, field.node) and field.line - 2 < len(lines) and lines[field.line - 2].startswith(key + ":"):
            lines[field.line - 2] = key + ":"
    return "\n".join(lines)


def _is_certain(key: str, node: Node) -> bool:
    if key == "verified_commit":
        commits = list(node.values()) if isinstance(node, dict) else [node]
        return all(isinstance(commit, str) and is_commit(commit) for commit in commits)
    if key in ("created", "review_by"):
        return isinstance(node, str) and is_date(str(node))
    return (
        key == "id"
        and isinstance(node, str)
        and not isinstance(node, Quoted)
        and node.startswith("mem-")
        and len(node) < 100
    )


def _texts(node: Node) -> Iterator[str]:
    if isinstance(node, str):
        yield str(node)
    elif isinstance(node, list):
        for item in node:
            yield from _texts(item)
    else:
        for key, item in node.items():
            yield key
            yield from _texts(item)
