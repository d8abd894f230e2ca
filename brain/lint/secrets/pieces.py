"""Tokens in pieces: cut over two cells, lines, items of a list, or strings that a program joins."""

from __future__ import annotations

from itertools import zip_longest

from brain.lint.pattern import Pattern
from brain.lint.secrets.shapes import is_gibberish
from brain.lint.secrets.tokens import is_token
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterable, Iterator

    from brain.lint.secrets.tokens import Row

FRAGMENT = Pattern(r"[A-Za-z0-9_./+=~-]++")
JOINT = Pattern(
    r"[^A-Za-z0-9\n]{0,12}(?:\n[^A-Za-z0-9]{0,8}(?:[0-9]{1,2}[.)][^A-Za-z0-9\n]{0,4})?"
    r"(?:[A-Za-z_]{1,12}[0-9]{0,2} ?[:=][^A-Za-z0-9\n]{0,4})?)?"
    r"(?:[A-Za-z]{1,4}[0-9]{1,2} ?[:=] ?|\(?[0-9]{1,2}/[0-9]{1,2}\)? ?)?(?:[fFrRbBuU](?=[\"']))?[\"'`]?"
)
"""What joins two pieces and says nothing: signs, a line break, an item's number or short name."""
LADDER = Pattern(
    r"(?m)(?:^[^\w\n]{0,6}(?:[0-9]{1,2}[.)] )?[^\w\n]{0,3}[A-Za-z0-9_.+/=-]{1,40}[^\w\n]{0,4}(?:\n|\Z)){3,}+",
)
STEP = Pattern(r"(?m)^[^\w\n]{0,6}?(?:[0-9]{1,2}[.)] )?[^\w\n-]{0,3}([A-Za-z0-9_.+/=-]{1,40})")
"""Lines of one short piece each, and the piece of one."""
WORDS = Pattern(r"[^\n]{1,40}?(?<![A-Za-z0-9])(?=[A-Za-z]{0,12}[0-9])")
"""Words between two pieces: ``first half …, second half …``."""
TABLE = Pattern(r"(?m)(?:^[ \t>]{0,8}\|[^\n]{1,400}\n?){2,60}", "|")
CELL = Pattern(r"(?=[^\n]{0,40}[A-Za-z0-9])[A-Za-z0-9_.+/=-]{4,40}")
LEAST_TOKEN = 16
"""A table, a cell that may hold a piece, and characters from which pieces may be a token."""
LISTED = Pattern(r"(?<=[A-Za-z0-9_-])([\"'])[ \t]{0,4},[ \t]{0,4}(?:\n[ \t]{0,40})?\1(?=[A-Za-z0-9_-])", '",', "',")
CONCATENATED = Pattern(
    r"(?<=[A-Za-z0-9_-])([\"'])[ \t]{0,4}(?:[+.&~]|\|\||<>|\\)?[ \t]{0,4}(?:\n[ \t]{0,40})?(?:[+.&][ \t]{0,4})?"
    r"[fFrRbBuU$]?\1(?=[A-Za-z0-9_-])",
)
"""Between two strings that a program joins, with the quotes."""
WINDOW, MOST_PIECES, MOST_STARTS = 400, 8, 200
PARTS = "./-~"
CUT_SHORT = ("...", "…")


@value
class Cut:
    """A token in pieces: where it begins and ends, its kind, and whether signs alone stand between the pieces."""

    start: int
    end: int
    kind: str
    certain: bool


def find_cut(text: str, rows: Iterable[tuple[str, Row]], found: Iterable[tuple[int, int]]) -> Iterator[Cut]:
    """Yield the tokens whose beginning stands in ``text`` and whose rest stands apart from it.

    Args:
        text: Folded text.
        rows: The hints that stand in it, with kind and pattern.
        found: The spans of tokens that are whole.
    """
    whole = list(found)
    for hint, (kind, pattern) in rows:
        if len(hint) < 3:
            continue
        at, left = text.find(hint), MOST_STARTS
        while at >= 0 and left:
            left -= 1
            if not any(start <= at < end for start, end in whole):
                cut = _follow(text[at : at + WINDOW], hint, pattern)
                if cut:
                    yield Cut(at, at + cut[0], kind, cut[1])
            at = text.find(hint, at + 1)


