"""How memories were used, as machines tell it: counts that only grow, so adding them up never counts twice.

What a machine tells here and what it publishes in git are states of the same counter: they are joined, and not added.
"""

from __future__ import annotations

import hashlib
import re
from threading import RLock

from brain.tend.counts import NOTHING, Counts, Use, grown, join, plain, read_counts, total
from brain.value import replace
from brain_api.journal import Journal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

MOST_BYTES = 8 << 20
"""A larger file is begun anew with the last state of each machine."""
PLAIN_NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9_-]|\.(?=[A-Za-z0-9_-]))*")


class Hits:
    """One project's counts: machine → all that this machine ever told."""

    def __init__(self, path: str) -> None:
        self._journal = Journal(path)
        self._turn = RLock()
        self._machines: dict[str, Counts] = {}
        self._smallest = 0

    def merge(self, machine: str, counts: Counts, day: str = "") -> int:
        """Keep what is more than was known, on disk when this returns; return how many memories and weeks that were.

        Hits that come without their last day were made by ``day`` (ISO date), where they are more: what is told again
        was not used again.

        Raises:
            OSError: The disk did not take it.
        """
        name = machine_key(machine)
        with self._turn, self._journal.locked():
            self._catch_up()
            known = self._machines.get(name, NOTHING)
            if day:
                uses = {key: use for key, use in counts.uses.items() if use.hits > known.uses.get(key, Use()).hits}
                counts = Counts({key: replace(use, last=use.last or day) for key, use in uses.items()}, counts.weeks)
            more = grown(known, counts)
            if more != NOTHING:
                self._journal.append([_row(name, more)])
                self._catch_up()
            self._keep_small()
            return len(more.uses) + len(more.weeks)

    def add(self, machine: str, ids: Iterable[str], day: str) -> None:
        """Count one use more of each on a day (ISO date), on disk when this returns.

        Raises:
            OSError: The disk did not take it.
        """
        name = machine_key(machine)
        with self._turn, self._journal.locked():
            self._catch_up()
            known = self._machines.get(name, NOTHING).uses
            uses = {memory: Use(known.get(memory, Use()).hits + 1, last=day) for memory in ids}
            if uses:
                self._journal.append([_row(name, Counts(uses, {}))])
                self._catch_up()
            self._keep_small()

    def machines(self) -> dict[str, Counts]:
        """Return machine → its counts."""
        with self._turn:
            self._catch_up()
            return dict(self._machines)

    def totals(self) -> dict[str, int]:
        """Return id → hits of all machines."""
        return {name: use.hits for name, use in total(self.machines().values()).uses.items()}

    def _keep_small(self) -> None:
        if self._journal.size() > max(MOST_BYTES, 2 * self._smallest):
            self._journal.rewrite([_row(name, counts) for name, counts in sorted(self._machines.items())])
            self._smallest = self._journal.size()

    def _catch_up(self) -> None:
        anew, rows = self._journal.read_on()
        if anew:
            self._machines = {}
        for row in rows:
            machine, counts = row.get("machine"), _counts_of(row)
            if isinstance(machine, str):
                self._machines[machine] = join(self._machines.get(machine, NOTHING), counts)


def machine_key(machine: str) -> str:
    """Return a machine's name as git takes it in a ref: one that git refuses is known by its hash.

    >>> machine_key("ada.local"), machine_key("a..b")
    ('ada.local', 'f62b42414c514fa6')
    """
    if PLAIN_NAME.fullmatch(machine) and not machine.endswith(".lock"):
        return machine
    return hashlib.sha256(machine.encode()).hexdigest()[:16]


def _row(machine: str, counts: Counts) -> dict[str, Any]:
    return {"machine": machine, "counts": plain(counts)}


def _counts_of(row: Mapping[str, Any]) -> Counts:
    """Return the counts of a line; one of an earlier version has hits of one memory alone."""
    name, number = row.get("id"), row.get("n")
    if isinstance(name, str) and isinstance(number, int):
        return Counts({name: Use(number)}, {})
    return read_counts(row.get("counts"))
