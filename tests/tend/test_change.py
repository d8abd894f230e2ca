"""What is proposed for one memory, rule by rule: dates and counts in, values and reasons out."""

from __future__ import annotations

from typing import Any

import pytest

from brain.layout import find_place
from brain.memory import Memory
from brain.settings import load_config
from brain.tend.change import Case, Limits, is_trusted_in_doubt, judge
from brain.tend.counts import Use
from brain.value import replace
from tests.tend.conftest import RETRY

LIMITS = Limits.of(load_config({}, None, {}))
TODAY = "2026-12-01"
"""90 days before is 2026-09-02, 60 days 2026-10-02, 120 days 2026-08-03, 360 days 2025-12-06."""


def case(
    stale: bool | None = None, use: Use | None = None, flagged: str = "", settled: str = "", **fields: Any
) -> Case:
    place = find_place(RETRY)
    assert place
    memory = replace(Memory(place, ("coding",), ("a",), 0.6, "T-1", "approved", 0, "2026-11-01", "Text."), **fields)
    return Case(memory, use or Use(), stale, flagged=flagged, settled=settled)


OLD = {"created": "2026-09-01", "settled": "2026-09-01"}


@pytest.mark.parametrize(
    ("known", "values", "reasons"),
    [
        (case(), {}, ()),
        (case(use=Use(3)), {"hits": 3}, ("hits",)),
        (case(use=Use(3), hits=4), {}, ()),  # a machine is missing: hits never fall
        (case(True), {"stale": True}, ("flagged",)),
        (case(False), {}, ()),
        (case(None), {}, ()),
    ],
)
def test_counts_and_flags(known: Case, values: dict[str, Any], reasons: tuple[str, ...]) -> None:
    found = judge(known, LIMITS, TODAY)
    assert (found.values, found.reasons) == (values, reasons)


@pytest.mark.parametrize(("answer", "values"), [(False, {"stale": False}), (True, {}), (None, {})])
def test_a_flag_goes_only_when_all_refs_are_known_to_be_fresh(answer: bool | None, values: dict[str, Any]) -> None:
    known = case(answer)
    flagged = replace(known, memory=replace(known.memory, stale=True), flagged="2026-11-20")
    assert judge(flagged, LIMITS, TODAY).values == values


@pytest.mark.parametrize(
    ("fields", "fate", "confidence"),
    [
        ({**OLD}, "faded", 0.45),
        ({**OLD, "created": "2026-09-02"}, "", None),  # 90 days to the day are not past
        ({**OLD, "settled": "2026-09-03"}, "", None),  # it lost some lately
        ({**OLD, "use": Use(1, 1, "2026-09-10")}, "", None),
        ({**OLD, "use": Use(1, 1, "2025-12-05"), "created": "2025-01-01"}, "faded", 0.45),  # a year without use
        ({**OLD, "confidence": 0.3}, "faded", 0.15),
        ({**OLD, "confidence": 0.29}, "unused", None),
        ({**OLD, "confidence": 0.29, "settled": "2026-11-03"}, "", None),  # it fell below less than four weeks ago
        ({**OLD, "confidence": 0.29, "settled": "2026-11-02"}, "unused", None),
        ({**OLD, "confidence": 0.29, "review_by": "2026-12-02"}, "", None),
        ({**OLD, "review_by": "2026-12-01"}, "faded", 0.45),
    ],
)
def test_what_nobody_uses_gets_less_sure_and_then_may_go(
    fields: dict[str, Any], fate: str, confidence: float | None
) -> None:
    found = judge(case(**fields), LIMITS, TODAY)
    assert [reason for reason in found.reasons if reason != "hits"] == ([fate] if fate else [])
    assert found.values.get("confidence") == confidence
    assert found.is_removal == (fate == "unused")


def stale_case(**fields: Any) -> Case:
    flagged = fields.pop("flagged", "2026-10-01")
    known = case(True, flagged=flagged, **fields)
    return replace(known, memory=replace(known.memory, stale=True))


@pytest.mark.parametrize(
    ("known", "fate"),
    [
        (stale_case(flagged="2026-10-02", settled="2026-01-01"), ""),  # 60 days to the day
        (stale_case(settled="2026-01-01"), "doubted"),
        (stale_case(settled="2026-10-01"), "doubted"),
        (stale_case(settled="2026-10-02"), ""),  # once is enough until R2
        (stale_case(flagged="2026-08-02", settled="2026-10-05"), "unverified"),
        (stale_case(flagged="2026-08-02", settled="2026-11-03"), ""),
        (stale_case(flagged="2026-08-02", settled="2026-10-05", use=Use(1, 1, "2026-08-03")), ""),  # it is used
        (replace(stale_case(flagged="2026-08-02", settled="2026-10-05"), stale=False), "cleared"),
    ],
)
def test_what_is_stale_for_long_gets_less_sure_once_and_then_may_go(known: Case, fate: str) -> None:
    found = judge(known, LIMITS, TODAY)
    assert [reason for reason in found.reasons if reason != "hits"] == ([fate] if fate else [])
    if fate == "doubted":
        assert found.values == {"confidence": 0.4}


def test_stale_and_used_is_said_to_be_verified_first() -> None:
    known = stale_case(use=Use(2, 2, "2026-11-15"), settled="2026-10-05")
    assert is_trusted_in_doubt(known, LIMITS, TODAY)
    assert not is_trusted_in_doubt(replace(known, use=Use(2, 2, "2026-09-30")), LIMITS, TODAY)
    assert not is_trusted_in_doubt(replace(known, flagged="2026-10-10"), LIMITS, TODAY)


def test_confidence_never_falls_below_nothing() -> None:
    assert judge(stale_case(settled="2026-01-01", confidence=0.1), LIMITS, TODAY).values == {"confidence": 0.0}
    assert not judge(stale_case(settled="2026-01-01", confidence=0.0), LIMITS, TODAY).values
