"""A removal or a restore killed anywhere: the next run finishes it, and there is one branch and one merge request.

One in BRAIN_FAULTS steps (``make faults``: each), else one in twenty-nine.
"""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from tests.submit.team import NOON, Team
from tests.submit.test_killed import STRIDE, Killer, Trial, killer, nothing, state
from tests.support.repos import ROOT, commit, git, memory_text

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

__all__ = ["killer"]
REMOVE = ("remove", "mem-F003-retry", "--reason", "no longer true")
RESTORE = ("restore", "mem-F003-noon")


def proposed(team: Team, killer: Killer) -> None:
    assert killer(team.ada, *REMOVE)["status"] == 0


def proposed_otherwise(team: Team, killer: Killer) -> None:
    assert killer(team.ada, "remove", "mem-F003-retry", "--hard", "--reason", "another reason")["status"] == 0


def closed(team: Team, killer: Killer) -> None:
    proposed(team, killer)
    team.server.close_request(1, "we need it")


def merged(team: Team, killer: Killer) -> None:
    proposed(team, killer)
    team.server.merge_request(1)


SCENARIOS: dict[str, tuple[Callable[[Team, Killer], None], tuple[str, ...]]] = {
    "remove": (nothing, REMOVE), "remove for another reason": (proposed_otherwise, REMOVE), "remove after it was closed": (closed, REMOVE),
    "restore": (nothing, RESTORE), "see that it was closed": (closed, ("status",)), "see that it was merged": (merged, ("status",)),
}  # fmt: skip


def with_removed(team: Team) -> None:
    """Put a softly removed memory on the default branch."""
    text = memory_text(NOON, status="deprecated", removal="soft", removal_reason="old")
    commit(team.ada.folder, {f"{ROOT}/_deprecated/{NOON}": text})
    git(team.ada.folder, "push", "-q", "origin", "HEAD:main")


@pytest.mark.parametrize("name", SCENARIOS)
def test_killed_at_every_step(tmp_path: Path, killer: Killer, name: str) -> None:
    prepare, command = SCENARIOS[name]
    template = Team(tmp_path / "template")
    with_removed(template)
    prepare(template, killer)
    whole = Trial(template, tmp_path / "whole")
    steps = killer(whole.ada, *command)["steps"]
    wanted, before = state(whole), whole.ada.snapshot()
    whole.server.close()
    assert steps > 5
    assert [row[1] for row in wanted["requests"]].count("opened") == (command[0] != "status")
    tried = 0
    for number in range(1, steps + 1):  # after a step is before the next
        if (number - STRIDE // 2) % STRIDE:
            continue
        trial = Trial(template, tmp_path / f"{number}")
        killed = killer(trial.ada, *command, step=number, when="after")
        assert killed["status"] == -9, (number, killed)
        again = killer(trial.ada, *command)
        assert state(trial) == wanted, (number, again)
        assert trial.ada.snapshot() == before, number
        trial.server.close()
        shutil.rmtree(trial.folder)
        tried += 1
    template.server.close()
    print(f"{name}: {steps} steps, {tried} kills, {tried} survived")
