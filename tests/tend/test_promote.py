"""Promotion: candidates by use, a merge request in the kit's repo, and the originals taken out with a note."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from brain.submit.push import Link
from brain.tend.counts import Counts, Use
from brain.tend.publish import publish
from tests.finalize.project import ONE_TIER
from tests.submit.test_loop import machine
from tests.support.repos import ROOT, git
from tests.tend.conftest import FADING, RETRY, World

if TYPE_CHECKING:
    from pathlib import Path

    from tests.gitlab.fixture import Team

ID = "mem-F003-retry"


@pytest.fixture
def kit(world: World, tmp_path: Path) -> tuple[Team, str]:
    """Return the kit's project and its clone on the developer's machine."""
    team = world.project.team.forge.team()
    team.commit("start", {"custom/rules/one.md": "# One\n"}, who="tl")
    iid = team.open("start", who="tl")["iid"]
    team.ready(iid)
    team.pm.ask("PUT", f"{team.api}/merge_requests/{iid}/merge")
    folder = tmp_path / "kit"
    folder.mkdir()
    clone = machine(team, "dev", folder).folder
    own = world.project.team.dev.id
    team.root.ask("POST", f"{team.api}/members", user_id=own, access_level=30)
    return team, str(clone)


def use(world: World, machine: str, project: str, hits: int, *tickets: str) -> None:
    link = Link(str(world.run.folder), "origin", {})
    publish(link, machine, Counts({ID: Use(hits, hits, "2026-02-01", tickets, (project,))}, {}))


@ONE_TIER
def test_what_is_used_widely_is_a_candidate_and_nothing_else(world: World) -> None:
    assert world.run("consolidate", "--candidates")[0] == 1
    use(world, "m1", "shop", 3, "T-1", "T-2")
    use(world, "m2", "shop", 4, "T-3")
    assert world.run("consolidate", "--candidates")[0] == 1  # one project alone
    use(world, "m3", "bank", 1, "B-1")
    status, out, _ = world.run("consolidate", "--candidates", "--json")
    assert status == 0
    assert json.loads(out) == [{
        "id": ID, "hits": 8, "tickets": ["B-1", "T-1", "T-2", "T-3"], "projects": ["bank", "shop"],
        "says": "Retry a payment at most twice",
    }]  # fmt: skip
    assert world.run("consolidate", "--candidates")[1].splitlines()[0] == f"    8 {ID} (4 tickets; bank, shop)"


def test_from_memory_to_rule_and_the_original_goes(world: World, kit: tuple[Team, str]) -> None:
    team, clone = kit
    use(world, "m1", "shop", 6, "T-1")
    status, out, err = world.run("promote", ID, "--as", "rule", "--to", clone, "--sprint", "sprint-12")
    assert (status, err) == (0, "")
    (made,) = team.dev.ask("GET", f"{team.api}/merge_requests?state=opened")
    assert out == f"custom/rules/retry.md\n!{made['iid']} {made['web_url']}\n"
    assert made["source_branch"] == "promotion/sprint-12"
    url = f"{team.forge.url}/{world.project.team.path}/-/blob/main/{ROOT}/{RETRY}"
    assert (
        f"| `custom/rules/retry.md` | [`{ID}`]({url}) | 6 | 1 | `shop` | `Retry a payment at most twice` |"
        in made["description"]
    )
    assert world.run("promote", ID, "--as", "rule", "--to", clone, "--sprint", "sprint-12")[1] == out
    status, out, _ = world.run(
        "promote", "mem-F004-fading", "--as", "skill", "--to", clone, "--sprint", "sprint-12", "--json"
    )
    assert json.loads(out)["files"] == ["custom/rules/retry.md", "custom/skills/fading/SKILL.md"]
    made = team.dev.ask("GET", f"{team.api}/merge_requests/{made['iid']}")
    assert made["description"].count("\n| `") == 2

    early = world.run("remove", "--promoted", clone)
    assert (early[0], "nothing of this memory is in the kit" in early[2]) == (3, True)
    team.ready(made["iid"])
    team.pm.ask("PUT", f"{team.api}/merge_requests/{made['iid']}/merge")
    status, out, err = world.run("remove", "--promoted", clone)
    assert status == 0, err
    iid = int(out.splitlines()[1].split()[0][1:])
    world.accept(iid)
    for path in (RETRY, FADING):
        gone = world.project.file(f"_deprecated/{path}")
        assert 'removal_reason: "R3: promoted → custom/rules/retry.md, custom/skills/fading/SKILL.md"' in gone
    assert "mem-F003-retry" not in world.project.index()
    git(clone, "fetch", "-q")
    skill = git(clone, "show", "origin/main:custom/skills/fading/SKILL.md")
    assert skill.startswith('---\nname: fading\ndescription: "Stock is counted at night"\n---\n')
    assert world.run("remove", "--promoted", clone)[0] == 3


@ONE_TIER
def test_a_dry_run_prints_the_files_and_a_draft_is_not_promoted(world: World) -> None:
    project = world.project.team.path
    status, out, _ = world.run("promote", ID, "--as", "rule", "--to", "nowhere", "--dry-run")
    body = "Retry a payment at most twice.\n\n**Apply:** count the tries."
    assert (status, out) == (0, f"--- custom/rules/retry.md\n<!-- brain:promoted {project} {ID} -->\n\n{body}\n\n")
    assert world.run("promote", ID, "--as", "rule", "--to", "nowhere")[0] == 4
    assert world.run("promote", "mem-none", "--as", "rule", "--to", "x")[0] == 1
    assert world.run("remove")[2].startswith("brain: which memories are to be removed?")
