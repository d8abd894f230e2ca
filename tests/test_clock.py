"""Dates without datetime, held against it."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brain.clock import check_date, date_to_ordinal, days_before, now, ordinal_to_date, today
from brain.errors import ConfigError

EPOCH = dt.date(1970, 1, 1)


@given(st.dates())
def test_ordinals_are_the_calendars(date: dt.date) -> None:
    days = (date - EPOCH).days
    assert (date_to_ordinal(date.year, date.month, date.day), ordinal_to_date(days)) == (days, date.isoformat())


@given(st.dates(), st.integers(0, 40_000))
def test_days_before_is_a_subtraction(date: dt.date, days: int) -> None:
    expected = dt.date.fromordinal(max(date.toordinal() - days, 1))
    assert days_before(date.isoformat(), days) == expected.isoformat()


def test_no_setting_is_too_many_days() -> None:
    assert days_before("2026-01-01", 10**30) == "0001-01-01"


@given(
    st.one_of(st.dates().map(str), st.text(max_size=12), st.from_regex(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", fullmatch=True))
)
def test_a_date_is_one_of_the_calendar_or_an_error(text: str) -> None:
    try:
        expected = dt.date.fromisoformat(text[:10]).isoformat() if text[4:5] == "-" else None
    except ValueError:
        expected = None
    try:
        found = check_date(text, "BRAIN_NOW")
    except ConfigError as error:
        found = str(error)
    assert found == (expected or f"BRAIN_NOW: {text!r} is not a date")


def test_today_is_utcs_or_what_the_environment_fixes() -> None:
    assert today({"BRAIN_NOW": "2026-02-03T04:05:06Z"}) == "2026-02-03"
    assert today({}) == today({"BRAIN_NOW": ""}) == dt.datetime.fromtimestamp(now(), dt.UTC).date().isoformat()
    with pytest.raises(ConfigError, match="'soon' is not a date"):
        today({"BRAIN_NOW": "soon"})
