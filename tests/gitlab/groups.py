"""Groups, nested groups, namespaces; and how groups are shared."""

from __future__ import annotations

import re
from typing import Any

from tests.gitlab import access, errors, simple, subject
from tests.gitlab.call import Call, Reply
from tests.gitlab.clock import iso
from tests.gitlab.pagination import paged
from tests.gitlab.routes import DEVELOPER, OWNER, route
from tests.gitlab.state import Row, World

PATH = re.compile(r"^[A-Za-z0-9_][A-Za-z0-9_.-]*(?<![.-])$")
VISIBILITIES = ("private", "internal", "public")
PROTECTION: Row = {
    "allowed_to_push": [{"access_level": 40}],
    "allow_force_push": False,
    "allowed_to_merge": [{"access_level": 40}],
}
DEFAULTS: Row = {
    "description": "",
    "visibility": "private",
    "share_with_group_lock": False,
    "require_two_factor_authentication": False,
    "two_factor_grace_period": 48,
    "project_creation_level": "developer",
    "auto_devops_enabled": None,
    "subgroup_creation_level": "maintainer",
    "emails_disabled": False,
    "emails_enabled": True,
    "mentions_disabled": None,
    "lfs_enabled": True,
    "math_rendering_limits_enabled": True,
    "lock_math_rendering_limits_enabled": False,
    "default_branch": None,
    "default_branch_protection": 2,
    "request_access_enabled": True,
    "shared_runners_setting": "enabled",
    "prevent_sharing_groups_outside_hierarchy": False,
    "wiki_access_level": "enabled",
}


def brief(world: World, group: Row) -> Row:
    """Return a group as lists and other objects show it."""
    path = access.full_path(world, group)
    names = [space["name"] for space in reversed(access.line_of(world, group))]
    return {
        "id": group["id"],
        "web_url": f"{world.address}/groups/{path}",
        "name": group["name"],
        "path": group["path"],
        **{name: group.get(name, default) for name, default in DEFAULTS.items()},
        "default_branch_protection_defaults": PROTECTION,
        "avatar_url": None,
        "full_name": " / ".join(names),
        "full_path": path,
        "created_at": iso(group["created_at"]),
        "parent_id": group["parent_id"],
        "organization_id": 1,
        "marked_for_deletion_on": None,
        "ldap_cn": None,
        "ldap_access": None,
        "archived": False,
    }


def full(call: Call, group: Row) -> Row:
    """Return a group with its projects and shares."""
    from tests.gitlab import project_views

    world = call.world
    own = world.rows("projects", namespace_id=group["id"])
    return {
        **brief(world, group),
        "shared_with_groups": [
            share_shown(world, row) for row in world.find("shares", kind="group", source_id=group["id"])
        ],
        "runners_token": f"GR1348941{group['id']:020d}",
        "enabled_git_access_protocol": "all",
        "prevent_forking_outside_group": None,
        "membership_lock": False,
        "projects": [project_views.full(call, row) for row in own],
        "shared_projects": [],
    }


def share_shown(world: World, row: Row) -> Row:
    """Return a share."""
    group = world.the("namespaces", row["group_id"])
    return {
        "group_id": group["id"],
        "group_name": group["name"],
        "group_full_path": access.full_path(world, group),
        "group_access_level": row["group_access"],
        "expires_at": row.get("expires_at"),
        "member_role_id": None,
    }


def _wanted(call: Call, row: Row) -> bool:
    search = call.text("search").lower()
    attributes = call.args.get("custom_attributes") or {}
    tests = (
        access.can_see_group(call.world, row, call.user),
        not search or search in row["name"].lower() or search in access.full_path(call.world, row).lower(),
        row["id"] not in call.ids("skip_groups"),
        not call.flag("owned") or access.group_role(call.world, row, {**call.me, "admin": False}) >= OWNER,
        not call.flag("top_level_only") or row["parent_id"] is None,
        not call.has("min_access_level")
        or access.group_role(call.world, row, call.user) >= call.int("min_access_level"),
        not call.has("visibility") or row["visibility"] == call.text("visibility"),
        all(simple.attribute(call.world, "groups", row["id"], key) == value for key, value in attributes.items()),
    )
    return all(tests)


def _listed(call: Call, rows: list[Row]) -> Reply:
    chosen = [row for row in rows if _wanted(call, row)]
    column = call.text("order_by", "name")
    chosen.sort(key=lambda row: row["id"] if column == "id" else str(row.get(column, row["name"])).lower())
    if call.text("sort", "asc") == "desc":
        chosen.reverse()
    return paged(call, chosen, lambda row: brief(call.world, row))


def index(call: Call) -> Reply:
    """List the groups the caller sees."""
    return _listed(call, call.world.rows("namespaces", kind="group"))


def subgroups(call: Call) -> Reply:
    """List the groups right below."""
    return _listed(call, call.world.rows("namespaces", kind="group", parent_id=call.group["id"]))


