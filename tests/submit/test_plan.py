"""The plan: decided from facts alone."""

from __future__ import annotations

from typing import Any

import pytest

from brain.layout import find_place
from brain.memory import Memory, render_memory
from brain.submit.body import replace_ours
from brain.submit.journal import PULLED, Entry
from brain.submit.plan import Facts, Left, Proposal, branch_of, make_title, plain_ticket, plan_submit
from brain.submit.push import Heads
from brain.submit.texts import WORDS
from brain.value import replace
from tests.submit.team import NOON, QUEUE, RETRY, STOCK

BASE, TIP = "b" * 40, "c" * 40


def memory(path: str, **fields: Any) -> Memory:
    place = find_place(path)
    assert place
    made = Memory(
        place,
        workflows=("coding",),
        tags=("x",),
        confidence=0.5,
        source="manual",
        status="pending",
        hits=0,
        created="2026-01-01",
        body="One.\n\n**Apply:** it.",
    )
    return replace(made, **fields)


def proposal(path: str, **fields: Any) -> Proposal:
    found = memory(path, **fields)
    return Proposal(found, render_memory(found), path.rpartition("/")[2])


def facts(*proposals: Proposal, **more: Any) -> Facts:
    people = {"pm": ["pam"], "tl": ["tom"], "ba": ["bea"], "qa": ["quinn"], "comtor": ["cam"]}
    given: dict[str, Any] = {
        "ticket": "T-1", "title": "", "description": "", "root": "99.Memory", "heads": Heads("main", BASE, ""), "parent": BASE,
        "proposals": proposals, "left": (), "on_branch": {}, "approved": {}, "retro": ("", ""), "entry": None, "request": None,
        "most": 10, "people": people, **more,
    }  # fmt: skip
    return Facts(**given)


def test_a_plain_plan() -> None:
    plan = plan_submit(facts(proposal(NOON), proposal(RETRY), approved={RETRY: "0"}))
    assert (plan.branch, plan.target, plan.parent, plan.before) == ("memory/T-1", "main", BASE, "")
    assert plan.title == "memory(T-1): +1 lesson/dev, ~1 lesson/dev"
    assert plan.leaving == {NOON: "noon.md", RETRY: "retry.md"}
    assert (plan.assignee, plan.reviewers, plan.withdrawn, plan.left) == ("pam", (), (), ())


@pytest.mark.parametrize(
    ("paths", "author", "reviewers"),
    [
        ([NOON], "", ()), ([STOCK], "", ("bea",)), ([QUEUE], "", ("tom",)), ([STOCK, QUEUE], "tom", ("bea",)),
        (["00.Shared/glossary/x.md"], "", ("bea", "cam")), (["01.Lessons/qa/_global/x.md", QUEUE, "02.Instincts/approved/_global/y.md"], "", ("tom", "quinn")),
        (["00.Shared/architecture/_global/x.md"], "", ("tom",)), (["01.Lessons/ba/_global/x.md"], "", ()),
    ],
)  # fmt: skip
def test_whom_to_consult(paths: list[str], author: str, reviewers: tuple[str, ...]) -> None:
    assert plan_submit(facts(*map(proposal, paths), author=author)).reviewers == reviewers


@pytest.mark.parametrize(
    ("pm", "author", "assignee"), [(["pam"], "pam", "pam"), (["pam", "pete"], "pam", "pete"), ([], "", "")]
)
def test_who_is_to_approve(pm: list[str], author: str, assignee: str) -> None:
    assert plan_submit(facts(proposal(NOON), people={"pm": pm}, author=author)).assignee == assignee


def test_the_ticket_s_own_go_first_then_the_surest_then_the_newest() -> None:
    rows = [
        proposal("01.Lessons/dev/_global/other.md", confidence=1.0, source="T-12 / gate 1"),
        proposal("01.Lessons/dev/_global/old.md", confidence=0.9, created="2026-01-01"),
        proposal("01.Lessons/dev/_global/new.md", confidence=0.9, created="2026-02-01"),
        proposal("01.Lessons/dev/_global/own.md", confidence=0.1, source="T-1 / gate 1"),
    ]
    plan = plan_submit(facts(*rows, most=3))
    assert sorted(plan.leaving) == [f"01.Lessons/dev/_global/{name}.md" for name in ("new", "other", "own")]
    assert [left.name for left in plan.left] == ["mem-global-old"]


