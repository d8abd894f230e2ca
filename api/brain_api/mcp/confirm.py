"""A person's confirmation, asked for through the client where it can ask one (MCP's elicitation)."""

from __future__ import annotations

import mcp_types as types
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from brain_api.mcp.policy import RefusedError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from mcp.server.context import ServerRequestContext

    from brain_api.mcp.proposing import Proposal

FIELD = "confirm"
FORM: dict[str, Any] = {
    "type": "object", "required": [FIELD],
    "properties": {FIELD: {"type": "boolean", "title": "Propose it to the team", "default": False}},
}  # fmt: skip


def check_able(ctx: ServerRequestContext[Any, Any], command: str) -> None:
    """Let a client pass that can ask a person.

    Raises:
        RefusedError: It cannot; the command is what a person runs instead.
    """
    able = ctx.session.client_capabilities
    form = able.elicitation if able else None
    if form is None or (form.form is None and form.url is not None):
        what = "a person has to confirm this, and this client cannot ask one"
        raise RefusedError(what, f"have them run, in their workspace: {command}")


async def confirm(
    ctx: ServerRequestContext[Any, Any], params: types.CallToolRequestParams, proposal: Proposal
) -> types.InputRequiredResult | None:
    """Return None where a person agreed to this very proposal; what the client is to ask first otherwise.

    The present protocol answers with the question, and the client calls again with what was said, and with the key of
    what it was said to; in those before, the client is asked while the call waits.

    Raises:
        RefusedError: The person did not agree.
    """
    if ctx.protocol_version in MODERN_PROTOCOL_VERSIONS:
        said = (params.input_responses or {}).get(FIELD)
        if not isinstance(said, types.ElicitResult) or params.request_state != proposal.key:
            asked = types.ElicitRequestFormParams(message=proposal.question, requested_schema=FORM)
            return types.InputRequiredResult(
                input_requests={FIELD: types.ElicitRequest(params=asked)}, request_state=proposal.key
            )
    else:
        said = await ctx.session.elicit_form(proposal.question, FORM, related_request_id=ctx.request_id)
    if said.action != "accept" or (said.content or {}).get(FIELD) is not True:
        raise RefusedError("the person did not agree: nothing was proposed", "do not ask again unless they say so")
    return None
