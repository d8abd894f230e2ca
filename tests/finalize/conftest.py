"""A project on each tier; the stand-ins come from tests.gitlab.fixture."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.finalize.project import Project
from tests.gitlab.fixture import forge, free_forge, paid, premium, premium_forge, team

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["forge", "free_forge", "paid", "premium", "premium_forge", "team"]


@pytest.fixture(params=["free", "premium"])
def project(request: pytest.FixtureRequest, tmp_path: Path) -> Project:
    """Return a project on one tier, then the other; on Premium a push leaves approvals as they are."""
    team = request.getfixturevalue("team" if request.param == "free" else "paid")
    if request.param == "premium":
        team.root.ask("POST", f"{team.api}/approvals", reset_approvals_on_push=False)
    made = Project(team, tmp_path)
    made.tier = request.param
    return made
