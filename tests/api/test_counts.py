"""Counts over HTTP and in git: two ways to tell the same counter, so that nothing is counted twice."""

from __future__ import annotations

import tempfile
from typing import TYPE_CHECKING, Any

from hypothesis import given, settings
from hypothesis import strategies as st

from brain.submit.push import Link
from brain.tend.counts import NOTHING, Counts, Use, Week, join, plain, total
from brain.tend.publish import fetch, publish, read_machines
from brain_api.hits import Hits, machine_key
from tests.api.serving import Served, wait_for
from tests.support.repos import clone, git

if TYPE_CHECKING:
    from pathlib import Path

    from tests.api.conftest import World

NUMBERS = st.integers(0, 5)
USES = st.builds(Use, NUMBERS, NUMBERS, st.sampled_from(("", "2026-03-01", "2026-03-09")),
                 st.sampled_from(((), ("T-1",), ("T-1", "T-2"))))  # fmt: skip
WEEKS = st.builds(Week, NUMBERS, NUMBERS, st.just(0), NUMBERS, NUMBERS)
STATES = st.builds(
    Counts, st.dictionaries(st.sampled_from(("mem-a", "mem-b", "mem-受注")), USES, max_size=3),
    st.dictionaries(st.sampled_from(("2026-03-02", "2026-03-09")), WEEKS, max_size=2),
)  # fmt: skip
TOLD = st.lists(
    st.tuples(st.sampled_from(("ada", "ben", "c..d")), st.sampled_from(("git", "http")), STATES), max_size=8
)


@given(told=TOLD, data=st.data())
@settings(max_examples=60, deadline=None)
def test_whatever_way_order_and_repetition_the_sum_is_that_of_each_machine_s_greatest(
    told: list[tuple[str, str, Counts]], data: st.DataObject
) -> None:
    again = data.draw(st.lists(st.sampled_from(told), max_size=6)) if told else []
    truth: dict[str, Counts] = {}
    in_git: dict[str, Counts] = {}
    with tempfile.TemporaryDirectory() as folder:
        hits = Hits(f"{folder}/hits.jsonl")
        for name, way, counts in data.draw(st.permutations([*told, *again])):
            machine = machine_key(name)
            truth[machine] = join(truth.get(machine, NOTHING), counts)
            if way == "git":
                in_git[machine] = join(in_git.get(machine, NOTHING), counts)
            else:
                before = hits.machines().get(machine, NOTHING)
                assert bool(hits.merge(name, counts)) == (hits.machines().get(machine, NOTHING) != before)
        heard = Hits(f"{folder}/hits.jsonl").machines()
    found = total(join(in_git.get(name, NOTHING), heard.get(name, NOTHING)) for name in {*in_git, *heard})
    sums = total(truth.values())
    assert {name: use for name, use in found.uses.items() if use != Use()} == {
        name: use for name, use in sums.uses.items() if use != Use()
    }
    assert sum(week.tokens for week in found.weeks.values()) == sum(week.tokens for week in sums.weeks.values())


def test_hits_that_are_told_again_were_not_made_again(tmp_path: Path) -> None:
    """A machine may tell all its hits each day: a memory that nobody used stays unused."""
    hits = Hits(str(tmp_path / "hits.jsonl"))
    told = Counts({"mem-a": Use(2), "mem-b": Use(0)}, {})
    assert [hits.merge("ada", told, day) for day in ("2026-03-01", "2026-06-01")] == [1, 0]
    assert hits.merge("ada", Counts({"mem-a": Use(1), "mem-b": Use(1)}, {}), "2026-07-01") == 1
    assert hits.machines()["ada"].uses == {"mem-a": Use(2, last="2026-03-01"), "mem-b": Use(1, last="2026-07-01")}


def test_a_machine_whose_counts_are_of_a_later_version_keeps_no_other_from_being_published(world: World) -> None:
    machine = clone(world.memory, world.folder / "ada")
    (machine / "counts.json").write_text('{"format":99}')
    git(machine, "add", "counts.json")
    later = git(machine, "commit-tree", "-m", "later", git(machine, "write-tree"))
    git(machine, "push", "-q", "origin", f"{later}:refs/brain/telemetry/ada")
    served = world.served.start()
    for name in ("ada", "ben"):
        assert tell(served, name, of(2))["grown"] == 2
    assert served.stop() == 0
    served.start()
    listed = ("for-each-ref", "--format=%(refname) %(objectname)", "refs/brain/telemetry")
    refs = wait_for(lambda: "ben" in (found := git(world.memory, *listed)) and found, "ben's ref")
    assert f"refs/brain/telemetry/ada {later}" in refs, "what a later version wrote stays"
    wait_for(lambda: served.events("counts not published"), "the cause in the log")


def tell(served: Served, machine: str, counts: Counts) -> dict[str, Any]:
    body = {"machine": machine, **plain(counts)}
    found: dict[str, Any] = served.http.post("/v1/projects/shop/counts", json=body).json()
    return found


RETRY = "mem-F003-retry"


def of(hits: int, *tickets: str) -> Counts:
    return Counts({RETRY: Use(hits, 1, "2026-03-03", tickets)}, {"2026-03-02": Week(1, 900, 0, hits, 1, tickets)})


def test_both_ways_at_once_are_one_count_here_and_for_whoever_fetches(world: World) -> None:
    machine = clone(world.memory, world.folder / "ada")
    publish(Link(str(machine), "origin", {}), "ada", of(3, "T-1"))
    served = world.served.start()
    assert tell(served, "ada", of(2, "T-2")) == {"grown": 2, "unknown": []}
    assert tell(served, "ada", of(2, "T-2")) == {"grown": 0, "unknown": []}
    assert tell(served, "a..b", of(4, "T-3")) == {"grown": 2, "unknown": []}
    future = Counts({RETRY: Use(1, last="2999-01-01")}, {"2999-01-07": Week(9)})
    assert tell(served, "ada", future)["grown"] == 1, "no more than that it was used by now"

    def pilot() -> dict[str, Any]:
        found: dict[str, Any] = served.http.get("/v1/projects/shop/report").json()["pilot"]
        return found

    wait_for(lambda: pilot()["figures"]["hits"] == 7, "3 of ada's and 4 of the other")
    figures = pilot()["figures"]
    assert (figures["tasks"], figures["citations"], figures["repeatsPrevented"]) == (3, 2, 3)
    assert served.stop() == 0
    served.start()  # what was told meanwhile is published at the next look
    names = {f"refs/brain/telemetry/{name}" for name in ("ada", machine_key("a..b"))}
    listed = ("for-each-ref", "--format=%(refname)", "refs/brain/telemetry")
    wait_for(lambda: set(git(world.memory, *listed).split()) == names, "the refs")
    link = Link(str(machine), "origin", {})
    publish(link, "ben", of(1))
    fetch(link)
    found = {name: counts.uses[RETRY].hits for name, counts in read_machines(link.repo).items()}
    assert found == {"ada": 3, machine_key("a..b"): 4, "ben": 1}
    assert pilot()["figures"]["hits"] == 7
