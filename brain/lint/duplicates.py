"""Near duplicates of what is approved, was removed, or is proposed beside (SPEC §6.2).

Sub-quadratic: only memories that share a tag are compared, at most ``MOST_COMPARED`` of them, and only where their
sizes leave a chance.
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

MOST_COMPARED = 80
MOST_SAID = 3
PROBE, PROBES, FIRST_PROBES = 7, 32, 12
"""Characters of a probe, how many a text has, and how many of those decide at first."""
LEAST_SHARE = 5
"""One probe in so many must be found: of 1,281 edits that stayed near none is lost, of other texts 3 in 100 pass."""
GOLDEN = 0.6180339887

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
    known: Callable[[frozenset[str]], Iterable[Comparable]],
    *,
    among: bool = False,
) -> list[Note]:
    """Return for each proposed memory what is near it.

    Args:
        proposed: The memories judged; those that are approved already are not proposed.
        known: Given tags, what is approved or was removed and has one of them.
        among: Whether the proposed are compared with each other too.
    """
    new = [item for item in proposed if item.status != "approved" and item.tags and not item.removed]
    if not new:
        return []
    by_tag: defaultdict[str, list[Comparable]] = defaultdict(list)
    for item in (*known(frozenset().union(*(item.tags for item in new))), *(new if among else ())):
        for tag in item.tags:
            by_tag[tag].append(item)
    cache: dict[str, _Compared] = {}
    return [note for item in new for note in _near(item, _candidates(item, by_tag), cache)]


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
    return [
        Note(LIKE_REMOVED if other.removed else NEAR_DUPLICATE, item.path, f"{alike:.0%} like {other.path}")
        for alike, other in best
    ]


class _Compared:
    """A text as it is compared. Its shingles are cut only when a few probes say that it may be near."""

    def __init__(self, text: str) -> None:
        self.text = " ".join(fold(text).split())
        self._shingles: set[str] | None = None
        self._probes: list[str] | None = None

    @property
    def shingles(self) -> set[str]:
        if self._shingles is None:
            self._shingles = shingles(self.text)
        return self._shingles

    @property
    def probes(self) -> list[str]:
        """Pieces of the text from all over it; in the places of a low-discrepancy sequence, so any few are spread."""
        if self._probes is None:
            room = max(1, len(self.text) - PROBE)
            starts = [int(room * (number * GOLDEN % 1)) for number in range(1, PROBES + 1)]
            self._probes = [self.text[start : start + PROBE] for start in starts]
        return self._probes

    def may_be_near(self, other: _Compared) -> bool:
        """Say whether enough pieces of the shorter text stand in the longer one.

        Texts of which half the shingles are common share over half of such pieces; others, of one language, a few.
        """
        short, long = (self, other) if len(self.text) <= len(other.text) else (other, self)
        if len(short.text) < LEAST_CONTAINED:
            return True
        text, probes = long.text, short.probes
        for probe in probes[:FIRST_PROBES]:
            if probe in text:
                return sum(probe in text for probe in probes) * LEAST_SHARE >= PROBES
        return False
