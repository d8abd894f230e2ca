"""What happens in a chaos run: one act a line, such as ``ada submit 2 kill=17 fault=lost_answer@3``."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tests.faults.bench import FAULTS

if TYPE_CHECKING:
    from random import Random

MACHINES = {"ada": "dev", "tom": "tl", "pia": "pia"}
"""The machines, each of one person: a developer, the TL, and a PM who writes memories too."""
PMS = {"pam": "pm", "pia": "pia"}
AT_WORK = {
    "remember": 7, "edit": 3, "submit": 8, "pull-back": 2, "verify": 2, "remove": 2, "restore": 1, "recall": 2, "show": 2,
    "retro": 1, "publish": 1, "fetch": 2, "code": 1, "status": 3, "drop": 1, "undrop": 1, "smuggle": 0.5,
}  # fmt: skip
"""What people do on their machines, and how often."""
AT_REVIEW = {"approve": 6, "unapprove": 1, "close": 1.5, "merge": 5, "comment": 0.5}
AS_TL = {"merge": 1}
"""The TL may merge, and does so without asking for an approval."""
BY_ITSELF = {"finalize": 6, "consolidate": 0.7, "restart": 0.3}
SHARES = {"work": 12, "review": 5, "tl": 0.5, "itself": 4}
COMMANDS = {
    "remember", "edit", "submit", "pull-back", "verify", "remove", "restore", "show", "publish", "status", "drop", "undrop",
    "finalize", "consolidate",
}  # fmt: skip
"""Those that run a program of ours: it may be killed, and its requests may fail."""
MOST_STEPS = {"finalize": 120, "submit": 80, "consolidate": 100}
TICKETS, CHOICES, MOST_SKIPPED = 4, 1000, 14
LINE = re.compile(r"(\w+) ([\w-]+)(?: (\d+))?(?: kill=(\d+))?(?: fault=(\w+)@(\d+))?")


@dataclass(frozen=True)
class Act:
    """Who does what with which of the things that are there (``number``, counted round), and what befalls it.

    ``kill`` is the step behind which the program is killed, 0 for none; ``skip`` requests pass before the ``fault``.
    """

    who: str
    verb: str
    number: int = 0
    kill: int = 0
    fault: str = ""
    skip: int = 0

    def __str__(self) -> str:
        kill = f" kill={self.kill}" if self.kill else ""
        fault = f" fault={self.fault}@{self.skip}" if self.fault else ""
        return f"{self.who} {self.verb} {self.number}{kill}{fault}"


def parse(line: str) -> Act:
    """Return the act that a line tells.

    Raises:
        ValueError: It tells none.
    """
    found = LINE.fullmatch(line.strip())
    if not found:
        raise ValueError(f"no act: {line!r}")
    who, verb, number, kill, fault, skip = found.groups()
    return Act(who, verb, int(number or 0), int(kill or 0), fault or "", int(skip or 0))


def draw(chance: Random, count: int) -> list[Act]:
    """Return so many acts at random."""
    return [_draw(chance) for _ in range(count)]


def _draw(chance: Random) -> Act:
    share = _pick(chance, SHARES)
    number = chance.randrange(CHOICES)
    if share == "work":
        act = Act(chance.choice(list(MACHINES)), _pick(chance, AT_WORK), number)
    elif share == "review":
        act = Act(chance.choice(list(PMS)), _pick(chance, AT_REVIEW), number)
    elif share == "tl":
        act = Act("tom", _pick(chance, AS_TL), number)
    else:
        verb = _pick(chance, BY_ITSELF)
        act = Act("gitlab" if verb == "restart" else "bot", verb, number)
    if act.verb in COMMANDS and chance.random() < 0.25:
        act = replace(act, kill=chance.randint(1, MOST_STEPS.get(act.verb, 30)))
    if act.verb in COMMANDS and chance.random() < 0.2:
        act = replace(act, fault=chance.choice(FAULTS), skip=chance.randrange(MOST_SKIPPED))
    return act


def _pick(chance: Random, weights: dict[str, float]) -> str:
    return chance.choices(list(weights), list(weights.values()))[0]
