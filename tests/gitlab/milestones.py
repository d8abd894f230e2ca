"""Milestones of projects and groups."""

from __future__ import annotations

from typing import Any

from tests.gitlab import access, errors
from tests.gitlab.call import Call, Reply
from tests.gitlab.clock import day, iso, parse
from tests.gitlab.pagination import paged
from tests.gitlab.routes import PLANNER, REPORTER, route
from tests.gitlab.state import Row, World


def shown(world: World, row: Row | None) -> Row | None:
    """Return a milestone, or None."""
    if row is None:
        return None
    project = row["source"] == "project"
    if project:
        place = access.project_path(world, world.the("projects", row["source_id"]))
    else:
        place = "groups/" + access.full_path(world, world.the("namespaces", row["source_id"]))
    past = bool(row["due_date"]) and row["due_date"] < day(world.now())
    return {
        "id": row["id"],
        "iid": row["iid"],
        **({"project_id": row["source_id"]} if project else {"group_id": row["source_id"]}),
        "title": row["title"],
        "description": row["description"],
        "state": row["state"],
        "created_at": iso(row["created_at"]),
        "updated_at": iso(row["updated_at"]),
        "due_date": row["due_date"],
        "start_date": row["start_date"],
        "expired": past,
        "web_url": f"{world.address}/{place}/-/milestones/{row['iid']}",
    }


def _source(call: Call) -> Row:
    if call.project:
        return {"source": "project", "source_id": call.project["id"]}
    return {"source": "group", "source_id": call.group["id"]}


def index(call: Call) -> Reply:
    """List milestones, newest first."""
    rows = list(reversed(call.world.rows("milestones", **_source(call))))
    state = {"active": "active", "closed": "closed"}.get(call.text("state"))
    search = call.text("search").lower()
    rows = [row for row in rows if (not state or row["state"] == state) and search in row["title"].lower()
            and (not call.text("title") or row["title"] == call.text("title"))
            and (not call.has("iids") or row["iid"] in call.ids("iids"))]  # fmt: skip
    return paged(call, rows, lambda row: shown(call.world, row))


def _date(call: Call, name: str) -> str | None:
    text = call.text(name)
    return day(parse(text)) if text else None


def _check_title(call: Call, itself: Row | None) -> None:
    for row in call.world.find("milestones", **_source(call)):
        if row is not itself and row["title"] == call.text("title"):
            raise errors.refused(title=["already being used for another group or project milestone."])


def create(call: Call) -> Any:
    """Make a milestone."""
    _check_title(call, None)
    where = _source(call)
    dates = {name: _date(call, name) for name in ("due_date", "start_date")}
    base = {"iid": call.world.next_iid("milestones/" + where["source"], where["source_id"]), "title": call.text("title"),
            "description": call.text("description"), "state": "active"}  # fmt: skip
    owner = {"project_id": where["source_id"] if where["source"] == "project" else None}
    return shown(call.world, call.world.add("milestones", {**where, **base, **dates, **owner}))


def _one(call: Call) -> Row:
    row = call.world.get("milestones", call.number("milestone_id"))
    if row is None or any(row[name] != value for name, value in _source(call).items()):
        raise errors.no_record()
    return row


def update(call: Call) -> Any:
    """Change a milestone."""
    row = _one(call)
    if call.has("title"):
        _check_title(call, row)
    for name in ("title", "description"):
        if call.has(name):
            row[name] = call.text(name)
    for name in ("due_date", "start_date"):
        if call.has(name):
            row[name] = _date(call, name)
    row["state"] = {"close": "closed", "activate": "active"}.get(call.text("state_event"), row["state"])
    row["updated_at"] = call.world.now()
    return shown(call.world, row)


def delete(call: Call) -> None:
    """Delete a milestone and take it from all that have it."""
    row = _one(call)
    for table in ("merge_requests", "issues"):
        for subject in call.world.find(table, milestone_id=row["id"]):
            subject["milestone_id"] = None
    call.world.drop("milestones", row)


def merge_requests(call: Call) -> Reply:
    """List a milestone's merge requests."""
    from tests.gitlab.merge_requests import listed_one

    return paged(
        call, call.world.rows("merge_requests", milestone_id=_one(call)["id"]), lambda row: listed_one(call, row)
    )


def issues(call: Call) -> Reply:
    """List a milestone's issues."""
    from tests.gitlab.issues import shown as issue

    return paged(call, call.world.rows("issues", milestone_id=_one(call)["id"]), lambda row: issue(call, row))


def promote(call: Call) -> Any:
    """Make a project's milestone its group's."""
    row, space = _one(call), call.world.the("namespaces", call.project["namespace_id"])
    if space["kind"] != "group":
        raise errors.bad_request("Project does not belong to a group")
    iid = call.world.next_iid("milestones/group", space["id"])
    row |= {"source": "group", "source_id": space["id"], "project_id": None, "iid": iid}
    return shown(call.world, row)


def _routes(kind: str, write: int) -> list[Any]:
    base = f"/{kind}/:id/milestones"
    one = f"{base}/:milestone_id"
    values = {"state_event": ("close", "activate")}
    return [
        route(f"GET {base}", index, values={"state": ("active", "closed", "all")}),
        route(f"POST {base}", create, role=write, required=("title",)),
        route(f"GET {one}", lambda call: shown(call.world, _one(call))),
        route(f"PUT {one}", update, role=write, values=values),
        route(f"DELETE {one}", delete, role=write),
        route(f"GET {one}/merge_requests", merge_requests),
        route(f"GET {one}/issues", issues),
    ]


ROUTES = [
    *_routes("projects", PLANNER),
    *_routes("groups", REPORTER),
    route("POST /projects/:id/milestones/:milestone_id/promote", promote, role=REPORTER, status=200),
]
