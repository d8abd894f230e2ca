"""Removals and restores, carried out only where a PM approved them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.finalize.project import NOON, STOCK, draft
from tests.finalize.test_on_main import NOTHING, accepted
from tests.support.repos import memory_text

if TYPE_CHECKING:
    from tests.finalize.project import Project


def proposed(text: str, kind: str = "soft") -> str:
    """Return a memory's file with its removal proposed."""
    return text.replace("stale: false\n", f'stale: false\nremoval: {kind}\nremoval_reason: "もう古い"\n')


@pytest.fixture
def project(project: Project) -> Project:
    accepted(project, {NOON: draft(NOON), STOCK: draft(STOCK)})
    assert project.run().status == 0
    return project


def test_a_soft_removal_moves_the_file_and_keeps_why(project: Project) -> None:
    text = proposed(project.file(NOON))
    iid = accepted(project, {NOON: text})
    status, out, _ = project.run()
    assert (status, out) == (0, f"remove: {NOON}, approved by {project.team.pm.username} (!{iid})\n")
    assert (project.file(NOON), project.index()) == ("", ["mem-F004-stock"])
    assert project.file(f"_deprecated/{NOON}") == text.replace("status: approved", "status: deprecated")
    assert project.run() == (0, "", NOTHING)
    assert project.run("--check").status == 0


def test_a_hard_removal_takes_the_file_out(project: Project) -> None:
    accepted(project, {NOON: proposed(project.file(NOON), "hard")})
    assert project.run().status == 0
    assert (project.file(NOON), project.file(f"_deprecated/{NOON}"), project.index()) == ("", "", ["mem-F004-stock"])
    assert project.run("--check").status == 0


def test_a_removal_that_nobody_approved_is_not_carried_out_and_the_memory_stays_recalled(project: Project) -> None:
    text = proposed(project.file(NOON))
    iid = project.propose({NOON: text})
    project.merge(iid, who="tl")
    for _ in range(2):
        status, out, _ = project.run()
        assert (status, out) == (
            1, f"not final: !{iid} {NOON} stays, its removal is not carried out: no PM approved it\n"
        )  # fmt: skip
        assert (project.file(NOON), "mem-F003-noon" in project.index()) == (text, True)
    accepted(project, {STOCK: project.file(STOCK).replace("twice", "thrice")})
    project.run()
    assert project.file(NOON) == text


def test_a_removal_that_changes_the_text_too_is_put_back(project: Project) -> None:
    iid = project.propose({NOON: proposed(project.file(NOON)).replace("twice", "for ever")})
    project.merge(iid, who="tl")
    assert project.run().status == 1
    assert (project.state(NOON), project.index()) == (("pending", ""), ["mem-F004-stock"])


def test_a_restore_makes_it_official_again(project: Project) -> None:
    accepted(project, {NOON: proposed(project.file(NOON))})
    project.run()
    accepted(project, {f"_deprecated/{NOON}": None, NOON: draft(NOON)})
    assert project.run().status == 0
    pm = project.team.pm.username
    assert (project.file(NOON), project.file(f"_deprecated/{NOON}")) == (memory_text(NOON, reviewed_by=pm), "")
    assert project.index() == ["mem-F004-stock", "mem-F003-noon"]
