"""Texts that wait on the default branch: merged, and not approved. They are proposed again, as they are.

A merge request that changes nothing of a file says nothing of it. So it changes how an empty field is written, the one
that finalize fills: the file is in it then, its text is the one that waits, and the PM's approval is of that.
"""

from __future__ import annotations

import re

from brain.drafts import put_draft
from brain.errors import BrainError
from brain.git.objects import read_blob, read_blobs
from brain.layout import PENDING, find_place
from brain.memory import MAX_FILE_BYTES
from brain.submit.gather import fetch_heads, files_at, memory_of
from brain.value import replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from brain.submit.apply import Job
    from brain.submit.plan import Proposal
    from brain.workspace import Brain

REVIEWER = re.compile(r"""^reviewed_by:[ \t]*(""|'')?(?=[ \t]*(#.*)?\r?$)""", re.MULTILINE)


def mark_waiting(brain: Brain, proposals: Sequence[Proposal], there: Mapping[str, str]) -> Iterator[Proposal]:
    """Yield proposals; those that wait on the default branch already, with what makes a change of them.

    ``there`` is path → blob of what it has.
    """
    blobs = [there.get(item.memory.path, "") for item in proposals]
    contents = iter(read_blobs(brain.repo.path, [blob for blob in blobs if blob], MAX_FILE_BYTES))
    for item, blob in zip(proposals, blobs, strict=True):
        old = (next(contents) or b"").decode("utf-8", "replace") if blob else ""
        before = memory_of(item.memory.path, old)
        if before is None or before.status != "pending" or before != memory_of(item.memory.path, item.text):
            yield item
        else:
            yield replace(item, text=touched(old) if item.text == old else item.text, waits=True)


def touched(text: str) -> str:
    r"""Return a memory's file with its empty ``reviewed_by`` written in the other way.

    >>> touched("reviewed_by:\n"), touched('reviewed_by: ""\n')
    ('reviewed_by: ""\n', 'reviewed_by:\n')
    """
    return REVIEWER.sub(lambda found: "reviewed_by:" if found[1] else 'reviewed_by: ""', text, count=1)


def pull_waiting(job: Job, name: str) -> str:
    """Bring a text that waits on the default branch to ``_pending/``, by id or path; return its path, "" for none.

    Raises:
        GitError: The remote cannot be reached.
        BrainError: A draft of it lies there, or it cannot be written.
    """
    brain, root = job.brain, job.brain.config["memory.root"]
    bare = name.partition(f"{root}/")[2] or name
    files = files_at(brain, fetch_heads(brain, job.doors.link).base, root)
    path = next((path for path in files if bare == path or ((place := find_place(path)) and place.id == name)), "")
    content = read_blob(brain.repo.path, files.get(path, ""), MAX_FILE_BYTES) or b""
    memory = memory_of(path, content.decode("utf-8", "replace"))
    if memory is None or memory.status != "pending" or not brain.memory_root:
        return ""
    try:
        put_draft(brain, path, content)
    except FileExistsError:
        hint = f"brain submit {memory.id} proposes it; brain pending drop {memory.id} first, for what is on the branch"
        raise BrainError(f"{root}/{PENDING}/{path}: a draft is there already", hint) from None
    return path
