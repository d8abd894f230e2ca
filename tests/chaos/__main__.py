"""``python -m tests.chaos [--minutes M] [--seed N]``: random operations with kills and faults, and what must hold then.

An episode is a project of its own, on which so many acts happen; then everything is let finish, and looked at. Of an
episode that does not hold, a short list of acts is printed, which ``--script FILE`` plays again.
"""

from __future__ import annotations

import argparse
import os
import random
import secrets
import sys
import tempfile
import time
from collections import Counter
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from tests.chaos.acts import Act, draw, parse
from tests.chaos.settle import settle
from tests.chaos.shrink import shrink
from tests.chaos.site import Player, Site
from tests.conftest import FIXED
from tests.gitlab.fixture import Forge, start

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MODES = ("on-main", "on-main", "on-main", "on-branch")
ACTS = 40


class Chaos:
    """Plays episodes on a stand-in for each tier."""

    def __init__(self, forges: dict[str, Forge], folder: Path, player: Player) -> None:
        self.forges, self.folder, self.player = forges, folder, player
        self.numbers = count(1)
        self.done: Counter[str] = Counter()

    def play(self, acts: Sequence[Act], seed: int, mode: str, *, loud: bool = False) -> list[str]:
        """Return what does not hold after these acts."""
        folder = self.folder / f"{next(self.numbers)}"
        folder.mkdir()
        tier = "premium" if mode == "on-branch" else "free"
        site = Site(self.forges[tier], folder, self.player, random.Random(seed), mode)
        site.play_all(list(acts), loud=loud)
        site.loud = loud
        return settle(site)

    def shortened(self, acts: list[Act], seed: int, mode: str, seconds: float) -> list[Act]:
        """Return fewer acts after which something does not hold."""

        def fails(fewer: list[Act]) -> bool:
            try:
                return bool(self.play(fewer, seed, mode))
            except AssertionError:
                return False

        return shrink(acts, fails, seconds)


def episodes(
    chaos: Chaos, seed: int, seconds: float, acts: int = ACTS, *, loud: bool = False
) -> Iterator[tuple[int, str, list[Act], list[str]]]:
    """Play episodes until time is up; yield each one's seed, mode, acts and what does not hold."""
    end = time.monotonic() + seconds
    for number in count(seed):
        chance = random.Random(number)
        mode, drawn = chance.choice(MODES), draw(chance, acts)
        fell = chaos.play(drawn, number, mode, loud=loud)
        chaos.done.update(act.verb for act in drawn)
        chaos.done["kill"] += sum(act.kill > 0 for act in drawn)
        chaos.done["fault"] += sum(act.fault != "" for act in drawn)
        yield number, mode, drawn, fell
        if time.monotonic() > end:
            return


def main(argv: Sequence[str] | None = None) -> int:
    """Play, print what happened; exit 1 if something did not hold."""
    parser = argparse.ArgumentParser(prog="python -m tests.chaos", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=None, help="of the first episode; the next has the next number")
    parser.add_argument("--acts", type=int, default=ACTS, help="acts an episode")
    parser.add_argument("--shrink", type=float, default=5.0, metavar="MINUTES", help="spent on one that did not hold")
    parser.add_argument("--loud", action="store_true", help="print each act, how it ended and its last line")
    parser.add_argument("--script", type=Path, help="play the acts of a file: mode and seed on its first line")
    args = parser.parse_args(argv)
    seed = secrets.randbelow(1_000_000) if args.seed is None else args.seed
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="chaos-")))
        _seal(folder)
        forges = {tier: stack.enter_context(start(folder / tier, tier=tier)) for tier in ("free", "premium")}
        for forge in forges.values():
            forge.set(result="pending")
        chaos = Chaos(forges, folder, stack.enter_context(Player()))
        if args.script:
            return _play_script(chaos, args.script)
        print(f"seed {seed}, {args.acts} acts an episode", flush=True)
        return _play_all(chaos, seed, args)


def _seal(folder: Path) -> None:
    """Keep this machine's settings of git out."""
    config = folder / ".gitconfig"
    config.write_text("[init]\n\tdefaultBranch = main\n[gc]\n\tauto = 0\n")
    os.environ.update(FIXED, HOME=str(folder), GIT_CONFIG_GLOBAL=str(config))


def _play_script(chaos: Chaos, file: Path) -> int:
    lines = [line for line in file.read_text("utf-8").splitlines() if line.strip() and not line.startswith("#")]
    mode, seed = lines[0].split()
    fell = chaos.play([parse(line) for line in lines[1:]], int(seed), mode, loud=True)
    print(*fell or ["all holds"], sep="\n")
    return 1 if fell else 0


def _play_all(chaos: Chaos, seed: int, args: argparse.Namespace) -> int:
    tried = survived = 0
    started = time.monotonic()
    for number, mode, acts, fell in episodes(chaos, seed, args.minutes * 60, args.acts, loud=args.loud):
        tried, survived = tried + 1, survived + (not fell)
        print(
            f"  {'FELL' if fell else 'ok  '} episode {number}, {mode} ({time.monotonic() - started:.0f} s)", flush=True
        )
        if fell:
            print(*(f"    {text}" for text in fell), sep="\n", flush=True)
            short = chaos.shortened(acts, number, mode, args.shrink * 60)
            print(
                f"    {len(short)} of {len(acts)} acts are enough:\n\n{mode} {number}", *short, "", sep="\n", flush=True
            )
    verbs = ", ".join(f"{name} {times}" for name, times in chaos.done.most_common())
    print(f"chaos, seed {seed}: {tried} tried, {survived} survived\n{verbs}")
    return 0 if survived == tried else 1


if __name__ == "__main__":
    sys.exit(main())
