"""The approved memories of the upstream commit, kept parsed in the memory repo's git directory.

``<common git dir>/brain/<root>.json`` (the *pointer*) says for which commit and tree, and which segment files hold
it. Reading goes: has the upstream ref the pointer's commit? Then map the files: no process was started. Has the tree
changed? Then the difference is parsed into a small segment beside the base, whose replaced memories are named dead.
Too much of a difference, no cache, or a damaged one: everything is parsed anew. Files are only ever added, the
pointer is replaced whole, so readers and writers need no lock; all of it can be deleted at any time.
"""

from __future__ import annotations

import os
import time
import zlib

from brain.errors import ConfigError, GitError, InvalidMemoryError
from brain.files import remove_file, write_file
from brain.git.objects import LINK, SUBMODULE, Entry, changed_entries, find_tree, list_tree, read_new_blobs
from brain.git.refs import Repo, find_upstream
from brain.index.segment import FORMAT, Segment, SegmentError, open_segment
from brain.json_text import parse_json, render_json
from brain.layout import AREAS, DEPRECATED, INDEX_FILE, PENDING, SETTINGS_FILE, find_place, printable
from brain.settings import parse_toml
from brain.terms import LANGUAGES, language, memory_text
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any, TypeAlias

    from brain.index.build import Retro
    from brain.memory import Memory

    Built: TypeAlias = tuple[bytes, str, list[list[str]]]

POINTER_FORMAT = FORMAT
LEAST_DIFFERENCE, DIFFERENCE_SHARE = 200, 50
"""A difference of more than so many memories, or of more than one in so many, is worth a new base."""
MOST_SEGMENTS = 4
"""Differences that are kept apart before they become one."""
PARALLEL_FROM = 1000
"""Files from which a second process helps."""
KEEP_SECONDS = 60
MOST_SKIPPED, SHOWN_SKIPPED = 1000, 50
"""Unreadable files that are remembered, and that a reader is told of."""
MAX_SETTINGS_BYTES = 1 << 18
VECTORS = ".vectors"
"""How files of vectors end."""


NONE_DEAD = tuple(0 for _ in LANGUAGES)


@value
class Part:
    """A segment, the numbers of its memories and retros that no longer count, and what those memories summed up to."""

    segment: Segment
    dead: frozenset[int] = frozenset()
    dead_languages: tuple[int, ...] = NONE_DEAD
    dead_length: int = 0

    @property
    def size(self) -> int:
        """The number of living memories."""
        return self.segment.docs - sum(self.dead_languages)

    def numbers(self, key: str) -> list[int]:
        """Return the numbers of the living memories that have ``key``, ascending."""
        return [number for number in self.segment.postings(key) if number not in self.dead]

    def memories(self) -> Iterator[Memory]:
        """Yield every living memory, the best standing first."""
        return (self.segment.memory(number) for number in range(self.segment.docs) if number not in self.dead)


@value
class Tree:
    """The approved memories of one commit.

    ``settings`` is its brain.toml, parsed ({"error": …} in its place where it is no TOML); ``skipped`` says of each
    unreadable file what and where.
    """

    root: str
    ref: str = ""
    commit: str = ""
    tree: str = ""
    parts: tuple[Part, ...] = ()
    settings: Any = None
    skipped: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """The number of memories."""
        return sum(part.size for part in self.parts)


def cache_dir(repo: Repo) -> str:
    """Return the folder in the memory repo's git directory that derived files lie in."""
    return os.path.join(repo.common_dir, "brain")


def vectors_stem(repo: Repo, root: str) -> str:
    """Return the beginning of the names of all files that hold the vectors of a memory root (``brain.semantic``)."""
    return os.path.join(cache_dir(repo), f"semantic-{zlib.crc32(os.fsencode(root)):08x}")


def has_vectors(repo: Repo, root: str) -> bool:
    """Say whether there are vectors of a memory root: looked for here, so that nothing is loaded where none are."""
    folder, stem = os.path.split(vectors_stem(repo, root))
    try:
        return any(name.startswith(stem) and name.endswith(VECTORS) for name in os.listdir(folder))
    except OSError:
        return False


