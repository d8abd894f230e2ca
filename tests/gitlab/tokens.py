"""Access tokens: personal, project, group, impersonation; bots; rotation."""

from __future__ import annotations

import secrets
from typing import Any

from tests.gitlab import auth, clock, errors, users
from tests.gitlab.call import Call, Reply
from tests.gitlab.pagination import paged
from tests.gitlab.routes import MAINTAINER, OWNER, route
from tests.gitlab.state import Row, World

DAY = 86_400
BOT_SCOPES = {"api", "read_api", "read_repository", "write_repository", "read_registry", "write_registry",
              "create_runner", "manage_runner", "ai_features", "k8s_proxy", "self_rotate"}  # fmt: skip


def shown(world: World, row: Row, *, secret: bool = False) -> Row:
    """Return a token; its secret only right after it was made."""
    expired = bool(row["expires_at"]) and row["expires_at"] <= clock.day(world.now())
    more = {}
    if row["kind"] in {"project", "group"}:
        more = {"access_level": row["access_level"], "resource_type": row["kind"], "resource_id": row["source_id"]}
    if row["kind"] == "impersonation":
        more = {"impersonation": True}
    return {
        "id": row["id"],
        "name": row["name"],
        "revoked": row["revoked"],
        "created_at": clock.iso(row["created_at"]),
        "description": row["description"],
        "scopes": row["scopes"],
        "user_id": row["user_id"],
        "last_used_at": clock.iso(row["last_used_at"]),
        "active": row["active"] and not row["revoked"] and not expired,
        "expires_at": row["expires_at"],
        **more,
        **({"token": row["token"]} if secret else {}),
    }


def _expiry(call: Call, default_days: int | None = 365) -> str | None:
    text = call.text("expires_at")
    if not text:
        return clock.day(call.world.now() + default_days * DAY) if default_days else None
    try:
        at = clock.parse(text)
    except ValueError:
        raise errors.invalid("expires_at", "is invalid") from None
    if at > call.world.now() + 366 * DAY:
        raise errors.told(400, "Expiration date must be within 365 days from now" if not call.project else
                          "Expiration date of personal access tokens must be before the limit")  # fmt: skip
    if clock.day(at) < clock.day(call.world.now()):
        raise errors.bad_request("Expiration date of personal access tokens cannot be in the past")
    return clock.day(at)


def _scopes(call: Call, allowed: set[str]) -> list[str]:
    scopes = [str(scope) for scope in call.listed("scopes")]
    if not scopes:
        raise errors.missing("scopes")
    if not set(scopes) <= allowed:
        raise errors.invalid("scopes") if allowed is BOT_SCOPES else errors.refused(
            scopes=["can only contain available scopes"])  # fmt: skip
    return scopes


def make_personal(call: Call) -> Row:
    """Make a token for any user; administrators only."""
    user = users.the_user(call)
    scopes = _scopes(call, set(auth.API_SCOPES))
    more = {"name": call.text("name"), "expires_at": _expiry(call), "description": call.args.get("description")}
    return shown(call.world, auth.new_token(call.world, user, "personal", scopes, **more), secret=True)


def make_impersonation(call: Call) -> Row:
    """Make an impersonation token; administrators only."""
    user = users.the_user(call)
    scopes = _scopes(call, set(auth.API_SCOPES))
    more = {"name": call.text("name"), "expires_at": _expiry(call)}
    return shown(call.world, auth.new_token(call.world, user, "impersonation", scopes, **more), secret=True)


def _source(call: Call) -> tuple[str, Row]:
    return ("project", call.project) if call.project else ("group", call.group)


def make_bot(call: Call) -> Row:
    """Make a project's or group's token with a bot user of its own."""
    kind, place = _source(call)
    level = call.int("access_level", 40)
    if level not in {10, 15, 20, 30, 40, 50}:
        raise errors.invalid("access_level")
    if call.token and call.token["kind"] in {"project", "group"}:
        raise errors.forbidden()
    scopes = _scopes(call, BOT_SCOPES)
    name = f"{kind}_{place['id']}_bot_{secrets.token_hex(16)}"
    bot = users.create_user(call.world, name, call.text("name"), f"{name}@noreply.localhost", bot=True)
    member = {"source": kind, "source_id": place["id"], "user_id": bot["id"], "access_level": level}
    call.world.add("members", {**member, "expires_at": None, "created_by": call.me["id"]})
    more = {"name": call.text("name"), "expires_at": _expiry(call), "access_level": level, "source_id": place["id"],
            "description": call.args.get("description")}  # fmt: skip
    return shown(call.world, auth.new_token(call.world, bot, kind, scopes, **more), secret=True)


