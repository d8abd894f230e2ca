"""A commit in the bot's name, made in the object store.

The same content on the same commit is the same commit, its date that of the one it stands on: two runs at once, or one
that is finished by the next, make one.
"""

from __future__ import annotations

from brain.errors import BrainError
from brain.finalize.check import check_commit
from brain.git.run import git
from brain.submit.commit import build_tree, commit_tree, write_blob

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from brain.finalize.job import Job


def make_commit(job: Job, parent: str, changes: Mapping[str, bytes | None], message: str) -> str:
    """Return a commit with these changes (path below the root → content, None to remove), checked before it is seen.

    Raises:
        BrainError: It is not what finalize may do.
        ConflictError: A file stands where a folder is needed, or the other way round.
    """
    blobs = {path: "" if content is None else write_blob(job.repo, content) for path, content in changes.items()}
    tree = build_tree(job.repo, parent, {f"{job.root}/{path}": blob for path, blob in blobs.items()})
    commit = commit_tree(job.repo, tree, parent, message, {**job.env, **_identity(job, parent)})
    faults = check_commit(job.repo, commit, job.root)
    if faults:
        raise BrainError(f"finalize would break its own rule: {faults[0].path}: {faults[0].message}", "report it")
    return commit


def _identity(job: Job, parent: str) -> Mapping[str, str]:
    when = git(job.repo, "show", "-s", "--format=%ct", "--no-show-signature", parent).decode().strip()
    name, email = job.me.name or job.me.username, job.me.email or f"{job.me.username}@noreply.invalid"
    facts = {"NAME": name, "EMAIL": email, "DATE": f"{when} +0000"}
    return {f"GIT_{role}_{key}": fact for role in ("AUTHOR", "COMMITTER") for key, fact in facts.items()}
