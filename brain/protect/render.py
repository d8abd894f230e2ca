"""A plan as text for a person: one block a setting, 80 columns; and as facts for a program."""

from __future__ import annotations

from textwrap import wrap

from brain.protect.item import OK, UNSEEN, WRONG, Change
from brain.text import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from brain.protect.apply import Outcome
    from brain.protect.item import Item

WIDTH = 79
INDENT = 13
SAME = Change("the same as above", "", "", {})
STATES = {OK: "ok", WRONG: "wrong", UNSEEN: "cannot see"}


def render_item(item: Item, changes: Iterable[Change]) -> list[str]:
    """Return a setting's lines; ``changes`` are those of it that wait for ``--apply``."""
    if item.state != WRONG:
        lines = _lines(f"{STATES[item.state]:<{INDENT}}", f"{item.name}: {item.found}")
        return lines + (_lines(_label("mend"), item.mend) if item.state == UNSEEN and item.mend else [])
    lines = _lines(f"{STATES[WRONG]:<{INDENT}}", item.name)
    for label, text in (("is", item.found), ("should be", item.wanted), ("why", item.why)):
        lines += _lines(_label(label), text) if text else []
    for change in changes:
        lines += _lines(_label("--apply"), change.does)
    return lines + _lines(_label("by hand"), item.mend)


def _label(name: str) -> str:
    return f"  {name + ':':<{INDENT - 2}}"


def _lines(label: str, text: str) -> list[str]:
    """Return a text in lines beside its label; it comes from the server, and cannot leave its place."""
    plain = " ".join(visible(text).split())
    return wrap(plain, WIDTH, initial_indent=label, subsequent_indent=" " * INDENT, break_on_hyphens=False) or [label]


def render_plan(items: Iterable[Item], *, applies: bool) -> list[str]:
    """Return all settings' lines, those to be mended set apart by empty ones; a change of several is told once."""
    lines: list[str] = []
    told: list[Change] = []
    for item in items:
        new = [change for change in item.changes if applies and change not in told]
        block = render_item(item, new or [SAME] * bool(applies and item.changes))
        told += new
        if item.state == WRONG and lines and lines[-1]:
            lines.append("")
        lines += [*block, ""] if item.state == WRONG else block
    return lines[:-1] if lines and not lines[-1] else lines


def summary(items: Iterable[Item]) -> str:
    """Return how many settings are how."""
    states = [item.state for item in items]
    counted = [f"{states.count(state)} {STATES[state]}" for state in (OK, WRONG, UNSEEN) if state in states]
    return ", ".join(counted)


def item_facts(item: Item) -> dict[str, Any]:
    """Return a setting for a program; a change is told by what it does, since its body may hold a secret."""
    return {
        "name": item.name, "state": item.state, "found": item.found, "wanted": item.wanted, "why": item.why,
        "mend": item.mend, "changes": [change.does for change in item.changes],
    }  # fmt: skip


def outcome_facts(outcome: Outcome) -> dict[str, Any]:
    """Return what was done for a program."""
    return {
        "done": [change.does for change in outcome.done],
        "failed": [{"change": row.change.does, "error": str(row.error)} for row in outcome.failed],
        "notTried": [change.does for change in outcome.untried],
        "settings": [item_facts(item) for item in outcome.items],
    }  # fmt: skip
