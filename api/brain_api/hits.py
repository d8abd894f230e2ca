"""How often memories were used, as machines tell it: counts that only grow, so adding them up never counts twice."""

from __future__ import annotations

from threading import RLock

from brain_api.journal import Journal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

MOST_BYTES = 8 << 20
"""A larger file is begun anew with the last count of each."""


class Hits:
    """One project's counts: machine → id → the most that this machine ever told."""

    def __init__(self, path: str) -> None:
        self._journal = Journal(path)
        self._turn = RLock()
        self._counts: dict[tuple[str, str], int] = {}

    def merge(self, machine: str, counts: Mapping[str, int]) -> int:
        """Keep what is more than was known, on disk when this returns; return how many that were.

        Raises:
            OSError: The disk did not take it.
        """
        with self._turn, self._journal.locked():
            self._catch_up()
            grown = {name: count for name, count in counts.items() if count > self._counts.get((machine, name), 0)}
            if grown:
                self._journal.append([{"machine": machine, "id": name, "n": count} for name, count in grown.items()])
                self._catch_up()
            if self._journal.size() > MOST_BYTES:
                rows = [{"machine": of, "id": name, "n": count} for (of, name), count in self._counts.items()]
                self._journal.rewrite(rows)
            return len(grown)

    def add(self, machine: str, ids: Iterable[str]) -> None:
        """Count one use more of each, on disk when this returns.

        Raises:
            OSError: The disk did not take it.
        """
        with self._turn, self._journal.locked():
            self._catch_up()
            rows = [{"machine": machine, "id": name, "n": self._counts.get((machine, name), 0) + 1} for name in ids]
            if rows:
                self._journal.append(rows)
                self._catch_up()

    def totals(self) -> dict[str, int]:
        """Return id → the sum over all machines."""
        with self._turn:
            self._catch_up()
            found: dict[str, int] = {}
            for (_, name), count in self._counts.items():
                found[name] = found.get(name, 0) + count
        return found

    def _catch_up(self) -> None:
        anew, rows = self._journal.read_on()
        if anew:
            self._counts = {}
        for row in rows:
            machine, name, count = row.get("machine"), row.get("id"), row.get("n")
            if isinstance(machine, str) and isinstance(name, str) and isinstance(count, int):
                self._counts[machine, name] = max(count, self._counts.get((machine, name), 0))
