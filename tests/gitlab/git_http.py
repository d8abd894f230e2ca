"""Git over HTTP: `git http-backend` behind ASGI, with GitLab's way of asking for and refusing credentials."""

from __future__ import annotations

import asyncio
import re
from collections.abc import MutableMapping
from typing import Any
from urllib.parse import unquote

from starlette.concurrency import run_in_threadpool

from tests.gitlab import access, auth, faults, subject
from tests.gitlab.git import environment
from tests.gitlab.state import Row, World

SERVICE = re.compile(r"^(?P<path>/.+?)/(?P<rest>info/refs|git-upload-pack|git-receive-pack|HEAD|objects/.*)$")
NO_ACCESS = "HTTP Basic: Access denied. If a password was provided for Git authentication, the password was incorrect or you're required to use a token instead of a password."
GONE = "The project you were looking for could not be found or you don't have permission to view it."
NO_PUSH = "You are not allowed to push code to this project."


class RefusedError(Exception):
    """A git request that ends before git."""

    def __init__(self, status: int, text: str, headers: dict[str, str] | None = None) -> None:
        super().__init__(text)
        self.status, self.text, self.headers = status, text, headers or {}
        self.drop = False


def is_git(path: str) -> bool:
    """Return whether a path is git's and not a page's."""
    found = SERVICE.match(path)
    return found is not None and "/-/" not in found["path"]


def unauthenticated() -> RefusedError:
    """Return the 401 that makes git ask for credentials."""
    return RefusedError(401, NO_ACCESS, {"WWW-Authenticate": 'Basic realm="GitLab"'})


async def serve(world: World, scope: Any, receive: Any, send: Any, path: str) -> None:
    """Answer a git request."""
    headers = {name.decode().lower(): value.decode("latin-1") for name, value in scope["headers"]}
    query = scope["query_string"].decode()
    try:
        env = await run_in_threadpool(_admitted, world, scope["method"], path, query, headers)
    except RefusedError as no:
        if no.drop:
            send.__self__.transport.abort()
            return
        await _answer(send, no.status, no.headers | {"content-type": "text/plain"}, no.text.encode())
        return
    await _backend(world, env, scope, receive, send, path)


def _admitted(world: World, method: str, path: str, query: str, headers: dict[str, str]) -> dict[str, str]:
    with world.lock:
        world.called_as(headers.get("host"))
        early = faults.before(world, method, path)
        if early:
            raise _fault(early)
        return admit(world, method, path, query, headers)


def _fault(row: Row) -> RefusedError:
    status, body, headers, _ = faults.answer(row)
    made = RefusedError(status, body if isinstance(body, str) else str(body), headers)
    made.drop = bool(row.get("drop"))
    return made


def admit(world: World, method: str, path: str, query: str, headers: dict[str, str]) -> dict[str, str]:
    """Return the environment for http-backend.

    Raises:
        RefusedError: 301, 401, 403 or 404.
    """
    found = SERVICE.match(path)
    assert found is not None
    key, rest = unquote(found["path"]).strip("/"), found["rest"]
    if not key.endswith(".git"):
        place = f"{world.address}/{key}.git/{rest}" + (f"?{query}" if query else "")
        raise RefusedError(301, "", {"Location": place})
    pushing = "git-receive-pack" in (rest, query.partition("service=")[2].partition("&")[0])
    user, token = _who(world, headers)
    project = subject.project_by(world, key)
    moved = None
    if project is None:
        project = subject.moved_to(world, key)
        moved = key.removesuffix(".git") if project else None
    if project is None or not access.can_see_project(world, project, user):
        raise RefusedError(404, GONE) if user else unauthenticated()
    _check(world, project, user, token, pushing=pushing)
    env = _identity(world, project, user, token) | {"STAND_IN_MOVED": moved or ""}
    return env | _request(project, method, rest, query, headers)


def _who(world: World, headers: dict[str, str]) -> tuple[Row | None, Row | None]:
    given = headers.get("authorization")
    if not given:
        return None, None
    found = auth.basic(world, given)
    if found is None:
        raise unauthenticated()
    return found


def _check(world: World, project: Row, user: Row | None, token: Row | None, *, pushing: bool) -> None:
    if user is None or token is None:
        if pushing or not access.can_read_code(world, project, None):
            raise unauthenticated()
        return
    scopes = set(token["scopes"])
    if token["kind"] == "job":
        _check_job(project, token, pushing=pushing)
    elif not scopes & ({"api", "write_repository"} if pushing else {"api", "read_repository", "write_repository"}):
        raise RefusedError(403, "HTTP Basic: Access denied. Your token does not have the required scope.")
    if not access.can_read_code(world, project, user):
        raise RefusedError(403, "You are not allowed to download code from this project.")
    if pushing and (access.project_role(world, project, user) < 30 or project["archived"]):
        raise RefusedError(403, NO_PUSH)


