"""From a path's ids to the project, group, merge request it names; and may the caller see and change it."""

from __future__ import annotations

from urllib.parse import quote

from tests.gitlab import access, errors
from tests.gitlab.call import Call
from tests.gitlab.routes import Route
from tests.gitlab.state import Row, World


def project_by(world: World, key: str) -> Row | None:
    """Return the project of a number or a full path (any case), or None."""
    if key.isdigit():
        return world.get("projects", int(key))
    wanted = key.lower().removesuffix(".git")
    return next((row for row in world.find("projects") if access.project_path(world, row).lower() == wanted), None)


def group_by(world: World, key: str) -> Row | None:
    """Return the group of a number or a full path, or None."""
    if key.isdigit():
        row = world.get("namespaces", int(key))
        return row if row and row["kind"] == "group" else None
    wanted = key.lower()
    groups = world.find("namespaces", kind="group")
    return next((row for row in groups if access.full_path(world, row).lower() == wanted), None)


def moved_to(world: World, key: str) -> Row | None:
    """Return the project that once had this path, or None."""
    row = world.one("redirects", path=key.lower().removesuffix(".git"))
    return world.get("projects", row["project_id"]) if row else None


def resolve(call: Call, route: Route) -> None:
    """Find what the route is about and check the caller's right to it.

    Raises:
        ApiError: 401, 403, 404, or the 301 and 405 of a moved project.
    """
    if (
        call.user is None
        and not route.anonymous
        and (call.verb != "GET" or route.path[0] not in {"projects", "groups"})
    ):
        raise errors.unauthorized()
    if route.admin and not call.admin:
        raise errors.forbidden()
    if route.path[:2] == ("projects", ":id"):
        _project(call, route)
    elif route.path[:2] == ("groups", ":id"):
        _group(call, route)


def _project(call: Call, route: Route) -> None:
    key = call.params["id"]
    project = project_by(call.world, key)
    if project is None:
        _moved(call, key)
    if project is None or not access.can_see_project(call.world, project, call.user):
        raise errors.not_found("Project")
    call.project = project
    if project["archived"] and call.verb != "GET" and not route.archived:
        raise errors.forbidden()
    _role(call, route, access.project_role(call.world, project, call.user))
    if route.path[2:4] == ("merge_requests", ":iid"):
        call.mr = merge_request(call, call.params["iid"])


def _group(call: Call, route: Route) -> None:
    group = group_by(call.world, call.params["id"])
    if group is None or not access.can_see_group(call.world, group, call.user):
        raise errors.not_found("Group")
    call.group = group
    _role(call, route, access.group_role(call.world, group, call.user))


def _role(call: Call, route: Route, role: int) -> None:
    if role >= route.role:
        return
    if call.user is None:
        raise errors.unauthorized()
    raise errors.forbidden()


def _moved(call: Call, key: str) -> None:
    project = moved_to(call.world, key)
    if project is None or not access.can_see_project(call.world, project, call.user):
        return
    if call.verb != "GET":
        raise errors.not_allowed("Non GET methods are not allowed for moved projects")
    old = f"/projects/{quote(key, safe='')}"
    rest = call.path.removeprefix(old) if call.path.lower().startswith(old.lower()) else ""
    place = f"{call.world.address}/api/v4/projects/{project['id']}{rest}" + (f"?{call.query}" if call.query else "")
    raise errors.ApiError(301, {"message": "This resource has been moved permanently"}, {"Location": place})


def merge_request(call: Call, key: str) -> Row:
    """Return the project's merge request of that number.

    Raises:
        ApiError: There is none.
    """
    if not key.isdigit():
        raise errors.invalid("merge_request_iid", "is invalid")
    row = call.world.one("merge_requests", project_id=call.project["id"], iid=int(key))
    if row is None:
        raise errors.no_record()
    return row


def pick_user(world: World, key: int) -> Row:
    """Return a user by id.

    Raises:
        ApiError: There is none.
    """
    row = world.get("users", key)
    if row is None:
        raise errors.not_found("User")
    return row
