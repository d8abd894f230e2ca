"""Ranking: the same as a second computation from the specification; ties; relevance; what is replaced."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brain.recall.recall import recall
from brain.value import replace
from tests.recall import oracle
from tests.support.recall import F3, TODAY, brain_of, ids, memory, terms_of, ticket_of

if TYPE_CHECKING:
    from pathlib import Path

    from brain.memory import Memory
    from brain.recall.recall import Recall

TAGS = ("payment", "retry", "stock-export", "api", "sql", "node.js")
ALIASES = ("受注", "在庫", "đơn hàng", "sales order", "retry job")
FOLDERS = ("F-003_Payment", "F-004", "_global")
WORKFLOWS = ("coding", "review", "create-spec", "create-testcase", "execute-test", "gen-doc", "other", "all")
BODIES = ("Retry a payment twice.", "Stock export is slow; use the API.", "受注は毎朝取り込む。", "在庫の出力は受注の後。", "Đơn hàng được khóa khi xuất kho.",
          "The retry job of the stock export writes SQL.", "Nothing of the kind.")  # fmt: skip
TITLES = (
    "",
    "Retry the payment",
    "Rapid apiary",
    "Slow StockExport api",
    "受注の取り込み",
    "在庫の出力",
    "Khóa đơn hàng",
    "Sales order SQL, node.js",
    "Book a table",
)
REFS = (
    "src/pay/",
    "src/pay/retry.py#L3-L9",
    "code:src/stock/export.py",
    "src/*/x.sql",
    "code:lib/**",
    "docs:01.Spec/a.md",
    "src",
)
FILES = ("src/pay/retry.py", "src/stock/export.py", "src/a/b/x.sql", "lib/y.py", "srcs/z.py", "01.Spec/a.md")


@st.composite
def stores(draw: st.DrawFn) -> list[Memory]:
    paths = draw(
        st.lists(
            st.tuples(st.sampled_from(sorted(oracle_areas())), st.sampled_from(FOLDERS), st.sampled_from("abcd")),
            unique=True,
            max_size=25,
        )
    )
    found: dict[str, Memory] = {}
    for area, folder, slug in paths:
        item = memory(
            f"{area}/{folder}/{slug}.md" if area not in ("00.Shared/glossary", "00.Shared/decisions") else f"{area}/{slug}.md",
            workflows=tuple(draw(st.lists(st.sampled_from(WORKFLOWS), min_size=1, max_size=2, unique=True))),
            tags=tuple(draw(st.lists(st.sampled_from(TAGS), max_size=3, unique=True))), aliases=tuple(draw(st.lists(st.sampled_from(ALIASES), max_size=1))),
            confidence=draw(st.sampled_from((0.3, 0.5, 0.8))), hits=draw(st.sampled_from((0, 0, 2))), refs=tuple(draw(st.lists(st.sampled_from(REFS), max_size=2, unique=True))),
            created=draw(st.sampled_from(("2025-01-01", "2026-03-02", "2026-03-03", "2026-05-05"))), body=draw(st.sampled_from(BODIES)),
        )  # fmt: skip
        found.setdefault(item.id, item)
    return list(found.values())


def oracle_areas() -> set[str]:
    return {
        "00.Shared/architecture",
        "00.Shared/domain",
        "00.Shared/glossary",
        "00.Shared/decisions",
        "01.Lessons/dev",
        "01.Lessons/qa",
        "01.Lessons/ba",
        "01.Lessons/pm",
        "02.Instincts/approved",
    }


tickets = st.fixed_dictionaries({
    "title": st.sampled_from(TITLES), "description": st.sampled_from(TITLES), "keywords": st.lists(st.sampled_from((*TAGS, "Stock Export", "unknown")), max_size=2),
    "functionIds": st.lists(st.sampled_from(("F-003", "f004", "F-9")), max_size=2, unique=True), "workflow": st.sampled_from((*WORKFLOWS[:-1], "")),
    "files": st.lists(st.sampled_from(FILES), max_size=3, unique=True),
})  # fmt: skip


def shown(found: Recall) -> list[tuple[str, dict[str, float]]]:
    return [(item.memory.id, {name: round(amount, 6) for name, amount in item.terms.items()}) for item in found.chosen]


def expected(rows: list[tuple[str, dict[str, float]]], limit: int) -> list[tuple[str, dict[str, float]]]:
    return [(name, {term: round(amount, 6) for term, amount in terms.items()}) for name, terms in rows[: limit or None]]


@settings(max_examples=120, deadline=None)
@given(
    store=stores(),
    extra=stores(),
    ticket=tickets,
    cuts=st.tuples(st.integers(0, 25), st.integers(0, 25), st.integers(0, 4)),
    drops=st.sets(st.integers(0, 24), max_size=6),
)
@pytest.mark.parametrize("scorer", ["rule", "hybrid"])
def test_ranking_is_what_the_specification_says(tmp_path_factory: pytest.TempPathFactory, scorer: str, store: list[Memory], extra: list[Memory], ticket: dict[str, Any],
                                                cuts: tuple[int, int, int], drops: set[int]) -> None:  # fmt: skip
    folder = tmp_path_factory.getbasetemp() / "none"
    first, second = sorted(cuts[:2])
    parts = [store[:first], store[first:second], store[second:]]
    drafts = extra[: cuts[2]]
    gone = {store[number].id for number in drops if number < len(store)}
    brain = brain_of(folder, *parts, drafts=drafts, settings={"recall": {"scorer": scorer}})
    dead = [
        [number for number in range(part.segment.docs) if part.segment.memory(number).id in gone]
        for part in brain.tree.parts
    ]
    brain = brain_of(folder, *parts, drafts=drafts, settings={"recall": {"scorer": scorer}}, dead=dead)
    mine = [brain.drafts.segment.memory(number) for number in range(brain.drafts.segment.docs)] if brain.drafts else []
    mine = [replace(draft, status="pending") for draft in mine]
    rows = oracle.rank([item for item in store if item.id not in gone], mine, ticket, TODAY, hybrid=scorer == "hybrid")
    for limit in (0, 1, 3, 10):
        assert shown(recall(brain, ticket_of(**ticket), TODAY, limit)) == expected(rows, limit)


KEYED: dict[str, Any] = {"keywords": ["a"]}


def test_ties_go_to_confidence_then_the_newer_then_the_id(tmp_path: Path) -> None:
    def item(slug: str, confidence: float, created: str, tags: tuple[str, ...] = ("a",)) -> Memory:
        return memory(f"00.Shared/domain/_global/{slug}.md", confidence=confidence, created=created, tags=tags)

    sure = item("z", 1.0, "2026-04-01", ())
    sure = memory("00.Shared/domain/F-3/z.md", confidence=1.0, created="2026-04-01")  # 3 + 1 = 4, as 2 + 2 × 1.0
    rows = [
        item("d", 0.5, "2026-05-01"),
        item("b", 0.5, "2026-05-02"),
        item("c", 0.5, "2026-05-01"),
        item("a", 0.5, "2026-04-30"),
    ]
    assert ids(brain_of(tmp_path, rows), **KEYED) == [f"mem-global-{slug}" for slug in "bcda"]
    assert ids(brain_of(tmp_path, rows[:1], rows[1:3], rows[3:]), **KEYED) == [f"mem-global-{slug}" for slug in "bcda"]
    weighty = {"weights": {"confidence": 2, "tag": 2}}
    halves = [item("half", 0.5, "2026-05-01", ("a", "b")), sure]  # 4 + 1 = 5 and 3 + 2 = 5
    assert ids(brain_of(tmp_path, halves, settings=weighty), functionId="F-3", keywords=["a", "b"]) == [
        "mem-F3-z",
        "mem-global-half",
    ]


def test_hits_do_not_count_in_a_tie(tmp_path: Path) -> None:
    rows = [
        memory("00.Shared/domain/_global/b.md", tags=("a",), hits=5),
        memory("00.Shared/domain/_global/a.md", tags=("a",)),
    ]
    assert ids(brain_of(tmp_path, rows[:1], rows[1:]), **KEYED) == ["mem-global-a", "mem-global-b"]
    assert ids(brain_of(tmp_path, rows), **KEYED) == ["mem-global-a", "mem-global-b"]


@pytest.mark.parametrize(
    ("fields", "ticket", "scorer"),
    [
        ({"path": f"01.Lessons/qa/{F3}/x.md"}, {"functionId": "F-003"}, "rule"),
        ({"tags": ("a",)}, KEYED, "rule"),
        ({"tags": ("a",)}, {"title": "about a"}, "rule"),
        ({"refs": ("src/a.py",)}, {"files": ["src/a.py"]}, "hybrid"),
        ({"body": "The flux capacitor overheats."}, {"title": "Flux capacitor"}, "hybrid"),
        ({"workflows": ("create-spec",)}, {"workflow": "create-spec"}, "rule"),
    ],
)  # fmt: skip
def test_each_reason_alone_makes_relevant(
    tmp_path: Path, fields: dict[str, Any], ticket: dict[str, Any], scorer: str
) -> None:
    store = [
        memory(fields.pop("path", "00.Shared/domain/_global/x.md"), **fields),
        memory("01.Lessons/dev/F-9/other.md", body="Else."),
    ]
    brain = brain_of(tmp_path, store, settings={"recall": {"scorer": scorer}})
    assert ids(brain, 0, **ticket) == [store[0].id]
    assert ids(brain, **ticket) == [store[0].id]


@pytest.mark.parametrize("scorer", ["rule", "hybrid"])
def test_nothing_else_does(tmp_path: Path, scorer: str) -> None:
    store = [
        memory("01.Lessons/dev/F-9/confident.md", confidence=1.0), memory("01.Lessons/dev/F-9/affine.md"),
        memory("00.Shared/domain/F-9/workflow.md", workflows=("all",)), memory("01.Lessons/pm/F-9/b.md", workflows=("coding",)),
        memory("00.Shared/domain/_global/c.md", body="One word of twelve is common to both: capacitor."),
    ]  # fmt: skip
    brain = brain_of(tmp_path, store, settings={"recall": {"scorer": scorer}})
    ticket = {
        "workflow": "coding",
        "title": "Please repaint the wall of the large room behind the old capacitor shelf",
        "files": ["x.py"],
        "functionId": "F-3",
    }
    assert ids(brain, 0, **ticket) == []


def test_under_the_rule_words_and_files_count_nothing(tmp_path: Path) -> None:
    item = memory(
        "00.Shared/domain/_global/x.md", body="The flux capacitor overheats.", refs=("src/a.py",), tags=("a",)
    )
    assert ids(brain_of(tmp_path, [item]), title="Flux capacitor", files=["src/a.py"]) == []
    assert terms_of(
        brain_of(tmp_path, [item]), item.id, title="Flux capacitor", files=["src/a.py"], keywords=["a"]
    ) == {"tags": 2.0}


def test_words_may_lift_one_from_below_the_best_of_its_area(tmp_path: Path) -> None:
    """More of an area than a recall takes stand better; words too weak to speak for it alone lift it over them."""
    crowd = [
        memory(f"01.Lessons/dev/F-9/c{n:02}.md", workflows=("coding",), confidence=0.9, body=f"Number {n} of many.")
        for n in range(30)
    ]
    words = memory(
        "01.Lessons/dev/F-9/words.md",
        workflows=("coding",),
        confidence=0.1,
        body="The delta and much besides, which is said at length.",
    )
    best = memory("00.Shared/domain/_global/best.md", body="alpha beta and some more")
    brain = brain_of(tmp_path, [*crowd, words, best], settings={"recall": {"scorer": "hybrid"}})
    ticket: dict[str, Any] = {"title": "alpha beta gamma delta epsilon zeta"}
    assert ids(brain, 0, workflow="none", **ticket) == [best.id]
    assert ids(brain, 3, workflow="coding", **ticket) == ids(brain, 0, workflow="coding", **ticket)[:3]
    assert words.id in ids(brain, 3, workflow="coding", **ticket)


def test_the_old_and_the_fresh_of_an_area_compete(tmp_path: Path) -> None:
    rows = [
        memory(f"00.Shared/decisions/o{n}.md", workflows=("coding",), confidence=0.9, created="2020-01-01")
        for n in range(6)
    ]
    rows += [memory(f"00.Shared/decisions/f{n}.md", workflows=("coding",), confidence=0.2) for n in range(6)]
    assert ids(brain_of(tmp_path, rows), 5, workflow="coding") == [f"mem-global-f{n}" for n in range(5)]
    rows = [memory(f"00.Shared/decisions/x{n}.md", workflows=("none",), confidence=1.0) for n in range(9)] + rows
    assert ids(brain_of(tmp_path, rows), 7, workflow="coding") == [f"mem-global-f{n}" for n in range(6)] + [
        "mem-global-o0"
    ]


OLD, NEW = "00.Shared/decisions/old.md", "00.Shared/decisions/new.md"


@pytest.mark.parametrize("how", ["supersedes", "superseded_by"])
def test_what_is_replaced_is_left_out_where_the_new_one_is_there(tmp_path: Path, how: str) -> None:
    old = memory(OLD, tags=("a",), **({"superseded_by": ("mem-global-new",)} if how == "superseded_by" else {}))
    new = memory(NEW, **({"supersedes": ("mem-global-old",)} if how == "supersedes" else {}))
    for parts in ([[old, new]], [[old], [new]]):
        brain = brain_of(tmp_path, *parts)
        assert ids(brain, **KEYED) == []
        assert recall(brain, ticket_of(**KEYED), TODAY, rank_all=True).replaced == {"mem-global-old": "mem-global-new"}
        assert recall(brain, ticket_of(keywords=["b"]), TODAY, rank_all=True).replaced == {}


def test_what_is_replaced_stays_where_the_new_one_is_not(tmp_path: Path) -> None:
    old = memory(OLD, tags=("a",), superseded_by=("mem-global-new",))
    assert ids(brain_of(tmp_path, [old]), **KEYED) == [old.id]
    assert ids(brain_of(tmp_path, [old], drafts=[memory(NEW)]), **KEYED) == [old.id]
    new = memory(NEW, supersedes=("mem-global-old",))
    assert ids(brain_of(tmp_path, [memory(OLD, tags=("a",)), new], dead=[[0, 1]]), **KEYED) == []
    number = [item.id for item in brain_of(tmp_path, [memory(OLD, tags=("a",)), new]).tree.parts[0].memories()].index(
        new.id
    )
    assert ids(brain_of(tmp_path, [memory(OLD, tags=("a",)), new], [memory(NEW)], dead=[[number], []]), **KEYED) == [
        old.id
    ]


def test_a_memory_that_replaces_itself_stays(tmp_path: Path) -> None:
    assert ids(brain_of(tmp_path, [memory(OLD, tags=("a",), supersedes=("mem-global-old",))]), **KEYED) == [
        "mem-global-old"
    ]


def test_what_is_replaced_takes_no_place_of_the_number(tmp_path: Path) -> None:
    gone = [
        memory(f"00.Shared/decisions/g{n}.md", workflows=("coding",), confidence=1.0, superseded_by=("mem-global-new",))
        for n in range(5)
    ]
    stay = [memory(f"00.Shared/decisions/s{n}.md", workflows=("coding",), confidence=0.5) for n in range(5)]
    assert ids(brain_of(tmp_path, [*gone, *stay, memory(NEW)]), 3, workflow="coding") == [
        "mem-global-s0",
        "mem-global-s1",
        "mem-global-s2",
    ]


def test_a_draft_that_says_what_is_approved_is_not_shown_twice(tmp_path: Path) -> None:
    item = memory("00.Shared/domain/_global/x.md", tags=("a",), body="Same.")
    changed = memory("00.Shared/domain/_global/x.md", tags=("a",), body="Other.")
    assert ids(brain_of(tmp_path, [item], drafts=[item]), **KEYED) == [item.id]
    assert ids(brain_of(tmp_path, [item], drafts=[changed]), **KEYED) == [item.id, item.id]
    assert ids(brain_of(tmp_path, [item], drafts=[item], dead=[[0]]), **KEYED) == [item.id]


def test_drafts_that_say_nothing_new_take_no_place_of_the_number(tmp_path: Path) -> None:
    twins = [
        memory(f"00.Shared/decisions/t{n}.md", workflows=("coding",), confidence=1.0, body="Same.") for n in range(12)
    ]
    approved = [memory(f"00.Shared/decisions/t{n}.md", body="Same.") for n in range(12)]
    fresh = memory("00.Shared/decisions/fresh.md", workflows=("coding",), confidence=0.1)
    assert ids(brain_of(tmp_path, approved, drafts=[*twins, fresh]), 10, workflow="coding") == [fresh.id]
