"""Recall and reading over HTTP: the same as the commands say, and as the OpenAPI description promises."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.api.conftest import NOON, TERM
from tests.api.serving import wait_for
from tests.support.program import program
from tests.support.repos import clone, commit, memory_text

if TYPE_CHECKING:
    from tests.api.conftest import World

TICKET = {"taskId": "PAY-7", "functionId": "F-003_Payment", "title": "決済の再試行 Thanh toán", "workflow": "coding",
          "keywords": ["payment"], "files": ["src/pay.py"]}  # fmt: skip


def test_recall_says_what_the_command_says_and_the_text_beside_it(world: World) -> None:
    commit(world.code, {"src/pay.py": "tries = 3\n"})
    served = world.served.start()
    workspace = clone(world.code, world.folder / "workspace")
    (workspace / ".aiflow").mkdir()
    (workspace / ".aiflow" / "state.json").write_text(json.dumps({"memory": {"repo": str(world.memory)}}))
    args = ("recall", "--json", "--ticket", "-")
    told = json.loads(program(*args, folder=workspace, input=json.dumps(TICKET).encode()).stdout)
    found = served.http.post("/v1/projects/shop/recall", json={"ticket": TICKET}).json()
    assert {name: found[name] for name in told} == told
    assert next((row["id"], row["stale"]) for row in found["memories"]) == ("mem-F003-retry", True)
    text = program("recall", "--ticket", "-", folder=workspace, input=json.dumps(TICKET).encode()).stdout.decode()
    assert found["context"] == text
    assert "may be stale: src/pay.py changed" in text


def test_what_a_ticket_does_not_get_is_told_with_its_terms(shared: World) -> None:
    served = shared.served
    body = {"ticket": TICKET, "limit": 1, "explain": True, "index": True}
    found = served.http.post("/v1/projects/shop/recall", json=body).json()
    assert [row["id"] for row in found["memories"]] == ["mem-F003-retry"]
    assert "mem-F003-noon" in [row["id"] for row in found["left"]]
    assert found["index"].count("\n- [") == 3


def test_a_memory_is_read_whole_and_only_once_if_it_is_as_it_was(world: World) -> None:
    served = world.served.start()
    first = served.http.get("/v1/projects/shop/memories/mem-F003-noon")
    assert first.json()["body"].startswith("Chỉ ghi mã lỗi. 番号は記録しない。")
    assert first.json()["path"] == NOON
    again = {"if-none-match": first.headers["etag"]}
    assert served.http.get("/v1/projects/shop/memories/mem-F003-noon", headers=again).status_code == 304
    missing = served.http.get("/v1/projects/shop/memories/mem-F003-none", headers={"if-none-match": "*"})
    assert (missing.status_code, missing.headers["content-type"]) == (404, "application/problem+json")
    old = served.commit()
    world.share(NOON, memory_text(NOON, "Log the code alone.\n\n**Apply:** mask it."))
    wait_for(lambda: served.commit() != old, "the new commit")
    new = served.http.get("/v1/projects/shop/memories/mem-F003-noon", headers=again)
    assert (new.status_code, new.json()["body"].partition("\n")[0]) == (200, "Log the code alone.")


def test_lists_go_page_by_page_and_by_kind(shared: World) -> None:
    served = shared.served
    ids, after = [], ""
    while after is not None:
        page = served.http.get("/v1/projects/shop/memories", params={"after": after, "limit": 1}).json()
        ids += [row["id"] for row in page["memories"]]
        after = page["next"]
    assert ids == ["mem-F003-noon", "mem-F003-retry", "mem-global-order"]
    rows = served.http.get("/v1/projects/shop/memories", params={"type": "glossary"}).json()
    assert [row["path"] for row in rows["memories"]] == [TERM]
    lines = served.http.get("/v1/projects/shop/index", params={"function": "F-003"}).text.splitlines()
    assert [line[3:].partition("]")[0] for line in lines] == ["mem-F003-noon", "mem-F003-retry"]
    whole = served.http.get("/v1/projects/shop/index")
    assert whole.text.startswith("# Memory index\n")
    assert (
        served.http.get("/v1/projects/shop/index", headers={"if-none-match": whole.headers["etag"]}).status_code == 304
    )


@pytest.mark.parametrize(("words", "found"), [
    ("mã lỗi", "mem-F003-noon"), ("ma loi", "mem-F003-noon"), ("番号", "mem-F003-noon"), ("受注", "mem-global-order"),
    ("twice", "mem-F003-retry"),
])  # fmt: skip
def test_words_of_any_language_find(shared: World, words: str, found: str) -> None:
    rows = shared.served.http.get("/v1/projects/shop/search", params={"q": words}).json()["memories"]
    assert rows[0]["id"] == found


def test_counts_only_grow_and_are_kept(world: World) -> None:
    served = world.served.start()

    def tell(machine: str, **counts: int) -> dict[str, object]:
        body = {"machine": machine, "counts": {f"mem-F003-{name}": count for name, count in counts.items()}}
        found: dict[str, object] = served.http.post("/v1/projects/shop/hits", json=body).json()
        return found

    assert tell("ada", retry=3, noon=1, gone=9) == {"grown": 2, "unknown": ["mem-F003-gone"]}
    assert tell("ada", retry=3, noon=0) == {"grown": 0, "unknown": []}
    assert tell("ben", retry=2) == {"grown": 1, "unknown": []}
    assert served.http.get("/v1/projects/shop/report").json()["hitsToldHere"] == 6
    served.kill()
    served.start()
    assert served.http.get("/v1/projects/shop/report").json()["hitsToldHere"] == 6


def test_nothing_is_asked_of_the_forge_for_the_queue(shared: World) -> None:
    served = shared.served
    empty = {"asked": None, "problem": "", "open": [], "closed": []}
    assert served.http.get("/v1/projects/shop/queue").json() == empty
