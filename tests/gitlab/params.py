"""Parameters as Rack reads them: `ids[]=1&ids[]=2` is a list, `a[b]=c` a dictionary."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any


def nest(pairs: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """Return flat pairs as nested arguments; a repeated plain name keeps its last value."""
    args: dict[str, Any] = {}
    for key, value in pairs:
        name, *keys = re.findall(r"[^\[\]]+|(?<=\[)(?=\])", key) or [key]
        _put(args, name, keys, value)
    return args


def _put(into: dict[str, Any], name: str, keys: list[str], value: str) -> None:
    if not keys:
        into[name] = value
    elif keys[0] == "":
        rows = into.setdefault(name, [])
        if not isinstance(rows, list):
            return
        if len(keys) == 1:
            rows.append(value)
        else:
            if not rows or not isinstance(rows[-1], dict) or keys[1] in rows[-1]:
                rows.append({})
            _put(rows[-1], keys[1], keys[2:], value)
    else:
        inner = into.setdefault(name, {})
        if isinstance(inner, dict):
            _put(inner, keys[0], keys[1:], value)


def merge(args: dict[str, Any], more: dict[str, Any]) -> None:
    """Lay the body's arguments over the query's."""
    args.update(more)
