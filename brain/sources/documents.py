"""Which documents of a repo are to be read: committed, changed since the last sync, of a size a person would read."""

from __future__ import annotations

import os
import re
import unicodedata

from brain.errors import BrainError
from brain.git.objects import Entry, read_blobs
from brain.git.refs import find_commit
from brain.git.run import try_git
from brain.lint.sources import tree_files
from brain.sources.cursor import DONE, Cursor
from brain.sources.text import decode
from brain.value import replace, value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from brain.git.refs import Repo
    from brain.sources.cursor import Source

ENDINGS = (".md", ".markdown", ".adoc", ".asciidoc", ".rst", ".txt")
NOT_OURS = re.compile(
    r"(?:^|/)(?:\.[^/]+|node_modules|vendor|third[-_]party|site-packages)/"
    r"|(?:^|/)(?:(?:requirements|constraints)[^/]*\.txt|cmakelists\.txt|robots\.txt)$"
    r"|(?:^|/)(?:licen[cs]e|notice|copying)[^/]*$",
    re.IGNORECASE,
)
"""Others' documents and files for programs, unless they are named: hidden and vendored folders, lists, licences."""
MAX_BYTES = 512 << 10
AT_ONCE = 100
MOST_COMMITS = 20
"""Commits whose renames are asked for."""


@value
class Document:
    """A document to be read: its path from the repo's top in NFC, its blob, and its text."""

    path: str
    blob: str
    text: str


@value
class Listing:
    """The documents of a commit below some paths, by path in NFC; path → why one is not read; all paths there are."""

    commit: str
    entries: dict[str, Entry]
    passed: dict[str, str]
    everything: frozenset[str]


def list_documents(repo: Repo, below: Sequence[str], memory_root: str) -> Listing:
    """Return the documents that the repo's HEAD has.

    Args:
        repo: The repo.
        below: Paths from its top, "" for all of it; what is named is read even where it would be passed over.
        memory_root: The folder that holds the memories themselves, "" where it is in another repo.

    Raises:
        BrainError: Nothing is committed, or nothing at one of the paths.
    """
    commit = find_commit(repo, "HEAD")
    if not commit:
        raise BrainError(f"{repo.path}: nothing is committed there", "commit the documents first")
    entries: dict[str, Entry] = {}
    passed: dict[str, str] = {}
    everything = set()
    hit = set()
    for found in tree_files(repo.path, commit):
        path = name_of(os.fsencode(found.entry.path))
        everything.add(path)
        within = [name for name in below if not name or path == name or path.startswith(f"{name}/")]
        hit.update(within)
        is_memory = bool(memory_root) and path.startswith(f"{memory_root}/")
        if not within or is_memory or not path.lower().endswith(ENDINGS) or _is_others(path, max(within, key=len)):
            continue
        if not path.isprintable():
            passed[path] = "its name is not UTF-8, or holds what nobody sees"
        elif not found.entry.mode.startswith("100"):
            passed[path] = "it is a link"
        elif found.size > MAX_BYTES:
            passed[path] = f"over {MAX_BYTES >> 10} kB"
        else:
            entries[path] = found.entry
    missing = [name for name in below if name and name not in hit]
    if missing:
        raise BrainError(f"{missing[0]}: the commit {commit[:12]} has no such path", "only what is committed is read")
    return Listing(commit, entries, passed, frozenset(everything))


def name_of(raw: bytes) -> str:
    """Return a path of git's as text in NFC, whatever the locale; odd bytes as surrogate escapes."""
    return unicodedata.normalize("NFC", raw.decode("utf-8", "surrogateescape"))


def _is_others(path: str, named: str) -> bool:
    """Say whether a path is none of the team's writing, by what of it nobody named."""
    return named != path and bool(NOT_OURS.search(path[len(named) :].lstrip("/")))


def changed_documents(
    repo: Repo, listing: Listing, cursor: Cursor, again: Callable[[Source], bool]
) -> Iterator[Document]:
    """Yield what was not read in its present form, and what ``again`` wants read once more; no text is passed over.

    Args:
        repo: The repo.
        listing: Its documents; those that are no text are added to ``passed``.
        cursor: How far it was synced, after renames.
        again: Says of a source that is done and unchanged whether it is to be read nevertheless.
    """
    wanted = []
    for path, entry in listing.entries.items():
        row = cursor.sources.get(path)
        if row is None or row.blob != entry.oid or row.state != DONE or again(row):
            wanted.append((path, entry.oid))
    for at in range(0, len(wanted), AT_ONCE):
        part = wanted[at : at + AT_ONCE]
        for (path, oid), content in zip(part, read_blobs(repo.path, [oid for _, oid in part], MAX_BYTES), strict=True):
            text = None if content is None else decode(content)
            if text is None:
                listing.passed[path] = "it is no text in UTF-8"
            else:
                yield Document(path, oid, text)


def find_renames(repo: Repo, commits: Iterable[str], listing: Listing) -> dict[str, str]:
    """Return old path → new path, in NFC, of what was renamed between one of the commits and the listing's."""
    found: dict[str, str] = {}
    for commit in list(dict.fromkeys(filter(None, commits)))[:MOST_COMMITS]:
        args = ("diff-tree", "-r", "-z", "-M", "--diff-filter=R", "--name-status", commit, listing.commit)
        rows = try_git(repo.path, *args).out.split(b"\0")  # a commit that is not here has none
        for old, new in zip(rows[1::3], rows[2::3], strict=False):
            if name_of(old) not in listing.everything:
                found.setdefault(name_of(old), name_of(new))
    return found


def moved(cursor: Cursor, renames: dict[str, str]) -> Cursor:
    """Return a cursor whose sources lie where they were renamed to."""
    sources = {**cursor.sources}
    for old, new in renames.items():
        if old in sources and new not in sources:
            sources[new] = sources.pop(old)
    return replace(cursor, sources=sources)


def earlier_text(repo: Repo, spec: str) -> str | None:
    """Return the text of a blob, by its id or ``commit:path``; None where it is not here, or no text."""
    content = next(iter(read_blobs(repo.path, [spec], MAX_BYTES)), None) if spec and "\n" not in spec else None
    return None if content is None else decode(content)
