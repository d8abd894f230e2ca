"""The stable machine forms of a recall and of a memory, the same from every program that gives them."""

from __future__ import annotations

from brain.recall.doubts import warning_of
from brain.recall.recall import staleness
from brain.stale.answers import SHOWN
from brain.tokens import estimate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from brain.memory import Memory
    from brain.recall.rank import Ranked
    from brain.recall.recall import Recall
    from brain.stale.memories import Doubt

FACTS = (
    "id", "type", "workflows", "tags", "scope", "confidence", "source", "status", "hits", "created", "reviewed_by",
    "refs", "verified_commit", "hook", "aliases", "path", "body",
)  # fmt: skip


def recall_facts(found: Recall, text: str) -> dict[str, Any]:
    """Return what a ticket recalls: each memory's id, score, terms and staleness, and the tokens of its ``text``."""
    return {"memories": [_ranked_facts(item, found) for item in found.chosen], "tokens": estimate(text)}


def _ranked_facts(item: Ranked, found: Recall) -> dict[str, Any]:
    state = staleness(item.memory, found.doubts)
    terms = {name: round(amount, 6) + 0.0 for name, amount in item.terms.items()}
    return {"id": item.memory.id, "score": item.score, "terms": terms, "stale": SHOWN[state]}


def memory_facts(memory: Memory, doubts: Sequence[Doubt]) -> dict[str, Any]:
    """Return a memory whole, with its doubts as warnings."""
    facts = {name: getattr(memory, name) for name in FACTS}
    return {**facts, "warnings": [warning_of(doubt) for doubt in doubts]}
