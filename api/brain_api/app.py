"""The FastAPI app: routes, errors as problems, and the frame around every request."""

from __future__ import annotations

from contextlib import asynccontextmanager
from functools import partial
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from brain import __version__
from brain.environment import read_environment
from brain.errors import BrainError
from brain_api import draft_routes, models, routes, service_routes
from brain_api.frame import Frame
from brain_api.mcp.mount import mount_mcp
from brain_api.problems import MEDIA_TYPE, make_problem, problem, render_problem
from brain_api.service import Service, service_of
from brain_api.web.routes import router as web_router

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

    from brain_api.log import Log
    from brain_api.settings import Settings

DESCRIPTION = "A team's memory for its AI assistants: recall for a ticket, read, search, and the review queue."
MOST_REASONS = 20
"""Wrong values of a request that are told."""


def create_app(settings: Settings, env: Mapping[str, str] | None = None, log: Log | None = None) -> FastAPI:
    """Return the service for these settings; it begins to work when it is started.

    ``service_of`` gives what it is made of, to whatever else is mounted on it.
    """
    service = Service(settings, read_environment() if env is None else env, log)

    @asynccontextmanager
    async def working(_app: FastAPI) -> AsyncIterator[None]:
        service.begin()
        yield
        service.end()

    app = FastAPI(title="Project Brain", version=__version__, description=DESCRIPTION, lifespan=working,
                  docs_url=None, redoc_url=None)  # fmt: skip
    app.state.service = service
    app.include_router(routes.router)
    app.include_router(draft_routes.router)
    app.include_router(service_routes.router)
    app.include_router(web_router)
    mount_mcp(app, service)
    app.add_exception_handler(BrainError, _on_error)
    app.add_exception_handler(HTTPException, _on_http)
    app.add_exception_handler(RequestValidationError, _on_invalid)
    app.add_middleware(Frame, settings=settings, metrics=service.metrics, log=service.log)
    app.openapi = partial(_openapi, app, app.openapi)  # type: ignore[method-assign]
    return app


async def _on_error(request: Request, error: Exception) -> Response:
    request_id = request.state.request_id
    found = problem(error, request_id)
    if found["status"] >= 500:
        cause = str(error)
        service_of(request.app).log.write("error", request=request_id, error=type(error).__name__, cause=cause)
    return Response(render_problem(found), found["status"], getattr(error, "headers", None), MEDIA_TYPE)


async def _on_http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    name = HTTPStatus(error.status_code).phrase.lower().replace(" ", "-")
    found = make_problem(error.status_code, name, str(error.detail), request.state.request_id)
    return Response(render_problem(found), error.status_code, error.headers, MEDIA_TYPE)


async def _on_invalid(request: Request, error: Exception) -> Response:
    """Say which values are wrong and why, without the values."""
    assert isinstance(error, RequestValidationError)
    rows = [{"where": ".".join(map(str, row["loc"])), "reason": str(row["msg"])} for row in error.errors()]
    detail = f"{rows[0]['where']}: {rows[0]['reason']}" if rows else "a value is not of its kind"
    found = make_problem(422, "invalid-request", detail, request.state.request_id)
    return Response(render_problem({**found, "errors": rows[:MOST_REASONS]}), 422, media_type=MEDIA_TYPE)


def _openapi(app: FastAPI, make: Any) -> dict[str, Any]:
    """Return the description, with our problems in place of FastAPI's own form of an error."""
    if app.openapi_schema:
        return app.openapi_schema
    found: dict[str, Any] = make()
    schemas = found["components"]["schemas"]
    schemas["Problem"] = models.Problem.model_json_schema()
    for name in ("HTTPValidationError", "ValidationError"):
        schemas.pop(name, None)
    found["paths"]["/readyz"]["get"]["security"].append({})  # a token shows more, and none is asked for
    return found
