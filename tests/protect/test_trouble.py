"""When GitLab refuses, forgets to answer or is gone: what was done is told, and the next run does the rest, once.

Killed at every step where BRAIN_FAULTS is set, else at one in twenty-nine.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest

from tests.protect.desk import SHARED, Desk

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.gitlab.fixture import Team

STRIDE = 1 if os.environ.get("BRAIN_FAULTS") else 29


def finished(person: Desk) -> dict[str, Any]:
    """Run until nothing is left to change, and return what the project is then."""
    assert person.setup("--apply").returncode in (0, 1)
    made = person.state()
    assert not any(item["changes"] for item in person.items().values())
    return made


def like(state: dict[str, Any]) -> dict[str, Any]:
    """Return a project's state without the numbers that differ from project to project."""
    people = {"rule": {**state["rule"], "push": len(state["rule"]["push"]), "merge": len(state["rule"]["merge"])}}
    return {**state, **people, "rules": [(name, count, len(users)) for name, count, users in state["rules"]]}


def test_a_token_that_expires_in_mid_flow_stops_it_and_the_next_run_goes_on(
    paid: Team, desk: Callable[..., Desk]
) -> None:
    pm = desk(paid, "pm")
    pm.make_bot(30)
    paid.forge.fault("token_expired", verb="POST", path="/approval_rules$", times=1)
    done = pm.setup("--apply")
    paid.forge.calm()
    assert done.returncode == 5
    lines = done.stdout.splitlines()
    assert [line.partition(":")[0] for line in lines][:2] == ["done", "failed"]
    assert all(line.startswith("not done: ") for line in lines[2:])
    assert "not done: make the label memory" in lines
    assert "Token is expired" in done.stdout or "401" in done.stdout
    assert "the token in BRAIN_GITLAB_TOKEN is not valid, has expired" in done.stderr
    assert finished(pm)["rules"] == [("PM", 1, [paid.pm.id])]


def test_a_token_that_expires_while_looking_is_an_error_and_nothing_is_changed(
    team: Team, desk: Callable[..., Desk]
) -> None:
    tl = desk(team)
    before = tl.state()
    team.forge.fault("token_expired", verb="GET", path="/members/all$")
    done = tl.setup("--apply")
    assert (done.returncode, done.stdout) == (5, "")
    assert tl.state() == before


@pytest.mark.parametrize("status", [400, 403, 404, 422])
def test_one_change_that_is_refused_does_not_stop_the_others(
    team: Team, desk: Callable[..., Desk], status: int
) -> None:
    tl = desk(team)
    team.forge.fault("answer", verb="POST", path="/labels$", status=status, body={"message": f"{status} no"})
    done = tl.setup("--apply", "--json")
    assert done.returncode == 5
    found = json.loads(done.stdout)
    assert [row["change"] for row in found["failed"]] == ["make the label memory"]
    assert f"{status} no" in found["failed"][0]["error"]
    assert any(text.startswith("make the schedule") for text in found["done"])
    assert found["notTried"] == []
    assert next(row for row in found["settings"] if row["name"] == "label memory")["state"] == "wrong"


def test_a_change_that_gitlab_takes_and_does_not_make_is_told(paid: Team, desk: Callable[..., Desk]) -> None:
    pm = desk(paid, "pm")
    paid.forge.fault("answer", verb="POST", path="/approvals$", status=201, body={}, times=9)
    found = pm.facts("--apply")
    assert "rules in merge requests: fixed" in found["done"]
    item = next(row for row in found["settings"] if row["name"] == "rules in merge requests")
    assert (item["state"], item["changes"]) == ("wrong", [])
    assert item["mend"].startswith("GitLab took the change, and shows the setting as it was: the group or the instance")


def test_a_token_of_another_kind_does_not_stop_it(team: Team, desk: Callable[..., Desk]) -> None:
    team.forge.fault("answer", verb="GET", path="/personal_access_tokens/self$", status=401, body={"message": "401"})
    items = desk(team).items()
    assert items["your token"]["state"] == "cannot see"
    assert items["label memory"]["state"] == "wrong"


