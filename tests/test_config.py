"""``brain config``: every value, where it came from, and what was refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from brain.cli import main
from brain.settings import SETTINGS
from tests.support.repos import ROOT, commit, make_memory_repo, make_repo


def run(repo: Path, *args: str) -> int:
    return main(["-C", str(repo), "config", *args])


def test_each_value_says_where_it_came_from(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    repo = make_memory_repo(
        tmp_path / "docs", settings='[recall]\nscorer = "hybrid"\n[memory]\ntopN = 5\nindexBudget = 7\n'
    )
    commit(repo, {".aiflow/state.json": '{"memory": {"topN": 6, "injectBudget": 900}}'})
    monkeypatch.setenv("BRAIN_MEMORY_INJECT_BUDGET", "800")
    assert run(repo) == 0
    rows = dict(line.split(" = ", 1) for line in capsys.readouterr().out.splitlines())
    assert list(rows) == [setting.name for setting in SETTINGS]
    assert rows["recall.scorer"] == '"hybrid"\t(brain.toml)'
    assert rows["memory.topN"] == "6\t(.aiflow/state.json)"
    assert rows["memory.injectBudget"] == "800\t(BRAIN_MEMORY_INJECT_BUDGET)"
    assert rows["memory.indexBudget"] == "7\t(brain.toml)"
    assert rows["review.draftDays"] == "14\t(default)"


def test_one_setting_or_a_group_can_be_asked_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    repo = make_memory_repo(tmp_path / "docs")
    assert run(repo, "memory.topN", "--json") == 0
    assert json.loads(capsys.readouterr().out) == {
        "settings": {"memory.topN": {"value": 10, "source": "default"}},
        "problems": [],
    }
    assert run(repo, "people") == 0
    assert len(capsys.readouterr().out.splitlines()) == 5
    assert run(repo, "memory.topM") == 3
    assert (
        capsys.readouterr().err
        == "brain: brain config: memory.topM: unknown setting\nhint: did you mean memory.topN?\n"
    )


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ("[memory]\ntopM = 5\n", "brain.toml: memory.topM: unknown setting (did you mean memory.topN?)"),
        ("[memory]\ntopN = -5\n", "brain.toml: memory.topN: -5 is no whole number from 0"),
        ("[memory\n", "brain.toml: not TOML"),
    ],
)
def test_what_is_refused_is_listed_and_the_rest_still_works(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], settings: str, problem: str
) -> None:
    repo = make_memory_repo(tmp_path / "docs", settings=settings)
    assert run(repo, "memory.topN", "--json") == 3
    out, err = capsys.readouterr()
    found = json.loads(out)
    assert found["settings"]["memory.topN"] == {"value": 10, "source": "default"}
    assert len(found["problems"]) == 1
    assert found["problems"][0].startswith(problem)
    assert problem in err


def test_a_broken_state_file_is_a_problem_and_a_broken_memory_is_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    repo = make_memory_repo(tmp_path / "docs", {"00.Shared/decisions/x.md": "broken"})
    assert run(repo, "memory.topN") == 0
    commit(repo, {".aiflow/state.json": "{"})
    assert run(repo, "memory.topN") == 3
    assert "state.json: not a JSON object" in capsys.readouterr().err


def test_a_settings_file_that_is_not_merged_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    repo = make_memory_repo(tmp_path / "docs", settings="[memory]\ntopN = 5\n")
    assert run(repo, "memory.topN") == 0
    assert capsys.readouterr().err == ""
    (repo / ROOT / "brain.toml").write_text("[memory]\ntopN = 9\n")
    assert run(repo, "memory.topN") == 0
    shown = capsys.readouterr()
    assert shown.out == "memory.topN = 5\t(brain.toml)\n"
    assert "only what is merged counts" in shown.err


def test_without_a_memory_repo_the_workspaces_settings_are_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = make_repo(tmp_path / "code", {".aiflow/state.json": '{"memory": {"topN": 3}}'})
    assert run(code, "memory.topN") == 0
    out, err = capsys.readouterr()
    assert out == "memory.topN = 3\t(.aiflow/state.json)\n"
    assert "team settings are not known: no memory repo" in err


def test_a_token_in_a_repos_url_is_not_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    repo = make_memory_repo(
        tmp_path / "docs", settings='[repos]\nshop = "https://oauth2:glpat@gitlab.example.com/shop.git"\n'
    )
    assert run(repo, "repos") == 0
    assert capsys.readouterr().out == 'repos = {"shop": "https://gitlab.example.com/shop.git"}\t(brain.toml)\n'
    assert (repo / ROOT / "brain.toml").exists()