def _check_job(project: Row, token: Row, *, pushing: bool) -> None:
    if pushing and not (project["ci_push_repository_for_job_token_allowed"] and token["source_id"] == project["id"]):
        raise RefusedError(403, "You are not allowed to upload code.")


def _identity(world: World, project: Row, user: Row | None, token: Row | None) -> dict[str, str]:
    """Return git's environment, with what the hooks need to know of the caller."""
    env = environment(world)
    for name in list(env):  # git must not write the server's name into a person's commits
        if name.startswith(("GIT_AUTHOR", "GIT_COMMITTER")):
            del env[name]
    return env | {
        "GIT_PROJECT_ROOT": str(world.data / "repos"),
        "GIT_HTTP_EXPORT_ALL": "1",
        "REMOTE_ADDR": "127.0.0.1",
        "REMOTE_USER": user["username"] if user else "",
        "GIT_COMMITTER_NAME": user["name"] if user else "-",
        "GIT_COMMITTER_EMAIL": user["email"] if user else "-",
        "STAND_IN_PORT": str(world.meta["port"]),
        "STAND_IN_TLS": "1" if world.meta.get("tls") else "",
        "STAND_IN_SECRET": world.secret,
        "STAND_IN_PROJECT": str(project["id"]),
        "STAND_IN_USER": str(user["id"]) if user else "",
        "STAND_IN_KIND": str(token["kind"]) if token else "",
    }


def _request(project: Row, method: str, rest: str, query: str, headers: dict[str, str]) -> dict[str, str]:
    """Return the request as CGI has it; a chunked body has no length."""
    env = {
        "PATH_INFO": f"/{project['id']}.git/{rest}",
        "REQUEST_METHOD": method,
        "QUERY_STRING": query,
        "CONTENT_TYPE": headers.get("content-type", ""),
        "HTTP_CONTENT_ENCODING": headers.get("content-encoding", ""),
        "GIT_PROTOCOL": headers.get("git-protocol", ""),
        "CONTENT_LENGTH": "" if "transfer-encoding" in headers else headers.get("content-length", ""),
    }
    return {name: value for name, value in env.items() if value}


async def _backend(world: World, env: dict[str, str], scope: Any, receive: Any, send: Any, path: str) -> None:
    pipe = asyncio.subprocess.PIPE
    child = await asyncio.create_subprocess_exec(
        "git", "http-backend", stdin=pipe, stdout=pipe, stderr=asyncio.subprocess.DEVNULL, env=env
    )
    assert child.stdin is not None
    assert child.stdout is not None
    feeding = asyncio.create_task(_feed(receive, child.stdin))
    status, headers = await _head(child.stdout)
    late = None
    if path.endswith("git-receive-pack"):
        body = await child.stdout.read()
        with world.lock:
            late = faults.after(world, scope["method"], path)
        if late and "status" not in late:
            send.__self__.transport.abort()
        elif late:
            no = _fault(late)
            await _answer(send, no.status, no.headers, no.text.encode())
        else:
            await _answer(send, status, headers, body)
    else:
        await _stream(send, status, headers, child.stdout)
    await child.wait()
    feeding.cancel()


async def _feed(receive: Any, stdin: asyncio.StreamWriter) -> None:
    try:
        while True:
            message = await receive()
            if message["type"] != "http.request":
                break
            stdin.write(message.get("body", b""))
            await stdin.drain()
            if not message.get("more_body"):
                break
    except (BrokenPipeError, ConnectionResetError):
        pass
    finally:
        stdin.close()


async def _head(stdout: asyncio.StreamReader) -> tuple[int, dict[str, str]]:
    status = 200
    headers: dict[str, str] = {}
    while True:
        line = (await stdout.readline()).decode("latin-1").rstrip("\r\n")
        if not line:
            return status, headers
        name, _, value = line.partition(": ")
        if name == "Status":
            status = int(value.split(" ")[0])
        else:
            headers[name.lower()] = value


async def _stream(send: Any, status: int, headers: MutableMapping[str, str], stdout: asyncio.StreamReader) -> None:
    pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": status, "headers": pairs})
    while chunk := await stdout.read(65_536):
        await send({"type": "http.response.body", "body": chunk, "more_body": True})
    await send({"type": "http.response.body", "body": b""})


async def _answer(send: Any, status: int, headers: MutableMapping[str, str], body: bytes) -> None:
    pairs = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
    pairs.append((b"content-length", str(len(body)).encode()))
    await send({"type": "http.response.start", "status": status, "headers": pairs})
    await send({"type": "http.response.body", "body": body})
