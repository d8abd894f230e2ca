"""What the service says of itself: a line of JSON an event, on standard error; no secret and no memory text."""

from __future__ import annotations

import logging
import os
import sys
import traceback
from threading import Lock

from brain import clock
from brain.json_text import render_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TextIO


class Log:
    """Where lines go; threads take turns. A reader that is gone is no harm."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream, self._turn = stream, Lock()

    def write(self, event: str, **facts: Any) -> None:
        """Write one event with its facts."""
        kept = {name: fact for name, fact in facts.items() if fact not in (None, "")}
        line = render_json({"time": round(clock.now(), 3), "event": event, **kept})
        try:
            with self._turn:
                print(line, file=self._stream or sys.stderr, flush=True)
        except (OSError, ValueError):  # a full disk, a closed pipe
            pass

    def bug(self, where: str, error: BaseException, **facts: Any) -> None:
        """Write where a mistake of ours happened: its class and lines; its message may hold what it is about."""
        frames = traceback.extract_tb(error.__traceback__)
        places = [f"{os.path.basename(frame.filename)}:{frame.lineno} {frame.name}" for frame in frames[-12:]]
        self.write("bug", where=where, error=type(error).__name__, at=places, **facts)


class Relay(logging.Handler):
    """Takes what libraries log, as a line like ours; their tracebacks, which may hold anything, stay out."""

    def __init__(self, log: Log) -> None:
        super().__init__(logging.WARNING)
        self.log = log

    def emit(self, record: logging.LogRecord) -> None:
        """Write one record."""
        error = record.exc_info[0].__name__ if record.exc_info and record.exc_info[0] else ""
        self.log.write("library", name=record.name, level=record.levelname, said=record.getMessage()[:300], error=error)
