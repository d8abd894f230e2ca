"""Merge requests: opening, mergeability, the order of refusals when merging, squash, templates, rebase."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.gitlab.conftest import Git
from tests.gitlab.fixture import Forge, Team


def status(team: Team, iid: int = 1) -> str:
    return str(team.pm.ask("GET", f"{team.api}/merge_requests/{iid}")["detailed_merge_status"])


def merge(team: Team, who: str = "pm", iid: int = 1, **how: Any) -> tuple[int, Any]:
    answer = team.people[who].put(f"{team.api}/merge_requests/{iid}/merge", json=how)
    return answer.status_code, answer.json()


def opened(team: Team, branch: str = "memory/T-1", **more: Any) -> Any:
    team.commit(branch, {f"{branch.replace('/', '-')}.md": f"{branch}\n"}, message=f"Add {branch}")
    return team.open(branch, **more)


def message(team: Team, sha: str) -> str:
    return str(team.dev.ask("GET", f"{team.api}/repository/commits/{sha}")["message"])


def test_a_second_open_one_is_409_and_its_message_a_list(team: Team) -> None:
    opened(team)
    answer = team.dev.post(
        f"{team.api}/merge_requests", json={"source_branch": "memory/T-1", "target_branch": "main", "title": "again"}
    )
    assert (answer.status_code, answer.json()) == (
        409,
        {"message": ["Another open merge request already exists for this source branch: !1"]},
    )


def test_missing_and_equal_branches_are_422(team: Team) -> None:
    for source, told in (
        ("nowhere", 'Source branch "nowhere" does not exist'),
        ("main", "You can't use same project/branch for source and target"),
    ):
        answer = team.dev.post(
            f"{team.api}/merge_requests", json={"source_branch": source, "target_branch": "main", "title": "x"}
        )
        assert (answer.status_code, answer.json()) == (422, {"message": [told]})


def test_missing_parameters_are_named_together(team: Team) -> None:
    answer = team.dev.post(f"{team.api}/merge_requests", json={"title": "x"})
    assert (answer.status_code, answer.json()) == (400, {"error": "source_branch is missing, target_branch is missing"})


def test_a_reporter_may_not_open_one(team: Team) -> None:
    team.commit("memory/T-1", {"a": "a"})
    team.root.ask("PUT", f"{team.api}/members/{team.dev.id}", access_level=20)
    answer = team.dev.post(
        f"{team.api}/merge_requests", json={"source_branch": "memory/T-1", "target_branch": "main", "title": "x"}
    )
    assert (answer.status_code, answer.json()) == (403, {"message": "403 Forbidden"})


def test_free_keeps_one_reviewer_and_one_assignee_and_premium_all(team: Team, paid: Team) -> None:
    for one, count in ((team, 1), (paid, 2)):
        ids = [one.tl.id, one.pm.id]
        mr = opened(one, reviewer_ids=ids, assignee_ids=ids)
        assert [row["id"] for row in mr["reviewers"]] == ids[-count:]
        assert [row["id"] for row in mr["assignees"]] == ids[-count:]


def test_labels_are_made_replaced_added_and_removed(team: Team) -> None:
    opened(team, labels="memory,a")
    assert {row["name"] for row in team.dev.ask("GET", f"{team.api}/labels")} == {"a", "memory"}
    for change, left in (
        ({"add_labels": "b"}, ["a", "b", "memory"]),
        ({"remove_labels": "a,b"}, ["memory"]),
        ({"labels": ["c"]}, ["c"]),
        ({"labels": ""}, []),
    ):
        assert team.dev.ask("PUT", f"{team.api}/merge_requests/1", **change)["labels"] == left


def test_templates_are_not_applied_but_can_be_read(team: Team) -> None:
    team.root.delete(f"{team.api}/protected_branches/main")
    team.commit("main", {".gitlab/merge_request_templates/Memory.md": "## Check\n"}, who="root")
    assert opened(team)["description"] == ""
    assert team.dev.ask("GET", f"{team.api}/templates/merge_requests/Memory") == {
        "name": "Memory",
        "content": "## Check\n",
    }


def test_the_check_begins_by_itself_and_ends_after_some_gets(team: Team) -> None:
    team.forge.set(settle_gets=2, settle_seconds=1000)
    assert opened(team)["detailed_merge_status"] == "preparing"
    assert [status(team) for _ in range(4)] == ["checking", "checking", "mergeable", "mergeable"]


def test_the_check_ends_with_the_clock_too(team: Team) -> None:
    team.forge.set(settle_gets=1000, settle_seconds=60)
    opened(team)
    assert status(team) == "checking"
    team.forge.clock(advance=61)
    assert status(team) == "mergeable"


def test_a_list_does_not_start_a_check_and_a_get_does(team: Team) -> None:
    opened(team)
    team.ready(1)
    team.commit("memory/T-1", {"more.md": "more"})
    listed = [team.dev.ask("GET", f"{team.api}/merge_requests")[0]["detailed_merge_status"] for _ in range(3)]
    assert listed == ["unchecked"] * 3
    assert status(team) == "mergeable"


def test_merging_before_the_check_ended_is_405(team: Team) -> None:
    team.forge.set(settle_gets=5, settle_seconds=1000)
    opened(team)
    assert merge(team) == (405, {"message": "405 Method Not Allowed"})


def test_refusals_come_in_order(team: Team) -> None:
    team.forge.set(sha_required_to_merge=True)
    opened(team, title="Draft: not yet")
    assert merge(team, "dev") == (400, {"message": "400 Bad request - SHA must be provided when merging"})
    team.forge.set(sha_required_to_merge=False)
    assert merge(team, "dev", sha="0" * 40)[0] == 401
    head = team.ready(1)["sha"]
    assert merge(team, sha="0" * 40) == (409, {"message": f"SHA does not match HEAD of source branch: {head}"})
    assert status(team) == "draft_status"
    assert merge(team, sha=head)[0] == 405
    team.dev.ask("PUT", f"{team.api}/merge_requests/1", title="Ready")
    assert (merge(team, sha=head)[0], status(team)) == (200, "not_open")


def test_merge_makes_a_merge_commit_and_can_delete_the_branch(team: Team) -> None:
    opened(team, title="A title", description="Closes #1 and #2")
    team.ready(1)
    code, mr = merge(team, should_remove_source_branch=True)
    assert (code, mr["state"], mr["merge_user"]["id"], mr["squash_commit_sha"]) == (200, "merged", team.pm.id, None)
    assert message(team, mr["merge_commit_sha"]) == (
        f"Merge branch 'memory/T-1' into 'main'\n\nA title\n\nCloses #1\n\nSee merge request {team.path}!1"
    )
    assert team.dev.get(f"{team.api}/repository/branches/memory%2FT-1").status_code == 404


def test_squash_lands_two_commits_under_merge_and_one_under_fast_forward(team: Team) -> None:
    opened(team)
    team.commit("memory/T-1", {"second.md": "2"})
    team.ready(1)
    _, mr = merge(team, squash=True, squash_commit_message="One for all")
    assert (message(team, mr["squash_commit_sha"]), mr["merge_commit_sha"] is not None) == ("One for all", True)
    team.root.ask("PUT", team.api, merge_method="ff", squash_option="always")
    opened(team, "memory/T-2")
    team.ready(2)
    _, mr = merge(team, iid=2)
    assert (mr["merge_commit_sha"], mr["squash_commit_sha"] is not None, mr["squash_on_merge"]) == (None, True, True)


def test_the_projects_never_wins_over_what_is_asked(team: Team) -> None:
    team.root.ask("PUT", team.api, squash_option="never")
    opened(team)
    team.ready(1)
    assert merge(team, squash=True)[1]["squash_commit_sha"] is None


def test_templates_fill_in_who_approved_and_who_merged(team: Team) -> None:
    template = "%{title}\n\n%{description}\n\n%{approved_by}\n%{merged_by}\nMR: %{url} %{unknown}"
    team.root.ask("PUT", team.api, squash_commit_template=template, squash_option="always")
    opened(team, title="memory(T-1)")
    team.ready(1)
    team.pm.ask("POST", f"{team.api}/merge_requests/1/approve")
    _, mr = merge(team, "tl")
    assert message(team, mr["squash_commit_sha"]) == (
        f"memory(T-1)\n\nApproved-by: PM <{team.pm.username}@example.com>\nTL <{team.tl.username}@example.com>\n"
        f"MR: {team.forge.url}/{team.path}/-/merge_requests/1 %{{unknown}}"
    )


def test_a_template_over_500_characters_is_400(team: Team) -> None:
    answer = team.root.put(team.api, json={"squash_commit_template": "x" * 501})
    assert (answer.status_code, "is too long (maximum is 500 characters)" in answer.text) == (400, True)


def test_a_conflict_is_seen_and_union_in_the_default_branchs_root_avoids_it(team: Team) -> None:
    team.root.delete(f"{team.api}/protected_branches/main")
    team.commit("main", {"MEMORY.md": "# Index\n"}, who="root")

    def change(branch: str, text: str) -> None:
        action = {"action": "update", "file_path": "MEMORY.md", "content": f"# Index\n{text}\n"}
        fields = {"branch": branch, "start_branch": "main", "commit_message": "x", "actions": [action]}
        team.dev.ask("POST", f"{team.api}/repository/commits", **fields)
        team.open(branch)

    change("memory/T-1", "one")
    change("memory/T-2", "two")
    team.ready(1)
    assert merge(team)[0] == 200
    assert (team.ready(2)["detailed_merge_status"], team.ready(2)["has_conflicts"]) == ("conflict", True)
    team.commit("main", {".gitattributes": "MEMORY.md merge=union\n"}, who="root")
    assert team.ready(2)["detailed_merge_status"] == "mergeable"
    assert merge(team, iid=2)[0] == 200


@pytest.mark.parametrize("method", ["ff", "rebase_merge"])
def test_under_linear_history_each_merge_puts_the_others_behind(team: Team, method: str) -> None:
    team.root.ask("PUT", team.api, merge_method=method)
    opened(team, "memory/T-1")
    opened(team, "memory/T-2")
    team.ready(1)
    assert merge(team)[0] == 200
    assert team.ready(2)["detailed_merge_status"] == "need_rebase"
    assert merge(team, iid=2)[0] == 405
    answer = team.dev.put(f"{team.api}/merge_requests/2/rebase")
    assert (answer.status_code, answer.json()) == (202, {"rebase_in_progress": True})
    assert team.ready(2)["detailed_merge_status"] == "mergeable"
    assert merge(team, iid=2)[0] == 200


def test_a_rebase_needs_the_right_to_push(team: Team) -> None:
    opened(team)
    team.root.ask("PUT", f"{team.api}/members/{team.dev.id}", access_level=20)
    assert team.dev.put(f"{team.api}/merge_requests/1/rebase").status_code == 403


def test_a_closed_one_keeps_branch_and_approvals_and_reopens_while_the_branch_is_there(team: Team) -> None:
    opened(team)
    team.pm.ask("POST", f"{team.api}/merge_requests/1/approve")
    closed = team.pm.ask("PUT", f"{team.api}/merge_requests/1", state_event="close")
    assert (closed["state"], closed["closed_by"]["id"], closed["detailed_merge_status"]) == (
        "closed",
        team.pm.id,
        "not_open",
    )
    assert len(team.pm.ask("GET", f"{team.api}/merge_requests/1/approvals")["approved_by"]) == 1
    assert team.pm.ask("PUT", f"{team.api}/merge_requests/1", state_event="reopen")["state"] == "opened"
    team.pm.ask("PUT", f"{team.api}/merge_requests/1", state_event="close")
    team.dev.delete(f"{team.api}/repository/branches/memory%2FT-1")
    answer = team.pm.put(f"{team.api}/merge_requests/1", json={"state_event": "reopen"})
    assert (answer.status_code, answer.json()) == (422, {"message": ['Source branch "memory/T-1" does not exist']})
    assert [row["state"] for row in team.pm.ask("GET", f"{team.api}/merge_requests/1/resource_state_events")] == [
        "closed",
        "reopened",
        "closed",
    ]


def test_a_new_one_may_be_opened_after_a_close_but_two_never(team: Team) -> None:
    opened(team)
    team.pm.ask("PUT", f"{team.api}/merge_requests/1", state_event="close")
    assert team.open("memory/T-1")["iid"] == 2
    assert team.pm.put(f"{team.api}/merge_requests/1", json={"state_event": "reopen"}).status_code == 409


def test_a_deleted_branch_does_not_close_its_merge_request(team: Team) -> None:
    opened(team)
    team.dev.delete(f"{team.api}/repository/branches/memory%2FT-1")
    mr = team.ready(1)
    assert (mr["state"], mr["detailed_merge_status"]) == ("opened", "commits_status")


def test_a_head_that_reaches_the_target_by_push_counts_as_merged(
    team: Team, git: Git, clone: Callable[..., Path]
) -> None:
    team.root.delete(f"{team.api}/protected_branches/main")
    sha = team.commit("memory/T-1", {"a.md": "a"})
    team.open("memory/T-1")
    work = clone(team, "pm")
    git("push", "origin", f"{sha}:main", at=work)
    mr = team.pm.ask("GET", f"{team.api}/merge_requests/1")
    assert (mr["state"], mr["merge_user"]["id"]) == ("merged", team.pm.id)


def test_each_push_is_a_version_with_its_patch_id(team: Team) -> None:
    first = opened(team)["sha"]
    second = team.commit("memory/T-1", {"b.md": "b"})
    rows = team.dev.ask("GET", f"{team.api}/merge_requests/1/versions")
    assert [row["head_commit_sha"] for row in rows] == [second, first]
    assert len({row["patch_id_sha"] for row in rows}) == 2
    mr = team.dev.ask("GET", f"{team.api}/merge_requests/1")
    assert mr["diff_refs"] == {
        "base_sha": rows[0]["base_commit_sha"],
        "head_sha": second,
        "start_sha": rows[0]["start_commit_sha"],
    }


def test_lists_are_filtered(team: Team) -> None:
    opened(team, "memory/T-1", labels="memory", title="First", assignee_ids=[team.pm.id])
    opened(team, "memory/T-2", title="Draft: second", reviewer_ids=[team.tl.id])
    team.pm.ask("PUT", f"{team.api}/merge_requests/1", state_event="close")
    team.tl.ask("POST", f"{team.api}/merge_requests/2/approve")

    def found(**query: Any) -> list[int]:
        return [row["iid"] for row in team.dev.get(f"{team.api}/merge_requests", params=query).json()]

    assert found() == [2, 1]
    assert found(state="opened") == [2]
    assert found(source_branch="memory/T-1") == [1]
    assert found(labels="memory") == [1]
    assert found(labels="None") == [2]
    assert found(search="sec") == [2]
    assert found(wip="yes") == [2]
    assert found(reviewer_id=team.tl.id) == [2]
    assert found(assignee_username=team.pm.username) == [1]
    assert found(**{"iids[]": [1, 9]}) == [1]
    assert found(**{"approved_by_ids[]": team.tl.id}) == [2]
    assert found(author_id=team.pm.id) == []
    assert found(sort="asc") == [1, 2]
    assert team.dev.get(f"{team.api}/merge_requests", params={"state": "odd"}).json() == {
        "error": "state does not have a valid value"
    }


def test_a_fork_can_ask_and_its_source_is_told(team: Team, forge: Forge) -> None:
    fork = team.dev.ask("POST", f"{team.api}/fork", path="fork", name="fork")
    actions = [{"action": "create", "file_path": "f.md", "content": "f"}]
    team.dev.ask(
        "POST",
        f"/projects/{fork['id']}/repository/commits",
        branch="x",
        start_branch="main",
        commit_message="f",
        actions=actions,
    )
    mr = team.dev.ask(
        "POST",
        f"/projects/{fork['id']}/merge_requests",
        source_branch="x",
        target_branch="main",
        title="From a fork",
        target_project_id=team.id,
    )
    assert (mr["project_id"], mr["source_project_id"], mr["target_project_id"]) == (team.id, fork["id"], team.id)
    assert [row["new_path"] for row in team.dev.ask("GET", f"{team.api}/merge_requests/1/diffs")] == ["f.md"]
    team.ready(1)
    assert merge(team)[0] == 200


def test_an_automatic_merge_happens_when_its_pipeline_succeeds_and_a_push_cancels_it(team: Team) -> None:
    team.commit("memory/T-1", {".gitlab-ci.yml": "t:\n  script: echo\n  rules:\n    - if: $CI_MERGE_REQUEST_IID\n"})
    team.open("memory/T-1")
    team.ready(1)
    assert merge(team, auto_merge=True)[1]["merge_when_pipeline_succeeds"] is True
    team.commit("memory/T-1", {"more.md": "x"})
    assert team.ready(1)["merge_when_pipeline_succeeds"] is False
    mr = merge(team, auto_merge=True)[1]
    team.forge.inner.post("/pipelines", json={"id": mr["head_pipeline"]["id"], "status": "success"})
    assert team.ready(1)["state"] == "merged"


def test_only_owners_delete_merge_requests(team: Team) -> None:
    opened(team)
    assert team.pm.delete(f"{team.api}/merge_requests/1").status_code == 403
    assert team.root.delete(f"{team.api}/merge_requests/1").status_code == 204
    assert team.pm.get(f"{team.api}/merge_requests/1").json() == {"message": "404 Not found"}
