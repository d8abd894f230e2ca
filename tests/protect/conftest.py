"""A team on the stand-in, with a clone of its memory repo, and commands in it."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

import pytest

from tests.gitlab.fixture import Forge, Team, forge, free_forge, premium, premium_forge
from tests.protect.desk import SHARED, Desk

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

__all__ = ["forge", "free_forge", "premium", "premium_forge"]


@pytest.fixture
def team(forge: Forge) -> Team:
    """Return a project on Free whose main has the team's settings."""
    return forge.team(files=SHARED)


@pytest.fixture
def paid(premium: Forge) -> Team:
    """Return the same on Premium."""
    return premium.team(files=SHARED)


@pytest.fixture
def desk(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Desk]:
    """Return a function that gives a person of a team a clone with settings, and a token."""
    numbers = count(1)

    def make(team: Team, who: str = "tl", **settings: str) -> Desk:
        return Desk(tmp_path / f"{who}-{next(numbers)}", team, who, capsys, monkeypatch, **settings)

    return make
