"""Labels of projects and groups; and how they get on merge requests and issues."""

from __future__ import annotations

import re
from typing import Any

from tests.gitlab import access, errors, events
from tests.gitlab.call import Call, Reply
from tests.gitlab.pagination import paged
from tests.gitlab.routes import PLANNER, REPORTER, route
from tests.gitlab.state import Row, World

NAMES = {
    "red": "#ff0000",
    "blue": "#0000ff",
    "green": "#008000",
    "orange": "#ffa500",
    "purple": "#800080",
    "black": "#000000",
}


def _above(world: World, project: Row) -> list[Row]:
    return access.line_of(world, world.get("namespaces", project["namespace_id"]))


def of_project(world: World, project: Row) -> list[Row]:
    """Return a project's own and inherited labels, by name."""
    rows = world.rows("labels", source="project", source_id=project["id"])
    for space in _above(world, project):
        rows += world.rows("labels", source="group", source_id=space["id"])
    return sorted(rows, key=lambda row: row["name"].lower())


def find(world: World, project: Row, name: str) -> Row | None:
    """Return the project's label of that name, or None."""
    return next((row for row in of_project(world, project) if row["name"] == name), None)


def details(world: World, project: Row, names: list[str]) -> list[Row]:
    """Return labels whole, for lists that ask for details."""
    rows = [find(world, project, name) for name in names]
    parts = ("id", "name", "color", "description")
    return [{**{part: row[part] for part in parts}, "description_html": row["description"] or "",
             "text_color": text_color(row["color"]), "archived": False} for row in rows if row]  # fmt: skip


def put_on(world: World, project: Row, subject: Row, names: list[str], user: Row, of: str = "MergeRequest") -> None:
    """Set the labels of a merge request or issue; unknown ones are made, scoped ones exclude each other."""
    wanted = _without_twins([str(name) for name in dict.fromkeys(names)])
    for name in wanted:
        if find(world, project, name) is None:
            add(world, "project", project["id"], name, "#6699cc")
    before = subject["labels"]
    for action, changed in (("add", set(wanted) - set(before)), ("remove", set(before) - set(wanted))):
        for name in sorted(changed):
            events.resource(world, subject, user, "label", of=of, action=action, label=name)
    subject["labels"] = sorted(wanted, key=str.lower)
    subject["updated_at"] = world.now()


def _without_twins(names: list[str]) -> list[str]:
    """Keep the last of the labels with one scope (`a::b`)."""
    scope = {name.rpartition("::")[0]: name for name in names if "::" in name}
    return [name for name in names if "::" not in name or scope[name.rpartition("::")[0]] == name]


def add(world: World, source: str, source_id: int, name: str, color: str, **more: Any) -> Row:
    """Store a label."""
    row = {
        "source": source,
        "source_id": source_id,
        "name": name,
        "color": color,
        "description": None,
        "priority": None,
    }
    return world.add(
        "labels", {**row, "project_id": source_id if source == "project" else None, "subscribers": [], **more}
    )


def text_color(color: str) -> str:
    """Return white or dark, whichever is readable."""
    red, green, blue = (int(color[start : start + 2], 16) for start in (1, 3, 5))
    return "#1F1E24" if red * 299 + green * 587 + blue * 114 > 140_000 else "#FFFFFF"


def shown(call: Call, row: Row) -> Row:
    """Return a label."""
    world = call.world
    mrs = [mr for mr in world.find("merge_requests") if row["name"] in mr["labels"] and _covers(world, row, mr)]
    issues = [one for one in world.find("issues") if row["name"] in one["labels"] and _covers(world, row, one)]
    counts = {
        "open_issues_count": sum(one["state"] == "opened" for one in issues),
        "closed_issues_count": sum(one["state"] == "closed" for one in issues),
        "open_merge_requests_count": sum(mr["state"] == "opened" for mr in mrs),
    }
    return {
        "id": row["id"],
        "name": row["name"],
        "text_color": text_color(row["color"]),
        "description": row["description"],
        "description_html": row["description"] or "",
        "archived": False,
        "color": row["color"],
        **(counts if call.flag("with_counts", default=False) else {}),
        "subscribed": call.user is not None and call.user["id"] in row["subscribers"],
        "priority": row["priority"],
        "is_project_label": row["source"] == "project",
    }


def _covers(world: World, row: Row, subject: Row) -> bool:
    project = world.the("projects", subject["project_id"])
    if row["source"] == "project":
        return bool(row["source_id"] == project["id"])
    return row["source_id"] in {space["id"] for space in _above(world, project)}


