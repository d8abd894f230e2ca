"""Errors as RFC 9457 problems: one table, looked up along the class order."""

from __future__ import annotations

import re
from http import HTTPStatus

from brain.errors import BrainError, ConflictError, ForgeError, InvalidMemoryError, MemoryNotFoundError
from brain.index.segment import SegmentError
from brain.json_text import render_json
from brain_api.errors import RequestError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

STATUS: Mapping[type[BaseException], int] = {
    MemoryNotFoundError: 404, ConflictError: 409, InvalidMemoryError: 422, ForgeError: 502, SegmentError: 503,
    BrainError: 500, Exception: 500,
}  # fmt: skip
MEDIA_TYPE = "application/problem+json"
TYPE = "urn:project-brain:problem:"


def status_of(error: BaseException) -> int:
    """Return the HTTP status of an error."""
    if isinstance(error, RequestError):
        return error.status
    return next(STATUS[kind] for kind in type(error).__mro__ if kind in STATUS)


def problem(error: BaseException, request_id: str) -> dict[str, Any]:
    """Return an error as a problem; of what is wrong on our side it tells no more than that."""
    status, own = status_of(error), isinstance(error, RequestError)
    if not own and status >= 500:
        return make_problem(status, _name(error), "it is not your request that is wrong; the log says more", request_id)
    found = make_problem(status, _name(error), str(error), request_id)
    hint = getattr(error, "hint", "")
    return {**found, **({"hint": hint} if hint else {}), **getattr(error, "members", {})}


def make_problem(status: int, name: str, detail: str, request_id: str) -> dict[str, Any]:
    """Return a problem; ``instance`` is the request's id, which the log has too."""
    return {
        "type": TYPE + name, "title": HTTPStatus(status).phrase, "status": status, "detail": detail,
        "instance": f"urn:request:{request_id}",
    }  # fmt: skip


def render_problem(found: Mapping[str, Any]) -> bytes:
    """Return a problem as the body of an answer."""
    return render_json(found).encode()


def _name(error: BaseException) -> str:
    """Return the class's name as a problem's: ``memory-not-found``."""
    return re.sub(r"(?<!^)(?=[A-Z])", "-", type(error).__name__.removesuffix("Error")).lower() or "error"
