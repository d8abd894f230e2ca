"""A plan as text: one block a setting, 80 columns, nothing that leaves its place; code owners' lines; expressions."""

from __future__ import annotations

import pytest

from brain.protect.facts import (
    Level,
    Protection,
    parse_account,
    parse_approving,
    parse_hook,
    parse_member,
    parse_merging,
    parse_protection,
    parse_push_rule,
    parse_rule,
    parse_schedule,
    parse_token,
    parse_variable,
)
from brain.protect.item import OK, UNSEEN, WRONG, Change, Item, ok, wrong
from brain.protect.pipeline import _admits
from brain.protect.render import item_facts, render_plan, summary

CHANGE = Change("do it", "put", "", {"token": "secret"})


def test_a_block_says_what_it_is_should_be_why_and_how() -> None:
    items = [
        ok("first", "there"),
        wrong("second", "off", "on", "It must be on.", "Settings: on", CHANGE),
        wrong("third", "off", "on", "", "Settings: on", CHANGE),
        Item("fourth", UNSEEN, "this token may not see it", mend="ask a Maintainer"),
    ]
    assert render_plan(items, applies=True) == [
        "ok           first: there",
        "",
        "wrong        second",
        "  is:        off",
        "  should be: on",
        "  why:       It must be on.",
        "  --apply:   do it",
        "  by hand:   Settings: on",
        "",
        "wrong        third",
        "  is:        off",
        "  should be: on",
        "  --apply:   the same as above",
        "  by hand:   Settings: on",
        "",
        "cannot see   fourth: this token may not see it",
        "  mend:      ask a Maintainer",
    ]
    assert summary(items) == "1 ok, 2 wrong, 1 cannot see"


@pytest.mark.parametrize(
    "text", ["a long text " * 30, "支払いの承認は二回目以降は自動で行う" * 8, "x" * 300, "a\tb\nc\x1b[1m\u202ed"]
)
def test_a_text_stays_in_its_place_within_80_columns(text: str) -> None:
    lines = render_plan([wrong(text, text, text, text, text, Change(text, "put", "", {}))], applies=True)
    assert max(map(len, lines)) < 80
    assert not {"\x1b", "\u202e", "\t"} & set("".join(lines))
    assert all(line.startswith(("wrong  ", "  ")) for line in lines)


def test_a_program_is_told_what_a_change_does_and_not_what_it_sends() -> None:
    found = item_facts(wrong("a", "b", "c", "d", "e", CHANGE))
    assert found == {
        "name": "a",
        "state": WRONG,
        "found": "b",
        "wanted": "c",
        "why": "d",
        "mend": "e",
        "changes": ["do it"],
    }
    assert summary([Item("a", OK, "")]) == "1 ok"


@pytest.mark.parametrize(
    ("pattern", "branch", "covers"),
    [
        ("main", "main", True), ("ma*", "main", True), ("*", "memory/T-1", True), ("memory/*", "memory/a/b", True),
        ("mai?", "main", False), ("[m]ain", "main", False), ("main", "main2", False), ("*-stable", "main", False),
    ],
)  # fmt: skip
def test_only_a_star_stands_for_other_text(pattern: str, branch: str, covers: bool) -> None:
    assert Protection(pattern, (), (), force=False).covers(branch) is covers


def test_groups_that_may_not_be_seen_are_groups_all_the_same() -> None:
    assert parse_rule({"users": [{"id": 1}], "groups": [{"id": 5}], "contains_hidden_groups": True}).groups == (5, 0)


@pytest.mark.parametrize("found", [{}, {"id": "1", "users": None, "push_access_levels": [None, 5]}, {"id": True}])
def test_an_answer_of_another_shape_is_no_crash(found: dict[str, object]) -> None:
    parsers = (parse_rule, parse_protection, parse_approving, parse_merging, parse_member, parse_account, parse_token,
               parse_variable, parse_schedule, parse_hook, parse_push_rule)  # fmt: skip
    assert [parse(found) for parse in parsers if parse(found) is None] == ([None] if not found else [])


def test_a_user_is_no_role_though_gitlab_gives_it_one() -> None:
    assert not Level(1, 40, user=7).is_role
    assert not Level(1, 40, key=7).is_role
    assert Level(1, 40).is_role


@pytest.mark.parametrize(
    ("expression", "admits"),
    [("", True), ("^memory/", True), ("^feature/", False), ("(", True), ("^(a+)+$", True), ("(x|y)" * 200, True),
     (r"^\p{L}+", True), ("^(?i)memory", True)],
)  # fmt: skip
def test_an_expression_that_cannot_be_tried_is_left_to_gitlab(expression: str, admits: bool) -> None:
    assert _admits(expression, "memory/TICKET-1") is admits
