"""A proposal like what was turned down or removed before says so: to who drafts it, and to who approves it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.submit.team import NOON, Team
from tests.support.repos import ROOT, commit, git, memory_text

if TYPE_CHECKING:
    from tests.support.program import Run

TEXT = "Orders close at noon on Fridays.\n\n**Apply:** ship early."


def test_what_was_turned_down_and_dropped_is_not_brought_again_unawares(
    team: Team, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BRAIN_NOW", "2026-05-06")
    team.ada.draft(NOON)
    run("submit", "--ticket", "T-1")
    team.server.close_request(1, "Known `already` @all\n/merge")
    run("status")
    assert run("pending", "drop", "mem-F003-noon")[0] == 0
    run("status")
    assert team.ada.journal() == {}
    again = ("remember", TEXT, "--tags", "order", "--slug", "friday", "--scope", "F-003")
    status, _, err = run(*again)
    assert (status, team.ada.drafts()) == (6, {})
    assert (
        "warning: mem-F003-noon, 100% like it, was turned down on 2026-05-06 by pam: Known `already` @all /merge (https://"
        in err
    )
    assert run(*again, "--force")[0] == 0
    assert run("submit", "--ticket", "T-2")[0] == 0
    text = team.server.requests[1]["description"]
    line = (
        "- `mem-F003-friday` ≈ 100% `mem-F003-noon`, turned down (`2026-05-06`, `pam`): `Known 'already' @all /merge`"
    )
    assert f"### Turned down or removed before\n\n{line}\n" in text
    team.server.merge_request(2)
    run("status")
    assert (team.ada.folder / ".git/brain/refused.json").exists()


def test_what_was_mended_and_merged_is_no_longer_held_against_it(team: Team, run: Run) -> None:
    team.ada.draft(NOON)
    run("submit", "--ticket", "T-1")
    team.server.close_request(1, "Say when.")
    run("status")
    status, _, err = run(
        "remember", "Orders close at noon sharp on Fridays.", "--apply", "ship early", "--update", "mem-F003-noon"
    )
    assert (status, "was turned down on" in err) == (0, True)
    assert run("submit", "--ticket", "T-1")[0] == 0
    assert "Turned down or removed before" in team.server.requests[1]["description"]
    team.server.merge_request(2)
    run("status")
    assert (team.ada.folder / ".git/brain/refused.json").read_text() == "[]\n"


@pytest.mark.parametrize(("language", "words"), [("vi", "bị gỡ"), ("ja", "削除"), ("en", "removed")])
def test_what_was_removed_is_named_to_the_approver(
    team: Team, run: Run, monkeypatch: pytest.MonkeyPatch, language: str, words: str
) -> None:
    monkeypatch.setenv("BRAIN_REVIEW_LANGUAGE", language)
    gone = "01.Lessons/dev/_global/gone.md"
    text = memory_text(
        gone, TEXT, tags=("order",), status="deprecated", removal="soft", removal_reason="it was `one` shop"
    )
    commit(team.ada.folder, {f"{ROOT}/_deprecated/{gone}": text})
    git(team.ada.folder, "push", "-q", "origin", "HEAD:main")
    team.ada.draft(NOON)
    assert run("submit", "--ticket", "T-1")[0] == 0
    (line,) = [row for row in team.server.requests[0]["description"].splitlines() if "mem-global-gone" in row]
    assert line.startswith("- `mem-F003-noon` ≈ 100% `mem-global-gone`")
    assert line.endswith(": `it was 'one' shop`")
    assert words in line
