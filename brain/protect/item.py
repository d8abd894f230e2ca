"""One thing that is looked at: what it is, what it should be, why, and how to mend it."""

from __future__ import annotations

from brain.checkup import OK, UNSEEN, WRONG
from brain.protect.facts import LEVELS
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from brain.protect.facts import Facts, Level, Unseen

__all__ = ["OK", "UNSEEN", "WRONG", "Change", "Item", "levels_text", "ok", "unseen", "wrong"]


@value
class Change:
    """A request that changes one thing: what it does in words, and verb, path below the project and body."""

    does: str
    verb: str
    path: str
    body: Mapping[str, Any]


@value
class Item:
    """A setting. ``state`` is ``OK``, ``WRONG`` or ``UNSEEN``; without ``changes`` a person has to mend it."""

    name: str
    state: str
    found: str
    wanted: str = ""
    why: str = ""
    mend: str = ""
    changes: tuple[Change, ...] = ()


def ok(name: str, found: str, why: str = "") -> Item:
    """Return a setting that is as it should be."""
    return Item(name, OK, found, why=why)


def wrong(name: str, found: str, wanted: str, why: str, mend: str, *changes: Change) -> Item:
    """Return a setting that is to be mended."""
    return Item(name, WRONG, found, wanted, why, mend, changes)


def unseen(name: str, part: Unseen, mend: str = "") -> Item:
    """Return a setting that could not be read."""
    return Item(name, UNSEEN, part.why, mend=mend)


def levels_text(facts: Facts, levels: Iterable[Level]) -> str:
    """Return who may, in words."""
    return ", ".join(dict.fromkeys(_level_text(facts, level) for level in levels)) or "no one"


def _level_text(facts: Facts, level: Level) -> str:
    if level.user:
        return facts.name_of(level.user)
    if level.group:
        return f"group {level.text or level.group}"
    if level.key:
        return f"deploy key {level.key}"
    return LEVELS.get(level.role, level.text or f"level {level.role}")
