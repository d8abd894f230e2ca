"""The page of MCP, from the table of tools and their policy."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING, Any

from brain.ticket import CODING_GATES
from brain_api.mcp.policy import CODING, DRAFTING, POLICIES, SERVED, WORKING
from brain_api.mcp.resources import ID_TEMPLATE
from brain_api.mcp.server import INSTRUCTIONS
from brain_api.mcp.tools import TOOLS, input_schema
from tests.docs.markdown import MADE, code, table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from brain_api.mcp.policy import Policy


def quoted(text: str) -> str:
    """Return a text as a quote, in lines of a page's width."""
    return "\n".join(f"> {line}" for line in wrap(text, 116))


HEAD = f"""\
# MCP

{MADE}

`brain-api mcp [FOLDER]` speaks it over standard streams, for the workspace it runs in; a served project speaks it over
HTTP at `/v1/projects/NAME/mcp` (POST, JSON answers, no session), under a token with the scope `read`. It needs the extra
`mcp`. A client is told:

{quoted(INSTRUCTIONS)}
"""
MIDDLE = f"""\
A tool is called only where its policy allows it, whatever the client listed before: *reads* changes nothing, *drafts*
writes drafts (of this machine's user, or at a served project such as wait for a person), *proposes* opens a merge request
once a person has confirmed it. Where nobody can be asked, the refusal holds the command for a person. Each memory is a
resource too: `{ID_TEMPLATE}`.
"""
OPERATIONS = {"read": "reads", "draft": "drafts", "propose": "proposes"}


def render() -> str:
    """Return the page."""
    rows = [(code(name), OPERATIONS[policy.operation], where(policy), phases(policy), "a person" if policy.confirm else "")
            for name, policy in POLICIES.items()]  # fmt: skip
    parts = [HEAD, MIDDLE, table(("tool", "", "works", "in the phases", "confirmed by"), rows)]
    for name, tool in TOOLS.items():
        schema = input_schema(tool)
        needed = schema.get("required", [])
        given = [(code(key) + (" (needed)" if key in needed else ""), kind(part))
                 for key, part in schema.get("properties", {}).items()]  # fmt: skip
        parts.append(f"## {name}\n\n{tool.says}\n")
        if given:
            parts.append(table(("argument", "kind"), given))
        parts.append(f"Gives {', '.join(map(code, tool.gives))}.\n")
    return "\n".join(parts)


def where(policy: Policy) -> str:
    """Say where a tool works."""
    return {SERVED: "everywhere", DRAFTING: "everywhere; served, with the scope `draft`"}.get(
        policy.where, "in a workspace"
    )


def phases(policy: Policy) -> str:
    """Return the phases of a tool."""
    if policy.phases is None:
        return "all, unknown ones too"
    left = [f"{CODING} {gate}" for gate in sorted(CODING_GATES) if f"{CODING} {gate}" not in policy.phases]
    assert policy.phases == WORKING - set(left), "say in words what is left out"
    return "all that are known" + (f", but {', '.join(left)}" if left else "")


def kind(schema: Mapping[str, Any]) -> str:
    """Return an argument's kind."""
    if "enum" in schema:
        return ", ".join(map(code, schema["enum"]))
    return {"string": "text", "array": "list of texts", "boolean": "true, false"}[schema["type"]]
