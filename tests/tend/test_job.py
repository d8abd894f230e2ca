"""The scheduled job: run in a clone as a runner makes it, what it proposes passes the gate and is made final."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.gitlab.fixture import free_forge, premium_forge
from tests.loop.world import World, git_as

if TYPE_CHECKING:
    from tests.gitlab.fixture import Forge
    from tests.loop.world import Done

__all__ = ["free_forge", "premium_forge"]


def consolidate(world: World, *args: str) -> Done:
    """Run memory-consolidate as the template has it: the identity is the job's, the token the bot's."""
    who = {"NAME": "Project Brain", "EMAIL": "project-brain@noreply.invalid"}
    identity = {f"GIT_{role}_{key}": text for role in ("AUTHOR", "COMMITTER") for key, text in who.items()}
    return world._job(world.runner, "consolidate", *args, BRAIN_GITLAB_TOKEN=world.team.bot.token, **identity)


@pytest.mark.parametrize("tier", ["free", "premium"])
def test_from_citation_to_hits_on_main(request: pytest.FixtureRequest, tmp_path: Path, tier: str) -> None:
    forge: Forge = request.getfixturevalue(f"{tier}_forge")
    forge.calm()
    world = World(forge.team(), tmp_path, tier)
    dev = world.machine("dev")
    memory = dev.remember("retry", "Retry a payment at most twice.")
    iid = dev.submit("--ticket", "PAY-7")
    world.accept(iid)
    assert world.finalize().status == 0
    git_as(dev, "fetch", "-q", "origin")
    assert dev.brain("show", memory).status == 0
    assert dev.brain("telemetry", "--publish").status == 0
    done = consolidate(world)
    assert done.status == 0, done
    (weekly,) = [number for number in world.opened() if world.request(number)["source_branch"] == "memory/consolidate"]
    assert done.out.splitlines() == ["memory(consolidate): 1 counted", world.request(weekly)["web_url"]]
    again = consolidate(world, "--json")
    assert json.loads(again.out)["mergeRequest"] == weekly, again
    world.accept(weekly)
    final = world.finalize()
    assert final.status == 0, final
    text = world.file("01.Lessons/dev/F-003_Payment/retry.md")
    assert "hits: 1\n" in text
    assert "status: approved\n" in text
    after = consolidate(world)
    assert (after.status, after.out) == (0, "")