def test_a_refused_step_stops_those_that_follow_from_it(team: Team, desk: Callable[..., Desk]) -> None:
    tl = desk(team)
    team.forge.fault("answer", verb="POST", path="/repository/commits$", status=403, body={"message": "403 Forbidden"})
    tl.setup("--apply")
    assert tl.state()["requests"] == []


WRITES = (
    ("POST", "/labels$"), ("POST", "/approval_rules$"), ("PATCH", "/protected_branches/main$"),
    ("POST", "/pipeline_schedules$"), ("POST", "/merge_requests$"), ("POST", "/repository/commits$"),
    ("POST", "/approvals$"),
)  # fmt: skip


@pytest.mark.parametrize("fault", ["bad_gateway_after_effect", "lost_answer", "bad_gateway"])
def test_lost_answers_double_nothing(paid: Team, desk: Callable[..., Desk], fault: str) -> None:
    pm = desk(paid, "pm")
    bot = pm.make_bot(30)["user_id"]
    for verb, path in WRITES:
        paid.forge.fault(fault, verb=verb, path=path)
    done = pm.setup("--apply")
    assert done.returncode == 1, done.stdout + done.stderr
    made = pm.state()
    assert made["labels"] == ["memory"]
    assert made["rules"] == [("PM", 1, [paid.pm.id])]
    assert made["rule"] == {"push": [f"@{bot}"], "merge": [f"@{paid.pm.id}"], "force": False}
    assert (len(made["schedules"]), len(made["requests"])) == (2, 1)


def test_a_rule_taken_away_and_not_made_anew_is_made_by_the_next_run(team: Team, desk: Callable[..., Desk]) -> None:
    tl = desk(team)
    team.root.delete(f"{team.api}/protected_branches/main")
    team.root.ask("POST", f"{team.api}/protected_branches", name="main", push_access_level=30, merge_access_level=30)
    team.forge.fault("bad_gateway", verb="POST", path="/protected_branches$", times=9)
    done = tl.setup("--apply")
    team.forge.calm()
    assert done.returncode == 5
    assert "failed: protect main" in done.stdout
    assert tl.rule() is None
    assert finished(tl)["rule"] == {"push": [0], "merge": [40], "force": False}


def test_a_server_that_is_gone_half_way_is_told(team: Team, desk: Callable[..., Desk]) -> None:
    tl = desk(team)
    team.forge.fault("lost_request", verb="POST", path="/labels$", times=9)
    team.forge.fault("lost_request", verb="GET", path="", times=99, skip=40)
    done = tl.setup("--apply")
    team.forge.calm()
    assert done.returncode == 5
    assert "failed: make the label memory" in done.stdout
    assert "not done: " in done.stdout


def test_too_many_requests_are_waited_for_shortly(team: Team, desk: Callable[..., Desk]) -> None:
    team.forge.fault("too_many_requests", verb="GET", path="/labels$")
    assert desk(team).items()["label memory"]["state"] == "wrong"


def test_an_archived_project_is_told_and_not_touched(team: Team, desk: Callable[..., Desk]) -> None:
    tl = desk(team)
    team.root.ask("POST", f"{team.api}/archive")
    assert tl.items()["project"]["found"] == f"{team.path} is archived"
    done = tl.setup("--apply")
    assert (done.returncode, done.stdout) == (3, "")
    assert "is archived on GitLab" in done.stderr


def test_a_project_that_moved_is_set_up_where_it_is(team: Team, desk: Callable[..., Desk]) -> None:
    tl = desk(team)
    group = team.path.partition("/")[0]
    team.root.ask("PUT", team.api, path="renamed")
    item = tl.items()["project"]
    assert item["found"] == f"{team.path} moved to {group}/renamed"
    assert "done: make the label memory" in tl.setup("--apply").stdout


