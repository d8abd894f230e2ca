"""Drafts over HTTP: kept for a person, refused by lint, once for one key, and nobody's to recall."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from brain_api.journal import Journal
from brain_api.proposed import MOST_DRAFTS, Proposed, make_request
from brain_api.source import Mirrored
from tests.api.conftest import RETRY
from tests.api.serving import Served
from tests.support.program import program
from tests.support.repos import clone, commit, memory_text

if TYPE_CHECKING:
    from pathlib import Path

    from tests.api.conftest import World

URL = "/v1/projects/shop/drafts"
LESSON = {"text": "締め処理の前に注文を確定する。確定しないと翌日に計上される。", "apply": "17時までに確定する", "type": "lesson",
          "scope": "F-003", "tags": ["order", "close", "booking"], "refs": ["src/pay.py"],
          "ticket": {"taskId": "PAY-9", "workflow": "coding"}}  # fmt: skip


def post(served: Served, body: dict[str, Any], key: str = "") -> httpx.Response:
    return served.http.post(URL, json=body, headers={"idempotency-key": key} if key else {})


def test_a_draft_waits_is_taken_into_a_workspace_and_recalled_by_nobody(world: World) -> None:
    served = world.served.start()
    made = post(served, LESSON)
    assert made.status_code == 201, made.text
    answer = made.json()
    assert (answer["type"], answer["scope"], answer["confidence"]) == ("lesson", "F-003_Payment", 0.6)
    assert answer["path"].startswith("99.Memory/_pending/01.Lessons/dev/F-003_Payment/")
    (row,) = served.http.get(URL).json()["drafts"]
    assert (row["id"], row["days"], row["problem"]) == (answer["id"], 0, "")
    assert served.http.get("/v1/projects/shop/search", params={"q": "計上"}).json()["memories"] == []
    text = served.http.get(f"{URL}/{answer['id']}")
    assert (text.text, text.headers["content-type"]) == (answer["text"], "text/markdown; charset=utf-8")
    person = clone(world.memory, world.folder / "person")
    target = person / answer["path"]
    target.parent.mkdir(parents=True)
    target.write_bytes(text.content)
    assert answer["id"] in program("pending", folder=person).stdout.decode()
    assert program("lint", str(target), folder=person).returncode == 0
    assert served.http.delete(f"{URL}/{answer['id']}").status_code == 204
    assert served.http.get(URL).json() == {"drafts": []}
    assert served.http.delete(f"{URL}/{answer['id']}").status_code == 404


def test_one_key_is_one_draft_over_threads_and_a_crash(world: World) -> None:
    served = world.served.start()
    answers: list[httpx.Response] = []
    threads = [threading.Thread(target=lambda: answers.append(post(served, LESSON, "k-1"))) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {(row.status_code, row.text) for row in answers} == {(201, answers[0].text)}
    served.kill()
    served.start()
    assert post(served, LESSON, "k-1").text == answers[0].text
    other = post(served, {**LESSON, "scope": "global"}, "k-1")
    assert (other.status_code, "idempotency key" in other.json()["detail"]) == (422, True)
    again = post(served, LESSON, "k-2")
    assert (again.status_code, again.json()["type"]) == (409, "urn:project-brain:problem:conflict")
    assert len(served.http.get(URL).json()["drafts"]) == 1
    assert served.http.delete(f"{URL}/{answers[0].json()['id']}").status_code == 204
    assert post(served, LESSON, "k-1").text == answers[0].text
    assert served.http.get(URL).json() == {"drafts": []}, "an answer that comes again brings no draft back"


def test_a_crash_between_the_note_and_the_draft_is_made_good(world: World, tmp_path: Path) -> None:
    brain = _opened(world, tmp_path)
    request = make_request(LESSON, "ada k", "digest")
    made = Proposed(str(tmp_path)).propose(brain, request, "2026-03-01")
    journal = Journal(str(tmp_path / "drafts.jsonl"))
    noted, done = journal.read_on()[1]
    assert done == {"key": "ada k", "done": True}
    journal.rewrite([noted])
    (path,) = (tmp_path / "drafts").rglob("*.md")
    content = path.read_bytes()
    for lost in (False, True):
        if lost:
            path.unlink()
        journal.rewrite([noted])
        assert Proposed(str(tmp_path)).propose(brain, request, "2026-03-01") == made
        assert path.read_bytes() == content


def _opened(world: World, folder: Path) -> Any:
    from brain_api.settings import ProjectSettings

    source = Mirrored(ProjectSettings("shop", str(world.memory), str(world.code)), str(folder), {})
    assert source.refresh() == ()
    return source.open()


SECRET = "glpat-Zx81kqPwLm3vTn7RyB4c"


@pytest.mark.parametrize(("change", "code"), [
    ({"text": f"The key of the gateway is {SECRET}."}, "M40"), ({"text": "word " * 200}, "M"),
])  # fmt: skip
def test_what_lint_refuses_is_told_and_not_written(shared: World, change: dict[str, str], code: str) -> None:
    served, key = shared.served, f"k-{code}"
    refused = post(served, {**LESSON, **change}, key)
    problem = refused.json()
    assert (refused.status_code, problem["type"]) == (422, "urn:project-brain:problem:findings"), problem
    assert refused.headers["content-type"] == "application/problem+json"
    assert problem["findings"][0]["code"].startswith(code)
    assert {"rule", "line", "mend", "message"} <= problem["findings"][0].keys()
    assert served.http.get(URL).json() == {"drafts": []}
    kept = b"".join(path.read_bytes() for path in served.folder.rglob("*") if path.is_file())
    assert SECRET.encode() not in kept + refused.content
    made = post(served, LESSON, key)
    assert made.status_code == 201, "a refusal uses no key up"
    served.http.delete(f"{URL}/{made.json()['id']}")


@pytest.mark.parametrize(("body", "status", "word"), [
    ({"text": "…"}, 422, "no text"), ({**LESSON, "scope": "a\nb"}, 422, "line break"),
    ({**LESSON, "scope": "../x"}, 422, "cannot name a folder"), ({"text": "x1", "update": "mem-none"}, 404, "mem-none"),
    ({**LESSON, "refs": ["\x00"]}, 422, "invisible"), ({}, 422, "text"), ({**LESSON, "type": "poem"}, 422, "type"),
])  # fmt: skip
def test_what_cannot_be_drafted_is_said(shared: World, body: dict[str, Any], status: int, word: str) -> None:
    answer = post(shared.served, body)
    assert (answer.status_code, word in answer.json()["detail"]) == (status, True), answer.text
    assert shared.served.events("bug") == []


def test_what_was_removed_before_is_not_drafted_again_and_a_change_is(world: World) -> None:
    gone = "01.Lessons/dev/F-003_Payment/gone.md"
    body = "Refunds are booked on the day of the order.\n\n**Apply:** use the order's date."
    text = memory_text(gone, body, tags=("refund",), status="deprecated", removal="soft", removal_reason="wrong")
    commit(world.memory, {f"99.Memory/_deprecated/{gone}": text})
    served = world.served.start()
    refused = post(served, {"text": body, "type": "lesson", "scope": "F-003", "tags": ["refund"]})
    assert (refused.status_code, "removed before" in refused.json()["detail"]) == (409, True)
    assert "wrong" in refused.json()["hint"]
    changed = post(
        served, {"text": "Retry three times: the gateway drops two.", "apply": "retry", "update": "mem-F003-retry"}
    )
    assert (changed.status_code, changed.json()["path"]) == (201, f"99.Memory/_pending/{RETRY}"), changed.text
    second = post(served, {"text": "Never retry on code 42.", "apply": "stop", "update": "mem-F003-retry"})
    assert (second.status_code, "a draft of mem-F003-retry" in second.json()["detail"]) == (409, True)
    assert served.http.get(f"{URL}/mem-F003-retry").text == changed.json()["text"], "nobody's draft is written over"


def test_drafting_needs_its_own_scope(shared: World) -> None:
    served = shared.served
    for scopes in (("read", "hits", "review", "metrics"), ("draft",)):
        bearer = {"authorization": f"Bearer {served.token(*scopes)}"}
        found = httpx.get(f"{served.url}{URL}", headers=bearer, trust_env=False).status_code
        assert found == (200 if "draft" in scopes else 403)
    assert httpx.post(f"{served.url}{URL}", json=LESSON, trust_env=False).status_code == 401


def test_more_drafts_than_anybody_reads_are_not_kept(world: World) -> None:
    served = world.served.start()
    folder = served.folder / "data/shop/drafts/_pending/00.Shared/glossary"
    folder.mkdir(parents=True)
    for number in range(MOST_DRAFTS - 1):
        (folder / f"t{number}.md").write_text("x")
    made = post(served, LESSON)
    assert made.status_code == 201
    refused = post(served, {**LESSON, "text": "Refunds wait for the bank's own booking day."})
    assert (refused.status_code, f"{MOST_DRAFTS} drafts wait" in refused.json()["detail"]) == (409, True)
    assert served.http.delete(f"{URL}/{made.json()['id']}").status_code == 204


def test_who_takes_a_draft_takes_the_text_that_was_read_and_by_one_key_once(world: World) -> None:
    served = world.served.start()
    name = post(served, LESSON).json()["id"]
    text = served.http.get(f"{URL}/{name}")
    mine = {"if-match": text.headers["etag"], "idempotency-key": "t-1"}
    served.http.delete(f"{URL}/{name}")
    other = post(served, {**LESSON, "apply": "確定を確かめる"})
    assert other.json()["id"] == name
    late = served.http.delete(f"{URL}/{name}", headers=mine)
    assert (late.status_code, late.json()["type"]) == (412, "urn:project-brain:problem:changed")
    mine["if-match"] = served.http.get(f"{URL}/{name}").headers["etag"]
    assert served.http.delete(f"{URL}/{name}", headers=mine).status_code == 204
    assert post(served, LESSON).status_code == 201
    served.kill()
    served.start()
    assert served.http.delete(f"{URL}/{name}", headers=mine).status_code == 204, "said again, and done once"
    assert [row["id"] for row in served.http.get(URL).json()["drafts"]] == [name]
    wrong = served.http.delete(f"{URL}/mem-F003-retry", headers={"idempotency-key": "t-1"})
    assert (wrong.status_code, "idempotency key" in wrong.json()["detail"]) == (422, True)
    theirs = {"authorization": f"Bearer {served.token('draft')}", **mine}
    gone = httpx.delete(f"{served.url}{URL}/{name}", headers=theirs, trust_env=False)
    assert gone.status_code == 412, "a key is its caller's own"