def load_tree(repo: Repo, root: str, remote: str = "origin", branch: str = "") -> Tree:
    """Return the approved memories of the upstream default branch, from the cache where it still holds.

    Args:
        repo: The memory repo.
        root: Folder in it that holds the memories, ``99.Memory``.
        remote: Whose branches count as upstream.
        branch: Its default branch; "" finds it.

    Raises:
        GitError: The commit's objects cannot be read.
    """
    upstream = find_upstream(repo, remote, branch)
    if upstream is None:
        return Tree(root)
    ref, commit = upstream
    cache = _Cache(repo, root)
    for _ in range(3):  # a writer may have removed the files between our reading the pointer and opening them
        pointer = cache.read()
        try:
            if pointer and pointer["commit"] == commit:
                return cache.tree(pointer, ref)
            return cache.tree(cache.update(pointer, commit), ref)
        except FileNotFoundError:
            continue
        except (SegmentError, OSError, LookupError, TypeError, ValueError, AttributeError):
            cache.forget()
    return cache.tree(cache.build(commit, cache.tree_of(commit)), ref)


class _Cache:
    """One memory root's pointer and segments."""

    def __init__(self, repo: Repo, root: str) -> None:
        self.repo, self.root = repo, root
        self.dir = cache_dir(repo)
        self.name = f"{zlib.crc32(os.fsencode(root)):08x}"
        self.pointer_path = os.path.join(self.dir, f"index-{self.name}.json")
        self.fresh: dict[str, Segment] = {}  # segments made now: usable even where the disk took none
        self.kept = True

    def read(self) -> dict[str, Any] | None:
        try:
            with open(self.pointer_path, encoding="utf-8") as file:
                checksum, text = file.readline(), file.read()
            pointer = parse_json(text) if zlib.crc32(text.encode()) == int(checksum) else {}
        except (OSError, ValueError, RecursionError):
            return None
        return pointer if pointer.get("format") == POINTER_FORMAT and pointer["root"] == self.root else None

    def forget(self) -> None:
        self.fresh, self.kept = {}, True
        remove_file(self.pointer_path)

    def tree(self, pointer: dict[str, Any], ref: str) -> Tree:
        parts = tuple(self.part(name, dead) for name, dead in pointer["segments"])
        skipped = tuple(why for _, why in pointer["skipped"][:SHOWN_SKIPPED])
        return Tree(self.root, ref, pointer["commit"], pointer["tree"], parts, pointer["settings"], skipped)

    def part(self, name: str, dead: list[Any]) -> Part:
        numbers, languages, length = dead or ([], (), 0)
        return Part(self.segment(name), frozenset(numbers), tuple(languages) or NONE_DEAD, length)

    def segment(self, name: str) -> Segment:
        if name in self.fresh:
            return self.fresh[name]
        segment = open_segment(os.path.join(self.dir, name))
        if not name.endswith(_ending(segment)):
            raise segment.damaged("it is another one than its name says")
        return segment

    def tree_of(self, commit: str) -> str:
        tree = find_tree(self.repo.path, commit, self.root)
        if tree is None and find_tree(self.repo.path, commit, "") is None:
            raise GitError(["rev-parse", commit], 128, f"commit {commit[:12]} is not here", "run git fetch")
        return tree or ""

    def update(self, pointer: dict[str, Any] | None, commit: str) -> dict[str, Any]:
        """Return the pointer for ``commit``, made from an older one where that is less work."""
        if pointer and pointer["tree"]:
            tree = f"{commit}:{self.root}"
            step = self.find_step(pointer, tree)
            if step:
                return self.build_difference(*step, commit, tree)
        return self.build(commit, self.tree_of(commit))

    def find_step(
        self, pointer: dict[str, Any], tree: str
    ) -> tuple[dict[str, Any], list[tuple[str, Entry | None]]] | None:
        """Return the pointer to go on from and what differs from it, None where parsing everything is less work.

        First the difference from the tree at hand, as one more segment; when there are many, from the base's tree, in
        one segment instead of them.
        """
        base = pointer["segments"][: pointer["base_segments"]]
        size = sum(self.segment(name).docs for name, _ in base)
        most = max(LEAST_DIFFERENCE, size // DIFFERENCE_SHARE)
        whole = {**pointer, **pointer["base"], "segments": [[name, []] for name, _ in base]}
        steps = [pointer] if len(pointer["segments"]) < len(base) + MOST_SEGMENTS else []
        for old in [*steps, whole]:
            try:
                changes = changed_entries(self.repo.path, old["tree"], tree, _load_builder) if old["tree"] else None
            except GitError:  # that tree is gone: history was rewritten and collected
                continue
            if changes is not None and len(changes) <= most and len(old["skipped"]) < MOST_SKIPPED:
                return old, changes
        return None

    def build(self, commit: str, tree: str) -> dict[str, Any]:
        """Parse the whole tree."""
        entries = list_tree(self.repo.path, tree) if tree else []
        halves = [entries[::2], entries[1::2]] if len(entries) >= PARALLEL_FROM and hasattr(os, "fork") else [entries]
        built = _in_parallel(self.repo, halves)
        names = [self.store(tree, segment) for segment, _, _ in built]
        base = {
            "tree": tree, "settings": parse_settings("".join(settings for _, settings, _ in built)),
            "skipped": sorted(row for _, _, skipped in built for row in skipped)[:MOST_SKIPPED],
        }  # fmt: skip
        pointer = {
            "format": POINTER_FORMAT, "root": self.root, "commit": commit, **base, "base": base,
            "base_segments": len(names), "segments": [[name, []] for name in names],
        }  # fmt: skip
        return self.save(pointer)

    def build_difference(
        self, old: dict[str, Any], changes: list[tuple[str, Entry | None]], commit: str, tree: str
    ) -> dict[str, Any]:
        """Parse what differs into a segment of its own, and name what it replaces in the others."""
        if not changes:
            return self.save({**old, "commit": commit})
        segment, settings, skipped = _build(self.repo, [entry for _, entry in changes if entry])
        gone = {path for path, _ in changes}
        segments = [[name, _replaced(self.segment(name), dead, gone)] for name, dead in old["segments"]]
        kept = [row for row in old["skipped"] if row[0] not in gone]
        changed = {
            "commit": commit, "tree": tree, "segments": [*segments, [self.store(tree, segment), []]],
            "settings": parse_settings(settings) if SETTINGS_FILE in gone else old["settings"],
            "skipped": sorted(kept + skipped)[:MOST_SKIPPED],
        }  # fmt: skip
        return self.save({**old, **changed})

    def store(self, tree: str, segment: bytes) -> str:
        opened = Segment(memoryview(segment), "")
        unique = f"{os.getpid()}-{len(self.fresh)}-{time.monotonic_ns() % 10**9}"
        opened.name = f"{self.name}-{zlib.crc32(tree.encode()):08x}-{unique}{_ending(opened)}"
        try:
            write_file(os.path.join(self.dir, opened.name), segment)
        except OSError:  # a read-only or full disk: this run goes on from memory, and leaves no pointer to nothing
            self.kept = False
        self.fresh[opened.name] = opened
        return opened.name

    def save(self, pointer: dict[str, Any]) -> dict[str, Any]:
        if not self.kept:
            return pointer
        try:
            text = render_json(pointer)
            write_file(self.pointer_path, f"{zlib.crc32(text.encode())}\n{text}")
            self.clean({name for name, _ in pointer["segments"]})
        except OSError:
            pass
        return pointer

    def clean(self, used: set[str]) -> None:
        """Remove segments that nothing names, once no reader can still be about to open them."""
        for entry in os.scandir(self.dir):
            ours = entry.name.startswith(self.name) and entry.name not in used  # another root has its own
            if (ours or entry.name.endswith(".tmp")) and time.time() - entry.stat().st_mtime > KEEP_SECONDS:
                remove_file(entry.path)


def _ending(segment: Segment) -> str:
    """Return how a segment's file is called in the end: what it holds shows in its name, so none stands for another."""
    return f"-{segment.checksum:08x}.segment"


def parse_settings(text: str) -> dict[str, Any]:
    """Return brain.toml's values, or what is wrong with it under ``error``."""
    if not text.strip():
        return {}
    try:
        return parse_toml(text)
    except ConfigError as error:
        return {"error": str(error)}


def _replaced(segment: Segment, dead: list[Any], paths: set[str]) -> list[Any]:
    """Return what of a segment is dead once ``paths`` are replaced: numbers, memories in each language, their terms."""
    numbers, languages, length = dead or ([], NONE_DEAD, 0)
    numbers, languages = set(numbers), list(languages)
    for path in paths:
        place = find_place(path)
        for number in segment.postings(f"id:{place.id}" if place else "retro:"):
            if number not in numbers and segment.record(number)[0] == path:
                numbers.add(number)
                if place:
                    languages[language(memory_text(segment.memory(number)))] += 1
                    length += segment.columns["length"][number]
    return [sorted(numbers), languages, length]


def _in_parallel(repo: Repo, shares: list[list[Entry]]) -> list[Built]:
    """Build a segment of each share of the entries, the first here, the others in forked children."""
    children = [_fork_build(repo, share) for share in shares[1:]]
    try:
        built = [_build(repo, shares[0])]
    finally:  # whatever happens here, no child is left behind
        answers = [_read_child(*child) if child else None for child in children]
    for share, answer in zip(shares[1:], answers, strict=True):  # killed, or out of memory: this process can do it
        built.append(answer or _build(repo, share))
    return built


def _read_child(pid: int, pipe: int) -> Built | None:
    with open(pipe, "rb") as file:
        head, segment = file.readline(), file.read()
    if os.waitpid(pid, 0)[1] != 0:
        return None
    settings, skipped = parse_json(head.decode())
    return segment, settings, skipped


def _fork_build(repo: Repo, entries: list[Entry]) -> tuple[int, int] | None:
    """Return process and pipe of a child that builds a segment, None where the system gives no process."""
    read_end, write_end = os.pipe()
    try:
        pid = os.fork()
    except OSError:
        os.close(read_end)
        os.close(write_end)
        return None
    if pid:
        os.close(write_end)
        return pid, read_end
    status = 1
    try:
        os.close(read_end)  # else a write into it would wait for ever, were the parent killed
        segment, settings, skipped = _build(repo, entries)
        with open(write_end, "wb") as file:
            file.write(render_json([settings, skipped]).encode() + b"\n")
            file.write(segment)
        status = 0
    finally:
        os._exit(status)


def _load_builder() -> None:
    """Import what parses and inverts, while git has the other core."""
    import brain.index.build  # noqa: F401


def _build(repo: Repo, entries: Sequence[Entry]) -> Built:
    """Return the segment of what these files hold, the text of brain.toml, and path and cause of what was skipped."""
    from brain.index.build import build_segment, decode, is_retro, read_record, read_retro  # seldom needed by a hook

    wanted = [entry for entry in entries if _is_ours(entry)]
    objects = os.path.join(repo.common_dir, "objects")
    contents = read_new_blobs(repo.path, objects, [entry.oid for entry in wanted], MAX_SETTINGS_BYTES)
    memories: list[tuple[Memory, str]] = []
    retros: list[Retro] = []
    settings, skipped = "", []
    for entry, content in zip(wanted, contents, strict=True):
        try:
            if entry.mode in (LINK, SUBMODULE):
                raise InvalidMemoryError(printable(entry.path), 1, "a link or submodule", "commit the text itself")
            if entry.path == SETTINGS_FILE:
                settings = decode(content, entry.path, MAX_SETTINGS_BYTES)
            elif is_retro(entry.path):
                retros.append(read_retro(entry.path, content))
            else:
                memory, text = read_record(entry.path, content)
                if memory.status == "approved":
                    memories.append((memory, text))
        except InvalidMemoryError as error:
            skipped.append([entry.path, f"{error} ({error.mend})" if error.mend else str(error)])
    return build_segment(memories, retros), settings, skipped


def _is_ours(entry: Entry) -> bool:
    """Say whether a file is to be read, or to be told of because it is none."""
    path = entry.path
    if path == SETTINGS_FILE or path.startswith((DEPRECATED + "/", PENDING + "/")):
        return path == SETTINGS_FILE
    if entry.mode in (LINK, SUBMODULE):
        return path.startswith(AREAS)
    return path.endswith(".md") and path != INDEX_FILE and path.rpartition("/")[2] != "README.md"