def _of_place(call: Call) -> list[Row]:
    kind, place = _source(call)
    return call.world.rows("tokens", kind=kind, source_id=place["id"])


def _of_user(call: Call) -> list[Row]:
    return call.world.rows("tokens", kind="impersonation", user_id=users.the_user(call)["id"])


def _personal(call: Call) -> list[Row]:
    rows = [row for row in call.world.find("tokens") if row["kind"] in {"personal", "project", "group"}]
    wanted = call.int("user_id")
    if not call.admin:
        if wanted not in {None, call.me["id"]}:
            raise errors.unauthorized()
        wanted = call.me["id"]
    return [row for row in rows if wanted is None or row["user_id"] == wanted]


def _filtered(call: Call, rows: list[Row]) -> list[Row]:
    state, search = call.text("state"), call.text("search").lower()
    chosen = []
    for row in rows:
        active = shown(call.world, row)["active"]
        fits = state in {"", "all"} or (state == "active") == active
        if fits and (call.flag("revoked") is None or row["revoked"] == call.flag("revoked")):
            chosen.append(row)
    return [row for row in chosen if search in row["name"].lower()]


def _listing(rows_of: Any) -> Any:
    def run(call: Call) -> Reply:
        return paged(call, _filtered(call, rows_of(call)), lambda row: shown(call.world, row))

    return run


def _one(call: Call, rows_of: Any, what: str) -> Row:
    if rows_of is _personal and call.params["token_id"] == "self":
        if call.token is None or not call.token.get("id"):
            raise errors.unauthorized()
        return call.token
    key = call.number("token_id")
    row = next((row for row in rows_of(call) if row["id"] == key), None)
    if row is None:
        raise errors.not_found(what)
    return row


def _getting(rows_of: Any, what: str) -> Any:
    return lambda call: shown(call.world, _one(call, rows_of, what))


def _revoking(rows_of: Any, what: str) -> Any:
    def run(call: Call) -> None:
        row = _one(call, rows_of, what)
        row["revoked"], row["active"] = True, False

    return run


def _rotating(rows_of: Any, what: str) -> Any:
    def run(call: Call) -> Row:
        row = _one(call, rows_of, what)
        if not shown(call.world, row)["active"]:
            raise errors.bad_request("token already revoked")
        row["revoked"], row["active"] = True, False
        kept = ("name", "description", "access_level", "source_id")
        more = {name: row[name] for name in kept if name in row}
        more["expires_at"] = _expiry(call, 7)
        user = call.world.the("users", row["user_id"])
        return shown(call.world, auth.new_token(call.world, user, row["kind"], row["scopes"], **more), secret=True)

    return run


def _routes(base: str, rows_of: Any, make: Any, what: str, **options: Any) -> list[Any]:
    return [
        route(f"GET {base}", _listing(rows_of), **options),
        route(f"POST {base}", make, required=("name", "scopes"), **options),
        route(f"GET {base}/:token_id", _getting(rows_of, what), **options),
        route(f"DELETE {base}/:token_id", _revoking(rows_of, what), **options),
        route(f"POST {base}/:token_id/rotate", _rotating(rows_of, what), status=200, **options),
    ]


BOT = "Could not find project access token with token_id"
ROUTES = [
    *_routes("/projects/:id/access_tokens", _of_place, make_bot, BOT, role=MAINTAINER),
    *_routes("/groups/:id/access_tokens", _of_place, make_bot, BOT, role=OWNER),
    *_routes("/users/:user_id/impersonation_tokens", _of_user, make_impersonation, "Impersonation Token", admin=True),
    route("POST /users/:user_id/personal_access_tokens", make_personal, admin=True, required=("name", "scopes")),
    route("GET /personal_access_tokens", _listing(_personal)),
    route("GET /personal_access_tokens/:token_id", _getting(_personal, ""), read=("read_user",)),
    route("DELETE /personal_access_tokens/:token_id", _revoking(_personal, "")),
    route("POST /personal_access_tokens/:token_id/rotate", _rotating(_personal, ""), status=200),
]
