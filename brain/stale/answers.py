"""What there is to say about a ref: three states, and a reason for each answer."""

from __future__ import annotations

from brain.value import value

FRESH, STALE, UNKNOWN = "fresh", "stale", "unknown"
SHOWN: dict[str, bool | str] = {STALE: True, FRESH: False, UNKNOWN: UNKNOWN}
"""A state as machines read it."""

SAME, NEVER = "same", "never-existed"
ADDED, CHANGED, DELETED, RENAMED, LINES_CHANGED = "added", "changed", "deleted", "renamed", "lines-changed"
COMMIT_MISSING, HEAD_MISSING, REPO_MISSING = "commit-missing", "head-missing", "repo-missing"
NOT_VERIFIED, INVALID_REF, LINES_BEYOND_END = "not-verified", "invalid-ref", "lines-beyond-end"
CONTENT_MISSING, GIT_FAILED = "content-missing", "git-failed"


@value
class Answer:
    """State and reason; ``new_path`` of what was renamed."""

    state: str
    reason: str
    new_path: str = ""
