"""Pipelines: what starts one, what does not, which jobs it has, which variables; the gates; the real runner."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.gitlab.conftest import Git
from tests.gitlab.fixture import Team, start

BOTH = "lint:\n  script: echo\n  rules:\n    - if: $CI_PIPELINE_SOURCE == 'merge_request_event'\n    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH\n"
PLAIN = "build:\n  script: echo\n"


def pipelines(team: Team) -> list[tuple[str, str]]:
    return [(row["source"], row["status"]) for row in reversed(team.pm.ask("GET", f"{team.api}/pipelines"))]


def configured(team: Team, text: str) -> None:
    team.root.delete(f"{team.api}/protected_branches/main")
    team.commit("main", {".gitlab-ci.yml": text}, who="root")
    team.root.ask("POST", f"{team.api}/protected_branches", name="main", push_access_level=0, merge_access_level=40)


def opened(team: Team, message: str = "Work", **more: Any) -> Any:
    team.commit("memory/T-1", {"a.md": "a"}, message=message)
    return team.open("memory/T-1", **more)


def test_no_configuration_no_pipeline(team: Team) -> None:
    opened(team)
    assert pipelines(team) == []


def test_opening_and_pushing_start_merge_request_pipelines_and_approving_does_not(team: Team) -> None:
    configured(team, BOTH)
    opened(team)
    team.commit("memory/T-1", {"b.md": "b"})
    team.pm.ask("POST", f"{team.api}/merge_requests/1/approve")
    assert pipelines(team) == [
        ("push", "pending"),
        ("merge_request_event", "pending"),
        ("merge_request_event", "pending"),
    ]
    rows = team.pm.ask("GET", f"{team.api}/merge_requests/1/pipelines")
    assert [row["ref"] for row in rows] == ["refs/merge-requests/1/head"] * 2


def test_jobs_without_rules_are_for_branches_only(team: Team) -> None:
    configured(team, PLAIN)
    opened(team)
    assert pipelines(team) == [("push", "pending"), ("push", "pending")]


def test_skip_ci_records_a_skipped_pipeline_that_blocks_unless_skipped_counts(team: Team) -> None:
    configured(team, BOTH)
    team.root.ask("PUT", team.api, only_allow_merge_if_pipeline_succeeds=True)
    opened(team, "Finalize [skip ci]")
    assert pipelines(team)[-1] == ("merge_request_event", "skipped")
    assert team.ready(1)["detailed_merge_status"] == "ci_must_pass"
    team.root.ask("PUT", team.api, allow_merge_on_skipped_pipeline=True)
    assert team.ready(1)["detailed_merge_status"] == "mergeable"


def test_pipelines_must_succeed_blocks_without_one_while_running_and_when_failed(team: Team) -> None:
    configured(team, BOTH)
    team.root.ask("PUT", team.api, only_allow_merge_if_pipeline_succeeds=True)
    mr = opened(team)
    assert team.ready(1)["detailed_merge_status"] == "ci_still_running"
    team.forge.inner.post("/pipelines", json={"id": mr["head_pipeline"]["id"], "status": "failed"})
    assert team.ready(1)["detailed_merge_status"] == "ci_must_pass"
    team.forge.fault("pipeline_missing")
    team.commit("memory/T-1", {"b.md": "b"})
    assert (team.ready(1)["head_pipeline"], team.ready(1)["detailed_merge_status"]) == (None, "ci_must_pass")


def test_a_merge_request_pipeline_speaks_before_a_newer_branch_pipeline(team: Team) -> None:
    configured(team, BOTH.replace("$CI_DEFAULT_BRANCH", '"memory/T-1"'))
    mr = opened(team)
    branch = next(row for row in team.pm.ask("GET", f"{team.api}/pipelines") if row["source"] == "push")
    team.forge.inner.post("/pipelines", json={"id": mr["head_pipeline"]["id"], "status": "success"})
    team.forge.inner.post("/pipelines", json={"id": branch["id"], "status": "failed"})
    assert team.ready(1)["head_pipeline"]["status"] == "success"


def test_a_pipeline_by_hand_runs_as_its_caller_and_is_405_without_a_job(team: Team) -> None:
    configured(team, PLAIN)
    opened(team)
    answer = team.bot.post(f"{team.api}/merge_requests/1/pipelines")
    assert (answer.status_code, answer.json()) == (405, {"message": "405 Method Not Allowed"})
    team.commit("memory/T-1", {"lint.yml": "x"})
    changed = {"action": "update", "file_path": ".gitlab-ci.yml", "content": BOTH}
    team.dev.ask("POST", f"{team.api}/repository/commits", branch="memory/T-1", commit_message="ci", actions=[changed])
    answer = team.bot.post(f"{team.api}/merge_requests/1/pipelines")
    assert (answer.status_code, answer.json()["source"]) == (200, "merge_request_event")
    assert team.pm.ask("GET", f"{team.api}/pipelines/{answer.json()['id']}")["user"]["id"] == team.bot.id
    assert team.bot.post(f"{team.api}/merge_requests/1/pipelines", json={"async": True}).status_code == 202


def test_ci_skip_spares_the_branch_pipeline_not_the_merge_requests(
    team: Team, git: Git, clone: Callable[..., Path], commit: Callable[..., str]
) -> None:
    configured(team, "b:\n  script: echo\n  only: [branches, merge_requests]\n")
    opened(team)
    before = len(pipelines(team))
    work = clone(team)
    git("checkout", "--quiet", "memory/T-1", at=work)
    commit(work, "b.md", "b")
    git("push", "-o", "ci.skip", "origin", "HEAD", at=work)
    assert sorted(pipelines(team)[before:]) == [("merge_request_event", "pending"), ("push", "skipped")]


def test_a_push_with_a_job_token_starts_no_pipeline(
    team: Team, git: Git, clone: Callable[..., Path], commit: Callable[..., str]
) -> None:
    configured(team, BOTH + PLAIN)
    opened(team)
    before = pipelines(team)
    team.root.ask("PUT", team.api, ci_push_repository_for_job_token_allowed=True)
    token = team.forge.inner.post("/job-tokens", json={"project": team.path, "user": team.dev.username}).json()["token"]
    work = clone(team)
    git("checkout", "--quiet", "memory/T-1", at=work)
    commit(work, "b.md", "b")
    git(
        "push",
        team.remote("dev").replace(f"{team.dev.username}:{team.dev.token}", f"x:{token}"),
        "HEAD:memory/T-1",
        at=work,
    )
    assert pipelines(team) == before
    assert team.ready(1)["head_pipeline"] is None


def test_a_merge_starts_the_default_branchs_pipeline(team: Team) -> None:
    configured(team, BOTH)
    opened(team)
    team.ready(1)
    team.pm.ask("PUT", f"{team.api}/merge_requests/1/merge")
    rows = team.pm.ask("GET", f"{team.api}/pipelines")
    assert [(row["source"], row["ref"]) for row in rows][:1] == [("push", "main")]


def test_a_pipeline_can_come_late(team: Team) -> None:
    configured(team, BOTH)
    opened(team)
    team.forge.set(pipeline_ticks=1)
    head = team.commit("memory/T-1", {"b.md": "b"})
    assert team.ready(1)["head_pipeline"] is None
    team.forge.clock(tick=1)
    assert team.ready(1)["head_pipeline"]["sha"] == head


def test_a_schedule_runs_when_its_time_comes(team: Team) -> None:
    configured(team, BOTH)
    team.forge.clock(freeze="2026-12-01T00:30:00Z")
    made = team.pm.ask("POST", f"{team.api}/pipeline_schedules", description="sweep", ref="main", cron="0 1 * * *")
    assert made["next_run_at"] == "2026-12-01T01:00:00.000Z"
    team.forge.clock(advance=1800)
    assert pipelines(team)[-1] == ("schedule", "pending")
    team.forge.clock(run=True)


def test_a_hook_can_start_a_pipeline_by_trigger(team: Team) -> None:
    configured(team, "t:\n  script: echo\n  rules:\n    - if: $CI_PIPELINE_SOURCE == 'trigger'\n")
    token = team.pm.ask("POST", f"{team.api}/triggers", description="t")["token"]
    answer = team.forge.client("").post(
        f"{team.api}/ref/main/trigger/pipeline", params={"token": token}, json={"object_kind": "merge_request"}
    )
    assert (answer.status_code, answer.json()["source"]) == (201, "trigger")


def test_protected_variables_are_absent_where_the_branch_is_not_protected(team: Team) -> None:
    team.root.ask("POST", f"{team.api}/variables", key="SECRET", value="s3cret-value", protected=True)
    team.root.ask("POST", f"{team.api}/variables", key="OPEN", value="1")
    team.root.delete(f"{team.api}/protected_branches/main")
    team.root.ask("POST", f"{team.api}/protected_branches", name="main", push_access_level=40)
    text = "a:\n  script: echo\n  rules: [{if: $SECRET}]\nb:\n  script: echo\n  rules: [{if: $OPEN}]\n"
    team.commit("main", {".gitlab-ci.yml": text}, who="root")
    opened(team)
    jobs = [(row["name"], row["ref"]) for row in reversed(team.pm.ask("GET", f"{team.api}/jobs"))]
    assert jobs == [("a", "main"), ("b", "main"), ("b", "memory/T-1"), ("b", "refs/merge-requests/1/head")]


def test_approving_is_told_to_later_pipelines_on_premium_alone(team: Team, paid: Team) -> None:
    for one, seen in ((team, []), (paid, ["t"])):
        configured(one, "t:\n  script: echo\n  rules: [{if: $CI_MERGE_REQUEST_APPROVED}]\n")
        if one is paid:
            one.root.ask("POST", f"{one.api}/approval_rules", name="PM", approvals_required=1, user_ids=[one.pm.id])
        opened(one)
        assert one.pm.ask("GET", f"{one.api}/jobs") == []
        one.pm.ask("POST", f"{one.api}/merge_requests/1/approve")
        one.bot.post(f"{one.api}/merge_requests/1/pipelines")
        assert [row["name"] for row in one.pm.ask("GET", f"{one.api}/jobs")] == seen


def test_includes_inputs_and_extends_are_followed(team: Team) -> None:
    component = "spec:\n  inputs:\n    stage:\n      default: test\n    name: {}\n---\n.base:\n  script: echo\n$[[ inputs.name ]]:\n  extends: .base\n  stage: $[[ inputs.stage ]]\n"
    team.root.delete(f"{team.api}/protected_branches/main")
    main = "include:\n  - local: ci/memory.yml\n    inputs: {name: memory-lint, stage: build}\n"
    team.commit("main", {"ci/memory.yml": component, ".gitlab-ci.yml": main}, who="root")
    jobs = team.pm.ask("GET", f"{team.api}/jobs")
    assert [(row["name"], row["stage"]) for row in jobs] == [("memory-lint", "build")]
    missing = team.pm.ask("POST", f"{team.api}/ci/lint", content=main.replace("memory.yml", "none.yml"))
    assert missing["errors"] == ["Local file `ci/none.yml` does not exist!"]
    short = team.pm.ask("POST", f"{team.api}/ci/lint", content="include:\n  - local: ci/memory.yml\n")
    assert short["errors"] == ["`name` input: required value has not been provided"]


def test_a_broken_configuration_fails_the_pipeline_with_its_reason(team: Team) -> None:
    configured(team, "t:\n  stage: nowhere\n  script: echo\n")
    row = team.pm.ask("GET", f"{team.api}/pipelines/latest")
    assert (row["status"], row["yaml_errors"].startswith("t job: chosen stage nowhere does not exist")) == (
        "failed",
        True,
    )


RULES = [
    ('$CI_COMMIT_BRANCH =~ /^mai/', True),
    ('$CI_COMMIT_BRANCH !~ /^mai/', False),
    ('$CI_COMMIT_BRANCH == "main" && $NOPE', False),
    ('$NOPE == null || $X', True),
    ('($CI_COMMIT_BRANCH == "x" || $CI_COMMIT_BRANCH == "main") && $CI_PIPELINE_SOURCE != "schedule"', True),
    ('$CI_COMMIT_MESSAGE =~ /WORK/i', True),
    ('$CI_COMMIT_BRANCH ==', False),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "holds"), RULES)
def test_rules_are_read_as_gitlab_reads_them(team: Team, rule: str, holds: bool) -> None:
    configured(team, f"t:\n  script: echo\n  rules:\n    - if: {json.dumps(rule)}\n")
    assert bool(pipelines(team)) is holds


def test_rules_can_ask_for_changed_files(team: Team) -> None:
    configured(
        team, "t:\n  script: echo\n  rules:\n    - if: $CI_MERGE_REQUEST_IID\n      changes: ['99.Memory/**/*']\n"
    )
    opened(team)
    assert pipelines(team) == []
    team.commit("memory/T-1", {"99.Memory/x/y.md": "y"})
    assert pipelines(team) == [("merge_request_event", "pending")]


# The runner

MODULES = os.environ.get("GITLAB_CI_LOCAL", str(Path(__file__).parents[2] / "node_modules"))
RUNNER = (Path(MODULES) / "gitlab-ci-local").exists() and shutil.which("rsync")


@pytest.mark.skipif(
    not RUNNER,
    reason="gitlab-ci-local (npm, with node 22) and rsync are not here; GITLAB_CI_LOCAL names its node_modules",
)
def test_jobs_run_for_real_and_talk_back_with_their_token(tmp_path_factory: pytest.TempPathFactory) -> None:
    script = (
        "lint:\n  stage: test\n  rules: [{if: $CI_MERGE_REQUEST_IID}]\n  script:\n"
        '    - echo "iid $CI_MERGE_REQUEST_IID approved ${CI_MERGE_REQUEST_APPROVED:-absent} source $CI_PIPELINE_SOURCE"\n'
        "    - 'curl -sf -H \"JOB-TOKEN: $CI_JOB_TOKEN\" $CI_API_V4_URL/projects/$CI_PROJECT_ID/merge_requests/$CI_MERGE_REQUEST_IID > mr.json'\n"
        "    - cat a.md\n  artifacts:\n    paths: [mr.json]\n"
        "bad:\n  stage: deploy\n  rules: [{if: $CI_MERGE_REQUEST_IID}]\n  script: exit 3\n"
    )
    with start(tmp_path_factory.mktemp("runner"), args=("--ci-local", MODULES)) as forge:
        team = forge.team()
        team.commit("memory/T-1", {".gitlab-ci.yml": script, "a.md": "hello from a\n"})
        team.open("memory/T-1")
        assert forge.settle() == {"settled": True, "errors": []}
        jobs = {row["name"]: row for row in team.pm.ask("GET", f"{team.api}/jobs")}
        trace = team.pm.get(f"{team.api}/jobs/{jobs['lint']['id']}/trace").text
        assert {name: row["status"] for name, row in jobs.items()} == {"lint": "success", "bad": "failed"}, trace
        assert "iid 1 approved absent source merge_request_event" in trace
        assert "hello from a" in trace
        kept = team.pm.get(f"{team.api}/jobs/{jobs['lint']['id']}/artifacts/mr.json").json()
        assert (kept["iid"], team.ready(1)["head_pipeline"]["status"]) == (1, "failed")
