"""A team with its memory repo on each tier, set up with the public commands."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.gitlab.fixture import forge, free_forge, paid, premium, premium_forge, team
from tests.loop.world import World

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["forge", "free_forge", "paid", "premium", "premium_forge", "team"]


@pytest.fixture(params=["free", "premium"])
def world(request: pytest.FixtureRequest, tmp_path: Path) -> World:
    """Return a team on one tier, then the other."""
    return World(request.getfixturevalue("team" if request.param == "free" else "paid"), tmp_path, request.param)
