"""Webhooks by real POST: who is believed, what comes twice, what is kept over a crash, and what follows."""

from __future__ import annotations

import ast
import base64
import hashlib
import hmac
import inspect
import json
import re
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from brain_api import webhook
from tests.api.conftest import sealed_world
from tests.api.serving import Served, wait_for
from tests.finalize.project import NOON, Project, draft
from tests.support.repos import memory_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.api.conftest import World
    from tests.gitlab.fixture import Team

SAMPLES = json.loads((Path(__file__).parents[1] / "gitlab" / "data" / "merge-request-hooks.json").read_text())[
    "samples"
]
SECRET, KEY = "s3cret-of-the-hook", base64.b64encode(b"k" * 32).decode()
HOOK = 'gitlabProject = "team/sub/docs"\nsecretVariable = "HOOK_SECRET"\n'


def send(served: Served, body: Any, token: str | bytes | None = SECRET, **headers: str | bytes) -> httpx.Response:
    """Send a webhook as GitLab does; a body that is no bytes goes as JSON."""
    sent = body if isinstance(body, bytes) else json.dumps(body).encode()
    given: dict[str, Any] = {
        "content-type": "application/json",
        **({"x-gitlab-token": token} if token is not None else {}),
        **headers,
    }
    return httpx.post(f"{served.url}/webhooks/gitlab", content=sent, headers=given, trust_env=False, timeout=30)


def signed(body: bytes, key: str = KEY, stamp: int | None = None, name: str = "msg-1") -> dict[str, str]:
    """Return the headers of Standard Webhooks."""
    at = str(int(time.time()) if stamp is None else stamp)
    digest = hmac.new(base64.b64decode(key), f"{name}.{at}.".encode() + body, hashlib.sha256).digest()
    return {"webhook-id": name, "webhook-timestamp": at, "webhook-signature": f"v1,{base64.b64encode(digest).decode()}"}


