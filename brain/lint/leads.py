"""What a memory leads to within the tree: memories that it replaces or is replaced by, files that it links to."""

from __future__ import annotations

import posixpath

from brain.layout import find_place
from brain.lint.fields import text_of, texts_of
from brain.lint.finding import WARNING, Rule
from brain.lint.links import LINK
from brain.lint.place import split_layer
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from brain.lint.finding import Sheet
    from brain.lint.header import Field
    from brain.lint.markdown import Marked

REPLACES_NOTHING = Rule(
    "M302", "supersedes-unknown", WARNING, "it replaces a memory that is not there",
    "The one that is meant stays in force beside it.", "write the id of the memory that it replaces",
)  # fmt: skip
REPLACED_BY_NOTHING = Rule(
    "M303", "superseded-by-unknown", WARNING, "it is replaced by a memory that is not there",
    "Who follows it finds nothing, and the fact is in force nowhere.", "write the id of the memory that replaces it",
)  # fmt: skip
LINK_TO_NOTHING = Rule(
    "M304", "link-to-nothing", WARNING, "a link to a file that is not there",
    "Who follows it finds nothing, or one day what somebody puts there.", "correct the path, in its exact case",
)  # fmt: skip

IDS = {"supersedes": REPLACES_NOTHING, "superseded_by": REPLACED_BY_NOTHING}
MOST_LINKS = 50


@value
class Lead:
    """What a file leads to: the key that names an id, or "" for a link; id or path as written; line and column."""

    key: str
    text: str
    line: int
    column: int


def leads_of(fields: Mapping[str, Field], marked: Marked, first_line: int) -> Iterator[Lead]:
    """Yield what a memory leads to; its body begins on ``first_line``."""
    for key in IDS:
        field = fields.get(key)
        if field:
            for text in texts_of(dict(fields), key) or [text_of(dict(fields), key)]:
                if text:
                    yield Lead(key, text, field.line, field.column)
    for number, match in enumerate(LINK.finditer(marked.prose)):
        path = _path_of((match[3] or "").strip("<>"))
        if path and number < MOST_LINKS:
            start = marked.prose.rfind("\n", 0, match.start()) + 1
            yield Lead("", path, first_line + marked.prose.count("\n", 0, start), match.start() - start + 1)


def _path_of(target: str) -> str:
    """Return the path of a link within the repo, "" for any other link."""
    path = target.partition("#")[0].partition("?")[0]
    if not path or ":" in path or path.startswith(("//", "\\", "<")) or "{" in path:
        return ""
    if "%" in path:
        from urllib.parse import unquote

        path = unquote(path)
    return path


def check_leads(
    leads: Iterable[tuple[Sheet, Lead]], paths: Collection[str], committed: Collection[str], root: str
) -> None:
    """Report what leads to nothing.

    Args:
        leads: Each with the sheet of its file.
        paths: Every path there will be below the memory root.
        committed: Every path of the repo, none where they are not known.
        root: The memory root.
    """
    rows = list(leads)
    ids = {place.id for path in paths if (place := find_place(split_layer(path)[1]))} if any(
        lead.key for _, lead in rows
    ) else set()  # fmt: skip
    folders: set[str] = set()
    files = {*committed, *(f"{root}/{path}" for path in paths)} if any(not lead.key for _, lead in rows) else set()
    for sheet, lead in rows:
        if lead.key:
            if lead.text not in ids:
                message = f"{lead.key}: there is no memory {ascii(lead.text)[1:-1][:60]}"
                sheet.add(IDS[lead.key], lead.line, lead.column, message)
        elif committed:
            folders = folders or {prefix for path in files for prefix in _above(path)}
            if not any(place in files or place in folders for place in _places(sheet, lead.text)):
                sheet.add(LINK_TO_NOTHING, lead.line, lead.column, f"there is no {ascii(lead.text)[1:-1][:80]}")


def _places(sheet: Sheet, path: str) -> list[str]:
    """Return where a link may lead: from its file, from where a draft is to lie, from the repo's root."""
    bases = [""] if path.startswith("/") else [posixpath.dirname(sheet.path), posixpath.dirname(sheet.lasting), ""]
    return [posixpath.normpath(posixpath.join(base, path.lstrip("/"))) for base in bases]


def _above(path: str) -> Iterator[str]:
    folder = posixpath.dirname(path)
    while folder:
        yield folder
        folder = posixpath.dirname(folder)
