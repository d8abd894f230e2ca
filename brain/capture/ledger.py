"""What this workspace captured: how far each transcript was read, and which signals were dealt with, for good.

One file that is replaced whole after all else is written. Killed before that, the next stop reads the same part again
and finds its drafts and its retrospect as they are.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from zlib import crc32

from brain.files import read_json, try_lock, write_file
from brain.json_text import render_json
from brain.telemetry import make_dir, telemetry_dir
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

FILE, LOCK = "captured.json", "capture.lock"
MOST_KEYS, MOST_FILES = 4000, 200


@value
class Ledger:
    """``offsets`` is a transcript's mark → the byte to read on from; ``keys`` are signals dealt with, the newest last.

    ``busy`` are the sessions in which something happened that nobody was asked about yet.
    """

    offsets: Mapping[str, int]
    keys: tuple[str, ...]
    busy: tuple[str, ...] = ()


def read_ledger(state_dir: str) -> Ledger:
    """Return what was captured so far; nothing where the file is missing or not ours."""
    found = read_json(os.path.join(telemetry_dir(state_dir), FILE))
    found = found if isinstance(found, dict) else {}
    offsets, keys, busy = found.get("offsets"), found.get("keys"), found.get("busy")
    return Ledger(
        {name: at for name, at in offsets.items() if isinstance(at, int)} if isinstance(offsets, dict) else {},
        tuple(key for key in keys if isinstance(key, str)) if isinstance(keys, list) else (),
        tuple(name for name in busy if isinstance(name, str)) if isinstance(busy, list) else (),
    )


def write_ledger(state_dir: str, ledger: Ledger) -> None:
    """Keep a ledger, whole or not at all.

    Raises:
        OSError: It cannot be written.
    """
    text = render_json({
        "offsets": dict(list(ledger.offsets.items())[-MOST_FILES:]), "keys": list(ledger.keys[-MOST_KEYS:]),
        "busy": list(ledger.busy[-MOST_FILES:]),
    })  # fmt: skip
    write_file(os.path.join(telemetry_dir(state_dir), FILE), text + "\n")


def mark_of(path: str) -> str:
    """Return what a transcript is called in a ledger: nothing of its path."""
    return f"{crc32(os.fsencode(path)):08x}{len(path):x}"


@contextmanager
def alone(state_dir: str) -> Iterator[bool]:
    """Say whether this process is the only one that captures here; the system takes the lock from one that dies.

    Raises:
        OSError: The lock cannot be made.
    """
    make_dir(telemetry_dir(state_dir))
    descriptor = os.open(os.path.join(telemetry_dir(state_dir), LOCK), os.O_RDWR | os.O_CREAT, 0o600)
    try:
        yield try_lock(descriptor)
    finally:
        os.close(descriptor)
