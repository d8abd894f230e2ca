"""Approvals: advice on Free; rules, resets, patch-ids and code owners on Premium."""

from __future__ import annotations

from typing import Any

import pytest

from tests.gitlab.fixture import Team

MR = "/merge_requests/1"


def opened(team: Team, **files: str) -> str:
    team.commit("memory/T-1", files or {"a.md": "a\n"})
    team.open("memory/T-1")
    return f"{team.api}{MR}"


def approvals(team: Team) -> Any:
    return team.pm.ask("GET", f"{team.api}{MR}/approvals")


def approvers(team: Team) -> list[str]:
    return [row["user"]["name"] for row in approvals(team)["approved_by"]]


def rule(team: Team, name: str = "PM", who: str = "pm", count: int = 1, **more: Any) -> Any:
    return team.root.ask(
        "POST",
        f"{team.api}/approval_rules",
        name=name,
        approvals_required=count,
        user_ids=[team.people[who].id],
        **more,
    )


# Free


def test_free_answers_four_keys_and_anyone_approves_it(team: Team) -> None:
    opened(team)
    before = approvals(team)
    assert before == {"user_has_approved": False, "user_can_approve": True, "approved": False, "approved_by": []}
    answer = team.dev.post(f"{team.api}{MR}/approve")
    assert (answer.status_code, answer.json()["approved"], approvers(team)) == (201, True, ["DEV"])
    assert set(approvals(team)["approved_by"][0]) == {"user", "approved_at"}


def test_free_enforces_nothing(team: Team) -> None:
    opened(team)
    assert team.ready(1)["detailed_merge_status"] == "mergeable"
    assert team.pm.get(f"{team.api}{MR}/approval_state").status_code == 404
    assert team.pm.get(f"{team.api}/approvals").status_code == 404


def test_on_free_a_push_after_the_approval_goes_unnoticed(team: Team) -> None:
    opened(team)
    team.pm.ask("POST", f"{team.api}{MR}/approve")
    team.commit("memory/T-1", {"sly.md": "sly"})
    assert (approvers(team), approvals(team)["approved"]) == (["PM"], True)


def test_approving_twice_is_401_and_unapproving_nothing_404(team: Team) -> None:
    opened(team)
    assert team.pm.post(f"{team.api}{MR}/unapprove").status_code == 404
    team.pm.ask("POST", f"{team.api}{MR}/approve")
    assert (team.pm.post(f"{team.api}{MR}/approve").status_code, team.pm.post(f"{team.api}{MR}/approve").json()) == (
        401,
        {"message": "401 Unauthorized"},
    )
    team.pm.ask("POST", f"{team.api}{MR}/unapprove")
    assert approvers(team) == []


def test_a_reporter_cannot_approve_on_free(team: Team) -> None:
    opened(team)
    team.root.ask("PUT", f"{team.api}/members/{team.tl.id}", access_level=20)
    assert team.tl.post(f"{team.api}{MR}/approve").status_code == 401


def test_an_approval_can_name_the_head_it_means(team: Team) -> None:
    opened(team)
    answer = team.pm.post(f"{team.api}{MR}/approve", json={"sha": "0" * 40})
    assert answer.status_code == 409
    team.pm.ask("POST", f"{team.api}{MR}/approve", sha=team.ready(1)["sha"])


def test_a_job_token_cannot_read_approvals_nor_write(team: Team) -> None:
    opened(team)
    token = team.forge.inner.post("/job-tokens", json={"project": team.path, "user": team.pm.username}).json()["token"]
    job = {"headers": {"JOB-TOKEN": token, "PRIVATE-TOKEN": ""}}
    reads = {
        path: team.dev.get(f"{team.api}{path}", **job).status_code
        for path in (MR, "/merge_requests", f"{MR}/notes", f"{MR}/approvals")
    }
    assert reads == {MR: 200, "/merge_requests": 200, f"{MR}/notes": 200, f"{MR}/approvals": 404}
    assert team.dev.post(f"{team.api}{MR}/notes", json={"body": "x"}, **job).status_code == 401
    assert team.dev.put(f"{team.api}{MR}/merge", **job).status_code == 401


# Premium


def test_premium_shows_more_and_its_settings(paid: Team) -> None:
    opened(paid)
    shown = approvals(paid)
    assert (shown["merge_request_approvers_available"], shown["approvals_required"], shown["approved"]) == (
        True,
        0,
        True,
    )
    settings = paid.pm.ask("GET", f"{paid.api}/approvals")
    assert (settings["reset_approvals_on_push"], settings["merge_requests_author_approval"]) == (True, False)


