"""Drafts: this machine's memories that nobody has approved, in ``_pending/`` (SPEC §1.1, §6)."""

from __future__ import annotations

import os
import stat
import time

from brain.errors import BrainError, InvalidMemoryError
from brain.files import create_file, write_file
from brain.index.segment import Segment, SegmentError, open_segment
from brain.layout import PENDING
from brain.memory import MAX_FILE_BYTES, render_memory
from brain.value import replace, value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from brain.memory import Memory
    from brain.workspace import Brain

RACY_NS = 20_000_000
"""A file changed this short before it was read may change again with the same time stamp."""
MAX_DRAFTS = 2000
"""Drafts that are read; beyond, somebody mistook the folder for a store."""
IGNORED = (".", "README.md", "MEMORY.md")
"""What the names of files begin with that no one meant as drafts, an editor's lock among them."""


@value
class Drafts:
    """The drafts of one memory root, as a segment, and a line for each file that could not be read."""

    segment: Segment
    skipped: tuple[str, ...] = ()


def load_drafts(memory_root: str, cache_path: str) -> Drafts | None:
    """Return the drafts below ``memory_root``/_pending, or None if there are none.

    They are parsed again only when a file's times, size or number changed; ``cache_path`` is where that is kept.
    """
    folder = os.path.join(memory_root, PENDING)
    closed: list[str] = []
    signature = _signature(folder, MAX_DRAFTS + 1, closed)
    if not signature and not closed:
        return None
    cached = None if closed else _cached(cache_path, signature)
    if cached:
        return cached
    from brain.index.build import build_segment  # seldom needed by a hook

    started = time.time_ns()
    memories = []
    skipped = [f"{name}: cannot be read; the drafts in it are not seen (check its permissions)" for name in closed]
    for path in list(signature)[:MAX_DRAFTS]:
        try:
            _, memory = read_draft(folder, path)
            memories.append((memory, render_memory(memory)))
        except InvalidMemoryError as error:
            skipped.append(f"{error} ({error.mend})" if error.mend else str(error))
    if len(signature) > MAX_DRAFTS:
        skipped.append(f"{PENDING}: over {MAX_DRAFTS} drafts; the others are not read (submit or drop some)")
    header = {"files": signature, "read_ns": started, "skipped": skipped}
    content = build_segment(memories, header=header)
    try:
        write_file(cache_path, content)
    except OSError:  # read-only: parsed each time
        pass
    return Drafts(Segment(memoryview(content), cache_path), tuple(skipped))


def list_drafts(memory_root: str) -> list[str]:
    """Return the paths of all draft files, relative to ``_pending/``, sorted."""
    return list(_signature(os.path.join(memory_root, PENDING)))


def read_draft(folder: str, path: str) -> tuple[str, Memory]:
    """Return text and memory of a draft; its status counts as pending whatever the file says.

    Raises:
        InvalidMemoryError: It cannot be read as a memory.
    """
    from brain.index.build import read_memory

    shown = f"{PENDING}/{path}"
    try:
        descriptor = os.open(
            os.path.join(folder, path), os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
        )
        with open(descriptor, "rb") as file:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise InvalidMemoryError(shown, 1, "not a regular file", "write the text itself")
            content = file.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise InvalidMemoryError(
            shown, 1, f"cannot be read: {error.strerror}", "check its permissions; links are not followed"
        ) from None
    memory = read_memory(path, content, shown)
    return content.decode(), replace(memory, status="pending", hits=0)


def put_draft(brain: Brain, path: str, content: bytes | str, *, over: bool = False) -> str:
    """Write the file of a draft (path below ``_pending/``); return its path in the memory repo.

    Raises:
        FileExistsError: A draft lies there, and not ``over`` it.
        BrainError: There is no place for drafts, or it cannot be written.
    """
    from brain.scaffold import ensure_ignored  # a session start reads drafts, and writes none

    root = brain.config["memory.root"]
    if not brain.memory_root:
        raise BrainError(f"{brain.repo.git_dir} is bare: it has no place for drafts", "connect a clone with files")
    ensure_ignored(brain.repo, root)
    file = os.path.join(brain.memory_root, PENDING, *path.split("/"))
    try:
        (write_file if over else create_file)(file, content)
    except OSError as error:
        if isinstance(error, FileExistsError) and os.path.lexists(file):
            raise
        raise BrainError(f"{error.filename or file}: {error.strerror}", "check room and permissions") from None
    return f"{root}/{PENDING}/{path}"


def _signature(folder: str, limit: int | None = None, closed: list[str] | None = None) -> dict[str, list[int]]:
    """Return the path (``/`` between parts) → times, size, inode of each draft file, or of ``limit``; sorted.

    Folders that are there and cannot be read are added to ``closed``.
    """
    found: dict[str, list[int]] = {}
    folders = [""]
    while folders and (limit is None or len(found) < limit):
        below = folders.pop()
        try:
            entries = sorted(os.scandir(os.path.join(folder, below)), key=lambda entry: entry.name, reverse=True)
        except FileNotFoundError:
            continue
        except OSError:
            if closed is not None:
                closed.append(f"{PENDING}/{below}".rstrip("/"))
            continue
        for entry in entries:
            path = f"{below}/{entry.name}" if below else entry.name
            try:
                if entry.is_dir(follow_symlinks=False):
                    if path.count("/") < 4:
                        folders.append(path)
                elif entry.name.endswith(".md") and not entry.name.startswith(IGNORED):
                    status = entry.stat(follow_symlinks=False)
                    found[path] = [status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino]
            except OSError:
                continue
    return dict(sorted(found.items())[:limit])


def _cached(cache_path: str, signature: dict[str, list[int]]) -> Drafts | None:
    try:
        segment = open_segment(cache_path)
        header = segment.header
        racy = max(max(times[:2]) for times in signature.values()) > header["read_ns"] - RACY_NS
        if header["files"] == signature and not racy:
            return Drafts(segment, tuple(header["skipped"]))
    except (OSError, SegmentError, KeyError, TypeError, ValueError):
        pass
    return None
