"""Words that give orders to an assistant: a warning alone, an error with a second sign (lint/facts.md §4).

A second sign is another kind of such words, a path to secrets, an address to send to, a download that is run, or a
place where nobody looks. In quotes or code the words are only told of: a warning, and no sign, unless what stands
beside makes them an order. An order in plain words, or a lie, is for the reviewer: no rule tells it from a fact.
"""

from __future__ import annotations

from brain.lint.decoded import Piece, decoded_pieces, disguised
from brain.lint.finding import ERROR, WARNING, Rule
from brain.lint.markdown import CODE_SIGN, mark_code
from brain.lint.orders import ORDERS, TURNS
from brain.lint.pattern import Pattern
from brain.lint.phrases import (
    AGENT,
    BUILD_AGENT,
    CHAT,
    CONCEAL,
    DO_AFTER,
    DO_BEFORE,
    FORBIDDEN,
    FORBIDDING,
    GLUED,
    HARM,
    OVERRIDE,
    SENDS,
    SENSITIVE,
    WORM,
)  # fmt: skip
from brain.text import strip_marks
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from brain.lint.finding import Sheet
    from brain.lint.folded import Folded
    from brain.lint.markdown import Marked

PROMPT_INJECTION = Rule(
    "M640", "prompt-injection", WARNING, "words that overrule an assistant's instructions",
    "A memory is read as data; what gives orders to the reader is an attack or reads like one.",
    "state the fact; quote an attack that you write about, or put it in `code`",
)  # fmt: skip
CHAT_MARKUP = Rule(
    "M641", "chat-markup", WARNING, "marks of a chat's turns or of a prompt's parts",
    "An assistant could take what follows for the system's or the user's words.", "put it in `code`",
)  # fmt: skip
CONCEALMENT = Rule(
    "M642", "conceal-from-people", WARNING, "words that ask to hide something from people",
    "Nothing a team remembers needs to be hidden from it.", "say what is to be done, openly",
)  # fmt: skip
AGENT_ACTION = Rule(
    "M643", "agent-action", WARNING, "words that make an assistant act",
    "A memory says what is so; what to do with it is for the person and the apply line.",
    "state the fact, without an address to the assistant",
)  # fmt: skip
MEMORY_WORM = Rule(
    "M644", "memory-worm", WARNING, "words that put this memory above others, or spread it",
    "Rules win over memories, and people decide what is copied.", "state the fact",
)  # fmt: skip
ENCODED = Rule(
    "M645", "encoded-instruction", ERROR, "an instruction in disguise",
    "What is coded so that people do not see it is meant for the assistant alone.", "take it out",
)  # fmt: skip

STANDING_ORDER = Rule(
    "M646", "standing-order", WARNING, "words that tell an assistant what to answer or to do",
    "A memory says what is so; how to answer is for the person and the team's rules.",
    "state the fact, without an address to the reader",
)  # fmt: skip

