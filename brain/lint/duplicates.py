"""Near duplicates of what is approved, was removed, or is proposed beside (SPEC §6.2).

Sub-quadratic: only memories that share a tag are compared, or lie in one folder and share a piece of text, at most
``MOST_COMPARED`` of them, and only where a few probes leave a chance.
"""

from __future__ import annotations

from collections import defaultdict

from brain.layout import DEPRECATED
from brain.lint.finding import WARNING, Rule
from brain.lint.place import split_layer
from brain.lint.tree import Note
from brain.similar import LEAST_CONTAINED, NEAR, shingles, similarity
from brain.text import fold
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import TypeAlias

    Known: TypeAlias = Callable[[frozenset[str], frozenset[str]], Iterable["Comparable"]]

MOST_COMPARED = 80
MOST_SAID = 3
PROBES, PROBE, DENSE_PROBE = 32, 12, 7
"""How many probes a text has, and their characters: in scripts with spaces, and in others."""
LEAST, DENSE_LEAST = 2, 7
"""Probes that must be found: of 4,415 edits that stayed near 3 are lost, of other texts of one topic 3 in 100 pass."""
PIECES, PIECE = (0.2, 0.5, 0.8), 16
"""Where pieces of a text begin, and their length, by which a copy with other tags is found in the same folder."""
SHARES = [number * 0.6180339887 % 1 for number in range(1, PROBES + 1)]
"""The golden ratio's multiples: where probes begin."""

NEAR_DUPLICATE = Rule(
    "M300", "near-duplicate", WARNING, "another memory says nearly the same",
    "Two memories of one fact drift apart, and both are recalled.",
    "change the one that is there: brain remember --update ID",
)  # fmt: skip
LIKE_REMOVED = Rule(
    "M301", "like-removed", WARNING, "a memory like it was removed before",
    "It was taken out for a reason; do not bring it again every week.",
    "look at why it was removed, or brain restore it",
)  # fmt: skip


@value
class Comparable:
    """A memory as far as it is compared: path below the root, tags, status, and hook and body as one text."""

    path: str
    tags: frozenset[str]
    status: str
    text: str

    @property
    def removed(self) -> bool:
        """Whether it lies in ``_deprecated/``."""
        return self.path.startswith(DEPRECATED + "/")

    @property
    def folder(self) -> str:
        """The folder it lies in, or is to lie in."""
        return folder_of(self.path)


def folder_of(path: str) -> str:
    """Return the folder of a memory's path below the root, whatever its layer."""
    return split_layer(path)[1].rpartition("/")[0]


def comparable(content: bytes | None, path: str | None) -> Comparable | None:
    """Return what a memory file is compared by; None where it is none, or too broken to say."""
    if content is None or path is None or not path.endswith(".md") or not content.startswith(b"---\n"):
        return None
    head, closed, body = content[4:].partition(b"\n---\n")
    if not closed:
        return None
    fields = dict(line.partition(":")[::2] for line in head.decode("utf-8", "replace").split("\n"))
    tags = frozenset(tag.strip(" \"'") for tag in fields.get("tags", "").strip(" []").split(",")) - {""}
    text = fields.get("hook", "").strip(" \"'") + "\n" + body.decode("utf-8", "replace")
    status = fields.get("status", "").strip()
    if status == "approved" and not fields.get("reviewed_by", "").strip(" \"'"):
        status = ""  # it says so itself; nobody approved it
    return Comparable(path, tags, status, text)


def check_duplicates(
    proposed: Iterable[Comparable],
    known: Known,
    *,
    among: bool = False,
) -> list[Note]:
    """Return for each proposed memory what is near it.

    Args:
        proposed: The memories judged; those that are approved already are not proposed.
        known: Given tags and folders, what is approved or was removed and has one of them.
        among: Whether the proposed are compared with each other too.
    """
    new = [item for item in proposed if item.status != "approved" and not item.removed]
    if not new:
        return []
    by_tag: defaultdict[str, list[Comparable]] = defaultdict(list)
    by_folder: defaultdict[str, list[Comparable]] = defaultdict(list)
    tags = frozenset().union(*(item.tags for item in new))
    for item in (*known(tags, frozenset(item.folder for item in new)), *(new if among else ())):
        by_folder[item.folder].append(item)
        for tag in item.tags:
            by_tag[tag].append(item)
    cache: dict[str, _Compared] = {}
    notes = []
    for item in new:
        candidates = _candidates(item, by_tag)
        notes += _near(item, [*candidates, *_copies(item, by_folder[item.folder])], cache)
    return notes


