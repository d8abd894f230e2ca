"""The queue: merge requests of memories that wait, and those closed lately, as GitLab tells them."""

from __future__ import annotations

from datetime import UTC, datetime

from brain.clock import DAY
from brain_api.webhook import MEMORY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from brain.forge.gitlab import GitLab

CLOSED_DAYS = 14
"""How long a closed one is told of."""
MOST = 200
OWN = "memory/finalize-"
"""What the branches of finalize's own merge requests begin with: they wait for nobody."""


def read_queue(gitlab: GitLab, now: float) -> dict[str, Any]:
    """Return the open merge requests, the oldest first, and those closed lately, the latest first.

    Raises:
        ForgeError: GitLab does not answer.
    """
    since = datetime.fromtimestamp(now - CLOSED_DAYS * DAY, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    opened = _rows(gitlab, {"state": "opened", "order_by": "created_at", "sort": "asc"}, now)
    closed = _rows(gitlab, {"state": "closed", "updated_after": since, "order_by": "updated_at", "sort": "desc"}, now)
    return {"asked": round(now, 3), "open": opened, "closed": closed}


def _rows(gitlab: GitLab, query: Mapping[str, str], now: float) -> list[dict[str, Any]]:
    found = gitlab.connection.each(f"{gitlab.at}/merge_requests", {"labels": MEMORY, **query})
    waiting = (row for row in found if not str(row.get("source_branch")).startswith(OWN))
    return [_row(row, now) for row, _ in zip(waiting, range(MOST), strict=False)]


def _row(row: Mapping[str, Any], now: float) -> dict[str, Any]:
    author = row.get("author") or {}
    created, updated = (seconds_of(str(row.get(key) or "")) for key in ("created_at", "updated_at"))
    return {
        "iid": int(row.get("iid") or 0), "title": str(row.get("title") or ""), "url": str(row.get("web_url") or ""),
        "author": str(author.get("username") or ""), "branch": str(row.get("source_branch") or ""),
        "status": str(row.get("detailed_merge_status") or ""), "draft": bool(row.get("draft")),
        "sha": str(row.get("sha") or ""),
        "created": created, "updated": updated, "days": max(0, int((now - created) // DAY)) if created else 0,
    }  # fmt: skip


def seconds_of(text: str) -> float:
    """Return an ISO time in seconds since 1970, 0 for what is none.

    >>> seconds_of("1970-01-02T00:00:00.500Z")
    86400.5
    """
    try:
        return datetime.fromisoformat(text).timestamp() if text else 0.0
    except ValueError:
        return 0.0
