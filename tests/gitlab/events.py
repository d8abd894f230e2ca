"""Things that happened: webhooks to send, system notes, label and state events."""

from __future__ import annotations

import json
import secrets
import uuid
from typing import Any

from tests.gitlab import payloads
from tests.gitlab.state import Row, World

FLAG = {"push": "push_events", "tag_push": "tag_push_events", "merge_request": "merge_requests_events",
        "note": "note_events", "pipeline": "pipeline_events", "job": "job_events", "issue": "issues_events"}  # fmt: skip
HEADER = {"push": "Push Hook", "tag_push": "Tag Push Hook", "merge_request": "Merge Request Hook", "note": "Note Hook",
          "pipeline": "Pipeline Hook", "job": "Job Hook", "issue": "Issue Hook"}  # fmt: skip


def emit(world: World, project: Row, kind: str, body: Row) -> None:
    """Queue a delivery of `body` for every webhook that wants its kind."""
    for hook in _hooks(world, project):
        if hook.get(FLAG[kind]) and _branch_fits(hook, body):
            deliver(world, hook, kind, body)


def _hooks(world: World, project: Row) -> list[Row]:
    from tests.gitlab.access import line_of

    spaces = {space["id"] for space in line_of(world, world.get("namespaces", project["namespace_id"]))}
    hooks = world.rows("hooks", source="project", source_id=project["id"])
    return hooks + [row for row in world.find("hooks", source="group") if row["source_id"] in spaces]


def _branch_fits(hook: Row, body: Row) -> bool:
    from tests.gitlab.access import matches

    pattern = hook.get("push_events_branch_filter")
    ref = str(body.get("ref", "")).removeprefix("refs/heads/")
    return not pattern or body.get("object_kind") != "push" or matches(pattern, ref)


def deliver(world: World, hook: Row, kind: str, body: Row, **more: Any) -> Row:
    """Queue one delivery and return its row."""
    headers = {
        "Content-Type": "application/json",
        "User-Agent": f"GitLab/{world.settings['version']}",
        "Idempotency-Key": str(uuid.UUID(bytes=secrets.token_bytes(16), version=4)),
        "X-Gitlab-Event": HEADER[kind],
        "X-Gitlab-Event-UUID": str(uuid.UUID(bytes=secrets.token_bytes(16), version=4)),
        "X-Gitlab-Webhook-UUID": hook["uuid"],
        "X-Gitlab-Instance": world.address,
    }
    if hook["token"]:
        headers["X-Gitlab-Token"] = hook["token"]
    row = {"hook_id": hook["id"], "url": hook["url"], "trigger": f"{kind}_hooks", "headers": headers,
           "body": json.dumps(body), "state": "queued", "signing": hook["signing_token"],
           "due": world.clock.state["ticks"] + world.settings["hook_ticks"], "response_status": None,
           "response_body": "", "duration": 0.0}  # fmt: skip
    return world.add("deliveries", {**row, **more})


def merge_request(
    world: World,
    mr: Row,
    user: Row,
    action: str,
    changes: Row,
    *,
    system_action: str | None = None,
    oldrev: str | None = None,
) -> None:
    """Tell about a merge request."""
    project = world.the("projects", mr["project_id"])
    body = payloads.merge_request(world, project, mr, user, action, changes)
    if system_action:
        body["object_attributes"] |= {"system": True, "system_action": system_action}
    if oldrev:
        body["object_attributes"]["oldrev"] = oldrev
    emit(world, project, "merge_request", body)


def push(world: World, project: Row, user: Row, ref: str, old: str, new: str) -> None:
    """Tell about a push."""
    kind = "tag_push" if ref.startswith("refs/tags/") else "push"
    if any(hook.get(FLAG[kind]) for hook in _hooks(world, project)):
        emit(world, project, kind, payloads.push(world, project, user, ref, old, new))
    action = "created" if set(old) == {"0"} else "removed" if set(new) == {"0"} else "pushed"
    world.add("activity", {"project_id": project["id"], "author_id": user["id"], "action_name": f"{action} to",
                           "target_type": None, "ref": ref.split("/", 2)[2], "to": new})  # fmt: skip


def note(world: World, project: Row, user: Row, row: Row, subject: Row) -> None:
    """Tell about a note."""
    emit(world, project, "note", payloads.note(world, project, user, row, subject))


def pipeline(world: World, project: Row, row: Row) -> None:
    """Tell about a pipeline."""
    if any(hook.get("pipeline_events") for hook in _hooks(world, project)):
        emit(world, project, "pipeline", payloads.pipeline(world, project, row))


def system_note(world: World, mr: Row, user: Row, body: str) -> None:
    """Write a note of the system's."""
    world.add("notes", {
        "project_id": mr["project_id"], "noteable": "MergeRequest", "noteable_id": mr["id"], "noteable_iid": mr["iid"],
        "author_id": user["id"], "body": body, "system": True, "type": None, "resolvable": False, "resolved": False,
        "resolved_by_id": None, "resolved_at": None, "position": None, "internal": False,
        "discussion_id": secrets.token_hex(20), "individual": True, "commit_id": None})  # fmt: skip


def resource(world: World, mr: Row, user: Row, kind: str, *, of: str = "MergeRequest", **more: Any) -> None:
    """Record a label, state or milestone event."""
    world.add("resource_events", {"kind": kind, "of": of, "mr_id": mr["id"], "user_id": user["id"], **more})
