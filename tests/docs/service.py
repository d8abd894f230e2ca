"""The page of HTTP, from the service's own description (OpenAPI)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fastapi.routing import APIRoute
from starlette.routing import Route

from brain_api.app import create_app
from brain_api.routes import PROBLEMS, Needs
from brain_api.settings import METRICS, ProjectSettings, Settings
from tests.docs.markdown import MADE, code, sentence, table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastapi import FastAPI

HEAD = f"""\
# HTTP

{MADE}

`/openapi.json` of a running service says the same for programs. A token goes as `Authorization: Bearer …`; it is made by
`brain-api token new`, for scopes and projects. A project that the token is not for is as if it were not there. Reading
answers carry an `etag` for `if-none-match`. The web pages are at `/`, MCP is at `/v1/projects/{{project}}/mcp`
([mcp.md](mcp.md)). Errors are `application/problem+json` (RFC 9457) with `title`, `detail`, `hint`, `instance`:
"""
NO_SCOPE = {"/healthz": "none", "/readyz": "none; a token shows its projects", "/metrics": f"`{METRICS}`",
            "/webhooks/gitlab": "none: the project's webhook secret or signature"}  # fmt: skip


def render() -> str:
    """Return the page."""
    app = create_app(Settings({"shop": ProjectSettings("shop", memory="x")}, "x"), {})
    found, asks = app.openapi(), scopes(app)
    parts = [HEAD, table(("status", "when"), ((str(status), says) for status, says in PROBLEMS.items()))]
    named: list[str] = []
    for path, verbs in found["paths"].items():
        for verb, route in verbs.items():
            scope = asks.get((verb, path)) or NO_SCOPE[path]
            parts.append(f"## {verb.upper()} {path}\n\n{sentence(route['description'])} Scope: {scope}.\n")
            given = list(parameters(route))
            if given:
                parts.append(table(("parameter", "kind"), given))
            body = route.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
            status = next(status for status in route["responses"] if status.startswith("2"))
            answer = answers(route["responses"][status].get("content", {}), named)
            lines = [
                f"Body: {kind(body, named)}." if body else "",
                f"Answer: {status}{f', {answer}' if answer else ''}.",
            ]
            parts.append("\n".join(filter(None, lines)) + "\n")
    parts.append("## Shapes\n")
    shapes = found["components"]["schemas"]
    for name in named:  # grows while it is read
        rows = [(code(key) + ("" if key in shapes[name].get("required", ()) else " (optional)"), kind(part, named),
                 part.get("description", "")) for key, part in shapes[name].get("properties", {}).items()]  # fmt: skip
        parts.append(
            f"### {name}\n\n{sentence(shapes[name].get('description'))}\n\n{table(('member', 'kind', ''), rows)}"
        )
    return "\n".join(parts)


def scopes(app: FastAPI) -> dict[tuple[str, str], str]:
    """Return verb and path → the scope that the route's dependencies ask for."""
    found = {}
    pending = list(app.routes)
    while pending:
        route: Any = pending.pop()
        pending += getattr(route, "original_router", route).routes if not isinstance(route, Route) else []
        if isinstance(route, APIRoute):
            asks = [part.call.scope for part in route.dependant.dependencies if isinstance(part.call, Needs)]
            found |= {(verb.lower(), route.path): code(scope) for verb in route.methods for scope in asks[:1]}
    return found


def parameters(route: Any) -> Iterator[tuple[str, str]]:
    """Yield name and kind of each parameter but the project."""
    for part in route.get("parameters", ()):
        if part["name"] != "project":
            yield code(part["name"]) + (" (needed)" if part["required"] else ""), kind(part["schema"], [])


def answers(content: Any, named: list[str]) -> str:
    """Return what an answer is: a type of media, or a shape."""
    return ", ".join(kind(part["schema"], named) if form == "application/json" else code(form) for form, part in content.items())  # fmt: skip


def kind(schema: Any, named: list[str]) -> str:
    """Return a schema in a few words; shapes it names are noted in ``named``."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        if name not in named:
            named.append(name)
        return f"[{name}](#{name.lower()})"
    if "anyOf" in schema:
        return " or ".join(kind(part, named) for part in schema["anyOf"])
    if "prefixItems" in schema:
        return f"({', '.join(kind(part, named) for part in schema['prefixItems'])})"
    if schema.get("type") == "array":
        return f"list of {kind(schema.get('items', {}), named)}"
    if schema.get("type") == "object" and isinstance(schema.get("additionalProperties"), dict):
        return f"{kind(schema['additionalProperties'], named)} by name"
    limits = [f"{word} {schema[key]}" for key, word in LIMITS.items() if schema.get(key, "") != ""]
    return ", ".join([str(schema.get("type", "anything")), *limits])


LIMITS = {"minimum": "from", "maximum": "to", "maxLength": "characters at most", "default": "default"}
