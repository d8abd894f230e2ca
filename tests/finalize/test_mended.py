"""What was merged past the gate, and how it ends: texts, removals, and memories that somebody simply took out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from brain.finalize.texts import WORDS
from tests.finalize.project import BODY, NOON, RETRY, STOCK, Project, draft
from tests.finalize.test_on_main import NOTHING, accepted
from tests.finalize.test_removal import proposed
from tests.support.repos import ROOT, git, memory_text

if TYPE_CHECKING:
    from pathlib import Path

    from tests.gitlab.fixture import Team


@pytest.fixture
def free(team: Team, tmp_path: Path) -> Project:
    """Return a project on Free with one memory that is final."""
    project = Project(team, tmp_path)
    accepted(project, {STOCK: draft(STOCK)})
    assert project.run().status == 0
    return project


def test_a_note_of_what_was_not_final_says_when_it_is(free: Project) -> None:
    first = free.propose({NOON: draft(NOON), RETRY: draft(RETRY)})
    free.merge(first, who="tl")
    assert free.run().status == 1
    assert "stays pending" in free.notes(first)[0]
    accepted(free, {NOON: draft(NOON, BODY.replace("twice", "thrice"))})
    assert free.run().status == 1
    assert [(NOON in note, RETRY in note) for note in free.notes(first)] == [(False, True)]
    accepted(free, {RETRY: draft(RETRY, BODY.replace("twice", "thrice"))})
    assert free.run().status == 0
    (note,) = free.notes(first)
    assert note.endswith(WORDS["en"]["mended"])
    accepted(free, {NOON: draft(NOON, BODY.replace("twice", "at once"))})
    assert free.run().status == 0
    assert free.notes(first) == [note]


def test_its_own_merge_request_says_what_it_is_and_has_the_label(free: Project) -> None:
    iid = accepted(free, {NOON: draft(NOON)})
    free.run()
    mine = [row for row in free.ask("GET", "merge_requests?state=merged") if row["author"]["id"] == free.team.bot.id]
    assert [row["labels"] for row in mine] == [["memory"], ["memory"]]
    text = mine[0]["description"]
    assert text.startswith(WORDS["en"]["request"])
    assert f"Approved-by: {free.team.pm.username} (!{iid})" in text


@pytest.mark.parametrize("language", ["ja"])
def test_its_own_merge_request_speaks_the_team_s_language(team: Team, tmp_path: Path, language: str) -> None:
    project = Project(team, tmp_path, language=language)
    accepted(project, {NOON: draft(NOON)})
    assert project.run().status == 0
    found = project.ask("GET", "merge_requests?state=merged&order_by=created_at&sort=desc")
    assert found[0]["description"].startswith(WORDS[language]["request"])


def test_a_memory_that_somebody_took_out_is_told_once_with_how_to_bring_it_back(free: Project) -> None:
    before = free.main()
    iid = free.propose({STOCK: None})
    free.merge(iid, who="tl")
    git(free.clone, "fetch", "-q", free.team.remote("root"), "main:refs/remotes/origin/main")
    git(free.clone, "checkout", "-q", "origin/main")
    checked = free.run("--check", CI_COMMIT_BEFORE_SHA=before)
    assert checked.status == 1
    assert f"{ROOT}/{STOCK}:1: it was approved, and taken out without a PM's approval: git checkout " in checked.out
    status, out, _ = free.run()
    assert (status, out) == (1, f"not final: !{iid} {STOCK} was approved, and is gone: no PM approved it\n")
    (note,) = free.notes(iid)
    assert "`git revert`" in note
    assert "pull-back" not in note
    assert f"{STOCK}:1: it was approved" in free.run("--check", CI_COMMIT_BEFORE_SHA=before).out
    assert free.run() == (0, "", NOTHING)


def test_a_memory_that_a_pm_took_out_at_once_is_no_fault(free: Project) -> None:
    before = free.main()
    iid = accepted(free, {STOCK: None})
    status, out, _ = free.run()
    assert (status, out) == (0, f"gone: {STOCK}, approved by {free.team.pm.username} (!{iid})\n")
    git(free.clone, "fetch", "-q", free.team.remote("root"), "main:refs/remotes/origin/main")
    git(free.clone, "checkout", "-q", "origin/main")
    assert free.run("--check", CI_COMMIT_BEFORE_SHA=before) == (0, "", "brain-ci: no faults\n")


@pytest.mark.parametrize("kind", ["soft", "hard"])
def test_a_removal_that_finalize_carried_out_is_no_fault(free: Project, kind: str) -> None:
    before = free.main()
    accepted(free, {STOCK: proposed(free.file(STOCK), kind)})
    assert free.run().status == 0
    assert free.run() == (0, "", NOTHING)
    git(free.clone, "checkout", "-q", "origin/main")
    assert free.run("--check", CI_COMMIT_BEFORE_SHA=before) == (0, "", "brain-ci: no faults\n")


@pytest.mark.parametrize("last", ["removal", "edit"])
def test_a_removal_and_an_edit_at_once_keep_what_the_pm_approved_of_the_text(free: Project, last: str) -> None:
    text = free.file(STOCK)
    edited = text.replace("status: approved", "status: pending").replace("twice", "thrice")
    removal, edit = free.propose({STOCK: proposed(text)}), free.propose({STOCK: edited})
    for iid in (removal, edit):
        free.approve(iid)
    for iid in (edit, removal) if last == "removal" else (removal, edit):
        free.merge(iid)
    assert free.state(STOCK)[0] == "pending"
    assert "removal: soft" in free.file(STOCK)
    status, out, _ = free.run()
    said = "its text was changed at the same time; propose the removal again if it still is to go"
    number = removal if last == "removal" else edit
    assert (status, out.splitlines()) == (1, [
        f"approve as staying: {STOCK}, approved by {free.team.pm.username} (!{edit})",
        f"not final: !{number} {STOCK} stays, its removal is not carried out: {said}",
    ])  # fmt: skip
    body = BODY.replace("twice", "thrice")
    assert free.file(STOCK) == memory_text(STOCK, body, reviewed_by=free.team.pm.username)
    assert free.index() == ["mem-F004-stock"]
    assert free.run() == (0, "", NOTHING)
    git(free.clone, "checkout", "-q", "origin/main")
    assert free.run("--check").status == 0


def test_an_edit_that_nobody_approved_does_not_get_through_by_a_removal(free: Project) -> None:
    text = free.file(STOCK)
    edited = text.replace("status: approved", "status: pending").replace("twice", "for ever")
    removal, edit = free.propose({STOCK: proposed(text)}), free.propose({STOCK: edited})
    free.approve(removal)
    free.merge(removal)
    free.merge(edit, who="tl")
    for _ in range(2):
        assert free.run().status == 1
        assert (free.state(STOCK)[0], free.index()) == ("pending", [])
