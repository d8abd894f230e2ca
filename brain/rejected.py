"""What was turned down or removed before: a draft like it is told when and why (SPEC §6.2).

Removed memories lie in ``_deprecated/``. Of what was turned down this machine keeps the texts of its own proposals, in
one file of the memory repo's git directory that can be deleted at any time.
"""

from __future__ import annotations

import json
import os

from brain.errors import ConflictError, InvalidMemoryError
from brain.files import read_json, write_file
from brain.git.objects import read_blobs
from brain.index.build import read_memory
from brain.index.cache import cache_dir
from brain.layout import DEPRECATED
from brain.memory import MAX_FILE_BYTES
from brain.removed import find_when, list_removed
from brain.similar import MOST_CANDIDATES, NEAR, compared_text, shingles, similarity
from brain.text import visible
from brain.value import fields_of, value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from brain.git.refs import Repo
    from brain.memory import Memory
    from brain.workspace import Brain

FILE = "refused.json"
MOST_KEPT = 200
"""Texts that were turned down which are kept, the newest."""
MOST_TOLD = 3


@value
class Refusal:
    """A text that was turned down: of which memory, its tags, what it is compared by, when, by whom, why, and where.

    ``when`` is an ISO date; ``url`` is the merge request's address.
    """

    id: str
    path: str
    tags: tuple[str, ...]
    text: str
    when: str
    by: str
    reason: str
    url: str


@value
class Rejected:
    """What a draft is like: the id, how alike (0 to 1), whether it was removed or else turned down, when, by whom, why.

    ``reason``, ``by`` and ``when`` are "" where nobody knows.
    """

    id: str
    similarity: float
    removed: bool
    when: str
    by: str
    reason: str
    url: str = ""

    @property
    def sentence(self) -> str:
        """What there is to say of it, on one line."""
        done = "removed" if self.removed else "turned down"
        when, by = f" on {self.when}" if self.when else "", f" by {self.by}" if self.by else ""
        where = f" ({self.url})" if self.url else ""
        told = (
            f"{self.id}, {self.similarity:.0%} like it, was {done}{when}{by}: {self.reason or 'no reason given'}{where}"
        )
        return " ".join(visible(told).split())


def find_rejected(brain: Brain, memory: Memory) -> list[Rejected]:
    """Return what was turned down or removed before and is like ``memory``, the nearest first.

    That is what shares a tag and is near, and what has the same id: an id names one memory for ever.
    """
    own = shingles(compared_text(memory))
    found = [*_refused(brain.repo, memory, own), *_removed(brain, memory, own)]
    return sorted(found, key=lambda row: (-row.similarity, row.id, row.removed))[:MOST_TOLD]


def rejected_before(before: Rejected, memory_id: str, hint: str = "") -> ConflictError:
    """Return the error for a draft of what the team did not want: nobody brings it again unawares."""
    back = f"brain restore {before.id} brings it back" if before.removed else "say what is new about it"
    done = "removed" if before.removed else "turned down"
    what = "has that id" if before.similarity < NEAR and before.id == memory_id else "says nearly the same"
    message = f"nothing was written: {before.id}, {done} before, {what}"
    return ConflictError(message, hint or f"{back}, or --force")


def _refused(repo: Repo, memory: Memory, own: set[str]) -> Iterator[Rejected]:
    for row in list_refusals(repo):
        if row.path == memory.path or not set(row.tags).isdisjoint(memory.tags):
            alike = similarity(own, shingles(row.text))
            if alike >= NEAR:
                alike = round(alike, 2)
                yield Rejected(row.id, alike, removed=False, when=row.when, by=row.by, reason=row.reason, url=row.url)


def _removed(brain: Brain, memory: Memory, own: set[str]) -> Iterator[Rejected]:
    repo, commit, root = brain.repo.path, brain.tree.commit, brain.tree.root
    files = list_removed(repo, commit, root)
    for other in _sharing(repo, files, memory):
        alike = similarity(own, shingles(compared_text(other)))
        if alike >= NEAR or other.id == memory.id:
            when = find_when(repo, commit, f"{root}/{DEPRECATED}/{other.path}")
            by, reason = other.reviewed_by, other.removal_reason
            yield Rejected(other.id, round(alike, 2), removed=True, when=when, by=by, reason=reason)


def _sharing(repo: str, files: dict[str, str], memory: Memory) -> list[Memory]:
    """Return the removed memories of the same id, and those that share a tag; most need not be parsed."""
    tags = [tag.encode() for tag in memory.tags]
    found = []
    for path, content in zip(files, read_blobs(repo, files.values(), MAX_FILE_BYTES), strict=True):
        if path == memory.path or any(tag in (content or b"") for tag in tags):
            try:
                other = read_memory(path, content)
            except InvalidMemoryError:  # it is history, and nobody mends it
                continue
            if other.id == memory.id or not set(other.tags).isdisjoint(memory.tags):
                found.append(other)
    return found[:MOST_CANDIDATES]


def list_refusals(repo: Repo) -> list[Refusal]:
    """Return the texts that were turned down, the oldest first."""
    rows = read_json(os.path.join(cache_dir(repo), FILE))
    return list(filter(None, map(_parse, rows))) if isinstance(rows, list) else []


def note_refusals(repo: Repo, memories: Iterable[Memory], when: str, by: str, reason: str, url: str) -> None:
    """Remember that these texts were turned down; a disk that takes none is no harm."""
    new = [
        Refusal(memory.id, memory.path, memory.tags, compared_text(memory), when, by, reason, url)
        for memory in memories
    ]
    told = {(row.path, row.text) for row in new}
    _write(repo, [*(row for row in list_refusals(repo) if (row.path, row.text) not in told), *new][-MOST_KEPT:])


def forget_refusals(repo: Repo, paths: Iterable[str]) -> None:
    """Forget what was said of memories that are approved by now."""
    rows, gone = list_refusals(repo), set(paths)
    kept = [row for row in rows if row.path not in gone]
    if len(kept) < len(rows):
        _write(repo, kept)


def _write(repo: Repo, rows: Iterable[Refusal]) -> None:
    text = json.dumps(list(map(fields_of, rows)), ensure_ascii=False, indent=1)
    try:
        write_file(os.path.join(cache_dir(repo), FILE), text + "\n")
    except OSError:
        pass


def _parse(row: Any) -> Refusal | None:
    try:
        fields = {**row, "tags": tuple(row["tags"])}
        texts = all(isinstance(fields[name], str) for name in Refusal.__annotations__ if name != "tags")
        return Refusal(**fields) if texts and all(isinstance(tag, str) for tag in fields["tags"]) else None
    except (KeyError, TypeError):
        return None
