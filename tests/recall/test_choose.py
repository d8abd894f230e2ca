"""How many memories, and which, by the kind and size of the ticket (SPEC §4.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from brain.recall.choose import Appetite, appetite_of, choose
from brain.settings import load_config
from tests.support.recall import F3, brain_of, ids, memory, ticket_of

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("ticket", "expected"),
    [
        ({}, Appetite(10)),
        ({"functionIds": ["F-1"], "functionId": "F-1"}, Appetite(10)),
        ({"functionIds": ["F-1", "F-1_Orders", "f1"]}, Appetite(10)),
        ({"functionIds": ["F-1", "F-2"]}, Appetite(15)),
        ({"description": "x" * 800}, Appetite(10)),
        ({"description": "x" * 801}, Appetite(15)),
        ({"kind": "large"}, Appetite(15)),
        ({"kind": "Epic"}, Appetite(15)),
        ({"kind": "task"}, Appetite(10)),
        ({"kind": "hotfix"}, Appetite(5, own_lessons_first=True)),
        (
            {"kind": "hotfix", "description": "x" * 900, "functionIds": ["F-1", "F-2"]},
            Appetite(5, own_lessons_first=True),
        ),
        ({"kind": "bug"}, Appetite(10, all_own_lessons=True)),
        ({"kind": "bugfix", "functionIds": ["F-1", "F-2"]}, Appetite(15, all_own_lessons=True)),
    ],
)
def test_a_tickets_kind_and_size_say_how_many(ticket: dict[str, Any], expected: Appetite) -> None:
    assert appetite_of(ticket_of(**ticket), load_config({}, None, {})) == expected


def test_the_numbers_are_settings() -> None:
    team = {"memory": {"topN": 3, "topNLarge": 4, "topNHotfix": 2}, "recall": {"largeDescription": 5}}
    config = load_config(team, {"memory": {"topNHotfix": 1}}, {"BRAIN_MEMORY_TOP_N": "7"})
    limits = [
        appetite_of(ticket_of(**ticket), config).limit for ticket in ({}, {"description": "123456"}, {"kind": "hotfix"})
    ]
    assert limits == [7, 7, 1]  # a large ticket never gets less than an ordinary one


@pytest.mark.parametrize(
    ("appetite", "chosen", "left"),
    [
        (Appetite(2), "aB", "CdE"),
        (Appetite(0), "aBCdE", ""),
        (Appetite(9), "aBCdE", ""),
        (Appetite(2, own_lessons_first=True), "BC", "Ead"),
        (Appetite(4, own_lessons_first=True), "BCEa", "d"),
        (Appetite(2, all_own_lessons=True), "aBCE", "d"),
        (Appetite(0, all_own_lessons=True), "aBCdE", ""),
    ],
)
def test_own_lessons_come_first_or_beyond(appetite: Appetite, chosen: str, left: str) -> None:
    ranked = "aBCdE"
    assert choose(ranked, [letter.isupper() for letter in ranked], appetite) == (list(chosen), list(left))


@pytest.fixture
def store() -> list[Any]:
    """Return twelve strong facts, and 20 weak lessons of F-003 in two roles."""
    facts = [memory(f"00.Shared/domain/_global/f{n:02}.md", tags=("a", "b", "c"), confidence=1.0) for n in range(30)]
    lessons = [memory(f"01.Lessons/{role}/{F3}/l{n:02}.md") for role in ("dev", "pm") for n in range(10)]
    return facts + [memory(f"01.Lessons/dev/F-9/x{n}.md", tags=("a",)) for n in range(3)] + lessons


@pytest.mark.parametrize(
    ("ticket", "facts", "own"),
    [
        ({}, 10, 0),
        ({"kind": "large"}, 15, 0),
        ({"kind": "hotfix"}, 0, 5),
        ({"kind": "bugfix"}, 10, 20),
        ({"kind": "bugfix", "description": "y" * 801}, 15, 20),
    ],
)
def test_a_whole_recall_gives_so_many(
    tmp_path: Path, store: list[Any], ticket: dict[str, Any], facts: int, own: int
) -> None:
    found = ids(brain_of(tmp_path, store), functionId="F-003", keywords=["a", "b", "c"], **ticket)
    assert (
        len([name for name in found if "-f" in name]),
        len([name for name in found if "-l" in name]),
        len(found),
    ) == (facts, own, facts + own)


def test_a_hotfix_without_own_lessons_gets_the_five_best(tmp_path: Path, store: list[Any]) -> None:
    assert ids(brain_of(tmp_path, store), keywords=["a", "b", "c"], kind="hotfix") == [
        f"mem-global-f0{n}" for n in range(5)
    ]


def test_a_limit_stands_in_for_the_tickets_number(tmp_path: Path, store: list[Any]) -> None:
    brain = brain_of(tmp_path, store)
    assert len(ids(brain, 3, keywords=["a", "b", "c"], kind="large")) == 3
    assert len(ids(brain, 0, keywords=["a", "b", "c"])) == 33
    assert len(ids(brain, 3, functionId="F-003", keywords=["a", "b", "c"], kind="bugfix")) == 23


def test_the_defaults_are_the_specifications() -> None:
    config = load_config({}, None, {})
    names = (
        "memory.topN",
        "memory.topNLarge",
        "memory.topNHotfix",
        "memory.injectBudget",
        "memory.indexBudget",
        "memory.contextShare",
        "recall.largeDescription",
        "recall.decayDays",
        "recall.scorer",
    )
    assert [config[name] for name in names] == [10, 15, 5, 2000, 1500, 0.05, 800, 90, "rule"]
