"""How far a repo was synced: what was read, when, and how it went; one file in the memory repo's git directory.

It saves cost and tells what was dropped here. It can be deleted at any time: what came from where the memories say.
"""

from __future__ import annotations

import os
import zlib

from brain.errors import BrainError
from brain.files import read_json, write_file
from brain.git.refs import HEX
from brain.index.cache import cache_dir
from brain.json_text import render_json
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from brain.git.refs import Repo

FORMAT = 1
FOLDER = "sync"
DONE, FAILED = "done", "failed"


@value
class Source:
    """A document as it was read last: its blob, how that went, who read it, and what its drafts were filed as.

    ``blob`` is the last one that was done ("" for none); ``by`` is "readers" or the model's label, "" where nobody knew
    what to make of it; ``filed`` is anchor → mark of the body.
    """

    blob: str
    state: str
    by: str = ""
    filed: Mapping[str, str] = {}


@value
class Cursor:
    """How far a repo was synced: its name, the last commit, path → source. ``commit`` is "" before the first sync."""

    repo: str
    commit: str = ""
    sources: Mapping[str, Source] = {}


def load_cursor(memory: Repo, repo: str) -> Cursor:
    """Return a repo's cursor; an empty one where there is none that can be understood."""
    return _parse(read_json(_path(memory, repo)), repo) or Cursor(repo)


def save_cursor(memory: Repo, cursor: Cursor) -> None:
    """Write a repo's cursor, whole or not at all.

    Raises:
        BrainError: It cannot be written.
    """
    path = _path(memory, cursor.repo)
    sources = {name: [row.blob, row.state, row.by, dict(row.filed)] for name, row in cursor.sources.items()}
    found = {"format": FORMAT, "repo": cursor.repo, "commit": cursor.commit, "sources": sources}
    try:
        write_file(path, render_json(found) + "\n")
    except OSError as error:
        raise BrainError(f"{error.filename or path}: {error.strerror}", "check room and permissions") from None


def synced_commits(memory: Repo) -> dict[str, str]:
    """Return repo → the commit it was synced up to, for every repo that was."""
    folder = os.path.join(cache_dir(memory), FOLDER)
    try:
        names = sorted(name for name in os.listdir(folder) if name.endswith(".json"))
    except OSError:
        return {}
    cursors = (_parse(read_json(os.path.join(folder, name))) for name in names)
    return {cursor.repo: cursor.commit for cursor in cursors if cursor and cursor.commit}


def _path(memory: Repo, repo: str) -> str:
    return os.path.join(cache_dir(memory), FOLDER, f"{zlib.crc32(repo.encode()):08x}.json")


def _parse(found: Any, repo: str = "") -> Cursor | None:
    try:
        if found["format"] != FORMAT or (repo and found["repo"] != repo) or not HEX.issuperset(found["commit"]):
            return None
        sources = {path: _source(*row) for path, row in found["sources"].items()}
        return Cursor(str(found["repo"]), found["commit"], sources)
    except (KeyError, TypeError, AttributeError, ValueError):
        return None


def _source(blob: str, state: str, by: str, filed: dict[str, str]) -> Source:
    if not HEX.issuperset(blob) or state not in (DONE, FAILED):
        raise ValueError("no source")
    return Source(blob, state, str(by), {str(key): str(mark) for key, mark in filed.items()})
