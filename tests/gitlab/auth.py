"""From a token to its user and what it may do."""

from __future__ import annotations

import base64
import binascii
import secrets
from collections.abc import Mapping

from tests.gitlab import clock, errors
from tests.gitlab.call import Call
from tests.gitlab.routes import Route
from tests.gitlab.state import Row, World

API_SCOPES = ("api", "read_api", "read_user", "create_runner", "manage_runner", "k8s_proxy", "self_rotate",
              "read_repository", "write_repository", "read_registry", "write_registry", "ai_features", "sudo",
              "admin_mode", "read_service_ping")  # fmt: skip
PREFIX = {"personal": "glpat-", "project": "glpat-", "group": "glpat-", "impersonation": "glpat-", "job": "glcbt-"}


def new_token(world: World, user: Row, kind: str, scopes: list[str], **more: object) -> Row:
    """Make a token; its row keeps the secret under `token`."""
    secret = more.pop("token", None) or PREFIX[kind] + secrets.token_urlsafe(15)
    row = {"user_id": user["id"], "kind": kind, "scopes": scopes, "token": secret, "revoked": False, "active": True,
           "expires_at": None, "last_used_at": None, "name": kind, "description": None}  # fmt: skip
    return world.add("tokens", {**row, **more})


def token_in(headers: Mapping[str, str], args: Mapping[str, object]) -> str | None:
    """Return the secret a request carries, or None."""
    for name in ("private-token", "job-token", "deploy-token"):
        if headers.get(name):
            return headers[name]
    scheme, _, rest = headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return rest.strip()
    if scheme.lower() == "basic":
        return None
    for name in ("private_token", "job_token", "access_token"):
        if args.get(name):
            return str(args[name])
    return None


def find(world: World, secret: str) -> Row:
    """Return the living token.

    Raises:
        ApiError: 401: unknown, revoked or expired, each in GitLab's words.
    """
    row = world.one("tokens", token=secret)
    if row is None:
        raise errors.unauthorized()
    if row["revoked"] or not row["active"]:
        why = "Token was revoked. You have to re-authorize from the user."
        raise errors.ApiError(401, {"error": "invalid_token", "error_description": why})
    if row["expires_at"] and row["expires_at"] <= clock.day(world.now()):
        why = "Token is expired. You can either do re-authorization or token refresh."
        raise errors.ApiError(401, {"error": "invalid_token", "error_description": why})
    return row


def sign_in(call: Call) -> None:
    """Set the call's user and token from its headers and arguments; leave both None for a stranger."""
    secret = token_in(call.headers, call.args)
    if secret is None:
        return
    row = find(call.world, secret)
    user = call.world.get("users", row["user_id"])
    if user is None:
        raise errors.unauthorized()
    if user["state"] != "active":
        raise errors.forbidden(f"Your account has been {user['state']}.")
    row["last_used_at"] = call.world.now()
    call.user, call.token = user, row
    _sudo(call)


def _sudo(call: Call) -> None:
    name = call.headers.get("sudo") or call.args.get("sudo")
    if not name:
        return
    if not call.admin:
        raise errors.forbidden("Must be admin to use sudo")
    row = next((one for one in call.world.find("users") if str(name) in (str(one["id"]), one["username"])), None)
    if row is None:
        raise errors.not_found(f"User with ID or username '{name}'")
    call.user = row


def check_scope(call: Call, route: Route) -> None:
    """Refuse a call whose token's scopes do not reach.

    Raises:
        ApiError: 403 insufficient_scope.
    """
    if call.token is None:
        return
    if call.token["kind"] == "job":
        if not route.job:  # Grape then does not look at the token: the caller is a stranger
            call.user = call.token = None
        return
    enough = {"api", *route.read}
    if not enough & set(call.token["scopes"]):
        why = "The request requires higher privileges than provided by the access token."
        body = {"error": "insufficient_scope", "error_description": why, "scope": " ".join(sorted(enough))}
        raise errors.ApiError(403, body)


def basic(world: World, header: str) -> tuple[Row, Row] | None:
    """Return user and token of a git request's basic authorization, or None when it is wrong.

    Any user name goes with a token; a password goes with its own user.
    """
    scheme, _, rest = header.partition(" ")
    try:
        name, _, secret = base64.b64decode(rest).decode().partition(":")
    except (binascii.Error, UnicodeDecodeError):
        return None
    if scheme.lower() == "bearer":
        secret = rest.strip()
    try:
        row = find(world, secret)
    except errors.ApiError:
        return _password(world, name, secret)
    user = world.get("users", row["user_id"])
    return (user, row) if user and user["state"] == "active" else None


def _password(world: World, name: str, secret: str) -> tuple[Row, Row] | None:
    user = world.one("users", username=name)
    if user is None or not secret or user.get("password") != secret or user["state"] != "active":
        return None
    return user, {"kind": "password", "scopes": ["api"], "user_id": user["id"], "id": 0}
