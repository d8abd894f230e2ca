"""The score of a memory for a ticket (SPEC §4.2): signs → terms → their sum. Pure."""

from __future__ import annotations

from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from brain.settings import Config

LESSON_WORKFLOWS = frozenset(("coding", "review"))


@value
class Weights:
    """What each sign is worth. The first seven are the customer's rule; the others are 0 under that scorer."""

    function: float = 3.0
    workflow: float = 2.0
    tag: float = 2.0
    confidence: float = 1.0
    decay: float = 1.0
    pending: float = 0.5
    affinity: float = 1.0
    text: float = 0.0
    files: float = 0.0
    meaning: float = 0.0


@value
class Signs:
    """What speaks for and against one memory.

    ``tags`` counts those that are keywords; ``text``, ``files`` and ``meaning`` are shares from 0 to 1; ``old`` means
    created before the cut-off and never hit.
    """

    in_function: bool
    for_workflow: bool
    tags: int
    confidence: float
    old: bool
    pending: bool
    affinity: bool
    text: float = 0.0
    files: float = 0.0
    meaning: float = 0.0


@value
class Nearness:
    """What is near a ticket in meaning, in one segment: number → sign, 0 to 1, and those it alone makes relevant."""

    signs: dict[int, float]
    clear: frozenset[int]


NOTHING_NEAR = Nearness({}, frozenset())


def score_terms(signs: Signs, weights: Weights) -> dict[str, float]:
    """Return each term of the score, by name, in the order of the formula; their sum is the score.

    Without the semantic phase there is no term of that name.
    """
    terms = {
        "function": weights.function * signs.in_function,
        "workflow": weights.workflow * signs.for_workflow,
        "tags": weights.tag * signs.tags,
        "confidence": weights.confidence * signs.confidence,
        "decay": -weights.decay * signs.old,
        "pending": -weights.pending * signs.pending,
        "affinity": weights.affinity * signs.affinity,
        "text": weights.text * signs.text,
        "files": weights.files * signs.files,
    }
    return {**terms, "meaning": weights.meaning * signs.meaning} if weights.meaning else terms


def has_affinity(*, lesson: bool, workflow: str, in_profile: bool) -> bool:
    """Say whether a memory leans the workflow's way."""
    return (lesson and workflow in LESSON_WORKFLOWS) or in_profile


def weights_of(config: Config) -> Weights:
    """Return the weights in force, of meaning as if it were known; under ``rule`` text, files and it count nothing."""
    names = ("function", "workflow", "tag", "confidence", "decay", "pending", "affinity", "text", "files", "meaning")
    weights = {name: config[f"weights.{name}"] for name in names}
    if config["recall.scorer"] == "rule":
        weights["text"] = weights["files"] = weights["meaning"] = 0.0
    return Weights(**weights)