def _copies(item: Comparable, others: Iterable[Comparable]) -> list[Comparable]:
    """Return what shares no tag with ``item``, and a piece of its text."""
    text = item.text
    pieces = [text[start : start + PIECE] for start in (int(len(text) * share) for share in PIECES)]
    return [
        other
        for other in others
        if other.tags.isdisjoint(item.tags)
        and other.path not in (item.path, split_layer(item.path)[1])
        and any(piece in other.text for piece in pieces)
    ][:MOST_COMPARED]


def _candidates(item: Comparable, by_tag: Mapping[str, list[Comparable]]) -> list[Comparable]:
    """Return what shares a tag with ``item``, the most and the rarest tags first; not what it replaces."""
    bare = split_layer(item.path)[1]
    weights: dict[str, float] = {}
    found: dict[str, Comparable] = {}
    for tag in item.tags:
        sharing = by_tag.get(tag, ())
        weight = 1 / (len(sharing) or 1)
        for other in sharing:
            path = other.path
            weights[path] = weights.get(path, 0.0) + weight
            found[path] = other
    for path in (bare, item.path):
        weights.pop(path, None)
    return [found[path] for path in sorted(weights, key=lambda path: (-weights[path], path))[:MOST_COMPARED]]


def _near(item: Comparable, candidates: list[Comparable], cache: dict[str, _Compared]) -> list[Note]:
    own = _Compared(item.text)
    near = []
    for other in candidates:
        if other.path not in cache:
            cache[other.path] = _Compared(other.text)
        if own.may_be_near(cache[other.path]):
            alike = similarity(own.shingles, cache[other.path].shingles)
            if alike >= NEAR:
                near.append((alike, other))
    best = sorted(near, key=lambda pair: (-pair[0], pair[1].path))[:MOST_SAID]
    said: dict[bool, list[str]] = {}
    for alike, other in best:
        said.setdefault(other.removed, []).append(f"{alike:.0%} like {other.path}")
    return [
        Note(LIKE_REMOVED if removed else NEAR_DUPLICATE, item.path, ", ".join(texts))
        for removed, texts in said.items()
    ]


class _Compared:
    """A text as it is compared. Its shingles are cut only when a few probes say that it may be near."""

    def __init__(self, text: str) -> None:
        self.text = " ".join(fold(text).split())
        self.is_spaced = self.text.isascii()
        self._shingles: set[str] | None = None
        self._probes: dict[int, list[str]] = {}

    @property
    def shingles(self) -> set[str]:
        if self._shingles is None:
            self._shingles = shingles(self.text)
        return self._shingles

    def probes(self, length: int) -> list[str]:
        """Return pieces of the text, in the places of a low-discrepancy sequence: any few are from all over it."""
        found = self._probes.get(length)
        if found is None:
            room = max(1, len(self.text) - length)
            starts = [int(room * share) for share in SHARES]
            found = self._probes[length] = [self.text[start : start + length] for start in starts]
        return found

    def may_be_near(self, other: _Compared) -> bool:
        """Say whether enough pieces of the shorter text stand in the longer one."""
        short, long = (self, other) if len(self.text) <= len(other.text) else (other, self)
        if len(short.text) < LEAST_CONTAINED:
            return True
        text, spaced = long.text, short.is_spaced and long.is_spaced
        missing = LEAST if spaced else DENSE_LEAST
        for probe in short.probes(PROBE if spaced else DENSE_PROBE):
            if probe in text:
                missing -= 1
                if not missing:
                    return True
        return False
