"""The memories that wait for their merge request, as the journal knows them."""

from __future__ import annotations

from brain.errors import InvalidMemoryError
from brain.git.objects import read_blobs
from brain.index.build import read_memory
from brain.memory import MAX_FILE_BYTES
from brain.submit.journal import CLOSED, PULLED, Journal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from brain.git.refs import Repo
    from brain.memory import Memory


def submitted_memories(repo: Repo) -> Iterator[Memory]:
    """Yield the memories that wait for their merge request: what is there of a document is not drafted beside it."""
    for entry in Journal(repo).entries():
        commit = entry.flight.commit if entry.flight else entry.commit
        if entry.stage in (CLOSED, PULLED) or not commit:
            continue
        paths = tuple(dict.fromkeys((*entry.drafts, *(entry.flight.leaving if entry.flight else ()))))
        contents = read_blobs(repo.path, [f"{commit}:{entry.root}/{path}" for path in paths], MAX_FILE_BYTES)
        for path, content in zip(paths, contents, strict=True):
            try:
                yield read_memory(path, content or b"")
            except InvalidMemoryError:  # the merge request's own check says so
                continue
