"""The tools as a client sees them: what they are for, take and give. Short, since every session pays for it."""

from __future__ import annotations

from brain.layout import TYPES
from brain.value import value
from brain_api.errors import InvalidRequestError
from brain_api.mcp.policy import DRAFT, POLICIES, READ, TAKES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

TEXT: Mapping[str, Any] = {"type": "string"}
TEXTS: Mapping[str, Any] = {"type": "array", "items": TEXT}
FLAG: Mapping[str, Any] = {"type": "boolean"}


@value
class Tool:
    """A tool: its purpose, its arguments and those that are required, and the members of its answer, all required."""

    says: str
    takes: Mapping[str, Mapping[str, Any]]
    needs: tuple[str, ...]
    gives: Mapping[str, Mapping[str, Any]]


_WORDS = ("id", "hook", "type", "scope")
_ROW = {"type": "object", "properties": {**dict.fromkeys(_WORDS, TEXT), "warnings": TEXTS}, "required": ["id", "hook"]}
FOUND = {"memories": {"type": "array", "items": _ROW}}
"""``text`` stands beside the rows where memories are given whole."""
_DRAFT = {"type": "object", "properties": {**dict.fromkeys(("id", "path", "hook", "problem"), TEXT),
                                           "days": {"type": "integer"}}, "required": ["path"]}  # fmt: skip
DRAFTS = {"drafts": {"type": "array", "items": _DRAFT}}
TOOLS: Mapping[str, Tool] = {
    "recall": Tool(
        "Team memories for a task, or for the workspace's ticket. Lists: a,b. full: with text.",
        {"title": TEXT, "description": TEXT, "functionId": TEXT, "keywords": TEXT, "files": TEXT, "full": FLAG},
        (), FOUND,
    ),
    "search": Tool("Find memories by words, any language.", {"words": TEXT}, ("words",), FOUND),
    "read": Tool("Memories in full.", {"ids": TEXTS}, ("ids",), FOUND),
    "pending": Tool("The user's drafts.", {}, (), DRAFTS),
    "remember": Tool(
        "Draft one lesson or fact, 150 words at most: what is so, why. apply: what to do. refs: a,b. update: its id.",
        {"text": TEXT, "apply": TEXT, "type": {"type": "string", "enum": TYPES}, "scope": TEXT, "refs": TEXT,
         "update": TEXT},
        ("text",), {"id": TEXT, "path": TEXT},
    ),
    "verify": Tool(
        "What changed under a memory. holds: draft that it still does, or a copy to mend.",
        {"id": TEXT, "holds": FLAG}, ("id",), {"id": TEXT},
    ),
    "submit": Tool(
        "Propose drafts (all) to the team. A person confirms.", {"ids": TEXTS, "ticket": TEXT}, (), {"title": TEXT},
    ),
    "propose_removal": Tool(
        "Propose to remove memories. A person confirms.", {"ids": TEXTS, "reason": TEXT}, ("ids", "reason"),
        {"title": TEXT},
    ),
}  # fmt: skip
LONGEST = 20_000
"""Characters of an argument."""
MOST = 200
"""Items of a list."""


def input_schema(tool: Tool) -> dict[str, Any]:
    """Return the schema of a tool's arguments; others than these are refused."""
    return _object(tool.takes, tool.needs)


def output_schema(tool: Tool) -> dict[str, Any]:
    """Return the schema of what a tool surely gives; there may be more."""
    return _object(tool.gives, tuple(tool.gives))


def _object(properties: Mapping[str, Mapping[str, Any]], required: tuple[str, ...]) -> dict[str, Any]:
    needs = {"required": list(required)} if required else {}
    plain = {name: {key: list(part) if isinstance(part, tuple) else part for key, part in schema.items()}
             for name, schema in properties.items()}  # fmt: skip
    return {"type": "object", **({"properties": plain} if plain else {}), **needs}


@value
class Hints:
    """What a host may make of a tool without asking its user; None is MCP's default."""

    read_only: bool
    destructive: bool | None = None
    idempotent: bool | None = None
    open_world: bool | None = None


def hints(name: str) -> Hints:
    """Return a tool's hints, by its policy: what is proposed goes to others, and twice is as good as once."""
    policy = POLICIES[name]
    if policy.operation == READ:
        return Hints(read_only=True, open_world=False)
    destructive = policy.risk == TAKES
    if policy.operation == DRAFT:
        return Hints(read_only=False, destructive=destructive, open_world=False)
    return Hints(read_only=False, destructive=destructive, idempotent=True)


def check_arguments(name: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of a call that keep to the tool's schema.

    Raises:
        InvalidRequestError: They do not; it says which, and not what it held.
    """
    tool = TOOLS[name]
    known = ", ".join(tool.takes) or "none"
    for key in given:
        if key not in tool.takes:
            raise InvalidRequestError(f"{name}: no argument {ascii(key)[:60]}", f"there are {known}")
    for key in tool.needs:
        if not given.get(key):
            raise InvalidRequestError(f"{name}: {key} is missing", f"give {key}")
    for key, found in given.items():
        reason = _wrong(tool.takes[key], found)
        if reason:
            raise InvalidRequestError(f"{name}: {key} {reason}", "see the tool's schema")
    return dict(given)


def _wrong(schema: Mapping[str, Any], found: Any) -> str:
    """Return what is wrong with a value, "" where nothing is."""
    if "enum" in schema:
        return "" if found in schema["enum"] else f"is not one of {', '.join(schema['enum'])}"
    kind = schema["type"]
    if kind == "array":
        fits = isinstance(found, list) and all(isinstance(item, str) for item in found)
        if not fits:
            return "is no list of texts"
        return f"has over {MOST} items" if len(found) > MOST else next(filter(None, map(_too_long, found)), "")
    if kind == "boolean":
        return "" if isinstance(found, bool) else "is neither true nor false"
    return _too_long(found) if isinstance(found, str) else "is no text"


def _too_long(text: str) -> str:
    return f"is over {LONGEST} characters" if len(text) > LONGEST else ""
