"""``make simulate``: play the year, hold it against the truth, print its figures; ``--chart FILE`` draws them."""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from brain.tend.chart import Series, render_bars
from tests.gitlab.fixture import start
from tests.simulate.plot import PEOPLE, PROJECTS, Plot
from tests.simulate.world import world_of
from tests.simulate.year import Year

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.simulate.year import Week


def main() -> int:
    """Play and report."""
    parser = argparse.ArgumentParser(prog="python -m tests.simulate", description=__doc__)
    parser.add_argument("--weeks", type=int, default=52)
    parser.add_argument("--tickets", type=int, default=29, help="tickets a week")
    parser.add_argument("--memories", type=int, default=11, help="memories that are written a week")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--chart", type=Path)
    args = parser.parse_args()
    began = time.monotonic()
    figures, weeks = simulate(args.weeks, args.tickets, args.memories, args.seed)
    print(json.dumps({**figures, "seconds": round(time.monotonic() - began)}))
    if args.chart:
        args.chart.write_text(chart(weeks), "utf-8")
    return 0


def simulate(weeks: int, tickets: int, memories: int, seed: int) -> tuple[dict[str, float], Sequence[Week]]:
    """Play a year of so many weeks, and return its figures."""
    with tempfile.TemporaryDirectory() as name, start(Path(name) / "gitlab") as forge:
        folder = Path(name) / "team"
        folder.mkdir()
        with world_of(forge, folder, PROJECTS, PEOPLE) as world:
            year = Year(world, Plot(seed, weeks, memories), tickets, seed)
            year.play()
            return year.check_end(), year.weeks


def chart(weeks: Sequence[Week]) -> str:
    """Return three bar charts under each other, as one SVG."""
    labels = [str(week.number) for week in weeks]
    rows = [
        ("Memories in force, by week", [week.memories for week in weeks]),
        ("Most tokens injected in a session, by week", [week.tokens for week in weeks]),
        (
            "Planted lessons that were recalled, in per cent, by week",
            [100 * week.found / week.tickets for week in weeks],
        ),
    ]
    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 750" font-family="system-ui,sans-serif" font-size="11">'
    ]
    for number, (title, numbers) in enumerate(rows):
        bars = render_bars(title, labels, [Series("", numbers)]).replace(
            "<svg ", f'<svg y="{number * 250 + 24}" height="220" width="720" ', 1
        )
        parts += [f'<text x="56" y="{number * 250 + 18}" font-size="14">{title}</text>', bars]
    return "\n".join([*parts, "</svg>"]) + "\n"


if __name__ == "__main__":
    raise SystemExit(main())
