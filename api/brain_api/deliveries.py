"""Webhooks that were accepted and are not yet done: kept on disk, each once, whatever is killed meanwhile."""

from __future__ import annotations

from threading import RLock

from brain.value import value
from brain_api.journal import Journal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

MOST_KEYS = 5000
"""Keys of what is done that are remembered, so that a delivery that comes again is known."""
MOST_BYTES = 4 << 20
"""A larger file is begun anew with what still counts."""


@value
class Delivery:
    """What a webhook told, as far as work follows from it; no text of people is kept.

    ``key`` is the same when the same delivery comes again. ``at`` is seconds since 1970. ``iid``, ``action``, ``state``
    and ``ours`` are of a merge request, ``branch`` of a push its full ref.
    """

    key: str
    at: float
    kind: str
    iid: int = 0
    sha: str = ""
    action: str = ""
    state: str = ""
    user: int = 0
    branch: str = ""
    ours: bool = False
    """Whether the merge request is one of memories."""


class Deliveries:
    """One project's deliveries."""

    def __init__(self, path: str) -> None:
        self._journal = Journal(path)
        self._turn = RLock()
        self._known: dict[str, Delivery | None] = {}

    def accept(self, delivery: Delivery) -> bool:
        """Keep a delivery, on disk when this returns; say whether it is new.

        Raises:
            OSError: The disk did not take it.
        """
        with self._turn, self._journal.locked():
            self._catch_up()
            if delivery.key in self._known:
                return False
            self._journal.append([_row(delivery)])
            self._catch_up()
            return True

    def pending(self) -> list[Delivery]:
        """Return what is to be done, in the order it came."""
        with self._turn:
            self._catch_up()
            return [delivery for delivery in self._known.values() if delivery]

    def done(self, deliveries: Iterable[Delivery]) -> None:
        """Note that these are done, or not to be done.

        Raises:
            OSError: The disk did not take it; they come again.
        """
        with self._turn, self._journal.locked():
            self._catch_up()
            self._journal.append([{"done": delivery.key} for delivery in deliveries])
            self._catch_up()
            if self._journal.size() > MOST_BYTES:
                rows = [_row(found) if found else {"done": key} for key, found in self._known.items()]
                self._journal.rewrite(rows)

    def _catch_up(self) -> None:
        anew, rows = self._journal.read_on()
        if anew:
            self._known = {}
        for row in rows:
            key = row.get("done")
            if isinstance(key, str):
                self._known[key] = None
            elif isinstance(row.get("key"), str):
                self._known.setdefault(row["key"], _delivery(row))  # None: what is no delivery is nothing to do
        over = len(self._known) - MOST_KEYS
        if over > 0:
            for key in [key for key, found in self._known.items() if not found][:over]:
                del self._known[key]


def _row(delivery: Delivery) -> dict[str, Any]:
    return dict(vars(delivery))


def _delivery(row: dict[str, Any]) -> Delivery | None:
    """Return the delivery of a row, also of one that an earlier version wrote; None where it is none."""
    try:
        return Delivery(**{name: row[name] for name in Delivery.__annotations__ if name in row})
    except TypeError:  # it has no kind, or no time
        return None
