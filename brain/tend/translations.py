"""Memories that say the same in two languages: proposed to a person, where there are vectors (SPEC §8, §12).

Words cannot tell them, and the same language needs no vectors for it. Nothing is embedded here: what the index of
``brain semantic build``, the team's or this machine's, does not know as it is now, is not compared.
"""

from __future__ import annotations

from operator import mul

from brain.errors import BrainError
from brain.semantic.build import find_vectors
from brain.semantic.embedder import fingerprint_of, model_of
from brain.semantic.texts import embedded_text, text_digest
from brain.semantic.vectors import centred, vectors_path
from brain.tend.pairs import Pair, make_pair, meet, order, sharing
from brain.workspace import has_meaning

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from brain.memory import Memory
    from brain.semantic.vectors import Vectors
    from brain.workspace import Brain

    Row = tuple[str, bytes, int, Sequence[float]]
    """Path, digest of what was embedded, language, and the vector without that language's mean, of length 1."""

SAME = 0.36
"""A cosine that 16 of 18 translations of six lessons reach, and no two of different ones (0.30 at most)."""
APART = 0.1
"""How much nearer the two must be to each other than either is to any other of that language.

Texts about one matter are all near: of 573 sections of two manuals, none of them there twice, ``SAME`` alone pairs
1,145, this leaves 25; of 529 that are there in English and Japanese it finds 393, and no wrong pair (527 and 3,620).
"""


def find_translations(brain: Brain, memories: Sequence[Memory]) -> tuple[list[Pair], str]:
    """Return the pairs in two languages that share a tag and mean the same, the nearest first; none without vectors.

    The second is why the index cannot be used, "" where it can, or where there is none.
    """
    if not has_meaning(brain):
        return [], ""
    try:
        return find_near(memories, _known(_rows(brain), memories)), ""
    except BrainError as error:
        return [], f"translations are not looked for: {error}{f' ({error.hint})' if error.hint else ''}"


def _rows(brain: Brain) -> Iterable[Row]:
    fingerprint = fingerprint_of(model_of(brain.config))
    if brain.config["semantic.store"] == "postgres":
        from brain.semantic.team import open_team

        return open_team(brain, fingerprint).rows()
    vectors = find_vectors(vectors_path(brain.repo, brain.tree.root, fingerprint))
    return _rows_of(vectors) if vectors else ()  # of another model, or damaged: the next build mends it


def _rows_of(vectors: Vectors) -> Iterator[Row]:
    means = {language: vectors.mean(language, query=False) for language in set(vectors.languages.tobytes())}
    for row in range(vectors.count):
        language = vectors.languages[row]
        yield vectors.path(row), vectors.digest(row), language, centred(vectors.code(row).floats(), means[language])


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


def _known(rows: Iterable[Row], memories: Sequence[Memory]) -> dict[int, tuple[int, Sequence[float]]]:
    """Return number → language and vector, of memories that say what was embedded."""
    numbers = {(memory.path, text_digest(embedded_text(memory))): number for number, memory in enumerate(memories)}
    found = {}
    for path, digest, language, vector in rows:
        number = numbers.get((path, digest))
        if number is not None:
            found[number] = (language, vector)
    return found
