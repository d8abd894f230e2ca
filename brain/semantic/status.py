"""What the semantic index holds, and what it lacks."""

from __future__ import annotations

import os

from brain.semantic.build import find_vectors
from brain.semantic.embedder import fingerprint_of, model_of
from brain.semantic.texts import read_sources
from brain.semantic.vectors import vectors_path
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from brain.workspace import Brain


@value
class Status:
    """The state of an index.

    ``missing`` counts memories and drafts that are not in it as they are now, ``gone`` rows of what is no longer there.
    """

    fingerprint: str
    enabled: bool
    count: int
    dim: int
    bytes: int
    missing: int
    gone: int

    @property
    def is_whole(self) -> bool:
        """Whether it knows every memory as it is now."""
        return self.bytes > 0 and not self.missing

    def as_json(self) -> dict[str, Any]:
        """Return the stable machine form."""
        return {**self.__dict__, "whole": self.is_whole}


def status_of(brain: Brain) -> Status:
    """Return the state of the index that the settings ask for.

    Raises:
        EmbedderError: The packaged model is not installed.
    """
    fingerprint = fingerprint_of(model_of(brain.config))
    path = vectors_path(brain.repo, brain.tree.root, fingerprint)
    vectors = find_vectors(path)
    rows = {(vectors.path(number), vectors.digest(number)) for number in range(vectors.count)} if vectors else set()
    there = {(source.path, source.digest) for source in read_sources(brain)}
    size = os.stat(path).st_size if vectors else 0
    enabled = brain.config["semantic.enabled"]
    return Status(
        fingerprint, enabled, len(rows), vectors.dim if vectors else 0, size, len(there - rows), len(rows - there)
    )
