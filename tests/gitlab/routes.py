"""The table of routes: which path and verb leads to which function, and what must hold before it runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.gitlab.call import Call

Handler = Callable[["Call"], Any]
SEE, GUEST, PLANNER, REPORTER, DEVELOPER, MAINTAINER, OWNER = 0, 10, 15, 20, 30, 40, 50
DEFAULT_STATUS = {"POST": 201, "DELETE": 204}


@dataclass(frozen=True)
class Route:
    """One path and verb.

    Attributes:
        role: The least role on the path's project or group; SEE is whoever may see it.
        required: Parameters that must be given.
        values: Parameters with a closed list of values.
        job: Whether a CI job token may call it.
        read: The token scopes besides `api` that suffice.
        archived: Whether it may write to an archived project.
    """

    verb: str
    path: tuple[str, ...]
    run: Handler
    role: int = SEE
    required: tuple[str, ...] = ()
    values: dict[str, Sequence[str]] = field(default_factory=dict)
    status: int = 200
    anonymous: bool = False
    admin: bool = False
    paid: bool = False
    job: bool = False
    read: tuple[str, ...] = ()
    archived: bool = False

    @property
    def text(self) -> str:
        """Return the path as written in the table."""
        return "/" + "/".join(self.path)


def route(line: str, run: Handler, **options: Any) -> Route:
    """Return the route of a line such as `GET /projects/:id/labels`."""
    verb, path = line.split(" ", 1)
    options.setdefault("status", DEFAULT_STATUS.get(verb, 200))
    if verb == "GET":
        options["read"] = ("read_api", *options.get("read", ()))
    return Route(verb, tuple(path.strip("/").split("/")), run, **options)


class Router:
    """A tree of path segments; a fixed word wins over a parameter."""

    def __init__(self, routes: Iterable[Route]) -> None:
        self.routes = list(routes)
        self.root: dict[str, Any] = {}
        for entry in self.routes:
            self._insert(entry)

    def _insert(self, entry: Route) -> None:
        node = self.root
        for part in entry.path:
            key = part[:1] if part[:1] in ":*" else part
            node = node.setdefault(key, {})
        node.setdefault("", {})[entry.verb] = entry

    def match(self, segments: Sequence[str]) -> dict[str, Route]:
        """Return the routes of a path by verb; empty when there is no such path."""
        found = _walk(self.root, tuple(segments))
        return found or {}


def _walk(node: dict[str, Any], rest: tuple[str, ...]) -> dict[str, Route] | None:
    if not rest:
        ends: dict[str, Route] | None = node.get("")
        return ends
    for key in (rest[0], ":"):
        if rest[0] and key in node:
            found = _walk(node[key], rest[1:])
            if found:
                return found
    if "*" in node:
        last: dict[str, Route] | None = node["*"].get("")
        return last
    return None


def bind(entry: Route, segments: Sequence[str]) -> dict[str, str]:
    """Return the parameters of a matched path by name."""
    bound = {}
    for index, part in enumerate(entry.path):
        if part.startswith(":"):
            bound[part[1:]] = segments[index]
        elif part.startswith("*"):
            bound[part[1:]] = "/".join(segments[index:])
    return bound
