"""The stand-in for GitLab, and a merge request of memories on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.ci.request import Request, memory_repo
from tests.gitlab.fixture import forge, free_forge, paid, premium, premium_forge, team

if TYPE_CHECKING:
    from pathlib import Path

    from tests.gitlab.fixture import Team

__all__ = ["forge", "free_forge", "paid", "premium", "premium_forge", "team"]


@pytest.fixture
def request_(team: Team, tmp_path: Path) -> Request:
    """Return a clone of a memory repo, from which a merge request can be made."""
    return Request(memory_repo(team), tmp_path / "clone")
