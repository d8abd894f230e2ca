"""``brain-ci finalize`` without a server: options, the check, what a pipeline says."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from brain_ci.cli import main
from brain_ci.gitlab_env import read_before
from tests.finalize.project import NOON, draft
from tests.finalize.test_check import files
from tests.support.repos import ROOT, commit, git, make_repo, memory_text

if TYPE_CHECKING:
    from pathlib import Path

CLAIM = "memory: finalize !1\n\nBrain-Finalize: x"


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A clone whose index is missing, and the newest commit of which claims to be finalize's."""
    path = make_repo(tmp_path / "m", {f"{ROOT}/{NOON}": draft(NOON)})
    commit(path, {f"{ROOT}/{NOON}": memory_text(NOON)}, CLAIM)
    for name in ("CI_PROJECT_DIR", "CI_COMMIT_BEFORE_SHA", "CI_DEFAULT_BRANCH", "CI_JOB_TOKEN", "CI_MERGE_REQUEST_IID"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(path)
    return path


def test_the_check_names_file_line_and_mend_and_asks_nobody(repo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["finalize", "--check"]) == 1
    out, err = capsys.readouterr()
    assert out == f"{ROOT}/MEMORY.md:1: it is missing: never edit it: brain-ci finalize rebuilds it\n"
    assert err == "brain-ci: 1 fault\n"


def test_the_check_looks_at_the_default_branch_where_that_is_ahead(
    repo: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    git(repo, "checkout", "-q", "--detach")
    git(repo, "remote", "add", "origin", str(repo))
    behind = git(repo, "rev-parse", "HEAD")
    commit(repo, files(**{NOON: memory_text(NOON)}))
    git(repo, "update-ref", "refs/remotes/origin/main", "HEAD")
    git(repo, "checkout", "-q", behind)
    assert main(["finalize", "--check"]) == 0
    assert capsys.readouterr().err == "brain-ci: no faults\n"


def test_without_a_remote_there_is_nothing_to_finalize(repo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["finalize"]) == 4
    assert "there is no remote 'origin'" in capsys.readouterr().err


def test_a_remote_that_is_no_gitlab_needs_a_token_and_says_so(repo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    git(repo, "remote", "add", "origin", "https://git.example.com/team/docs.git")
    assert main(["finalize"]) == 3
    assert "BRAIN_GITLAB_TOKEN is empty" in capsys.readouterr().err


@pytest.mark.parametrize(("text", "before"), [("", ""), ("0" * 40, ""), ("a" * 40, "a" * 40)])
def test_the_commit_before_a_push(text: str, before: str) -> None:
    assert read_before({"CI_COMMIT_BEFORE_SHA": text}) == before
