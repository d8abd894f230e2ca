"""The one reader of the clock."""

from __future__ import annotations

import time

from brain.errors import ConfigError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

DAY = 86400
"""Seconds."""


def today(env: Mapping[str, str]) -> str:
    """Return today's date in UTC as ``YYYY-MM-DD``; ``BRAIN_NOW`` fixes it (tests, evaluation)."""
    return (
        check_date(env["BRAIN_NOW"], "BRAIN_NOW") if env.get("BRAIN_NOW") else time.strftime("%Y-%m-%d", time.gmtime())
    )


def now() -> float:
    """Return seconds since 1970."""
    return time.time()


def check_date(text: str, source: str) -> str:
    """Return ``text`` if it begins with a real ``YYYY-MM-DD`` date, cut to that; raise ConfigError otherwise."""
    date = text[:10]
    digits = date[:4] + date[5:7] + date[8:]
    # strptime would do, at 4 ms of a hook's start for the locale and calendar modules
    shaped = len(date) == 10 and date[4] == date[7] == "-" and digits.isascii() and digits.isdigit()
    if shaped and ordinal_to_date(ordinal_of(date)) == date:
        return date
    raise ConfigError(source, "", f"{text!r} is not a date", "write YYYY-MM-DD")


def days_before(date: str, days: int) -> str:
    """Return the ISO date ``days`` days before ``date``; none is before the year 1.

    >>> days_before("2026-03-01", 1)
    '2026-02-28'
    """
    return ordinal_to_date(max(ordinal_of(date) - days, ordinal_of("0001-01-01")))


def ordinal_of(date: str) -> int:
    """Return days since 1970-01-01 of an ISO date."""
    return date_to_ordinal(*map(int, date.split("-")))


def date_to_ordinal(year: int, month: int, day: int) -> int:
    """Return days since 1970-01-01 of a proleptic Gregorian date (Hinnant's days_from_civil)."""
    year -= month <= 2
    era = year // 400
    of_era = year - era * 400
    of_year = (153 * (month + (-3 if month > 2 else 9)) + 2) // 5 + day - 1
    return era * 146097 + of_era * 365 + of_era // 4 - of_era // 100 + of_year - 719468


def ordinal_to_date(days: int) -> str:
    """Return the ISO date of days since 1970-01-01."""
    year, month, day = time.gmtime(days * DAY)[:3]
    return f"{year:04}-{month:02}-{day:02}"
