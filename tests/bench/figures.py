"""What a bench measured, kept for the one table of all (``make bench``)."""

from __future__ import annotations

import json
import os

VARIABLE = "BENCH_FIGURES"
"""Names the file that figures are added to; unset, none is kept."""


def figure(name: str, measured: float, target: float, floor: str = "", *, at_least: bool = False) -> int:
    """Keep a figure, and return 1 if it misses its target.

    Args:
        name: What was measured, with its unit unless it is a ratio.
        measured: The ratio against ``floor``, or a number by itself.
        target: What was promised: at most, or ``at_least``.
        floor: What the ratio is against, as it was measured in the same minutes; "" for a number by itself.
        at_least: Whether more is better.
    """
    met = measured >= target if at_least else measured <= target
    file = os.environ.get(VARIABLE)
    if file:
        row = {"name": name, "measured": measured, "target": target, "floor": floor, "atLeast": at_least, "met": met}
        with open(file, "a", encoding="utf-8") as opened:
            opened.write(json.dumps(row, ensure_ascii=False) + "\n")
    return int(not met)


def table(lines: list[str]) -> tuple[str, int]:
    """Return the table of the figures that these lines hold, and how many missed their target."""
    rows = [json.loads(line) for line in lines]
    width = max((len(row["name"]) for row in rows), default=8)
    text = [f"{'promise':{width}}  {'measured':>9}  {'target':>9}  {'':6}  floor"]
    for row in rows:
        sign = "≥" if row["atLeast"] else "≤"
        unit = " ×" if row["floor"] else "  "
        verdict = "met" if row["met"] else "MISSED"
        text.append(
            f"{row['name']:{width}}  {row['measured']:7.2f}{unit}  {sign}{row['target']:8g}  {verdict:6}  {row['floor']}".rstrip()
        )
    return "\n".join(text), sum(not row["met"] for row in rows)
