"""What this workspace captured: how far each transcript was read, and which signals were dealt with, for good.

One file that is replaced whole after all else is written. Killed before that, the next stop reads the same part again
and finds its drafts and its retrospect as they are.
"""

from __future__ import annotations

import os
from zlib import crc32

from brain.files import FileLock, read_json, write_file
from brain.json_text import render_json
from brain.telemetry import make_dir, telemetry_dir
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

FILE, LOCK = "captured.json", "capture.lock"
MOST_KEYS, MOST_FILES = 4000, 200
NOTHING: Mapping[str, int] = {}


@value
class Ledger:
    """``offsets`` is a transcript's mark → the byte to read on from; ``keys`` are signals dealt with, the newest last.

    ``busy`` are the sessions in which something happened that nobody was asked about yet. ``shown`` is a transcript's
    mark → the byte up to which a model saw it.
    """

    offsets: Mapping[str, int]
    keys: tuple[str, ...]
    busy: tuple[str, ...] = ()
    shown: Mapping[str, int] = NOTHING


def read_ledger(state_dir: str) -> Ledger:
    """Return what was captured so far; nothing where the file is missing or not ours."""
    found = read_json(os.path.join(telemetry_dir(state_dir), FILE))
    found = found if isinstance(found, dict) else {}
    keys, busy = found.get("keys"), found.get("busy")
    return Ledger(
        _places(found.get("offsets")),
        tuple(key for key in keys if isinstance(key, str)) if isinstance(keys, list) else (),
        tuple(name for name in busy if isinstance(name, str)) if isinstance(busy, list) else (),
        _places(found.get("shown")),
    )


def _places(found: Any) -> dict[str, int]:
    return {name: at for name, at in found.items() if isinstance(at, int)} if isinstance(found, dict) else {}


def write_ledger(state_dir: str, ledger: Ledger) -> None:
    """Keep a ledger, whole or not at all.

    Raises:
        OSError: It cannot be written.
    """
    text = render_json({
        "offsets": dict(list(ledger.offsets.items())[-MOST_FILES:]), "keys": list(ledger.keys[-MOST_KEYS:]),
        "busy": list(ledger.busy[-MOST_FILES:]), "shown": dict(list(ledger.shown.items())[-MOST_FILES:]),
    })  # fmt: skip
    write_file(os.path.join(telemetry_dir(state_dir), FILE), text + "\n")


def mark_of(path: str) -> str:
    """Return what a transcript is called in a ledger: nothing of its path."""
    return f"{crc32(os.fsencode(path)):08x}{len(path):x}"


def alone(state_dir: str, seconds: float = 0.0) -> FileLock:
    """Return a lock that says whether this process is the only one that captures here, waiting so long for another."""
    make_dir(telemetry_dir(state_dir))
    return FileLock(os.path.join(telemetry_dir(state_dir), LOCK), seconds)
