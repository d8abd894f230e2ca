"""Ask git for commits, trees and blobs: always ``-z`` or a batch, never text made for people."""

from __future__ import annotations

import os
import zlib

from brain.git.run import git, try_git
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

EMPTY_TREES = {
    40: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    64: "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
}
"""Id of the tree without entries, by the length of the repository's ids; git knows it without having it."""
FETCHED_LOOSE = 100
"""Objects of a fetch from which git keeps them as one pack (``fetch.unpackLimit``); fewer lie each in a file."""
FOLDER, LINK, SUBMODULE = "040000", "120000", "160000"


@value
class Entry:
    """One file of a tree: mode (six digits), object id, path (odd bytes as surrogate escapes)."""

    mode: str
    oid: str
    path: str


def blob_id(content: bytes, like: str = "0" * 40) -> str:
    """Return the id that git gives a file's content, in the kind of ids that ``like`` is one of."""
    import hashlib  # a session start, which reads objects too, asks for no id

    digest = hashlib.sha1 if len(like) == 40 else hashlib.sha256
    return digest(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


def find_tree(repo: str, commit: str, folder: str) -> str | None:
    """Return the id of the tree at ``folder`` ("" for the root) in ``commit``, or None if it is not there.

    Raises:
        GitError: Git reads nothing of this repository.
    """
    spec = f"{commit}:{folder}" if folder else f"{commit}^{{tree}}"
    args = ("rev-parse", "--verify", "--quiet", "--end-of-options", spec)
    result = try_git(repo, *args)
    out = git(repo, *args) if result.status and result.err else result.out  # what is only missing, it is quiet about
    return out.decode().strip() or None


def list_tree(repo: str, tree: str, *paths: str, deep: bool = True) -> list[Entry]:
    """Return every file below a tree, in git's order, paths relative to it; or what lies at those ``paths`` alone.

    Not ``deep``, a folder is an entry of its own.
    """
    args = ("ls-tree", *(["-r"] if deep else []), "-z", "--full-tree", tree, "--", *paths)
    entries = []
    for row in git(repo, "--literal-pathspecs", *args).split(b"\0"):
        if row:
            head, _, path = row.partition(b"\t")
            mode, _, oid = head.split(b" ")
            entries.append(Entry(mode.decode(), oid.decode(), os.fsdecode(path)))
    return entries


def changed_entries(
    repo: str, old: str, new: str, meanwhile: Callable[[], object] | None = None
) -> list[tuple[str, Entry | None]]:
    """Return each path that differs between two trees with its new entry, None where it is gone.

    ``meanwhile`` is called while git looks.
    """
    args = ("diff-tree", "-r", "-z", "--no-renames", "--raw", "--no-abbrev", old, new)
    rows = git(repo, *args, index=False, meanwhile=meanwhile).split(b"\0")
    changes: list[tuple[str, Entry | None]] = []
    for head, path in zip(rows[::2], rows[1::2], strict=False):
        _, mode, _, oid, status = head.decode().split(" ")
        name = os.fsdecode(path)
        changes.append((name, None if status == "D" else Entry(mode, oid, name)))
    return changes


def read_blob(repo: str, oid: str, limit: int) -> bytes | None:
    """Return the content of one blob, None for "" too; see ``read_blobs``."""
    return next(read_blobs(repo, [oid], limit)) if oid else None


def read_blobs(repo: str, oids: Iterable[str], limit: int) -> Iterator[bytes | None]:
    """Yield the content of each blob in order; None for one that is missing, no blob, or over ``limit`` bytes."""
    asked = "".join(f"{oid}\n" for oid in oids).encode()
    answer = git(repo, "cat-file", "--batch", "--buffer", stdin=asked) if asked else b""
    for _, kind, content in parse_batch(answer):
        yield content if kind == b"blob" and len(content) <= limit else None


def read_new_blobs(repo: str, objects: str, oids: Sequence[str], limit: int) -> Iterator[bytes | None]:
    """Yield what ``read_blobs`` yields, without a process where the blobs came with a small fetch.

    ``objects`` is the folder of the repository's objects, in which such blobs lie each in a file.
    """
    loose = [_read_loose(objects, oid, limit) for oid in oids] if len(oids) <= FETCHED_LOOSE else []
    if not loose or None in loose:
        return read_blobs(repo, oids, limit)
    return iter(loose)


def _read_loose(objects: str, oid: str, limit: int) -> bytes | None:
    """Return a blob that lies in a file of its own; None where git is to be asked: packed, damaged, over ``limit``."""
    try:
        with open(os.path.join(objects, oid[:2], oid[2:]), "rb") as file:
            found = zlib.decompressobj().decompress(file.read(limit), limit)
    except (OSError, zlib.error):
        return None
    head, _, content = found.partition(b"\0")
    return content if head == b"blob %d" % len(content) else None


def parse_batch(answer: bytes) -> Iterator[tuple[str, bytes, bytes]]:
    """Yield id, kind and content of each object that ``git cat-file --batch`` prints; all empty for a missing one."""
    at = 0
    while at < len(answer):
        line_end = answer.index(b"\n", at)
        head = answer[at:line_end].rsplit(b" ", 2)
        at = line_end + 1
        if len(head) < 3 or not head[2].isdigit():
            yield "", b"", b""
            continue
        end = at + int(head[2])
        yield head[0].decode(), head[1], answer[at:end]
        at = end + 1


def list_refs(repo: str, prefix: str) -> dict[str, str]:
    """Return name behind ``prefix`` → object id, of the refs below that."""
    rows = git(repo, "for-each-ref", "--format=%(refname) %(objectname)", prefix).decode().split("\n")
    return {name.removeprefix(prefix): oid for name, oid in (row.split(" ") for row in rows if row)}
