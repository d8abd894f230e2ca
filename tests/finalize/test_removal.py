"""Removals and restores, carried out only where a PM approved them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.finalize.project import NOON, ONE_TIER, STOCK, draft
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


@ONE_TIER
def test_a_hard_removal_takes_the_file_out(project: Project) -> None:
    accepted(project, {NOON: proposed(project.file(NOON), "hard")})
    assert project.run().status == 0
    assert (project.file(NOON), project.file(f"_deprecated/{NOON}"), project.index()) == ("", "", ["mem-F004-stock"])
    assert project.run("--check").status == 0


def test_a_removal_that_nobody_approved_is_not_carried_out_and_the_memory_stays_recalled(project: Project) -> None:
    text = project.file(NOON)
    iid = project.propose({NOON: proposed(text)})
    project.merge(iid, who="tl")
    said = f"not final: !{iid} {NOON} is put back as it was approved before: no PM approved it"
    assert project.run()[:2] == (1, f"returned: {NOON} (!{iid})\n{said}\n")
    assert "Not final" in project.notes(iid)[-1]
    assert (project.file(NOON), "mem-F003-noon" in project.index()) == (text, True)
    assert project.run().status == 0
    assert project.run("--check").status == 0


@pytest.mark.parametrize("fields", ["hits: 900", "confidence: 0.2", "stale: true", f"verified_commit: {'3c' * 20}"])
def test_figures_that_nobody_approved_are_taken_back_and_the_memory_stays_recalled(
    project: Project, fields: str
) -> None:
    text = project.file(NOON)
    name = fields.partition(":")[0]
    lines = [fields if line.startswith(f"{name}:") else line for line in proposed(text).splitlines()]
    assert "\n".join(lines) != proposed(text)
    iid = project.propose({NOON: "\n".join(lines) + "\n"})
    project.merge(iid, who="tl")
    assert project.run().status == 1
    assert (project.file(NOON), "mem-F003-noon" in project.index()) == (text, True)
    assert project.run().status == 0
    assert project.run("--check").status == 0


@ONE_TIER
def test_what_was_merged_without_a_pm_can_go_by_a_pm_s_word(project: Project) -> None:
    path = NOON.replace("noon", "unwanted")
    iid = project.propose({path: draft(path)})
    project.merge(iid, who="tl")
    assert (project.run().status, project.state(path)[0]) == (1, "pending")
    accepted(project, {path: proposed(project.file(path))})
    assert project.run().status == 0
    assert (project.file(path), project.file(f"_deprecated/{path}") != "") == ("", True)
    assert project.run("--check").status == 0
    assert "Mended" in project.notes(iid)[-1]


@ONE_TIER
def test_a_removal_that_changes_the_text_too_is_put_back(project: Project) -> None:
    iid = project.propose({NOON: proposed(project.file(NOON)).replace("twice", "for ever")})
    project.merge(iid, who="tl")
    assert project.run().status == 1
    assert (project.state(NOON), project.index()) == (("pending", ""), ["mem-F004-stock"])


@ONE_TIER
def test_a_restore_makes_it_official_again(project: Project) -> None:
    accepted(project, {NOON: proposed(project.file(NOON))})
    project.run()
    accepted(project, {f"_deprecated/{NOON}": None, NOON: draft(NOON)})
    assert project.run().status == 0
    pm = project.team.pm.username
    assert (project.file(NOON), project.file(f"_deprecated/{NOON}")) == (memory_text(NOON, reviewed_by=pm), "")
    assert project.index() == ["mem-F004-stock", "mem-F003-noon"]
