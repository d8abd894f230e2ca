"""Scan a text for what may not be in it: hidden characters, markup that acts, orders, secrets, personal data."""

from __future__ import annotations

from brain.frontmatter import Quoted
from brain.lint.fields import is_commit, is_date
from brain.lint.folded import Folded
from brain.lint.header import SECOND_BLOCK, second_block
from brain.lint.hidden import scan_hidden
from brain.lint.markdown import mark_code
from brain.lint.markup import scan_markup
from brain.lint.personal import scan_personal
from brain.lint.secrets.scan import scan_secrets
from brain.lint.words import scan_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from brain.frontmatter import Node
    from brain.lint.finding import Sheet
    from brain.lint.header import Blocks, Header
    from brain.lint.markdown import Marked


def scan_text(text: str, sheet: Sheet, domains: tuple[str, ...] = (), *, markdown: bool = True) -> None:
    """Report what is in any text: a retro, settings, the text of a merge request."""
    scan_hidden(text, sheet)
    folded = Folded(text)
    if markdown:
        _scan_prose(mark_code(text), 1, sheet)
    scan_words(folded, sheet)
    scan_data(folded, sheet, domains)


def scan_memory(blocks: Blocks, header: Header, marked: Marked, sheet: Sheet, domains: tuple[str, ...]) -> None:
    """Report what is in a memory: its frontmatter as written and as decoded, its comments, its body."""
    scan_hidden(blocks.head, sheet, 2)
    scan_hidden(blocks.body, sheet, blocks.body_line)
    scan_markup(mark_code(blocks.head), 2, sheet)
    _scan_prose(marked, blocks.body_line, sheet)
    folded = Folded(_masked(blocks.head, header) + "---\n" + blocks.body, 2)
    scan_words(folded, sheet)
    scan_data(folded, sheet, domains)
    for line, column, text in header.comments:
        scan_words(Folded(text, line, column), sheet, hidden=True)
    for key, field in header.fields.items():
        if not field.shown:
            for text in _texts(field.node):
                scan_hidden(text, sheet, field.line, field.column, where=f"{key}: ")
                decoded = Folded(text.replace("\n", " "), field.line, field.column)
                scan_words(decoded, sheet, hidden=True)
                scan_data(decoded, sheet, domains)


def _scan_prose(marked: Marked, first_line: int, sheet: Sheet) -> None:
    scan_markup(marked, first_line, sheet)
    line = second_block(marked.prose)
    if line:
        sheet.add(SECOND_BLOCK, first_line + line - 1)


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
