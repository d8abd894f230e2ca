"""``brain gitlab setup`` on the stand-in: what it makes on each tier, that it does so once, and what it leaves alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.protect.desk import SHARED, Desk, name_the_package

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.gitlab.fixture import Forge, Team

Desks = "Callable[..., Desk]"
SECRET = "glpat-secret-of-the-bot-1234"
NOTE_SECRET = "glpat-secret-of-notes-5678"
SWEEP = ("Project Brain: sweep", "main", "17 * * * *", True)
WEEKLY = ("Project Brain: consolidate", "main", "23 3 * * 1", True)


def applied(person: Desk, *args: str, **env: str) -> list[str]:
    """Run ``--apply``, which must not fail, and return what it did."""
    done = person.setup("--apply", *args, **env)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    return [line.removeprefix("done: ") for line in done.stdout.splitlines() if line.startswith("done: ")]


JOBS = ("memory-lint", "memory-finalize", "memory-sweep", "memory-consolidate")


def variables(person: Desk, description: str) -> dict[str, str]:
    """Return the variables of a schedule."""
    rows = [row for row in person.get("/pipeline_schedules") if row["description"] == description]
    assert len(rows) == 1
    return {row["key"]: row["value"] for row in person.get(f"/pipeline_schedules/{rows[0]['id']}")["variables"]}


def protect(team: Team, **levels: Any) -> None:
    team.root.delete(f"{team.api}/protected_branches/main")
    team.root.ask("POST", f"{team.api}/protected_branches", name="main", **levels)


def merge_request(team: Team, iid: int) -> None:
    team.ready(iid)
    team.pm.ask("PUT", f"{team.api}/merge_requests/{iid}/merge")


def test_free_is_set_up_by_roles_and_once(team: Team, desk: Callable[..., Desk]) -> None:
    tl = desk(team)
    tl.make_bot()
    team.root.delete(f"{team.api}/protected_branches/main")
    before = tl.state()
    assert tl.setup().returncode == 1
    assert tl.state() == before  # showing changes nothing
    done = applied(tl)
    assert done[0] == "protect main: push no one; merge Maintainers; no force push"
    made = tl.state()
    assert made["rule"] == {"push": [0], "merge": [40], "force": False}
    assert made["labels"] == ["memory"]
    assert made["schedules"] == [SWEEP, WEEKLY]
    assert variables(tl, "Project Brain: consolidate") == {"BRAIN_CONSOLIDATE": "true"}
    assert variables(tl, "Project Brain: sweep") == {}
    assert [title for _, title in made["requests"]] == ["Add what GitLab reads for the project memory"]
    about = tl.get("/merge_requests")[0]["description"].splitlines()
    assert (
        about[0] == "Proposed by `brain gitlab setup`, which says of each setting what it is for. No memory is changed."
    )
    assert "- `.gitlab-ci.yml`: makes GitLab run those jobs" in about
    assert made["project"]["ci_pipeline_variables_minimum_override_role"] == "maintainer"
    assert applied(tl) == []
    assert tl.state() == made


def test_premium_names_the_bot_and_the_pm_and_once(paid: Team, desk: Callable[..., Desk]) -> None:
    pm = desk(paid, "pm")
    bot = pm.make_bot(30)
    paid.root.ask("POST", f"{paid.api}/approvals", merge_requests_disable_committers_approval=True)
    applied(pm)
    made = pm.state()
    assert made["rule"] == {"push": [f"@{bot['user_id']}"], "merge": [f"@{paid.pm.id}"], "force": False}
    assert made["rules"] == [("PM", 1, [paid.pm.id])]
    assert made["approving"] == {
        "reset_approvals_on_push": True, "merge_requests_author_approval": False,
        "merge_requests_disable_committers_approval": False, "disable_overriding_approvers_per_merge_request": True,
    }  # fmt: skip
    assert applied(pm) == []
    assert pm.state() == made


def test_ultimate_is_set_up_as_premium(premium: Forge, desk: Callable[..., Desk]) -> None:
    premium.set(tier="ultimate")
    try:
        team = premium.team(files=SHARED)
        pm = desk(team, "pm")
        bot = pm.make_bot(30)
        applied(pm)
        assert pm.rule() == {"push": [f"@{bot['user_id']}"], "merge": [f"@{team.pm.id}"], "force": False}
        assert pm.state()["rules"] == [("PM", 1, [team.pm.id])]
        assert applied(pm) == []
    finally:
        premium.set(tier="premium")


def test_the_bot_may_really_push_then_and_nobody_else(paid: Team, desk: Callable[..., Desk]) -> None:
    pm = desk(paid, "pm")
    bot = paid.forge.client(pm.make_bot(30)["token"])
    applied(pm)
    action = [{"action": "create", "file_path": "a", "content": "a"}]
    fields = {"branch": "main", "commit_message": "m", "actions": action}
    refused = paid.pm.post(f"{paid.api}/repository/commits", json=fields)
    assert refused.status_code in (400, 403)
    assert bot.post(f"{paid.api}/repository/commits", json=fields).status_code == 201


@pytest.mark.parametrize(("push", "merge"), [(30, 30), (40, 40), (0, 30), (0, 0)])
def test_roles_that_are_too_wide_or_shut_the_flow_out_are_mended_on_free(
    team: Team, desk: Callable[..., Desk], push: int, merge: int
) -> None:
    tl = desk(team)
    protect(team, push_access_level=push, merge_access_level=merge)
    assert applied(tl)[:2] == [
        "take the old protection from main (the next step makes it anew)",
        "protect main: push no one; merge Maintainers; no force push",
    ]
    assert tl.rule() == {"push": [0], "merge": [40], "force": False}


def test_a_forced_push_alone_is_switched_off_in_place(team: Team, desk: Callable[..., Desk]) -> None:
    tl = desk(team)
    protect(team, push_access_level=0, merge_access_level=40, allow_force_push=True)
    assert applied(tl)[0] == "protect main: no force push"
    assert tl.rule() == {"push": [0], "merge": [40], "force": False}


def test_on_premium_others_lose_their_place_and_those_who_have_it_keep_it(
    paid: Team, desk: Callable[..., Desk]
) -> None:
    pm = desk(paid, "pm")
    bot = pm.make_bot(30)["user_id"]
    protect(
        paid,
        allowed_to_push=[{"access_level": 40}, {"user_id": bot}, {"user_id": paid.dev.id}],
        allowed_to_merge=[{"access_level": 30}],
    )
    numbers = {row["user_id"]: row["id"] for row in pm.get("/protected_branches/main")["push_access_levels"]}
    applied(pm)
    assert pm.rule() == {"push": [f"@{bot}"], "merge": [f"@{paid.pm.id}"], "force": False}
    assert pm.get("/protected_branches/main")["push_access_levels"][0]["id"] == numbers[bot]


def test_without_a_bot_premium_lets_nobody_push_and_says_how_to_make_one(paid: Team, desk: Callable[..., Desk]) -> None:
    pm = desk(paid, "pm")
    protect(paid, push_access_level=40, merge_access_level=40)
    applied(pm)
    assert pm.rule() == {"push": [0], "merge": [f"@{paid.pm.id}"], "force": False}
    bot = pm.items()["bot"]
    assert (bot["state"], bot["changes"]) == ("wrong", [])
    assert "role Developer, scopes api and write_repository" in bot["mend"]
    assert "BRAIN_GITLAB_TOKEN" in bot["mend"]


def test_a_bot_that_is_a_user_is_named(paid: Team, desk: Callable[..., Desk]) -> None:
    pm = desk(paid, "pm")
    applied(pm, "--bot", paid.bot.username)
    assert pm.rule() == {"push": [f"@{paid.bot.id}"], "merge": [f"@{paid.pm.id}"], "force": False}
    assert pm.items(BRAIN_GITLAB_BOT=paid.bot.username)["push to main"]["state"] == "ok"
    assert pm.items("--bot", "nobody")["bot"]["found"] == "@nobody is no member"


def test_what_is_stricter_than_needed_is_left(paid: Team, desk: Callable[..., Desk]) -> None:
    pm = desk(paid, "pm", people=f'pm = ["{paid.pm.username}", "{paid.tl.username}"]')
    bot = pm.make_bot(30)["user_id"]
    protect(paid, allowed_to_push=[{"user_id": bot}], allowed_to_merge=[{"user_id": paid.pm.id}])
    users = [paid.pm.id, paid.tl.id]
    paid.root.ask("POST", f"{paid.api}/approval_rules", name="Two heads", approvals_required=2, user_ids=users)
    paid.root.ask("PUT", paid.api, merge_method="ff", ci_pipeline_variables_minimum_override_role="no_one_allowed",
                  restrict_user_defined_variables=True)  # fmt: skip
    applied(pm)
    made = pm.state()
    assert made["rule"]["merge"] == [f"@{paid.pm.id}"]
    assert made["rules"] == [("Two heads", 2, users)]
    assert made["project"]["merge_method"] == "ff"
    assert made["project"]["ci_pipeline_variables_minimum_override_role"] == "no_one_allowed"
    assert "rebases them" in pm.items()["merge method"]["why"]


def test_an_approval_rule_that_others_can_satisfy_is_mended(paid: Team, desk: Callable[..., Desk]) -> None:
    pm = desk(paid, "pm")
    users = [paid.pm.id, paid.dev.id]
    paid.root.ask("POST", f"{paid.api}/approval_rules", name="PM", approvals_required=0, user_ids=users)
    item = pm.items()["approval rule"]
    assert item["found"] == f"PM: 0 by any of @{paid.pm.username}, @{paid.dev.username}"
    applied(pm)
    assert pm.state()["rules"] == [("PM", 1, [paid.pm.id])]


def test_one_pm_is_told_to_name_a_deputy(paid: Team, desk: Callable[..., Desk]) -> None:
    assert "name a deputy" in desk(paid, "pm").items()["approval rule"]["why"]
    two = desk(paid, "tl", people=f'pm = ["{paid.pm.username}", "{paid.tl.username}"]')
    assert "deputy" not in two.items()["approval rule"]["why"]


def test_approvals_after_a_push_follow_the_mode(paid: Team, desk: Callable[..., Desk]) -> None:
    pm = desk(paid, "pm")
    applied(pm)
    assert pm.state()["approving"]["reset_approvals_on_push"] is True
    item = pm.items(BRAIN_REVIEW_FINALIZE="on-branch")["approvals after a push"]
    assert (item["state"], item["wanted"]) == ("wrong", "are kept")
    assert "review.finalize" in item["mend"]
    applied(pm, BRAIN_REVIEW_FINALIZE="on-branch")
    assert pm.state()["approving"]["reset_approvals_on_push"] is False
    assert applied(pm) == ["approvals after a push: are removed"]


def test_free_says_what_brain_enforces_itself(team: Team, desk: Callable[..., Desk]) -> None:
    items = desk(team).items()
    assert items["approvals"]["found"].startswith("Free enforces none")
    assert "finalize asks GitLab who approved and who merged" in items["approvals"]["found"]
    assert "CODEOWNERS" not in items
    assert "merge request of its own" in items["push to main"]["why"]


def test_wider_rules_beside_main_are_named(team: Team, desk: Callable[..., Desk]) -> None:
    team.root.ask("POST", f"{team.api}/protected_branches", name="ma*", push_access_level=30, merge_access_level=40)
    item = desk(team).items()["other rules for main"]
    assert item["found"] == "ma*: push Developers and Maintainers, merge Maintainers"
    assert item["changes"] == []


@pytest.mark.parametrize("pattern", ["memory/*", "*"])
def test_protected_memory_branches_would_leak_the_bots_token(
    team: Team, desk: Callable[..., Desk], pattern: str
) -> None:
    team.root.ask("POST", f"{team.api}/protected_branches", name=pattern, push_access_level=0, merge_access_level=0)
    item = desk(team).items()["memory/… branches"]
    assert (item["state"], item["found"]) == ("wrong", f"protected by {pattern}")


def test_pipelines_must_succeed_only_once_there_are_some(team: Team, desk: Callable[..., Desk]) -> None:
    tl = desk(team)
    tl.make_bot()
    applied(tl)
    items = tl.items()
    assert items["CI include"]["mend"] == items["merge request template"]["mend"] == "merge !1, which brings it"
    assert items["pipelines must succeed"]["changes"] == []
    assert tl.state()["project"]["only_allow_merge_if_pipeline_succeeds"] is False
    merge_request(team, 1)
    assert tl.items()["CI include"]["found"] == "the input package is empty, so every job stops"
    name_the_package(team)
    assert tl.items()["CI include"]["found"] == ", ".join(JOBS)
    assert applied(tl) == ["pipelines must succeed: on"]
    assert tl.state()["project"]["only_allow_merge_if_pipeline_succeeds"] is True
    assert applied(tl) == []


def test_nothing_is_changed_before_the_memory_is_on_the_default_branch(forge: Forge, desk: Callable[..., Desk]) -> None:
    tl = desk(forge.team())
    before = tl.state()
    done = tl.setup("--apply")
    assert (done.returncode, tl.state()) == (3, before)
    assert "main has no 99.Memory/brain.toml yet" in done.stderr


def test_code_owners_come_with_the_merge_request_on_premium(paid: Team, desk: Callable[..., Desk]) -> None:
    pm = desk(paid, "pm")
    applied(pm)
    merge_request(paid, 1)
    text = paid.root.get(f"{paid.api}/repository/files/.gitlab%2FCODEOWNERS/raw").text
    tl = paid.tl.username
    assert text.splitlines()[1:] == [
        "[Memory]", f"/99.Memory/ @{paid.pm.username}", "!/99.Memory/MEMORY.md", "", "^[Memory consulted]",
        f"/99.Memory/00.Shared/architecture/ @{tl}", f"/99.Memory/00.Shared/decisions/ @{tl}",
        f"/99.Memory/02.Instincts/approved/ @{tl}",
    ]  # fmt: skip
    assert pm.items()["CODEOWNERS"]["state"] == "ok"


def test_code_owners_let_the_index_be_and_ask_the_pm_for_memories(paid: Team, desk: Callable[..., Desk]) -> None:
    pm = desk(paid, "pm")
    applied(pm)
    merge_request(paid, 1)
    paid.root.ask("PATCH", f"{paid.api}/protected_branches/main", code_owner_approval_required=True)
    paid.commit("index", {"99.Memory/MEMORY.md": "index"}, who="dev")
    paid.commit("lesson", {"99.Memory/00.Shared/decisions/x.md": "text"}, who="dev")
    rules = {}
    for branch in ("index", "lesson"):
        iid = paid.open(branch)["iid"]
        found = paid.root.ask("GET", f"{paid.api}/merge_requests/{iid}/approval_state")["rules"]
        owners = [rule for rule in found if rule["code_owner"]]
        rules[branch] = [[row["username"] for row in rule["eligible_approvers"]] for rule in owners]
    assert rules["index"] == []
    assert [paid.pm.username] in rules["lesson"]


def test_a_teams_own_files_are_never_written_over(paid: Team, desk: Callable[..., Desk]) -> None:
    pm = desk(paid, "pm")
    own = {"CODEOWNERS": "* @somebody\n", ".gitlab-ci.yml": "build:\n  script: [make]\n"}
    paid.commit("own", own, who="pm")
    iid = paid.open("own", who="pm")["iid"]
    merge_request(paid, iid)
    applied(pm)
    changes = pm.get(f"/merge_requests/{iid + 1}/diffs")
    assert [row["new_path"] for row in changes] == [".gitlab/merge_request_templates/memory.md"]
    items = pm.items()
    assert items["CODEOWNERS"]["mend"].startswith("add to CODEOWNERS: [Memory] / /99.Memory/")
    assert items["CI include"]["found"] == f".gitlab-ci.yml has no {', '.join(JOBS)}"


def test_jobs_of_an_older_release_are_told_with_how_to_renew_them(team: Team, desk: Callable[..., Desk]) -> None:
    jobs = "".join(f"{job}:\n  script: [make]\n" for job in JOBS[:3])
    include = "include:\n  - local: .gitlab/project-brain.yml\n"
    team.commit("old", {".gitlab-ci.yml": include, ".gitlab/project-brain.yml": jobs}, who="pm")
    merge_request(team, team.open("old", who="pm")["iid"])
    item = desk(team).items()["CI include"]
    assert item["found"] == ".gitlab/project-brain.yml has no memory-consolidate"
    assert item["mend"].startswith("delete .gitlab/project-brain.yml, run brain init, which writes it anew")


def test_a_broken_pipeline_is_told_with_gitlabs_reason(team: Team, desk: Callable[..., Desk]) -> None:
    team.commit("own", {".gitlab-ci.yml": "include:\n  - local: gone.yml\n"}, who="pm")
    merge_request(team, team.open("own", who="pm")["iid"])
    item = desk(team).items()["CI include"]
    assert item["state"] == "wrong"
    assert "gone.yml" in item["found"]


def test_project_switches_are_turned_as_the_flow_needs_them(team: Team, desk: Callable[..., Desk]) -> None:
    tl = desk(team)
    team.root.ask("PUT", team.api, allow_merge_on_skipped_pipeline=True, remove_source_branch_after_merge=False,
                  ci_push_repository_for_job_token_allowed=True, builds_access_level="disabled",
                  squash_option="always")  # fmt: skip
    applied(tl)
    found = tl.state()["project"]
    assert found["allow_merge_on_skipped_pipeline"] is False
    assert found["remove_source_branch_after_merge"] is True
    assert found["ci_push_repository_for_job_token_allowed"] is False
    assert found["builds_access_level"] == "enabled"
    assert found["squash_option"] == "always"  # the default mode compares contents
    applied(tl, BRAIN_REVIEW_FINALIZE="on-branch")
    assert tl.state()["project"]["squash_option"] == "default_off"


def test_a_groups_label_counts(team: Team, desk: Callable[..., Desk]) -> None:
    group = team.path.partition("/")[0]
    team.root.ask("POST", f"/groups/{group}/labels", name="memory", color="#112233")
    assert desk(team).items()["label memory"]["state"] == "ok"


def test_the_variable_is_masked_and_protected_without_its_value(team: Team, desk: Callable[..., Desk]) -> None:
    tl = desk(team)
    variable = {"key": "BRAIN_GITLAB_TOKEN", "value": SECRET}
    team.root.ask("POST", f"{team.api}/variables", **variable)
    team.root.ask("POST", f"{team.api}/variables", key="BRAIN_NOTE_TOKEN", value=NOTE_SECRET, protected=True)
    shown, asked, done = tl.setup(), tl.setup("--json"), tl.setup("--apply")
    made = tl.get("/variables/BRAIN_GITLAB_TOKEN")
    assert (made["masked"], made["protected"], made["value"]) == (True, True, SECRET)
    note = tl.get("/variables/BRAIN_NOTE_TOKEN")
    assert (note["masked"], note["protected"], note["value"]) == (True, False, NOTE_SECRET)
    for secret in (SECRET, NOTE_SECRET):
        assert not any(secret in run.stdout + run.stderr for run in (shown, asked, done))
        assert not any(secret.encode() in file.read_bytes() for file in tl.folder.rglob("*") if file.is_file())


def test_a_variable_for_one_environment_alone_is_told(team: Team, desk: Callable[..., Desk]) -> None:
    fields = {"value": SECRET, "masked": True, "protected": True, "environment_scope": "production"}
    team.root.ask("POST", f"{team.api}/variables", key="BRAIN_GITLAB_TOKEN", **fields)
    item = desk(team).items()["CI variable BRAIN_GITLAB_TOKEN"]
    assert (item["found"], item["changes"]) == ("only for the environment production", [])


def test_a_schedule_is_switched_on_and_taken_over(team: Team, desk: Callable[..., Desk]) -> None:
    tl = desk(team)
    fields = {"description": "Project Brain: sweep", "ref": "main", "cron": "0 * * * *", "active": False}
    made = team.dev.ask("POST", f"{team.api}/pipeline_schedules", **fields)
    done = [text for text in applied(tl) if "sweep" in text]  # GitLab lets its owner edit it: that comes first
    sweep = "the schedule 'Project Brain: sweep'"
    assert done == [f"take ownership of {sweep}", f"switch {sweep} on, for main"]
    found = tl.get(f"/pipeline_schedules/{made['id']}")
    assert (found["active"], found["cron"], found["owner"]["username"]) == (True, "0 * * * *", team.tl.username)
    assert applied(tl) == []


def test_the_weekly_schedule_is_told_by_its_variable_and_gets_it_where_it_lacks_it(
    team: Team, desk: Callable[..., Desk]
) -> None:
    tl = desk(team)
    fields = {"ref": "main", "cron": "0 5 * * 5"}
    own = team.pm.ask("POST", f"{team.api}/pipeline_schedules", description="Friday", **fields)
    path = f"{team.api}/pipeline_schedules/{own['id']}"
    team.pm.ask("POST", f"{path}/variables", key="BRAIN_CONSOLIDATE", value="true")
    items = tl.items()
    assert (items["weekly schedule"]["state"], items["schedule"]["found"]) == ("ok", "none")
    assert items["weekly schedule"]["found"] == f"Friday, for main, of @{team.pm.username}"
    team.pm.ask("DELETE", f"{path}/variables/BRAIN_CONSOLIDATE")
    team.pm.ask("PUT", path, description="Project Brain: consolidate")
    assert tl.items()["weekly schedule"]["found"].endswith(", without BRAIN_CONSOLIDATE")
    weekly = "the schedule 'Project Brain: consolidate'"
    done = [text for text in applied(tl) if "consolidate" in text]
    assert done == [f"take ownership of {weekly}", f"give {weekly} the variable BRAIN_CONSOLIDATE"]
    assert variables(tl, "Project Brain: consolidate") == {"BRAIN_CONSOLIDATE": "true"}
    assert applied(tl) == []


def test_the_token_for_notes_is_not_the_bots(team: Team, desk: Callable[..., Desk]) -> None:
    tl = desk(team)
    for key, protected in (("BRAIN_GITLAB_TOKEN", True), ("BRAIN_NOTE_TOKEN", False)):
        fields = {"value": SECRET, "masked": True, "protected": protected}
        team.root.ask("POST", f"{team.api}/variables", key=key, **fields)
    done = tl.setup("--json")
    assert SECRET not in done.stdout + done.stderr
    item = tl.items()["CI variable BRAIN_NOTE_TOKEN"]
    assert (item["state"], item["found"]) == ("wrong", "the same token as in BRAIN_GITLAB_TOKEN")
    assert "BRAIN_NOTE_TOKEN → Edit" in item["mend"]
    team.root.ask("PUT", f"{team.api}/variables/BRAIN_NOTE_TOKEN", value="glpat-another-one-5678")
    assert tl.items()["CI variable BRAIN_NOTE_TOKEN"]["state"] == "ok"


def test_who_may_not_run_pipelines_on_main_makes_no_schedule(paid: Team, desk: Callable[..., Desk]) -> None:
    tl = desk(paid)  # on Premium only the PM and the bot may push or merge
    applied(tl)
    assert tl.state()["schedules"] == []
    assert tl.items()["schedule"]["mend"].startswith("a PM does")


def test_a_webhook_is_made_with_its_token_and_once(team: Team, desk: Callable[..., Desk]) -> None:
    tl = desk(team)
    url, secret = "https://brain.example.com/webhooks/gitlab", "hook-secret-1234"
    done = tl.setup("--apply", "--webhook", url, BRAIN_WEBHOOK_TOKEN=secret)
    assert f"done: make the webhook to {url}" in done.stdout
    assert secret not in done.stdout + done.stderr
    assert tl.state()["hooks"] == [(url, True)]
    assert applied(tl, "--webhook", url, BRAIN_WEBHOOK_TOKEN=secret) == []
    hook = tl.get("/hooks")[0]["id"]
    team.root.ask("PUT", f"{team.api}/hooks/{hook}", merge_requests_events=False, push_events=False,
                  enable_ssl_verification=False)  # fmt: skip
    assert applied(tl) == [f"webhook {url}: merge request events and push events and SSL verification on"]
    assert tl.items()["webhook"]["state"] == "ok"


@pytest.mark.parametrize(
    ("url", "env", "said"),
    [
        ("https://brain.example.com/hook", {}, "BRAIN_WEBHOOK_TOKEN is not set"),
        ("https://u:hunter2@brain.example.com/hook", {"BRAIN_WEBHOOK_TOKEN": "x"}, "must hold no secret"),
        ("https://brain.example.com/hook?token=hunter2", {"BRAIN_WEBHOOK_TOKEN": "x"}, "must hold no secret"),
        ("brain.example.com", {"BRAIN_WEBHOOK_TOKEN": "x"}, "that is no web address"),
        ("http://[oops/hook", {"BRAIN_WEBHOOK_TOKEN": "x"}, "that is no web address"),
    ],
)
def test_a_webhook_that_cannot_be_right_is_refused(
    team: Team, desk: Callable[..., Desk], url: str, env: dict[str, str], said: str
) -> None:
    done = desk(team).setup("--webhook", url, **env)
    assert done.returncode == 3
    assert said in done.stderr
    assert "hunter2" not in done.stderr


def test_how_finalize_reaches_main_is_said_for_each_tier(team: Team, paid: Team, desk: Callable[..., Desk]) -> None:
    for one, words in ((team, "a merge request of its own, merged at once by @"), (paid, "it pushes as @")):
        pm = desk(one, "pm")
        assert "finalize's way to main" not in pm.items()
        pm.make_bot()
        assert pm.items()["finalize's way to main"]["found"].startswith(words)


@pytest.mark.parametrize(
    ("field", "text", "state"),
    [
        ("branch_name_regex", "^(feature|fix)/", "wrong"),
        ("branch_name_regex", "^(feature|memory)/", "ok"),
        ("branch_name_regex", "^(a+)+$", "ok"),
        ("commit_message_regex", "^[A-Z]+-[0-9]+: ", "wrong"),
        ("commit_message_negative_regex", "memory", "wrong"),
        ("author_email_regex", "@example\\.org$", "wrong"),
        ("reject_unsigned_commits", True, "wrong"),
    ],
)
def test_push_rules_that_refuse_our_branches_or_commits_are_told(
    paid: Team, desk: Callable[..., Desk], field: str, text: object, state: str
) -> None:
    paid.root.ask("POST", f"{paid.api}/push_rule", **{field: text})
    item = desk(paid).items()["push rules"]
    assert (item["state"], item["changes"]) == (state, [])
