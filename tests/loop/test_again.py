"""A text that was merged without the PM is proposed again as it is, with the public commands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.loop.test_loop import KEY, LESSON, PATH, SCOPE
from tests.loop.world import World

if TYPE_CHECKING:
    from pathlib import Path

    from tests.gitlab.fixture import Team


def test_what_was_merged_without_the_pm_is_proposed_again_as_it_is(team: Team, tmp_path: Path) -> None:
    world = World(team, tmp_path, "free")
    ada, pm = world.machine("dev", "ada"), team.pm.username
    ada.remember("key", LESSON, scope=SCOPE)
    first = ada.submit()
    world.lint(first)
    world.merge(first, who="tl")
    assert world.finalize().status == 1
    assert "brain pull-back ID" in team.pm.ask("GET", f"{team.api}/merge_requests/{first}/notes")[0]["body"]
    ada.brain("status")
    assert ada.drafts() == {}

    done = ada.brain("pull-back", KEY)
    assert (done.status, done.out) == (0, f"99.Memory/_pending/{PATH}\n"), done
    assert ada.brain("pull-back", KEY).status == 3
    planned = ada.brain("submit", "--dry-run")
    assert f"approve: {PATH}\n" in planned.out
    done = ada.brain("submit")
    assert f"brain: {PATH} is on main already, and no PM approved it: the merge request asks for just that" in done.err
    (second,) = world.opened()
    assert second != first
    text = world.request(second)["description"]
    assert "On the branch already, and not approved" in text
    assert LESSON in text
    assert ada.submit() == second
    world.accept(second)
    done = world.finalize()
    assert (done.status, done.out) == (0, f"approve: {PATH}, approved by {pm} (!{second})\n")
    assert ada.recalled() == {KEY}
    assert world.finalize().status == 0, "its merge request waited for lint: what it did is noted now"
    assert "Mended" in team.pm.ask("GET", f"{team.api}/merge_requests/{first}/notes")[0]["body"]
    assert ada.brain("pull-back", KEY).status == 3, "approved: it is edited by brain remember --update"
