"""What finalize writes in a memory's file, and how texts compare without it. Pure functions."""

from __future__ import annotations

from brain.edit import edit_memory
from brain.errors import InvalidMemoryError
from brain.index.build import read_memory
from brain.layout import DEPRECATED, INDEX_FILE, SOFT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

APPROVED: dict[str, Any] = {"status": "approved"}
UNDECIDED: dict[str, Any] = {"status": "pending", "reviewed_by": ""}
"""What a memory says of itself before anyone approved it."""
NEUTRAL: dict[str, Any] = {"status": "pending", "reviewed_by": "x"}
"""What stands in texts that are compared: a name, for an empty field can be written in several ways."""
NO_REMOVAL: dict[str, Any] = {"removal": None, "removal_reason": None}
UNTENDED: dict[str, Any] = {
    **NO_REMOVAL, "hits": 0, "confidence": 0.5, "stale": False, "review_by": None, "verified_commit": "f" * 40,
}  # fmt: skip
"""What stands in texts that are compared for the fields that say how a memory fares, and nothing of what it says."""


def approve(content: bytes, reviewer: str, path: str) -> bytes:
    """Return a memory's file as an approved one's, every other byte as it was.

    Raises:
        InvalidMemoryError: It cannot be read as a memory.
    """
    return _edit(content, {**APPROVED, "reviewed_by": reviewer}, path)


def put_back(content: bytes, path: str) -> bytes:
    """Return a memory's file as that of one that nobody approved."""
    return _edit(content, UNDECIDED, path)


def without_removal(content: bytes, path: str) -> bytes:
    """Return a memory's file without what proposes its removal."""
    return _edit(content, NO_REMOVAL, path)


def deprecate(content: bytes, reviewer: str, path: str) -> bytes:
    """Return a memory's file as that of one that was softly removed."""
    return _edit(content, {"status": "deprecated", "reviewed_by": reviewer}, path)


def neutral(content: bytes | None, path: str, *, removal: bool = True, tended: bool = True) -> bytes | None:
    """Return a file without what finalize writes, so that two can be compared; what is no memory as it is.

    ``removal`` False leaves out what proposes a removal, too; ``tended`` False besides what says how the memory fares:
    hits, confidence, staleness, what it was verified at and when to review it.
    """
    if content is None:
        return None
    left_out = UNTENDED if not tended else {} if removal else NO_REMOVAL
    try:
        return _edit(content, {**NEUTRAL, **left_out}, path)
    except (InvalidMemoryError, UnicodeDecodeError):
        return content


def canonical(files: Mapping[str, bytes | None]) -> dict[str, bytes | None]:
    """Return changed files (None: removed) with what finalize does of them done, but for status and reviewer.

    Two heads of a merge request are alike in this exactly when finalize alone stands between them.
    """
    found: dict[str, bytes | None] = {}
    for path, content in files.items():
        removal = _removal(path, content)
        if removal:
            found[path] = None
        if removal == SOFT:
            found[f"{DEPRECATED}/{path}"] = neutral(content, path)
        elif not removal and path != INDEX_FILE:
            found[path] = neutral(content, path)
    return found


def _removal(path: str, content: bytes | None) -> str:
    try:
        return read_memory(path, content).removal if content else ""
    except InvalidMemoryError:
        return ""


def _edit(content: bytes, changes: Mapping[str, Any], path: str) -> bytes:
    return edit_memory(content.decode(), changes, path).encode()
