"""The stand-ins, and the program that runs commands quickly."""

from __future__ import annotations

from tests.gitlab.fixture import forge, free_forge, paid, premium, premium_forge, team
from tests.submit.test_killed import killer

__all__ = ["forge", "free_forge", "killer", "paid", "premium", "premium_forge", "team"]
