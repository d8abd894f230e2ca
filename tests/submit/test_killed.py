"""Killed anywhere, the next run finishes or undoes it: no draft is lost, no merge request is doubled.

One in BRAIN_FAULTS steps of every scenario (``make faults``: each), else one in twenty-nine.
"""

from __future__ import annotations

import json
import os
import shutil
from typing import TYPE_CHECKING, Any

import pytest

from tests.forge.responder import Responder
from tests.submit.killer import Orders
from tests.submit.team import NOON, QUEUE, STOCK, Machine, Team
from tests.support.repos import git

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

STRIDE = int(os.environ.get("BRAIN_FAULTS") or 29)


class Killer(Orders):
    """The program that runs commands and kills them."""

    def __call__(self, machine: Machine, *args: str, step: int = 0, when: str = "before") -> dict[str, Any]:
        return self.ask(args=["-C", str(machine.folder), *args], env=machine.env, step=step, when=when)


@pytest.fixture
def killer() -> Iterator[Killer]:
    killer = Killer()
    with killer.process:
        yield killer


class Trial(Team):
    """A copy of a team as it was prepared."""

    def __init__(self, template: Team, folder: Path) -> None:
        self.folder = folder
        self.origin = folder / "origin.git"
        shutil.copytree(template.folder, folder, symlinks=True)
        self.server = Responder(self.origin)
        self.server.requests = json.loads(json.dumps(template.server.requests))
        self.server.notes = json.loads(json.dumps(template.server.notes))
        self.ada = Machine(folder / "ada", {**template.env, "BRAIN_GITLAB_URL": self.server.url})
        git(self.ada.folder, "remote", "set-url", "origin", str(self.origin))


def kept(team: Team, drafts: set[str]) -> set[str]:
    """Return those of the drafts' texts that are not lost: a draft, or in what a ref here or there leads to."""
    found = set(team.ada.drafts().values())
    for repo, refs in ((team.origin, "--all"), (team.ada.folder, "--glob=refs/brain")):
        ids = {line.partition(" ")[0] for line in git(repo, "rev-list", "--objects", refs).splitlines()}
        found |= {text for text in drafts if git(repo, "hash-object", "--stdin", stdin=text) in ids}
    return drafts & found


def state(team: Team) -> dict[str, Any]:
    """Return what is the same whether a run was killed or not."""
    heads = git(team.origin, "for-each-ref", "--format=%(refname:short)", "refs/heads").splitlines()
    return {
        "drafts": team.ada.drafts(), "branches": {name: team.branch(name) for name in heads if name != "main"},
        "requests": [(row["iid"], row["state"], row["title"], row["description"]) for row in team.server.requests],
        "notes": {iid: [note["body"] for note in rows] for iid, rows in team.server.notes.items()},
        "journal": {name: (entry["stage"], entry["drafts"], entry["iid"], entry["flight"], entry["reason"]) for name, entry in team.ada.journal().items()},
    }  # fmt: skip


def nothing(_: Team, __: Killer) -> None:
    """Prepare nothing more."""


def submitted(team: Team, killer: Killer) -> None:
    assert killer(team.ada, "submit", "--ticket", "T-1")["status"] == 0


def changed(team: Team, killer: Killer) -> None:
    submitted(team, killer)
    team.ada.draft(NOON, body="Orders close at ten.\n\n**Apply:** ship early.")
    team.ada.draft(QUEUE)


def pulled(team: Team, killer: Killer) -> None:
    submitted(team, killer)
    assert killer(team.ada, "pull-back", "T-1")["status"] == 0
    (team.ada.folder / "99.Memory/_pending" / STOCK).unlink()


def closed(team: Team, killer: Killer) -> None:
    submitted(team, killer)
    team.server.close_request(1, "no")


def merged(team: Team, killer: Killer) -> None:
    submitted(team, killer)
    team.server.merge_request(1)


SUBMIT = ("submit", "--ticket", "T-1")
SCENARIOS: dict[str, tuple[Callable[[Team, Killer], None], tuple[str, ...]]] = {
    "submit": (nothing, SUBMIT), "submit again with more": (changed, SUBMIT), "submit after a pull-back": (pulled, SUBMIT),
    "submit after it was closed": (closed, (*SUBMIT, "mem-F003-noon", "mem-F004-stock")), "pull-back": (submitted, ("pull-back", "T-1")),
    "see that it was closed": (closed, ("status",)), "see that it was merged": (merged, ("status",)),
}  # fmt: skip


@pytest.mark.parametrize("name", SCENARIOS)
def test_killed_at_every_step(tmp_path: Path, killer: Killer, name: str) -> None:
    prepare, command = SCENARIOS[name]
    template = Team(tmp_path / "template")
    template.ada.draft(NOON)
    template.ada.draft(STOCK)
    drafts = set(template.ada.drafts().values())
    prepare(template, killer)
    drafts |= set(template.ada.drafts().values())
    whole = Trial(template, tmp_path / "whole")
    steps = killer(whole.ada, *command)["steps"]
    wanted = state(whole)
    whole.server.close()
    assert steps > 5
    tried = 0
    for number in range(1, steps + 1):  # after a step is before the next
        if (number - STRIDE // 2) % STRIDE:
            continue
        trial = Trial(template, tmp_path / f"{number}")
        killed = killer(trial.ada, *command, step=number, when="after")
        assert killed["status"] == -9, (number, killed)
        assert kept(trial, drafts) == drafts, number
        again = killer(trial.ada, *command)
        assert state(trial) == wanted, (number, again)
        trial.server.close()
        shutil.rmtree(trial.folder)
        tried += 1
    template.server.close()
    print(f"{name}: {steps} steps, {tried} kills, {tried} survived")