def _rows(call: Call) -> list[Row]:
    if call.project:
        rows = of_project(call.world, call.project)
        if call.flag("include_ancestor_groups") is False:
            rows = [row for row in rows if row["source"] == "project"]
        return rows
    rows = []
    for space in access.line_of(call.world, call.group):
        rows += call.world.rows("labels", source="group", source_id=space["id"])
    return sorted(rows, key=lambda row: row["name"].lower())


def index(call: Call) -> Reply:
    """List labels by name."""
    search = call.text("search").lower()
    rows = [
        row for row in _rows(call) if search in row["name"].lower() or search in str(row["description"] or "").lower()
    ]
    return paged(call, rows, lambda row: shown(call, row))


def _one(call: Call) -> Row:
    key = call.params.get("name") or call.text("name") or call.text("label_id")
    for row in _rows(call):
        if row["name"] == key or str(row["id"]) == key:
            return row
    raise errors.not_found("Label")


def _color(call: Call) -> str:
    color = NAMES.get(call.text("color").lower(), call.text("color"))
    if re.fullmatch(r"#[0-9a-fA-F]{3}", color):
        color = "#" + "".join(digit * 2 for digit in color[1:])
    if not re.fullmatch(r"#[0-9a-fA-F]{6}", color):
        raise errors.refused(color=["must be a valid color code"])
    return color


def create(call: Call) -> Row:
    """Make a label."""
    source, place = ("project", call.project) if call.project else ("group", call.group)
    name = call.text("name")
    if any(
        row["name"].lower() == name.lower() for row in call.world.find("labels", source=source, source_id=place["id"])
    ):
        raise errors.conflict("Label already exists")
    if "," in name:
        raise errors.refused(title=["is invalid"])
    more = {"description": call.args.get("description"), "priority": call.int("priority")}
    return shown(call, add(call.world, source, place["id"], name, _color(call), **more))


def update(call: Call) -> Row:
    """Change a label; its new name goes to all that have it."""
    row = _one(call)
    names = ("new_name", "color", "description", "priority")
    if not any(call.has(name) for name in names):
        raise errors.ApiError(
            400, {"error": f"{', '.join(names)} are missing, at least one parameter must be provided"}
        )
    if call.has("color"):
        row["color"] = _color(call)
    for name in ("description", "priority"):
        if call.has(name):
            row[name] = call.args[name]
    if call.text("new_name"):
        _rename(call.world, row, call.text("new_name"))
    row["updated_at"] = call.world.now()
    return shown(call, row)


def _rename(world: World, row: Row, name: str) -> None:
    for table in ("merge_requests", "issues"):
        for subject in world.find(table):
            if row["name"] in subject["labels"] and _covers(world, row, subject):
                subject["labels"] = [name if one == row["name"] else one for one in subject["labels"]]
    row["name"] = name


def delete(call: Call) -> None:
    """Delete a label and take it from all that have it."""
    row = _one(call)
    for table in ("merge_requests", "issues"):
        for subject in call.world.find(table):
            if row["name"] in subject["labels"] and _covers(call.world, row, subject):
                subject["labels"].remove(row["name"])
    call.world.drop("labels", row)


def _subscribe(*, to: bool) -> Any:
    def run(call: Call) -> Any:
        row = _one(call)
        if (call.me["id"] in row["subscribers"]) == to:
            return Reply(status=304)
        (row["subscribers"].append if to else row["subscribers"].remove)(call.me["id"])
        return shown(call, row)

    return run


def promote(call: Call) -> Row:
    """Make a project's label its group's."""
    row = _one(call)
    space = call.world.the("namespaces", call.project["namespace_id"])
    if space["kind"] != "group":
        raise errors.bad_request("Failed to promote project label to group label")
    row |= {"source": "group", "source_id": space["id"], "project_id": None}
    return shown(call, row)


def _routes(kind: str, write: int) -> list[Any]:
    base = f"/{kind}/:id/labels"
    return [
        route(f"GET {base}", index),
        route(f"POST {base}", create, role=write, required=("name", "color")),
        route(f"PUT {base}", update, role=write),
        route(f"DELETE {base}", delete, role=write),
        route(f"GET {base}/:name", lambda call: shown(call, _one(call))),
        route(f"PUT {base}/:name", update, role=write),
        route(f"DELETE {base}/:name", delete, role=write),
        route(f"POST {base}/:name/subscribe", _subscribe(to=True)),
        route(f"POST {base}/:name/unsubscribe", _subscribe(to=False)),
    ]


ROUTES = [
    *_routes("projects", PLANNER),
    *_routes("groups", REPORTER),
    route("PUT /projects/:id/labels/:name/promote", promote, role=REPORTER),
]