def test_a_rule_blocks_until_its_person_approves(paid: Team) -> None:
    rule(paid)
    opened(paid)
    assert paid.ready(1)["detailed_merge_status"] == "not_approved"
    assert approvals(paid)["approval_rules_left"][0]["name"] == "PM"
    paid.tl.ask("POST", f"{paid.api}{MR}/approve")
    assert (paid.ready(1)["detailed_merge_status"], approvals(paid)["approvals_left"]) == ("not_approved", 1)
    assert paid.pm.put(f"{paid.api}{MR}/merge").status_code == 405
    paid.pm.ask("POST", f"{paid.api}{MR}/approve")
    state = paid.pm.ask("GET", f"{paid.api}{MR}/approval_state")
    assert [(row["name"], row["approved"], [one["name"] for one in row["approved_by"]]) for row in state["rules"]] == [
        ("PM", True, ["PM"])
    ]
    assert paid.pm.put(f"{paid.api}{MR}/merge").status_code == 200


def test_the_author_cannot_approve_unless_the_project_says_so(paid: Team) -> None:
    opened(paid)
    assert paid.dev.post(f"{paid.api}{MR}/approve").status_code == 401
    paid.root.ask("POST", f"{paid.api}/approvals", merge_requests_author_approval=True)
    assert paid.dev.post(f"{paid.api}{MR}/approve").status_code == 201


def test_a_rule_that_only_the_author_could_satisfy_counts_as_approved(paid: Team) -> None:
    rule(paid, who="dev")
    opened(paid)
    assert paid.ready(1)["detailed_merge_status"] == "mergeable"
    assert [row["name"] for row in approvals(paid)["invalid_approvers_rules"]] == ["PM"]


def test_committers_are_stopped_by_their_setting(paid: Team) -> None:
    opened(paid)
    paid.commit("memory/T-1", {"tl.md": "x"}, who="tl")
    paid.root.ask("POST", f"{paid.api}/approvals", merge_requests_disable_committers_approval=True)
    assert paid.tl.post(f"{paid.api}{MR}/approve").status_code == 401
    assert paid.pm.post(f"{paid.api}{MR}/approve").status_code == 201


def test_later_rules_do_not_reach_open_merge_requests(paid: Team) -> None:
    opened(paid)
    rule(paid)
    assert paid.ready(1)["detailed_merge_status"] == "mergeable"


def test_a_rule_that_asks_for_more_than_it_has_takes_other_developers(paid: Team) -> None:
    rule(paid, count=2)
    opened(paid)
    paid.pm.ask("POST", f"{paid.api}{MR}/approve")
    assert paid.ready(1)["detailed_merge_status"] == "not_approved"
    paid.tl.ask("POST", f"{paid.api}{MR}/approve")
    assert paid.ready(1)["detailed_merge_status"] == "mergeable"


def test_a_push_resets_approvals_by_default_and_says_so(paid: Team) -> None:
    paid.root.ask(
        "POST", f"{paid.api}/hooks", url="http://127.0.0.1:9/x", merge_requests_events=True, push_events=False
    )
    rule(paid)
    opened(paid)
    paid.pm.ask("POST", f"{paid.api}{MR}/approve")
    paid.commit("memory/T-1", {"b.md": "b"}, who="bot")
    assert approvers(paid) == []
    import json

    bodies = [
        json.loads(row["body"])["object_attributes"]
        for row in paid.forge.deliveries()
        if f"/{paid.path}/" in row["body"]
    ]
    assert [(row["action"], row["system"], row.get("system_action")) for row in bodies][-2:] == [
        ("unapproved", True, "approvals_reset_on_push"), ("update", False, None)]  # fmt: skip


def test_the_bot_is_not_exempt_and_a_closed_one_is_reset_too(paid: Team) -> None:
    opened(paid)
    paid.pm.ask("POST", f"{paid.api}{MR}/approve")
    paid.pm.ask("PUT", f"{paid.api}{MR}", state_event="close")
    paid.commit("memory/T-1", {"b.md": "b"}, who="bot")
    assert approvers(paid) == []


def test_a_push_that_leaves_the_diff_as_it_was_keeps_approvals(paid: Team) -> None:
    opened(paid)
    paid.pm.ask("POST", f"{paid.api}{MR}/approve")
    paid.root.delete(f"{paid.api}/protected_branches/main")
    paid.commit("main", {"far.md": "x"}, who="root")
    assert paid.dev.put(f"{paid.api}{MR}/rebase").status_code == 202
    assert approvers(paid) == ["PM"]
    paid.commit("memory/T-1", {"b.md": "b"})
    assert approvers(paid) == []


