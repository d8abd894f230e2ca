"""The check after finalize, from git alone: the index, the ids, the reviewers, and what finalize's commits changed."""

from __future__ import annotations

from itertools import zip_longest

from brain.errors import InvalidMemoryError
from brain.finalize.edits import canonical, neutral
from brain.finalize.gather import MAX_INDEX_BYTES
from brain.finalize.history import claims, taken_out
from brain.finalize.tree import changed_blobs, final_memory, read_files, read_tree
from brain.git.objects import read_blob
from brain.index.build import read_memory
from brain.layout import DEPRECATED, INDEX_FILE
from brain.lint.tree import check_tree
from brain.memory import MAX_FILE_BYTES
from brain.memory_index import render_index
from brain.value import replace, value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from brain.finalize.tree import Tree

FORGED = "finalize alone may claim this; revert the commit"


@value
class Fault:
    """Something that is not as finalize leaves it: path below the repo, line, what is wrong, how to mend it."""

    path: str
    line: int
    message: str
    mend: str


def check(repo: str, commit: str, root: str, since: str = "") -> list[Fault]:
    """Return what is wrong with a commit's memories, and with commits behind ``since`` that claim to be finalize's.

    Without ``since``, the newest such commit alone is looked at.
    """
    made = claims(repo, commit, since)
    faults = [fault for one in (made if since else made[:1]) for fault in check_commit(repo, one, root)]
    faults += _check_gone(repo, commit, root, since or next(iter(made), ""), made if since else [])
    tree = read_tree(repo, commit, root)
    faults += check_memories(repo, tree, root)
    return sorted(set(faults), key=lambda fault: (fault.path, fault.line, fault.message))


def _check_gone(repo: str, commit: str, root: str, since: str, made: Sequence[str]) -> Iterator[Fault]:
    """Yield the memories that were final in ``since`` and are gone, though no finalize of ``made`` tells of them."""
    prefix = f"{root}/"
    known = {f"{prefix}{path}" for one in made for path in taken_out(repo, one)}
    known |= {path for one in made for path, (_, new) in changed_blobs(repo, f"{one}^", one, root).items() if not new}
    changed = changed_blobs(repo, since, commit, root) if since else {}
    olds = {path: old for path, (old, new) in changed.items() if old and not new and path not in known}
    for path, content in read_files(repo, olds).items():
        if final_memory(path.removeprefix(prefix), content):
            mend = f"git checkout {since[:12]} -- {path} brings it back; brain remove proposes a removal"
            yield Fault(path, 1, "it was approved, and taken out without a PM's approval", mend)


def check_memories(repo: str, tree: Tree, root: str) -> Iterator[Fault]:
    """Yield what is wrong with the memories of a commit."""
    if not tree.oid:
        return
    for error in tree.broken:
        yield Fault(error.path, error.line, error.reason, error.mend)
    for note in check_tree(tree.blobs):
        yield Fault(f"{root}/{note.path}", 1, f"{note.rule.what}: {note.message}", note.rule.mend)
    for path, memory in tree.memories.items():
        if memory.status == "approved" and not memory.reviewed_by:
            mend = "have a PM approve the merge request that brings it; finalize writes who did"
            yield Fault(f"{root}/{path}", 1, "it is approved by nobody", mend)
    yield from _check_index(repo, tree, root)


def _check_index(repo: str, tree: Tree, root: str) -> Iterator[Fault]:
    path = f"{root}/{INDEX_FILE}"
    wanted = render_index(tree.memories.values())
    content = read_blob(repo, tree.blobs.get(INDEX_FILE, ""), MAX_INDEX_BYTES)
    mend = "never edit it: brain-ci finalize rebuilds it"
    if content is None:
        yield Fault(path, 1, "it is missing", mend)
    elif content != wanted.encode():
        pairs = zip_longest(content.decode("utf-8", "replace").split("\n"), wanted.split("\n"))
        line = next((number for number, (there, own) in enumerate(pairs, 1) if there != own), 1)
        yield Fault(path, line, "it is not what the memories make it", mend)


def check_commit(repo: str, commit: str, root: str) -> list[Fault]:
    """Return what a commit that claims to be finalize's changed and may not.

    It may change status, reviewer and the index, carry out removals, and put back what was final before.
    """
    changed = changed_blobs(repo, f"{commit}^", commit, "")
    prefix = f"{root}/"
    faults = [Fault(path, 1, _claim(commit), FORGED) for path in changed if not path.startswith(prefix)]
    paths = {path.removeprefix(prefix): pair for path, pair in changed.items() if path.startswith(prefix)}
    old, new = (read_files(repo, {path: pair[side] for path, pair in paths.items()}) for side in (0, 1))
    moved = canonical({path: content for path, content in old.items() if content and _is_proposed(path, content)})
    for path in paths:
        removed = path in moved and neutral(new[path], path) == moved[path]
        if not (path == INDEX_FILE or removed or is_alike(old[path], new[path], path)) and not _was_final(
            repo, commit, f"{root}/{path}", new[path]
        ):
            faults.append(Fault(f"{root}/{path}", 1, _claim(commit), FORGED))
    return faults


def _was_final(repo: str, commit: str, path: str, content: bytes | None) -> bool:
    """Say whether a memory's file is as an earlier commit that claims to be finalize's has it."""
    memory = final_memory(path.partition("/")[2], content)
    earlier = claims(repo, f"{commit}^") if memory else []
    return any(read_blob(repo, f"{one}:{path}", MAX_FILE_BYTES) == content for one in earlier)


def is_alike(old: bytes | None, new: bytes | None, path: str) -> bool:
    """Say whether two files differ in nothing but what finalize writes, or read as memories that do.

    It may take away what proposes a removal.
    """
    if old is None or new is None:
        return False
    if neutral(old, path) == neutral(new, path):
        return True
    try:
        before, after = read_memory(path, old), read_memory(path, new)
    except InvalidMemoryError:
        return False
    if not after.removal and neutral(old, path, removal=False) == neutral(new, path):
        return True
    return before == replace(after, status=before.status, reviewed_by=before.reviewed_by)


def _claim(commit: str) -> str:
    return f"{commit[:12]} claims to be finalize's, and changes more than status, reviewer and removals"


def _is_proposed(path: str, content: bytes) -> bool:
    """Say whether a memory's removal is proposed, so that finalize may carry it out."""
    try:
        return not path.startswith(f"{DEPRECATED}/") and read_memory(path, content).removal != ""
    except InvalidMemoryError:
        return False
