"""Members of projects and groups, direct and inherited."""

from __future__ import annotations

from typing import Any

from tests.gitlab import access, clock, errors, users
from tests.gitlab.call import Call, Reply
from tests.gitlab.pagination import paged
from tests.gitlab.routes import MAINTAINER, OWNER, route
from tests.gitlab.state import Row, World

LEVELS = {5, 10, 15, 20, 30, 40, 50}


def shown(world: World, row: Row) -> Row:
    """Return a membership."""
    user = world.the("users", row["user_id"])
    return {
        **(users.brief(world, user) or {}),
        "access_level": row["access_level"],
        "created_at": clock.iso(row["created_at"]),
        "created_by": users.by_id(world, row.get("created_by")),
        "expires_at": clock.day(row["expires_at"]) if row.get("expires_at") else None,
        "membership_state": "active",
        "member_role": None,
    }


def _source(call: Call) -> tuple[str, Row]:
    return ("project", call.project) if call.project else ("group", call.group)


def _direct(call: Call) -> list[Row]:
    source, row = _source(call)
    rows = call.world.rows("members", source=source, source_id=row["id"])
    return [one for one in rows if access.direct(call.world, source, row["id"], one["user_id"])]


def _all(call: Call) -> list[Row]:
    """Return direct and inherited memberships, the highest for each user."""
    source, row = _source(call)
    best = {one["user_id"]: one for one in _direct(call)}
    space = call.world.get("namespaces", row["namespace_id"]) if source == "project" else row
    for above in access.line_of(call.world, space):
        for one in call.world.find("members", source="group", source_id=above["id"]):
            kept = best.get(one["user_id"])
            if kept is None or kept["access_level"] < one["access_level"]:
                best[one["user_id"]] = one
    return [best[key] for key in sorted(best)]


def _listing(rows_of: Any) -> Any:
    def run(call: Call) -> Reply:
        query, wanted = call.text("query").lower(), call.ids("user_ids")
        rows = []
        for row in rows_of(call):
            user = call.world.the("users", row["user_id"])
            named = not query or any(query in user[name].lower() for name in ("name", "username", "email"))
            if named and (not wanted or user["id"] in wanted):
                rows.append(row)
        return paged(call, rows, lambda row: shown(call.world, row))

    return run


def _getting(rows_of: Any) -> Any:
    def run(call: Call) -> Row:
        key = call.number("user_id")
        found = next((row for row in rows_of(call) if row["user_id"] == key), None)
        if found is None:
            raise errors.no_record()
        return shown(call.world, found)

    return run


def _level(call: Call) -> int:
    level = call.int("access_level")
    if level not in LEVELS:
        raise errors.told(400, {"access_level": ["is not included in the list"]})
    return int(level)


def _may_give(call: Call, level: int) -> None:
    source, row = _source(call)
    role = access.project_role if source == "project" else access.group_role
    if level > role(call.world, row, call.user):
        raise errors.forbidden()


def create(call: Call) -> Any:
    """Add a member, by user id (several with commas) or username."""
    _may_give(call, _level(call))
    keys = call.listed("user_id")
    if not keys and call.has("username"):
        keys = [row["id"] for row in call.world.find("users") if row["username"] in call.listed("username")]
        if not keys:
            raise errors.not_found("User")
    if not keys:
        raise errors.ApiError(400, {"error": "user_id, username are missing, exactly one parameter must be provided"})
    made = [_add(call, int(key)) for key in keys]
    return made[0] if len(made) == 1 else {"status": "success"}


def _add(call: Call, user_id: int) -> Row:
    source, row = _source(call)
    if call.world.get("users", user_id) is None:
        raise errors.not_found("User")
    if access.direct(call.world, source, row["id"], user_id):
        raise errors.conflict("Member already exists")
    expires = clock.parse(call.text("expires_at")) if call.text("expires_at") else None
    values = {"source": source, "source_id": row["id"], "user_id": user_id, "access_level": _level(call)}
    return shown(call.world, call.world.add("members", {**values, "expires_at": expires, "created_by": call.me["id"]}))


def _theirs(call: Call) -> Row:
    source, row = _source(call)
    found = call.world.one("members", source=source, source_id=row["id"], user_id=call.number("user_id"))
    if found is None:
        raise errors.no_record()
    return found


def update(call: Call) -> Row:
    """Change a member's role or its end."""
    row = _theirs(call)
    _may_give(call, max(_level(call), row["access_level"]))
    row["access_level"] = _level(call)
    if call.has("expires_at"):
        row["expires_at"] = clock.parse(call.text("expires_at")) if call.text("expires_at") else None
    return shown(call.world, row)


def delete(call: Call) -> None:
    """Remove a member; anyone may leave."""
    row = _theirs(call)
    source, place = _source(call)
    owners = [one for one in _direct(call) if one["access_level"] == OWNER]
    if source == "group" and owners == [row] and place["parent_id"] is None and not call.admin:
        raise errors.forbidden()
    if row["user_id"] != call.me["id"]:
        role = access.project_role if source == "project" else access.group_role
        needed = MAINTAINER if source == "project" else OWNER
        if role(call.world, place, call.user) < max(needed, row["access_level"]):
            raise errors.forbidden()
    call.world.drop("members", row)


def _routes(kind: str, write: int) -> list[Any]:
    base = f"/{kind}/:id/members"
    return [
        route(f"GET {base}", _listing(_direct)),
        route(f"POST {base}", create, role=write, required=("access_level",)),
        route(f"GET {base}/all", _listing(_all)),
        route(f"GET {base}/all/:user_id", _getting(_all)),
        route(f"GET {base}/:user_id", _getting(_direct)),
        route(f"PUT {base}/:user_id", update, role=write, required=("access_level",)),
        route(f"DELETE {base}/:user_id", delete),
    ]


ROUTES = [*_routes("projects", MAINTAINER), *_routes("groups", OWNER)]
