"""Faults that tests switch on by name, through /_stand_in/faults."""

from __future__ import annotations

import re
from typing import Any

from tests.gitlab import errors
from tests.gitlab.state import Row, World

CREATE_MR = {"verb": "POST", "path": r"/merge_requests$"}
MERGE_MR = {"verb": "PUT", "path": r"/merge$"}
PUSH = {"verb": "POST", "path": r"/git-receive-pack$"}

# Name to what it does when (before or after the effect, or elsewhere: git, hooks, pipelines) and its defaults.
NAMED: dict[str, Row] = {
    "answer": {"when": "before"},
    "lost_answer": {"when": "after"},
    "lost_request": {"when": "before", "drop": True},
    "bad_gateway_after_effect": {"when": "after", "status": 502, "text": "GitLab is not responding"},
    "bad_gateway": {"when": "before", "status": 502, "text": "GitLab is not responding"},
    "too_many_requests": {"when": "before", "status": 429, "text": "Retry later\n", "headers": {"Retry-After": "1"}},
    "server_error": {"when": "before", "status": 500, "body": {"message": "500 Internal Server Error"}},
    "slow": {"when": "slow", "seconds": 1.0},
    "token_expired": {
        "when": "before",
        "status": 401,
        "body": {
            "error": "invalid_token",
            "error_description": "Token is expired. You can either do re-authorization or token refresh.",
        },
    },
    "duplicate_merge_request": {
        "when": "before",
        "status": 409,
        "body": {"message": ["Another open merge request already exists for this source branch: !1"]},
        **CREATE_MR,
    },
    "merge_not_allowed": {"when": "before", "status": 405, "body": {"message": "405 Method Not Allowed"}, **MERGE_MR},
    "merge_failed": {"when": "before", "status": 422, "body": {"message": "Branch cannot be merged"}, **MERGE_MR},
    "no_x_total": {"when": "headers", "times": 1_000_000},
    "head_moved": {"when": "head", "verb": "POST", "path": ""},
    "push_rejected": {"when": "pre-receive", "text": "GL-HOOK-ERR: rejected by a custom hook"},
    "update_rejected": {"when": "update", "text": "GL-HOOK-ERR: rejected by a custom hook", "ref": ""},
    "hook_lost": {"when": "hook"},
    "hook_doubled": {"when": "hook"},
    "hook_reordered": {"when": "hook"},
    "pipeline_missing": {"when": "pipeline"},
    "pipeline_skipped": {"when": "pipeline"},
}


def add(world: World, name: str, given: Row) -> Row:
    """Switch a fault on and return it.

    Raises:
        ApiError: There is no fault of that name.
    """
    if name not in NAMED:
        raise errors.told(400, f"no fault named {name}; there are {', '.join(NAMED)}")
    row = {"name": name, "times": 1, "skip": 0, "verb": "", "path": "", **NAMED[name], **given, "hits": 0}
    return world.add("faults", row)


def take(world: World, when: str, verb: str = "", path: str = "", name: str = "") -> Row | None:
    """Return the first fault that fits and count it, or None."""
    for row in world.find("faults", when=when):
        if _fits(row, verb, path, name) and _counts(world, row):
            return row
    return None


def _fits(row: Row, verb: str, path: str, name: str) -> bool:
    if row["times"] <= 0 or (name and row["name"] != name) or (row["verb"] and verb and row["verb"] != verb):
        return False
    return not row["path"] or re.search(row["path"], path) is not None


def _counts(world: World, row: Row) -> bool:
    world.dirty = True
    if row["skip"] > 0:
        row["skip"] -= 1
        return False
    row["times"] -= 1
    row["hits"] += 1
    return True


def before(world: World, verb: str, path: str) -> Row | None:
    """Return the answer a fault gives in place of the effect, or None."""
    return take(world, "before", verb, path)


def after(world: World, verb: str, path: str) -> Row | None:
    """Return what a fault makes of the answer after the effect, or None."""
    return take(world, "after", verb, path)


def answer(row: Row) -> tuple[int, Any, dict[str, str], str]:
    """Return status, body, headers and kind of a fault's answer."""
    if "text" in row:
        return row.get("status", 500), row["text"], row.get("headers", {}), "text/plain"
    return row.get("status", 500), row.get("body", {}), row.get("headers", {}), "application/json"
