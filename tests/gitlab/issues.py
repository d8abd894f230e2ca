"""Issues, as far as clients and templates need them."""

from __future__ import annotations

from typing import Any

from tests.gitlab import access, errors, events, labels, milestones, users
from tests.gitlab.call import Call, Reply
from tests.gitlab.clock import iso
from tests.gitlab.filters import wanted
from tests.gitlab.merge_requests import people
from tests.gitlab.pagination import paged
from tests.gitlab.routes import GUEST, OWNER, PLANNER, route
from tests.gitlab.state import Row


def shown(call: Call, row: Row) -> Row:
    """Return an issue."""
    world = call.world
    path = access.project_path(world, world.the("projects", row["project_id"]))
    assignees = [users.by_id(world, key) for key in row["assignee_ids"]]
    notes = world.find("notes", noteable="Issue", noteable_id=row["id"], system=False)
    return {
        **{name: row[name] for name in ("id", "iid", "project_id", "title", "description", "state", "labels", "issue_type",
                                        "confidential", "discussion_locked", "due_date", "weight")},
        "created_at": iso(row["created_at"]),
        "updated_at": iso(row["updated_at"]),
        "closed_at": iso(row["closed_at"]),
        "closed_by": users.by_id(world, row["closed_by_id"]),
        "milestone": milestones.shown(world, world.get("milestones", row["milestone_id"])),
        "assignees": assignees,
        "assignee": assignees[0] if assignees else None,
        "author": users.by_id(world, row["author_id"]),
        "type": "ISSUE",
        "user_notes_count": sum(1 for _ in notes),
        "merge_requests_count": 0,
        "upvotes": 0,
        "downvotes": 0,
        "web_url": f"{world.address}/{path}/-/issues/{row['iid']}",
        "time_stats": {"time_estimate": 0, "total_time_spent": 0, "human_time_estimate": None, "human_total_time_spent": None},
        "task_completion_status": {"count": 0, "completed_count": 0},
        "blocking_issues_count": 0,
        "has_tasks": False,
        "references": {"short": f"#{row['iid']}", "relative": f"#{row['iid']}", "full": f"{path}#{row['iid']}"},
        "severity": "UNKNOWN",
        "moved_to_id": None,
        "imported": False,
        "imported_from": "none",
        "subscribed": call.user is not None and call.user["id"] in row["subscribers"],
        "_links": {"self": f"{world.address}/api/v4/projects/{row['project_id']}/issues/{row['iid']}",
                   "notes": f"{world.address}/api/v4/projects/{row['project_id']}/issues/{row['iid']}/notes",
                   "project": f"{world.address}/api/v4/projects/{row['project_id']}"},
    }  # fmt: skip


def the_issue(call: Call) -> Row:
    """Return the issue a path names.

    Raises:
        ApiError: There is none, or it is hidden from the caller.
    """
    row = call.world.one("issues", project_id=call.project["id"], iid=call.number("issue_iid"))
    if row is None:
        raise errors.no_record()
    return row


def index(call: Call) -> Reply:
    """List issues."""
    if call.project:
        rows, scope = call.world.rows("issues", project_id=call.project["id"]), "all"
    else:
        rows, scope = call.world.rows("issues"), "all" if call.group else "created_by_me"
        rows = [
            row
            for row in rows
            if access.can_see_project(call.world, call.world.the("projects", row["project_id"]), call.user)
        ]
        if call.group:
            rows = [row for row in rows if call.group in access.line_of(
                call.world, call.world.get("namespaces", call.world.the("projects", row["project_id"])["namespace_id"]))]  # fmt: skip
    chosen = [row for row in rows if wanted(call, row, scope)]
    column = "updated_at" if call.text("order_by") == "updated_at" else "created_at"
    chosen.sort(key=lambda row: (row[column], row["id"]), reverse=call.text("sort", "desc") == "desc")
    return paged(call, chosen, lambda row: shown(call, row))


