"""How a merge request ends, and what becomes of the drafts: merged, closed, taken back."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.submit.team import NOON, QUEUE, RETRY, STOCK, Team
from tests.support.repos import ROOT, commit, git

if TYPE_CHECKING:
    from tests.support.program import Run


def submitted(run: Run) -> list[str]:
    return [line for line in run("status")[1].splitlines() if line.startswith("submitted: ")]


def test_an_open_one_is_shown(team: Team, run: Run) -> None:
    team.ada.draft(NOON)
    run("submit", "--ticket", "T-1")
    assert submitted(run) == [
        "submitted: T-1: 1 memory, !1 https://git.example.com/team/memory/-/merge_requests/1: open"
    ]
    rows = json.loads(run("status", "--json")[1])["submitted"]
    assert [(row["ticket"], row["stage"], row["mergeRequest"], row["drafts"]) for row in rows] == [
        ("T-1", "open", 1, [NOON])
    ]


def test_merged_is_over(team: Team, run: Run) -> None:
    team.ada.draft(NOON)
    run("submit", "--ticket", "T-1")
    team.server.merge_request(1)
    status, out, err = run("status")
    assert (status, err) == (0, "brain: T-1: !1 is merged: https://git.example.com/team/memory/-/merge_requests/1\n")
    assert "submitted" not in out
    assert (team.ada.journal(), team.ada.drafts()) == ({}, {})
    assert git(team.ada.folder, "for-each-ref", "refs/brain") == ""


def test_after_a_merge_the_next_of_the_ticket_is_a_new_merge_request(team: Team, run: Run) -> None:
    team.ada.draft(NOON)
    run("submit", "--ticket", "T-1")
    team.server.merge_request(1)
    team.ada.draft(QUEUE)
    assert run("submit", "--ticket", "T-1")[0] == 0
    assert [row["state"] for row in team.server.requests] == ["merged", "opened"]
    assert list(team.branch()) == [QUEUE]


def test_a_closed_one_brings_the_drafts_back_with_the_reason(team: Team, run: Run) -> None:
    team.ada.draft(NOON)
    team.ada.draft(STOCK)
    before = team.ada.drafts()
    run("submit", "--ticket", "T-1")
    team.server.close_request(1, "Known already,\nsee `retry`.")
    line = "submitted: T-1: 2 memories, !1 https://git.example.com/team/memory/-/merge_requests/1: turned down by pam, the drafts are back: Known already, see `retry`."
    assert submitted(run) == [line]
    assert team.ada.drafts() == before
    assert submitted(run) == [line]
    assert run("pending", "drop", "mem-F003-noon", "mem-F004-stock", "--yes")[0] == 0
    assert submitted(run) == []
    assert team.ada.journal() == {}


def test_what_was_turned_down_is_not_proposed_again_unawares(team: Team, run: Run) -> None:
    team.ada.draft(NOON)
    run("submit", "--ticket", "T-1")
    team.server.close_request(1, "Known already.")
    why = "it was turned down as it is: change it, name it to submit it all the same, or drop it"
    status, _, err = run("submit", "--ticket", "T-1")
    assert (status, err) == (
        1,
        f"brain: stays a draft: mem-F003-noon ({why})\nbrain: nothing to submit: https://git.example.com/team/memory/-/merge_requests/1\n",
    )
    team.ada.draft(STOCK)
    assert run("submit", "--ticket", "T-1")[0] == 0
    assert (list(team.branch()), list(team.ada.drafts())) == ([STOCK], [NOON])
    assert f"mem-F003-noon ({why})" in run("submit", "--ticket", "T-1")[2]
    assert run("submit", "mem-F003-noon", "--ticket", "T-1")[0] == 0
    assert sorted(team.branch()) == [STOCK, NOON]
    assert team.ada.journal()["T-1"]["refused"] == {}


def test_a_closed_one_is_submitted_again_from_the_default_branch(team: Team, run: Run) -> None:
    team.ada.draft(NOON)
    run("submit", "--ticket", "T-1")
    team.server.close_request(1, "Not so.")
    commit(team.folder / "seed", {"other.txt": "moved on\n"})
    git(team.folder / "seed", "push", "-q", str(team.origin), "main")
    team.ada.draft(NOON, body="Orders close at one.\n\n**Apply:** ship early.")
    assert run("submit", "--ticket", "T-1")[0] == 0  # sees that it was closed, and keeps the newer text
    assert [row["state"] for row in team.server.requests] == ["closed", "opened"]
    assert git(team.origin, "rev-parse", "memory/T-1~1") == git(team.origin, "rev-parse", "main")
    assert "close at one" in team.branch()[NOON]
    assert team.ada.journal()["T-1"]["stage"] == "open"


def test_taken_back_for_editing(team: Team, run: Run) -> None:
    team.ada.draft(NOON)
    team.ada.draft(STOCK)
    before = team.ada.drafts()
    run("submit", "--ticket", "T-1")
    title = team.server.requests[0]["title"]
    assert run("pull-back", "T-1")[:2] == (0, f"{ROOT}/_pending/{STOCK}\n{ROOT}/_pending/{NOON}\n")
    assert team.ada.drafts() == before
    assert team.server.requests[0]["title"] == f"Draft: {title}"
    assert run("pull-back", "T-1")[0] == 0
    assert len(team.server.notes[1]) == 1
    assert "took 2 memories" in team.server.notes[1][0]["body"]
    assert submitted(run)[0].endswith(": taken back for editing: submit again when done")
    run("pending", "drop", "mem-F004-stock", "--yes")
    assert run("submit", "--ticket", "T-1")[0] == 0
    assert list(team.branch()) == [NOON]
    assert team.server.requests[0]["title"] == "memory(T-1): +1 lesson/dev"
    assert (team.ada.drafts(), team.ada.journal()["T-1"]["drafts"]) == ({}, [NOON])


def test_what_was_taken_back_and_not_changed_loses_the_mark_of_a_draft(team: Team, run: Run) -> None:
    team.ada.draft(NOON)
    run("submit", "--ticket", "T-1")
    tip = git(team.origin, "rev-parse", "memory/T-1")
    run("pull-back", "T-1")
    assert run("submit", "--ticket", "T-1")[0] == 0
    assert team.server.requests[0]["title"] == "memory(T-1): +1 lesson/dev"
    assert (team.ada.drafts(), git(team.origin, "rev-parse", "memory/T-1")) == ({}, tip)


def test_a_withdrawn_update_puts_back_what_is_approved(team: Team, run: Run) -> None:
    team.ada.draft(RETRY)
    team.ada.draft(NOON)
    run("submit", "--ticket", "T-1")
    run("pull-back", "T-1")
    run("pending", "drop", "mem-F003-retry", "--yes")
    assert run("submit", "--ticket", "T-1")[0] == 0
    assert list(team.branch()) == [NOON]
    assert git(team.origin, "show", f"memory/T-1:{ROOT}/{RETRY}") == git(team.origin, "show", f"main:{ROOT}/{RETRY}")


def test_what_a_reviewer_changed_on_the_branch_comes_back_as_it_is_there(team: Team, run: Run) -> None:
    team.ada.draft(NOON)
    run("submit", "--ticket", "T-1")
    other = team.machine("tom")
    git(other.folder, "checkout", "-q", "memory/T-1")
    file = other.folder / ROOT / NOON
    commit(other.folder, {f"{ROOT}/{NOON}": file.read_text().replace("at noon", "at 12:00")}, "Suggestion")
    git(other.folder, "push", "-q")
    assert run("pull-back", "T-1")[0] == 0
    assert "at 12:00" in team.ada.drafts()[NOON]


def test_a_newer_draft_is_not_overwritten(team: Team, run: Run) -> None:
    team.ada.draft(NOON)
    run("submit", "--ticket", "T-1")
    team.ada.draft(NOON, body="Something newer.\n\n**Apply:** it.")
    status, _, err = run("pull-back", "T-1")
    assert status == 0
    assert "newer" in team.ada.drafts()[NOON]
    assert f"_pending/{NOON} is there, and stays; what was submitted: git show " in err


def test_there_is_nothing_to_take_back(team: Team, run: Run) -> None:
    assert run("pull-back", "T-9") == (
        3,
        "",
        "brain: nothing of T-9 is submitted from here\nhint: brain status lists what is\n",
    )


def test_a_lost_gitlab_leaves_the_drafts_back_and_says_so(team: Team, run: Run) -> None:
    team.ada.draft(NOON)
    run("submit", "--ticket", "T-1")
    team.server.close()
    status, _, err = run("pull-back", "T-1")
    assert (status, list(team.ada.drafts())) == (0, [NOON])
    assert "!1 is not marked as a draft" in err
    status, out, err = run("status")
    assert status == 0
    assert "submitted: T-1: 1 memory, !1 " in out
    assert "brain: warning: T-1: GitLab: " in err


@pytest.mark.parametrize("damage", ["{", '{"format": 99}', "[]"])
def test_a_journal_that_cannot_be_understood_is_not_overwritten(team: Team, run: Run, damage: str) -> None:
    team.ada.draft(NOON)
    run("submit", "--ticket", "T-1")
    file = team.ada.folder / ".git/brain/submitted/T-1.json"
    file.write_text(damage)
    team.ada.draft(STOCK)
    status, _, err = run("submit", "--ticket", "T-1")
    assert status == 3
    assert "it cannot be understood\nhint: the texts are in the commit that refs/brain/submitted/T-1 names" in err
    assert file.read_text() == damage
    assert list(team.ada.drafts()) == [STOCK]
    assert run("status")[0] == 0
