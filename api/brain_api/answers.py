"""What can be asked of a snapshot, as values, and the answers as JSON or markdown: no HTTP here.

The same question to the same snapshot has the same answer, so each is made once and kept.
"""

from __future__ import annotations

from collections import Counter

from brain.answers import memory_facts, recall_facts
from brain.errors import MemoryNotFoundError
from brain.find import find_memories
from brain.json_text import render_json
from brain.layout import short_code
from brain.memory_index import index_line, render_index
from brain.recall.recall import index_text, memories_text, memory_warnings, piece_name, recall
from brain.recall.render import UNBOUNDED, Shown, render_block
from brain.search import patience_of, search_all
from brain.ticket import Ticket
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any, Protocol

    from brain.memory import Memory
    from brain_api.snapshot import Snapshot

    class Question(Protocol):
        """A value; equal ones are the same question."""

        def answer(self, snapshot: Snapshot) -> bytes:
            """Return what the snapshot says."""


class Passing(bytes):
    """An answer that may be another when it is asked for again: it is not kept."""


MOST_LEFT = 20
"""How many of the next best an explanation lists."""


@value
class RecallQuestion:
    """What a ticket recalls on a day: how many, with the index text, with what was left out and why."""

    ticket: Ticket
    day: str
    limit: int | None = None
    index: bool = False
    explain: bool = False

    def answer(self, snapshot: Snapshot) -> bytes:
        """Return what ``brain recall --json`` prints, and the text an assistant gets."""
        brain = snapshot.brain
        found = recall(
            brain,
            self.ticket,
            self.day,
            self.limit,
            rank_all=self.explain,
            look=lambda _, chosen: snapshot.doubts(chosen),
        )
        text = memories_text(found, brain.config, room=UNBOUNDED)
        facts: dict[str, Any] = {
            **recall_facts(found, text.text), "keywords": sorted(found.query.keywords), "context": text.text,
            "noRoom": text.left, "commit": snapshot.commit, "remark": found.remark,
        }  # fmt: skip
        if self.index:
            facts["index"] = index_text(brain, self.ticket, room=UNBOUNDED).text
        if self.explain:
            facts["spotted"] = sorted(found.query.spotted)
            facts["left"] = [
                {"id": item.memory.id, "name": piece_name(item.memory), "score": item.score, "terms": item.terms}
                for item in found.left[:MOST_LEFT]
            ]
            facts["replaced"] = dict(found.replaced)
        return Passing(_json(facts)) if found.remark else _json(facts)


@value
class IndexQuestion:
    """The index of approved memories, or the lines of one function."""

    function: str = ""

    def answer(self, snapshot: Snapshot) -> bytes:
        """Return markdown."""
        if not self.function:
            return render_index(snapshot.memories()).encode()
        code = short_code(self.function.removeprefix("_")).lower()
        lines = sorted(index_line(memory) for memory in snapshot.memories() if short_code(memory.scope).lower() == code)
        return "".join(f"{line}\n" for line in lines).encode()


@value
class PageQuestion:
    """A page of memories in the order of their ids, those after an id; "" wants any type, area, scope or tag."""

    after: str
    limit: int
    type: str = ""
    area: str = ""
    scope: str = ""
    tag: str = ""

    def answer(self, snapshot: Snapshot) -> bytes:
        """Return the page, how many there are in all, and the id that the next page comes after."""
        rows = sorted(filter(self._wants, snapshot.memories()), key=lambda memory: memory.id)
        following = [memory for memory in rows if memory.id > self.after]
        page = following[: self.limit]
        more = page[-1].id if len(following) > self.limit else None
        return _json(
            {"commit": snapshot.commit, "total": len(rows), "memories": list(map(memory_row, page)), "next": more}
        )

    def _wants(self, memory: Memory) -> bool:
        pairs = ((self.type, memory.type), (self.area, memory.place.area), (self.scope, memory.scope))
        return all(not wanted or wanted == own for wanted, own in pairs) and (not self.tag or self.tag in memory.tags)


def memory_row(memory: Memory) -> dict[str, Any]:
    """Return what a list says of a memory."""
    return {
        "id": memory.id, "type": memory.type, "scope": memory.scope, "path": memory.path, "sentence": memory.sentence,
        "tags": list(memory.tags), "workflows": list(memory.workflows), "confidence": memory.confidence,
        "hits": memory.hits, "created": memory.created, "stale": memory.stale,
    }  # fmt: skip


@value
class MemoryQuestion:
    """One memory, by its id."""

    id: str

    def answer(self, snapshot: Snapshot) -> bytes:
        """Return it whole, with its doubts, and as an assistant is given it.

        Raises:
            MemoryNotFoundError: There is none of that id.
        """
        found = find_memories(snapshot.brain, self.id)
        if not found:
            raise MemoryNotFoundError(self.id)
        memory, doubts = found[0], snapshot.doubts(found[:1])
        text = render_block(Shown(memory, tuple(memory_warnings(memory, doubts))))
        facts = memory_facts(memory, doubts.get(memory.path, ()))
        return _json({**facts, "stale": memory.stale, "text": text, "commit": snapshot.commit})


@value
class SearchQuestion:
    """Memories by words in any language."""

    words: str
    limit: int

    def answer(self, snapshot: Snapshot) -> bytes:
        """Return those that match best, best first, and why meaning had no part in it, where it should have."""
        brain = snapshot.brain
        searched = search_all(brain, self.words, self.limit, patience_of(brain.config))
        rows = [
            {
                "id": found.memory.id,
                "score": found.score,
                "status": found.memory.status,
                "sentence": found.memory.sentence,
            }
            for found in searched.found
        ]
        told = _json({"commit": snapshot.commit, "memories": rows, "remark": searched.remark})
        return Passing(told) if searched.remark else told


def known_ids(snapshot: Snapshot, ids: Iterable[str]) -> set[str]:
    """Return those ids that a memory has."""
    return {name for name in ids if find_memories(snapshot.brain, name)}


def report(snapshot: Snapshot, hits: Mapping[str, int], queue: Mapping[str, Any]) -> dict[str, Any]:
    """Return what can be told today of a project's memory, its use and its queue."""
    memories = list(snapshot.memories())
    used = sum(bool(memory.hits or hits.get(memory.id)) for memory in memories)
    ages = [row["days"] for row in queue.get("open", ())]
    return {
        "commit": snapshot.commit, "memories": len(memories),
        "byType": dict(Counter(memory.type for memory in memories)),
        "byArea": dict(Counter(memory.place.area for memory in memories)),
        "markedStale": sum(memory.stale for memory in memories), "neverUsed": len(memories) - used,
        "hits": sum(memory.hits for memory in memories), "hitsToldHere": sum(hits.values()),
        "unreadable": len(snapshot.brain.tree.skipped),
        "queue": {"open": len(ages), "oldestDays": max(ages, default=None)},
    }  # fmt: skip


def _json(facts: dict[str, Any]) -> bytes:
    return render_json(facts).encode()
