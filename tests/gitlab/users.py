"""Users, the current user, and their small belongings."""

from __future__ import annotations

from typing import Any

from tests.gitlab import access, auth, clock, errors, simple
from tests.gitlab.call import Call, Reply
from tests.gitlab.pagination import paged
from tests.gitlab.routes import route
from tests.gitlab.state import Row, World

PLAIN = ("bio", "location", "public_email", "linkedin", "twitter", "discord", "website_url", "github", "job_title",
         "pronouns", "organization", "skype")  # fmt: skip
SETTABLE = (*PLAIN, "name", "username", "note", "external", "can_create_group", "projects_limit", "private_profile")
GONE = {"blocked", "banned", "ldap_blocked"}


def create_user(world: World, username: str, name: str, email: str, **more: Any) -> Row:
    """Make a user with a namespace of its own and return it."""
    row = {"username": username, "name": name, "email": email, "admin": False, "state": "active", "bot": False,
           "external": False, "note": None, "can_create_group": True, "projects_limit": 100_000, "password": None,
           "private_profile": False, "identities": [], "avatar": None, "followers": []}  # fmt: skip
    user = world.add("users", {**row, **dict.fromkeys(PLAIN, ""), **more})
    space = {"kind": "user", "path": username, "name": name, "parent_id": None, "owner_id": user["id"]}
    user["namespace_id"] = world.add("namespaces", {**space, "visibility": "public", "description": ""})["id"]
    return user


def brief(world: World, user: Row | None) -> Row | None:
    """Return a user as other objects show it."""
    if user is None:
        return None
    return {
        "id": user["id"],
        "username": user["username"],
        "public_email": user.get("public_email") or None,
        "name": user["name"],
        "state": user["state"],
        "locked": False,
        "avatar_url": user["avatar"] and world.address + user["avatar"],
        "web_url": f"{world.address}/{user['username']}",
    }


def by_id(world: World, user_id: int | None) -> Row | None:
    """Return the brief of a user by id."""
    return brief(world, world.get("users", user_id))


def public(world: World, user: Row) -> Row:
    """Return a user as anyone sees it."""
    shown = {name: user.get(name) or "" for name in PLAIN}
    return {
        **(brief(world, user) or {}),
        **shown,
        "created_at": clock.iso(user["created_at"]),
        "bot": user["bot"],
        "work_information": None,
        "followers": len(user["followers"]),
        "following": sum(user["id"] in other["followers"] for other in world.find("users")),
        "local_time": None,
        "is_followed": False,
    }


def private(world: World, user: Row) -> Row:
    """Return a user as the user itself and administrators see it."""
    stamp = clock.iso(user["created_at"])
    return {
        **public(world, user),
        "last_sign_in_at": stamp,
        "confirmed_at": stamp,
        "last_activity_on": clock.day(world.now()),
        "email": user["email"],
        "theme_id": 3,
        "color_scheme_id": 1,
        "projects_limit": user["projects_limit"],
        "current_sign_in_at": stamp,
        "identities": user["identities"],
        "can_create_group": user["can_create_group"],
        "can_create_project": True,
        "two_factor_enabled": False,
        "external": user["external"],
        "private_profile": user["private_profile"],
        "commit_email": user["email"],
        "preferred_language": "en",
        "shared_runners_minutes_limit": None,
        "extra_shared_runners_minutes_limit": None,
    }


def for_admin(world: World, user: Row) -> Row:
    """Return a user as administrators see it."""
    more = {"is_admin": user["admin"], "note": user["note"], "namespace_id": user["namespace_id"], "created_by": None}
    return {**private(world, user), **more, "using_license_seat": False, "email_reset_offered_at": None}


def me(call: Call) -> Row:
    """Return the caller."""
    shown = for_admin(call.world, call.me) if call.admin else private(call.world, call.me)
    return shown | ({"is_admin": True} if call.admin else {})


def _drawn(call: Call) -> Any:
    if call.admin:
        return lambda row: for_admin(call.world, row)
    return lambda row: brief(call.world, row)


def index(call: Call) -> Reply:
    """List users."""
    if call.user is None and not call.has("username"):
        raise errors.forbidden("Not authorized to access /api/v4/users")
    rows = [row for row in call.world.find("users") if _wanted(call, row)]
    column = call.text("order_by", "id")
    rows.sort(key=lambda row: (str(row.get(column, "")), row["id"]) if column != "id" else (row["id"],))
    if call.text("sort", "desc") == "desc":
        rows.reverse()
    return paged(call, rows, _drawn(call))


