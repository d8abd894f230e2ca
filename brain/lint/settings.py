"""brain.toml: that it can be used."""

from __future__ import annotations

import re

from brain.errors import ConfigError
from brain.lint.finding import ERROR, WARNING, Rule
from brain.settings import load_config, parse_toml

TYPE_CHECKING = False
if TYPE_CHECKING:
    from brain.lint.finding import Sheet

SETTINGS_INVALID = Rule(
    "M320", "settings-invalid", ERROR, "settings that cannot be used",
    "Everyone would work with other values than the team decided.", "correct it; brain config prints what there is",
)  # fmt: skip
ALLOWANCE = Rule(
    "M321", "allowance-added", WARNING, "lint lets something through",
    "An allowance weakens the gate for everyone: it should be seen.", "nothing, if the reason is good",
)  # fmt: skip


def check_settings(text: str, sheet: Sheet) -> None:
    """Report what is wrong with brain.toml, and each allowance it gives."""
    try:
        config = load_config(parse_toml(text), None, {})
    except ConfigError as error:
        line = re.search(r"line (\d+)", str(error))
        sheet.add(SETTINGS_INVALID, int(line[1]) if line else 1, 1, error.reason)
        return
    for problem in config.problems:
        sheet.add(SETTINGS_INVALID, _line(text, problem.key), 1, f"{problem.key}: {problem.reason}", mend=problem.hint)
    for item in config["lint.allow"]:
        line_number = _line(text, item["fingerprint"])
        sheet.add(ALLOWANCE, line_number, 1, f"lint lets {item['fingerprint']} through: {item['reason']}")


def _line(text: str, word: str) -> int:
    last = word.rpartition(".")[2]
    return next((number for number, line in enumerate(text.split("\n"), 1) if last in line), 1)
