"""What lint's gate lets through to a merge: nothing that says of itself that a PM approved it.

Finalize would put it back, but until it runs such a text would be recalled by whoever fetches.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.ci.request import AREA, Request, good, memory_repo

if TYPE_CHECKING:
    from pathlib import Path

    from tests.gitlab.fixture import Team


def by_hand(text: str) -> str:
    """Return a memory that says of itself that a PM approved it."""
    made = text.replace("status: pending", "status: approved").replace('reviewed_by: ""', "reviewed_by: pm")
    assert "status: approved" in made
    assert "reviewed_by: pm" in made
    return made


def test_a_merge_request_may_not_say_of_itself_that_it_is_approved(team: Team, tmp_path: Path) -> None:
    there = by_hand(good("c"))
    request = Request(memory_repo(team, files={f"{AREA}/c.md": there}), tmp_path / "clone")
    request.push({f"{AREA}/b.md": by_hand(good("b")), f"{AREA}/c.md": there.replace("noon", "midnight")})
    assert request.lint()[0] == 1
    (note,) = request.notes()
    rows = [line for line in note.splitlines() if "self-approved" in line]
    assert (len(rows), "b.md" in note, "c.md" in note) == (2, True, True), note
