"""Faults of the server and of the network, two runs at once, tokens (facts.md §4, part B)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.finalize.project import NOON, ONE_TIER, RETRY, STOCK, Project, draft
from tests.finalize.test_on_main import NOTHING, accepted
from tests.support.repos import git

if TYPE_CHECKING:
    from pathlib import Path


def let_the_bot_push(project: Project) -> None:
    project.ask("PATCH", "protected_branches/main", allowed_to_push=[{"access_level": 40}])


def is_final(project: Project, iid: int) -> None:
    """Hold that one commit made the memory official, and left no branch and no open merge request behind."""
    assert project.state(NOON) == ("approved", project.team.pm.username)
    assert project.bot_commits() == [f"memory: finalize !{iid}"]
    assert [name for name in project.branches() if "finalize" in name] == []
    assert project.ask("GET", "merge_requests?state=opened") == []


def test_where_the_bot_may_push_it_pushes(project: Project) -> None:
    let_the_bot_push(project)
    iid = accepted(project, {NOON: draft(NOON)})
    assert project.run().status == 0
    is_final(project, iid)
    assert len(project.ask("GET", "merge_requests?state=all")) == 2
    bot = project.team.bot
    assert git(
        project.clone, "log", "-1", "--format=%an %ae %cn", "refs/seen/main"
    ) == "BOT bot@example.com BOT".replace("bot@", f"{bot.username}@")


FAULTS = {
    "the answer to the merge is lost": {"name": "lost_answer", "verb": "PUT", "path": "/merge$"},
    "a gateway fails after the merge": {"name": "bad_gateway_after_effect", "verb": "PUT", "path": "/merge$"},
    "the answer to the creation is lost": {"name": "lost_answer", "verb": "POST", "path": "/merge_requests$"},
    "a gateway fails after the creation": {"name": "bad_gateway_after_effect", "verb": "POST", "path": "/merge_requests$"},
    "there is a merge request already": {"name": "answer", "status": 409, "body": {"message": ["Another open merge request already exists for this source branch: !3"]}, "verb": "POST", "path": "/merge_requests$", "times": 0},
    "it may not be merged yet": {"name": "merge_not_allowed"},
    "the merge fails once": {"name": "merge_failed"},
    "too many requests": {"name": "too_many_requests", "verb": "GET", "path": "/approvals$"},
    "the answer to the push is lost": {"name": "lost_answer", "verb": "POST", "path": "/git-receive-pack$"},
    "the comment's answer is lost": {"name": "server_error", "verb": "GET", "path": "/comments$"},
}  # fmt: skip


@ONE_TIER
@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_on_the_way_changes_nothing_of_the_end(project: Project, name: str) -> None:
    iid = accepted(project, {NOON: draft(NOON)})
    fault = dict(FAULTS[name])
    project.team.forge.fault(str(fault.pop("name")), **fault)
    status, _, err = project.run()
    project.team.forge.calm()
    assert status in (0, 4, 5), err
    assert project.run() == (0, "", NOTHING)
    is_final(project, iid)


@ONE_TIER
def test_the_head_moves_between_look_and_push(project: Project) -> None:
    let_the_bot_push(project)
    iid = accepted(project, {NOON: draft(NOON)})
    project.team.forge.fault("head_moved", path="refs/heads/main")
    assert project.run().status == 0
    is_final(project, iid)


@ONE_TIER
def test_mergeability_takes_a_while(project: Project) -> None:
    iid = accepted(project, {NOON: draft(NOON)})
    project.team.forge.set(settle_gets=2, settle_seconds=60.0)
    assert project.run().status == 0
    is_final(project, iid)


@ONE_TIER
def test_main_moves_while_the_bot_s_merge_request_is_open(project: Project) -> None:
    iid = accepted(project, {NOON: draft(NOON)})
    project.team.forge.fault("answer", verb="PUT", path="/merge$", status=409, body={"message": "SHA does not match"})
    assert project.run().status == 0
    is_final(project, iid)


@ONE_TIER
def test_two_runs_at_once_make_one_commit(project: Project) -> None:
    iid = accepted(project, {NOON: draft(NOON), RETRY: draft(RETRY)})
    runs = [project.start(CI_PROJECT_DIR=str(project.make_clone(f"runner-{number}"))) for number in (1, 2)]
    ends = [(run.communicate(), run.returncode) for run in runs]
    assert [status for _, status in ends] == [0, 0], ends
    is_final(project, iid)


@ONE_TIER
def test_what_a_run_that_was_killed_left_on_another_base_is_cleared_away(project: Project) -> None:
    stale = "memory/finalize-000000000000"
    project.commit(stale, {"03.Retro/x.md": "x\n"}, who="bot")
    project.team.open(stale, who="bot")
    iid = accepted(project, {NOON: draft(NOON)})
    assert project.run().status == 0
    is_final(project, iid)


@ONE_TIER
def test_a_branch_of_such_a_name_that_somebody_else_asks_to_merge_is_left_alone(project: Project) -> None:
    theirs = "memory/finalize-plans"
    project.commit(theirs, {STOCK: draft(STOCK)})
    other = int(project.team.open(theirs)["iid"])
    iid = accepted(project, {NOON: draft(NOON)})
    assert project.run().status == 0
    assert project.state(NOON) == ("approved", project.team.pm.username)
    assert project.bot_commits() == [f"memory: finalize !{iid}"]
    assert [row["iid"] for row in project.ask("GET", "merge_requests?state=opened")] == [other]
    assert [name for name in project.branches() if "finalize" in name] == [theirs]


def test_pipelines_must_succeed(project: Project) -> None:
    actions = [
        {
            "action": "create",
            "file_path": ".gitlab-ci.yml",
            "content": 'check:\n  script: ["true"]\n  rules: [{when: always}]\n',
        }
    ]
    team = project.team
    team.dev.ask(
        "POST", f"{team.api}/repository/commits", branch="ci", start_branch="main", commit_message="CI", actions=actions
    )
    project.merge(int(team.open("ci")["iid"]))
    iid = accepted(project, {NOON: draft(NOON)})
    project.ask("PUT", "", only_allow_merge_if_pipeline_succeeds=True)
    status, _, err = project.run()
    assert status == 0, err
    assert "merges when its pipeline has succeeded" in err
    assert project.state(NOON) == ("pending", "")
    again = project.run()
    assert (again.status, "merges when its pipeline has succeeded" in again.err) == (0, True)
    finish(project)
    is_final(project, iid)
    assert project.run() == (0, "", NOTHING)


def finish(project: Project) -> None:
    """Have every pipeline succeed."""
    for row in project.ask("GET", "pipelines"):
        project.team.forge.inner.post("/pipelines", json={"id": row["id"], "status": "success"})
    project.team.forge.settle()


@ONE_TIER
def test_without_a_token_it_says_which_is_missing(project: Project) -> None:
    status, out, err = project.run(BRAIN_GITLAB_TOKEN="", CI_JOB_TOKEN="glcbt-64_x")
    assert (status, out) == (3, "")
    assert err.splitlines() == [
        "brain-ci: there is only CI_JOB_TOKEN: it cannot read approvals, and a push with it starts no pipeline",
        "hint: set BRAIN_GITLAB_TOKEN, protected and masked: a project access token with the scopes api and write_repository",
    ]
    assert "and BRAIN_GITLAB_TOKEN is empty" in project.run(BRAIN_GITLAB_TOKEN="").err


@ONE_TIER
@pytest.mark.parametrize("how", [[], ["--adopt"]])
def test_a_person_s_token_finalizes_nothing_unless_settings_name_them_the_bot(project: Project, how: list[str]) -> None:
    iid = project.propose({NOON: draft(NOON)})
    project.approve(iid)
    project.merge(iid)
    before = project.branches()
    status, out, err = project.run(*how, BRAIN_GITLAB_TOKEN=project.team.pm.token)
    assert (status, out) == (3, "")
    assert f"is @{project.team.pm.username}'s, and finalize is the bot's" in err
    assert (project.state(NOON)[0], project.branches()) == ("pending", before)


@ONE_TIER
def test_what_the_runner_left_in_the_clone_does_not_win(project: Project) -> None:
    iid = accepted(project, {NOON: draft(NOON)})
    scheme, _, rest = project.team.forge.url.partition("://")
    job_token = project.team.tl.token  # it could push, too: the pusher tells who won
    git(
        project.clone,
        "remote",
        "set-url",
        "origin",
        f"{scheme}://gitlab-ci-token:{job_token}@{rest}/{project.team.path}.git",
    )
    git(project.clone, "config", "credential.helper", f"!echo username=x; echo password={job_token};:")
    assert project.run().status == 0
    is_final(project, iid)
    events = project.ask("GET", "events?action=pushed")
    assert {row["author"]["username"] for row in events if "finalize" in str(row.get("push_data"))} <= {
        project.team.bot.username
    }


@ONE_TIER
def test_a_token_that_has_expired_is_an_error_of_the_forge(project: Project) -> None:
    accepted(project, {NOON: draft(NOON)})
    status, out, err = project.run(BRAIN_GITLAB_TOKEN="glpat-no")
    assert (status, out) == (5, "")
    assert "hint: the token in BRAIN_GITLAB_TOKEN is not valid" in err


def test_a_bot_that_may_not_merge_says_so(project: Project) -> None:
    accepted(project, {NOON: draft(NOON)})
    project.ask("PUT", f"members/{project.team.bot.id}", access_level=30)
    status, _, err = project.run()
    assert (status, project.state(NOON)) == (5, ("pending", ""))
    assert "401" in err


@ONE_TIER
def test_a_shallow_clone_is_deepened(project: Project) -> None:
    first = accepted(project, {NOON: draft(NOON)})
    accepted(project, {"03.Retro/T-1.md": "nothing\n"})
    project.clone = project.make_clone("shallow", "--depth", "1")
    git(project.clone, "checkout", "-q", "--detach")
    assert project.run().status == 0
    is_final(project, first)


@ONE_TIER
def test_an_archived_project_is_said_at_once(project: Project) -> None:
    project.ask("POST", "archive")
    status, _, err = project.run()
    assert (status, "is archived on GitLab" in err) == (3, True)


@ONE_TIER
def test_a_memory_that_cannot_be_read_is_named(project: Project) -> None:
    accepted(project, {NOON: draft(NOON).replace("hits: 0", "hits: many"), STOCK: draft(STOCK)})
    status, out, _ = project.run()
    assert (status, out.splitlines()[1:]) == (
        1, [f"not final: 99.Memory/{NOON}:10: hits: is no whole number from 0"],
    )  # fmt: skip
    assert project.index() == ["mem-F004-stock"]


def test_where_the_bot_s_own_merge_request_needs_an_approval_it_says_so(paid: object, tmp_path: Path) -> None:
    project = Project(paid, tmp_path)  # type: ignore[arg-type]
    iid = accepted(project, {NOON: draft(NOON)})
    project.ask("POST", "approval_rules", name="PM", approvals_required=1, user_ids=[project.team.pm.id])
    status, _, err = project.run()
    assert (status, project.state(NOON)) == (3, ("pending", ""))
    assert "cannot be merged: not_approved" in err
    assert "let the bot push to the default branch" in err
    project.ask("PATCH", "protected_branches/main", allowed_to_push=[{"user_id": project.team.bot.id}])
    assert project.run().status == 0
    assert project.bot_commits() == [f"memory: finalize !{iid}"]
