"""Retrospects that nobody made a memory of: from people's side branches, into the weekly merge request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from brain.tend.retros import is_named, points_of
from tests.finalize.project import ONE_TIER
from tests.support.repos import ROOT, commit, git
from tests.tend.conftest import World

if TYPE_CHECKING:
    from pathlib import Path

RETRO = """# T-77

## Learned
- The queue is per tenant.

## Đề xuất ghi nhớ
- Khóa hàng đợi theo tenant
1. 在庫は夜間に数える
"""


def side_branch(world: World, folder: Path, user: str, files: dict[str, str]) -> None:
    """Push retrospects to a person's side branch, as capture does."""
    git(folder, "checkout", "-q", "-B", "retro", "origin/main")
    commit(folder, {f"{ROOT}/03.Retro/{name}.md": text for name, text in files.items()})
    git(folder, "push", "-q", "-f", world.project.team.remote("dev"), f"HEAD:refs/heads/memory-retro/{user}")


@ONE_TIER
def test_a_side_branch_is_harvested_once_and_without_secrets(world: World) -> None:
    folder = world.run.folder
    git(folder, "fetch", "-q")
    secret = "- the key is AKIA" + "QWERTYUIOPASDFGH\n- glpat-" + "abcdEFGH1234ijklMNOP\n"
    side_branch(
        world,
        folder,
        "mai",
        {"T-77": RETRO, "TICKET-1": "- known already\n", "T-79": secret, "T-80": "Nothing listed.\n"},
    )
    side_branch(world, folder, "ken", {"T-77": "- from ken\n"})
    git(folder, "checkout", "-q", "main")
    iid = world.consolidate()
    made = world.request(iid)
    assert made["title"] == "memory(consolidate): 2 retros"
    changed = {row["new_path"] for row in world.project.ask("GET", f"merge_requests/{iid}/diffs")}
    assert changed == {f"{ROOT}/03.Retro/T-77.md", f"{ROOT}/03.Retro/T-80.md"}
    assert "- `T-77` (`ken`): `from ken`" in made["description"]
    assert "- `T-80` (`mai`): no list in it" in made["description"]
    assert "glpat" not in made["description"]
    assert world.consolidate() == iid
    assert world.request(iid)["sha"] == made["sha"]
    world.accept(iid)
    assert world.project.file("03.Retro/T-80.md") == "Nothing listed.\n"
    assert world.consolidate() == 0


def test_the_points_are_those_that_are_proposed() -> None:
    assert list(points_of(RETRO)) == ["Khóa hàng đợi theo tenant", "在庫は夜間に数える"]
    assert list(points_of("# T\n- [ ] one\n* two\n3) three\n- four\n")) == ["one", "two", "three"]
    assert list(points_of("")) == []


def test_a_ticket_is_named_as_a_word() -> None:
    assert is_named("T-7", "T-7 / Gate 3")
    assert not is_named("T-7", "T-77")
    assert not is_named("T-7", "XT-7")
