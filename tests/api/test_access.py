"""Who may ask what: tokens, scopes, projects, rates; and what nobody is told."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import httpx
import pytest

from tests.api.serving import Served, wait_for

if TYPE_CHECKING:
    from pathlib import Path

    from tests.api.conftest import World


def ask(served: Served, path: str, token: str | None, verb: str = "GET", **more: object) -> httpx.Response:
    headers = {"authorization": f"Bearer {token}"} if token is not None else {}
    return httpx.request(verb, served.url + path, headers=headers, trust_env=False, timeout=30, **more)  # type: ignore[arg-type]


def problem(answer: httpx.Response) -> tuple[int, str]:
    found = answer.json()
    assert answer.headers["content-type"] == "application/problem+json"
    assert found["status"] == answer.status_code
    assert found["instance"] == f"urn:request:{answer.headers['x-request-id']}"
    return answer.status_code, str(found["type"]).rpartition(":")[2]


def test_nothing_is_told_without_a_token_but_that_the_service_is_there(shared: World) -> None:
    served = shared.served
    for path in ("index", "memories", "memories/mem-F003-retry", "search?q=x", "queue", "report"):
        answer = ask(served, f"/v1/projects/shop/{path}", None)
        assert problem(answer) == (401, "unknown-caller")
        assert answer.headers["www-authenticate"] == "Bearer"
        assert problem(ask(served, f"/v1/projects/other/{path}", None)) == (401, "unknown-caller")
    assert problem(ask(served, "/metrics", None)) == (401, "unknown-caller")
    assert ask(served, "/healthz", None).json() == {"status": "ok"}
    assert ask(served, "/readyz", None).json() == {"status": "ready", "projects": []}


@pytest.mark.parametrize("token", ["x", "brain_", "brain_000000000000_x", "brain_a_b_c", "é", "x" * 10_000])
def test_what_is_no_token_is_none(shared: World, token: str) -> None:
    headers = {"authorization": f"Bearer {token}".encode()}
    answer = httpx.get(f"{shared.served.url}/v1/projects/shop/index", headers=headers, trust_env=False)
    assert problem(answer) == (401, "unknown-caller")


def test_a_token_is_for_its_scopes_and_projects(world: World) -> None:
    served = world.served.start()
    reader, other = served.token("read", project="shop"), served.token("review")
    ticket = {"ticket": {"title": "retry"}}
    assert ask(served, "/v1/projects/shop/recall", reader, "POST", json=ticket).status_code == 200
    assert problem(ask(served, "/v1/projects/shop/queue", reader)) == (403, "forbidden")
    assert problem(ask(served, "/v1/projects/shop/index", other)) == (403, "forbidden")
    assert problem(ask(served, "/v1/projects/none/queue", other)) == (404, "no-project")
    served.stop()
    second = served.settings.read_text() + world.settings().replace("[projects.shop]", "[projects.mill]")
    served.settings.write_text(second)
    served.start()
    assert problem(ask(served, "/v1/projects/mill/index", reader)) == (404, "no-project")
    assert [row["project"] for row in ask(served, "/readyz", reader).json()["projects"]] == ["shop"]


def test_a_revoked_or_expired_token_is_none_at_once(world: World) -> None:
    served = world.served.start()
    token, old = served.token("read", name="ci"), served.token("read", expires="2020-01-01")
    assert ask(served, "/v1/projects/shop/index", token).status_code == 200
    assert problem(ask(served, "/v1/projects/shop/index", old)) == (401, "unknown-caller")
    listed = [
        json.loads(line) for line in served.run("token", "list", "--settings", str(served.settings)).stdout.splitlines()
    ]
    assert [row["name"] for row in listed] == ["test", "ci", "test"]
    assert served.run("token", "revoke", "--settings", str(served.settings), listed[1]["id"]).returncode == 0
    assert problem(ask(served, "/v1/projects/shop/index", token)) == (401, "unknown-caller")


def test_tokens_are_kept_as_hashes_for_their_owner_alone(world: World) -> None:
    served = world.served
    token = served.token("read")
    path = served.folder / "tokens.jsonl"
    assert path.stat().st_mode & 0o777 == 0o600
    assert token.rpartition("_")[2] not in path.read_text()
    os.chmod(path, 0o644)
    done = served.run("token", "list", "--settings", str(served.settings))
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr == f"brain-api: {path}: others may read it\nhint: chmod 600 {path}\n"


def test_a_service_that_nobody_may_ask_says_so_when_it_starts(world: World) -> None:
    served = world.served
    (served.folder / "tokens.jsonl").touch(0o600)
    served.bearer = "none"
    served.start(ready=False)
    (said,) = [line for line in served.lines() if "nobody may ask" in line]
    assert "brain-api token new --settings FILE NAME --project PROJECT --scope read" in said
    served.stop()
    served.token("read")
    start = len(served.lines())
    served.start(ready=False)
    assert not [line for line in served.lines()[start:] if "nobody may ask" in line]


def test_who_asks_too_fast_waits_and_others_do_not(world: World) -> None:
    world.served.settings.write_text(world.served.settings.read_text() + "\n[limits]\nrate = 1\nburst = 20\n")
    served = world.served.start()
    fast, slow = served.token("read"), served.token("read")
    answers = [ask(served, "/v1/projects/shop/index", fast) for _ in range(30)]
    refused = [answer for answer in answers if answer.status_code != 200]
    assert {problem(answer) for answer in refused} == {(429, "too-many")}
    assert int(refused[0].headers["retry-after"]) >= 1
    assert ask(served, "/v1/projects/shop/index", slow).status_code == 200


def test_answers_carry_their_id_and_are_kept_from_other_origins(shared: World) -> None:
    served = shared.served
    answer = served.http.get(
        "/v1/projects/shop/search?q=retry", headers={"origin": "https://evil.example", "x-request-id": "ci-7"}
    )
    assert answer.headers["x-request-id"] == "ci-7"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["cache-control"] == "no-store"
    assert not [name for name in answer.headers if name.startswith("access-control")]
    assert "server" not in answer.headers
    odd = served.http.get("/healthz", headers={"x-request-id": "a\tb c"})
    assert odd.headers["x-request-id"] != "a\tb c"
    wait_for(lambda: [row for row in served.events("request") if row["request"] == "ci-7"], "the line of the log")


def test_the_log_has_neither_tokens_nor_what_was_asked_or_answered(world: World) -> None:
    served = world.served.start()
    body = {"ticket": {"title": "VERY-SECRET-TITLE retry", "keywords": ["payment"]}}
    assert served.http.post("/v1/projects/shop/recall", json=body).status_code == 200
    served.http.get("/v1/projects/shop/search", params={"q": "VERY-SECRET-WORDS"})
    ask(served, "/v1/projects/shop/index", "brain_0123456789ab_VERY-SECRET-TOKEN")
    served.stop()
    text = "\n".join(served.lines())
    assert "VERY-SECRET" not in text
    assert served.bearer.rpartition("_")[2] not in text
    assert "Retry a payment" not in text


def test_a_host_that_is_not_ours_is_not_answered(world: World) -> None:
    world.served.settings.write_text('hosts = ["127.0.0.1"]\n' + world.served.settings.read_text())
    served = world.served.start()
    assert problem(served.http.get("/v1/projects/shop/index", headers={"host": "evil.example"})) == (421, "wrong-host")
    assert served.http.get("/v1/projects/shop/index").status_code == 200


@pytest.mark.parametrize(("settings", "said"), [
    ("", "brain-api: {path}: projects: there is none\n"),
    ('[projects.shop]\nmemory = "x"\nbranhc = "m"\n', "brain-api: {path}: projects.shop.branhc: unknown setting\nhint: did you mean branch?\n"),
    ("[projects.shop]\n", "brain-api: {path}: projects.shop.memory: is missing\n"),
    ('[projects.Shop]\nmemory = "x"\n', "brain-api: {path}: projects.Shop: 'Shop' is no name for a project\n"),
    ('[projects.shop]\nmemory = "x"\ntokenVariable = "NOT_SET"\n', "brain-api: {path}: projects.shop.tokenVariable: the variable 'NOT_SET' is empty\n"),
    ('[projects.shop]\nmemory = "x"\n[limits]\nrate = 0\n', "brain-api: {path}: limits.rate: 0 is no number above 0\n"),
    ("[projects.shop\n", "brain-api: {path}: not TOML"),
])  # fmt: skip
def test_settings_that_cannot_be_used_say_which_and_why(tmp_path: Path, settings: str, said: str) -> None:
    served = Served(tmp_path, settings)
    done = served.run("serve", "--settings", str(served.settings))
    assert done.returncode == 3
    assert done.stderr.startswith(said.format(path=served.settings))
