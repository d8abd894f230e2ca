"""Counts of use: whatever machines are heard, in whatever order and however often, no use counts twice."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from brain.tend.counts import (
    MOST_NAMES,
    NOTHING,
    Counts,
    Use,
    Week,
    join,
    monday,
    parse_counts,
    render_counts,
    total,
)
from brain.tend.local import Ledger, Origin, count_events
from brain.value import replace

ORIGIN = Origin("shop", 0.05)
START = 20_000 * 86400.0
IDS, SESSIONS = ("mem-F003-a", "mem-F003-b", "mem-global-受注"), ("s1", "s2", "s3", "")


def ledger(machine: str = "m") -> Ledger:
    return Ledger(machine, {}, {}, NOTHING)


events = st.lists(
    st.fixed_dictionaries({
        "time": st.integers(0, 40).map(lambda day: START + day * 86400.0), "event": st.sampled_from(("read", "cited")),
        "ids": st.lists(st.sampled_from(IDS), max_size=3), "session": st.sampled_from(SESSIONS),
        "ticket": st.sampled_from(("T-1", "T-2", "")),
    }),
    max_size=30,
)  # fmt: skip


def truth(machines: dict[str, list[dict[str, Any]]]) -> dict[str, int]:
    """Count by the rule's own words: a memory once a session; without one, a ticket's day is one."""
    uses = {
        (machine, event["session"] or (event["ticket"], event["time"] // 86400), name)
        for machine, rows in machines.items()
        for event in rows
        for name in event["ids"]
    }
    return {name: sum(1 for _, _, used in uses if used == name) for name in {name for *_, name in uses}}


@given(machines=st.dictionaries(st.sampled_from("abcd"), events, max_size=4), data=st.data())
def test_any_order_repetition_and_old_states_give_the_true_count(
    machines: dict[str, list[dict[str, Any]]], data: st.DataObject
) -> None:
    told: list[tuple[str, Counts]] = []
    for machine, rows in machines.items():
        cuts = sorted(data.draw(st.lists(st.integers(0, len(rows)), max_size=3)))
        now = ledger(machine)
        for begin, end in zip([0, *cuts], [*cuts, len(rows)], strict=True):
            now = count_events(now, rows[begin:end], ORIGIN)
            told.append((machine, now.counts))
    again = data.draw(st.lists(st.sampled_from(told), max_size=8)) if told else []
    heard: dict[str, Counts] = {}
    for machine, counts in data.draw(st.permutations([*told, *again])):
        heard[machine] = join(heard.get(machine, NOTHING), parse_counts(render_counts(counts)))
    found = total(heard.values())
    assert {name: use.hits for name, use in found.uses.items() if use.hits} == truth(machines)
    assert sum(week.hits for week in found.weeks.values()) == sum(truth(machines).values())


@given(machines=st.dictionaries(st.sampled_from("abcd"), events, min_size=1, max_size=4), data=st.data())
def test_any_subset_of_machines_counts_what_they_saw(
    machines: dict[str, list[dict[str, Any]]], data: st.DataObject
) -> None:
    some = data.draw(st.sets(st.sampled_from(sorted(machines))))
    rows = {machine: machines[machine] for machine in some}
    found = total(count_events(ledger(machine), events, ORIGIN).counts for machine, events in rows.items())
    assert {name: use.hits for name, use in found.uses.items() if use.hits} == truth(rows)


@given(first=events, second=events, third=events)
def test_joining_has_the_laws_of_a_set(first: Any, second: Any, third: Any) -> None:
    one, two, three = (count_events(ledger(), rows, ORIGIN).counts for rows in (first, second, third))
    assert join(one, two) == join(two, one)
    assert join(one, join(two, three)) == join(join(one, two), three)
    assert join(one, one) == one == join(one, NOTHING)


def test_a_session_counts_each_memory_once_and_its_tokens_always() -> None:
    injected = {"time": START, "event": "injected", "session": "s", "tokens": 900, "share": 0.03}
    rows = [
        injected, {**injected, "tokens": 800}, {**injected, "tokens": 100}, {**injected, "session": "t"},
        {"time": START, "event": "read", "ids": ["a", "a"], "session": "s", "ticket": "T-1"},
        {"time": START, "event": "cited", "ids": ["a"], "session": "s", "ticket": "T-1"},
        {"time": START + 86400, "event": "cited", "ids": ["a"], "session": "t", "ticket": "T-2"},
        {"time": START, "event": "offered", "ids": ["a"], "session": "u", "ticket": "T-9"},
    ]  # fmt: skip
    found = count_events(ledger(), rows, ORIGIN).counts
    assert found.uses == {"a": Use(2, 2, "2024-10-05", ("T-1", "T-2"), ("shop",))}
    assert found.weeks == {"2024-09-30": Week(2, 2700, 1, 2, 2, ("T-1", "T-2"))}


def test_names_are_cut_the_same_way_in_any_order() -> None:
    states = [Counts({"a": Use(1, 0, "", (f"T-{number:02}",))}, {}) for number in range(MOST_NAMES + 9)]
    forward, backward = NOTHING, NOTHING
    for state in states:
        forward = join(forward, state)
    for state in reversed(states):
        backward = join(backward, state)
    assert forward == backward
    assert len(forward.uses["a"].tickets) == MOST_NAMES


def test_what_a_stranger_wrote_is_not_counted() -> None:
    odd = (
        '{"format": 1, "uses": {"a": {"hits": -3, "cited": true, "last": 5, "tickets": [1, "T"]}, "b": 7}, "weeks": []}'
    )
    assert parse_counts(odd) == Counts({"a": Use(tickets=("T",))}, {})
    for text in ("", "{", "[]", '{"format": 2, "uses": {"a": {"hits": 1}}}', "[" * 100_000):
        assert parse_counts(text) == NOTHING


def test_a_week_begins_on_monday() -> None:
    assert [monday(f"2026-03-0{day}") for day in (1, 2, 8, 9)] == [
        "2026-02-23",
        "2026-03-02",
        "2026-03-02",
        "2026-03-09",
    ]


def test_an_event_of_another_kind_changes_nothing() -> None:
    before = ledger()
    assert count_events(before, [{"time": START, "event": "offered", "ids": ["a"], "session": "s"}], ORIGIN) == before
    assert replace(before, machine="x") != before
