"""The job files: valid for GitLab, the same jobs twice, and which pipeline has which job."""

from __future__ import annotations

import subprocess
import sys
from importlib.resources import files
from typing import TYPE_CHECKING

import pytest

from brain.scaffold import CI_FILE, CI_JOBS, ci_include, skeleton
from tests.ci.request import memory_repo
from tests.gitlab import ci_config
from tests.support.repos import ROOT

if TYPE_CHECKING:
    from pathlib import Path

    from tests.gitlab.fixture import Team

COMPONENT = files("brain_ci").joinpath("templates/memory.yml").read_text("utf-8")
WITH_VARIABLES = files("brain_ci").joinpath("templates/project-brain.gitlab-ci.yml").read_text("utf-8")
SPEC, BODY = COMPONENT.split("\n---\n")
VARIABLES = {
    '"$[[ inputs.every_merge_request ]]"': "$BRAIN_EVERY_MERGE_REQUEST", '"$[[ inputs.on_branch ]]"': "$BRAIN_ON_BRANCH",
    '    BRAIN_MEMORY_ROOT: "$[[ inputs.root ]]"\n': "", '"$[[ inputs.stage ]]"': "test",
    "$[[ inputs.root ]]": "$BRAIN_MEMORY_ROOT", "$[[ inputs.package ]]": "$BRAIN_PACKAGE",
    "$[[ inputs.image ]]": "$BRAIN_IMAGE", "$[[ inputs.scanner ]]": "$BRAIN_SCANNER",
    "$[[ inputs.note_token ]]": "$BRAIN_NOTE_TOKEN_NAME",
}  # fmt: skip
"""What stands for an input in the file for older GitLab."""
INCLUDE = skeleton("99.Memory")[CI_FILE]


@pytest.mark.parametrize("text", [SPEC, BODY, WITH_VARIABLES, INCLUDE], ids=["spec", "jobs", "variables", "include"])
def test_gitlabs_schema_takes_each_document(text: str, tmp_path: Path) -> None:
    pytest.importorskip("check_jsonschema", reason="check-jsonschema, of the extra dev, is not here")
    file = tmp_path / "ci.yml"
    file.write_text(text, "utf-8")
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.gitlab-ci", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_file_with_variables_has_the_same_jobs() -> None:
    body = BODY
    for given, variable in VARIABLES.items():
        assert given in body
        body = body.replace(given, variable)
    assert WITH_VARIABLES.endswith(body)
    assert "[[" not in WITH_VARIABLES


MAIN = {"CI_DEFAULT_BRANCH": "main", "CI_COMMIT_BRANCH": "main", "BRAIN_GITLAB_TOKEN": "t"}
REQUEST = {"CI_DEFAULT_BRANCH": "main", "CI_PIPELINE_SOURCE": "merge_request_event", "CI_MERGE_REQUEST_IID": "7"}
MEMORY, CODE = ["99.Memory/00.Shared/glossary/x.md"], ["src/pay.py"]
BOTH = ["memory-lint", "memory-finalize"]


@pytest.mark.parametrize(
    ("variables", "changed", "jobs"),
    [
        (REQUEST, MEMORY, ["memory-lint"]),
        (REQUEST, CODE, []),
        *((REQUEST, [path], ["memory-lint"]) for path in (CI_FILE, CI_JOBS, "CODEOWNERS", ".gitlab/CODEOWNERS", "99.Memory/brain.toml")),
        ({**MAIN, "CI_PIPELINE_SOURCE": "push"}, MEMORY, BOTH),
        ({**MAIN, "CI_PIPELINE_SOURCE": "push"}, CODE, []),
        ({**MAIN, "CI_PIPELINE_SOURCE": "schedule"}, None, ["memory-sweep"]),
        ({**MAIN, "CI_PIPELINE_SOURCE": "schedule", "BRAIN_CONSOLIDATE": "true"}, None, ["memory-sweep", "memory-consolidate"]),
        ({**MAIN, "CI_PIPELINE_SOURCE": "push", "BRAIN_CONSOLIDATE": "true"}, MEMORY, BOTH),
        *(({**MAIN, "CI_PIPELINE_SOURCE": source}, None, ["memory-finalize"]) for source in ("web", "api", "trigger")),
        ({**MAIN, "CI_PIPELINE_SOURCE": "parent_pipeline"}, None, []),
        *(({**MAIN, "CI_COMMIT_BRANCH": "memory/t-1", "CI_PIPELINE_SOURCE": source}, MEMORY, []) for source in ("push", "schedule", "api")),
        ({"CI_DEFAULT_BRANCH": "main", "CI_COMMIT_TAG": "v1", "CI_PIPELINE_SOURCE": "push"}, MEMORY, []),
    ],
)  # fmt: skip
def test_a_pipeline_has_the_jobs_that_concern_it(
    variables: dict[str, str], changed: list[str] | None, jobs: list[str]
) -> None:
    assert jobs_of({}, variables, changed) == jobs


