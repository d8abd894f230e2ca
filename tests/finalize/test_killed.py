"""Killed anywhere, the next run completes: one commit, nothing left over, and at no time anything recalled unapproved.

One in BRAIN_FAULTS steps on both tiers (``make faults``: each), else one in twenty-nine on Free.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest

from tests.finalize.project import NOON, STOCK, Project, draft
from tests.finalize.test_on_main import accepted
from tests.submit.killer import Orders

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.gitlab.fixture import Forge

WHOLE = bool(os.environ.get("BRAIN_FAULTS"))
STRIDE = int(os.environ.get("BRAIN_FAULTS") or 29)


class Killer(Orders):
    """The program that runs the job and kills it."""

    module = "tests.finalize.killer"

    def __call__(self, project: Project, step: int = 0, when: str = "before") -> dict[str, Any]:
        return self.ask(env=project.env(), step=step, when=when)


@pytest.fixture
def killer() -> Iterator[Killer]:
    killer = Killer()
    with killer.process:
        yield killer


class Trial(Project):
    """A project with one memory that was approved, and an edit of another that nobody approved, both merged."""

    def __init__(self, forge: Forge, folder: Path, *, pushes: bool) -> None:
        folder.mkdir()
        super().__init__(forge.team(), folder)
        if pushes:
            self.ask("PATCH", "protected_branches/main", allowed_to_push=[{"access_level": 40}])
        self.good = accepted(self, {NOON: draft(NOON)})
        self.bad = self.propose(
            {STOCK: draft(STOCK).replace("pending", "approved").replace("reviewed_by:", "reviewed_by: pm")}
        )
        self.merge(self.bad, who="tl")

    def end(self) -> dict[str, Any]:
        """Return what is the same whether a run was killed or not."""
        return {
            "states": (self.state(NOON)[0], self.state(STOCK)), "index": self.index(), "commits": len(self.bot_commits()),
            "branches": [name for name in self.branches() if "finalize" in name],
            "requests": [row["iid"] for row in self.ask("GET", "merge_requests?state=opened")], "notes": len(self.notes(self.bad)),
        }  # fmt: skip


ENDED = {
    "states": ("approved", ("pending", "")), "index": ["mem-F003-noon"], "commits": 1, "branches": [],
    "requests": [], "notes": 1,
}  # fmt: skip
WAYS = [("free", False), ("free", True), ("premium", False), ("premium", True)] if WHOLE else [("free", False)]


@pytest.mark.parametrize(("tier", "pushes"), WAYS)
def test_killed_at_every_step(
    request: pytest.FixtureRequest, tmp_path: Path, killer: Killer, tier: str, pushes: bool
) -> None:
    forge = request.getfixturevalue("forge" if tier == "free" else "premium")
    whole = Trial(forge, tmp_path / "whole", pushes=pushes)
    first = killer(whole)
    assert (first["status"], whole.end()) == (1, ENDED)
    tried = 0
    for number in range(1, first["steps"] + 1):  # after a step is before the next
        if (number - STRIDE // 2) % STRIDE:
            continue
        trial = Trial(forge, tmp_path / f"{number}", pushes=pushes)
        assert killer(trial, number, "after")["status"] == -9, number
        assert trial.index() in ([], ["mem-F003-noon"]), number
        again = killer(trial)
        assert (again["status"], trial.end()) == (1, ENDED), number
        tried += 1
    print(f"{tier}, pushes {pushes}: {first['steps']} steps, {tried} kills, {tried} survived")
    assert tried
