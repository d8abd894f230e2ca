"""The world: tables of JSON rows in memory, a journal of them on disk, repositories beside it.

Rows stay plain dictionaries on purpose: they come from JSON, go to JSON, and are written to JSON whole.
Before a call is answered, the rows it changed are appended to the journal in one write, so a kill loses nothing that
was answered; at the start the journal is written anew beside the old one and renamed.
"""

from __future__ import annotations

import json
import os
import secrets
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.gitlab.clock import Clock

Row = dict[str, Any]
TIERS = ("free", "premium", "ultimate")
SETTINGS: Row = {
    "version": "18.5.0-ee",
    "revision": "5a1c0de4d1b",
    "settle_gets": 1,  # a merge request says `checking` for so many GETs …
    "settle_seconds": 1.0,  # … or so long on the clock, whichever ends first
    "reset_ticks": 0,  # approvals fall so many ticks after the push
    "pipeline_ticks": 0,  # a pipeline appears so many ticks after the push
    "hook_ticks": 0,  # a webhook is sent so many ticks after its event
    "sha_required_to_merge": False,
    "runner": "recorded",  # recorded: jobs end as `result` says; local: gitlab-ci-local runs them
    "result": "pending",  # what a recorded job ends as; pending is a server without runners
    "rate_limit": None,  # {"requests": 10, "seconds": 60} for every caller, as an administrator would set
    "max_rows_counted": 10_000,  # above it x-total is absent
    "push_keeps_old_reviews": False,
}


class World:
    """All state of one stand-in. Every reader and writer holds `lock`."""

    def __init__(self, data: Path, tier: str) -> None:
        self.data = data
        self.lock = threading.RLock()
        self.tables: dict[str, dict[int, Row]] = {}
        self.counters: dict[str, int] = {}
        self.meta: Row = {"tier": tier, "clock": {}, "settings": dict(SETTINGS), "application": {}}
        self.address = ""  # http://host:port/prefix, set at start
        self.prefix = ""
        self.secret = secrets.token_hex(16)
        self.dirty = False
        self.head = ""
        self.file = data / "state.jsonl"
        self.touched: set[tuple[str, int]] = set()
        self.written: dict[tuple[str, int], str] = {}
        self._load()
        self.clock = Clock(self.meta["clock"])
        self.journal = self._compact()

    def called_as(self, host: str | None) -> None:
        """Name the server as its caller does, so that links lead back the same way; `--url` fixes the name instead."""
        if host and not self.meta.get("fixed_url"):
            with self.lock:
                self.address = f"{self.address.split('://')[0]}://{host}{self.prefix}"

    @property
    def tier(self) -> str:
        """Return free, premium or ultimate."""
        return str(self.meta["tier"])

    @property
    def paid(self) -> bool:
        """Return whether Premium features are there."""
        return self.tier != "free"

    @property
    def settings(self) -> Row:
        """Return the knobs of the stand-in itself."""
        row: Row = self.meta["settings"]
        return row

    def now(self) -> float:
        """Return the clock's time in seconds."""
        return self.clock.now()

    def add(self, table: str, row: Row) -> Row:
        """Store a row under the table's next id and return it."""
        self.counters[table] = self.counters.get(table, 0) + 1
        stored = {"id": self.counters[table], "created_at": self.now(), "updated_at": self.now(), **row}
        self.tables.setdefault(table, {})[int(stored["id"])] = stored
        self.touch(table, stored)
        return stored

    def touch(self, table: str, row: Row) -> None:
        """Note that a row changed, which was read before the last save."""
        self.touched.add((table, row["id"]))
        self.dirty = True

    def next_iid(self, table: str, project_id: int) -> int:
        """Return the next number of a project's own count; numbers are never used twice."""
        key = f"{table}/{project_id}"
        self.counters[key] = self.counters.get(key, 0) + 1
        return self.counters[key]

    def get(self, table: str, row_id: int | None) -> Row | None:
        """Return the row, or None."""
        if row_id is None:
            return None
        self.touched.add((table, row_id))
        return self.tables.get(table, {}).get(row_id)

    def the(self, table: str, row_id: int) -> Row:
        """Return a row that must be there."""
        self.touched.add((table, row_id))
        return self.tables[table][row_id]

    def rows(self, table: str, **where: Any) -> list[Row]:
        """Return the rows whose fields equal `where`, by id."""
        return list(self.find(table, **where))

    def find(self, table: str, **where: Any) -> Iterator[Row]:
        """Iterate over the rows whose fields equal `where`, by id."""
        wanted = where.items()
        for row in list(self.tables.get(table, {}).values()):
            if all(row.get(name) == value for name, value in wanted):
                self.touched.add((table, row["id"]))
                yield row

    def one(self, table: str, **where: Any) -> Row | None:
        """Return the first row whose fields equal `where`, or None."""
        return next(self.find(table, **where), None)

    def drop(self, table: str, *rows: Row) -> None:
        """Forget rows."""
        for row in rows:
            self.tables.get(table, {}).pop(row["id"], None)
            self.touch(table, row)

    def drop_where(self, table: str, **where: Any) -> None:
        """Forget all rows whose fields equal `where`."""
        self.drop(table, *self.rows(table, **where))

    def save(self) -> None:
        """Append what changed since the last save; rows handed out since then are those that can have changed."""
        lines = [line for line in (self._changed(*key) for key in sorted(self.touched)) if line]
        head = json.dumps({"meta": self.meta, "counters": self.counters})
        if head != self.head:
            lines.append(head)
        if lines:
            os.write(self.journal, "".join(line + "\n" for line in lines).encode())
        self.head, self.dirty = head, False
        self.touched.clear()

    def settled(self) -> None:
        """Forget which rows were handed out: the call only read."""
        self.touched.clear()

    def _changed(self, table: str, row_id: int) -> str | None:
        row = self.tables.get(table, {}).get(row_id)
        line = json.dumps([table, row_id, row])
        if self.written.get((table, row_id)) == line or (row is None and (table, row_id) not in self.written):
            return None
        if row is None:
            del self.written[table, row_id]
        else:
            self.written[table, row_id] = line
        return line

    def _load(self) -> None:
        """Replay the journal; a last line that a kill cut short is dropped."""
        for line in self.file.read_text().splitlines() if self.file.exists() else []:
            try:
                entry = json.loads(line)
            except ValueError:
                break
            if isinstance(entry, dict):
                self.meta, self.counters = entry["meta"], entry["counters"]
            elif entry[2] is None:
                self.tables.get(entry[0], {}).pop(entry[1], None)
            else:
                self.tables.setdefault(entry[0], {})[entry[1]] = entry[2]
        self.meta["settings"] = {**SETTINGS, **self.meta["settings"]}

    def _compact(self) -> int:
        """Write the journal anew and return it open for appending."""
        self.head = json.dumps({"meta": self.meta, "counters": self.counters})
        for table, rows in self.tables.items():
            self.written |= {(table, row_id): json.dumps([table, row_id, row]) for row_id, row in rows.items()}
        beside = self.file.with_suffix(".new")
        beside.write_text("".join(line + "\n" for line in (self.head, *self.written.values())))
        os.replace(beside, self.file)
        self.touched.clear()
        return os.open(self.file, os.O_WRONLY | os.O_APPEND)
