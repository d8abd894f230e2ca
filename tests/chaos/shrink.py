"""Make a list of acts shorter for as long as it fails."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.chaos.acts import Act


def shrink(acts: list[Act], fails: Callable[[list[Act]], bool], seconds: float) -> list[Act]:
    """Return a shorter list that fails too: parts are left out, then kills and faults, until time is up."""
    end = time.monotonic() + seconds
    size = len(acts) // 2
    while size and time.monotonic() < end:
        start = len(acts)
        while start > 0 and time.monotonic() < end:
            start -= size
            fewer = acts[: max(start, 0)] + acts[start + size :]
            if fails(fewer):
                acts = fewer
        size //= 2
    for number in range(len(acts)):
        for without in ({"kill": 0}, {"fault": "", "skip": 0}):
            plain = replace(acts[number], **without)
            if plain != acts[number] and time.monotonic() < end:
                tried = [*acts[:number], plain, *acts[number + 1 :]]
                if fails(tried):
                    acts = tried
    return acts
