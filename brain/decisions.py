"""What was decided of drafts: kept for now, or dropped and to be had back (SPEC §9). Light: a session start reads it.

Decisions are this machine's, in the memory repo's git directory. A draft that was kept is asked about again once its
text is another, or once it has become too old.
"""

from __future__ import annotations

import os
import zlib

from brain import clock
from brain.clock import DAY
from brain.errors import BrainError, ConflictError, MemoryNotFoundError
from brain.files import read_bytes, read_json, write_file
from brain.index.cache import cache_dir
from brain.json_text import render_json
from brain.layout import PENDING, find_place
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from brain.git.refs import Repo

KEPT, DROPPED = "kept.json", "dropped"
MOST_KEPT = 2000


@value
class Dropped:
    """A draft that was dropped: its id ("" where no memory may lie), path below ``_pending/``, and its file now."""

    id: str
    path: str
    file: str


def keep_drafts(repo: Repo, memory_root: str, paths: Iterable[str], now: float) -> None:
    """Remember that these drafts (paths below ``_pending/``) are kept as they are.

    Raises:
        BrainError: It cannot be remembered.
    """
    folder = os.path.join(memory_root, PENDING)
    kept = {path: row for path, row in _kept(repo).items() if os.path.exists(os.path.join(folder, path))}
    kept |= {path: (_mark(os.path.join(folder, path)), now) for path in paths}
    text = render_json({path: list(row) for path, row in list(kept.items())[-MOST_KEPT:]})
    try:
        write_file(os.path.join(cache_dir(repo), KEPT), text + "\n")
    except OSError as error:
        raise BrainError(f"{error.filename or KEPT}: {error.strerror}", "check room and permissions") from None


def undecided(repo: Repo, memory_root: str, paths: Iterable[str], now: float, days: int) -> list[str]:
    """Return those drafts' paths that want a decision; ``days`` is the age from which a draft is too old."""
    folder, kept = os.path.join(memory_root, PENDING), _kept(repo)
    return [path for path in paths if not _holds(os.path.join(folder, path), kept.get(path), now, days * DAY)]


def count_old(repo: Repo, memory_root: str, changed: Mapping[str, float], days: int) -> int:
    """Return how many drafts are older than so many days and not kept since; ``changed`` is path → seconds."""
    now = clock.now()
    old = [path for path, when in changed.items() if now - when > (days + 1) * DAY]  # as `brain status` counts
    return len(undecided(repo, memory_root, old, now, days)) if old else 0


def set_aside(repo: Repo, memory_root: str, path: str, now: float) -> None:
    """Move a draft out of ``_pending/`` to where ``restore_draft`` finds it.

    Raises:
        BrainError: It cannot be moved.
    """
    from shutil import move  # for a person's command, not for a session start

    target = os.path.join(cache_dir(repo), DROPPED, f"{int(now * 1000):015d}", *path.split("/"))
    try:
        os.makedirs(os.path.dirname(target), exist_ok=True)
        move(os.path.join(memory_root, PENDING, *path.split("/")), target)
    except OSError as error:
        raise BrainError(f"{error.filename or path}: {error.strerror}", "check its permissions") from None


def list_dropped(repo: Repo) -> list[Dropped]:
    """Return the drafts that were dropped, the latest first."""
    top = os.path.join(cache_dir(repo), DROPPED)
    found = []
    for folder, _, names in os.walk(top):
        for name in names:
            file = os.path.join(folder, name)
            when, _, path = os.path.relpath(file, top).replace(os.sep, "/").partition("/")
            place = find_place(path)
            found.append((when, Dropped(place.id if place else "", path, file)))
    return [row for _, row in sorted(found, key=lambda pair: (pair[0], pair[1].path), reverse=True)]


def restore_draft(repo: Repo, memory_root: str, name: str) -> str:
    """Bring the last draft of that id or path back that was dropped; return its path below ``_pending/``.

    Raises:
        MemoryNotFoundError: None was dropped.
        ConflictError: There is a draft in its place by now.
        BrainError: It cannot be moved.
    """
    from shutil import move

    bare = name.partition(f"{PENDING}/")[2] or name
    dropped = list_dropped(repo)
    row = next((row for row in dropped if name == row.id or bare == row.path), None)
    if row is None:
        raise MemoryNotFoundError(name, dropped[0].id if dropped else "")
    target = os.path.join(memory_root, PENDING, *row.path.split("/"))
    if os.path.lexists(target):
        raise ConflictError(f"{PENDING}/{row.path}: there is a draft of that name", f"brain pending drop {name} first")
    try:
        os.makedirs(os.path.dirname(target), exist_ok=True)
        move(row.file, target)
    except OSError as error:
        raise BrainError(f"{error.filename or row.path}: {error.strerror}", "check its permissions") from None
    return row.path


def _holds(file: str, kept: tuple[int, float] | None, now: float, limit: float) -> bool:
    """Say whether a decision to keep a file still counts: it is the same text, and did not become too old since."""
    if kept is None or kept[0] != _mark(file):
        return False
    try:
        too_old = os.stat(file).st_mtime + limit
    except OSError:
        return False
    return now < (too_old if kept[1] < too_old else kept[1] + limit)


def _mark(file: str) -> int:
    """Return a number that tells two texts apart."""
    content = read_bytes(file)
    return zlib.crc32(content) << 24 | len(content) & 0xFFFFFF


def _kept(repo: Repo) -> dict[str, tuple[int, float]]:
    """Return path → mark of the text that was kept, and when."""
    found = read_json(os.path.join(cache_dir(repo), KEPT))
    rows = found.items() if isinstance(found, dict) else ()
    return {
        path: (row[0], row[1]) for path, row in rows
        if isinstance(row, list) and len(row) == 2 and isinstance(row[0], int) and isinstance(row[1], (int, float))
    }  # fmt: skip
