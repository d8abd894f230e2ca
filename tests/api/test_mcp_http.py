"""MCP at a served project, over HTTP: the same tokens and scopes, no session that outlives its request."""

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
    token = shared.served.token("read", "hits", "review", "draft", project="shop")

    async def say(client: Client) -> list[Any]:
        return [await client.call_tool(*one) for one in (("verify", {"id": "x y"}), ("submit", {}), ("pending", {}))]

    for result, command in zip(talk_http(url(shared), token, say), ("verify 'x y'", "submit", "pending"), strict=True):
        assert result.is_error
        assert text_of(result).endswith(f"a person can run, in their workspace: brain {command}")


GIVEN = {"text": "締め処理の前に注文を確定する。確定しないと翌日に計上される。", "apply": "17時までに確定する",
         "type": "lesson", "scope": "F-003", "refs": "src/pay.py, src/log.py"}  # fmt: skip
SECRET = "glpat-Zx81kqPwLm3vTn7RyB4c"


@pytest.mark.parametrize("mode", MODES)
def test_what_an_assistant_elsewhere_learned_waits_for_a_person(world: World, mode: str) -> None:
    served = world.served.start()
    token = served.token("read", "draft", project="shop")

    async def say(client: Client) -> tuple[Any, ...]:
        listed = [tool.name for tool in (await client.list_tools()).tools]
        made = await client.call_tool("remember", GIVEN)
        again = await client.call_tool("remember", GIVEN)
        like = await client.call_tool("remember", {**GIVEN, "apply": "17時までに必ず確定する"})
        change = await client.call_tool(
            "remember", {"text": "Retry thrice: it drops two.", "apply": "retry", "update": ID}
        )
        secret = await client.call_tool("remember", {**GIVEN, "text": f"The key is {SECRET}. ロック。"})
        found = await client.call_tool("search", {"words": "計上"})
        return listed, made, again, like, change, secret, found

    listed, made, again, like, change, secret, found = talk_http(url(world), token, say, mode)
    assert listed == ["recall", "search", "read", "remember"]
    facts = facts_of(made)
    assert (facts["type"], facts["scope"], facts["confidence"]) == ("lesson", "F-003_Payment", 0.6)
    assert f"brain pending take {facts['id']}" in text_of(made)
    assert facts_of(again) == facts, "said again, it is the same draft"
    assert like.is_error
    assert "says nearly the same" in text_of(like)
    assert facts_of(change)["id"] == ID
    assert secret.is_error
    assert "nothing was written" in text_of(secret)
    assert "M40" in text_of(secret)
    assert facts_of(found)["memories"] == [], "nobody recalls it before it was reviewed"
    waiting = {row["id"]: row for row in served.http.get("/v1/projects/shop/drafts").json()["drafts"]}
    assert waiting.keys() == {facts["id"], ID}
    text = served.http.get(f"/v1/projects/shop/drafts/{facts['id']}").text
    assert "src/log.py" in text
    kept = b"".join(path.read_bytes() for path in served.folder.rglob("*") if path.is_file())
    assert SECRET.encode() not in kept
    assert SECRET not in text_of(secret)
    assert served.events("bug") == []


@pytest.mark.parametrize(("scopes", "project"), [(("read",), "shop"), (("read", "hits", "review", "metrics"), "*")])
def test_without_the_scope_nothing_is_drafted(shared: World, scopes: tuple[str, ...], project: str) -> None:
    token = shared.served.token(*scopes, project=project)

    async def say(client: Client) -> Any:
        return await client.call_tool("remember", GIVEN)

    refused = talk_http(url(shared), token, say)
    assert refused.is_error
    assert "the token has not the scope 'draft'" in text_of(refused)
    assert text_of(refused).splitlines()[1].startswith("a person can run, in their workspace: brain remember ")
    assert shared.served.http.get("/v1/projects/shop/drafts").json() == {"drafts": []}


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
