"""Webhooks by real POST: what they hold, how they are signed, what happens when the receiver fails."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.gitlab.fixture import Forge, Team

SAMPLES = json.loads((Path(__file__).parent / "data" / "merge-request-hooks.json").read_text())["samples"]


class Receiver(ThreadingHTTPServer):
    """Keeps what it is sent, and answers with `status`."""

    def __init__(self) -> None:
        self.got: list[tuple[dict[str, str], bytes]] = []
        self.status = 200
        super().__init__(("127.0.0.1", 0), _Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/hook"

    @property
    def bodies(self) -> list[Any]:
        return [json.loads(body) for _, body in self.got]

    @property
    def actions(self) -> list[str]:
        return [body["object_attributes"].get("action") for body in self.bodies]


class _Handler(BaseHTTPRequestHandler):
    server: Receiver

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        self.server.got.append(({name.lower(): value for name, value in self.headers.items()}, body))
        self.send_response(self.server.status)
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - http.server's name
        """Say nothing."""


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    """Return a server that keeps what it is sent."""
    made = Receiver()
    yield made
    made.shutdown()
    made.server_close()


def hook(team: Team, receiver: Receiver, **more: Any) -> Any:
    return team.root.ask(
        "POST",
        f"{team.api}/hooks",
        **{"url": receiver.url, "merge_requests_events": True, "push_events": False, **more},
    )


def opened(team: Team) -> str:
    team.commit("memory/T-1", {"a.md": "a"})
    team.open("memory/T-1", labels="memory", assignee_ids=[team.pm.id], reviewer_ids=[team.tl.id])
    return f"{team.api}/merge_requests/1"


def test_the_life_of_a_merge_request_is_told_in_order(team: Team, forge: Forge, receiver: Receiver) -> None:
    hook(team, receiver)
    mr = opened(team)
    team.pm.ask("POST", f"{mr}/approve")
    team.pm.ask("POST", f"{mr}/unapprove")
    team.commit("memory/T-1", {"b.md": "b"})
    team.pm.ask("PUT", mr, state_event="close")
    team.pm.ask("PUT", mr, state_event="reopen")
    team.ready(1)
    team.pm.ask("PUT", f"{mr}/merge")
    forge.settle()
    assert receiver.actions == ["open", "approved", "unapproved", "update", "close", "reopen", "merge"]
    assert [row["title"] for row in receiver.bodies[0]["labels"]] == ["memory"]
    oldrevs = [body["object_attributes"].get("oldrev") is not None for body in receiver.bodies]
    assert oldrevs.count(True) == 1


def test_on_premium_the_satisfying_approval_has_a_name_of_its_own(
    paid: Team, premium: Forge, receiver: Receiver
) -> None:
    paid.root.ask(
        "POST", f"{paid.api}/approval_rules", name="two", approvals_required=2, user_ids=[paid.pm.id, paid.tl.id]
    )
    hook(paid, receiver)
    mr = opened(paid)
    for who in ("tl", "pm"):
        paid.people[who].ask("POST", f"{mr}/approve")
    paid.pm.ask("POST", f"{mr}/unapprove")
    paid.tl.ask("POST", f"{mr}/unapprove")
    premium.settle()
    assert receiver.actions[-4:] == ["approval", "approved", "unapproved", "unapproval"]


def test_a_body_has_the_fields_that_are_documented(paid: Team, premium: Forge, receiver: Receiver) -> None:
    hook(paid, receiver)
    opened(paid)
    premium.settle()
    body, sample = receiver.bodies[0], SAMPLES["open"]
    assert set(sample) <= set(body)
    for part in ("user", "project", "object_attributes"):
        missing = set(sample[part]) - set(body[part])
        assert not missing, part
    assert "approved_by" not in json.dumps(body)


def test_headers_carry_the_event_the_token_and_a_signature(team: Team, forge: Forge, receiver: Receiver) -> None:
    secret = "whsec_" + base64.b64encode(b"a key of ours").decode()
    hook(team, receiver, token="plain-secret", signing_token=secret)
    opened(team)
    forge.settle()
    headers, body = receiver.got[0]
    assert (headers["x-gitlab-event"], headers["x-gitlab-token"], headers["x-gitlab-instance"]) == (
        "Merge Request Hook",
        "plain-secret",
        forge.url,
    )
    assert {"x-gitlab-event-uuid", "x-gitlab-webhook-uuid", "idempotency-key"} <= set(headers)
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    expected = base64.b64encode(hmac.new(b"a key of ours", signed, hashlib.sha256).digest()).decode()
    assert headers["webhook-signature"] == f"v1,{expected}"


def test_pushes_notes_and_pipelines_are_told_to_those_who_ask(team: Team, forge: Forge, receiver: Receiver) -> None:
    hook(
        team,
        receiver,
        merge_requests_events=False,
        push_events=True,
        note_events=True,
        pipeline_events=True,
        push_events_branch_filter="memory/*",
    )
    team.commit("memory/T-1", {".gitlab-ci.yml": "t:\n  script: echo\n"})
    team.commit("other", {"b": "b"})
    team.open("memory/T-1")
    team.dev.ask("POST", f"{team.api}/merge_requests/1/notes", body="hello")
    forge.settle()
    kinds = [(body["object_kind"], body.get("ref", "")) for body in receiver.bodies]
    assert kinds == [("push", "refs/heads/memory/T-1"), ("pipeline", ""), ("note", "")]
    assert receiver.bodies[0]["commits"][0]["added"] == [".gitlab-ci.yml"]


def test_a_failing_receiver_is_left_alone_after_four_strikes_for_a_minute(
    team: Team, forge: Forge, receiver: Receiver
) -> None:
    made = hook(team, receiver)
    receiver.status = 500
    mr = opened(team)
    for number in range(5):
        team.dev.ask("PUT", mr, title=f"Title {number}")
    forge.settle()
    shown = team.root.ask("GET", f"{team.api}/hooks/{made['id']}")
    assert (len(receiver.got), shown["alert_status"]) == (4, "temporarily_disabled")
    forge.clock(advance=61)
    receiver.status = 200
    team.dev.ask("PUT", mr, title="After")
    forge.settle()
    assert (len(receiver.got), team.root.ask("GET", f"{team.api}/hooks/{made['id']}")["alert_status"]) == (
        5,
        "executable",
    )


def test_a_delivery_is_logged_and_resent_under_the_same_key(team: Team, forge: Forge, receiver: Receiver) -> None:
    made = hook(team, receiver)
    opened(team)
    forge.settle()
    log = team.root.ask("GET", f"{team.api}/hooks/{made['id']}/events")
    team.root.ask("POST", f"{team.api}/hooks/{made['id']}/events/{log[-1]['id']}/resend")
    forge.settle()
    keys = [headers["idempotency-key"] for headers, _ in receiver.got]
    assert (log[-1]["response_status"], keys[-1]) == ("200", keys[0])


def test_hooks_get_lost_doubled_and_reordered(team: Team, forge: Forge, receiver: Receiver) -> None:
    hook(team, receiver)
    mr = opened(team)
    forge.settle()
    receiver.got.clear()
    forge.fault("hook_lost")
    team.dev.ask("PUT", mr, title="lost")
    forge.settle()
    forge.fault("hook_doubled")
    team.dev.ask("PUT", mr, title="doubled")
    forge.settle()
    forge.fault("hook_reordered")
    team.dev.ask("PUT", mr, title="first")
    team.dev.ask("PUT", mr, title="second")
    forge.settle()
    assert [body["object_attributes"]["title"] for body in receiver.bodies] == ["doubled", "doubled", "second", "first"]
    assert receiver.got[0][0]["idempotency-key"] == receiver.got[1][0]["idempotency-key"]


def test_a_hook_can_wait_for_ticks(team: Team, forge: Forge, receiver: Receiver) -> None:
    hook(team, receiver)
    forge.set(hook_ticks=1)
    opened(team)
    forge.settle()
    assert receiver.got == []
    forge.clock(tick=1)
    forge.settle()
    assert receiver.actions[0] == "open"


def test_a_sample_can_be_asked_for(team: Team, forge: Forge, receiver: Receiver) -> None:
    made = hook(team, receiver)
    assert team.root.post(f"{team.api}/hooks/{made['id']}/test/merge_requests_events").status_code == 422
    team.root.ask("POST", f"{team.api}/hooks/{made['id']}/test/push_events")
    forge.settle()
    assert receiver.bodies[0]["object_kind"] == "push"
