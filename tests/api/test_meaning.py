"""Meaning in the service: asked of the team's database or of a file, never waited for, and missed aloud."""

from __future__ import annotations

import json
import shutil
import socket
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.api.serving import Served, wait_for
from tests.semantic.conftest import needs_model
from tests.semantic.database import make_server
from tests.support.program import program
from tests.support.repos import clone, memory_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from brain.semantic.postgres.server import Server
    from tests.api.conftest import World

ASKED = "conceal cardholder digits, note identifiers of failures"
"""What ``mem-F003-noon`` says in Vietnamese and Japanese, without a word of it."""
NOON = "mem-F003-noon"


@pytest.fixture(scope="module")
def database() -> Iterator[Server]:
    found = make_server()
    found.start()
    yield found
    found.stop()
    shutil.rmtree(Path(found.data).parent, ignore_errors=True)


def search(served: Served, more: str = "") -> tuple[list[str], str]:
    found = served.http.get("/v1/projects/shop/search", params={"q": ASKED + more}).json()
    return [row["id"] for row in found["memories"]], found["remark"]


def search_by_mcp(served: Served) -> dict[str, Any]:
    call = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "search", "arguments": {"words": ASKED}},
    }
    headers = {"accept": "application/json, text/event-stream"}
    answer = served.http.post("/v1/projects/shop/mcp", json=call, headers=headers)
    found: dict[str, Any] = answer.json()["result"]["structuredContent"]
    return found


def serve(world: World, **settings: object) -> Served:
    rows = "\n".join(f"{name} = {json.dumps(value)}" for name, value in settings.items())
    world.served.settings.write_text(world.served.settings.read_text() + f"\n[projects.shop.semantic]\n{rows}\n")
    return world.served.start()


@needs_model
def test_the_team_s_database_is_asked_and_missed_aloud_while_it_is_away(world: World, database: Server) -> None:
    machine = clone(world.memory, world.folder / "machine")
    names = {"BRAIN_SEMANTIC_STORE": "postgres", "BRAIN_SEMANTIC_DSN": database.dsn, "BRAIN_SEMANTIC_PROJECT": "shop"}
    done = program("semantic", "build", folder=machine, env=names)
    assert done.returncode == 0, done.stderr
    served = serve(world, store="postgres", dsn=database.dsn, project="shop", deadline=2000.0)
    wait_for(lambda: not search(served)[1], "an answer with meaning")
    assert NOON in search(served)[0]
    assert NOON in [row["id"] for row in search_by_mcp(served)["memories"]]
    ticket = {"title": ASKED, "workflow": "coding"}
    recalled = served.http.post("/v1/projects/shop/recall", json={"ticket": ticket}).json()
    assert (recalled["remark"], recalled["memories"][0]["id"]) == ("", NOON)
    database.stop()
    started = time.monotonic()
    assert NOON in search(served)[0], "an answer that is kept"
    ids, remark = search(served, " today")
    assert time.monotonic() - started < 4, "the deadline is 2 s"
    assert (NOON in ids, remark.startswith("without meaning: ")) == (False, True), remark
    assert search_by_mcp(served)["remarks"][0].startswith("without meaning: ")
    missed = served.http.post("/v1/projects/shop/recall", json={"ticket": {**ticket, "title": f"{ASKED}!"}}).json()
    assert missed["remark"].startswith("without meaning: ")
    database.start()
    wait_for(lambda: not search(served, " again")[1], "an answer with meaning again")
    assert NOON in search(served, " again")[0]


@needs_model
def test_a_file_of_the_mirror_is_asked_else_and_kept_up(world: World) -> None:
    served = serve(world, deadline=2000.0)
    assert search(served) == ([], "")
    mirror = served.folder / "data" / "shop" / "memory.git"
    done = program("semantic", "build", folder=world.folder, env={"BRAIN_MEMORY_REPO": str(mirror)})
    assert done.returncode == 0, done.stderr
    path = "01.Lessons/dev/F-003_Payment/new.md"
    new = world.share(path, memory_text(path, "クレジットカードを隠す。\n\n**適用:** 隠す。", tags=("card",)))
    wait_for(lambda: served.commit() == new, "the new commit")
    wait_for(lambda: {NOON, "mem-F003-new"} <= set(search(served)[0]), "both by meaning")


def test_a_database_that_is_not_there_costs_no_request_its_time(world: World) -> None:
    served = serve(world, store="postgres", dsn="postgresql://127.0.0.1:1/none", deadline=100.0)
    times = []
    for number in range(20):
        started = time.monotonic()
        ticket = {"title": f"retry {number}", "functionId": "F-003"}
        found = served.http.post("/v1/projects/shop/recall", json={"ticket": ticket})
        times.append(time.monotonic() - started)
        assert (found.status_code, found.json()["remark"].startswith("without meaning: ")) == (200, True)
    assert sorted(times)[10] < 1.0, times


def test_a_database_that_never_answers_holds_up_no_draft_and_nothing_beside_it(world: World) -> None:
    with socket.create_server(("127.0.0.1", 0)) as mute:
        dsn = f"postgresql://127.0.0.1:{mute.getsockname()[1]}/none"
        served = serve(world, store="postgres", dsn=dsn, deadline=100.0)
        started = time.monotonic()
        body = {
            "text": "Close the books before the orders.",
            "apply": "close first",
            "tags": ["close"],
            "scope": "F-003",
        }
        made = served.http.post("/v1/projects/shop/drafts", json=body)
        _, remark = search(served)
        assert time.monotonic() - started < 5, "a person would have waited for ten seconds"
    assert (made.status_code, remark.startswith("without meaning: ")) == (201, True), made.text


@pytest.mark.parametrize(("line", "said"), [
    ('store = "oracle"', "store"), ("deadlin = 3", "did you mean semantic.deadline"), ("dsn = 3", "dsn"),
])  # fmt: skip
def test_settings_of_meaning_are_checked_when_the_service_starts(world: World, line: str, said: str) -> None:
    world.served.settings.write_text(world.served.settings.read_text() + f"\n[projects.shop.semantic]\n{line}\n")
    done = world.served.run("serve", "--settings", str(world.served.settings))
    assert (done.returncode, "projects.shop.semantic." in done.stderr, said in done.stderr) == (3, True, True), (
        done.stderr
    )
