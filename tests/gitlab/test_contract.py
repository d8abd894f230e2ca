"""The contract walked: every endpoint it names is there, every behaviour it lists is shown by a test."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.gitlab.fixture import Forge, Team

HERE = Path(__file__).parent
CONTRACT = json.loads((HERE / "data" / "endpoint-contract.json").read_text())

# What a path's ids stand for in a project that has one of each.
WORLD = {
    "project_id": "{project}", "mr_iid": "1", "merge_request_iid": "1", "group_id": "{group}", "commit_id": "{sha}", "pipeline_id": "{pipeline}",
    "discussion_id": "{discussion}",
}  # fmt: skip
# Endpoints whose list needs what Free has not.
PAID = ("approval_rules", "approval_state", "/approvals", "push_rule", "status_checks", "external_status_checks")
NO_GET = {"ProjectFileManager", "ProjectCiLintManager"}


@pytest.fixture(scope="module")
def filled(premium_forge: Forge) -> dict[str, Any]:
    """Return the ids of a project that has one of everything."""
    team = premium_forge.team()
    root, api = team.root, team.api
    root.ask("PUT", api, visibility="private")
    sha = team.commit(
        "memory/T-1",
        {"a.md": "a\n", ".gitlab-ci.yml": "t:\n  script: echo\n  rules:\n    - if: $CI_MERGE_REQUEST_IID\n"},
    )
    root.ask("POST", f"{api}/push_rule", branch_name_regex="")
    root.ask("POST", f"{api}/approval_rules", name="PM", approvals_required=1, user_ids=[team.pm.id])
    mr = team.open("memory/T-1", labels="memory", reviewer_ids=[team.pm.id], assignee_ids=[team.pm.id])
    thread = team.dev.ask("POST", f"{api}/merge_requests/1/discussions", body="why")
    root.ask("POST", f"{api}/hooks", url="http://127.0.0.1:9/")
    root.ask("POST", f"{api}/variables", key="A", value="1")
    root.ask("POST", f"{api}/triggers", description="t")
    root.ask("POST", f"{api}/pipeline_schedules", description="s", ref="main", cron="0 1 * * *")
    root.ask("POST", f"{api}/access_tokens", name="t", scopes=["api"])
    root.ask("POST", f"{api}/repository/tags", tag_name="v1", ref="main")
    root.ask("POST", f"{api}/statuses/{sha}", state="success")
    team.pm.ask("POST", f"{api}/merge_requests/1/approve")
    group = premium_forge.group(team.path.split("/")[0])
    root.ask("POST", f"/groups/{group}/labels", name="g", color="#112233")
    return {
        "team": team,
        "project": team.id,
        "group": group,
        "sha": sha,
        "pipeline": mr["head_pipeline"]["id"],
        "discussion": thread["id"],
    }


def address(path: str, filled: dict[str, Any]) -> str:
    return re.sub(r"\{(\w+)\}", lambda found: WORLD[found[1]].format(**filled), path)


@pytest.mark.parametrize("endpoint", CONTRACT["endpoints"], ids=lambda row: row["client"])
def test_every_listed_endpoint_answers_as_the_contract_says(endpoint: dict[str, Any], filled: dict[str, Any]) -> None:
    root = filled["team"].root
    path = address(endpoint["path"], filled)
    operations = endpoint["operations"]
    if "list" in operations:
        rows = root.ask("GET", path)
        assert isinstance(rows, list)
        key = rows[0].get(endpoint["id_attr"]) if rows and "get" in operations else None
        if key is not None:
            assert root.ask("GET", f"{path}/{str(key).replace('/', '%2F')}")
    elif "get" in operations and endpoint["client"] not in NO_GET:
        assert root.ask("GET", path) is not None


def test_every_verb_of_the_contract_is_routed(filled: dict[str, Any]) -> None:
    root, missing = filled["team"].root, []
    for endpoint in CONTRACT["endpoints"]:
        for name, operation in endpoint["operations"].items():
            if endpoint["client"] == "ProjectMergeRequestApprovalManager" and name == "update":
                continue  # gone from GitLab since 16; python-gitlab still offers it
            path = address(endpoint["path"], filled) + operation.get("path_suffix", suffix(endpoint, name))
            answer = root.request("OPTIONS", path.replace("{id}", "0"))
            if operation["method"] not in answer.headers.get("allow", ""):
                missing.append((operation["method"], path))
    assert [row for row in missing if not row[1].endswith(ELSEWHERE)] == []


def suffix(endpoint: dict[str, Any], operation: str) -> str:
    """Return what follows the path: an id, unless it is a list or a resource there is one of."""
    alone = endpoint["operations"].get("get", {}).get("path_suffix") == "" or endpoint["path"].endswith("push_rule")
    return "" if alone or operation in {"list", "create"} else "/{id}"


ELSEWHERE = (
    "/statuses",
    "/pipelines",
    "/files",
)  # python-gitlab itself goes elsewhere: /statuses/:sha, /pipeline, /files/:path

# Each behaviour of the contract, and the test that shows it.
SHOWN = {
    "mr-create-duplicate": "test_a_second_open_one_is_409_and_its_message_a_list",
    "mr-create-missing-branch": "test_missing_and_equal_branches_are_422",
    "mr-merge-no-permission": "test_refusals_come_in_order",
    "mr-merge-not-mergeable": "test_merging_before_the_check_ended_is_405",
    "mr-merge-sha": "test_refusals_come_in_order",
    "mr-merge-failed": "test_a_fault_answers_once_in_gitlabs_words",
    "mr-merge-sha-required": "test_refusals_come_in_order",
    "mr-approve-sha": "test_an_approval_can_name_the_head_it_means",
    "mr-approve-ineligible": "test_approving_twice_is_401_and_unapproving_nothing_404",
    "mr-approve-ok": "test_free_answers_four_keys_and_anyone_approves_it",
    "mr-unapprove-none": "test_approving_twice_is_401_and_unapproving_nothing_404",
    "mr-reset-approvals": "test_a_bot_resets_approvals_and_people_may_not",
    "mr-rebase": "test_under_linear_history_each_merge_puts_the_others_behind",
    "mr-pipeline-create": "test_a_pipeline_by_hand_runs_as_its_caller_and_is_405_without_a_job",
    "mr-merge-ref": "test_a_merge_ref_is_refused_on_conflict",
    "mr-cancel-auto-merge": "test_an_automatic_merge_waits_and_is_cancelled",
    "mergeability-async": "test_a_list_does_not_start_a_check_and_a_get_does",
    "moved-project-get": "test_a_moved_project_is_301_to_read_and_405_to_write",
    "moved-project-write": "test_a_moved_project_is_301_to_read_and_405_to_write",
    "status-check-stale": "test_a_status_check_for_an_old_head_is_409",
    "paging": "test_pages_have_numbers_and_links",
    "throttle": "test_a_rate_limit_answers_429_in_plain_text_with_when_to_retry",
}


def test_every_behaviour_of_the_contract_has_its_test() -> None:
    names = {
        node.name
        for file in HERE.glob("test_*.py")
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.FunctionDef)
    }
    assert {row["id"] for row in CONTRACT["behaviours"]} == set(SHOWN)
    assert set(SHOWN.values()) - names == set()


def test_a_status_check_for_an_old_head_is_409(filled: dict[str, Any]) -> None:
    team: Team = filled["team"]
    check = team.root.ask("POST", f"{team.api}/external_status_checks", name="c", external_url="http://127.0.0.1:9/")
    path = f"{team.api}/merge_requests/1/status_check_responses"
    given = {"external_status_check_id": check["id"], "status": "passed"}
    assert team.root.post(path, json={**given, "sha": "0" * 40}).status_code == 409
    team.root.ask("POST", path, **given, sha=team.ready(1)["sha"])
    assert [
        (row["name"], row["status"]) for row in team.root.ask("GET", f"{team.api}/merge_requests/1/status_checks")
    ] == [("c", "passed")]


def test_the_statuses_used_are_those_the_contract_knows(filled: dict[str, Any]) -> None:
    text = (HERE / "mergeability.py").read_text()
    used = set(re.findall(r'"([a-z_]+)": (?:_|lambda)', text)) | {
        "not_open",
        "preparing",
        "unchecked",
        "checking",
        "mergeable",
    }
    assert used <= set(CONTRACT["detailed_merge_status_values"])
