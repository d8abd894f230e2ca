"""The small language of `rules:if`: variables, strings, null, ==, !=, =~, !~, &&, ||, parentheses."""

from __future__ import annotations

import re

TOKEN = re.compile(r"""\s*(?:(?P<op>&&|\|\||==|!=|=~|!~|\(|\))|\$(?:\{(?P<braced>\w+)\}|(?P<var>\w+))|
    "(?P<double>[^"]*)"|'(?P<single>[^']*)'|/(?P<regex>(?:\\.|[^/\\])*)/(?P<flags>[ismU]*)|(?P<null>null))""", re.VERBOSE)  # fmt: skip

Token = tuple[str, str | None]


def evaluate(text: str, variables: dict[str, str]) -> bool:
    """Return whether an expression holds; a malformed one does not."""
    try:
        tokens = _tokens(text, variables)
        value, rest = _either(tokens)
    except (IndexError, ValueError):
        return False
    return bool(value) and not rest


def _tokens(text: str, variables: dict[str, str]) -> list[Token]:
    found: list[Token] = []
    position, text = 0, text.strip()
    while position < len(text):
        match = TOKEN.match(text, position)
        if match is None:
            raise ValueError(text)
        position = match.end()
        kind = match.lastgroup
        if match["op"]:
            found.append(("op", match["op"]))
        elif match["regex"] is not None:
            found.append(
                ("regex", f"(?{'i' if 'i' in match['flags'] else ''})" * ("i" in match["flags"]) + match["regex"])
            )
        elif kind in {"braced", "var"}:
            found.append(("value", variables.get(match["braced"] or match["var"])))
        else:
            found.append(("value", match["double"] if match["double"] is not None else match["single"]))
    return found


def _either(tokens: list[Token]) -> tuple[object, list[Token]]:
    value, rest = _both(tokens)
    while rest and rest[0] == ("op", "||"):
        right, rest = _both(rest[1:])
        value = value or right
    return value, rest


def _both(tokens: list[Token]) -> tuple[object, list[Token]]:
    value, rest = _compared(tokens)
    while rest and rest[0] == ("op", "&&"):
        right, rest = _compared(rest[1:])
        value = value and right
    return value, rest


def _compared(tokens: list[Token]) -> tuple[object, list[Token]]:
    if tokens[0] == ("op", "("):
        value, rest = _either(tokens[1:])
        if rest[0] != ("op", ")"):
            raise ValueError("no )")
        return value, rest[1:]
    left, rest = tokens[0][1], tokens[1:]
    if rest and rest[0][0] == "op" and rest[0][1] in {"==", "!=", "=~", "!~"}:
        sign, (kind, right), rest = rest[0][1], rest[1], rest[2:]
        if sign in {"==", "!="}:
            return (left == right) == (sign == "=="), rest
        pattern = (right or "").strip("/") if kind == "value" else right or ""
        return (re.search(pattern, left or "") is not None) == (sign == "=~"), rest
    return left, rest