def test_without_the_setting_approvals_stay(paid: Team) -> None:
    paid.root.ask("POST", f"{paid.api}/approvals", reset_approvals_on_push=False)
    opened(paid)
    paid.pm.ask("POST", f"{paid.api}{MR}/approve")
    paid.commit("memory/T-1", {"b.md": "b"})
    assert approvers(paid) == ["PM"]


def test_the_reset_can_come_late_and_shows_as_syncing(paid: Team) -> None:
    paid.forge.set(reset_ticks=2)
    opened(paid)
    paid.pm.ask("POST", f"{paid.api}{MR}/approve")
    paid.commit("memory/T-1", {"b.md": "b"})
    assert (approvers(paid), paid.ready(1)["detailed_merge_status"]) == (["PM"], "approvals_syncing")
    assert paid.pm.put(f"{paid.api}{MR}/merge").status_code == 405
    paid.forge.clock(tick=1)
    assert approvers(paid) == ["PM"]
    paid.forge.clock(tick=1)
    assert (approvers(paid), paid.ready(1)["detailed_merge_status"]) == ([], "mergeable")


def test_an_approval_right_after_ones_own_push_is_lost_by_the_late_reset(paid: Team) -> None:
    paid.forge.set(reset_ticks=1)
    opened(paid)
    paid.pm.ask("POST", f"{paid.api}{MR}/approve")
    paid.commit("memory/T-1", {"b.md": "b"}, who="tl")
    paid.forge.clock(tick=1)
    assert approvers(paid) == []


OWNERS = "/99.Memory/ @{pm}\n!/99.Memory/MEMORY.md\n\n^[Consult]\n*.md @{tl}\n"


def owned(team: Team, *, required: bool = True) -> None:
    team.root.delete(f"{team.api}/protected_branches/main")
    text = OWNERS.format(pm=team.pm.username, tl=team.tl.username)
    team.commit("main", {".gitlab/CODEOWNERS": text}, who="root")
    team.root.ask(
        "POST",
        f"{team.api}/protected_branches",
        name="main",
        push_access_level=0,
        code_owner_approval_required=required,
    )


def test_code_owners_block_where_the_branch_says_so_and_optional_sections_do_not(paid: Team) -> None:
    owned(paid)
    opened(paid, **{"99.Memory/a.md": "a"})
    rules = paid.pm.ask("GET", f"{paid.api}{MR}/approval_state")["rules"]
    assert [(row["section"], row["name"], row["approvals_required"]) for row in rules] == [
        ("codeowners", "/99.Memory/", 1),
        ("Consult", "*.md", 0),
    ]
    assert paid.ready(1)["detailed_merge_status"] == "not_approved"
    paid.pm.ask("POST", f"{paid.api}{MR}/approve")
    assert paid.ready(1)["detailed_merge_status"] == "mergeable"


def test_an_excluded_file_has_no_owner(paid: Team) -> None:
    owned(paid)
    opened(paid, **{"99.Memory/MEMORY.md": "a"})
    rules = paid.pm.ask("GET", f"{paid.api}{MR}/approval_state")["rules"]
    assert [row["section"] for row in rules] == ["Consult"]


def test_selective_resets_spare_those_who_own_nothing_that_changed(paid: Team) -> None:
    owned(paid)
    paid.root.ask("POST", f"{paid.api}/approvals", reset_approvals_on_push=False, selective_code_owner_removals=True)
    opened(paid, **{"99.Memory/a.md": "a"})
    for who in ("pm", "bot"):
        paid.people[who].ask("POST", f"{paid.api}{MR}/approve")
    paid.commit("memory/T-1", {"99.Memory/MEMORY.md": "index"})
    assert approvers(paid) == ["PM", "BOT"]
    paid.commit("memory/T-1", {"99.Memory/b.md": "b"})
    assert approvers(paid) == ["BOT"]


@pytest.mark.parametrize(
    ("given", "field"), [({"approvals_required": 101}, "approvals_required"), ({"name": "PM"}, "name")]
)
def test_a_wrong_rule_is_400(paid: Team, given: dict[str, Any], field: str) -> None:
    rule(paid)
    fields = {"name": "Other", "approvals_required": 1, "user_ids": [], **given}
    answer = paid.root.post(f"{paid.api}/approval_rules", json=fields)
    assert (answer.status_code, list(answer.json()["message"])) == (400, [field])


def test_overriding_rules_can_be_forbidden(paid: Team) -> None:
    rule(paid)
    opened(paid)
    one = paid.dev.ask("GET", f"{paid.api}{MR}/approval_rules")[0]
    paid.root.ask("POST", f"{paid.api}/approvals", disable_overriding_approvers_per_merge_request=True)
    answer = paid.dev.put(f"{paid.api}{MR}/approval_rules/{one['id']}", json={"approvals_required": 0})
    assert answer.status_code == 403
