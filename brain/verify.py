"""Verify a memory: what changed under it since, and a draft that says it still holds (SPEC §5.4)."""

from __future__ import annotations

from brain.compose import verify_refs
from brain.drafts import put_draft
from brain.edit import AS_DRAFT, edit_memory
from brain.errors import BrainError, ConflictError, MemoryNotFoundError
from brain.find import get_memories
from brain.git.refs import find_repo
from brain.git.run import git, try_git
from brain.layout import PENDING
from brain.recall.doubts import doubts_of, repo_folders
from brain.stale.answers import STALE
from brain.stale.refs import MEMORY, parse_ref
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from brain.memory import Memory
    from brain.stale.memories import Doubt
    from brain.workspace import Brain

MOST_LINES = 200
"""Lines of a ref's diff that are shown."""


@value
class Change:
    """A ref in doubt, and what git says changed under it ("" where it cannot say)."""

    doubt: Doubt
    diff: str


def approved_memory(brain: Brain, memory_id: str) -> tuple[Memory, str]:
    """Return an approved memory and its file's text, byte for byte.

    Raises:
        MemoryNotFoundError: Nothing approved has that id.
    """
    memory = next((found for found in get_memories(brain, memory_id) if found.status == "approved"), None)
    if memory is None:
        raise MemoryNotFoundError(memory_id)
    blob = git(brain.repo.path, "cat-file", "blob", f"{brain.tree.commit}:{brain.tree.root}/{memory.path}")
    return memory, blob.decode()


def changes_under(brain: Brain, memory: Memory) -> list[Change]:
    """Return what changed under each ref of a memory that is in doubt."""
    folders = repo_folders(brain)
    found = doubts_of(brain, [memory], timeout=None, suggest=True).get(memory.path, ())
    return [Change(doubt, _diff(brain, folders, doubt)) for doubt in found]


def verified_text(brain: Brain, memory: Memory, text: str) -> tuple[str, list[str]]:
    """Return a draft of the memory's file, as verified at the present commits of its refs' repos, and remarks.

    Raises:
        BrainError: It has refs, and none of their repos is here.
    """
    commits, remarks = verify_refs(brain, memory.refs)
    if memory.refs and not commits:
        raise BrainError(f"{memory.id}: no repo of its refs is here to verify it in", "run it in a clone of the code")
    return edit_memory(text, {"verified_commit": commits, "stale": False, **AS_DRAFT}, memory.path), remarks


def disputed_text(memory: Memory, text: str) -> str:
    """Return a draft of the memory's file that is still to be mended."""
    return edit_memory(text, AS_DRAFT, memory.path)


def file_copy(brain: Brain, memory: Memory, text: str) -> str:
    """Write a draft of an approved memory's file; return its path below the memory root.

    Raises:
        ConflictError: There is a draft of it.
        BrainError: There is no place for drafts.
    """
    try:
        put_draft(brain, memory.path, text)
    except FileExistsError:
        raise ConflictError(
            f"there is a draft of {memory.id} already", f"look at it with brain pending show {memory.id}"
        ) from None
    return f"{PENDING}/{memory.path}"


def _diff(brain: Brain, folders: Mapping[str, str | None], doubt: Doubt) -> str:
    ref = parse_ref(doubt.ref)
    folder = folders.get(ref.alias)
    repo = find_repo(folder) if folder else None
    if repo is None or doubt.answer.state != STALE:
        return ""
    head = brain.tree.commit if ref.alias == MEMORY else "HEAD"
    options = ["--no-color", "--no-ext-diff", "--no-textconv", "-M"]
    result = try_git(repo.path, "diff", *options, doubt.commit, head, "--", ref.path)
    lines = result.out.decode("utf-8", "replace").splitlines()
    more = [f"… {len(lines) - MOST_LINES} more lines"] if len(lines) > MOST_LINES else []
    return "\n".join(lines[:MOST_LINES] + more)
