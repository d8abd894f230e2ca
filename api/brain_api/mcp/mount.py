"""The server over HTTP: a route for each served project, under the tokens of the rest of the service."""

from __future__ import annotations

from importlib.util import find_spec

from anyio import Lock, to_thread
from starlette.requests import Request
from starlette.routing import Route

from brain_api.errors import RequestError
from brain_api.mcp.served import Shelf
from brain_api.settings import DRAFT, READ

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    from fastapi import FastAPI
    from starlette.types import Receive, Scope, Send

    from brain_api.service import Service

    T = TypeVar("T")

PATH = "/v1/projects/{project}/mcp"
"""It ends as clients expect of an address of this protocol."""
SHELF = "shelf"


class NotInstalledError(RequestError):
    """The SDK is not installed."""

    status = 501

    def __init__(self) -> None:
        super().__init__("MCP is not installed with this service", "pip install '.[mcp]' in Project Brain's folder")


class Endpoint:
    """The ASGI application at ``PATH``. The SDK is loaded when it is first asked: the service starts without it."""

    hides = True

    def __init__(self, service: Service) -> None:
        self.service, self._loading = service, Lock()
        self._server: Any = None
        # no GET: a stream that stays open would hold one of the requests that are worked on at once
        self.route = Route(PATH, self, methods=["POST"], include_in_schema=False)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request for a project that its caller may read.

        Raises:
            RequestError: They may not, or there is no such project.
        """
        service, request = self.service, Request(scope)
        scope["route"] = self.route
        address = request.client.host if request.client else ""
        caller = service.guard.caller(request.headers.get("authorization", ""), address)
        request.state.token = caller.id
        project = service.guard.project(caller, READ, request.path_params["project"])
        request.state.project = project.name
        project.current()
        may_draft = service.guard.lets(caller, DRAFT, project.name)
        scope["state"][SHELF] = Shelf(project, service.env, caller.id, may_draft=may_draft)
        server = self._server or await self._load()
        from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

        # no session outlives its request, so that any worker answers, and none is held against a restart
        manager = StreamableHTTPSessionManager(
            server, json_response=True, stateless=True, max_request_body_size=service.settings.limits.body
        )
        async with manager.run():
            await manager.handle_request(scope, receive, send)

    async def _load(self) -> Any:
        async with self._loading:
            if self._server is None:
                if find_spec("mcp") is None:
                    raise NotInstalledError
                self._server = await to_thread.run_sync(_build, self)
        return self._server

    def place(self, ctx: Any) -> Shelf:
        """Return the project of a request."""
        found: Shelf = ctx.request.scope["state"][SHELF]
        return found

    async def work(self, place: Any, task: Callable[[], T]) -> T:
        """Return what a task returns, in the project's turn."""
        return await self.service.crew.run(place.project.name, task)

    def bug(self, error: Exception) -> None:
        """Write where it went wrong to the log."""
        self.service.log.bug("mcp", error)


def mount_mcp(app: FastAPI, service: Service) -> None:
    """Serve MCP on an app."""
    app.router.routes.append(Endpoint(service).route)


def _build(endpoint: Endpoint) -> Any:
    from brain_api.mcp.server import build

    return build(endpoint)
