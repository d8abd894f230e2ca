"""The named faults, the clock's steps, and what a kill -9 leaves."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from tests.gitlab.conftest import Git
from tests.gitlab.fixture import Forge, Team, start


def test_a_lost_answer_leaves_the_effect(team: Team) -> None:
    team.commit("memory/T-1", {"a": "a"})
    team.forge.fault("lost_answer", verb="POST", path="/merge_requests$")
    with pytest.raises(httpx.RemoteProtocolError):
        team.open("memory/T-1")
    assert [row["iid"] for row in team.dev.ask("GET", f"{team.api}/merge_requests")] == [1]


def test_a_502_after_the_effect_leaves_it_too(team: Team) -> None:
    team.forge.fault("bad_gateway_after_effect", verb="POST", path="/labels$")
    assert team.root.post(f"{team.api}/labels", json={"name": "x", "color": "#112233"}).status_code == 502
    assert [row["name"] for row in team.root.ask("GET", f"{team.api}/labels")] == ["x"]


def test_a_502_before_the_effect_and_a_lost_request_leave_nothing(team: Team) -> None:
    team.forge.fault("bad_gateway", verb="POST", path="/labels$")
    assert team.root.post(f"{team.api}/labels", json={"name": "x", "color": "#112233"}).status_code == 502
    team.forge.fault("lost_request", verb="POST", path="/labels$")
    with pytest.raises(httpx.RemoteProtocolError):
        team.root.post(f"{team.api}/labels", json={"name": "x", "color": "#112233"})
    assert team.root.ask("GET", f"{team.api}/labels") == []


@pytest.mark.parametrize(
    ("name", "status", "verb", "path"),
    [
        ("too_many_requests", 429, "GET", "/merge_requests"),
        ("duplicate_merge_request", 409, "POST", "/merge_requests"),
        ("merge_not_allowed", 405, "PUT", "/merge_requests/1/merge"),
        ("merge_failed", 422, "PUT", "/merge_requests/1/merge"),
        ("token_expired", 401, "GET", "/merge_requests"),
    ],
)
def test_a_fault_answers_once_in_gitlabs_words(team: Team, name: str, status: int, verb: str, path: str) -> None:
    team.forge.fault(name)
    answers = [
        team.pm.request(
            verb, team.api + path, json={"source_branch": "x", "target_branch": "y", "title": "z"}
        ).status_code
        for _ in range(2)
    ]
    assert answers[0] == status
    assert answers[1] != status


def test_a_fault_can_let_some_calls_pass_first(team: Team) -> None:
    team.forge.fault("token_expired", skip=2, times=2)
    assert [team.dev.get("/user").status_code for _ in range(5)] == [200, 200, 401, 401, 200]


def test_the_head_moves_between_reading_and_pushing(
    team: Team, git: Git, clone: Callable[..., Path], commit: Callable[..., str]
) -> None:
    work = clone(team)
    commit(work, "a.md", "a")
    git("push", "origin", "HEAD:memory/T-1", at=work)
    commit(work, "b.md", "b")
    team.forge.fault("head_moved", path="memory/T-1")
    done = git("push", "origin", "HEAD:memory/T-1", at=work, ok=False)
    assert (done.returncode, "! [remote rejected]" in done.stderr) == (1, True)
    assert "Someone else was here" in team.forge.state(team.path)


def test_a_push_whose_answer_is_lost_has_happened(
    team: Team, git: Git, clone: Callable[..., Path], commit: Callable[..., str]
) -> None:
    work = clone(team)
    commit(work, "a.md", "a")
    team.forge.fault("lost_answer", path="git-receive-pack$")
    assert git("push", "origin", "HEAD:memory/T-1", at=work, ok=False).returncode != 0
    assert "refs/heads/memory/T-1" in git("ls-remote", "origin", at=work).stdout


def test_a_custom_hook_rejects_a_push_or_one_of_its_refs(team: Team, git: Git, clone: Callable[..., Path]) -> None:
    work = clone(team)
    team.forge.fault("push_rejected", text="GL-HOOK-ERR: not on Fridays")
    assert "remote: GL-HOOK-ERR: not on Fridays" in git("push", "origin", "HEAD:x", at=work, ok=False).stderr
    team.forge.fault("update_rejected", ref="refs/heads/y")
    assert "hook declined" in git("push", "origin", "HEAD:z", "HEAD:y", at=work, ok=False).stderr
    assert "refs/heads/z" in git("ls-remote", "origin", at=work).stdout


def test_an_unknown_fault_names_those_there_are(forge: Forge) -> None:
    answer = forge.inner.post("/faults", json={"name": "nonsense"})
    assert (answer.status_code, "lost_answer" in answer.text) == (400, True)


def test_totals_can_be_hidden(team: Team) -> None:
    team.forge.fault("no_x_total")
    assert "x-total" not in team.dev.get(f"{team.api}/labels").headers


def test_the_clock_stands_moves_and_runs_on(forge: Forge) -> None:
    assert forge.clock(freeze="2026-12-01T10:00:00Z")["now"] == "2026-12-01T10:00:00.000Z"
    assert forge.clock(advance=90)["now"] == "2026-12-01T10:01:30.000Z"
    before = forge.clock()["ticks"]
    assert forge.clock(tick=2)["ticks"] == before + 2
    assert forge.clock(run=True)["frozen"] is False
    forge.clock(advance=-forge.clock()["seconds"] + __import__("time").time())


def test_the_state_is_text_without_hashes(team: Team) -> None:
    team.commit("memory/T-1", {"a.md": "a"})
    team.open("memory/T-1", "One", labels="memory", assignee_ids=[team.pm.id])
    team.ready(1)
    team.pm.ask("POST", f"{team.api}/merge_requests/1/approve")
    pm, dev = team.pm.username, team.dev.username
    assert team.forge.state(team.path) == (
        f"project {team.path}\n  refs/heads/main 1 Initial commit\n  refs/heads/memory/T-1 2 Work\n"
        f"  !1 opened memory/T-1 -> main (mergeable)\n    title: One\n    by @{dev} assigned @{pm} review -\n"
        f"    labels: memory  approved: @{pm}\n    versions: 1  notes: 0\n    A\ta.md\n"
    )


def test_a_killed_server_comes_back_as_it_was(
    tmp_path_factory: pytest.TempPathFactory, git: Git, clone: Callable[..., Path], commit: Callable[..., str]
) -> None:
    with start(tmp_path_factory.mktemp("killed"), tier="premium") as forge:
        team = forge.team()
        team.commit("memory/T-1", {"a.md": "a"})
        team.open("memory/T-1", labels="memory")
        team.pm.ask("POST", f"{team.api}/merge_requests/1/approve")
        team.ready(1)
        before = forge.state()
        forge.restart()
        assert forge.state() == before
        work = clone(team)
        commit(work, "b.md", "b")
        git("push", "origin", "HEAD:memory/T-2", at=work)
        repo = next((forge.data / "repos").glob("*.git"))
        git(
            f"--git-dir={repo}", "update-ref", "refs/heads/memory/T-1", git("rev-parse", "HEAD", at=work).stdout.strip()
        )
        forge.restart()  # as if killed between git's part of a push and the hook's
        mr = team.dev.ask("GET", f"{team.api}/merge_requests/1")
        assert (mr["sha"], len(team.dev.ask("GET", f"{team.api}/merge_requests/1/versions"))) == (
            git("rev-parse", "HEAD", at=work).stdout.strip(),
            2,
        )
        assert team.dev.ask("GET", f"{team.api}/merge_requests/1/approvals")["approved_by"] == []


def test_twenty_at_once_are_served(team: Team) -> None:
    from concurrent.futures import ThreadPoolExecutor

    def submit(number: int) -> int:
        team.commit(f"memory/T-{number}", {f"{number}.md": "x"})
        return int(team.open(f"memory/T-{number}")["iid"])

    with ThreadPoolExecutor(20) as pool:
        assert sorted(pool.map(submit, range(20))) == list(range(1, 21))


def test_it_starts_in_little_time(tmp_path_factory: pytest.TempPathFactory) -> None:
    before = os.times()
    with start(tmp_path_factory.mktemp("quick")) as forge:
        assert forge.inner.get("/ready").json() == {"ok": True}
    after = os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    assert spent < 1.5  # of the processor: the wall says more of the neighbours than of us


def test_links_lead_back_the_way_the_caller_came_unless_the_address_is_fixed(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    with start(tmp_path_factory.mktemp("named"), args=("--url", "https://gitlab.example.com/git")) as forge:
        assert forge.root.ask("GET", "/user")["web_url"] == "https://gitlab.example.com/git/root"
    with start(tmp_path_factory.mktemp("plain")) as forge:
        other = forge.url.replace("localhost", "127.0.0.1")
        shown = httpx.get(f"{other}/api/v4/user", headers={"PRIVATE-TOKEN": forge.root.token}).json()
        assert shown["web_url"] == f"{other}/root"