@pytest.fixture(scope="module")
def believed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Return a service that takes webhooks, for tests that change nothing in it."""
    for world in sealed_world(tmp_path_factory, HOOK, HOOK_SECRET=SECRET):
        yield world.served


@pytest.fixture
def hooked(world: World) -> World:
    """Return the world, its service polling once an hour: what changes comes by webhook."""
    world.served.settings.write_text(
        world.served.settings.read_text().replace("pollSeconds = 0.2", f"pollSeconds = 3600\n{HOOK}")
    )
    world.served.env["HOOK_SECRET"] = SECRET
    return world


def test_a_push_is_told_and_soon_served(hooked: World) -> None:
    served = hooked.served.start()
    new = hooked.share(NOON, memory_text(NOON, "Close at noon.\n\n**Apply:** say so."))
    push = {
        "object_kind": "push",
        "ref": "refs/heads/main",
        "after": new,
        "user_id": 5,
        "project": SAMPLES["open"]["project"],
    }
    started = time.monotonic()
    answer = send(served, push, **{"idempotency-key": "1"})
    assert (answer.status_code, answer.json()) == (200, {"accepted": True})
    assert time.monotonic() - started < 5
    wait_for(lambda: served.commit() == new, "the new commit")
    assert send(served, push, **{"idempotency-key": "1"}).json() == {"accepted": False}
    assert send(served, push, **{"idempotency-key": "2"}).json() == {"accepted": True}


@pytest.mark.parametrize(("token", "project", "status"), [
    (SECRET, "team/sub/docs", 200), (SECRET, "team/sub/other", 404), ("wrong", "team/sub/docs", 401),
    ("wrong", "team/sub/other", 401), (None, "team/sub/docs", 401), ("", "team/sub/docs", 401),
    (SECRET, "TEAM/sub/docs", 200), (SECRET + "x", "team/sub/docs", 401),
])  # fmt: skip
def test_only_a_known_project_with_its_secret_is_believed(
    believed: Served, token: str | None, project: str, status: int
) -> None:
    served = believed
    body = {**SAMPLES["open"], "project": {"id": 9, "path_with_namespace": project}}
    assert send(served, body, token).status_code == status


ODD_TOKENS = ("s3cret-of-the-hoök".encode(), "秘密".encode(), b"\xff\xfe", b"\xed\xa0\x80", SECRET.encode() * 2000,
              SECRET.encode()[:-1], SECRET.upper().encode(), SECRET.encode() + b",")  # fmt: skip


@pytest.mark.parametrize("token", ODD_TOKENS, ids=lambda token: ascii(token)[:20])
def test_a_forged_token_is_refused_whatever_it_is_made_of(believed: Served, token: bytes) -> None:
    assert send(believed, SAMPLES["open"], token).status_code == 401
    assert believed.events("bug") == []


def test_secrets_are_compared_by_nothing_that_stops_early() -> None:
    """All goes through one comparison, of digests: neither length nor beginning of a secret shows in its time."""
    tree = ast.parse(inspect.getsource(webhook))
    calls = [ast.unparse(node) for node in ast.walk(tree) if "compare_digest" in ast.unparse(node)]
    assert "hmac.compare_digest(_digest(given), _digest(own))" in calls
    compared = [ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.Compare)]
    assert [text for text in compared if re.search("secret|token|signing|signature|own|given", text)] == []
    assert {len(webhook._digest(text)) for text in ("", "x", "秘" * 9999, "\ud800")} == {32}
    assert webhook._same("秘\ud800", "秘\ud800")
    assert not webhook._same("", SECRET)


def test_what_is_signed_is_no_replay_and_no_other_s(hooked: World) -> None:
    """A signature is of one id, time and body; the same message again does nothing, and an old one is refused."""
    served = hooked.served
    served.settings.write_text(
        served.settings.read_text().replace('secretVariable = "HOOK_SECRET"', 'signingVariable = "HOOK_KEY"')
    )
    served.env["HOOK_KEY"] = f"whsec_{KEY}"
    served.start()
    body = json.dumps(SAMPLES["open"]).encode()
    whole = signed(body)
    assert send(served, body, None, **whole).json() == {"accepted": True}
    assert send(served, body, None, **whole).json() == {"accepted": False}, "a replay within the time"
    for change in ({"webhook-id": "msg-2"}, {"webhook-timestamp": str(int(time.time()) + 1)},
                   {"webhook-timestamp": "²"}, {"webhook-timestamp": "9" * 400}, {"webhook-signature": ""},
                   {"webhook-signature": whole["webhook-signature"].removeprefix("v1,")},
                   {"webhook-signature": "v1," * 5000}, {"webhook-signature": "v1,é"}):  # fmt: skip
        sent = {name: text.encode() for name, text in {**whole, **change}.items()}
        assert send(served, body, None, **sent).status_code == 401, change
    old = signed(body, stamp=int(time.time()) - 400, name="msg-3")
    assert send(served, body, None, **old).status_code == 401
    assert served.events("bug") == []


def test_a_project_without_secrets_takes_no_webhooks(world: World) -> None:
    world.served.settings.write_text(world.served.settings.read_text() + 'gitlabProject = "team/sub/docs"\n')
    assert send(world.served.start(), SAMPLES["open"], "").status_code == 401


def test_what_is_signed_must_be_signed_now_and_by_the_key(hooked: World) -> None:
    served = hooked.served
    served.settings.write_text(served.settings.read_text() + 'signingVariable = "HOOK_KEY"\n')
    served.env["HOOK_KEY"] = f"whsec_{KEY}"
    served.start()
    body = json.dumps(SAMPLES["open"]).encode()
    other = base64.b64encode(b"o" * 32).decode()
    assert send(served, body).status_code == 401
    assert send(served, body, **signed(body, other)).status_code == 401
    assert send(served, body, **signed(body, stamp=int(time.time()) - 400)).status_code == 401
    assert send(served, body + b" ", **signed(body)).status_code == 401
    assert send(served, body, None, **signed(body)).status_code == 401
    both = signed(body)
    both["webhook-signature"] = f"v1,{'A' * 44} {both['webhook-signature']}"
    assert send(served, body, **both).json() == {"accepted": True}
    assert send(served, body, **signed(body)).json() == {"accepted": False}, "the same id again"


@pytest.mark.parametrize("body", [
    b"", b"[]", b"null", b"{", b"\xff\xfe", b'{"project": 1}', b"[" * 100_000, b'{"object_kind": "push", "project": []}',
    b'{"object_kind": ["push"], "project": {"path_with_namespace": "team/sub/docs"}, "object_attributes": "x", "labels": {"a": 1}}',
])  # fmt: skip
def test_a_body_that_is_no_webhook_does_no_harm(believed: Served, body: bytes) -> None:
    served = believed
    answer = send(served, body)
    assert answer.status_code in (200, 400, 404)
    assert answer.json().get("accepted") in (None, False)
    assert served.events("bug") == []


def test_a_body_of_more_than_25_mb_is_refused(believed: Served) -> None:
    served = believed
    assert send(served, b" " * (25 << 20), **{"idempotency-key": "x"}).status_code == 400
    assert send(served, b" " * ((25 << 20) + 1)).status_code == 413


def test_what_was_accepted_is_done_after_a_crash(hooked: World) -> None:
    served = hooked.served.start()
    old = served.commit()
    aside = hooked.memory.rename(hooked.folder / "aside")  # the forge is away
    for number in range(3):
        push = {"object_kind": "push", "after": f"{number}", "project": SAMPLES["open"]["project"]}
        assert send(served, push, **{"idempotency-key": f"{number}"}).json() == {"accepted": True}
    served.kill()
    journal = served.folder / "data" / "shop" / "deliveries.jsonl"
    with journal.open("ab") as file:
        file.write(b'0123abcd {"key": "cut')  # as a crash in the middle of a write leaves it
    served.start()
    assert served.commit() == old
    wait_for(lambda: served.row()["status"] == "old", "that the forge is missed")
    aside.rename(hooked.memory)
    new = hooked.share(NOON, memory_text(NOON, "Later.\n\n**Apply:** wait."))
    push = {"object_kind": "push", "after": new, "project": SAMPLES["open"]["project"]}
    assert send(served, push, **{"idempotency-key": "9"}).json() == {"accepted": True}
    wait_for(lambda: served.commit() == new, "the new commit")
    wait_for(lambda: 'brain_deliveries_pending{project="shop"} 0.0' in served.http.get("/metrics").text, "all done")
    assert send(served, push, **{"idempotency-key": "1"}).json() == {"accepted": False}


class Forged:
    """A project on the stand-in, served over HTTP and told of by its webhooks."""

    def __init__(self, team: Team, folder: Path, how: str, **settings: str) -> None:
        self.project = Project(team, folder, **settings)
        url = f"{team.forge.url}/{team.path}.git"
        text = f'''[projects.shop]
memory = "{url}"
gitlab = "{team.forge.url}"
gitlabProject = "{team.path}"
tokenVariable = "BOT"
secretVariable = "HOOK_SECRET"
finalize = "{how}"
pollSeconds = 3600
'''
        env = {"BOT": team.bot.token, "HOOK_SECRET": SECRET}
        self.served = Served(folder / "service", text, env).start()
        team.root.ask("POST", f"{team.api}/hooks", url=f"{self.served.url}/webhooks/gitlab", token=SECRET,
                      merge_requests_events=True, push_events=True)  # fmt: skip


@pytest.fixture
def forged(team: Team, tmp_path: Path) -> Iterator[Forged]:
    made = Forged(team, tmp_path, "here")
    yield made
    made.served.close()


def test_an_approval_and_a_merge_lead_to_a_final_memory_through_the_webhook_alone(forged: Forged) -> None:
    project, served = forged.project, forged.served
    iid = project.propose({NOON: draft(NOON)})
    project.team.forge.settle()
    wait_for(lambda: served.http.get("/v1/projects/shop/queue").json()["open"], "the queue")
    (row,) = served.http.get("/v1/projects/shop/queue").json()["open"]
    assert (row["iid"], row["author"], row["days"]) == (iid, project.team.dev.username, 0)
    project.approve(iid)
    project.merge(iid)
    found = wait_for(lambda: served.http.get("/v1/projects/shop/memories").json()["memories"], "the memory")
    assert [row["id"] for row in found] == ["mem-F003-noon"]
    assert project.state(NOON) == ("approved", project.team.pm.username)
    assert project.bot_commits() == [f"memory: finalize !{iid}"]
    wait_for(lambda: not served.http.get("/v1/projects/shop/queue").json()["open"], "the empty queue")


def test_a_closed_merge_request_is_told_of(forged: Forged) -> None:
    project, served = forged.project, forged.served
    iid = project.propose({NOON: draft(NOON)})
    project.team.pm.ask("PUT", f"{project.team.api}/merge_requests/{iid}", state_event="close")
    found = wait_for(lambda: served.http.get("/v1/projects/shop/queue").json()["closed"], "the closed one")
    assert [row["iid"] for row in found] == [iid]
    wait_for(lambda: [row["iid"] for row in served.events("merge request closed")] == [iid], "the line of the log")


def test_finalize_that_the_forge_did_not_answer_is_tried_again(forged: Forged) -> None:
    project, served = forged.project, forged.served
    iid = project.propose({NOON: draft(NOON)})
    project.approve(iid)
    project.team.forge.settle()
    project.team.forge.fault("bad_gateway", times=12, verb="GET", path=r"/approvals$")
    project.merge(iid)
    wait_for(lambda: [row for row in served.events("finalize not started") if row["again"]], "the failure")
    project.team.forge.calm()
    wait_for(lambda: served.http.get("/v1/projects/shop/memories").json()["memories"], "the memory")


CI = "finalize:\n  rules: [{if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH}]\n  script: [brain-ci finalize]\n"


@pytest.fixture
def piped(team: Team, tmp_path: Path) -> Iterator[Forged]:
    made = Forged(team, tmp_path, "pipeline")
    yield made
    made.served.close()


def test_a_merge_starts_a_pipeline_of_the_default_branch_unless_it_has_one(piped: Forged) -> None:
    project, served = piped.project, piped.served
    iid = project.propose({NOON: draft(NOON)}, branch="memory/CI")
    project.team.commit("memory/CI", {".gitlab-ci.yml": CI})
    project.merge(iid)
    (said,) = wait_for(lambda: served.events("finalize") or served.events("finalize not started"), "the start")
    assert said["outcome"] == "a pipeline is there"
    assert len(project.ask("GET", "pipelines?ref=main")) == 1


def test_what_cannot_be_started_is_said_once_and_not_tried_for_ever(piped: Forged) -> None:
    project, served = piped.project, piped.served
    project.merge(project.propose({NOON: draft(NOON)}))  # and there is no CI file
    (said,) = wait_for(lambda: served.events("finalize not started"), "the refusal")
    assert (said["again"], "400" in said["cause"]) == (False, True), said
    wait_for(lambda: 'brain_deliveries_pending{project="shop"} 0.0' in served.http.get("/metrics").text, "all done")