KINDS: tuple[tuple[Rule, tuple[Pattern, ...]], ...] = (
    (PROMPT_INJECTION, OVERRIDE), (CHAT_MARKUP, (*CHAT, *TURNS)), (CONCEALMENT, CONCEAL), (AGENT_ACTION, AGENT),
    (MEMORY_WORM, WORM), (STANDING_ORDER, ORDERS),
)  # fmt: skip
GIVES_ORDERS = frozenset((ENCODED, *(rule for rule, _ in KINDS)))
NOT_CODE = Pattern(r"[^\x00\n]")
WRAPPED = Pattern(r"(?<=[^\n])\n(?=[^\s\-*+#|>`~<0-9\x00])", "\n")
QUOTED = Pattern(r'"[^"\n]{4,400}"|“[^”\n]{4,400}”')
NEAR = 200
"""Characters around a match in which a second sign counts."""
BESIDE = 40
"""Characters beside a quote in which it can be made an order."""
TO_HIRAGANA = {code: code - 0x60 for code in range(0x30A1, 0x30F7)}
KATAKANA_LINE = Pattern(r"(?m)^(?=(?:[^\nァ-ヶ]*[ァ-ヶ]){6})[^\nぁ-ゖ]+$")
SPACED_KANA = Pattern(r"(?<=[ぁ-ヺ一-鿿]) (?=[ぁ-ヺ一-鿿])", " ")
LEAST_SPACED = 3
CAMEL = Pattern(r"\b[A-Za-z][a-z]+(?:[A-Z][a-z]+){2,}|\b[A-Za-z]+(?:[_/][A-Za-z]+){3,}")
LONG_WORD = Pattern(r"[a-z]{18,80}")
GAP = Pattern(r"(?<=[^\W\d_]) {2,8}(?=[^\W\d_])")
ONE_WORD = "one long word"
PART = Pattern(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


@value
class Hit:
    """Words that were found: which, where in the text, and the quote or code they stand in, (0, 0) for none."""

    rule: Rule
    start: int
    end: int
    around: tuple[int, int] = (0, 0)

    @property
    def quoted(self) -> bool:
        """Whether the words are only told of."""
        return self.around[1] > 0


def scan_words(folded: Folded, sheet: Sheet, *, hidden: bool = False) -> None:
    """Report words that give orders.

    Args:
        folded: The text.
        sheet: Where to report.
        hidden: Whether it stands where people do not look: that is a second sign.
    """
    plain = plain_text(folded.text)
    marked = mark_code(plain)
    hits = find_hits(marked)
    kinds = {hit.rule.code for hit in hits if not hit.quoted and hit.rule is not STANDING_ORDER}
    for hit in hits:
        if sheet.is_full(hit.rule):
            continue
        if hit.quoted:
            severe = _is_ordered(marked, hit)
        else:
            others = kinds if hit.rule is not STANDING_ORDER else ()  # what people are told too is no second sign
            secret = hit.rule is CONCEALMENT and _is_near(hits, hit)
            severe = hidden or len(others) > 1 or secret or _has_sign(plain, hit)
        severity = ERROR if severe or (hidden and hit.rule is not CHAT_MARKUP) else WARNING
        subject = plain[hit.start : hit.end]
        sheet.add(hit.rule, *folded.at(hit.start), severity=severity, subject=subject)
    _scan_disguised(folded, marked, bool(hits), sheet)


def _is_near(hits: Iterable[Hit], hit: Hit) -> bool:
    """Say whether an assistant is told what to do beside these words: to hide that is another matter than to hide."""
    orders = (other for other in hits if other.rule is STANDING_ORDER and not other.quoted)
    return any(other.start - NEAR < hit.end and hit.start < other.end + NEAR for other in orders)


def plain_text(text: str) -> str:
    """Return folded text in lower case and, where that moves nothing, without marks."""
    low = text.lower()
    if low.isascii():
        return low
    bare = strip_marks(low)
    return bare if len(bare) == len(text) else low


def find_hits(marked: Marked) -> list[Hit]:
    """Return what stands in a text, in order; overlapping matches of one kind once."""
    text, flowing = marked.text, joined(marked.text)
    hits: list[Hit] = []
    quotes: list[tuple[int, int]] | None = None
    for rule, patterns in KINDS:
        ends = -1
        for start, end in sorted(_spans(patterns, text if rule is CHAT_MARKUP else flowing)):
            if start < ends or _is_forbidden(rule, flowing, start, end):
                continue
            ends = end
            if quotes is None:
                quotes = [match.span() for match in QUOTED.finditer(text)]
            around = next((span for span in quotes if span[0] <= start and end <= span[1]), (0, 0))
            hits.append(Hit(rule, start, end, around if around[1] else _code_around(marked, start)))
    return sorted(hits, key=lambda hit: hit.start)


def _code_around(marked: Marked, at: int) -> tuple[int, int]:
    """Return the span of the code at an offset, (0, 0) where there is none."""
    if not marked.is_code(at):
        return (0, 0)
    match = NOT_CODE.search(marked.prose, at)
    end = match.start() if match else len(marked.prose)
    return len(marked.prose[:at].rstrip(CODE_SIGN + "\n")), end


def _is_forbidden(rule: Rule, text: str, start: int, end: int) -> bool:
    """Say whether the words forbid what they name, or are about an agent that is no assistant."""
    if rule not in (PROMPT_INJECTION, AGENT_ACTION):
        return False
    if FORBIDDING.search(text[max(0, start - 20) : start]):
        return True
    if rule is PROMPT_INJECTION:
        return FORBIDDEN.match(text[end : end + 10]) is not None
    near = text[start : end + 30]
    other = text[start:end].strip().startswith("agent") and BUILD_AGENT.search(text[max(0, start - 14) : start])
    return HARM.search(near) is not None or bool(other)


def _is_ordered(marked: Marked, hit: Hit) -> bool:
    """Say whether quoted words are made an order: by what stands beside the quote, or by a second sign in it."""
    start, end = hit.around
    text = marked.text
    if DO_AFTER.match(text[end : end + BESIDE]) or DO_BEFORE.search(text[max(0, start - BESIDE) : start]):
        return True
    return not marked.is_code(hit.start) and any(sign.search(text[start:end]) for sign in (*SENSITIVE, *SENDS))


def joined(text: str) -> str:
    """Return ``text`` with the lines of each paragraph joined, character for character: a phrase may be wrapped."""
    return WRAPPED.sub(" ", text)


def _spans(patterns: Iterable[Pattern], text: str) -> list[tuple[int, int]]:
    return [match.span() for pattern in patterns for match in pattern.finditer(text)]


def _has_sign(text: str, hit: Hit) -> bool:
    around = text[max(0, hit.start - NEAR) : hit.end + NEAR]
    return any(pattern.search(around) for pattern in (*SENSITIVE, *SENDS))


def gives_orders(text: str) -> bool:
    """Say whether a decoded text holds words that give orders."""
    plain = joined(plain_text(text))
    return any(pattern.search(plain) for _, patterns in KINDS for pattern in patterns)


def _scan_disguised(folded: Folded, marked: Marked, found: bool, sheet: Sheet) -> None:  # noqa: FBT001 - a fact, no switch
    for piece in decoded_pieces(folded.text):
        glued = piece.coding == "Morse code" and GLUED.search(piece.text.replace(" ", ""))
        if not sheet.is_full(ENCODED) and (glued or gives_orders(piece.text)):
            sheet.add(ENCODED, *folded.at(piece.offset), f"{piece.coding} that gives orders", subject=piece.text)
    if found:
        return
    for piece in (*disguised(marked.text), *_rewritten(folded.text, marked)):
        patterns = (GLUED, *OVERRIDE) if piece.coding in ("spaced letters", ONE_WORD) else OVERRIDE
        match = next(filter(None, (pattern.search(piece.text) for pattern in patterns)), None)
        if match:
            offset = match.start() if piece.coding == "digits for letters" else piece.offset
            where = folded.at(min(offset, len(folded.text) - 1))
            sheet.add(ENCODED, *where, f"an instruction in {piece.coding}", subject=match[0])


def _rewritten(text: str, marked: Marked) -> Iterator[Piece]:
    """Yield words as they are usually written: Katakana for Hiragana, blanks within, one long name."""
    if not text.isascii():
        for match in KATAKANA_LINE.finditer(marked.prose):
            yield Piece(match[0].translate(TO_HIRAGANA), match.start(), "Katakana")
        closed, count = SPACED_KANA.compiled.subn("", marked.prose)
        if count >= LEAST_SPACED:
            yield Piece(closed, 0, "words with blanks")
    for match in CAMEL.finditer(text):
        if not marked.is_code(match.start()):
            yield Piece(" ".join(PART.compiled.findall(match[0])).lower(), match.start(), ONE_WORD)
    for match in LONG_WORD.finditer(marked.prose):
        yield Piece(match[0], match.start(), ONE_WORD)
    wide, count = GAP.compiled.subn(" ", marked.prose)
    if count >= LEAST_SPACED:
        yield Piece(wide, 0, "words with gaps")
