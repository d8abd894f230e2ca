"""Whose approval counts, on the stand-in (facts.md §0.3, §3, part B)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.finalize.project import NOON, ONE_TIER, STOCK, draft
from tests.support.repos import ROOT

if TYPE_CHECKING:
    from tests.finalize.project import Project

WAITS = ("pending", "")


def settings(project: Project, *names: str) -> str:
    """Return brain.toml with these people as PMs."""
    return f"[people]\npm = {[project.team.people[name].username for name in names]!r}\n".replace("'", '"')


def said(project: Project, iid: int, why: str) -> None:
    """Hold that a run leaves the memory pending, and says why."""
    status, out, _ = project.run()
    assert (status, out) == (1, f"not final: !{iid} {NOON} stays pending: {why}\n")
    assert (project.state(NOON), project.index()) == (WAITS, [])


def test_on_free_a_pm_who_merges_approves_and_on_premium_that_is_no_approval(project: Project) -> None:
    iid = project.propose({NOON: draft(NOON)})
    project.merge(iid, who="pm")
    if project.tier == "free":
        assert project.run().status == 0
        assert project.state(NOON) == ("approved", project.team.pm.username)
    else:
        said(project, iid, "no PM approved it")


def test_on_free_a_pm_who_merges_approves_the_head_that_is_merged(project: Project) -> None:
    iid = project.propose({NOON: draft(NOON)})
    project.approve(iid)
    project.commit(f"memory/T-{project.count}", {NOON: draft(NOON, "Never retry.\n\n**Apply:** stop.")})
    project.merge(iid, who="pm")
    if project.tier == "free":
        assert project.run().status == 0
        assert "Never retry." in project.file(NOON)
    else:
        said(project, iid, f"changed after the approval: {NOON}")


def test_an_approval_by_someone_who_is_no_pm(project: Project) -> None:
    iid = project.propose({NOON: draft(NOON)})
    project.approve(iid, who="tl")
    project.merge(iid, who="tl")
    said(project, iid, f"approved by {project.team.tl.username}, who is not in people.pm")


def test_the_author_approves_their_own_and_a_deputy_does(project: Project) -> None:
    project.team.root.post(f"{project.team.api}/approvals", json={"merge_requests_author_approval": True})
    iid = project.propose({NOON: draft(NOON)}, who="pm")
    project.approve(iid, who="pm")
    project.merge(iid, who="pm")
    said(project, iid, f"its author approved it: {project.team.pm.username}")
    settled = project.propose({"brain.toml": settings(project, "pm", "tl")})
    project.approve(settled)
    project.merge(settled)
    other = project.propose({STOCK: draft(STOCK)}, who="pm")
    project.approve(other, who="pm")
    project.approve(other, who="tl")
    project.merge(other, who="pm")
    project.run()
    assert project.state(STOCK) == ("approved", project.team.tl.username)


def test_a_pm_who_left_the_project(project: Project) -> None:
    iid = project.propose({NOON: draft(NOON)})
    project.approve(iid)
    project.merge(iid, who="tl")
    project.team.root.delete(f"{project.team.api}/members/{project.team.pm.id}")
    name = project.team.pm.username
    said(project, iid, f"the PM who approved it is no member of the project any more: {name}")


def test_a_pm_who_is_blocked(project: Project) -> None:
    iid = project.propose({NOON: draft(NOON)})
    project.approve(iid)
    project.merge(iid, who="tl")
    project.team.root.ask("POST", f"/users/{project.team.pm.id}/block")
    said(project, iid, f"the PM who approved it is blocked: {project.team.pm.username}")


def test_a_bot_that_is_named_as_a_pm(project: Project) -> None:
    settled = project.propose({"brain.toml": settings(project, "pm", "bot")})
    project.approve(settled)
    project.merge(settled)
    iid = project.propose({NOON: draft(NOON)})
    project.approve(iid, who="bot")
    project.merge(iid, who="bot")
    said(project, iid, f"approved by a bot: {project.team.bot.username}")


def test_a_merge_request_from_a_fork(project: Project) -> None:
    team = project.team
    fork = team.dev.ask("POST", f"{team.api}/fork", path="fork", namespace_path=team.dev.username)
    team.forge.settle()
    actions = [{"action": "create", "file_path": f"{ROOT}/{NOON}", "content": draft(NOON)}]
    team.dev.ask(
        "POST", f"/projects/{fork['id']}/repository/commits", branch="memory/fork", start_branch="main",
        commit_message="Work", actions=actions,
    )  # fmt: skip
    iid = team.dev.ask(
        "POST", f"/projects/{fork['id']}/merge_requests", source_branch="memory/fork", target_branch="main",
        target_project_id=team.id, title="From outside",
    )["iid"]  # fmt: skip
    project.approve(iid)
    project.merge(iid)
    said(project, iid, "the merge request comes from a fork")


def test_a_merge_request_that_names_its_author_as_pm_gains_nothing(project: Project) -> None:
    iid = project.propose({NOON: draft(NOON), "brain.toml": settings(project, "tl")}, who="dev")
    project.approve(iid, who="tl")
    project.merge(iid, who="tl")
    for _ in range(2):
        status, out, _ = project.run()
        why = f"approved by {project.team.tl.username}, who is not in people.pm"
        assert (status, out.splitlines()) == (1, [
            f"not final: !{iid} {NOON} stays pending: {why}",
            f"not final: !{iid} brain.toml does not count: the PMs before it stay in force: {why}",
        ])  # fmt: skip
    later = project.propose({STOCK: draft(STOCK)})
    project.approve(later, who="tl")
    project.merge(later, who="tl")
    assert project.run().status == 1
    assert project.state(STOCK) == WAITS


def test_pms_that_a_pm_approved_are_in_force(project: Project) -> None:
    iid = project.propose({"brain.toml": settings(project, "tl")})
    project.approve(iid, who="pm")
    project.merge(iid, who="tl")
    later = project.propose({STOCK: draft(STOCK)})
    project.approve(later, who="tl")
    project.merge(later, who="tl")
    assert project.run().status == 0
    assert project.state(STOCK) == ("approved", project.team.tl.username)


@ONE_TIER
def test_an_environment_that_names_pms_is_not_listened_to(project: Project) -> None:
    iid = project.propose({NOON: draft(NOON)})
    project.approve(iid, who="tl")
    project.merge(iid, who="tl")
    assert project.run(BRAIN_PEOPLE_PM=project.team.tl.username).status == 1
    assert project.state(NOON) == WAITS


@ONE_TIER
@pytest.mark.parametrize(
    ("language", "words"),
    [("vi", "vẫn ở trạng thái chờ duyệt: chưa có PM nào duyệt"), ("ja", "承認待ちのままです: PMの承認がありません")],
)
def test_the_note_is_in_the_team_s_language(project: Project, language: str, words: str) -> None:
    text = settings(project, "pm") + f'[review]\nlanguage = "{language}"\n'
    iid = project.propose({NOON: draft(NOON), "brain.toml": text})
    project.merge(iid, who="tl")
    assert project.run().status == 1
    assert f"- `{NOON}` {words}" in project.notes(iid)[0]


def test_a_merge_request_that_is_given_another_target_after_the_approval(project: Project) -> None:
    """Against the other branch, the PM saw one file; against main there are two."""
    project.commit("memory/below", {STOCK: draft(STOCK)})
    project.commit("memory/above", {NOON: draft(NOON)}, start="memory/below")
    team = project.team
    iid = team.dev.ask(
        "POST", f"{team.api}/merge_requests", source_branch="memory/above", target_branch="memory/below", title="Small"
    )["iid"]  # fmt: skip
    project.approve(iid)
    team.dev.ask("PUT", f"{team.api}/merge_requests/{iid}", target_branch="main")
    project.merge(iid, who="tl")
    assert project.run().status == 1
    assert (project.state(NOON), project.state(STOCK)) == (WAITS, WAITS)