def test_what_is_on_the_branch_takes_room_and_a_change_of_it_none() -> None:
    there = {NOON: "old", STOCK: "old", "03.Retro/T-1.md": "r"}
    plan = plan_submit(facts(proposal(NOON), proposal(QUEUE), on_branch=there, most=2, parent=TIP))
    assert list(plan.leaving) == [NOON]
    assert plan.left == (Left("mem-global-queue", "a merge request takes 2: submit it with the next"),)
    assert list(plan.shown) == [STOCK, NOON, "03.Retro/T-1.md"]


def test_what_was_taken_back_and_is_not_proposed_again_is_put_back() -> None:
    entry = Entry("T-1", "memory/T-1", "main", "99.Memory", PULLED, TIP, (NOON, STOCK))
    there = {NOON: "old", STOCK: "old", QUEUE: "another machine's"}
    plan = plan_submit(facts(proposal(NOON), on_branch=there, entry=entry, parent=TIP))
    assert plan.withdrawn == (STOCK,)
    assert plan.changes[STOCK] is None
    assert list(plan.shown) == [QUEUE, NOON]


def test_nothing_is_nothing() -> None:
    assert plan_submit(facts(left=(Left("x", "bad"),))).is_empty
    assert plan_submit(facts(retro=("03.Retro/T-1.md", "r"))).is_empty
    assert plan_submit(facts(on_branch={NOON: "another machine's"}, parent=TIP)).is_empty


def test_the_key_stands_for_the_content() -> None:
    one, same, other = (plan_submit(facts(proposal(NOON, confidence=sure))).key for sure in (0.5, 0.5, 0.6))
    assert one == same != other


def test_branches_are_safe_names_and_differ_where_tickets_differ() -> None:
    names = [
        "T-1",
        "t-1",
        "T 1",
        "T/1",
        "T_1",
        "-T",
        "..",
        ".lock",
        "a.lock",
        "日本",
        "",
        "x" * 300,
        "[skip ci]",
        "remove-x",
        "a\n b",
    ]
    branches = [branch_of(name) for name in names]
    assert len(set(branches)) == len(names)
    assert branches[0] == "memory/T-1"
    for branch in branches:
        assert len(branch) < 100
        assert branch.isascii()
        assert not set(branch) & set(" ~^:?*[\\\n")


def test_a_title_cannot_stop_the_pipeline() -> None:
    assert "[skip ci]" not in make_title("x [skip ci]", [NOON], ())
    assert "\n" not in plain_ticket("a\nb\u202e")
    assert len(make_title("y" * 1000, [NOON], ())) <= 200


def test_every_language_has_the_same_words() -> None:
    assert len({frozenset(words) for words in WORDS.values()}) == 1
    for name, text in WORDS["en"].items():
        holes = {
            hole for hole in ("{ticket}", "{path}", "{id}", "{ref}", "{reason}", "{people}", "{count}") if hole in text
        }
        for words in WORDS.values():
            assert all(hole in words[name] for hole in holes), name
            assert words[name].count("|") == text.count("|")
            assert len(words[name].splitlines()) == len(text.splitlines())


def test_our_part_of_a_description_is_renewed_and_what_people_wrote_is_kept() -> None:
    old = "before\n<!-- brain:submit key=a1 -->\nold\n<!-- /brain:submit -->\nafter"
    new = "<!-- brain:submit key=b2 -->\nnew\n<!-- /brain:submit -->"
    assert replace_ours(old, new) == f"before\n{new}\nafter"
    assert replace_ours(old, old.replace("old", "new")) == old
    assert replace_ours("by hand", new) == new
