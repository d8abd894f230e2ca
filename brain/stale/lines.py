"""Refs to lines: does the text still stand in the file as one block (SPEC §5.1)?"""

from __future__ import annotations

from brain.errors import GitError
from brain.stale.answers import (
    CHANGED,
    CONTENT_MISSING,
    FRESH,
    LINES_BEYOND_END,
    LINES_CHANGED,
    SAME,
    STALE,
    UNKNOWN,
    Answer,
)
from brain.stale.objects import FOLDER, SUBMODULE, Objects

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from brain.stale.objects import Entry, Sides
    from brain.stale.refs import Ref

FILES_AT_ONCE = 64
END_SPACE = b" \t\r\f\v"


def compare_lines(objects: Objects, blocks: Sequence[tuple[Ref, Sides]]) -> list[Answer]:
    """Answer each ref whose path stands on both sides, but not as the same."""
    answers: list[Answer] = []
    for at in range(0, len(blocks), FILES_AT_ONCE):
        some = blocks[at : at + FILES_AT_ONCE]
        try:
            answers += _compare_some(objects, some)
        except GitError:
            answers += [Answer(UNKNOWN, CONTENT_MISSING)] * len(some)
    return answers


def has_block(old: bytes, new: bytes, first: int, last: int) -> bool | None:
    """Say whether lines ``first`` to ``last`` of ``old`` stand together in ``new``; None if it has fewer.

    White space at line ends does not count, so CRLF equals LF.
    """
    lines = _lines(old)
    if last > len(lines):
        return None
    return _joined(lines[first - 1 : last]) in _joined(_lines(new))


def _compare_some(objects: Objects, blocks: Sequence[tuple[Ref, Sides]]) -> list[Answer]:
    wanted = sorted(
        {entry.oid.hex() for _, sides in blocks if _is_to_be_read(sides) for entry in (sides.old, sides.new) if entry}
    )
    contents = dict(zip(wanted, objects.read(wanted), strict=True))
    return [_compare(ref, sides, contents) for ref, sides in blocks]


def _compare(ref: Ref, sides: Sides, contents: dict[str, bytes | None]) -> Answer:
    assert sides.old
    assert sides.new
    if sides.old.oid == sides.new.oid:
        return Answer(FRESH, SAME)
    if not _is_to_be_read(sides):
        return Answer(STALE, CHANGED)
    old, new = contents[sides.old.oid.hex()], contents[sides.new.oid.hex()]
    if old is None or new is None:
        return Answer(UNKNOWN, CONTENT_MISSING)
    stands = has_block(old, new, ref.first, ref.last)
    if stands is None:
        return Answer(UNKNOWN, LINES_BEYOND_END)
    return Answer(FRESH, SAME) if stands else Answer(STALE, LINES_CHANGED)


def _is_to_be_read(sides: Sides) -> bool:
    return sides.old != sides.new and _is_file(sides.old) and _is_file(sides.new)


def _is_file(entry: Entry | None) -> bool:
    return entry is not None and entry.mode not in (FOLDER, SUBMODULE)


def _lines(content: bytes) -> list[bytes]:
    lines = [line.rstrip(END_SPACE) for line in content.split(b"\n")]
    return lines[:-1] if content.endswith(b"\n") or not content else lines


def _joined(lines: list[bytes]) -> bytes:
    return b"\n" + b"\n".join(lines) + b"\n"
