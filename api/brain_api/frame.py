"""What stands around every request: its id, limits of size, number and time, headers of the answer, log and count."""

from __future__ import annotations

import asyncio
import re
import secrets
import time

from starlette.exceptions import HTTPException

from brain_api.errors import BusyError, LateError, RequestError, TooLargeError, WrongHostError
from brain_api.problems import MEDIA_TYPE, problem, render_problem, status_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from brain_api.log import Log
    from brain_api.metrics import Metrics
    from brain_api.settings import Settings

REQUEST_ID = re.compile(rb"[A-Za-z0-9._-]{1,64}")
HEADERS = (
    (b"x-content-type-options", b"nosniff"), (b"referrer-policy", b"no-referrer"), (b"cache-control", b"no-store"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
    (b"cross-origin-resource-policy", b"same-origin"),
)  # fmt: skip
"""Given to every answer that does not say otherwise. No cross-origin header is given: other origins read nothing."""
WEBHOOK_BYTES = 25 << 20
"""GitLab sends no more (facts.md §1)."""
WEBHOOKS = "/webhooks/"
ALIVE = "/healthz"
"""Answered however much is asked: who is busy is not dead."""
OPEN_ENDED = ("/mcp",)
"""Paths below which an answer may be a stream that lasts: its time is not limited."""


class Frame:
    """An ASGI application around another."""

    def __init__(self, app: ASGIApp, settings: Settings, metrics: Metrics, log: Log) -> None:
        self.app, self.limits, self.metrics, self.log = app, settings.limits, metrics, log
        self.hosts = frozenset(name.strip("[]").lower() for name in settings.hosts)
        self.at_work = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request; pass on what is none."""
        if scope["type"] == "http":
            await _Request(self, scope).answer(receive, send)
        elif scope["type"] == "lifespan":
            await self.app(scope, receive, send)


class _Request:
    """One request on its way through."""

    def __init__(self, frame: Frame, scope: Scope) -> None:
        self.frame, self.scope, self.status = frame, scope, 0
        self.started = time.perf_counter()
        given = next((text for name, text in scope["headers"] if name == b"x-request-id"), b"")
        self.id = given.decode() if REQUEST_ID.fullmatch(given) else secrets.token_hex(8)
        self.state = scope.setdefault("state", {})
        self.state["request_id"] = self.id

    async def answer(self, receive: Receive, send: Send) -> None:
        async def framed(message: Message) -> None:
            if message["type"] == "http.response.start":
                self.status = message["status"]
                names = {name for name, _ in message["headers"]}
                own = [pair for pair in HEADERS if pair[0] not in names]
                message["headers"] = [*message["headers"], *own, (b"x-request-id", self.id.encode())]
            await send(message)

        try:
            await self._work(receive, framed)
        except RequestError as error:
            await self._refuse(error, framed)
        except Exception as error:  # noqa: BLE001 - the boundary of a request
            self.frame.log.bug("request", error, request=self.id)
            await self._refuse(error, framed)
        finally:
            self._tell()

    async def _work(self, receive: Receive, send: Send) -> None:
        frame, limits, path = self.frame, self.frame.limits, self.scope["path"]
        if frame.hosts and self._host() not in frame.hosts:
            raise WrongHostError
        if frame.at_work >= limits.at_once and path != ALIVE:
            raise BusyError
        frame.at_work += 1
        frame.metrics.at_once.set(frame.at_work)
        most = WEBHOOK_BYTES if path.startswith(WEBHOOKS) else limits.body
        try:
            async with asyncio.timeout(None if path.startswith(OPEN_ENDED) else limits.seconds):
                await frame.app(self.scope, self._bounded(receive, most), send)
        except TimeoutError:
            raise LateError(f"no answer within {limits.seconds:g} s", "ask for less, or later") from None
        finally:
            frame.at_work -= 1

    def _host(self) -> str:
        """Return the host's name as the request has it, without its port."""
        given = next((text for name, text in self.scope["headers"] if name == b"host"), b"").decode("latin-1")
        return re.sub(r":\d*$", "", given).strip("[]").lower()

    def _bounded(self, receive: Receive, most: int) -> Receive:
        """Return ``receive`` that refuses a body over ``most`` bytes, by what it says of itself or by what comes."""
        said = next((text for name, text in self.scope["headers"] if name == b"content-length"), b"0")
        left = most - int(said if said.isdigit() and len(said) < 20 else b"0")
        refusal = HTTPException(413, str(TooLargeError(most)))
        come = 0

        async def bounded() -> Message:
            nonlocal come
            if left < 0:
                raise refusal
            message = await receive()
            come += len(message.get("body", b""))
            if come > most:
                raise refusal
            return message

        return bounded

    async def _refuse(self, error: Exception, send: Send) -> None:
        """Answer with a problem; an answer that has begun can only be cut off."""
        if self.status:
            raise ConnectionAbortedError
        body = render_problem(problem(error, self.id))
        more = [(name.lower().encode(), text.encode()) for name, text in getattr(error, "headers", {}).items()]
        headers = [(b"content-type", MEDIA_TYPE.encode()), (b"content-length", str(len(body)).encode()), *more]
        await send({"type": "http.response.start", "status": status_of(error), "headers": headers})
        await send({"type": "http.response.body", "body": body})

    def _tell(self) -> None:
        route = getattr(self.scope.get("route"), "path", "-")
        seconds = time.perf_counter() - self.started
        self.frame.metrics.requests.labels(route, str(self.status)).inc()
        self.frame.metrics.seconds.labels(route).observe(seconds)
        self.frame.log.write(
            "request", request=self.id, method=self.scope["method"][:10], route=route, status=self.status,
            ms=round(seconds * 1000, 2), token=self.state.get("token", ""), project=self.state.get("project", ""),
        )  # fmt: skip