def descendants(call: Call) -> Reply:
    """List all groups below."""
    return _listed(call, below(call.world, call.group)[1:])


def below(world: World, group: Row) -> list[Row]:
    """Return a group and all groups below it, by id."""
    return [row for row in world.find("namespaces", kind="group") if group in access.line_of(world, row)]


def show(call: Call) -> Row:
    """Return one group."""
    shown = full(call, call.group)
    if call.flag("with_projects", default=True) is False:
        shown.pop("projects"), shown.pop("shared_projects")
    return shown


def check_path(world: World, parent_id: int | None, path: str, itself: Row | None = None) -> None:
    """Refuse a namespace path that is malformed or taken.

    Raises:
        ApiError: 400 with GitLab's validation text.
    """
    if not PATH.match(path):
        raise errors.told(
            400,
            "Failed to save group {:path=>[\"can only include non-accented letters, digits, '_', '-' and '.'. "
            "It must not start with '-', '_', or '.', nor end with '-', '_', '.', '.git', or '.atom'.\"]}",
        )
    for row in world.find("namespaces", parent_id=parent_id):
        if row is not itself and row["path"].lower() == path.lower():
            raise errors.told(400, 'Failed to save group {:path=>["has already been taken"]}')


def create(call: Call) -> Row:
    """Make a group; its maker is its owner."""
    world, parent_id = call.world, call.int("parent_id")
    if parent_id is not None:
        parent = world.get("namespaces", parent_id)
        if parent is None or parent["kind"] != "group" or not access.can_see_group(world, parent, call.user):
            raise errors.not_found("Parent Group")
        if access.group_role(world, parent, call.user) < OWNER - 10:
            raise errors.forbidden()
    elif not (call.admin or call.me["can_create_group"]):
        raise errors.forbidden()
    check_path(world, parent_id, call.text("path"))
    given = {name: call.args[name] for name in DEFAULTS if call.has(name)}
    base = {"kind": "group", "name": call.text("name"), "path": call.text("path"), "parent_id": parent_id}
    group = world.add("namespaces", {**DEFAULTS, **given, **base, "owner_id": None})
    add_owner(world, "group", group["id"], call.me)
    return full(call, group)


def add_owner(world: World, source: str, source_id: int, user: Row) -> None:
    """Make a user the owner of what it made."""
    row = {"source": source, "source_id": source_id, "user_id": user["id"], "access_level": OWNER}
    world.add("members", {**row, "expires_at": None, "created_by": user["id"]})


def update(call: Call) -> Row:
    """Change a group."""
    group = call.group
    if call.has("path"):
        check_path(call.world, group["parent_id"], call.text("path"), group)
    _keep_old_paths(call.world, group) if call.has("path") else None
    group.update({name: call.args[name] for name in (*DEFAULTS, "name", "path") if call.has(name)})
    return full(call, group)


def _keep_old_paths(world: World, group: Row) -> None:
    for project in world.find("projects"):
        if group in access.line_of(world, world.get("namespaces", project["namespace_id"])):
            world.add("redirects", {"path": access.project_path(world, project).lower(), "project_id": project["id"]})


def delete(call: Call) -> Reply:
    """Delete a group with all below it."""
    from tests.gitlab import projects

    for group in reversed(below(call.world, call.group)):
        for project in call.world.rows("projects", namespace_id=group["id"]):
            projects.remove(call.world, project)
        call.world.drop_where("members", source="group", source_id=group["id"])
        call.world.drop("namespaces", group)
    return Reply({"message": "202 Accepted"}, 202)


def transfer(call: Call) -> Row:
    """Move a group below another, or to the top."""
    _keep_old_paths(call.world, call.group)
    target = call.int("group_id")
    if target is not None and call.world.get("namespaces", target) is None:
        raise errors.not_found("Group")
    check_path(call.world, target, call.group["path"], call.group)
    call.group["parent_id"] = target
    return full(call, call.group)


def transfer_project(call: Call) -> Row:
    """Move a project into the group."""
    from tests.gitlab import projects

    project = subject.project_by(call.world, call.params["project_id"])
    if project is None:
        raise errors.not_found("Project")
    projects.relocate(call.world, project, call.group)
    return full(call, call.group)


def share(call: Call) -> Row:
    """Give another group's members a role here."""
    kind, source = ("project", call.project) if call.project else ("group", call.group)
    other = subject.group_by(call.world, str(call.args["group_id"]))
    if other is None:
        raise errors.not_found("Group")
    if call.world.one("shares", kind=kind, source_id=source["id"], group_id=other["id"]):
        raise errors.conflict({"shared_with_group_id": ["already shared"]} if kind == "group" else "already shared")
    row = {"kind": kind, "source_id": source["id"], "group_id": other["id"]}
    level = {"group_access": call.int("group_access"), "expires_at": call.args.get("expires_at")}
    stored = call.world.add("shares", {**row, **level})
    if kind == "group":
        return full(call, call.group)
    return {"id": stored["id"], "project_id": source["id"], "group_id": other["id"], **level}


