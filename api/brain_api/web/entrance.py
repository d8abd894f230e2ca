"""Who reads the page: the same tokens as over HTTP, in a cookie that no script sees and no other site sends along."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import urlsplit

from fastapi import Depends, Path
from starlette.requests import Request

from brain.value import value
from brain_api.access import BEARER, Caller
from brain_api.errors import ForbiddenError, UnknownCallerError
from brain_api.project import Project
from brain_api.routes import NAME
from brain_api.service import service_of
from brain_api.settings import READ, REVIEW

TYPE_CHECKING = False
if TYPE_CHECKING:
    from starlette.responses import Response

    from brain_api.service import Service

COOKIE = "brain_token"
OWN_SITE = ("same-origin", "none")
"""What a browser says of a form of this page, and of an address that a person typed."""


@value
class Visitor:
    """Who reads: whether by a token, whether they could have one, and project → scopes of what they may see."""

    known: bool
    can_log_in: bool
    scopes: dict[str, tuple[str, ...]]


def visitor_of(service: Service, caller: Caller) -> Visitor:
    """Return what a caller may see."""
    found = {
        project.name: tuple(scope for scope in (READ, REVIEW) if _may(service, caller, scope, project.name))
        for project in service.projects
    }
    can_log_in = caller.token is None and bool(service.settings.tokens)
    return Visitor(caller.token is not None, can_log_in, {name: scopes for name, scopes in found.items() if scopes})


def _may(service: Service, caller: Caller, scope: str, name: str) -> bool:
    guard = service.guard
    return guard.may(caller, scope) and (scope in guard.public or bool(caller.token and caller.token.is_for(name)))


async def find_reader(request: Request) -> Caller:
    """Return who asks, by the cookie.

    Raises:
        UnknownCallerError: The cookie's token is not valid.
        TooManyError: They ask too fast.
    """
    return identify(request, request.cookies.get(COOKIE, ""))


def identify(request: Request, token: str) -> Caller:
    """Return who a token makes of the one who asks; "" is nobody.

    Raises:
        UnknownCallerError: It is not valid.
        TooManyError: They ask too fast.
    """
    address = request.client.host if request.client else ""
    caller = service_of(request.app).guard.caller(BEARER + token if token else "", address)
    request.state.caller, request.state.token = caller, caller.id
    return caller


class Needs:
    """A dependency: the project that is read, for a visitor who has a scope."""

    def __init__(self, scope: str) -> None:
        self.scope = scope

    async def __call__(
        self, request: Request, name: Annotated[str, Path(alias="project", pattern=NAME)],
        caller: Annotated[Caller, Depends(find_reader)],
    ) -> Project:  # fmt: skip
        """Return the project."""
        project = service_of(request.app).guard.project(caller, self.scope, name)
        request.state.project = project.name
        return project


def check_origin(request: Request) -> None:
    """Let a form pass that was sent from this page.

    Raises:
        ForbiddenError: Another site sent it.
    """
    site, origin = request.headers.get("sec-fetch-site", ""), request.headers.get("origin", "")
    ours = site in OWN_SITE if site else not origin or urlsplit(origin).netloc == request.headers.get("host", "")
    if not ours:
        raise ForbiddenError("another site sent this form", "open the page itself")


def has_cookie_to_come(request: Request) -> bool:
    """Say whether the browser may have a token that it kept back, since a link on another site led here."""
    return request.headers.get("sec-fetch-site") == "cross-site" and COOKIE not in request.cookies


def let_in(request: Request, response: Response, token: str) -> None:
    """Have the browser keep a token until it is closed.

    Raises:
        UnknownCallerError: It is not valid.
    """
    if not identify(request, token).token:
        raise UnknownCallerError
    proxied = request.headers.get("x-forwarded-proto", "") == "https"
    secure = request.url.scheme == "https" or proxied
    response.set_cookie(COOKIE, token, httponly=True, samesite="strict", secure=secure)


def path_after(given: str) -> str:
    """Return where a visitor goes after the login: a path of this page, else its start.

    >>> path_after("/p/shop/queue?lang=vi"), path_after("//evil.example")
    ('/p/shop/queue?lang=vi', '/')
    """
    fine = given.startswith("/") and not given.startswith("//") and given.isprintable() and "\\" not in given
    return given if fine and not given.startswith(("/login", "/logout")) else "/"
