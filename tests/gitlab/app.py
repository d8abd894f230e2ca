"""The ASGI process: from bytes to a call, through faults, limits, rights and contract, to bytes."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import parse_qsl, unquote

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.requests import Request

from tests.gitlab import auth, errors, faults, git_http, limits, subject
from tests.gitlab.call import Call, Reply
from tests.gitlab.contract import Contract
from tests.gitlab.params import merge, nest
from tests.gitlab.routes import Route, Router, bind
from tests.gitlab.state import World

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


class App:
    """The one ASGI application."""

    def __init__(self, world: World, router: Router, stand_in: Router, contract: Contract | None) -> None:
        self.world, self.router, self.stand_in, self.contract = world, router, stand_in, contract

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await _lifespan(receive, send)
            return
        raw = scope["raw_path"].split(b"?")[0].decode("latin-1")
        if not raw.startswith(self.world.prefix + "/") and not raw.startswith("/_stand_in"):
            await _send(send, 404, {}, b"")
            return
        path = raw if raw.startswith("/_stand_in") else raw[len(self.world.prefix) :]
        if path.startswith(("/api/v4/", "/_stand_in/")):
            await self._api(scope, receive, send, path)
        elif git_http.is_git(path):
            await git_http.serve(self.world, scope, receive, send, path)
        else:
            await self._page(send, path)

    async def _page(self, send: Send, path: str) -> None:
        """Answer the few addresses outside the API that clients ask for."""
        if path.startswith("/-/") and path.rstrip("/").rsplit("/", 1)[-1] in {"health", "readiness", "liveness"}:
            await _send(send, 200, {"content-type": "application/json"}, b'{"status":"ok"}')
            return
        with self.world.lock:
            row = self.world.one("uploads", url=unquote(path))
        await _send(send, 200 if row else 404, {}, bytes.fromhex(row["content"]) if row else b"")

    async def _api(self, scope: Scope, receive: Receive, send: Send, path: str) -> None:
        call = await read_call(self.world, Request(scope, receive), path)
        with self.world.lock:
            slow = faults.take(self.world, "slow", call.verb, call.path)
        if slow:
            await asyncio.sleep(slow["seconds"])
        reply, drop = await run_in_threadpool(self.answer, call)
        if drop:
            send.__self__.transport.abort()  # type: ignore[attr-defined]
            return
        await _send_reply(send, reply, head=scope["method"] == "HEAD")

    def answer(self, call: Call) -> tuple[Reply, bool]:
        """Return the answer of a call, and whether the connection breaks instead of carrying it."""
        inner = call.path.startswith("/_stand_in/")
        if not inner:
            self.world.called_as(call.headers.get("host"))
        with self.world.lock:
            early = None if inner else faults.before(self.world, call.verb, call.path)
        if early:
            return _faulty(early), bool(early.get("drop"))
        if inner and call.path in UNLOCKED:
            return self._run(call, self.stand_in), False
        with self.world.lock:
            self.world.dirty = self.world.dirty or call.verb != "GET"
            reply = self._run(call, self.stand_in if inner else self.router)
            if self.world.dirty:
                self.world.save()
            else:
                self.world.settled()
            late = None if inner else faults.after(self.world, call.verb, call.path)
        if late:
            return _faulty(late), "status" not in late
        return reply, False

    def _run(self, call: Call, router: Router) -> Reply:
        try:
            segments = [unquote(part) for part in call.path.strip("/").split("/")]
            ends = router.match(segments)
            entry = pick(ends, call.verb)
            call.params = bind(entry, segments)
            headers = self._admit(call, entry) if router is self.router else {}
            check_arguments(call, entry)
            reply = as_reply(entry.run(call), entry)
            reply.headers = headers | reply.headers
        except errors.ApiError as error:
            return Reply(error.body, error.status, dict(error.headers), kind=_kind(error.body))
        if self.contract and router is self.router:
            return self.contract.checked(entry, reply)
        return reply

    def _admit(self, call: Call, entry: Route) -> dict[str, str]:
        auth.sign_in(call)
        headers = limits.count(call)
        auth.check_scope(call, entry)
        subject.resolve(call, entry)
        if entry.paid and not self.world.paid:
            raise errors.no_route() if entry.path[0] != "projects" else errors.not_found()
        return headers


UNLOCKED = {"/_stand_in/settle"}


def _kind(body: Any) -> str:
    return "text/plain" if isinstance(body, str) else "application/json"


def _faulty(row: dict[str, Any]) -> Reply:
    status, body, headers, kind = faults.answer(row)
    return Reply(body, status, dict(headers), kind)


def pick(ends: dict[str, Route], verb: str) -> Route:
    """Return the verb's route.

    Raises:
        ApiError: 404 for no such path, 405 for no such verb.
    """
    if not ends:
        raise errors.no_route()
    if verb not in ends:
        raise errors.ApiError(405, {"error": "405 Not Allowed"}, {"Allow": ", ".join(sorted(ends))})
    return ends[verb]


def check_arguments(call: Call, entry: Route) -> None:
    """Check what Grape checks before the code runs.

    Raises:
        ApiError: A parameter is missing, or not one of its values.
    """
    absent = [name for name in entry.required if call.args.get(name) is None]
    if absent:
        raise errors.missing(*absent)
    empty = [name for name in entry.required if call.args[name] == ""]
    if empty:
        raise errors.ApiError(400, {"error": ", ".join(f"{name} is empty" for name in empty)})
    for name, allowed in entry.values.items():
        value = call.args.get(name)
        if value is not None and value != "" and str(value) not in allowed:
            raise errors.invalid(name)


def as_reply(result: Any, entry: Route) -> Reply:
    """Return a handler's result as an answer with the route's status; None has no body."""
    reply = result if isinstance(result, Reply) else Reply(result)
    if reply.status is None:
        reply.status = entry.status
    return reply


async def read_call(world: World, request: Request, path: str) -> Call:
    """Read the request whole; query, form and JSON arguments are merged, as Grape merges them."""
    api = path.removeprefix("/api/v4")
    query = request.url.query
    verb = "GET" if request.method == "HEAD" else request.method
    call = Call(world, verb, api, request.headers, query=query)
    call.args = nest(parse_qsl(query, keep_blank_values=True))
    kind = request.headers.get("content-type", "")
    if kind.startswith("application/json"):
        merge(call.args, _json(await request.body()))
    elif kind.startswith(("multipart/form-data", "application/x-www-form-urlencoded")):
        form = await request.form()
        merge(call.args, nest([(key, value) for key, value in form.multi_items() if isinstance(value, str)]))
        for key, value in form.multi_items():
            if isinstance(value, UploadFile):
                call.files[key] = (value.filename or "", await value.read())
    else:
        call.files["body"] = ("", await request.body())
    return call


def _json(body: bytes) -> Any:
    if not body.strip():
        return {}
    try:
        value = json.loads(body)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


async def _send_reply(send: Send, reply: Reply, *, head: bool) -> None:
    status = reply.status or 200
    headers = {"x-request-id": f"{time.monotonic_ns():x}", "x-gitlab-meta": '{"version":"1"}', **reply.headers}
    body = b""
    if isinstance(reply.body, bytes):
        body = reply.body
    elif isinstance(reply.body, str) and reply.kind != "application/json":
        body = reply.body.encode()
    elif status not in {204, 304}:
        body = json.dumps(reply.body).encode()
    if status not in {204, 304}:
        headers.setdefault("content-type", reply.kind)
        headers["content-length"] = str(len(body))
    await _send(send, status, headers, b"" if head else body)


async def _send(send: Send, status: int, headers: dict[str, str], body: bytes) -> None:
    pairs = [(name.lower().encode("latin-1"), value.encode("latin-1", "replace")) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": status, "headers": pairs})
    await send({"type": "http.response.body", "body": body})


async def _lifespan(receive: Receive, send: Send) -> None:
    while True:
        message = await receive()
        await send({"type": message["type"] + ".complete"})
        if message["type"] == "lifespan.shutdown":
            return
