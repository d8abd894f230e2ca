"""Each term of the formula, alone and at its weight (SPEC §4.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from brain.recall.recall import memory_warnings, recall
from brain.recall.score import Signs, Weights, score_terms, weights_of
from brain.settings import load_config
from tests.support.recall import F3, TODAY, brain_of, ids, memory, terms_of, ticket_of

if TYPE_CHECKING:
    from pathlib import Path

DEV, QA, DOMAIN = (f"{area}/{F3}/a.md" for area in ("01.Lessons/dev", "01.Lessons/qa", "00.Shared/domain"))
FACT, LESSON = "00.Shared/domain/_global/a.md", "01.Lessons/pm/_global/a.md"
NOTHING = dict.fromkeys(
    ("function", "workflow", "tags", "confidence", "decay", "pending", "affinity", "text", "files"), 0.0
)


@pytest.mark.parametrize(
    ("fields", "ticket", "expected"),
    [
        ({"path": DOMAIN}, {"functionId": "F-003"}, {"function": 3.0}),
        ({"path": DOMAIN}, {"functionIds": ["x", "f003_Other"]}, {"function": 3.0}),
        ({"workflows": ("create-spec",)}, {"workflow": "create-spec"}, {"workflow": 2.0, "affinity": 1.0}),
        ({"workflows": ("all",), "tags": ("t",)}, {"workflow": "other", "keywords": ["t"]}, {"workflow": 2.0, "tags": 2.0}),
        ({"tags": ("a", "b", "c")}, {"keywords": ["c", "A", "ｂ", "z"]}, {"tags": 6.0}),
        ({"tags": ("a",), "confidence": 0.65}, {"keywords": ["a"]}, {"tags": 2.0, "confidence": 0.65}),
        ({"tags": ("a",), "created": "2026-03-03"}, {"keywords": ["a"]}, {"tags": 2.0}),
        ({"tags": ("a",), "created": "2026-03-02"}, {"keywords": ["a"]}, {"tags": 2.0, "decay": -1.0}),
        ({"tags": ("a",), "created": "2020-01-01", "hits": 1}, {"keywords": ["a"]}, {"tags": 2.0}),
        ({"path": LESSON, "tags": ("a",)}, {"keywords": ["a"], "workflow": "coding"}, {"tags": 2.0, "affinity": 1.0}),
        ({"path": LESSON, "tags": ("a",)}, {"keywords": ["a"], "workflow": "review"}, {"tags": 2.0, "affinity": 1.0}),
        ({"path": LESSON, "tags": ("a",)}, {"keywords": ["a"], "gate": "Gate 5"}, {"tags": 2.0, "affinity": 1.0}),
        ({"path": LESSON, "tags": ("a",)}, {"keywords": ["a"], "workflow": "create-spec"}, {"tags": 2.0}),
        ({"tags": ("a",)}, {"keywords": ["a"], "workflow": "coding"}, {"tags": 2.0}),
        ({"tags": ("a",)}, {"keywords": ["a"], "workflow": "create-testcase"}, {"tags": 2.0, "affinity": 1.0}),
        ({"path": DEV, "tags": ("a",), "confidence": 0.5, "created": "2020-01-01", "workflows": ("coding",)},
         {"functionId": "F-003", "keywords": ["a"], "workflow": "coding"},
         {"function": 3.0, "workflow": 2.0, "tags": 2.0, "confidence": 0.5, "decay": -1.0, "affinity": 1.0}),
    ],
)  # fmt: skip
def test_each_sign_gives_its_term_and_no_other(
    tmp_path: Path, fields: dict[str, Any], ticket: dict[str, Any], expected: dict[str, float]
) -> None:
    path = fields.pop("path", FACT)
    item = memory(path, **fields)
    assert terms_of(brain_of(tmp_path, [item]), item.id, **ticket) == expected


def test_a_draft_loses_half_a_point_and_is_labelled(tmp_path: Path) -> None:
    draft = memory(FACT, tags=("a",), body="Mine.")
    brain = brain_of(tmp_path, [], drafts=[draft])
    assert terms_of(brain, draft.id, keywords=["a"]) == {"tags": 2.0, "pending": -0.5}
    (item,) = recall(brain, ticket_of(keywords=["a"]), TODAY).chosen
    assert memory_warnings(item.memory, {}) == ["not approved yet (your draft)"]


def test_the_score_is_the_sum_of_its_terms(tmp_path: Path) -> None:
    item = memory(DEV, tags=("a",), confidence=0.123456, created="2020-01-01", workflows=("all",))
    (found,) = recall(
        brain_of(tmp_path, [item]), ticket_of(functionId="F-003", keywords=["a"], workflow="coding"), TODAY
    ).chosen
    assert (found.score, list(found.terms)) == (7.123456, list(NOTHING))


def test_every_term_has_its_own_weight() -> None:
    signs = Signs(
        in_function=True,
        for_workflow=True,
        tags=1,
        confidence=1.0,
        old=True,
        pending=True,
        affinity=True,
        text=1.0,
        files=1.0,
    )
    weights = dict(
        zip(
            ("function", "workflow", "tag", "confidence", "decay", "pending", "affinity", "text", "files"),
            range(1, 10),
            strict=True,
        )
    )
    assert list(score_terms(signs, Weights(**weights)).values()) == [1, 2, 3, 4, -5, -6, 7, 8, 9]
    assert (
        score_terms(
            Signs(
                in_function=False, for_workflow=False, tags=0, confidence=0, old=False, pending=False, affinity=False
            ),
            Weights(),
        )
        == NOTHING
    )


@pytest.mark.parametrize(
    ("team", "state", "env", "expected"),
    [
        ({}, None, {}, Weights()),
        ({"recall": {"scorer": "hybrid"}}, None, {}, Weights(text=8.0, files=4.0, meaning=22.0)),
        ({"recall": {"scorer": "hybrid"}}, None, {"BRAIN_RECALL_SCORER": "rule"}, Weights()),
        ({"weights": {"function": 1, "tag": 0.5, "text": 9}}, None, {}, Weights(function=1.0, tag=0.5)),
        ({"weights": {"workflow": 1, "confidence": 2, "decay": 3, "pending": 4, "affinity": 5}}, None, {},
         Weights(workflow=1.0, confidence=2.0, decay=3.0, pending=4.0, affinity=5.0)),
        ({"recall.scorer": "hybrid", "weights": {"text": 1, "files": 2}}, None, {"BRAIN_WEIGHTS_FILES": "3"},
         Weights(text=1.0, files=3.0, meaning=22.0)),
    ],
)  # fmt: skip
def test_weights_come_from_the_settings_in_force(
    team: dict[str, Any], state: Any, env: dict[str, str], expected: Weights
) -> None:
    assert weights_of(load_config(team, state, env)) == expected


def test_a_weight_of_the_team_changes_the_order(tmp_path: Path) -> None:
    one, two = memory(DOMAIN), memory("00.Shared/domain/F-9/b.md", tags=("a", "b"))
    ticket: dict[str, Any] = {"functionId": "F-003", "keywords": ["a", "b"]}
    assert ids(brain_of(tmp_path, [one, two]), **ticket) == [two.id, one.id]
    assert ids(brain_of(tmp_path, [one, two], settings={"weights": {"tag": 1}}), **ticket) == [one.id, two.id]


def test_the_age_that_counts_as_old_is_a_setting(tmp_path: Path) -> None:
    item = memory(FACT, tags=("a",), created="2026-05-20")
    assert terms_of(brain_of(tmp_path, [item], settings={"recall": {"decayDays": 11}}), item.id, keywords=["a"]) == {
        "tags": 2.0,
        "decay": -1.0,
    }
    assert terms_of(brain_of(tmp_path, [item], settings={"recall": {"decayDays": 12}}), item.id, keywords=["a"]) == {
        "tags": 2.0
    }
    assert terms_of(
        brain_of(tmp_path, [item], settings={"recall": {"decayDays": 10**18}}), item.id, keywords=["a"]
    ) == {"tags": 2.0}


def test_with_profiles_emptied_the_formula_is_the_customers(tmp_path: Path) -> None:
    items = [
        memory(f"{area}/_global/a.md", tags=("a",))
        for area in ("01.Lessons/dev", "01.Lessons/ba", "02.Instincts/approved")
    ]
    items += [memory("00.Shared/decisions/a.md", tags=("a",)), memory("00.Shared/glossary/b.md", tags=("a",))]
    for workflow in ("coding", "review", "create-spec", "create-testcase", "execute-test", "gen-doc", ""):
        brain = brain_of(
            tmp_path,
            items,
            state={
                "memory": {
                    "profiles": {
                        key: []
                        for key in (
                            "coding",
                            "review",
                            "create-spec",
                            "create-testcase",
                            "execute-test",
                            "gen-doc",
                            "unknown",
                        )
                    }
                }
            },
        )
        found = recall(brain, ticket_of(keywords=["a"], workflow=workflow), TODAY, 0).chosen
        leaning = {item.memory.id for item in found if item.terms["affinity"]}
        assert leaning == ({"mem-global-a"} if workflow in ("coding", "review") else set())
        assert sum(item.terms["affinity"] for item in found) == (2.0 if leaning else 0.0)
