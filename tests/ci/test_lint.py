from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING

import pytest

from brain.settings import load_config
from brain_ci.cli import main
from brain_ci.gitlab_env import (
    MergeRequestPipeline,
    Pipeline,
    find_location,
    read_merge_request,
    read_pipeline,
)  # fmt: skip
from tests.lint.support import memory
from tests.support.repos import ROOT, commit, git, make_repo

if TYPE_CHECKING:
    from pathlib import Path

AREA = f"{ROOT}/00.Shared/domain/F-002_Order"


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A clone with a merge request checked out: ``b.md`` has no source, ``a.md`` on main neither."""
    path = make_repo(tmp_path / "m", {f"{AREA}/a.md": memory(id="mem-F002-a", source=None, refs="[]")})
    git(path, "checkout", "-q", "-b", "memory/ord-1")
    commit(path, {f"{AREA}/b.md": memory(id="mem-F002-b", source=None, refs="[]")})
    for name in ("CI_PROJECT_DIR", "CI_MERGE_REQUEST_DIFF_BASE_SHA", "CI_COMMIT_BRANCH", "CI_DEFAULT_BRANCH"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(path)
    return path


def test_in_a_merge_request_its_change_is_judged(
    repo: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CI_MERGE_REQUEST_DIFF_BASE_SHA", git(repo, "rev-parse", "main"))
    assert main(["lint", "--codequality", "gl.json", "--junit", "out/junit.xml", "--scanner", "off"]) == 1
    out = capsys.readouterr()
    assert [line.split(": ")[0] for line in out.out.splitlines()] == [f"{AREA}/b.md:15:1"]
    assert out.err.startswith("brain-ci: 1 file: 1 error, 0 warnings changed since ")
    (row,) = json.loads((repo / "gl.json").read_text())
    assert (row["check_name"], row["location"]) == (
        "M040 field-missing",
        {"path": f"{AREA}/b.md", "lines": {"begin": 15}},
    )
    root = ET.parse(repo / "out" / "junit.xml").getroot()
    assert root.attrib == {"tests": "1", "failures": "1"}


def test_outside_of_one_the_whole_commit_is(repo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lint", "--scanner", "off"]) == 1
    assert capsys.readouterr().err == "brain-ci: 2 files: 2 errors, 0 warnings\n"


def test_a_clean_change_exits_0_with_empty_reports(repo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    commit(
        repo, {f"{AREA}/c.md": memory(id="mem-F002-c", refs="[]", body="Retry twice at most.\n\n**Apply:** count.\n")}
    )
    assert main(["lint", "--base", "HEAD~1", "--codequality", "gl.json", "--scanner", "off"]) == 0
    assert (repo / "gl.json").read_text() == "[]\n"
    assert capsys.readouterr().out == ""


def test_on_the_default_branch_the_index_may_be_behind_until_finalize(
    repo: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    index = "# Memory index\n\n## 00.Shared/domain\n- [mem-F002-a](00.Shared/domain/F-002_Order/a.md) — x (fact)\n"
    good = {
        f"{AREA}/{name}.md": memory(id=f"mem-F002-{name}", refs="[]", body=f"{name} is {name}.\n\n**Apply:** {name}.\n")
        for name in "ab"
    }
    commit(repo, {**good, f"{ROOT}/MEMORY.md": index})
    assert main(["lint", "--scanner", "off"]) == 1
    assert "M322" in capsys.readouterr().out
    monkeypatch.setenv("CI_COMMIT_BRANCH", "main")
    monkeypatch.setenv("CI_DEFAULT_BRANCH", "main")
    assert main(["lint", "--scanner", "off"]) == 0


def test_a_base_that_is_not_there_is_a_git_error(repo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lint", "--base", "nowhere", "--scanner", "off"]) == 4
    assert "no commit 'nowhere'" in capsys.readouterr().err


def test_a_scanner_that_is_needed_and_not_there_is_an_error(
    repo: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("brain.lint.scanner.PACKAGE", "no_such_package_at_all")
    assert main(["lint", "--scanner", "need"]) == 3
    assert "gitleaks is not installed" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("env", "pipeline"),
    [
        ({}, Pipeline("here")), ({"CI_PROJECT_DIR": "/builds/x"}, Pipeline("/builds/x")), ({"CI_MERGE_REQUEST_DIFF_BASE_SHA": "abc"}, Pipeline("here", "abc")),
        ({"CI_MERGE_REQUEST_DIFF_BASE_SHA": "abc", "CI_MERGE_REQUEST_TARGET_BRANCH_SHA": "def"}, Pipeline("here", "def")),
        ({"CI_COMMIT_BRANCH": "main", "CI_DEFAULT_BRANCH": "main"}, Pipeline("here", is_default=True)), ({"CI_COMMIT_BRANCH": "t", "CI_DEFAULT_BRANCH": "main"}, Pipeline("here", "origin/main")),
    ],
)  # fmt: skip
def test_what_a_pipeline_compares_with(env: dict[str, str], pipeline: Pipeline) -> None:
    assert read_pipeline(env, "here") == pipeline


IN_REQUEST = {
    "CI_MERGE_REQUEST_IID": "7", "CI_MERGE_REQUEST_SOURCE_BRANCH_NAME": "memory/t-1", "CI_COMMIT_SHA": "abc", "CI_PROJECT_ID": "42",
    "CI_MERGE_REQUEST_PROJECT_ID": "42", "CI_PROJECT_URL": "https://git.example.com/sub/g/docs", "CI_JOB_URL": "https://git.example.com/j/1",
    "CI_SERVER_HOST": "git.example.com", "CI_API_V4_URL": "https://git.example.com/sub/api/v4", "CI_PROJECT_PATH": "g/docs",
}  # fmt: skip


def test_which_merge_request_a_pipeline_is_for() -> None:
    plain = MergeRequestPipeline(7, "memory/t-1", "abc", IN_REQUEST["CI_PROJECT_URL"], IN_REQUEST["CI_JOB_URL"], False)
    assert read_merge_request(IN_REQUEST) == plain
    merged = read_merge_request({**IN_REQUEST, "CI_MERGE_REQUEST_SOURCE_BRANCH_SHA": "def"})
    assert merged
    assert (merged.head, merged.is_foreign) == ("def", False)
    fork = read_merge_request({**IN_REQUEST, "CI_PROJECT_ID": "43"})
    assert fork
    assert fork.is_foreign
    assert [read_merge_request(env) for env in ({}, {"CI_MERGE_REQUEST_IID": "x"}, {"CI_MERGE_REQUEST_IID": "٣"})] == [
        None
    ] * 3


def test_notes_are_written_with_the_token_of_the_variable_that_is_named_and_no_other() -> None:
    env = {**IN_REQUEST, "NOTES": " secret\n", "BRAIN_GITLAB_TOKEN": "mighty", "CI_SERVER_TLS_CA_FILE": "/ca.pem"}
    where = find_location(env, load_config({}, None, env), "NOTES")
    assert where
    assert (where.places, str(where.token), where.token_name, where.ca) == (
        (("https://git.example.com/sub", "42"),),
        "secret",
        "NOTES",
        "/ca.pem",
    )
    assert find_location(env, load_config({}, None, env), "BRAIN_NOTE_TOKEN") is None
    assert find_location({"NOTES": "t"}, load_config({}, None, {}), "NOTES") is None


@pytest.mark.parametrize("options", [[], ["--base", "main"]])
@pytest.mark.usefixtures("repo")
def test_a_root_that_is_nowhere_lets_nothing_through(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], options: list[str]
) -> None:
    monkeypatch.setenv("BRAIN_MEMORY_ROOT", "nowhere")
    assert main(["lint", *options, "--scanner", "off"]) == 1
    assert "root-missing: nothing lies below nowhere" in capsys.readouterr().out
