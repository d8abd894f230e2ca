"""JSON in and out, as light as a hook needs it.

The package ``json`` compiles four regular expressions when it is imported, which costs two thirds of a bare
interpreter's start. Its C half does the same work without them; where an interpreter has none, the package is used.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, ClassVar

_SPACE = " \t\n\r"


def parse_json(text: str) -> Any:
    """Return what a JSON text holds.

    Raises:
        ValueError: It is no JSON.
        RecursionError: It is nested too deep.
    """
    start = len(text) - len(text.lstrip(_SPACE))
    try:
        found, end = _scan(text, start)
    except (StopIteration, SystemError):  # what it raises would be json's own error, had json been imported
        raise ValueError("no JSON value") from None
    if text[end:].strip(_SPACE):
        raise ValueError(f"more text after the JSON value, at character {end}")
    return found


def render_json(found: Any) -> str:
    """Return ``found`` as one line of JSON in ASCII."""
    return "".join(_encode(found, 0))


try:
    from _json import encode_basestring_ascii, make_encoder, make_scanner
except ImportError:  # another Python than CPython
    import json

    _scan = json.JSONDecoder().raw_decode

    def _encode(found: Any, _level: int) -> tuple[str, ...]:
        return (json.dumps(found),)
else:

    class _Options:
        strict = True
        object_hook = object_pairs_hook = None
        parse_float = float
        parse_int = int
        parse_constant = {"NaN": float("nan"), "Infinity": float("inf"), "-Infinity": float("-inf")}.__getitem__
        memo: ClassVar[dict[str, str]] = {}

    def _refuse(found: Any) -> Any:
        raise TypeError(f"{type(found).__name__} is no JSON value")

    _scan: Callable[[str, int], tuple[Any, int]] = make_scanner(_Options)  # type: ignore[arg-type,no-redef]
    _as_json_gives_them = (None, _refuse, encode_basestring_ascii, None, ": ", ", ", False, False, True)
    _encode: Callable[[Any, int], Iterable[str]] = make_encoder(*_as_json_gives_them)  # type: ignore[no-redef]
