"""Ask one repository about the trees of many commits in a few git processes, fetching nothing."""

from __future__ import annotations

import os
import time

from brain.environment import read_environment
from brain.errors import GitError
from brain.git.objects import EMPTY_TREES, parse_batch
from brain.git.run import git
from brain.stale.refs import is_encodable
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from typing import TypeVar

    from brain.git.refs import Repo

    T = TypeVar("T")

FOLDER, SUBMODULE = b"40000", b"160000"
OBJECTS_AT_ONCE, PAIRS_AT_ONCE = 4096, 128
"""What one process is asked for, so that its answer stays small enough to hold."""
WITH_CONTENT = 12
"""Trees that are read as they are looked for: for so few, what is read twice costs less than one more process."""


@value
class Entry:
    """What a tree says of one name: mode (octal digits) and object id (raw bytes)."""

    mode: bytes
    oid: bytes


@value
class Sides:
    """What stands at a ref's path: at the commit, at head."""

    old: Entry | None
    new: Entry | None


class Objects:
    """The objects of a repository, until a deadline of ``time.monotonic``."""

    def __init__(self, repo: Repo, deadline: float | None = None) -> None:
        self.repo, self.deadline = repo, deadline
        self.trees: dict[str, bytes] = {}  # id → content of those that were read as they were looked for

    def run(self, *args: str, stdin: bytes = b"") -> bytes:
        """Return what git prints; a partial clone gets no object from its remote for us."""
        left = None if self.deadline is None else max(0.001, self.deadline - time.monotonic())
        # protocol.allow is for git < 2.45, which does not know the variable
        env = {**read_environment(), "GIT_NO_LAZY_FETCH": "1"}
        return git(self.repo.path, "-c", "protocol.allow=never", *args, stdin=stdin, timeout=left, env=env, index=False)

    @property
    def is_partial(self) -> bool:
        """Whether the clone leaves objects at its remote."""
        try:
            with open(os.path.join(self.repo.common_dir, "config"), "rb") as file:
                return b"promisor" in file.read()
        except OSError:
            return False

    def find_trees(self, wanted: Iterable[tuple[str, str]]) -> dict[tuple[str, str], str]:
        """Return the tree id of each (rev, folder) that is there; folder "" is the root."""
        asked = {pair for pair in wanted if _is_rev(pair[0])}
        partial = self.is_partial
        if partial:  # there, to ask for what turns out to be an absent file is fatal
            asked = self._without_absent(asked)
        in_batch = [pair for pair in asked if not (pair[1] and (partial or _breaks_line(pair[1])))]
        in_batch.sort()  # neighbours share git's delta cache
        found = {pair: oid for pair, oid in zip(in_batch, self._tree_ids(in_batch), strict=True) if oid}
        left = [pair for pair in asked - found.keys() if pair[1] and (pair[0], "") in found]
        return {**found, **self._find_in_parents(left)} if left else found

    def find_entries(self, wanted: dict[str, set[bytes]]) -> dict[tuple[str, bytes], Entry]:
        """Return what trees say of names: (tree id, name) → entry, for those they hold."""
        found = {}
        for trees in _parts(sorted(wanted), OBJECTS_AT_ONCE):
            for tree, content in zip(trees, self.read(trees), strict=True):
                if content is None:
                    raise GitError(["cat-file", "--batch"], 0, f"tree {tree} is missing")
                for name, entry in _pick(content, wanted[tree], len(tree) // 2):
                    found[tree, name] = entry
        return found

    def find_differing(self, pairs: Sequence[tuple[str, str]], pathspec: str) -> set[tuple[str, str]]:
        """Return the pairs of trees between which a path that matches ``pathspec`` differs."""
        found: set[tuple[str, str]] = set()
        for some in _parts(pairs, PAIRS_AT_ONCE):
            lines = [f"{old} {new}\n".encode() for old, new in some]
            # "./" keeps git from taking a leading ":" for magic
            out = self.run(
                "diff-tree", "--stdin", "-r", "-z", "--name-only", "--no-renames", "--ignore-submodules=none",
                "--", os.fsdecode(encode(f"./{pathspec}")), stdin=b"".join(lines),
            )  # fmt: skip
            differs = zip(some, _which_differ(out, lines), strict=True)
            found.update(pair for pair, has_changed in differs if has_changed)
        return found

    def read(self, oids: Sequence[str]) -> Iterator[bytes | None]:
        """Return the content of each object in order, None for one that is not here."""
        asked = "".join(f"{oid}\n" for oid in oids if oid not in self.trees).encode()
        found = parse_batch(self.run("cat-file", "--batch", "--buffer", stdin=asked)) if asked else iter(())
        for oid in oids:
            content = self.trees.get(oid)
            if content is None:
                _, kind, content = next(found)
                yield content if kind else None
            else:
                yield content

    def _find_in_parents(self, pairs: list[tuple[str, str]]) -> dict[tuple[str, str], str]:
        """Return the trees that no batch could be asked for, or gave: lost ones show when they are read."""
        parents = {(rev, folder): (rev, folder.rpartition("/")[0]) for rev, folder in pairs}
        trees = self.find_trees({*parents.values(), *((rev, "") for rev, _ in pairs)})
        places = {
            pair: (trees[parent], encode(pair[1].rpartition("/")[2]))
            for pair, parent in parents.items()
            if parent in trees
        }
        names: dict[str, set[bytes]] = {}
        for tree, name in places.values():
            names.setdefault(tree, set()).add(name)
        entries = self.find_entries(names)
        there = {pair: entries[place] for pair, place in places.items() if place in entries}
        return {pair: entry.oid.hex() for pair, entry in there.items() if entry.mode == FOLDER}

    def _tree_ids(self, pairs: list[tuple[str, str]]) -> list[str]:
        if not pairs:
            return []
        asked = "".join(f"{rev}:{folder}\n" if folder else f"{rev}^{{tree}}\n" for rev, folder in pairs)
        if len(pairs) <= WITH_CONTENT:
            found = parse_batch(self.run("cat-file", "--batch", "--buffer", stdin=encode(asked)))
            trees = [(oid, content) if kind == b"tree" else ("", b"") for oid, kind, content in found]
            self.trees.update(trees)
            return [oid for oid, _ in trees]
        out = self.run("cat-file", "--buffer", "--batch-check=%(objectname) %(objecttype)", stdin=encode(asked))
        return [line[:-5].decode() if line.endswith(b" tree") else "" for line in out.split(b"\n")[:-1]]

    def _without_absent(self, pairs: set[tuple[str, str]]) -> set[tuple[str, str]]:
        """Drop the full ids of commits that are not here: for each, ``cat-file`` would turn to the remote."""
        ids = {rev for rev, _ in pairs if is_full_id(rev)}
        if not ids:
            return pairs
        known = ("rev-list", "--no-walk", "--ignore-missing", "--missing=allow-any", "--stdin")
        absent = ids - set(self.run(*known, stdin="\n".join(ids).encode()).decode().split())
        return {pair for pair in pairs if pair[0] not in absent}


def is_full_id(text: str) -> bool:
    """Say whether ``text`` is a whole object id."""
    return len(text) in EMPTY_TREES and set("0123456789abcdef").issuperset(text)


def encode(text: str) -> bytes:
    """Return a path as git stores it, whatever the locale."""
    return text.encode("utf-8", "surrogateescape")


def _is_rev(rev: str) -> bool:
    return bool(rev) and not any(sign in rev for sign in "\0\n\r") and is_encodable(rev)


def _breaks_line(folder: str) -> bool:
    return "\n" in folder or folder.endswith("\r")  # cat-file takes CRLF for a line end


def _parts(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    return (items[at : at + size] for at in range(0, len(items), size))


def _pick(content: bytes, names: Collection[bytes], id_length: int) -> Iterator[tuple[bytes, Entry]]:
    """Yield those entries of a raw tree (``mode SP name NUL id``, repeated) whose name is asked for."""
    at, left = 0, len(names)
    while left and at < len(content):
        name_end = content.index(b"\0", at)
        mode, _, name = content[at:name_end].partition(b" ")
        at = name_end + 1 + id_length
        if name in names:
            yield name, Entry(_plain(mode), content[name_end + 1 : at])
            left -= 1


def _plain(mode: bytes) -> bytes:
    """Return a mode as ``git diff`` compares it: old repositories have 100664 and 040000."""
    if mode.startswith(b"100"):
        return b"100755" if int(mode, 8) & 0o100 else b"100644"
    return mode.lstrip(b"0")


def _which_differ(out: bytes, lines: Sequence[bytes]) -> Iterator[bool]:
    """Read what ``diff-tree --stdin -z --name-only`` prints: each pair's line, then names that differ."""
    at = 0
    for number, line in enumerate(lines):
        at += len(line)
        following = lines[number + 1] if number + 1 < len(lines) else b""
        if not following:
            yield at < len(out)
        elif out.startswith(following, at):
            yield False
        else:
            yield True
            at = out.index(b"\0" + following, at) + 1
