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
APART = 0.1
"""How much nearer the two must be to each other than either is to any other of that language.

Texts about one matter are all near: of 573 sections of two manuals, none of them there twice, ``SAME`` alone pairs
1,145, this leaves 25; of 529 that are there in English and Japanese it finds 393, and no wrong pair (527 and 3,620).
"""


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
    cosines: dict[tuple[int, int], float] = {}
    beside: dict[tuple[int, int], list[float]] = {}
    for one, other in set(sharing([memory.tags for memory in memories])):
        if one in known and other in known and known[one][0] != known[other][0]:
            first, second = memories[one], memories[other]
            if first.type == second.type and meet(first, second):
                cosine = cosines[one, other] = sum(map(mul, known[one][1], known[other][1]))
                beside.setdefault((one, known[other][0]), []).append(cosine)
                beside.setdefault((other, known[one][0]), []).append(cosine)
    found = [
        make_pair(memories[one], memories[other], cosine, meaning=True)
        for (one, other), cosine in cosines.items()
        if cosine >= SAME
        and _is_apart(cosine, beside[one, known[other][0]])
        and _is_apart(cosine, beside[other, known[one][0]])
    ]
    return sorted(found, key=order)


def _is_apart(cosine: float, beside: Sequence[float]) -> bool:
    """Say whether of all cosines, this one among them, no other comes near it."""
    return sum(other > cosine - APART for other in beside) == 1


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
