"""Up to where everything was looked at already: the bot's own comment on a commit of its own.

A commit proves nothing of who made it; of a comment GitLab vouches for the author. Without the comment, or with a new
bot, the history is looked at again from the last commit that has one: slower, and with the same result.
"""

from __future__ import annotations

from brain.finalize.history import claims
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from brain.finalize.job import Job

MARKER = "<!-- brain:finalize -->"
TEXT = "Everything that is approved in this commit was approved by a PM: `brain-ci finalize` has checked it."


@value
class Seal:
    """Commits up to which all was looked at.

    ``trusted`` is the newest sealed one, "" for none; ``unsealed`` the newest that claims to be finalize's where that
    is another, "" for none.
    """

    trusted: str = ""
    unsealed: str = ""


def find_seal(job: Job, base: str) -> Seal:
    """Return up to where everything was looked at already, by what GitLab says of the commits before ``base``."""
    found = claims(job.repo, base)
    for commit in found:
        if _is_sealed(job, commit):
            return Seal(commit, "" if commit == found[0] else found[0])
    return Seal("", found[0] if found else "")


def set_seal(job: Job, commit: str) -> None:
    """Note that everything that is approved in a commit was looked at; once, whoever notes it."""
    if not _is_sealed(job, commit):
        job.gitlab.comment(commit, f"{MARKER}\n{TEXT}")


def _is_sealed(job: Job, commit: str) -> bool:
    said = job.gitlab.comments(commit)
    return any(MARKER in comment.text and comment.author.id == job.me.id for comment in said)
