"""What there is to say about a ref: three states, and a reason for each answer."""

from __future__ import annotations

from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from brain.errors import GitError

FRESH, STALE, UNKNOWN = "fresh", "stale", "unknown"

SAME, NEVER = "same", "never-existed"
ADDED, CHANGED, DELETED, RENAMED, LINES_CHANGED = "added", "changed", "deleted", "renamed", "lines-changed"
COMMIT_MISSING, HEAD_MISSING, REPO_MISSING = "commit-missing", "head-missing", "repo-missing"
NOT_VERIFIED, INVALID_REF, LINES_BEYOND_END = "not-verified", "invalid-ref", "lines-beyond-end"
CONTENT_MISSING, GIT_FAILED = "content-missing", "git-failed"


@value
class Answer:
    """State and reason; ``new_path`` of what was renamed, ``cause`` of what git refused (one line)."""

    state: str
    reason: str
    new_path: str = ""
    cause: str = ""


def first_line(error: GitError) -> str:
    """Return the first line of what git said."""
    return (error.stderr.strip() or str(error)).splitlines()[0]
