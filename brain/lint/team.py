"""What lint has to know of the team: its settings, and the day."""

from __future__ import annotations

from brain.settings import DEFAULT_PROFILES
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from brain.settings import Config

OWN_ALIASES = ("docs", "code")
DEFAULT_WORKFLOWS = frozenset(("all", "review", *DEFAULT_PROFILES))


@value
class Team:
    """Settings that rules look at.

    ``root`` is the memory root's folder in its repo, ``today`` an ISO date ("" knows none), ``aliases`` the repos
    that refs may name, ``domains`` the team's own mail domains, ``allow`` the allowances of brain.toml.
    """

    root: str = "99.Memory"
    today: str = ""
    workflows: frozenset[str] = DEFAULT_WORKFLOWS
    aliases: frozenset[str] = frozenset(OWN_ALIASES)
    domains: tuple[str, ...] = ()
    allow: tuple[dict[str, str], ...] = ()


def team_of(config: Config, today: str) -> Team:
    """Return what lint has to know of the settings in force."""
    values: dict[str, Any] = config.values
    return Team(
        values["memory.root"], today, DEFAULT_WORKFLOWS | values["memory.profiles"].keys(),
        frozenset((*OWN_ALIASES, *values["repos"])), tuple(values["lint.domains"]), tuple(values["lint.allow"]),
    )  # fmt: skip
