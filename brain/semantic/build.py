"""Make or renew the vectors of a store: only what is new is embedded, and an interrupted build goes on where it was.

One build at a time: a lock that the system takes back from a process that dies. Readers need none: a file of vectors is
replaced whole. The index is derived: dropping it loses nothing but the time to make it.
"""

from __future__ import annotations

import os

from brain.errors import ConflictError
from brain.files import FileLock, remove_file, write_file
from brain.index.cache import VECTORS, vectors_stem
from brain.semantic.embedder import embed, embed_memories
from brain.semantic.journal import Journal
from brain.semantic.seeds import SEEDS
from brain.semantic.seeds import VERSION as SEEDS_VERSION
from brain.semantic.texts import read_sources
from brain.semantic.vectors import Vectors, VectorsError, open_vectors, vectors_path
from brain.semantic.write import Item, Seeds, mean_of, quantize, write_vectors
from brain.terms import LANGUAGES
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from brain.semantic.embedder import Embedder
    from brain.semantic.texts import Source
    from brain.semantic.vectors import Code
    from brain.workspace import Brain

LOCK = ".lock"
BATCH = 16
"""Texts embedded between two looks at the progress, and lost at most by a kill."""


@value
class Built:
    """What a build did: memories in the index, how many were embedded now, and the file."""

    count: int
    embedded: int
    path: str


def build_vectors(brain: Brain, embedder: Embedder, progress: Callable[[int, int], None]) -> Built:
    """Make the vectors of every memory and draft; ``progress`` is told how many of how many are embedded.

    Raises:
        ConflictError: Another build runs.
        EmbedderError: The model gave no answer; what it gave before is kept for the next build.
        OSError: The index cannot be written.
    """
    path = vectors_path(brain.repo, brain.tree.root, embedder.fingerprint)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with FileLock(vectors_stem(brain.repo, brain.tree.root) + LOCK) as mine:
        _require(mine)
        sources = list(read_sources(brain))
        old = find_vectors(path)
        known = {old.digest(number): number for number in range(old.count)} if old else {}
        journal = Journal(path + ".journal", embedder.dim)
        try:
            missing = _missing(sources, known.keys() | journal.codes.keys())
            seeds = _kept_seeds(old) or _embed_seeds(embedder)
            _embed(missing, embedder, journal, progress)
        except BaseException:
            journal.close(remove=False)
            raise
        items = [
            Item(source.path, source.key, source.digest, source.language, _code(source.digest, known, old, journal))
            for source in sources
        ]
        header = {"fingerprint": embedder.fingerprint, "tree": brain.tree.tree, "seeds_version": SEEDS_VERSION}
        write_file(path, write_vectors(header, items, seeds), durable=True)
        journal.close(remove=True)
        _remove_others(brain, path)
    return Built(len(items), len(missing), path)


def find_vectors(path: str) -> Vectors | None:
    """Return the vectors in a file, None where it is missing or damaged (it is gone then)."""
    try:
        return open_vectors(path)
    except (OSError, VectorsError):
        return None


def drop_vectors(brain: Brain) -> list[str]:
    """Remove every file of the store's vectors; return their names.

    Raises:
        ConflictError: A build runs.
    """
    names = _files(brain)
    if names:
        with FileLock(vectors_stem(brain.repo, brain.tree.root) + LOCK) as mine:
            _require(mine)
            for name in names:
                remove_file(name)
    return sorted(os.path.basename(name) for name in names if name.endswith(VECTORS))


def _files(brain: Brain) -> list[str]:
    """Return the files of the store's vectors, less the lock, which stays for who waits at it."""
    folder, stem = os.path.split(vectors_stem(brain.repo, brain.tree.root))
    names = os.listdir(folder) if os.path.isdir(folder) else []
    return [os.path.join(folder, name) for name in names if name.startswith(stem) and not name.endswith(LOCK)]


def _remove_others(brain: Brain, path: str) -> None:
    """Remove the vectors of embedders that are no longer asked for."""
    for name in _files(brain):
        if not name.startswith(path):
            remove_file(name)


def _missing(sources: Sequence[Source], known: set[bytes]) -> list[Source]:
    """Return a source for each text that has no vector yet."""
    by_digest = {source.digest: source for source in sources if source.digest not in known}
    return list(by_digest.values())


def _embed(
    missing: Sequence[Source], embedder: Embedder, journal: Journal, progress: Callable[[int, int], None]
) -> None:
    progress(0, len(missing))
    for start in range(0, len(missing), BATCH):
        batch = missing[start : start + BATCH]
        vectors = embed_memories(embedder, [source.text for source in batch])
        for source, vector in zip(batch, vectors, strict=True):
            journal.add(source.digest, quantize(vector))
        journal.flush()
        progress(start + len(batch), len(missing))


def _code(digest: bytes, known: dict[bytes, int], old: Vectors | None, journal: Journal) -> Code:
    return old.code(known[digest]) if old and digest in known else journal.codes[digest]


def _kept_seeds(old: Vectors | None) -> Seeds | None:
    """Return the seeds' means as an older file of the same embedder has them."""
    if old is None or old.header.get("seeds_version") != SEEDS_VERSION:
        return None
    means = [old.seeds[at : at + old.dim].tolist() for at in range(0, len(old.seeds), old.dim)]
    return Seeds(tuple(means[: len(LANGUAGES)]), tuple(means[len(LANGUAGES) :]))


def _embed_seeds(embedder: Embedder) -> Seeds:
    memories, tickets = (
        tuple(mean_of(embed(embedder, sentences, query=query)) for sentences in SEEDS) for query in (False, True)
    )
    return Seeds(memories, tickets)


def _require(mine: bool) -> None:  # noqa: FBT001 - what the lock says
    if not mine:
        raise ConflictError("another build of the semantic index runs", "wait for it to end")
