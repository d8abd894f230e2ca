"""The words around a value that say what it is: in its line, in the head of its column, in the label above it."""

from __future__ import annotations

from brain.value import value

AROUND = 60
"""Characters before a value in which a word counts; a third of them after it."""
LABEL_LENGTH, LABEL_WORDS, MOST_ITEMS = 48, 4, 10
"""Characters and words of a line that is a label of what stands below it; items of a list that it is the label of."""


@value
class Nearby:
    """Words ``before`` and ``after`` a value in its line, and those ``over`` it: a table's head, a label."""

    before: str
    after: str
    over: str

    @property
    def leading(self) -> str:
        """What leads up to the value."""
        return f"{self.over} {self.before}"

    @property
    def all(self) -> str:
        """Every word that counts."""
        return f"{self.leading} \n {self.after}"


def nearby(words: str, start: int, end: int) -> Nearby:
    """Return the words around ``words[start:end]``."""
    begin = words.rfind("\n", 0, start) + 1
    stop = words.find("\n", end)
    after = words[end : min(stop if stop >= 0 else len(words), end + AROUND // 3)]
    return Nearby(words[max(begin, start - AROUND) : start], after, _head(words, begin) or _label(words, begin))


def _head(words: str, begin: int) -> str:
    """Return the head of the table that the row at ``begin`` lies in, "" for no table."""
    if not _is_row(words, begin):
        return ""
    while begin > 0:
        above = words.rfind("\n", 0, begin - 1) + 1
        if not _is_row(words, above):
            break
        begin = above
    return words[begin : words.find("\n", begin)]


def _is_row(words: str, begin: int) -> bool:
    return _line(words, begin).lstrip().startswith("|")


def _label(words: str, begin: int) -> str:
    """Return the last line with text above ``begin`` where it is a label; the items of a list have one label."""
    for _ in range(MOST_ITEMS):
        begin = _line_above(words, begin)
        line = _line(words, begin).strip() if begin >= 0 else ""
        if is_label(line):
            return line
        if not line.startswith(("- ", "* ", "+ ")):
            return ""
    return ""


def _line_above(words: str, begin: int) -> int:
    """Return where the last line with text above ``begin`` starts, -1 for none."""
    while begin > 0:
        begin = words.rfind("\n", 0, begin - 1) + 1
        if _line(words, begin).strip():
            return begin
    return -1


def _line(words: str, begin: int) -> str:
    stop = words.find("\n", begin)
    return words[begin : stop if stop >= 0 else len(words)]


def is_label(line: str) -> bool:
    """Say whether a line names what stands below it: a heading, a line that ends in a colon, a few words."""
    if not line or len(line) > LABEL_LENGTH:
        return False
    if line.endswith(":") or line.startswith(("#", "**")):
        return True
    return len(line) <= LABEL_LENGTH // 2 and len(line.split()) <= LABEL_WORDS and not line.endswith((".", "!", "?"))
