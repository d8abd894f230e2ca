"""``03.Retro/<ticket>.md``: what a ticket's sessions taught, in four lists that people may edit (SPEC §9).

A line is added once, at its list's end; nothing of what stands there is changed.
"""

from __future__ import annotations

import os
import re

from brain.capture.signals import CORRECTION, DECISION, FIX, REMEMBER
from brain.errors import BrainError
from brain.files import write_file
from brain.layout import RETRO

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from brain.capture.drafts import Filed
    from brain.capture.signals import Signal

LEARNED, ERRORS, CORRECTED, PROPOSED = "learned", "errors", "corrected", "proposed"
TITLES = {
    "en": {
        "title": "Retrospect: {name}", LEARNED: "Learned", ERRORS: "Errors and fixes",
        CORRECTED: "Where people corrected the AI", PROPOSED: "Proposed memories",
    },
    "vi": {
        "title": "Retro: {name}", LEARNED: "Điều học được", ERRORS: "Lỗi và cách sửa",
        CORRECTED: "Chỗ con người sửa AI", PROPOSED: "Ghi nhớ đề xuất",
    },
    "ja": {
        "title": "ふりかえり: {name}", LEARNED: "学んだこと", ERRORS: "エラーと対処",
        CORRECTED: "人が AI を直したところ", PROPOSED: "提案するメモリ",
    },
}  # fmt: skip
LISTS = {REMEMBER: LEARNED, DECISION: LEARNED, FIX: ERRORS, CORRECTION: CORRECTED}
MOST_BYTES = 1 << 16
"""What readers of retrospects look at; a file as long as that takes no more."""


def retro_name(task: str, day: str) -> str:
    """Return the file's name without ``.md``: the ticket's, or the day's where there is none.

    >>> retro_name("PAY-7", "2026-11-30"), retro_name("../x y", "2026-11-30"), retro_name("", "2026-11-30")
    ('PAY-7', 'x-y', '2026-11-30')
    """
    return re.sub(r"[^A-Za-z0-9._-]+", "-", task).strip("-._")[:80] or day


def lines_of(signals: Sequence[Signal], filed: Sequence[Filed]) -> dict[str, list[str]]:
    """Return the points of each list."""
    found: dict[str, list[str]] = {LEARNED: [], ERRORS: [], CORRECTED: [], PROPOSED: []}
    for signal in signals:
        text = " ".join(signal.text.split())
        if signal.kind == FIX:
            text = f"`{signal.failed}`: {text} → `{signal.fix}`"
        found[LISTS[signal.kind]].append(text)
    found[PROPOSED] = [f"{draft.id}: {draft.sentence}" for draft in filed]
    return found


def add_lines(text: str, lines: Mapping[str, Sequence[str]], language: str, name: str) -> str:
    """Return a retrospect with what is new of each list, below its heading in whichever language that is."""
    titles = TITLES[language]
    text = text or f"# {titles['title'].format(name=name)}\n"
    newline = "\r\n" if "\r\n" in text else "\n"
    rows = text.replace("\r\n", "\n").rstrip("\n").split("\n")
    for part, points in lines.items():
        known = set(rows)
        new = [row for row in dict.fromkeys(f"- {point}" for point in points) if row not in known]
        if not new:
            continue
        headings = {f"## {named[part]}" for named in TITLES.values()}
        at = next((at for at, row in enumerate(rows) if row.strip() in headings), -1)
        if at < 0:
            rows += ["", f"## {titles[part]}", "", *new]
            continue
        end = next((end for end in range(at + 1, len(rows)) if rows[end].startswith("#")), len(rows))
        while end > at + 1 and not rows[end - 1].strip():
            end -= 1
        rows[end:end] = new if end > at + 1 else ["", *new]
    return newline.join(rows) + newline


def write_retro(memory_root: str, name: str, lines: Mapping[str, Sequence[str]], language: str) -> bool:
    """Add what is new to a ticket's retrospect; say whether anything was.

    Raises:
        BrainError: It cannot be read or written.
    """
    path = os.path.join(memory_root, RETRO, f"{name}.md")
    try:
        if os.path.islink(path) or (os.path.exists(path) and os.path.getsize(path) > MOST_BYTES):
            return False
        before = _read(path)
        after = add_lines(before, lines, language, name) if any(lines.values()) else before
        if after == before or len(after.encode("utf-8", "replace")) > MOST_BYTES:
            return False
        write_file(path, after.encode("utf-8", "replace"))
    except (OSError, UnicodeDecodeError) as error:
        raise BrainError(f"{path}: {error}", "check its permissions, and that it is UTF-8") from None
    return True


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8", newline="") as file:
            return file.read()
    except FileNotFoundError:
        return ""
