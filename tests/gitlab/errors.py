"""Errors in GitLab's own words: `message` from its helpers, `error` from Grape's parameter checks."""

from __future__ import annotations

from typing import Any


class ApiError(Exception):
    """An answer that ends a call early."""

    def __init__(self, status: int, body: Any, headers: dict[str, str] | None = None) -> None:
        super().__init__(f"{status} {body}")
        self.status, self.body, self.headers = status, body, headers or {}


def told(status: int, message: Any) -> ApiError:
    """Return an error whose body is `{"message": message}`."""
    return ApiError(status, {"message": message})


def not_found(what: str = "") -> ApiError:
    """Return GitLab's 404, with the resource's name when it has one."""
    return told(404, " ".join(part for part in ("404", what, "Not Found") if part))


def no_record() -> ApiError:
    """Return the 404 of a record lookup; its `found` is in small letters."""
    return told(404, "404 Not found")


def no_route() -> ApiError:
    """Return the 404 of a path the API does not have."""
    return ApiError(404, {"error": "404 Not Found"})


def unauthorized() -> ApiError:
    """Return the 401 of a missing or wrong token."""
    return told(401, "401 Unauthorized")


def forbidden(reason: str = "") -> ApiError:
    """Return the 403 of a caller without the right."""
    return told(403, f"403 Forbidden - {reason}" if reason else "403 Forbidden")


def bad_request(reason: str = "") -> ApiError:
    """Return the 400 of a request that is understood and wrong."""
    return told(400, f"400 Bad request - {reason}" if reason else "400 Bad request")


def missing(*names: str) -> ApiError:
    """Return Grape's 400 for absent parameters."""
    return ApiError(400, {"error": ", ".join(f"{name} is missing" for name in names)})


def invalid(name: str, why: str = "does not have a valid value") -> ApiError:
    """Return Grape's 400 for a parameter with a wrong value."""
    return ApiError(400, {"error": f"{name} {why}"})


def refused(**fields: list[str]) -> ApiError:
    """Return the 400 of a failed model validation: field to its messages."""
    return told(400, fields)


def conflict(message: Any = "409 Conflict") -> ApiError:
    """Return a 409."""
    return told(409, message)


def unprocessable(message: Any = "422 Unprocessable Entity") -> ApiError:
    """Return a 422."""
    return told(422, message)


def not_allowed(message: str = "405 Method Not Allowed") -> ApiError:
    """Return a 405."""
    return told(405, message)
