from __future__ import annotations

import pytest

from brain.lint.team import Team
from tests.lint.support import at, lint, memory, names


@pytest.mark.parametrize(
    ("fields", "name", "line", "column"),
    [
        ({"source": None}, "field-missing", 15, 1),
        ({"source": ""}, "field-missing", 8, 8),
        ({"source": "~"}, "field-missing", 8, 9),
        ({"source": '"   "'}, "field-missing", 8, 9),
        ({"workflows": "[]"}, "field-missing", 4, 12),
        ({"tags": "#orders"}, "field-missing", 5, 6),
        ({"source": "yes"}, "field-type", 8, 9),
        ({"source": "12:30:45"}, "field-type", 8, 9),
        ({"tags": "[no, on]"}, "field-type", 5, 7),
        ({"tags": "orders, batch"}, "field-type", 5, 7),
        ({"tags": "[orders, ~]"}, "field-type", 5, 7),
        ({"tags": "[1.10]"}, "field-type", 5, 7),
        ({"confidence": "0,6"}, "field-type", 7, 13),
        ({"confidence": '"0.8"'}, "field-type", 7, 13),
        ({"confidence": "8e-1"}, "field-type", 7, 13),
        ({"confidence": "０．８"}, "field-type", 7, 13),
        ({"hits": "1.5"}, "field-type", 10, 7),
        ({"stale": "yes"}, "field-type", 15, 8),
        ({"stale": '"false"'}, "field-type", 15, 8),
        ({"verified_commit": "1" * 40}, "field-type", 14, 18),
        ({"scope": "[F-002_Order]"}, "field-type", 6, 8),
        ({"status": "published"}, "field-value", 9, 9),
        ({"hits": "-1"}, "field-value", 10, 7),
        ({"verified_commit": "4b825dc"}, "field-value", 14, 18),
        ({"verified_commit": "main"}, "field-value", 14, 18),
        ({"source": "|\n  one\n  two"}, "field-has-newline", 8, 9),
        ({"source": '"Stock\\nexport"'}, "field-has-newline", 8, 9),
        ({"source": "Stock " * 40}, "field-too-long", 8, 9),
        ({"id": "mem-F002-X"}, "id-format", 2, 5),
        ({"id": "mem-F002-../x"}, "id-format", 2, 5),
        ({"id": "m\u0435m-F002-x"}, "id-format", 2, 5),
        ({"id": "mem-F003-x"}, "id-not-path", 2, 5),
        ({"type": "opinion"}, "type-unknown", 3, 7),
        ({"type": "lesson"}, "type-not-area", 3, 7),
        ({"scope": "global"}, "scope-not-folder", 6, 8),
        ({"scope": "f-002_order"}, "scope-not-folder", 6, 8),
        ({"tags": "[Orders]"}, "tag-format", 5, 7),
        ({"tags": "[stock export]"}, "tag-format", 5, 7),
        ({"tags": "[đơn-ha\u0300ng]"}, "tag-format", 5, 7),
        ({"tags": "[" + ", ".join(f"t{n}" for n in range(13)) + "]"}, "tags-too-many", 5, 7),
        ({"confidence": "1.5"}, "confidence-range", 7, 13),
        ({"confidence": ".nan"}, "confidence-range", 7, 13),
        ({"created": "2026-02-30"}, "date-format", 11, 10),
        ({"created": "2026-13-01"}, "date-format", 11, 10),
        ({"created": "04/01/2026"}, "date-format", 11, 10),
        ({"created": "２０２６-０４-０１"}, "date-format", 11, 10),
        ({"created": "2999-01-01"}, "date-in-future", 11, 10),
        ({"status": "approved"}, "approved-without-reviewer", 9, 9),
        ({"status": "deprecated"}, "deprecated-in-force", 9, 9),
        ({"aliases": "[" + ", ".join(f"w{n}" for n in range(13)) + "]"}, "aliases-too-many", 16, 10),
        ({"hook": " ".join(["word"] * 16)}, "hook-too-long", 16, 7),
        ({"hook": "'x](http://evil.example.invalid) [y'"}, "hook-markup", 16, 7),
    ],
)
def test_values_that_block(fields: dict[str, str | None], name: str, line: int, column: int) -> None:
    assert (line, column, "error") in at(lint(memory(**fields)), name)


@pytest.mark.parametrize(
    ("fields", "name", "line"),
    [
        ({"confidense": "0.9"}, "field-unknown", 16),
        ({"workflows": "[codign]"}, "workflow-unknown", 4),
        ({"tags": "[受注]"}, "tag-not-ascii", 5),
        ({"tags": "[]"}, "tags-empty", 5),
        ({"tags": "[orders, orders]"}, "tags-duplicate", 5),
        ({"confidence": "0"}, "confidence-zero", 7),
        ({"confidence": "0.8000000000000000444"}, "confidence-precision", 7),
        ({"created": "1970-01-01"}, "date-implausible", 11),
        ({"review_by": "9999-12-31"}, "review-too-far", 16),
        ({"created": '"2026-04-01"'}, "date-quoted", 11),
        ({"verified_commit": '""'}, "refs-not-verified", 14),
    ],
)
def test_values_that_only_warn(fields: dict[str, str | None], name: str, line: int) -> None:
    assert [(found.rule.name, found.line, found.severity) for found in lint(memory(**fields))] == [
        (name, line, "warning")
    ]


@pytest.mark.parametrize(
    "fields",
    [
        {"confidence": "1"}, {"refs": None, "verified_commit": '""'}, {"hook": '"Export before the books close"'},
        {"workflows": "[all]"}, {"created": "2026-12-01"}, {"verified_commit": "'" + "1" * 40 + "'"},
        {"scope": '"F-002_Order"'}, {"status": "approved", "reviewed_by": "pm"}, {"owner": "ada", "review_by": "2027-01-01"},
    ],
)  # fmt: skip
def test_values_that_are_fine(fields: dict[str, str | None]) -> None:
    assert lint(memory(**fields)) == []


def test_keys_out_of_order_warn_once() -> None:
    text = memory().replace("id: mem-F002-x\ntype: fact\n", "type: fact\nid: mem-F002-x\n")
    assert at(lint(text), "key-order") == [(2, 1, "warning")]


def test_an_unknown_key_is_told_the_nearest() -> None:
    assert [found.mend for found in lint(memory(confidense="1")) if found.rule.name == "field-unknown"] == [
        "did you mean confidence?"
    ]


def test_the_teams_own_workflows_are_known() -> None:
    assert names(lint(memory(workflows="[deploy]"), team=Team(workflows=frozenset(("deploy",))))) == set()


def test_a_flat_area_may_name_a_function_as_scope() -> None:
    path = "99.Memory/00.Shared/decisions/x.md"
    assert lint(memory(id="mem-global-x", type="decision", scope="F-002_Order"), path) == []
