"""Mirrors: what is fetched and from where, and what a team's own settings cannot make the service do."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from brain.errors import BrainError
from brain_api.settings import ProjectSettings
from brain_api.snapshot import Snapshot
from brain_api.source import Mirrored
from tests.api.conftest import NOON, RETRY, TERM, World
from tests.support.repos import commit, git, make_memory_repo, memory_text

if TYPE_CHECKING:
    from pathlib import Path

EVIL = """[recall]
scorer = "hybrid"
[repos]
own = "/etc"
[gitlab]
url = "https://evil.example"
[semantic]
url = "https://evil.example/v1"
embedder = "endpoint"
"""


@pytest.fixture
def repos(tmp_path: Path) -> World:
    """Return the repositories; their service is not started."""
    return World(tmp_path)


def mirrored(world: World, **more: object) -> Mirrored:
    settings = ProjectSettings("shop", str(world.memory), str(world.code), **more)  # type: ignore[arg-type]
    return Mirrored(settings, str(world.folder / "data"), os.environ)


def test_a_team_rules_its_recall_and_not_where_the_service_goes(repos: World) -> None:
    commit(repos.memory, {"99.Memory/brain.toml": EVIL})
    source = mirrored(repos)
    assert source.refresh() == ()
    config = source.open().config
    assert config["recall.scorer"] == "hybrid"
    assert (config["repos"], config["gitlab.url"], config["semantic.url"]) == ({}, "", "")
    assert config["semantic.embedder"] != "endpoint"


def test_refs_lead_into_the_repos_that_the_service_names(repos: World, tmp_path: Path) -> None:
    lib = World(tmp_path / "more").code
    since = git(lib, "rev-parse", "HEAD")
    repos.share(
        NOON, memory_text(NOON, refs=("lib:src/pay.py", "none:x.py"), verified_commit={"lib": since, "none": since})
    )
    commit(lib, {"src/pay.py": "tries = 9\n"})
    source = mirrored(repos, repos={"lib": str(lib)})
    assert source.refresh() == ()
    snapshot = Snapshot(source.open(), source.stamp(), 0.0)
    (memory,) = [memory for memory in snapshot.memories() if memory.path == NOON]
    found = [(doubt.ref, doubt.answer.state) for doubt in snapshot.doubts([memory])[NOON]]
    assert found == [("lib:src/pay.py", "stale"), ("none:x.py", "unknown")]


def test_the_default_branch_is_the_remotes_or_the_one_that_is_set(repos: World) -> None:
    git(repos.memory, "checkout", "-q", "-b", "develop")
    repos.share(RETRY, None)
    source = mirrored(repos)
    source.refresh()
    assert (source.memory.default(), source.open().tree.size) == ("develop", 2)
    source = mirrored(repos, branch="main")
    source.memory.folder += "-main"
    source.refresh()
    assert (source.memory.default(), source.open().tree.size) == ("main", 3)


def test_one_repo_that_is_away_keeps_no_other_back(repos: World) -> None:
    source = mirrored(repos)
    source.refresh()
    repos.code.rename(repos.folder / "aside")
    new = repos.share(RETRY, None)
    (trouble,) = source.refresh()
    assert trouble.startswith("code: git ls-remote origin: fatal: ")
    assert source.open().tree.commit == new


def test_nothing_is_half_there_where_the_first_fetch_fails(repos: World) -> None:
    source = Mirrored(ProjectSettings("shop", str(repos.folder / "nowhere")), str(repos.folder / "data"), os.environ)
    assert len(source.refresh()) == 1
    with pytest.raises(BrainError, match="not mirrored yet"):
        source.open()
    assert list((repos.folder / "data").iterdir()) == []


def test_a_project_that_was_given_another_repo_serves_nothing_of_the_old_one(repos: World) -> None:
    mirrored(repos).refresh()
    other = make_memory_repo(repos.folder / "other", {TERM: memory_text(TERM, workflows=("all",))})
    for memory, size in ((repos.folder / "nowhere", None), (other, 1)):
        source = Mirrored(ProjectSettings("shop", str(memory)), str(repos.folder / "data"), os.environ)
        with pytest.raises(BrainError, match="not mirrored yet"):
            source.open()
        assert bool(source.refresh()) == (size is None)
        if size:
            assert source.open().tree.size == size
    assert mirrored(repos).refresh() == ()
    assert mirrored(repos).open().tree.size == 3


def test_what_one_process_mirrors_every_other_reads_and_drops_when_it_is_of_another_repo(repos: World) -> None:
    worker, keeper = mirrored(repos), mirrored(repos)
    assert worker.stamp()[0] == ""
    keeper.refresh()
    assert worker.stamp() == keeper.stamp()
    assert worker.open().tree.size == 3
    other = make_memory_repo(repos.folder / "other", {TERM: memory_text(TERM, workflows=("all",))})
    later = Mirrored(ProjectSettings("shop", str(other)), str(repos.folder / "data"), os.environ)
    assert later.refresh() == ()
    with pytest.raises(BrainError, match="not mirrored yet"):
        worker.open()


def test_a_snapshot_that_follows_keeps_what_did_not_change(repos: World) -> None:
    source = mirrored(repos)
    source.refresh()
    first = Snapshot(source.open(), source.stamp(), 0.0)
    repos.share(NOON, memory_text(NOON, "Noon.\n\n**Apply:** it."))
    source.refresh()
    second = Snapshot(source.open(), source.stamp(), 1.0, first)
    assert second.version != first.version
    assert second.brain.tree.parts[0].segment is first.brain.tree.parts[0].segment
    assert sorted(memory.id for memory in second.memories()) == sorted(memory.id for memory in first.memories())
