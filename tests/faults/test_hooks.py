"""A webhook that starts finalize is lost, comes twice, or comes in another order: the sweep repairs it, all ends alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.faults.sample import told
from tests.finalize.project import NOON, STOCK, Project, draft
from tests.gitlab.test_webhooks import Receiver, hook, receiver

if TYPE_CHECKING:
    from pathlib import Path

    from tests.gitlab.fixture import Team

__all__ = ["receiver"]
COMES = {"hook_lost": 1, "hook_doubled": 3, "hook_reordered": 2}
"""Fault → how many of the two merges' webhooks come."""


@pytest.mark.parametrize("fault", COMES)
def test_the_end_is_the_same(team: Team, receiver: Receiver, tmp_path: Path, fault: str) -> None:
    project = Project(team, tmp_path)
    first, second = project.propose({NOON: draft(NOON)}), project.propose({STOCK: draft(STOCK)})
    for iid in (first, second):
        project.approve(iid)
    team.root.ask("PUT", "/application/settings", allow_local_requests_from_web_hooks_and_services=True)
    hook(team, receiver)
    team.forge.fault(fault)
    for iid in (first, second):
        project.merge(iid)
    team.forge.settle()
    told_of = [
        body["object_attributes"]["iid"] for body in receiver.bodies if body["object_attributes"]["action"] == "merge"
    ]
    assert len(told_of) == COMES[fault], told_of
    for _ in told_of:
        assert project.run().status == 0
    assert project.run().status == 0, "the sweep"
    commits = [subject for subject in project.bot_commits() if subject.startswith("memory: finalize ")]
    ended = project.index() == ["mem-F004-stock", "mem-F003-noon"] and len(commits) == 1
    told(fault, 1, int(ended))