def _wanted(call: Call, row: Row) -> bool:
    search = call.text("search").lower()
    attributes = call.args.get("custom_attributes") or {}
    blocked, active = call.flag("blocked"), call.flag("active")
    tests = (
        not call.has("username") or row["username"].lower() == call.text("username").lower(),
        not search or any(search in str(row[name]).lower() for name in ("username", "name", "email")),
        blocked is None or (row["state"] in GONE) == blocked,
        not active or row["state"] == "active",
        not call.flag("external") or row["external"],
        not call.flag("admins") or row["admin"],
        not call.flag("humans") or not row["bot"],
        not call.flag("exclude_internal") or not row["bot"],
        not call.has("without_project_bots") or not (call.flag("without_project_bots") and row["bot"]),
        not call.has("created_after") or row["created_at"] > clock.parse(call.text("created_after")),
        all(simple.attribute(call.world, "users", row["id"], key) == value for key, value in attributes.items()),
    )
    return all(tests)


def the_user(call: Call, name: str = "user_id") -> Row:
    """Return the user a path names by number.

    Raises:
        ApiError: There is none.
    """
    row = call.world.get("users", call.number(name))
    if row is None:
        raise errors.not_found("User")
    return row


def show(call: Call) -> Row:
    """Return one user."""
    user = the_user(call)
    return for_admin(call.world, user) if call.admin else public(call.world, user)


def _taken(call: Call, user: Row | None) -> None:
    for name, shown in (("email", "Email"), ("username", "Username")):
        value = call.text(name).lower()
        others = (row for row in call.world.find("users") if row is not user)
        if value and any(row[name].lower() == value for row in others):
            raise errors.conflict(f"{shown} has already been taken")
    path = call.text("username").lower()
    if path and (user is None or user["username"].lower() != path):
        spaces = call.world.find("namespaces", parent_id=None)
        if any(row["path"].lower() == path for row in spaces):
            raise errors.conflict("Username has already been taken")


def create(call: Call) -> Row:
    """Make a user; administrators only."""
    with_password = call.text("password") or call.flag("reset_password") or call.flag("force_random_password")
    if not with_password:
        needed = "password, reset_password, force_random_password"
        raise errors.ApiError(400, {"error": f"{needed} are missing, at least one parameter must be provided"})
    _taken(call, None)
    if "@" not in call.text("email"):
        raise errors.refused(email=["is invalid"])
    if 0 < len(call.text("password")) < 8:
        raise errors.refused(password=["is too short (minimum is 8 characters)"])
    user = create_user(call.world, call.text("username"), call.text("name"), call.text("email"))
    user["password"] = call.text("password") or None
    user["admin"] = bool(call.flag("admin", default=False))
    _assign(call, user)
    return for_admin(call.world, user)


def _assign(call: Call, user: Row) -> None:
    for name in SETTABLE:
        if call.has(name):
            bools = {"external", "can_create_group", "private_profile"}
            user[name] = call.flag(name) if name in bools else call.args[name]
    if call.has("provider"):
        kept = [row for row in user["identities"] if row["provider"] != call.text("provider")]
        one = {"provider": call.text("provider"), "extern_uid": call.text("extern_uid"), "saml_provider_id": None}
        user["identities"] = [*kept, one]
    if "avatar" in call.files:
        name, content = call.files["avatar"]
        user["avatar"] = f"/uploads/-/system/user/avatar/{user['id']}/{name or 'avatar.png'}"
        call.world.add("uploads", {"url": user["avatar"], "content": content.hex()})


def update(call: Call) -> Row:
    """Change a user; administrators only."""
    user = the_user(call)
    _taken(call, user)
    _assign(call, user)
    for name in ("email", "password"):
        user[name] = call.args.get(name) or user[name]
    if call.has("admin"):
        user["admin"] = call.flag("admin")
    call.world.the("namespaces", user["namespace_id"])["path"] = user["username"]
    return for_admin(call.world, user)


def delete(call: Call) -> None:
    """Delete a user with all memberships and tokens."""
    user = the_user(call)
    for table in ("members", "tokens", "approvals"):
        call.world.drop_where(table, user_id=user["id"])
    call.world.drop("namespaces", call.world.the("namespaces", user["namespace_id"]))
    call.world.drop("users", user)


def _state(to: str, allowed: tuple[str, ...], refusal: Any) -> Any:
    def change(call: Call) -> Any:
        user = the_user(call)
        if user["state"] not in allowed:
            return refusal(user)
        user["state"] = to
        return True

    return change


def _no(status: int, message: str) -> Any:
    def refuse(_: Row) -> Any:
        raise errors.told(status, message)

    return refuse


