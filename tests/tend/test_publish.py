"""Counts on the remote: one ref a machine, a branch where the server wants none, and no state that is lost or counted twice."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from brain.errors import GitError
from brain.submit.push import Link
from brain.telemetry import CITED, EVENTS, record
from brain.tend.counts import Counts, Use
from brain.tend.publish import Published, fetch, publish, read_machines, read_total
from tests.submit.team import NOON, Team
from tests.support.program import Run
from tests.support.repos import git

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

REF, BRANCH = "refs/brain/telemetry/m1", "refs/heads/brain-telemetry/m1"
NO_REFS = 'case "$1" in refs/brain/*) echo "no such refs here" >&2; exit 1;; esac'


@pytest.fixture
def team(tmp_path: Path) -> Iterator[Team]:
    team = Team(tmp_path)
    yield team
    team.server.close()


def link(team: Team, name: str = "ada") -> Link:
    folder = team.folder / name
    return Link(str(folder if folder.exists() else team.machine(name).folder), "origin", {})


def counts(hits: int, tickets: tuple[str, ...] = ()) -> Counts:
    return Counts({"mem-F003-retry": Use(hits, 0, "2026-03-01", tickets)}, {})


def test_machines_have_a_ref_each_and_add_up(team: Team) -> None:
    ada, ben = link(team), link(team, "ben")
    assert publish(ada, "m1", counts(2, ("T-1",))) == Published(REF, moved=True)
    assert publish(ada, "m1", counts(2, ("T-1",))) == Published(REF, moved=False)
    publish(ben, "m2", counts(3, ("T-2",)))
    publish(ada, "m1", counts(4))
    fetch(ben)
    assert read_total(ben.repo).uses["mem-F003-retry"] == Use(7, 0, "2026-03-01", ("T-1", "T-2"))
    assert git(team.origin, "branch", "--format=%(refname:short)") == "main"


def test_an_older_state_takes_nothing_back(team: Team) -> None:
    ada, copy = link(team), link(team, "copy")
    publish(ada, "m1", counts(5))
    assert not publish(copy, "m1", counts(2)).moved
    assert read_machines(copy.repo) == {"m1": counts(5)}


def test_another_run_in_between_is_joined(team: Team) -> None:
    """The ref moves after we looked and before we push: the push is refused, and what is there then is taken in."""
    ada, copy = link(team), link(team, "copy")
    publish(ada, "m1", counts(1))
    publish(copy, "m1", counts(3, ("T-9",)))
    fetch(ada)
    head = git(ada.repo, "rev-parse", "HEAD")
    stale = ada.push_expecting(REF, head, head)
    assert stale.state == "moved"
    publish(ada, "m1", counts(2, ("T-1",)))
    fetch(copy)
    assert read_machines(copy.repo) == {"m1": counts(3, ("T-1", "T-9"))}


def test_a_server_that_refuses_such_refs_has_them_as_branches(team: Team) -> None:
    team.hook("update", NO_REFS)
    ada = link(team)
    assert publish(ada, "m1", counts(2)) == Published(BRANCH, moved=True)
    assert publish(ada, "m1", counts(2)) == Published(BRANCH, moved=False)
    publish(ada, "m1", counts(3))
    team.hook("update", "exit 0")
    publish(ada, "m1", counts(4))
    fetch(ada)
    assert read_total(ada.repo).uses["mem-F003-retry"].hits == 4  # ref and branch are one machine's


def test_a_server_that_takes_neither_is_an_error_with_its_words(team: Team) -> None:
    team.hook("update", 'echo "frozen for the release" >&2; exit 1')
    with pytest.raises(GitError, match="frozen for the release"):
        publish(link(team), "m1", counts(2))


def test_the_command_counts_publishes_and_says_where(
    team: Team, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run = Run(team.ada.folder, capsys, monkeypatch)
    record(str(team.ada.folder / ".aiflow"), EVENTS, CITED, ids=["mem-F003-retry"], session="s1", ticket="T-1")
    status, out, err = run("telemetry", "--publish", "--json")
    found = json.loads(out)
    assert (status, err) == (0, "")
    assert found["uses"]["mem-F003-retry"] | {"last": ""} == {
        "hits": 1, "cited": 1, "last": "", "tickets": ["T-1"], "projects": ["origin"],
    }  # fmt: skip
    assert git(team.origin, "rev-parse", "--verify", found["ref"])
    assert run("telemetry", "--publish")[1].splitlines()[-1] == f"published already: {found['ref']}"


def test_a_submit_brings_the_counts_along_and_does_not_need_to(
    team: Team, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, text in team.env.items():
        monkeypatch.setenv(name, text)
    run = Run(team.ada.folder, capsys, monkeypatch)
    record(str(team.ada.folder / ".aiflow"), EVENTS, CITED, ids=["mem-F003-retry"], session="s1", ticket="T-1")
    team.ada.draft(NOON)
    assert run("submit", "--ticket", "T-1")[0] == 0
    assert len(git(team.origin, "for-each-ref", "refs/brain/telemetry").splitlines()) == 1
    record(str(team.ada.folder / ".aiflow"), EVENTS, CITED, ids=["mem-F003-retry"], session="s2", ticket="T-1")
    team.hook("update", 'case "$1" in refs/heads/memory/*) exit 0;; esac; echo "frozen" >&2; exit 1')
    team.ada.draft(NOON, body="Orders close at one.\n\n**Apply:** ship early.")
    status, _, err = run("submit", "--ticket", "T-1")
    assert (status, "warning: counts of use are not published: git push" in err) == (0, True)
