"""Memories that say the same in two languages: proposed to a person, where this machine has vectors (SPEC §8, §12).

Words cannot tell them, and the same language needs no vectors for it. Nothing is embedded here: what the index of
``brain semantic build`` does not know as it is now, is not compared.
"""

from __future__ import annotations

from operator import mul

from brain.errors import BrainError
from brain.index.cache import has_vectors
from brain.semantic.embedder import fingerprint_of, model_of
from brain.semantic.texts import embedded_text, text_digest
from brain.semantic.vectors import open_vectors, vectors_path
from brain.tend.pairs import Pair, make_pair, meet, order, sharing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from brain.memory import Memory
    from brain.semantic.vectors import Vectors
    from brain.workspace import Brain

SAME = 0.36
"""A cosine that 16 of 18 translations of six lessons reach, and no two of different ones (0.30 at most)."""


def find_translations(brain: Brain, memories: Sequence[Memory]) -> list[Pair]:
    """Return the pairs in two languages that share a tag and mean the same, the nearest first; none without vectors."""
    if not (brain.config["semantic.enabled"] and has_vectors(brain.repo, brain.tree.root)):
        return []
    try:
        vectors = open_vectors(vectors_path(brain.repo, brain.tree.root, fingerprint_of(model_of(brain.config))))
        known = _known(vectors, memories)
    except (BrainError, OSError):  # of another model, or damaged: the next build mends it
        return []
    return find_near(memories, known)


def find_near(memories: Sequence[Memory], known: dict[int, tuple[int, Sequence[float]]]) -> list[Pair]:
    """Return such pairs, of memories whose language and vector (of length 1) are known by their number."""
    found = []
    for one, other in set(sharing([memory.tags for memory in memories])):
        if one in known and other in known and known[one][0] != known[other][0]:
            first, second = memories[one], memories[other]
            cosine = sum(map(mul, known[one][1], known[other][1])) if first.type == second.type else 0.0
            if cosine >= SAME and meet(first, second):
                found.append(make_pair(first, second, cosine, meaning=True))
    return sorted(found, key=order)


def _known(vectors: Vectors, memories: Sequence[Memory]) -> dict[int, tuple[int, Sequence[float]]]:
    """Return number → language and vector without its language's mean, of memories that say what was embedded."""
    rows = {(vectors.path(row), vectors.digest(row)): row for row in range(vectors.count)}
    means = {language: vectors.mean(language, query=False) for language in set(vectors.languages.tobytes())}
    found: dict[int, tuple[int, Sequence[float]]] = {}
    for number, memory in enumerate(memories):
        row = rows.get((memory.path, text_digest(embedded_text(memory))))
        if row is not None:
            language = vectors.languages[row]
            found[number] = (language, _centred(vectors.code(row).floats(), means[language]))
    return found


def _centred(vector: Sequence[float], mean: Sequence[float]) -> list[float]:
    apart = [a - b for a, b in zip(vector, mean, strict=True)]
    length = sum(map(mul, apart, apart)) ** 0.5 or 1.0
    return [number / length for number in apart]
