"""What of this memory the kit has as rules or skills by now: the originals may go (SPEC §7, R3)."""

from __future__ import annotations

from brain.errors import BrainError
from brain.submit.removal_facts import MAX_REASON
from brain.tend.kit import find_promoted, open_kit, project_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from brain.workspace import Brain


def originals(brain: Brain, where: str, names: Sequence[str], env: Mapping[str, str]) -> tuple[list[str], str]:
    """Return the ids of approved memories that the kit has, of those that are named or of all, and the note.

    Raises:
        BrainError: There is none, or one that is named is not among them.
        GitError: The kit cannot be reached.
    """
    found = find_promoted(open_kit(brain, where, env), project_of(brain))
    approved = {memory.id for part in brain.tree.parts for memory in part.memories() if not memory.removal}
    missing = [name for name in names if name not in found]
    if missing:
        raise BrainError(f"{missing[0]} is not in the kit", "its promotion is not merged yet, or it goes by another id")
    ids = [name for name in found if name in approved and (not names or name in names)]
    if not ids:
        raise BrainError("nothing of this memory is in the kit that is still here", "brain promote proposes it there")
    ids = ids[: brain.config["review.maxPerMR"]]  # the next run takes the rest
    return ids, _note([found[name] for name in ids])


def _note(paths: Sequence[str]) -> str:
    """Return the note: the files of the kit, as many as it can hold."""
    note = "R3: promoted → "
    for number, path in enumerate(paths):
        part = f"{', ' if number else ''}{path}"
        if len(note) + len(part) > MAX_REASON - 2:
            return f"{note} …"
        note += part
    return note
