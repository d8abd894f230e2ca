"""A segment for a program that stays: what a recall reads again and again is kept as Python has it fastest."""

from __future__ import annotations

import os

from brain.index.segment import Segment
from brain.value import replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from brain.index.cache import Part, Tree
    from brain.memory import Memory

MOST_KEYS, MOST_MEMORIES = 50_000, 20_000
"""Postings and parsed memories that are kept of a segment; then it begins anew."""


class Resident(Segment):
    """A segment with its columns, postings and memories kept in memory; it answers as the one it is made of."""

    def __init__(self, segment: Segment) -> None:
        self.__dict__.update(vars(segment))
        self.columns = {name: column.tolist() for name, column in segment.columns.items()}
        self._postings: dict[str, Sequence[int]] = {}
        self._memories: dict[int, Memory] = {}

    def postings(self, key: str) -> Sequence[int]:
        """Return the ascending numbers of the memories that have ``key``."""
        found = self._postings.get(key)
        if found is None:
            if len(self._postings) >= MOST_KEYS:
                self._postings = {}
            found = self._postings[key] = tuple(super().postings(key))
        return found

    def memory(self, number: int) -> Memory:
        """Return a memory, parsed."""
        found = self._memories.get(number)
        if found is None:
            if len(self._memories) >= MOST_MEMORIES:
                self._memories = {}
            found = self._memories[number] = super().memory(number)
        return found


def resident(tree: Tree, before: Mapping[str, Resident]) -> tuple[Tree, dict[str, Resident]]:
    """Return the tree on resident segments, and those by name; what was resident ``before`` stays."""
    found = {_name(part): before.get(_name(part)) or Resident(part.segment) for part in tree.parts}
    parts = tuple(replace(part, segment=found[_name(part)]) for part in tree.parts)
    return replace(tree, parts=parts), found


def _name(part: Part) -> str:
    """Return the segment's file name: it says what is in it, whether it was just made or opened from disk."""
    return os.path.basename(part.segment.name)
