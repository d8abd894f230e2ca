"""Finalize before the merge (``review.finalize = "on-branch"``), on the stand-in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.finalize.project import BODY, NOON, RETRY, STOCK, Project, draft
from tests.finalize.test_on_main import NOTHING
from tests.finalize.test_removal import proposed
from tests.support.repos import memory_text

if TYPE_CHECKING:
    from pathlib import Path

MODE = {"finalize": "on-branch"}
AGAIN = "approve once more, or set review.finalize to"


@pytest.fixture(params=["free", "premium"])
def project(request: pytest.FixtureRequest, tmp_path: Path) -> Project:
    """Return a project in that mode; on Premium a push takes no approval back."""
    team = request.getfixturevalue("team" if request.param == "free" else "paid")
    if request.param == "premium":
        team.root.ask("POST", f"{team.api}/approvals", reset_approvals_on_push=False)
    return Project(team, tmp_path, **MODE)


@pytest.fixture
def resetting(paid: object, tmp_path: Path) -> Project:
    """Return a project on Premium as set up there: a PM must approve, a push takes that back, the bot may push."""
    made = Project(paid, tmp_path, **MODE)  # type: ignore[arg-type]
    made.ask("PATCH", "protected_branches/main", allowed_to_push=[{"user_id": made.team.bot.id}])
    made.ask("POST", "approval_rules", name="PM", approvals_required=1, user_ids=[made.team.pm.id])
    return made


def state_of(project: Project, iid: int) -> str:
    return str(project.ask("GET", f"merge_requests/{iid}")["state"])


def test_what_the_pm_approved_is_finalized_and_merged(project: Project) -> None:
    pm = project.team.pm.username
    iid = project.propose({NOON: draft(NOON)})
    waiting = project.propose({STOCK: draft(STOCK)})
    assert project.run() == (0, "", NOTHING)
    project.approve(iid)
    status, out, _ = project.run()
    assert (status, out.splitlines()[0].split(" at ")[0]) == (0, f"merge: !{iid}")
    assert (state_of(project, iid), state_of(project, waiting)) == ("merged", "opened")
    assert project.file(NOON) == memory_text(NOON, reviewed_by=pm)
    assert project.index() == ["mem-F003-noon"]
    assert project.bot_commits() == ["memory: rebuild the index", f"memory: finalize !{iid}"]
    assert project.run() == (0, "", NOTHING)
    assert project.run("--check").status == 0


def test_approve_finalize_approve_again_gives_exactly_one_commit(resetting: Project) -> None:
    project = resetting
    iid = project.propose({NOON: draft(NOON)})
    project.approve(iid)
    status, out, _ = project.run()
    assert (status, AGAIN in out) == (1, True)
    head = project.ask("GET", f"merge_requests/{iid}")["sha"]
    (note,) = project.notes(iid)
    assert AGAIN in note
    for _ in range(2):
        assert project.run() == (0, "", NOTHING)
        assert project.ask("GET", f"merge_requests/{iid}")["sha"] == head
    project.approve(iid)
    assert project.run().status == 0
    assert state_of(project, iid) == "merged"
    assert project.notes(iid) == ["<!-- brain:finalize -->\nFinal: it was merged as a PM approved it."]
    assert project.state(NOON) == ("approved", project.team.pm.username)
    assert project.bot_commits().count(f"memory: finalize !{iid}") == 1


def test_approvals_that_fall_late_are_seen(resetting: Project) -> None:
    project = resetting
    project.team.forge.set(reset_ticks=1)
    iid = project.propose({NOON: draft(NOON)})
    project.approve(iid)
    head = project.ask("GET", f"merge_requests/{iid}")["sha"]
    run = project.start()
    while run.poll() is None and project.ask("GET", f"merge_requests/{iid}")["sha"] == head:
        pass
    assert project.ask("GET", f"merge_requests/{iid}")["detailed_merge_status"] == "approvals_syncing"
    project.team.forge.clock(tick=1)
    out, _ = run.communicate()
    assert (run.returncode, AGAIN in out, state_of(project, iid)) == (1, True, "opened")
    assert project.run() == (0, "", NOTHING)
    project.approve(iid)
    assert project.run().status == 0
    assert state_of(project, iid) == "merged"


def test_approve_then_developer_pushes(project: Project) -> None:
    iid = project.propose({NOON: draft(NOON)})
    project.approve(iid)
    project.commit(f"memory/T-{project.count}", {NOON: draft(NOON, BODY + " Always.")})
    status, out, _ = project.run()
    assert (status, f"is not finalized: changed after the approval: {NOON}" in out) == (1, True)
    assert (state_of(project, iid), project.bot_commits()) == ("opened", [])
    assert NOON in project.notes(iid)[0]


def test_a_developer_pushes_onto_the_finalize_commit(resetting: Project) -> None:
    project = resetting
    iid = project.propose({NOON: draft(NOON)})
    project.approve(iid)
    project.run()
    final = project.file(NOON, f"memory/T-{project.count}")
    project.commit(f"memory/T-{project.count}", {NOON: final.replace("twice", "for ever")})
    assert project.run() == (0, "", NOTHING)
    assert state_of(project, iid) == "opened"


def test_two_merge_requests_and_a_removal_never_conflict_over_the_index(project: Project) -> None:
    first, second = project.propose({NOON: draft(NOON)}), project.propose({RETRY: draft(RETRY)})
    for iid in (second, first):
        project.approve(iid)
    assert project.run().status == 0
    assert project.index() == ["mem-F003-noon", "mem-F003-retry"]
    removal = project.propose({NOON: proposed(project.file(NOON))})
    project.approve(removal)
    assert project.run().status == 0
    assert (project.file(NOON), project.index()) == ("", ["mem-F003-retry"])
    assert "status: deprecated" in project.file(f"_deprecated/{NOON}")
    assert project.run() == (0, "", NOTHING)


def test_one_merge_request_alone_in_its_own_pipeline(project: Project) -> None:
    one, other = project.propose({NOON: draft(NOON)}), project.propose({STOCK: draft(STOCK)})
    for iid in (one, other):
        project.approve(iid)
    status, _, err = project.run(CI_MERGE_REQUEST_IID=str(one))
    assert (status, err) == (0, "brain-ci: the default branch is left to its own pipeline\n")
    assert (state_of(project, one), state_of(project, other)) == ("merged", "opened")


def test_a_branch_that_names_its_author_as_pm_gains_nothing(project: Project) -> None:
    dev = project.team.dev.username
    toml = f'[people]\npm = ["{dev}", "{project.team.tl.username}"]\n[review]\nfinalize = "on-branch"\n'
    iid = project.propose({NOON: draft(NOON), "brain.toml": toml})
    project.approve(iid, who="tl")
    assert project.run(CI_MERGE_REQUEST_IID=str(iid), CI_COMMIT_REF_NAME=f"memory/T-{project.count}").status == 0
    assert (state_of(project, iid), project.bot_commits()) == ("opened", [])


def test_what_conflicts_with_the_default_branch_is_said_and_the_others_go_on(project: Project) -> None:
    bad, good = project.propose({NOON: draft(NOON)}), project.propose({STOCK: draft(STOCK)})
    rival = project.propose({NOON: draft(NOON, "Never.\n\n**Apply:** stop.")})
    for iid in (rival, bad, good):
        project.approve(iid)
    project.merge(rival)
    status, out, _ = project.run()
    assert (status, state_of(project, bad), state_of(project, good)) == (1, "opened", "merged")
    assert f"not final: !{bad} memory(2) is not finalized: conflict" in out


def test_in_the_other_mode_an_open_merge_request_is_left_alone(project: Project) -> None:
    toml = f'[people]\npm = ["{project.team.pm.username}"]\n'
    settled = project.propose({"brain.toml": toml})
    project.merge(settled)
    iid = project.propose({NOON: draft(NOON)})
    project.approve(iid)
    assert project.run(CI_MERGE_REQUEST_IID=str(iid)).status == 0
    assert project.run() == (0, "", NOTHING)
    assert state_of(project, iid) == "opened"


def test_what_changes_other_files_is_left_to_people(project: Project) -> None:
    iid = project.propose({NOON: draft(NOON)})
    project.approve(iid)
    actions = [{"action": "create", "file_path": ".gitlab-ci.yml", "content": "evil: {script: [env]}\n"}]
    team, branch = project.team, f"memory/T-{project.count}"
    team.dev.ask("POST", f"{team.api}/repository/commits", branch=branch, commit_message="CI", actions=actions)
    status, out, _ = project.run()
    assert (status, state_of(project, iid)) == (1, "opened")
    assert "it changes what is no memory, and is left to people: .gitlab-ci.yml" in out
