"""The files sign: what share of the ticket's files a memory's refs cover (SPEC §4.2). Pure.

Globs match as git's pathspecs do (``wildmatch.c``): ``*`` and ``?`` take a slash too. The module ``fnmatch`` compiles
regular expressions, which a hook has no time for.
"""

from __future__ import annotations

from brain.stale.refs import GLOB_SIGNS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from typing import TypeAlias

    from brain.index.segment import Segment

    Token: TypeAlias = tuple[bool, list[tuple[str, str]]]
    """One character: whether it must lie outside of these ranges, and they."""

STAR: Token = (False, [])
ANY: Token = (True, [])


def share_files(
    segment: Segment, dead: Collection[int], files: Sequence[str], prefixes: Sequence[str]
) -> dict[int, float]:
    """Return the share of ``files`` that each living memory's refs cover: by name, by folder, by pattern.

    ``prefixes`` are what refs into the repo of these files may begin with.
    """
    counts: dict[int, int] = {}
    patterns = segment.header["globs"] if files else ()
    globs = [(ref, ref[len(prefix) :]) for ref in patterns for prefix in prefixes if ref.startswith(prefix)]
    heads = [_literal_head(pattern) for _, pattern in globs]
    for file in files:
        parts = file.split("/")
        covering = {prefix + "/".join(parts[:depth]) for prefix in prefixes for depth in range(1, len(parts) + 1)}
        near = (glob for glob, head in zip(globs, heads, strict=True) if file.startswith(head))
        covering.update(ref for ref, pattern in near if is_match(file, pattern))
        for number in {number for ref in covering for number in segment.postings(f"ref:{ref}")}.difference(dead):
            counts[number] = counts.get(number, 0) + 1
    return {number: count / len(files) for number, count in counts.items()}


def _literal_head(pattern: str) -> str:
    return pattern[: min((at for at in map(pattern.find, GLOB_SIGNS) if at >= 0), default=len(pattern))]


def is_match(path: str, pattern: str) -> bool:
    """Say whether a pattern matches the whole of ``path``; one with an open bracket matches nothing.

    >>> is_match("src/pay/db/x.sql", "src/*/[!a]*.sql")
    True
    """
    tokens = _parse(pattern)
    if tokens is None:
        return False
    at = next_ = resume = 0
    star = -1
    while at < len(path):
        token = tokens[next_] if next_ < len(tokens) else None
        if token is STAR:
            star, resume = next_, at
            next_ += 1
        elif token and _fits(path[at], token):
            at += 1
            next_ += 1
        elif star >= 0:  # let the last star take one character more
            resume += 1
            at, next_ = resume, star + 1
        else:
            return False
    return all(token is STAR for token in tokens[next_:])


def _fits(character: str, token: Token) -> bool:
    outside, ranges = token
    return outside != any(first <= character <= last for first, last in ranges)


def _parse(pattern: str) -> list[Token] | None:
    """Return the tokens of a pattern, None where a bracket stays open or a backslash escapes nothing."""
    tokens: list[Token] = []
    at = 0
    while at < len(pattern):
        sign = pattern[at]
        at += 1
        if sign == "[":
            found = _parse_class(pattern, at)
            if found is None:
                return None
            token, at = found
        elif sign in "*?":
            token = STAR if sign == "*" else ANY
        else:
            if sign == "\\":
                sign = pattern[at : at + 1]
                at += 1
            token = (False, [(sign, sign)])
        if token == (False, [("", "")]):
            return None
        tokens.append(token)
    return tokens


def _parse_class(pattern: str, at: int) -> tuple[Token, int] | None:
    """Return the token of a bracket whose inside begins at ``at``, and where the pattern goes on; None: it is open."""
    outside = pattern[at : at + 1] in ("!", "^")
    at += outside
    first, ranges = at, list[tuple[str, str]]()
    while at < len(pattern):
        sign = pattern[at]
        if sign == "]" and at > first:
            return (outside, ranges), at + 1
        at += 1
        if sign == "\\":
            sign, at = pattern[at : at + 1], at + 1
        last = sign
        if pattern[at : at + 1] == "-" and pattern[at + 1 : at + 2] not in ("", "]"):
            at += 1 + (pattern[at + 1] == "\\")
            last, at = pattern[at : at + 1], at + 1
        ranges.append((sign, last))
    return None