def _unblock_refused(user: Row) -> Any:
    if user["state"] == "active":
        return Reply(body=False, status=201)
    raise errors.forbidden("LDAP blocked users cannot be unblocked by the API")


def _follow(call: Call) -> Any:
    user = the_user(call)
    if call.me["id"] in user["followers"]:
        return Reply(status=304)
    user["followers"].append(call.me["id"])
    return brief(call.world, user)


def _unfollow(call: Call) -> Any:
    user = the_user(call)
    if call.me["id"] not in user["followers"]:
        return Reply(status=304)
    user["followers"].remove(call.me["id"])
    return brief(call.world, user)


def memberships(call: Call) -> Reply:
    """List a user's direct memberships; administrators only."""
    user = the_user(call)
    wanted = {"Project": ["project"], "Namespace": ["group"]}.get(call.text("type"), ["project", "group"])
    rows = [row for row in call.world.rows("members", user_id=user["id"]) if row["source"] in wanted]
    return paged(call, rows, lambda row: _membership(call.world, row))


def _membership(world: World, row: Row) -> Row:
    table, kind = ("projects", "Project") if row["source"] == "project" else ("namespaces", "Namespace")
    source = world.the(table, row["source_id"])
    return {"source_id": row["source_id"], "source_name": source["name"], "source_type": kind,
            "access_level": row["access_level"]}  # fmt: skip


def delete_identity(call: Call) -> None:
    """Take an identity from a user."""
    user = the_user(call)
    user["identities"] = [row for row in user["identities"] if row["provider"] != call.params["provider"]]


def status(call: Call) -> Row:
    """Return a user's status."""
    user = call.me if "user_id" not in call.params else the_user(call)
    return {"emoji": "speech_balloon", "message": "", "availability": "not_set", "message_html": "",
            "clear_status_at": None, **user.get("status", {})}  # fmt: skip


def set_status(call: Call) -> Row:
    """Set the caller's status."""
    names = ("emoji", "message", "availability")
    call.me["status"] = {name: call.text(name) for name in names if call.has(name)}
    return status(call)


def associations(call: Call) -> Row:
    """Count what a user has."""
    user = the_user(call)
    count = sum(1 for _ in call.world.find("members", user_id=user["id"], source="group"))
    return {"groups_count": count, "projects_count": sum(1 for _ in call.world.find("projects", creator_id=user["id"])),
            "issues_count": 0, "merge_requests_count": 0}  # fmt: skip


def visible(world: World, user: Row, row: Row) -> bool:
    """Return whether `user` may see the project `row`."""
    return access.can_see_project(world, row, user)


ADMIN_ACTIONS = {
    "block": _state("blocked", ("active", "deactivated"), lambda _: Reply(body=None, status=201)),
    "unblock": _state("active", ("blocked",), _unblock_refused),
    "ban": _state("banned", ("active",), _no(403, "You cannot ban this user.")),
    "unban": _state("active", ("banned",), _no(403, "You cannot unban this user.")),
    "activate": _state(
        "active", ("deactivated", "active"), _no(403, "403 Forbidden - A blocked user must be unblocked")
    ),
    "deactivate": _state("deactivated", ("active", "deactivated"), _no(403, "403 Forbidden - A blocked user")),
    "approve": _state(
        "active", ("blocked_pending_approval",), _no(409, "The user you are trying to approve is not pending approval")
    ),
    "reject": _state("rejected", ("blocked_pending_approval",), _no(409, "User does not have a pending request")),
}

ROUTES = [
    route("GET /user", me, read=("read_user",)),
    route("GET /users", index, read=("read_user",), anonymous=True),
    route("POST /users", create, admin=True, required=("email", "name", "username")),
    route("GET /users/:user_id", show, read=("read_user",), anonymous=True),
    route("PUT /users/:user_id", update, admin=True),
    route("DELETE /users/:user_id", delete, admin=True),
    *(route(f"POST /users/:user_id/{verb}", run, admin=True) for verb, run in ADMIN_ACTIONS.items()),
    route("POST /users/:user_id/follow", _follow),
    route("POST /users/:user_id/unfollow", _unfollow),
    route("GET /users/:user_id/memberships", memberships, admin=True, values={"type": ("Project", "Namespace")}),
    route("GET /users/:user_id/associations_count", associations),
    route("DELETE /users/:user_id/identities/:provider", delete_identity, admin=True),
    route("GET /user/status", status, read=("read_user",)),
    route("PUT /user/status", set_status),
    route("GET /users/:user_id/status", status, anonymous=True),
]
SCOPES = auth.API_SCOPES
