"""How a page is answered: templates that escape all they are given, its headers, and errors as pages too."""

from __future__ import annotations

import hashlib
import os
from datetime import UTC, datetime
from functools import cache
from http import HTTPStatus
from unicodedata import category
from urllib.parse import urlencode

from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from brain.errors import BrainError
from brain_api.errors import UnknownCallerError
from brain_api.problems import make_problem, problem
from brain_api.service import service_of
from brain_api.web.charts import bars, columns, stacked
from brain_api.web.entrance import COOKIE, has_cookie_to_come, visitor_of
from brain_api.web.language import LANGUAGES, choose_language
from brain_api.web.texts import Words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from typing import Any

    from jinja2 import Environment

HERE = os.path.dirname(__file__)
STYLE, ICON = "style.css", "icon.svg"
FILES = {STYLE: "text/css; charset=utf-8", ICON: "image/svg+xml"}
"""What pages load beside themselves: name → media type."""
LANGUAGE_COOKIE, LANGUAGE_SECONDS = "brain_language", 31_536_000
MOST_LINK = 1500
"""Characters of a query that the links of the language switch take along."""
HEADERS = {
    "content-security-policy": (
        "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; "
        "base-uri 'none'"
    ),
    "referrer-policy": "same-origin",  # with none at all, a browser hides from us where a form was sent from
    "vary": "Cookie, Accept-Language",
}


def read_static(name: str) -> bytes:
    """Return a file that pages load."""
    with open(os.path.join(HERE, "static", name), "rb") as file:
        return file.read()


def moment(seconds: float) -> str:
    """Return a time as a date and a time of day, UTC.

    >>> moment(86400)
    '1970-01-02 00:00'
    """
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M")


def reveal(found: Any) -> Any:
    """Return a text with its hidden characters named: what turns text around, takes no room or cannot be sent.

    >>> reveal("pay\u200bment")
    'pay⟨U+200B⟩ment'
    """
    if not isinstance(found, str) or isinstance(found, Markup) or found.isprintable():
        return found
    return "".join(f"⟨U+{ord(sign):04X}⟩" if _is_hidden(sign) else sign for sign in found)


def _is_hidden(sign: str) -> bool:
    return not sign.isprintable() and sign not in "\n\t" and category(sign) != "Zs"


@cache
def templates() -> Environment:
    """Return the templates, read when the first page is asked for: the service starts without them."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    found = Environment(
        loader=FileSystemLoader(os.path.join(HERE, "templates")), autoescape=True, undefined=StrictUndefined,
        finalize=reveal, trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    found.filters["moment"] = moment
    versions = {name: hashlib.sha256(read_static(name)).hexdigest()[:12] for name in FILES}
    found.globals.update(bars=bars, columns=columns, stacked=stacked, versions=versions)
    return found


def render(request: Request, template: str, status: int = 200, **facts: Any) -> Response:
    """Return a page made of a template and facts; it knows the visitor's language, projects and place."""
    language = request.state.language
    service, caller = service_of(request.app), getattr(request.state, "caller", None)
    visitor = visitor_of(service, caller) if caller else None
    text = templates().get_template(template).render(
        **{"project": None, "here": "", **facts}, words=Words(language), language=language, visitor=visitor,
        switch=[(code, name, _switched(request, code)) for code, name in LANGUAGES.items()],
    )  # fmt: skip
    return HTMLResponse(text, status, HEADERS)


def _switched(request: Request, code: str) -> str:
    """Return the address of this page in another language."""
    pairs = [pair for pair in request.query_params.multi_items() if pair[0] != "lang"]
    query = urlencode(pairs)
    return f"?{urlencode([*(pairs if len(query) <= MOST_LINK else []), ('lang', code)])}"


class Page(APIRoute):
    """A route whose errors are pages, in the visitor's language."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return what answers a request."""
        answer = super().get_route_handler()

        async def page(request: Request) -> Response:
            chosen = request.query_params.get("lang", "")
            kept, accepted = request.cookies.get(LANGUAGE_COOKIE, ""), request.headers.get("accept-language", "")
            request.state.language = language = choose_language(chosen, kept, accepted)
            try:
                response = await answer(request)
            except (BrainError, HTTPException, RequestValidationError) as error:
                response = trouble(request, error)
            if chosen == language:
                response.set_cookie(LANGUAGE_COOKIE, language, LANGUAGE_SECONDS, samesite="lax", httponly=True)
            return response

        return page


def trouble(request: Request, error: Exception) -> Response:
    """Return an error as a page; who is not known yet is asked who they are."""
    request_id = request.state.request_id
    if isinstance(error, UnknownCallerError):
        if has_cookie_to_come(request):
            return render(request, "going.html")
        return login_page(request, wrong=COOKIE in request.cookies, status=401)
    if isinstance(error, HTTPException):
        found = make_problem(error.status_code, "http", str(error.detail), request_id)
    elif isinstance(error, RequestValidationError):
        found = make_problem(404, "http", HTTPStatus(404).phrase, request_id)
    else:
        found = problem(error, request_id)
    if found["status"] >= 500:
        name, cause = type(error).__name__, str(error)
        service_of(request.app).log.write("error", request=request_id, error=name, cause=cause)
    response = render(request, "trouble.html", found["status"], problem=found, request_id=request_id)
    response.headers.update(getattr(error, "headers", None) or {})
    return response


def login_page(request: Request, *, wrong: bool, status: int = 200, after: str = "") -> Response:
    """Return the form that asks for a token, and then leads to where the visitor wanted to go."""
    asked = f"{request.url.path}?{request.url.query}" if request.url.query else request.url.path
    return render(request, "login.html", status, wrong=wrong, after=after or asked)
