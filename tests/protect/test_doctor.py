"""GitLab's part of ``brain doctor``: one line where nothing can be seen, else one a setting; and what it probes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.gitlab.fixture import free_port
from tests.protect.desk import SHARED
from tests.support.repos import git

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.gitlab.fixture import Forge, Team
    from tests.protect.desk import Desk


def reach(person: Desk) -> None:
    """Make what the clone takes for the remote's main its real one, so that there is a commit the server has."""
    git(person.folder, "fetch", "-q", person.team.remote(person.who), "+refs/heads/main:refs/remotes/origin/main")


def test_each_setting_is_a_check_with_its_mend(team: Team, desk: Callable[..., Desk]) -> None:
    tl = desk(team)
    checks = tl.checks()
    assert checks["gitlab version"]["detail"] == "18.5.0-ee"
    assert checks["gitlab tier"]["detail"] == "Free"
    label = checks["gitlab label memory"]
    assert (label["state"], label["detail"]) == ("wrong", "missing; it should be: there")
    assert label["mend"] == "a Maintainer runs brain gitlab setup --apply, or Manage → Labels: make 'memory'"
    tl.setup("--apply")
    assert tl.checks()["gitlab label memory"]["state"] == "ok"


def test_looking_changes_nothing(paid: Team, desk: Callable[..., Desk]) -> None:
    pm = desk(paid, "pm")
    before = pm.state()
    pm.checks()
    assert pm.state() == before


def test_without_a_token_there_is_one_line(team: Team, desk: Callable[..., Desk]) -> None:
    (check,) = desk(team).checks(BRAIN_GITLAB_TOKEN="").values()
    assert check["state"] == "cannot see"
    assert check["detail"] == f"{team.path} on {team.forge.url}: there is no token to ask with"
    assert check["mend"].endswith("export it as BRAIN_GITLAB_TOKEN")


def test_offline_there_is_one_line(team: Team, desk: Callable[..., Desk]) -> None:
    (check,) = desk(team).checks(BRAIN_GITLAB_URL=f"http://localhost:{free_port()}").values()
    assert check["state"] == "cannot see"
    assert "network, VPN and proxy" in check["mend"]


def test_a_token_that_is_not_valid_is_wrong(team: Team, desk: Callable[..., Desk]) -> None:
    (check,) = desk(team).checks(BRAIN_GITLAB_TOKEN="glpat-not-a-token-of-ours").values()
    assert check["state"] == "wrong"
    assert "BRAIN_GITLAB_TOKEN is not valid, has expired" in check["mend"]
    assert "glpat-" not in str(check)


def test_a_server_that_is_no_gitlab_is_wrong(team: Team, desk: Callable[..., Desk]) -> None:
    (check,) = desk(team).checks(BRAIN_GITLAB_URL=f"{team.forge.url}/elsewhere").values()
    assert check["state"] == "wrong"
    assert "is no GitLab" in check["detail"]


def test_a_remote_that_is_a_folder_has_no_gitlab(team: Team, desk: Callable[..., Desk]) -> None:
    assert desk(team, remote="/srv/docs.git").checks() == {}


def test_a_project_that_moved_names_its_new_path(team: Team, desk: Callable[..., Desk]) -> None:
    tl = desk(team)
    team.root.ask("PUT", team.api, path="renamed")
    check = tl.checks()["gitlab project"]
    assert check["state"] == "wrong"
    assert f"{team.path} moved to {team.path.partition('/')[0]}/renamed" in check["detail"]
    assert tl.checks()["gitlab project"]["state"] == "wrong"  # also when its number is known


def test_an_archived_project_is_wrong(team: Team, desk: Callable[..., Desk]) -> None:
    team.root.ask("POST", f"{team.api}/archive")
    assert "archived" in desk(team).checks()["gitlab project"]["detail"]


def test_an_old_server_is_wrong(team: Team, desk: Callable[..., Desk]) -> None:
    tl = desk(team)
    team.forge.set(version="15.5.9")
    assert tl.checks()["gitlab version"]["state"] == "wrong"
    team.forge.set(version="18.5.0-ee")


def test_the_mode_on_branch_is_held_against_resets(paid: Team, desk: Callable[..., Desk]) -> None:
    pm = desk(paid, "pm", more='[review]\nfinalize = "on-branch"\n')
    check = pm.checks()["gitlab approvals after a push"]
    assert check["detail"] == "are removed; it should be: are kept"
    assert "or set review.finalize to on-main" in check["mend"]


def test_probing_answers_what_only_trying_tells(team: Team, desk: Callable[..., Desk]) -> None:
    tl = desk(team)
    reach(tl)
    team.commit("work", {"a": "a"})
    iid = team.open("work")["iid"]
    team.pm.ask("POST", f"{team.api}/merge_requests/{iid}/approve")
    team.ready(iid)
    team.pm.ask("PUT", f"{team.api}/merge_requests/{iid}/merge")
    before = git(tl.folder, "ls-remote", team.remote("tl"))
    assert not any(name.startswith("probe") for name in tl.checks())
    checks = tl.checks("--probe")
    assert {name: check["state"] for name, check in checks.items() if name.startswith("probe")} == {
        "probe approval times": "ok", "probe refs/brain/…": "ok", "probe project access tokens": "ok", "probe tier": "ok",
        "probe pipelines": "ok", "probe union merges": "cannot see", "probe delay of approval resets": "cannot see",
    }  # fmt: skip
    assert checks["probe approval times"]["detail"] == f"!{iid} says when it was approved"
    assert git(tl.folder, "ls-remote", team.remote("tl")) == before


def test_a_server_that_takes_no_refs_of_ours_is_told(team: Team, desk: Callable[..., Desk]) -> None:
    tl = desk(team)
    reach(tl)
    team.forge.fault("push_rejected")
    check = tl.checks("--probe")["probe refs/brain/…"]
    assert check["state"] == "ok"
    assert check["detail"].startswith("not taken (")
    assert check["detail"].endswith("counters of hits go to branches")


def test_probing_without_access_to_git_sees_nothing(team: Team, desk: Callable[..., Desk]) -> None:
    tl = desk(team, remote=f"ssh://git@localhost:{free_port()}/{team.path}.git")
    reach(tl)
    check = tl.checks("--probe", BRAIN_GITLAB_URL=team.forge.url, GIT_SSH_COMMAND="false")["probe refs/brain/…"]
    assert check["state"] == "cannot see"


def test_tokens_and_lifetimes_are_seen_by_administrators(team: Team, desk: Callable[..., Desk]) -> None:
    root, dev = desk(team, "root"), desk(team, "dev")
    assert root.checks("--probe")["probe project access tokens"]["detail"] == "can be made here, for at most 365 days"
    assert dev.checks("--probe")["probe project access tokens"]["state"] == "cannot see"


def test_a_premium_server_is_known_by_its_merge_requests_too(premium: Forge, desk: Callable[..., Desk]) -> None:
    team = premium.team(files=SHARED)
    team.root.ask("PUT", f"{team.api}/members/{team.dev.id}", access_level=20)
    dev = desk(team, "dev")
    assert dev.checks()["gitlab tier"]["state"] == "cannot see"
    team.commit("work", {"a": "a"}, who="pm")
    team.open("work", who="pm")
    assert dev.checks()["gitlab tier"]["detail"] == "Premium or Ultimate"
