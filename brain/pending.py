"""The drafts of this machine's user, one by one: what they say, how old they are, what is wrong with them."""

from __future__ import annotations

import os

from brain.clock import DAY
from brain.decisions import undecided
from brain.drafts import list_drafts, read_draft
from brain.errors import BrainError, InvalidMemoryError, MemoryNotFoundError
from brain.layout import PENDING, find_place
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from brain.workspace import Brain


@value
class Pending:
    """One draft's file: its id ("" where no memory may lie), path below ``_pending/``, age, first sentence, problem.

    ``problem`` says what keeps it from being recalled, ``line`` where and ``mend`` what to do; "" and 0 where nothing.
    """

    id: str
    path: str
    days: int
    sentence: str
    problem: str = ""
    line: int = 0
    mend: str = ""


def list_pending(memory_root: str, now: float) -> list[Pending]:
    """Return every draft, readable or not, in the order of their paths."""
    folder = os.path.join(memory_root, PENDING)
    return [_pending(folder, path, now) for path in list_drafts(memory_root)] if memory_root else []


def _pending(folder: str, path: str, now: float) -> Pending:
    place = find_place(path)
    memory_id, days = place.id if place else "", _days(os.path.join(folder, path), now)
    try:
        _, memory = read_draft(folder, path)
    except InvalidMemoryError as error:
        return Pending(memory_id, path, days, "", error.reason, error.line, error.mend)
    return Pending(memory_id, path, days, memory.sentence)


def _days(path: str, now: float) -> int:
    try:
        return max(0, int((now - os.lstat(path).st_mtime) // DAY))
    except OSError:  # dropped this very moment
        return 0


def want_decision(brain: Brain, drafts: Sequence[Pending], now: float) -> list[Pending]:
    """Return the drafts that want a decision: submit, keep or drop."""
    paths = [draft.path for draft in drafts]
    found = set(undecided(brain.repo, brain.memory_root, paths, now, brain.config["review.draftDays"]))
    return [draft for draft in drafts if draft.path in found]


def find_pending(drafts: Sequence[Pending], name: str) -> Pending:
    """Return the draft with that id or path.

    Raises:
        MemoryNotFoundError: There is none.
        BrainError: Several have the id.
    """
    bare = name.partition(f"{PENDING}/")[2] or name
    found = [draft for draft in drafts if name == draft.id or bare == draft.path]
    if not found:
        raise MemoryNotFoundError(name, _nearest(name, drafts))
    if len(found) > 1:
        raise BrainError(f"{name}: {len(found)} drafts have that id", f"name its path: {found[0].path}")
    return found[0]


def _nearest(name: str, drafts: Sequence[Pending]) -> str:
    from difflib import get_close_matches

    near = get_close_matches(name, [draft.id for draft in drafts if draft.id], n=1, cutoff=0.5)
    return near[0] if near else ""


def draft_text(memory_root: str, draft: Pending) -> str:
    """Return a draft's file as text; what is no UTF-8 is replaced.

    Raises:
        BrainError: It cannot be read.
    """
    path = os.path.join(memory_root, PENDING, draft.path)
    try:
        with open(path, "rb") as file:
            return file.read(1 << 20).decode("utf-8-sig", "replace")
    except OSError as error:
        raise BrainError(f"{path}: {error.strerror}", "check its permissions") from None


def tag_of(text: bytes) -> str:
    """Return what stands for a draft's very text, where it is taken from one place to another."""
    from hashlib import sha256

    return sha256(text).hexdigest()[:32]


def drop_draft(memory_root: str, draft: Pending) -> None:
    """Remove a draft, and the folders that are empty then.

    Raises:
        BrainError: It cannot be removed.
    """
    folder = os.path.join(memory_root, PENDING)
    path = os.path.join(folder, draft.path)
    try:
        os.unlink(path)
    except FileNotFoundError:
        pass
    except OSError as error:
        raise BrainError(f"{path}: {error.strerror}", "check its permissions") from None
    drop_empty_folders(memory_root, draft)


def drop_empty_folders(memory_root: str, draft: Pending) -> None:
    """Remove the folders that a draft which is gone leaves empty."""
    folder = os.path.join(memory_root, PENDING)
    above = os.path.dirname(os.path.join(folder, draft.path))
    while above != folder:
        try:
            os.rmdir(above)
        except OSError:  # not empty
            return
        above = os.path.dirname(above)
