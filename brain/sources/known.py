"""What of a document is a memory already: approved, a draft, submitted, or removed (SPEC §3: update, not duplicate)."""

from __future__ import annotations

import os

from brain.drafts import list_drafts, read_draft
from brain.errors import InvalidMemoryError
from brain.git.objects import read_blobs
from brain.index.build import read_memory
from brain.layout import PENDING
from brain.memory import MAX_FILE_BYTES
from brain.removed import list_removed
from brain.sources.origin import Origin, parse_origin
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import TypeAlias

    from brain.memory import Memory
    from brain.workspace import Brain

    Document: TypeAlias = tuple[str, str]

DRAFT, SUBMITTED, APPROVED, REMOVED = "draft", "submitted", "approved", "removed"
"""Where a memory stands; what comes first counts where it stands at several places."""


@value
class Known:
    """A memory that came from a document: what it says, where it stands, and its origin."""

    memory: Memory
    state: str
    origin: Origin


def find_known(brain: Brain, submitted: Iterable[Memory] = ()) -> dict[Document, dict[str, Known]]:
    """Return document → anchor → the memory that came from there.

    Args:
        brain: The memory to look through.
        submitted: Memories that wait for their merge request and are neither draft nor approved.
    """
    found: dict[Document, dict[str, Known]] = {}
    sources = (
        (DRAFT, _drafts(brain)),
        (SUBMITTED, submitted),
        (APPROVED, _approved(brain)),
        (REMOVED, _removed(brain)),
    )
    for state, memories in sources:
        for memory in memories:
            origin = parse_origin(memory.source)
            if origin:
                found.setdefault(origin.document, {}).setdefault(origin.anchor, Known(memory, state, origin))
    return found


def _drafts(brain: Brain) -> Iterator[Memory]:
    """Yield the drafts as they are on the disk at this moment."""
    for path in list_drafts(brain.memory_root) if brain.memory_root else ():
        try:
            yield read_draft(os.path.join(brain.memory_root, PENDING), path)[1]
        except InvalidMemoryError:  # who lists the drafts is told of it
            continue


def _approved(brain: Brain) -> Iterator[Memory]:
    for part in brain.tree.parts:
        yield from part.memories()


def _removed(brain: Brain) -> Iterator[Memory]:
    repo = brain.repo.path
    files = list_removed(repo, brain.tree.commit, brain.tree.root)
    for path, content in zip(files, read_blobs(repo, files.values(), MAX_FILE_BYTES), strict=True):
        try:
            yield read_memory(path, content)
        except InvalidMemoryError:  # history, which nobody mends
            continue
