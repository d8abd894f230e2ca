"""An assistant's side of MCP: the SDK's own client, over the server's standard streams or over HTTP."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import anyio

from tests.api.test_local import environment

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping
    from pathlib import Path
    from typing import TypeVar

    from mcp import Client
    from mcp_types import CallToolResult

    T = TypeVar("T")

MODES = ("legacy", "auto")
"""The handshake of before, and the present protocol."""
LONGEST = 120.0
"""Seconds until a talk counts as hanging."""


def talk(
    workspace: Path, say: Callable[[Client], Awaitable[T]], mode: str = "auto", env: Mapping[str, str] | None = None,
    **options: Any,
) -> T:  # fmt: skip
    """Start ``brain-api mcp`` in a workspace, and return what is said with it."""
    from mcp import Client, StdioServerParameters
    from mcp.client.stdio import stdio_client

    everything = {**environment(), **(env or {})}
    server = StdioServerParameters(
        command=sys.executable, args=["-m", "brain_api", "mcp"], cwd=str(workspace), env=everything
    )
    log = workspace / ".mcp-log"

    async def run() -> T:
        with log.open("a", encoding="utf-8") as errlog, anyio.fail_after(LONGEST):
            async with Client(stdio_client(server, errlog=errlog), mode=mode, **options) as client:
                return await say(client)

    return anyio.run(run)


def talk_http(url: str, token: str, say: Callable[[Client], Awaitable[T]], mode: str = "auto") -> T:
    """Return what is said with a served project."""
    import httpx2
    from mcp import Client
    from mcp.client.streamable_http import streamable_http_client

    headers = {"authorization": f"Bearer {token}"} if token else {}

    async def run() -> T:
        async with (
            httpx2.AsyncClient(headers=headers, trust_env=False, timeout=LONGEST) as http,
            Client(streamable_http_client(url, http_client=http), mode=mode) as client,
        ):
            return await say(client)

    return anyio.run(run)


def call(
    workspace: Path, name: str, mode: str = "auto", options: Mapping[str, Any] | None = None, **given: Any
) -> CallToolResult:
    """Return what one call gives."""
    return talk(workspace, lambda client: client.call_tool(name, given), mode, **(options or {}))


def text_of(result: Any) -> str:
    """Return the text of a result."""
    return "\n".join(part.text for part in result.content)


def facts_of(result: CallToolResult) -> dict[str, Any]:
    """Return the facts of a result that is no error."""
    assert not result.is_error, text_of(result)
    assert isinstance(result.structured_content, dict)
    return result.structured_content
