"""A branch of memories changes memories alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from brain.git.refs import get_repo
from brain.lint.branch import lint_branch
from brain.lint.run import Job
from tests.support.repos import ROOT, commit, git, make_repo

if TYPE_CHECKING:
    from pathlib import Path

GOOD = f"{ROOT}/00.Shared/glossary/x.md"


def found(repo: Path) -> list[tuple[str, str, bool]]:
    """Return path, rule and whether it blocks, of what ``topic`` changes against main."""
    job = Job(get_repo(str(repo)), ROOT, "2026-11-30")
    return [(row.path, row.rule.name, row.blocks) for row in lint_branch(job, "main", "topic")]


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    path = make_repo(
        tmp_path / "r", {f"{ROOT}/brain.toml": "", ".gitlab-ci.yml": "a: 1\n", "CODEOWNERS": "* @pm\n", GOOD: "x"}
    )
    git(path, "checkout", "-q", "-b", "topic")
    return path


def test_memories_and_the_index_may_change(repo: Path) -> None:
    commit(repo, {GOOD: None, f"{ROOT}/MEMORY.md": "x", f"{ROOT}/_deprecated/00.Shared/glossary/x.md": "x"})
    assert found(repo) == []


@pytest.mark.parametrize(
    "path",
    [".gitlab-ci.yml", "CODEOWNERS", ".gitlab/CODEOWNERS", f"{ROOT}/brain.toml", f"{ROOT}/.gitignore", "src/ghi chú.py", f"{ROOT}.md"],
)  # fmt: skip
def test_nothing_else_may(repo: Path, path: str) -> None:
    commit(repo, {path: "changed", GOOD: "y"})
    assert found(repo) == [(path, "not-a-memory", True)]


def test_taking_a_file_away_is_a_change_too(repo: Path) -> None:
    commit(repo, {"CODEOWNERS": None})
    assert found(repo) == [("CODEOWNERS", "not-a-memory", True)]


def test_what_main_changed_meanwhile_is_not_the_branchs(repo: Path) -> None:
    commit(repo, {GOOD: "y"})
    git(repo, "checkout", "-q", "main")
    commit(repo, {"src/pay.py": "x"})
    assert found(repo) == []


def test_only_an_allowance_that_was_there_before_counts(repo: Path) -> None:
    commit(repo, {"CODEOWNERS": "* @dev\n"})
    job = Job(get_repo(str(repo)), ROOT, "2026-11-30")
    (row,) = lint_branch(job, "main", "topic")
    allowance = f'[[lint.allow]]\nfingerprint = "{row.fingerprint}"\nreason = "the TL asked for it"\n'
    commit(repo, {f"{ROOT}/brain.toml": allowance})
    assert ("CODEOWNERS", "not-a-memory", True) in found(repo)
    git(repo, "checkout", "-q", "-B", "topic", "main")
    git(repo, "checkout", "-q", "main")
    commit(repo, {f"{ROOT}/brain.toml": allowance})
    git(repo, "checkout", "-q", "-B", "topic")
    commit(repo, {"CODEOWNERS": "* @dev\n"})
    assert found(repo) == [("CODEOWNERS", "not-a-memory", False)]
