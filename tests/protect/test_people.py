"""The people: named ones exist and may do what they are named for, others cannot get round them, tokens last."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.gitlab.fixture import Team
    from tests.protect.desk import Desk


def member(team: Team, who: str, level: int) -> None:
    team.root.ask("PUT", f"{team.api}/members/{team.people[who].id}", access_level=level)


def test_a_name_that_nobody_has_is_wrong(team: Team, desk: Callable[..., Desk]) -> None:
    item = desk(team, people='pm = ["no-such-one"]\nqa = [""]').items()["pm @no-such-one"]
    assert (item["found"], item["mend"]) == (
        "there is no such user on this server",
        "mend the name in brain.toml, people",
    )


def test_a_user_who_is_no_member_is_invited_by_a_person(team: Team, desk: Callable[..., Desk]) -> None:
    stranger = team.forge.person("stranger")
    item = desk(team, people=f'pm = ["{stranger.username}"]').items()["pm @stranger"]
    assert (item["found"], item["mend"]) == (
        "is no member of this project",
        "Manage → Members: invite them as Maintainer",
    )


def test_names_are_found_in_any_case(team: Team, desk: Callable[..., Desk]) -> None:
    name = team.pm.username.upper()
    assert desk(team, people=f'pm = ["{name}"]').items()[f"pm @{name}"]["state"] == "ok"


def test_a_pm_needs_to_merge_on_free_and_to_approve_on_premium(
    team: Team, paid: Team, desk: Callable[..., Desk]
) -> None:
    for one, wanted in ((team, "Maintainer"), (paid, "Developer")):
        member(one, "pm", 20)
        item = desk(one).items()[f"pm @{one.pm.username}"]
        assert (item["found"], item["wanted"]) == ("Reporter", f"an active member, {wanted} at least")
    member(paid, "pm", 30)
    assert desk(paid, "pm").items()[f"pm @{paid.pm.username}"]["state"] == "ok"
    member(team, "pm", 30)
    assert "only Maintainers can merge" in desk(team, "pm").items()[f"pm @{team.pm.username}"]["why"]


def test_a_blocked_pm_is_wrong_and_in_no_rule(paid: Team, desk: Callable[..., Desk]) -> None:
    paid.root.ask("POST", f"/users/{paid.pm.id}/block")
    tl = desk(paid, people=f'pm = ["{paid.pm.username}", "{paid.tl.username}"]')
    items = tl.items()
    assert items[f"pm @{paid.pm.username}"]["found"] == "the account is blocked"
    assert items["approval rule"]["wanted"] == f"1 approval by @{paid.tl.username}"


def test_a_membership_that_ends_soon_is_told(team: Team, desk: Callable[..., Desk]) -> None:
    path = f"{team.api}/members/{team.tl.id}"
    team.root.ask("PUT", path, access_level=40, expires_at="2030-05-10")
    tl = desk(team, "pm")
    name = f"tl @{team.tl.username}"
    assert tl.items(BRAIN_NOW="2030-04-20")[name]["state"] == "ok"
    assert tl.items(BRAIN_NOW="2030-05-01")[name]["found"] == "Maintainer, until 2030-05-10"


def test_no_pm_at_all_is_wrong(paid: Team, desk: Callable[..., Desk]) -> None:
    items = desk(paid, people=f'tl = ["{paid.tl.username}"]').items()
    assert (items["pm"]["state"], items["pm"]["found"]) == ("wrong", "nobody is named")
    assert items[f"tl @{paid.tl.username}"]["state"] == "ok"
    assert items["approval rule"]["found"] == "no PM is known who could approve"
    assert (items["merge into main"]["state"], items["merge into main"]["found"]) == ("ok", "Maintainers")
    assert items["CODEOWNERS"]["found"] == "no PM is named"


def test_other_maintainers_are_listed_on_free_alone(team: Team, paid: Team, desk: Callable[..., Desk]) -> None:
    item = desk(team, "pm").items()["other Maintainers"]
    assert item["found"] == f"@{team.bot.username} (Maintainer), @{team.tl.username} (Maintainer)"
    assert "stays pending" in item["why"]
    assert item["why"].endswith("Owners are not counted, for no setting keeps them out: @root (Owner).")
    assert "other Maintainers" not in desk(paid, "pm").items()
    member(team, "tl", 30)
    member(team, "bot", 30)
    item = desk(team, "root").items()["other Maintainers"]
    assert (item["state"], item["found"]) == ("ok", "none, but for @root (Owner)")


def test_owners_of_the_group_are_told_and_are_nothing_to_mend(team: Team, desk: Callable[..., Desk]) -> None:
    boss = team.forge.person(f"boss{team.id}")
    group = team.path.rpartition("/")[0]
    team.root.ask("POST", f"/groups/{team.forge.group(group)}/members", user_id=boss.id, access_level=50)
    member(team, "tl", 30)
    member(team, "bot", 30)
    item = desk(team, "root").items()["other Maintainers"]
    assert (item["state"], item["found"]) == ("ok", f"none, but for @{boss.username} (Owner), @root (Owner)")


def test_the_bot_needs_its_role_for_the_tier(team: Team, paid: Team, desk: Callable[..., Desk]) -> None:
    low, high = desk(team, "pm"), desk(paid, "pm")
    low.make_bot(30)
    high.make_bot(30)
    item = low.items()["bot"]
    assert (item["state"], item["wanted"]) == ("wrong", "Maintainer at least")
    assert high.items()["bot"]["state"] == "ok"


def test_how_a_token_is_stored_fits_whether_there_is_a_variable(team: Team, desk: Callable[..., Desk]) -> None:
    tl = desk(team)
    assert "Variables → Add variable: key BRAIN_GITLAB_TOKEN" in tl.items()["bot"]["mend"]
    fields = {"key": "BRAIN_GITLAB_TOKEN", "value": "glpat-gone-1234", "masked": True, "protected": True}
    team.root.ask("POST", f"{team.api}/variables", **fields)
    mend = tl.items()["bot"]["mend"]
    assert "Variables → BRAIN_GITLAB_TOKEN → Edit" in mend
    assert "Add variable" not in mend


@pytest.mark.parametrize(
    ("today", "state", "said"),
    [("2027-01-10", "ok", ""), ("2027-01-17", "wrong", "ends soon"), ("2027-02-05", "wrong", "has expired")],
)
def test_the_bots_token_is_watched(team: Team, desk: Callable[..., Desk], today: str, state: str, said: str) -> None:
    pm = desk(team, "pm")
    pm.make_bot(expires_at="2027-01-31")
    item = pm.items(BRAIN_NOW=today)["the bot's token"]
    assert item["state"] == state
    assert said in item["found"]


def test_scopes_that_are_missing_are_told(team: Team, desk: Callable[..., Desk]) -> None:
    pm = desk(team, "pm")
    pm.make_bot(scopes=["read_api"])
    reader = team.forge.inner.post("/users", json={"username": team.pm.username, "scopes": ["read_api"]}).json()
    items = pm.items(BRAIN_GITLAB_TOKEN=reader["token"])
    assert items["the bot's token"]["wanted"] == "scopes api, write_repository"
    assert (items["your token"]["state"], items["your token"]["wanted"]) == ("wrong", "scopes api")


def test_a_developer_sees_what_there_is_to_see_and_can_change_nothing(team: Team, desk: Callable[..., Desk]) -> None:
    desk(team, "pm").make_bot()
    dev = desk(team, "dev")
    items = dev.items()
    hidden = {name for name, item in items.items() if item["state"] == "cannot see"}
    assert hidden == {"bot", "CI variable BRAIN_GITLAB_TOKEN", "CI variable BRAIN_NOTE_TOKEN"}
    assert items["push to main"]["state"] == "ok"
    assert "project_" not in items["other Maintainers"]["found"]
    before = dev.state()
    done = dev.setup("--apply")
    assert (done.returncode, done.stdout) == (3, "")
    assert "is Developer in" in done.stderr
    assert dev.state() == before


def test_a_developer_on_premium_is_not_told_to_shut_out_a_bot_that_they_cannot_see(
    paid: Team, desk: Callable[..., Desk]
) -> None:
    pm = desk(paid, "pm")
    bot = pm.make_bot(30)
    pm.setup("--apply")
    item = desk(paid, "dev").items()["push to main"]
    name = next(row["username"] for row in pm.get("/members/all") if row["id"] == bot["user_id"])
    assert (item["state"], item["found"]) == ("cannot see", f"@{name}; whether that is the bot is not shown to you")
    assert pm.items()["push to main"]["state"] == "ok"


def test_a_reporter_on_premium_sees_less_and_nothing_breaks(paid: Team, desk: Callable[..., Desk]) -> None:
    member(paid, "dev", 20)
    items = desk(paid, "dev").items()
    assert {items[name]["state"] for name in ("tier", "protection of main", "approvals")} == {"cannot see"}


def test_a_stranger_cannot_see_the_project(team: Team, desk: Callable[..., Desk]) -> None:
    stranger = team.forge.person("outsider")
    done = desk(team).setup(BRAIN_GITLAB_TOKEN=stranger.token)
    assert done.returncode == 5
    assert "there is no project" in done.stderr
