"""Known tags that a text speaks of: by their own name, or by an alias in any language (SPEC §4.2, keywords)."""

from __future__ import annotations

import unicodedata

from brain.terms import camel_parts
from brain.text import RUNS, WORDS, fold, strip_marks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from brain.index.segment import Segment
    from brain.memory import Memory

MOST_WORDS = 5
"""Words in a tag or alias that is looked for."""


def fold_keyword(keyword: str) -> str:
    """Return a ticket's keyword as a tag is written.

    >>> fold_keyword("Đơn hàng")
    'don-hang'
    """
    return "-".join(fold(keyword).split())


def phrase(name: str) -> str:
    """Return the words of a tag or alias in Latin script, joined by hyphens.

    >>> phrase("Node.js")
    'node-js'
    """
    return "-".join(fold(name).translate(WORDS).split())


def name_keys(memory: Memory) -> set[str]:
    """Return the keys by which a memory's tags are found in texts, those aside that are a tag letter by letter."""
    keys = {f"name:{phrase(tag)}" for tag in memory.tags if not tag.isalnum() and phrase(tag) != tag}
    keys.update(f"name:{phrase(alias)}" for alias in memory.aliases if not _is_dense(alias))
    keys.update(f"head:{head}" for head in heads(memory.aliases))
    return keys - {"name:"}


def _is_dense(name: str) -> bool:
    """Say whether a name holds Han or Kana: it is looked for without regard to words."""
    return not name.isascii() and bool(name.translate(RUNS).strip())


def heads(aliases: Iterable[str]) -> set[str]:
    """Return the first two characters of each alias in Han or Kana: where to look for it in a text without words."""
    return {_surface(alias)[:2] for alias in aliases if _is_dense(alias) and len(_surface(alias)) > 1}


def spot_tags(text: str, segments: Sequence[Segment]) -> set[str]:
    """Return the known tags whose name or alias stands in ``text`` as whole words.

    ``stock-export`` stands in "stock export", "StockExport" and "在庫stock-exportの", ``api`` not in "rapid".
    """
    named, meant = spot_names(text, segments)
    return named | meant


def spot_names(text: str, segments: Sequence[Segment]) -> tuple[set[str], set[str]]:
    """Return the known tags that stand in ``text`` by their own name, and those that an alias in it stands for."""
    names = _phrases(text)
    named = {name for name in names for segment in segments if segment.postings(f"tag:{name}")}
    meant: set[str] = set()
    for name, memories in _memories_called(text, names, segments).items():
        named |= {tag for memory in memories for tag in memory.tags if phrase(tag) == name}
        meant |= _tags_meant(name, memories)
    return named, meant


def _memories_called(text: str, names: set[str], segments: Sequence[Segment]) -> dict[str, list[Memory]]:
    """Return name or alias in the text → the memories that have it, names that are a tag letter by letter aside."""
    called: dict[str, list[Memory]] = {}
    for segment in segments:
        for name in names:
            for number in segment.postings(f"name:{name}"):
                called.setdefault(name, []).append(segment.memory(number))
    surface = _surface(text)
    pairs = {surface[at : at + 2] for at in range(len(surface))}
    for segment in segments:
        for head in pairs.intersection(segment.header["heads"]):
            for number in segment.postings(f"head:{head}"):
                memory = segment.memory(number)
                for alias in memory.aliases:
                    if _is_dense(alias) and len(_surface(alias)) > 1 and _surface(alias) in surface:
                        called.setdefault(alias, []).append(memory)
    return called


def _tags_meant(name: str, memories: list[Memory]) -> set[str]:
    """Return the tags that a name stands for as an alias: all that a memory has, of the glossary if it is in there."""
    by_alias = [
        memory for memory in memories if any(alias == name or phrase(alias) == name for alias in memory.aliases)
    ]
    glossary = [memory for memory in by_alias if memory.type == "glossary"]
    return {tag for memory in glossary or by_alias for tag in memory.tags}


def _surface(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def _phrases(text: str) -> set[str]:
    """Return every run of up to ``MOST_WORDS`` neighbouring words, joined by hyphens; camelCase in parts too."""
    found: set[str] = set()
    for line in unicodedata.normalize("NFKC", text).splitlines():
        words: list[str] = []
        for word in strip_marks(line).translate(WORDS).split():
            words += [word.casefold(), *camel_parts(word)]
        for count in range(1, MOST_WORDS + 1):
            found.update(map("-".join, zip(*(words[start:] for start in range(count)), strict=False)))
    return found
