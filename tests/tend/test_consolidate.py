"""The weekly merge request on the stand-in: counts, flags, less confidence, removals; proposed once, and made final."""

from __future__ import annotations

import pytest

from brain.git.refs import get_repo
from brain.lint.run import Job, lint_change
from brain.stale.words import REASONS
from tests.finalize.project import ONE_TIER
from tests.support.repos import ROOT, commit, git
from tests.tend.conftest import FADING, FRESH, RETRY, ROTTEN, STALE, World, change_code, draft


def reasons(world: World) -> dict[str, list[str]]:
    return {row["path"]: row["reasons"] for row in world.dry()["changes"]}


@ONE_TIER
def test_a_new_store_needs_no_tending(world: World) -> None:
    assert world.consolidate() == 0
    assert "memory/consolidate" not in world.project.branches()


def test_everything_is_one_merge_request_and_the_approval_makes_it_final(world: World) -> None:
    change_code(world)
    world.cite("s1", "mem-F003-retry", ticket="T-1")
    world.cite("s2", "mem-F003-retry", ticket="T-2")
    world.at("2027-05-01")
    iid = world.consolidate()
    made = world.request(iid)
    assert made["title"] == "memory(consolidate): 1 to remove, 1 stale, 3 less sure, 1 counted"
    assert (made["source_branch"], made["labels"]) == ("memory/consolidate", ["memory"])
    before = world.project.file(RETRY)
    assert world.on_branch(RETRY) == before.replace("hits: 0  # counted", "hits: 2  # counted")
    assert "stale: true" in world.on_branch(STALE)
    assert "stale: false" in world.on_branch(FRESH)
    assert "confidence: 0.45" in world.on_branch(FADING)
    assert 'removal: soft\nremoval_reason: "R1: nobody used it since 2026-01-01' in world.on_branch(ROTTEN)
    world.accept(iid)
    assert world.project.state(RETRY)[0] == "approved"
    assert world.project.state(f"_deprecated/{ROTTEN}")[0] == "deprecated"
    assert world.project.index() == ["mem-global-stale", "mem-global-fresh", "mem-F004-fading", "mem-F003-retry"]
    assert world.consolidate() == 0


@ONE_TIER
def test_run_again_it_changes_nothing_and_news_update_the_same_one(world: World) -> None:
    world.cite("s1", "mem-F003-retry")
    iid = world.consolidate()
    first = world.request(iid)
    assert world.consolidate() == iid
    assert {**world.request(iid), "updated_at": first["updated_at"]} == first
    world.cite("s2", "mem-F003-retry")
    assert world.consolidate() == iid
    second = world.request(iid)
    assert second["sha"] != first["sha"]
    assert "hits: 2" in world.on_branch(RETRY)
    assert "`mem-F003-retry`: 0 → 2" in second["description"]


def test_an_open_submission_keeps_its_memories_to_itself(world: World) -> None:
    text = draft(RETRY, "Retry a payment at most five times.\n\n**Apply:** count.", tags=("payment",))
    other = world.project.propose({RETRY: text})
    world.cite("s1", "mem-F003-retry", "mem-F004-fading")
    iid = world.consolidate()
    assert sorted(row["new_path"] for row in world.project.ask("GET", f"merge_requests/{iid}/diffs")) == [
        f"99.Memory/{FADING}"
    ]
    world.accept(other)
    assert world.consolidate() == iid
    world.accept(iid)
    assert "hits: 1" in world.project.file(RETRY)
    assert "five times" in world.project.file(RETRY)


@ONE_TIER
def test_what_a_person_decides_on_the_branch_stays(world: World) -> None:
    world.at("2027-05-01")
    iid = world.consolidate()
    kept = world.project.file(ROTTEN)
    world.project.commit("memory/consolidate", {ROTTEN: kept})
    world.cite("s1", "mem-F003-retry")
    assert world.consolidate() == iid
    assert world.on_branch(ROTTEN) == kept
    assert "hits: 1" in world.on_branch(RETRY)
    assert "mem-F003-rotten" not in world.request(iid)["description"]
    world.cite("s2", "mem-F003-retry")
    assert world.consolidate() == iid
    assert world.on_branch(ROTTEN) == kept
    assert "hits: 2" in world.on_branch(RETRY)


def test_turned_down_as_it_is_it_comes_again_with_news_alone(world: World) -> None:
    world.cite("s1", "mem-F003-retry")
    iid = world.consolidate()
    world.project.ask("PUT", f"merge_requests/{iid}", state_event="close")
    status, _, err = world.run("consolidate")
    assert (status, "turned down as it is" in err) == (1, True), err
    world.cite("s2", "mem-F003-retry")
    assert world.consolidate() > iid


@ONE_TIER
def test_verified_again_a_flag_goes(world: World) -> None:
    change_code(world)
    world.accept(world.consolidate())
    assert "stale: true" in world.project.file(STALE)
    assert world.consolidate() == 0
    commit(world.code, {"src/pay.py": "pay = 1\n"})
    assert reasons(world) == {STALE: ["cleared"]}


def reason_of_rotten(world: World) -> str:
    (line,) = [line for line in world.on_branch(ROTTEN).splitlines() if line.startswith("removal_reason: ")]
    return line.partition(": ")[2].strip('"')


@ONE_TIER
@pytest.mark.parametrize(
    ("language", "word"), [("en", "nobody used it"), ("vi", "không ai dùng từ"), ("ja", "以降使われていない")]
)
def test_in_every_language_it_passes_the_gate(world: World, language: str, word: str) -> None:
    change_code(world)
    world.monkeypatch.setenv("BRAIN_REVIEW_LANGUAGE", language)
    world.at("2027-05-01")
    description = world.request(world.consolidate())["description"]
    assert f"`shop:src/pay.py`: {REASONS[language]['changed']} | `Paying is one file` |" in description
    assert f"| `mem-F003-rotten` | {reason_of_rotten(world).removeprefix('R1: ')} |" in description
    folder = world.run.folder
    git(folder, "fetch", "-q")
    assert word in world.on_branch(ROTTEN)
    report = lint_change(Job(get_repo(str(folder)), ROOT, "2027-05-01"), "origin/main", "origin/memory/consolidate")
    assert [finding for finding in report.findings if finding.blocks] == []
