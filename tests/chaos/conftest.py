"""The stand-in, and the process that plays commands."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.chaos.site import Player
from tests.gitlab.fixture import forge, free_forge, premium, premium_forge

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["forge", "free_forge", "premium", "premium_forge"]


@pytest.fixture
def player() -> Iterator[Player]:
    with Player() as player:
        yield player