def _given(call: Call) -> Row:
    fields: Row = {
        name: call.args[name] for name in ("title", "description", "due_date", "weight", "issue_type") if call.has(name)
    }
    for name in ("confidential", "discussion_locked"):
        if call.has(name):
            fields[name] = call.flag(name)
    if call.has("milestone_id"):
        fields["milestone_id"] = call.int("milestone_id") or None
    if call.has("assignee_ids") or call.has("assignee_id"):
        ids = call.ids("assignee_ids") or ([call.int("assignee_id")] if call.int("assignee_id") else [])
        fields["assignee_ids"] = people(call.world, call.project, ids)
    return fields


def create(call: Call) -> Row:
    """Open an issue."""
    world = call.world
    row = world.add("issues", {
        "project_id": call.project["id"], "iid": world.next_iid("issues", call.project["id"]), "description": None,
        "state": "opened", "labels": [], "issue_type": "issue", "confidential": False, "discussion_locked": None,
        "due_date": None, "weight": None, "closed_at": None, "closed_by_id": None, "milestone_id": None, "assignee_ids": [],
        "author_id": call.me["id"], "subscribers": [call.me["id"]], **_given(call)})  # fmt: skip
    if row["milestone_id"]:
        events.resource(world, row, call.me, "milestone", of="Issue", action="add", milestone_id=row["milestone_id"])
    if call.has("labels"):
        labels.put_on(world, call.project, row, call.listed("labels"), call.me, "Issue")
    return shown(call, row)


def update(call: Call) -> Row:
    """Change an issue."""
    row = the_issue(call)
    if access.project_role(call.world, call.project, call.user) < PLANNER and row["author_id"] != call.me["id"]:
        raise errors.forbidden()
    fields = _given(call)
    if "milestone_id" in fields and fields["milestone_id"] != row["milestone_id"]:
        key = fields["milestone_id"] or row["milestone_id"]
        action = "add" if fields["milestone_id"] else "remove"
        events.resource(call.world, row, call.me, "milestone", of="Issue", action=action, milestone_id=key)
    if "weight" in fields and fields["weight"] != row["weight"]:
        events.resource(call.world, row, call.me, "weight", of="Issue", weight=fields["weight"])
    row.update(fields)
    names = call.listed("labels") if call.has("labels") else list(row["labels"])
    names = [name for name in [*names, *call.listed("add_labels")] if name not in call.listed("remove_labels")]
    if set(names) != set(row["labels"]):
        labels.put_on(call.world, call.project, row, names, call.me, "Issue")
    row["updated_at"] = call.world.now()
    if call.text("state_event"):
        change_state(call, row, call.text("state_event"))
    return shown(call, row)


def change_state(call: Call, row: Row, event: str) -> None:
    """Close or reopen an issue."""
    to = {"close": "closed", "reopen": "opened"}[event]
    if row["state"] == to:
        return
    closed = {"closed_at": call.world.now(), "closed_by_id": call.me["id"]}
    row |= {"state": to, **(closed if to == "closed" else {"closed_at": None, "closed_by_id": None})}
    events.resource(call.world, row, call.me, "state", of="Issue", state="closed" if to == "closed" else "reopened")


def delete(call: Call) -> None:
    """Delete an issue."""
    call.world.drop("issues", the_issue(call))


ONE = "/projects/:id/issues/:issue_iid"
STATES: dict[str, Any] = {"values": {"state": ("opened", "closed", "all")}}
ROUTES = [
    route("GET /issues", index, **STATES),
    route("GET /groups/:id/issues", index, **STATES),
    route("GET /projects/:id/issues", index, **STATES),
    route("POST /projects/:id/issues", create, role=GUEST, required=("title",)),
    route(f"GET {ONE}", lambda call: shown(call, the_issue(call))),
    route(f"PUT {ONE}", update, values={"state_event": ("close", "reopen")}),
    route(f"DELETE {ONE}", delete, role=OWNER),
    route(f"GET {ONE}/closed_by", lambda call: paged(call, [])),
    route(f"GET {ONE}/related_merge_requests", lambda call: paged(call, [])),
]
