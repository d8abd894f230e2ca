"""Notes and discussions: who may change what, positions in the diff, resolving, quick actions."""

from __future__ import annotations

from typing import Any

import pytest

from tests.gitlab.fixture import Team


@pytest.fixture
def mr(team: Team) -> str:
    """Return the path of an open merge request that adds a file and changes another."""
    team.root.delete(f"{team.api}/protected_branches/main")
    team.commit("main", {"old.md": "".join(f"{n}\n" for n in range(1, 11))}, who="root")
    changed = {"action": "update", "file_path": "old.md", "content": "".join(f"{n}\n" for n in range(1, 11) if n != 9)}
    added = {"action": "create", "file_path": "new.md", "content": "a\nb\n"}
    team.dev.ask(
        "POST",
        f"{team.api}/repository/commits",
        branch="memory/T-1",
        start_branch="main",
        commit_message="x",
        actions=[changed, added],
    )
    team.open("memory/T-1")
    return f"{team.api}/merge_requests/1"


def test_a_sticky_note_is_found_and_changed_in_place(team: Team, mr: str) -> None:
    note = team.bot.ask("POST", f"{mr}/notes", body="<!-- brain:lint -->\none")
    team.bot.ask("PUT", f"{mr}/notes/{note['id']}", body="<!-- brain:lint -->\ntwo")
    rows = [row for row in team.bot.ask("GET", f"{mr}/notes") if not row["system"]]
    assert [row["body"] for row in rows] == ["<!-- brain:lint -->\ntwo"]
    assert team.dev.put(f"{mr}/notes/{note['id']}", json={"body": "mine"}).status_code == 403
    assert team.bot.delete(f"{mr}/notes/{note['id']}").status_code == 204


def test_an_empty_note_is_400(team: Team, mr: str) -> None:
    assert team.dev.post(f"{mr}/notes", json={}).json() == {"error": "body is missing"}
    assert team.dev.post(f"{mr}/notes", json={"body": "  "}).json() == {"message": {"note": ["can't be blank"]}}


def place(team: Team, mr: str, **lines: Any) -> dict[str, Any]:
    refs = team.dev.ask("GET", mr)["diff_refs"]
    return {**refs, "position_type": "text", **lines}


@pytest.mark.parametrize(
    "lines",
    [
        {"old_path": "new.md", "new_path": "new.md", "new_line": 2},
        {"old_path": "old.md", "new_path": "old.md", "old_line": 9},
        {"old_path": "old.md", "new_path": "old.md", "old_line": 8, "new_line": 8},
    ],
)
def test_a_diff_note_stands_on_added_removed_and_unchanged_lines(team: Team, mr: str, lines: dict[str, Any]) -> None:
    made = team.dev.ask("POST", f"{mr}/discussions", body="here", position=place(team, mr, **lines))
    note = made["notes"][0]
    assert (note["type"], note["resolvable"], note["position"]["new_line"]) == ("DiffNote", True, lines.get("new_line"))


@pytest.mark.parametrize(
    "lines",
    [
        {"new_path": "new.md", "new_line": 9},
        {"new_path": "none.md", "new_line": 1},
        {"new_path": "old.md", "new_line": 8},
    ],
)
def test_a_wrong_position_is_400(team: Team, mr: str, lines: dict[str, Any]) -> None:
    answer = team.dev.post(f"{mr}/discussions", json={"body": "x", "position": place(team, mr, **lines)})
    assert (answer.status_code, "must be a valid line code" in answer.text) == (400, True)


def test_a_position_without_shas_names_them(team: Team, mr: str) -> None:
    answer = team.dev.post(
        f"{mr}/discussions",
        json={"body": "x", "position": {"position_type": "text", "new_path": "new.md", "new_line": 1}},
    )
    assert answer.json() == {
        "error": "position[base_sha] is missing, position[start_sha] is missing, position[head_sha] is missing"
    }


def test_a_bots_open_thread_blocks_the_merge_if_the_project_says_so(team: Team, mr: str) -> None:
    team.root.ask("PUT", team.api, only_allow_merge_if_all_discussions_are_resolved=True)
    thread = team.bot.ask("POST", f"{mr}/discussions", body="fix this")
    assert team.ready(1)["detailed_merge_status"] == "discussions_not_resolved"
    solved = team.dev.ask("PUT", f"{mr}/discussions/{thread['id']}", resolved=True)
    assert (solved["notes"][0]["resolved"], solved["notes"][0]["resolved_by"]["id"]) == (True, team.dev.id)
    assert team.ready(1)["detailed_merge_status"] == "mergeable"


def test_plain_notes_are_discussions_of_their_own_that_cannot_be_resolved(team: Team, mr: str) -> None:
    team.dev.ask("POST", f"{mr}/notes", body="hello")
    rows = [row for row in team.dev.ask("GET", f"{mr}/discussions") if not row["notes"][0]["system"]]
    assert [(row["individual_note"], row["notes"][0]["resolvable"]) for row in rows] == [(True, False)]


def test_awards_are_counted(team: Team, mr: str) -> None:
    team.dev.ask("POST", f"{mr}/award_emoji", name="thumbsup")
    assert team.dev.ask("GET", mr)["upvotes"] == 1
    assert team.dev.post(f"{mr}/award_emoji", json={"name": "thumbsup"}).status_code == 404


def test_quick_actions_act_and_leave_no_note_of_their_own(team: Team, mr: str) -> None:
    answer = team.dev.post(f"{mr}/notes", json={"body": '/label ~memory ~"two words"\n/draft'})
    assert answer.status_code == 202
    found = team.dev.ask("GET", mr)
    assert (found["labels"], found["draft"]) == (["memory", "two words"], True)


def test_what_happens_is_told_by_system_notes(team: Team, mr: str) -> None:
    team.pm.ask("POST", f"{mr}/approve")
    team.commit("memory/T-1", {"more.md": "x"})
    rows = team.dev.get(f"{mr}/notes", params={"sort": "asc"}).json()
    assert [row["body"] for row in rows if row["system"]] == ["approved this merge request", "added 1 commit"]
