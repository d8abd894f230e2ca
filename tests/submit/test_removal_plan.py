"""The plan of a removal or a restore: names, people, what changes; decided from facts alone."""

from __future__ import annotations

import re
from typing import Any

import pytest

from brain.errors import BrainError
from brain.layout import HARD, SOFT
from brain.memory import render_memory
from brain.submit.plan import branch_of
from brain.submit.push import Heads
from brain.submit.removal import Facts, Reference, Target, Wish, plan_removal
from brain.submit.removal_body import describe_removal, rewriting
from brain.submit.removal_facts import check_reason, plain_id
from brain.submit.texts import WORDS
from brain.value import replace
from tests.submit.team import NOON, QUEUE, RETRY
from tests.submit.test_plan import BASE, TIP, memory

ID = "mem-F003-retry"


def target(path: str, removal: str = SOFT, **fields: Any) -> Target:
    old = memory(path, status="approved", reviewed_by="pm", **fields)
    new = replace(old, removal=removal, removal_reason="old" if removal else "")
    return Target(old, new, render_memory(new), old.sentence)


def facts(*targets: Target, **more: Any) -> Facts:
    people = {"pm": ["pam", "pete"], "tl": ["tom"], "ba": ["bea"]}
    return Facts("99.Memory", Heads("main", BASE, TIP), BASE, targets, None, people, **more)


def test_a_removal_changes_files_in_place() -> None:
    one = target(RETRY)
    plan = plan_removal(facts(one, author="pam"), Wish((ID,), "old", SOFT))
    assert (plan.branch, plan.target, plan.parent, plan.before) == (f"memory/remove-{ID}", "main", BASE, TIP)
    assert plan.title == f"memory(remove-{ID}): \N{MINUS SIGN}1 lesson/dev"
    assert (plan.changes, plan.gone, plan.about, plan.updates) == ({RETRY: one.text}, (), (RETRY,), {RETRY})
    assert (plan.assignee, plan.reviewers, plan.leaving) == ("pete", (), {})


def test_a_restore_moves_a_file() -> None:
    plan = plan_removal(facts(target(QUEUE, "")), Wish(("mem-global-queue",), ""))
    assert (plan.branch, plan.title) == (
        "memory/restore-mem-global-queue",
        "memory(restore-mem-global-queue): +1 decision",
    )
    assert (list(plan.changes), plan.gone, plan.updates) == ([QUEUE], (f"_deprecated/{QUEUE}",), frozenset())
    assert (plan.assignee, plan.reviewers) == ("pam", ("tom",))


def test_several_are_counted_by_kind_and_named_after_the_first() -> None:
    wish = Wish(("mem-F003-noon", ID, "mem-global-queue"), "old", SOFT)
    plan = plan_removal(facts(target(NOON), target(RETRY), target(QUEUE)), wish)
    assert re.fullmatch(r"remove-mem-F003-noon-and-2-more-[0-9a-f]{4}", wish.name)
    assert plan.title == f"memory({wish.name}): \N{MINUS SIGN}2 lesson/dev, \N{MINUS SIGN}1 decision"


def test_names_are_safe_and_no_two_are_the_same() -> None:
    ids = [
        "mem-A-x",
        "mem-A-x.lock",
        "mem-A-a..b",
        "mem-A-a-b",
        "mem-A-" + "x" * 100,
        "mem-A-" + "x" * 101,
        "mem-A-x-and-1-more-0000",
    ]
    branches = [Wish((name,), "r", kind).branch for name in ids for kind in (SOFT, "")]
    branches += [Wish(("mem-A-x", other), "r", SOFT).branch for other in ("mem-A-y", "mem-A-z")]
    branches += [branch_of(name) for name in ("remove-mem-A-x", "restore-mem-A-x", "mem-A-x")]
    assert len({branch.lower() for branch in branches}) == len(branches)
    for branch in branches:
        assert re.fullmatch(r"memory/[A-Za-z0-9._-]{1,90}", branch)
        assert ".." not in branch
        assert not branch.endswith(".lock")
    assert Wish((ID,), "one", SOFT).branch == Wish((ID,), "two", HARD).branch


@pytest.mark.parametrize("language", WORDS)
def test_the_description_names_who_refers_to_it_in_every_language(language: str) -> None:
    hows = ("supersedes", "superseded_by", "replaces", "replaced_by", "rests_on", "names")
    references = tuple(Reference(f"mem-A-{how.replace('_', '-')}", how) for how in hows)
    given = facts(replace(target(RETRY), references=references))
    wish = Wish((ID,), "old", SOFT)
    texts = describe_removal(given, wish, plan_removal(given, wish), language)
    rows = [line for line in texts.description.splitlines() if line.startswith("- ") and "`mem-A-" in line]
    assert len(rows) == len(hows)
    assert all(f"`{ID}`" in row for row in rows)
    assert "{" not in texts.description
    assert WORDS[language]["references_check"] in texts.description


@pytest.mark.parametrize("language", WORDS)
def test_nothing_is_asked_about_what_refers_to_it_where_nothing_does(language: str) -> None:
    given, wish = facts(target(RETRY)), Wish((ID,), "old", SOFT)
    description = describe_removal(given, wish, plan_removal(given, wish), language).description
    assert WORDS[language]["remove_check"] in description
    assert WORDS[language]["references_check"] not in description


def test_the_command_to_rewrite_names_both_places_and_quotes_them() -> None:
    assert rewriting("My Memory", [RETRY]) == (
        f"git filter-repo --invert-paths --path 'My Memory/{RETRY}' --path 'My Memory/_deprecated/{RETRY}'"
    )


def test_a_reason_is_one_line() -> None:
    assert check_reason(" a\r\n\tb \u200b ") == "a b"
    for text in ("", " \u200b", "x" * 201):
        with pytest.raises(BrainError):
            check_reason(text)


@pytest.mark.parametrize(
    "name", [ID, RETRY, f"99.Memory/{RETRY}", f"99.Memory/_deprecated/{RETRY}", f"_deprecated/{RETRY}"]
)
def test_an_id_may_be_given_as_a_path(name: str) -> None:
    assert plain_id(name, "99.Memory") == ID
