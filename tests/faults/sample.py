"""How much of the matrix is run: every try, or one in so many, always the same ones."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

T = TypeVar("T")
VARIABLE = "BRAIN_FAULTS"
"""One in this many tries is run; unset, as few as the default test run can bear."""
ASKED = int(os.environ.get(VARIABLE) or 0)
WHOLE = ASKED > 0


def sampled(tries: Iterable[T], few: int) -> Iterator[T]:
    """Yield one in so many tries: as asked for, else one in ``few``; the first among them."""
    for number, one in enumerate(tries):
        if number % (ASKED or few) == 0:
            yield one


def told(name: str, tried: int, survived: int) -> None:
    """Say how it went, in the form that ``python -m tests.faults`` reads, and fail where something did not survive."""
    print(f"{name}: {tried} tried, {survived} survived")
    assert survived == tried > 0
