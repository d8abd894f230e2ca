"""The figures of issue 3, on the generators and cases beside this project; other seeds and cases are kept back."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from brain.git.refs import get_repo
from brain.lint.run import Job, lint_all, lint_disk
from brain.workspace import find_workspace
from tests.eval.lint import DATA, injection_figures, malformed_failures, secret_figures

pytestmark = pytest.mark.skipif(not (DATA / "secrets" / "gen.py").is_file(), reason=f"no generators at {DATA}")


@pytest.fixture(scope="module")
def secrets(tmp_path_factory: pytest.TempPathFactory) -> dict[int, dict[str, tuple[float, float]]]:
    folder = tmp_path_factory.mktemp("secrets")
    return {seed: secret_figures(folder, seed) for seed in (7, 1234)}


@pytest.mark.parametrize("seed", [7, 1234])
def test_secrets_and_personal_data_by_errors_alone(
    secrets: dict[int, dict[str, tuple[float, float]]], seed: int
) -> None:
    recall, precision = secrets[seed]["secret"]
    assert recall >= 0.98
    assert precision >= 0.97
    recall, precision = secrets[seed]["pii"]
    assert recall >= 0.95
    assert precision >= 0.95


def test_attacks_and_no_error_on_what_is_benign() -> None:
    recall, false_errors = injection_figures()
    assert recall >= 0.95
    assert false_errors == []


def test_every_verdict_of_the_malformed_suite(tmp_path: Path) -> None:
    assert malformed_failures(tmp_path) == []


def test_the_malformed_suite_as_a_person_runs_it(tmp_path: Path) -> None:
    """The same through the program, whose JSON is what other tools read."""
    subprocess.run(
        [sys.executable, str(DATA / "malformed" / "gen.py"), "--out", str(tmp_path / "m"), "--git"],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    root = Path(__file__).resolve().parents[2]
    env = {**os.environ, "PYTHONPATH": str(root), "BRAIN_NOW": "2026-11-30"}
    done = subprocess.run(
        [sys.executable, "-m", "brain", "lint", "--all", "--json"],
        cwd=tmp_path / "m" / "repo",
        env=env,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    worst: dict[str, str] = {}
    for one in json.loads(done.stdout)["findings"]:
        worst[one["path"]] = "error" if "error" in (one["severity"], worst.get(one["path"])) else "warn"
    cases = [
        case
        for case in json.loads((tmp_path / "m" / "expected.json").read_text())["cases"]
        if case.get("only") != "disk"
    ]
    assert [case["path"] for case in cases if worst.get(case["path"], "ok") != case["verdict"]] == []


def test_disk_and_git_say_the_same(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, str(DATA / "malformed" / "gen.py"), "--out", str(tmp_path / "m"), "--git"],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    repo = tmp_path / "m" / "repo"
    job = Job(get_repo(str(repo)), "99.Memory", "2026-11-30", find_workspace(str(repo)))
    in_git = {(one.path, one.rule.name, one.line) for one in lint_all(job).findings}
    on_disk = {(one.path, one.rule.name, one.line) for one in lint_disk(job, [str(repo / "99.Memory")], "").findings}
    only_disk = {"not-a-regular-file"}
    only_git = {"submodule-entry", "index-edited"}
    objects = ("gitlink-to.md", "/module")  # entries that no disk has
    differ = {row for row in in_git ^ on_disk if row[1] not in only_disk | only_git and row[0].startswith("99.Memory/")}
    assert {row for row in differ if not row[0].endswith(objects)} == set()
