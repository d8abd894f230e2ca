"""Which language a page is in: what the visitor chose, else what the browser asks for, else English."""

from __future__ import annotations

LANGUAGES = {"vi": "Tiếng Việt", "en": "English", "ja": "日本語"}
"""Code → its own name, in the order of the switch."""
DEFAULT = "en"
MOST_ASKED = 20
"""Languages of a request that are looked at."""


def choose_language(chosen: str, kept: str, accepted: str) -> str:
    """Return the page's language: the link that was followed, then the cookie, then the Accept-Language header.

    >>> choose_language("", "", "fr;q=0.9, ja-JP;q=0.8, vi;q=0.1")
    'ja'
    """
    for wanted in (chosen, kept, *_accepted(accepted)):
        code = wanted.strip().lower().partition("-")[0]
        if code in LANGUAGES:
            return code
    return DEFAULT


def _accepted(header: str) -> list[str]:
    """Return the languages of an Accept-Language header, the most wanted first; what is weighed 0 is not wanted."""
    rows = []
    for part in header.split(",")[:MOST_ASKED]:
        name, _, weight = part.partition(";")
        wanted = _number(weight.strip().removeprefix("q="))
        if wanted > 0:
            rows.append((-wanted, name))
    return [name for _, name in sorted(rows, key=lambda row: row[0])]


def _number(text: str) -> float:
    try:
        return float(text or 1)
    except ValueError:
        return 0.0