@pytest.mark.parametrize(
    ("inputs", "variables", "changed", "jobs"),
    [
        ({"every_merge_request": True}, REQUEST, CODE, ["memory-lint"]),
        ({"every_merge_request": True}, {**MAIN, "CI_PIPELINE_SOURCE": "push"}, CODE, []),
        ({"on_branch": True}, {**REQUEST, "BRAIN_GITLAB_TOKEN": "t"}, MEMORY, BOTH),
        ({"on_branch": True}, {**REQUEST, "BRAIN_GITLAB_TOKEN": "t"}, CODE, []),
        ({"on_branch": True}, REQUEST, MEMORY, ["memory-lint"]),
        ({"root": "docs/bộ nhớ"}, REQUEST, ["docs/bộ nhớ/MEMORY.md"], ["memory-lint"]),
        ({"root": "docs/bộ nhớ"}, REQUEST, MEMORY, []),
    ],
)
def test_inputs_say_where_else_they_run(
    inputs: dict[str, object], variables: dict[str, str], changed: list[str], jobs: list[str]
) -> None:
    assert jobs_of(inputs, variables, changed) == jobs


def test_finalize_and_sweep_never_run_at_once_and_no_other_job_holds_them_up() -> None:
    config = ci_config.load(COMPONENT, lambda _: None)
    for name in ("memory-finalize", "memory-sweep"):
        job = ci_config.job_of(config, name)
        assert (job["resource_group"], job["needs"], job["interruptible"]) == ("memory-finalize", [], False)
        assert job["script"] == ["brain-ci finalize"]
    assert ci_config.job_of(config, "memory-lint")["artifacts"]["reports"].keys() == {"codequality", "junit"}


def test_what_init_writes_includes_the_jobs_and_leaves_it_to_the_team_what_they_install() -> None:
    config = ci_config.load(INCLUDE, {CI_JOBS: skeleton("99.Memory")[CI_JOBS]}.get)
    job = ci_config.job_of(config, "memory-lint")
    assert job["variables"]["BRAIN_MEMORY_ROOT"] == "99.Memory"
    guard = next(line for line in job["before_script"] if line.startswith("test -n "))
    done = subprocess.run(["sh", "-ec", guard], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (
        1,
        "the input package is empty - Project Brain's docs/tl.md, step 2, says what it is\n",
    )
    assert [row["name"] for row in ci_config.jobs(config, REQUEST, CODE)] == ["memory-lint"]


@pytest.mark.parametrize("path", ["src/pay.py", f"{ROOT}/00.Shared/glossary/x.md"])
def test_where_pipelines_must_succeed_every_merge_request_can(team: Team, path: str) -> None:
    """With what init makes; without ``every_merge_request`` one that touches no memory could never be merged."""
    memory_repo(team, files={CI_FILE: INCLUDE, CI_JOBS: COMPONENT})
    team.forge.set(result="success")
    team.root.ask("PUT", team.api, only_allow_merge_if_pipeline_succeeds=True)
    team.commit("topic", {path: "x"})
    assert team.ready(team.open("topic")["iid"])["detailed_merge_status"] == "mergeable"


def test_a_pipeline_of_the_teams_own_is_not_hidden_by_ours(team: Team) -> None:
    """There the include has no ``every_merge_request``: a merge request that touches no memory keeps the team's jobs."""
    own = f"test:\n  script: make test\n{ci_include(ROOT)}"
    memory_repo(team, files={CI_FILE: own, CI_JOBS: COMPONENT})
    team.commit("topic", {"src/pay.py": "x"})
    team.open("topic")
    rows = team.pm.get(f"{team.api}/pipelines", params={"ref": "topic"}).json()
    assert [row["source"] for row in rows] == ["push"]
    assert team.pm.get(f"{team.api}/pipelines", params={"ref": "refs/merge-requests/2/head"}).json() == []


def jobs_of(inputs: dict[str, object], variables: dict[str, str], changed: list[str] | None) -> list[str]:
    config = ci_config.load(COMPONENT, lambda _: None, inputs)
    return [row["name"] for row in ci_config.jobs(config, variables, changed)]
