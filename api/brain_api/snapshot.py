"""One state of a project's memory: read whole, then never changed, only replaced by the next."""

from __future__ import annotations

import hashlib
import time
from collections import OrderedDict
from threading import Lock

from brain.json_text import render_json
from brain.recall.doubts import doubts_of
from brain.stale.refs import MEMORY
from brain.value import replace
from brain_api.answers import Passing, RecallQuestion
from brain_api.resident import resident

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from brain.memory import Memory
    from brain.stale.memories import Doubt
    from brain.tend.metrics import Facts
    from brain.workspace import Brain
    from brain_api.answers import Question
    from brain_api.resident import Resident

WARM_QUESTIONS, WARM_SECONDS = 256, 0.5
"""How much of that, and how long a new snapshot may be held back for it."""
MOST_BYTES = 32 << 20
"""Answers that a snapshot keeps; the ones that were not asked for longest go first."""


class Answers:
    """Answers by question: what was asked lately costs its work once."""

    def __init__(self, most: int = MOST_BYTES) -> None:
        self._most, self._size, self._turn = most, 0, Lock()
        self.forgotten = 0
        self._kept: OrderedDict[Question, bytes] = OrderedDict()
        self._asked: OrderedDict[Question, None] = OrderedDict()

    def find(self, question: Question) -> bytes | None:
        """Return the answer that is kept, None where none is; the question counts as asked."""
        with self._turn:
            self._asked[question] = None
            self._asked.move_to_end(question)
            if len(self._asked) > WARM_QUESTIONS:
                self._asked.popitem(last=False)
            found = self._kept.get(question)
            if found is not None:
                self._kept.move_to_end(question)
        return found

    def keep(self, question: Question, answer: bytes, since: int = 0) -> None:
        """Keep an answer as the latest, unless all was forgotten while it was made (``since`` was ``forgotten``)."""
        with self._turn:
            if since != self.forgotten:
                return
            self._size += len(answer) - len(self._kept.pop(question, b""))
            self._kept[question] = answer
            while self._size > self._most and len(self._kept) > 1:
                self._size -= len(self._kept.popitem(last=False)[1])

    def forget(self) -> None:
        """Keep no answer any longer; what was asked is still known."""
        with self._turn:
            self._kept.clear()
            self._size, self.forgotten = 0, self.forgotten + 1

    def latest(self) -> list[Question]:
        """Return what was asked last, the latest first."""
        with self._turn:
            return list(reversed(self._asked))


class Snapshot:
    """The memory of one commit, with the code commits that its staleness was told by.

    ``version`` is the same for the same contents; ``loaded`` is seconds since 1970.
    """

    def __init__(self, brain: Brain, stamp: Sequence[str], loaded: float, before: Snapshot | None = None) -> None:
        tree, self.residents = resident(brain.tree, before.residents if before else {})
        self.brain: Brain = replace(brain, tree=tree)
        self.stamp, self.loaded = tuple(stamp), loaded
        settings = {name: brain.config[name] for name in sorted(brain.config.values)}
        self.version = _digest([*stamp, tree.commit, tree.tree, settings])
        self.etag = f'"{self.version}"'
        self.answers = Answers()
        self._reading, self._history = Lock(), None
        same_code = before is not None and before.stamp[1:] == self.stamp[1:]
        known = before.known_doubts if before and same_code else {}
        self.known_doubts = {key: found for key, found in list(known.items()) if key[0] in ("", self.commit)}

    _history: Facts | None
    residents: dict[str, Resident]
    known_doubts: dict[tuple[str, tuple[str, ...], str], tuple[Doubt, ...]]

    def ask(self, question: Question) -> bytes:
        """Return the answer to a question, kept or made now."""
        found = self.answers.find(question)
        if found is None:
            since = self.answers.forgotten
            found = question.answer(self)
            if not isinstance(found, Passing):
                self.answers.keep(question, found, since)
        return found

    def warm(self, before: Snapshot) -> None:
        """Answer what was recalled last from the snapshot before, so that being replaced does not slow it down."""
        until = time.monotonic() + WARM_SECONDS
        for question in before.answers.latest():
            if isinstance(question, RecallQuestion) and time.monotonic() < until:
                found = question.answer(self)
                if not isinstance(found, Passing):
                    self.answers.keep(question, found)

    @property
    def commit(self) -> str:
        """The memory's commit, "" where nothing is committed."""
        return self.brain.tree.commit

    def memories(self) -> Iterator[Memory]:
        """Yield every approved memory."""
        return (memory for part in self.brain.tree.parts for memory in part.memories())

    def doubts(self, memories: Sequence[Memory]) -> dict[str, tuple[Doubt, ...]]:
        """Return path → the refs in doubt, for those memories that have any; each is looked at once."""
        missing = [memory for memory in memories if memory.refs and self._key(memory) not in self.known_doubts]
        if missing:
            found = doubts_of(self.brain, missing)
            self.known_doubts.update((self._key(memory), found.get(memory.path, ())) for memory in missing)
        rows = ((memory.path, self.known_doubts[self._key(memory)]) for memory in memories if memory.refs)
        return {path: doubts for path, doubts in rows if doubts}

    def history(self) -> Facts:
        """Return what the memory's history says to a report, read once: it takes a second.

        Raises:
            BrainError: Git does not tell.
        """
        from brain.tend.report_facts import gather  # only here: the service starts without it

        with self._reading:
            if self._history is None:
                self._history = gather(self.brain, None, {})
            return self._history

    def _key(self, memory: Memory) -> tuple[str, tuple[str, ...], str]:
        """Return what the doubts of a memory depend on, beside the commits of the code repos."""
        own = self.commit if any(ref.startswith(f"{MEMORY}:") for ref in memory.refs) else ""
        return own, memory.refs, str(memory.verified_commit)


def _digest(found: object) -> str:
    return hashlib.sha256(render_json(found).encode()).hexdigest()[:20]
