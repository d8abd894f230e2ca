"""What was injected and what failed, as JSON lines beside the workspace's settings (SPEC §8); never memory text."""

from __future__ import annotations

import os

from brain import clock
from brain.files import write_file
from brain.json_text import render_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FOLDER = "brain"
EVENTS, FAILURES = "telemetry.jsonl", "failures.jsonl"
MAX_BYTES = 1_000_000
"""A file larger than this is set aside under a number and begun anew."""
KEPT = 8
"""Files that are set aside at most; of more, the oldest goes."""
READ, CITED = "read", "cited"
"""Events that are uses of the memories that ``ids`` names: asked for, and named in an assistant's own text (SPEC §8).

Beside ``ids`` they have the ``session`` and the ``ticket`` where these are known: in one session a memory is used once.
"""


def telemetry_dir(state_dir: str) -> str:
    """Return the folder below ``.aiflow`` that is this program's; it ignores itself in git."""
    return os.path.join(state_dir, FOLDER)


def record(state_dir: str, name: str, event: str, **facts: Any) -> None:
    """Append one line to ``EVENTS`` or ``FAILURES``: one write, so that sessions side by side do not mix."""
    folder = telemetry_dir(state_dir)
    line = render_json({"time": round(clock.now(), 3), "event": event, **facts}) + "\n"
    try:
        make_dir(folder)
        path = os.path.join(folder, name)
        descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(descriptor, line.encode())
            status = os.fstat(descriptor)
            # another process may have set it aside meanwhile: then ``path`` is the new one
            if status.st_size > MAX_BYTES and os.path.samestat(status, os.stat(path)):
                os.replace(path, _aside(path))
        finally:
            os.close(descriptor)
    except OSError:  # a read-only disk loses telemetry, not the session
        pass


def list_logs(state_dir: str, name: str) -> list[str]:
    """Return the paths of a log's files, those set aside first."""
    path = os.path.join(telemetry_dir(state_dir), name)
    return [*filter(os.path.exists, _numbered(path)), path]


def _numbered(path: str) -> list[str]:
    return [f"{path}.{number}" for number in range(1, KEPT + 1)]


def _aside(path: str) -> str:
    """Return where a full file goes: to a free number, else in the oldest one's place."""
    names = _numbered(path)
    free = next((name for name in names if not os.path.exists(name)), "")
    return free or min(names, key=lambda name: os.stat(name).st_mtime)


def make_dir(folder: str) -> None:
    """Make our folder below ``.aiflow``, with a ``.gitignore`` that hides all of it.

    Raises:
        OSError: It cannot be made.
    """
    ignore = os.path.join(folder, ".gitignore")
    if not os.path.exists(ignore):
        write_file(ignore, "*\n")
