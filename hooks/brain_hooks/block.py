"""Lines of ours at the end of somebody's text file, between two markers; every other byte stays."""

from __future__ import annotations

import re

from brain.errors import ConfigError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path


class Block:
    """Lines between two markers, which are lines of their own and stand in no other text.

    ``gap`` is the number of blank lines in front, as the file's format wants them.
    """

    def __init__(self, begin: str, lines: str, end: str, *, gap: int = 0) -> None:
        self.text, self.gap = f"{begin}\n{lines.strip()}\n{end}", gap
        inner = rf"{re.escape(begin)}[ \t]*\r?\n(?:.*\n)*?{re.escape(end)}[ \t]*(?:\r?\n)?"
        self.found = re.compile(rf"^{inner}", re.MULTILINE)

    def put_into(self, text: str) -> str:
        """Return a text with the lines: where an older version of them stands, else at its end."""
        newline = "\r\n" if "\r\n" in text else "\n"
        block = self.text.replace("\n", newline)
        found = self.found.search(text)
        if found:
            tail = newline if found.group().endswith("\n") else ""
            return text[: found.start()] + block + tail + text[found.end() :]
        if not text.strip("\ufeff"):
            return text + block + newline
        if text.endswith("\n"):
            return text + newline * self.gap + block + newline
        return text + newline * (self.gap + 1) + block

    def take_out_of(self, text: str) -> str:
        """Return a text without the lines, and without what ``put_into`` set them off with."""
        found = self.found.search(text)
        if not found:
            return text
        before, after = text[: found.start()], text[found.end() :]
        is_last = not after and not found.group().endswith("\n")
        for _ in range(self.gap + is_last if before.strip("\ufeff") else 0):
            before = re.sub(r"\r?\n\Z", "", before)
        return before + after


def decoded(content: bytes, path: Path) -> str:
    """Return what a file holds.

    Raises:
        ConfigError: It is not UTF-8.
    """
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise ConfigError(f"{path}:{line}", "", "is not UTF-8", "save the file as UTF-8") from None
