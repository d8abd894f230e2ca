"""What the page that explains a recall asks and shows."""

from __future__ import annotations

from brain.find import find_memories
from brain.json_text import parse_json
from brain.ticket import KINDS, MAX_TEXT, parse_ticket
from brain.value import value
from brain_api.answers import RecallQuestion
from brain_api.web.charts import stacked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from brain.memory import Memory
    from brain.ticket import Ticket
    from brain_api.snapshot import Snapshot
    from brain_api.web.charts import Bar

FIELDS = ("title", "description", "function", "keywords", "workflow", "kind", "files")
"""The form's fields, in their order."""
KIND_NAMES = tuple(dict.fromkeys(KINDS.values()))
MOST_ITEMS, MOST_LETTERS = 200, 500
"""Of a list, and of one of its items."""


@value
class Row:
    """A memory with its score, and the terms that are not 0: as numbers, and as parts of one bar."""

    memory: Memory
    score: float
    stale: bool | str
    terms: Sequence[tuple[str, float]]
    parts: Sequence[Bar]


@value
class Explained:
    """What is recalled and why. ``facts`` is the answer as JSON; ``replaced`` are (old id, new id)."""

    facts: Mapping[str, Any]
    chosen: Sequence[Row]
    left: Sequence[Row]
    replaced: Sequence[tuple[str, str]]


def read_form(given: Mapping[str, str]) -> dict[str, str]:
    """Return the form as it was sent, cut to what is read."""
    return {name: given.get(name, "")[:MAX_TEXT].replace("\r\n", "\n") for name in FIELDS}


def ticket_of(form: Mapping[str, str]) -> Ticket:
    """Return the ticket that a form says."""
    spelled = {name: form[name].strip() for name in ("title", "description", "workflow", "kind")}
    lists = {
        "functionIds": _items(form["function"], ","), "keywords": _items(form["keywords"].replace("、", ","), ","),
        "files": _items(form["files"], "\n"),
    }  # fmt: skip
    return parse_ticket({**spelled, **lists})[0]


def _items(text: str, separator: str) -> list[str]:
    items = (part.strip()[:MOST_LETTERS] for part in text.split(separator))
    return [item for item in items if item][:MOST_ITEMS]


def explain(snapshot: Snapshot, ticket: Ticket, today: str) -> Explained:
    """Return what the ticket recalls, the next best, and what was replaced."""
    facts = parse_json(snapshot.ask(RecallQuestion(ticket, today, explain=True)).decode())
    chosen, left = ([_row(snapshot, item) for item in facts[key]] for key in ("memories", "left"))
    return Explained(facts, chosen, left, sorted(facts["replaced"].items()))


def _row(snapshot: Snapshot, item: Mapping[str, Any]) -> Row:
    terms = [(name, amount) for name, amount in item["terms"].items() if round(amount, 2)]
    parts = stacked([(name, amount) for name, amount in terms if amount > 0])
    memory = find_memories(snapshot.brain, item["id"])[0]
    return Row(memory, item["score"], item.get("stale", False), terms, parts)