def unshare(call: Call) -> None:
    """Take a share back."""
    kind, source = ("project", call.project) if call.project else ("group", call.group)
    row = call.world.one("shares", kind=kind, source_id=source["id"], group_id=call.number("group_id"))
    if row is None:
        raise errors.not_found("Group Link" if kind == "project" else "Group")
    call.world.drop("shares", row)


def group_projects(call: Call) -> Reply:
    """List a group's projects."""
    from tests.gitlab import projects

    deep = call.flag("include_subgroups", default=False)
    spaces = {row["id"] for row in (below(call.world, call.group) if deep else [call.group])}
    return projects.listed(call, [row for row in call.world.find("projects") if row["namespace_id"] in spaces])


def namespace(world: World, space: Row) -> Row:
    """Return a namespace."""
    path = access.full_path(world, space)
    user = space["kind"] == "user"
    return {
        "id": space["id"],
        "name": space["name"],
        "path": space["path"],
        "kind": space["kind"],
        "full_path": path,
        "parent_id": space["parent_id"],
        "avatar_url": None,
        "web_url": f"{world.address}/{path}" if user else f"{world.address}/groups/{path}",
    }


def _namespace_more(call: Call, space: Row) -> Row:
    plan = "free" if not call.world.paid else call.world.tier
    extra = {"billable_members_count": 1, "plan": plan, "trial": False, "trial_ends_on": None}
    group = {"members_count_with_descendants": 1} if space["kind"] == "group" else {}
    return {**namespace(call.world, space), **extra, **group}


def _my_spaces(call: Call) -> list[Row]:
    spaces = call.world.rows("namespaces")
    if call.admin:
        return spaces
    return [row for row in spaces if row.get("owner_id") == call.me["id"] or
            (row["kind"] == "group" and access.group_role(call.world, row, call.me) >= DEVELOPER)]  # fmt: skip


def namespaces(call: Call) -> Reply:
    """List the namespaces the caller can put projects in."""
    search = call.text("search").lower()
    rows = [row for row in _my_spaces(call) if search in access.full_path(call.world, row).lower()]
    return paged(call, rows, lambda row: _namespace_more(call, row))


def space_by(world: World, key: str) -> Row | None:
    """Return a namespace by number or full path, or None."""
    if key.isdigit():
        return world.get("namespaces", int(key))
    wanted = key.lower()
    return next((row for row in world.find("namespaces") if access.full_path(world, row).lower() == wanted), None)


def show_namespace(call: Call) -> Row:
    """Return one namespace."""
    row = space_by(call.world, call.params["key"])
    if row is None:
        raise errors.not_found("Namespace")
    return _namespace_more(call, row)


def namespace_exists(call: Call) -> Row:
    """Say whether a namespace path is taken, and what else would do."""
    key = call.params["key"]
    there = any(row["path"].lower() == key.lower() for row in call.world.find("namespaces"))
    return {"exists": there, "suggests": [f"{key}1"] if there else []}


def project_groups(call: Call) -> Reply:
    """List the groups above a project."""
    space = call.world.get("namespaces", call.project["namespace_id"])
    rows = [row for row in access.line_of(call.world, space) if row["kind"] == "group"]
    names = ("id", "web_url", "name", "avatar_url", "full_name", "full_path")
    return paged(call, rows, lambda row: {name: brief(call.world, row)[name] for name in names})


VALUES: dict[str, Any] = {"visibility": VISIBILITIES}
ROUTES = [
    route("GET /groups", index, anonymous=True),
    route("POST /groups", create, required=("name", "path"), values=VALUES),
    route("GET /groups/:id", show),
    route("PUT /groups/:id", update, role=OWNER, values=VALUES),
    route("DELETE /groups/:id", delete, role=OWNER, status=202),
    route("GET /groups/:id/subgroups", subgroups),
    route("GET /groups/:id/descendant_groups", descendants),
    route("GET /groups/:id/projects", group_projects),
    route("POST /groups/:id/transfer", transfer, role=OWNER),
    route("POST /groups/:id/projects/:project_id", transfer_project, admin=True),
    route("POST /groups/:id/share", share, role=OWNER, required=("group_id", "group_access")),
    route("DELETE /groups/:id/share/:group_id", unshare, role=OWNER),
    route("POST /projects/:id/share", share, role=40, required=("group_id", "group_access")),
    route("DELETE /projects/:id/share/:group_id", unshare, role=40),
    route("GET /projects/:id/groups", project_groups),
    route("GET /namespaces", namespaces),
    route("GET /namespaces/:key", show_namespace),
    route("GET /namespaces/:key/exists", namespace_exists),
]
