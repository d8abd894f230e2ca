"""Lines of the workspace's rules that may say otherwise than a memory: shared tags and words, a few short quotes."""

from __future__ import annotations

import os

from brain.submit.body import Quote
from brain.terms import terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from brain.memory import Memory

MOST_QUOTES = 3
MOST_FILES, MOST_BYTES = 200, 1 << 18
LONGEST_LINE = 2000
SUFFIXES = (".md", ".mdc", ".txt")
LEAST_SHARED = 3
"""Terms that a line and a memory must share, a tag counting twice, to be worth a reader's look."""


def find_quotes(root: str, name: str, memories: Sequence[Memory]) -> list[Quote]:
    """Return the rules' lines that share the most with any of the memories, the likeliest first.

    Args:
        root: The workspace's folder.
        name: The rules' folder below it, as the team's settings say; one that leads elsewhere holds none, or a setting
            could bring this person's other files into a merge request.
        memories: What is proposed.
    """
    top = os.path.realpath(root)
    folder = os.path.join(top, name)
    if os.path.commonpath((top, os.path.realpath(folder))) != top:
        return []
    wanted = [_wanted(memory) for memory in memories]
    found: dict[str, tuple[int, Quote]] = {}
    for path, number, line in _lines(folder):
        words = set(terms(line))
        shared = max((_shared(words, *each) for each in wanted), default=0)
        if shared >= LEAST_SHARED and found.get(line, (0,))[0] < shared:
            found[line] = shared, Quote(path, number, line)
    ordered = sorted(found.values(), key=lambda row: (-row[0], row[1].path, row[1].line))
    return [quote for _, quote in ordered[:MOST_QUOTES]]


def _wanted(memory: Memory) -> tuple[set[str], set[str]]:
    tags = {term for tag in memory.tags for term in terms(tag.replace("-", " "))}
    words = {term for term in terms(memory.sentence) if len(term) > 3 or not term.isascii()}
    return tags, words - tags


def _shared(line: set[str], tags: set[str], words: set[str]) -> int:
    named = len(line & tags)
    return 2 * named + len(line & words) if named else 0


def _lines(folder: str) -> Iterator[tuple[str, int, str]]:
    """Yield file (below the folder's parent), line number and text of each line that may be a rule."""
    above = os.path.dirname(folder.rstrip(os.sep))
    for path in _files(folder)[:MOST_FILES]:
        try:
            with open(path, encoding="utf-8", errors="replace") as file:
                text = file.read(MOST_BYTES)
        except OSError:
            continue
        for number, raw in enumerate(text.split("\n"), 1):
            line = raw.strip(" \t\r#*->")
            if line and len(line) <= LONGEST_LINE:
                yield os.path.relpath(path, above).replace(os.sep, "/"), number, line


def _files(folder: str) -> list[str]:
    found = []
    for top, folders, names in os.walk(folder):
        folders.sort()
        found += [os.path.join(top, name) for name in sorted(names) if name.endswith(SUFFIXES)]
        if len(found) > MOST_FILES:
            break
    return [path for path in found if os.path.isfile(path) and not os.path.islink(path)]
