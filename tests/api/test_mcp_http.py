"""MCP at a served project, over HTTP: the same tokens, read only, no session that outlives its request."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("mcp", reason="the extra mcp is not installed")

from tests.api.assistant import MODES, facts_of, talk_http, text_of
from tests.api.serving import wait_for
from tests.support.repos import memory_text

if TYPE_CHECKING:
    from mcp import Client

    from tests.api.conftest import World

ID = "mem-F003-retry"
CALL = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
HEADERS = {"accept": "application/json, text/event-stream", "mcp-protocol-version": "2025-06-18"}


def path(project: str = "shop") -> str:
    return f"/v1/projects/{project}/mcp"


def url(world: World, project: str = "shop") -> str:
    return f"{world.served.url}{path(project)}"


def total(world: World) -> int:
    found: int = world.served.http.get("/v1/projects/shop/report").json()["hitsToldHere"]
    return found


@pytest.mark.parametrize("mode", MODES)
def test_an_assistant_elsewhere_recalls_searches_and_reads(shared: World, mode: str) -> None:
    token, before = shared.served.token("read", project="shop"), total(shared)

    async def say(client: Client) -> tuple[Any, ...]:
        listed = [tool.name for tool in (await client.list_tools()).tools]
        given: dict[str, Any] = {"title": "retry a payment", "functionId": "F-003_Payment", "keywords": "payment"}
        rows = await client.call_tool("recall", given)
        nothing = await client.call_tool("recall", {"full": True})
        found = await client.call_tool("search", {"words": "受注"})
        read = await client.call_tool("read", {"ids": [ID, "mem-F003-noon"]})
        content = (await client.read_resource("memory://mem-global-order")).contents[0]
        return listed, rows, nothing, found, read, content, (await client.list_resources()).resources

    listed, rows, nothing, found, read, content, resources = talk_http(url(shared), token, say, mode)
    assert listed == ["recall", "search", "read"]
    assert facts_of(rows)["memories"][0]["id"] == ID
    assert "count the tries" not in text_of(rows)
    assert "no ticket is known here" in text_of(nothing)
    assert [row["id"] for row in facts_of(found)["memories"]] == ["mem-global-order"]
    assert "count the tries" in text_of(read)
    assert "番号は記録しない" in text_of(read)
    assert "say order" in content.text
    assert len(resources) == 3
    assert total(shared) - before == 3, "what was read on demand is a use"


def test_what_needs_a_workspace_is_refused_with_the_command(shared: World) -> None:
    token = shared.served.token("read", "hits", "review", project="shop")

    async def say(client: Client) -> list[Any]:
        return [
            await client.call_tool(*one) for one in (("remember", {"text": "x y"}), ("submit", {}), ("pending", {}))
        ]

    for result, command in zip(
        talk_http(url(shared), token, say), ("remember 'x y'", "submit", "pending"), strict=True
    ):
        assert result.is_error
        assert text_of(result).endswith(f"a person can run, in their workspace: brain {command}")


@pytest.mark.parametrize(("project", "bearer", "status"), [
    ("shop", "", 401), ("shop", "Bearer wrong", 401), ("shop", "hits", 403), ("shop", "elsewhere", 404), ("none", "read", 404),
    ("shop", "read", 200),
])  # fmt: skip
def test_the_tokens_of_the_service_decide_who_may(shared: World, project: str, bearer: str, status: int) -> None:
    tokens = {"hits": ("hits", "shop"), "read": ("read", "*"), "elsewhere": ("read", "shop")}
    if bearer in tokens:
        scope, name = tokens[bearer]
        text = f"Bearer {shared.served.token(scope, project=name)}"
    else:
        text = bearer
    if bearer == "elsewhere":
        project = "other"
    found = shared.served.http.post(path(project), json=CALL, headers={**HEADERS, "authorization": text})
    assert found.status_code == status
    if status == 200:
        assert [tool["name"] for tool in found.json()["result"]["tools"]] == ["recall", "search", "read"]
        assert "mcp-session-id" not in found.headers
    else:
        assert found.headers["content-type"] == "application/problem+json"
        assert (found.headers.get("www-authenticate") == "Bearer") == (status == 401)


@pytest.mark.parametrize("body", [b"", b"[", b"{}", b"[1]", b'{"jsonrpc": "2.0"}', b"\xff\xfe", b"null",
    json.dumps({**CALL, "method": "tools/call", "params": {"name": "read", "arguments": {"ids": ["\ud800"]}}}).encode(),
    json.dumps({**CALL, "method": "tools/call", "params": {"name": "search", "arguments": []}}).encode(),
])  # fmt: skip
def test_hostile_bodies_are_answered_and_break_nothing(shared: World, body: bytes) -> None:
    headers = {**HEADERS, "content-type": "application/json"}
    found = shared.served.http.post(path(), content=body, headers=headers)
    assert found.status_code < 500
    assert "Traceback" not in found.text
    assert shared.served.http.post(path(), json=CALL, headers=HEADERS).status_code == 200


def test_no_stream_is_held_open(shared: World) -> None:
    for verb in ("GET", "DELETE"):
        assert shared.served.http.request(verb, path(), headers=HEADERS).status_code == 405


def test_a_body_over_the_limit_is_refused(shared: World) -> None:
    headers = {**HEADERS, "content-type": "application/json"}
    assert shared.served.http.post(path(), content=b" " * (300 << 10), headers=headers).status_code == 413


def test_the_log_tells_the_route_and_no_memory_text(shared: World) -> None:
    call = {**CALL, "method": "tools/call", "params": {"name": "read", "arguments": {"ids": [ID]}}}
    headers = {**HEADERS, "x-request-id": "seen-in-the-log"}
    assert shared.served.http.post(path(), json=call, headers=headers).status_code == 200

    def line() -> dict[str, Any] | None:
        return next((row for row in shared.served.events("request") if row["request"] == "seen-in-the-log"), None)

    row = wait_for(line, "the line of the request")
    assert (row["route"], row["project"], row["status"]) == (path("{project}"), "shop", 200)
    assert "count the tries" not in shared.served.log.read_text()


def test_new_memories_are_there_without_a_new_session(world: World) -> None:
    queue = "00.Shared/decisions/queue.md"
    world.served.start()

    async def say(client: Client) -> Any:
        assert facts_of(await client.call_tool("search", {"words": "elephant"}))["memories"] == []
        world.share(queue, memory_text(queue, "The elephant queue is ours.\n\n**Apply:** use it."))
        for _ in range(600):
            found = facts_of(await client.call_tool("search", {"words": "elephant"}))["memories"]
            if found:
                return found
        return None

    found = talk_http(url(world), world.served.bearer, say)
    assert [row["id"] for row in found] == ["mem-global-queue"]
