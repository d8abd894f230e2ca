"""A team, and commands on its first machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.submit.team import Team
from tests.support.program import Run

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def team(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Team]:
    team = Team(tmp_path)
    for name, text in team.env.items():
        monkeypatch.setenv(name, text)
    yield team
    team.server.close()


@pytest.fixture
def run(team: Team, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    return Run(team.ada.folder, capsys, monkeypatch)
