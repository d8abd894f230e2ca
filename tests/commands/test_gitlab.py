"""``brain gitlab setup`` as a command: its text, its JSON, its exit statuses. What it does is in ``tests/protect``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.gitlab.fixture import Team, forge, free_forge
from tests.protect.conftest import team
from tests.protect.desk import Desk, name_the_package
from tests.support.program import C_LOCALE

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["forge", "free_forge", "team"]


@pytest.fixture
def tl(tmp_path: Path, team: Team, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Desk:
    return Desk(tmp_path / "tl", team, "tl", capsys, monkeypatch)


def test_the_plan_is_the_default_and_fits_a_terminal(tl: Desk) -> None:
    done = tl.setup()
    assert (done.returncode, done.stderr) == (1, "")
    lines = done.stdout.splitlines()
    assert lines[0] == f"{tl.team.path} on {tl.team.forge.url}"
    assert max(map(len, lines[1:])) < 80
    assert "  --apply:   make the label memory" in lines
    assert lines[-1].startswith("--apply makes ")


def test_each_setting_is_there_for_programs(tl: Desk) -> None:
    found = tl.facts()
    assert list(found) == ["settings"]
    names = {"name", "state", "found", "wanted", "why", "mend", "changes"}
    assert all(set(row) == names for row in found["settings"])
    assert {row["state"] for row in found["settings"]} <= {"ok", "wrong", "cannot see"}


def test_applying_tells_each_change_and_then_what_is_left(tl: Desk) -> None:
    done = tl.setup("--apply")
    assert done.returncode == 1
    told, _, left = done.stdout.partition("\n\n")
    assert all(line.startswith("done: ") for line in told.splitlines())
    assert "wrong        bot" in left
    assert "  --apply:" not in left
    found = tl.facts("--apply")
    assert list(found) == ["settings"]  # nothing was left to change


def test_applying_tells_programs_what_was_done(tl: Desk) -> None:
    found = tl.facts("--apply")
    assert list(found) == ["done", "failed", "notTried", "settings"]
    assert "make the label memory" in found["done"]
    assert found["failed"] == found["notTried"] == []


def test_all_is_well_ends_with_0(tl: Desk) -> None:
    team = tl.team
    token = tl.make_bot()["token"]
    team.root.ask("POST", f"{team.api}/variables", key="BRAIN_GITLAB_TOKEN", value=token, masked=True, protected=True)
    for who in ("tl", "bot"):
        team.root.ask("PUT", f"{team.api}/members/{team.people[who].id}", access_level=30)
    tl.env["BRAIN_GITLAB_TOKEN"] = team.pm.token
    tl.setup("--apply")
    team.ready(1)
    team.pm.ask("PUT", f"{team.api}/merge_requests/1/merge")
    name_the_package(team)
    done = tl.setup("--apply")
    assert done.returncode == 0, done.stdout
    assert done.stdout.startswith("done: pipelines must succeed: on\n")
    done = tl.setup()
    assert (done.returncode, "wrong" in done.stdout) == (0, False)
    assert all(row["state"] == "ok" for row in tl.checks().values())


def test_it_needs_an_action_and_a_memory(tl: Desk, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from brain.cli import main

    with pytest.raises(SystemExit) as ended:
        main(["-C", str(tl.folder), "gitlab"])
    assert ended.value.code == 2
    capsys.readouterr()
    assert main(["-C", str(tmp_path), "gitlab", "setup"]) == 3
    assert "run brain init" in capsys.readouterr().err


def test_as_a_program_of_its_own_it_prints_utf_8(tl: Desk) -> None:
    with tl.start("gitlab", "setup", **C_LOCALE) as process:
        out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (1, "")
    assert "Settings → CI/CD" in out
