"""Time under the tests' control: real time plus an offset, or frozen; and steps that wait for ticks."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import Any


class Clock:
    """The one clock of the world. Seconds for people, ticks for delays counted in steps."""

    def __init__(self, state: dict[str, Any]) -> None:
        self.state = state
        state.setdefault("offset", 0.0)
        state.setdefault("frozen", None)
        state.setdefault("ticks", 0)

    def now(self) -> float:
        """Return the time in seconds since 1970."""
        frozen = self.state["frozen"]
        return float(frozen if frozen is not None else time.time() + self.state["offset"])

    def advance(self, seconds: float) -> None:
        """Move the clock on."""
        if self.state["frozen"] is not None:
            self.state["frozen"] += seconds
        else:
            self.state["offset"] += seconds

    def freeze(self, at: float | None) -> None:
        """Stop the clock at `at`, or let it run on from where it stands."""
        if at is None and self.state["frozen"] is not None:
            self.state["offset"] = self.state["frozen"] - time.time()
        self.state["frozen"] = at

    def tick(self, count: int) -> None:
        """Count steps."""
        self.state["ticks"] += count


def iso(seconds: float | None) -> str | None:
    """Return a time as the API writes it: UTC, milliseconds, Z."""
    if seconds is None:
        return None
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S.") + f"{int(seconds * 1000) % 1000:03d}Z"


def hook_time(seconds: float | None) -> str | None:
    """Return a time as webhooks write it: `2026-01-16 05:56:22 UTC`."""
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def parse(text: str) -> float:
    """Return the seconds of an ISO date or date and time; no zone means UTC."""
    moment = datetime.fromisoformat(text)
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


def day(seconds: float) -> str:
    """Return the UTC date."""
    return datetime.fromtimestamp(seconds, UTC).date().isoformat()