@pytest.mark.parametrize("fields", [{"default_branch": None}, {"default_branch": "main", "empty_repo": True}])
def test_an_empty_project_says_what_comes_first(
    team: Team, desk: Callable[..., Desk], fields: dict[str, object]
) -> None:
    tl = desk(team)
    team.forge.fault("answer", verb="GET", path=f"/projects/{team.path.replace('/', '%2F')}$", status=200,
                     body={"id": team.id, "path_with_namespace": team.path, **fields})  # fmt: skip
    done = tl.setup("--apply")
    assert done.returncode == 3
    assert "has no branch yet" in done.stderr


def test_without_a_token_it_says_which_to_set(team: Team, desk: Callable[..., Desk]) -> None:
    done = desk(team).setup(BRAIN_GITLAB_TOKEN="")
    assert done.returncode == 3
    assert "set BRAIN_GITLAB_TOKEN" in done.stderr


def test_names_from_the_server_act_on_no_terminal_and_leave_no_place(paid: Team, desk: Callable[..., Desk]) -> None:
    bad = "x\x1b[2J\u202e\nok          push to main: no one"
    rule = paid.root.ask("POST", f"{paid.api}/approval_rules", name=bad, approvals_required=1, user_ids=[paid.pm.id])
    assert rule["name"] == bad
    schedule = {"description": bad, "ref": "main", "cron": "0 1 * * *"}
    paid.pm.ask("POST", f"{paid.api}/pipeline_schedules", **schedule)
    levels = {"push_access_level": 30, "merge_access_level": 30}
    paid.root.ask("POST", f"{paid.api}/protected_branches", name="m*n", **levels)
    paid.root.ask("POST", f"{paid.api}/push_rule", branch_name_regex="^no\u202e/")
    person = desk(paid, "pm")
    for done in (person.setup(), person.setup("--apply"), person.program("doctor")):
        assert not {"\x1b", "\u202e"} & set(done.stdout + done.stderr)
        assert not any(line.startswith("ok          push to main: no one") for line in done.stdout.splitlines())


@pytest.mark.parametrize("name", ["pm\n* @evil", "a b", "@x @y", "-x", "ピーエム"])
def test_a_name_that_is_none_gets_into_no_file(paid: Team, desk: Callable[..., Desk], name: str) -> None:
    person = desk(paid, "tl", people=f"pm = [{json.dumps(name)}, {json.dumps(paid.pm.username)}]")
    person.setup("--apply")
    text = paid.root.get(f"{paid.api}/repository/files/.gitlab%2FCODEOWNERS/raw", params={"ref": "project-brain-setup"})
    assert f"/99.Memory/ @{paid.pm.username}\n" in text.text


@pytest.mark.parametrize("tier", ["free", "premium"])
def test_killed_at_any_request_the_next_run_completes(
    team: Team, paid: Team, desk: Callable[..., Desk], tier: str
) -> None:
    from tests.submit.test_killed import Killer

    first = team if tier == "free" else paid
    person = desk(first, "pm")
    person.make_bot(40)
    wide = {"push_access_level": 30, "merge_access_level": 30, "name": "main"}
    killer = Killer()
    with killer.process:

        def prepare(one: Team) -> Desk:
            one.root.delete(f"{one.api}/protected_branches/main")
            one.root.ask("POST", f"{one.api}/protected_branches", **wide)
            return person if one is first else desk(one, "pm")

        whole = prepare(first)
        count = killer(whole, "gitlab", "setup", "--apply")["steps"]
        wanted = like(whole.state())
        for step in range(1, count + 1, STRIDE):
            other = first.forge.team(files=SHARED)
            victim = prepare(other)
            victim.make_bot(40)
            killer(victim, "gitlab", "setup", "--apply", step=step, when=("before", "after")[step % 2])
            assert like(finished(victim)) == wanted, step