def _follow(window: str, hint: str, pattern: Pattern) -> tuple[int, bool] | None:
    """Return the end of a token that begins a window and goes on in other pieces, and whether that is certain."""
    first = FRAGMENT.compiled.match(window)
    if first is None or (len(first[0]) > len(hint) and not _may_begin(first[0][len(hint) :])):
        return None
    if _is_parted(first[0], hint, pattern):
        return first.end(), True
    joined, end, certain = first[0].rstrip("="), first.end(), True
    for _ in range(MOST_PIECES):
        if window[end - 3 : end] == "..." or window.startswith(CUT_SHORT, end):
            return None
        joint = JOINT.compiled.match(window, end)
        piece = FRAGMENT.compiled.match(window, joint.end()) if joint else None
        if piece is None or not _is_random(piece[0]):
            words = WORDS.compiled.match(window, end) if certain else None
            piece = FRAGMENT.compiled.match(window, words.end()) if words else None
            if piece is None or not _is_random(piece[0]):
                return None
            certain = False
        joined += piece[0].rstrip(".,=")
        end = piece.end()
        match = pattern.compiled.search(joined)
        if match and match.end() > len(joined) - len(piece[0]) and is_token(match[0], pattern):
            return end, certain
    return None


def _is_parted(fragment: str, hint: str, pattern: Pattern) -> bool:
    """Say whether a fragment is a token once one sign within it is left out: ``glpat-Ab12.Cd34.…``."""
    for sign in PARTS:
        bare = hint + fragment[len(hint) :].strip(PARTS).replace(sign, "")
        match = pattern.compiled.search(bare) if sign in fragment[len(hint) :] else None
        if match and match.end() == len(bare) and is_token(match[0], pattern):
            return True
    return False


def _may_begin(piece: str) -> bool:
    """Say whether a token may begin so: what is too short to tell is no word in small letters."""
    return (len(piece) < 4 and not piece.islower()) or _is_random(piece)


def _is_random(piece: str) -> bool:
    """Say whether a piece is no word: letters and digits, or letters of no language."""
    bare = piece.strip("./-_=")
    if len(bare) < 4 or bare.isdigit():
        return False
    if any(map(str.isdigit, bare)):
        return any(map(str.isalpha, bare))
    return len(bare) > 7 and not (bare.islower() or bare.istitle()) and is_gibberish(bare)


def ladders(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield where lines of one short piece each stand, and what the pieces make together."""
    for match in LADDER.finditer(text):
        yield match.start(), match.end(), "".join(step[1] for step in STEP.finditer(match[0]))


def columns(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield where a table stands, and what the cells of one of its columns, or all of them, make together."""
    for table in TABLE.finditer(text):
        rows = [[cell.strip(" `*") for cell in line.strip(" |").split("|")] for line in table[0].split("\n")]
        rows = [[cell if CELL.fullmatch(cell) else "" for cell in row] for row in rows]
        made = ["".join(column) for column in zip_longest(*rows, fillvalue="")]
        for whole in (*made, "".join("".join(row) for row in rows)):
            if len(whole) > LEAST_TOKEN:
                yield table.start(), table.end(), whole


def joined(text: str, joint: Pattern, put: Callable[[re.Match[str]], str] | None = None) -> tuple[str, list[int]]:
    """Return ``text`` without its joints, and the offset of each character; "" where there are none.

    ``put`` gives what stands in a joint's place, where that begins.
    """
    pieces: list[str] = []
    offsets: list[int] = []
    at = 0
    for match in joint.finditer(text):
        pieces.append(text[at : match.start()])
        offsets += range(at, match.start())
        if put:
            pieces.append(put(match))
            offsets += [match.start()] * len(pieces[-1])
        at = match.end()
    if not at:
        return "", []
    return "".join((*pieces, text[at:])), [*offsets, *range(at, len(text))]
