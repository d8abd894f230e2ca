"""The body: one fact, few words, and an apply line that says what to do (SPEC §1.2, §6.1)."""

from __future__ import annotations

import re
import unicodedata

from brain.lint.finding import ERROR, WARNING, Rule
from brain.lint.markdown import CODE_SIGN
from brain.lint.pattern import Pattern
from brain.text import RUNS, count_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from brain.lint.finding import Sheet
    from brain.lint.markdown import Marked

MAX_WORDS, NEAR_WORDS = 150, 120
MAX_CHARACTERS = 1500
"""Of 6,400 real memories of up to 150 words the longest has 1,200, blanks included."""
MAX_BULLETS = 10
LABELS = {"apply": "English", "áp dụng": "Vietnamese", "適用": "Japanese"}
APPLY = Pattern(
    r"^[ \t>*-]*\*\*[ \t]*(apply|áp dụng|適用)[ \t]*(?:[:：][ \t]*\*\*|\*\*[ \t]*[:：])(.*)$",
    flags=re.IGNORECASE | re.MULTILINE,
)
NO_ACTION = Pattern(r"[\W_]*(?:n/?a|none|nothing|nil|null|không(?: có)?|なし|無し|特になし|該当なし)[\W_]*")
"""Words for nothing to do, in lower case."""
SHORTEST_ACTION = 16
PLACEHOLDER = Pattern(r"\b(?:TODO|TBD|FIXME|XXX|lorem ipsum)\b|後で書く|要記入|chưa viết")
NOT_A_STATEMENT = Pattern(
    r"<!--[\s\S]*?(?:-->|\Z)|!\[[^\]\n]{0,300}\]\([^)\n]{0,2000}\)|^#{1,6}(?:[ \t].*)?$|^[ "
    r"\t]*(?:https?://\S+|\[[^\]\n]{0,300}\]\([^)\n]{0,2000}\))[ \t]*$",
    flags=re.MULTILINE,
)
VIETNAMESE = Pattern("[ăđơưĂĐƠƯạảấầẩẫậắằẳẵặẹẻẽếềểễệịỉĩọỏốồổỗộớờởỡợụủứừửữựỵỷỹẠ-Ỹ]")

BODY_EMPTY = Rule(
    "M100", "body-empty", ERROR, "the body is empty", "There is nothing to remember.",
    "say the fact, and an apply line",
)  # fmt: skip
NO_STATEMENT = Rule(
    "M101", "body-no-statement", ERROR, "the body states nothing",
    "A heading, link, image or comment alone is no fact.", "say the fact in a sentence",
)  # fmt: skip
BODY_PLACEHOLDER = Rule(
    "M102", "body-placeholder", WARNING, "a placeholder",
    "It would be recalled as if it were knowledge.", "write what it stands for",
)  # fmt: skip
BODY_WORDS = Rule(
    "M103", "body-words", ERROR, f"over {MAX_WORDS} words",
    "What is recalled has a budget; long memories push others out. Two Han or Kana characters are one word.",
    "keep one fact; make two memories of two",
)  # fmt: skip
BODY_CHARACTERS = Rule(
    "M112", "body-characters", ERROR, f"over {MAX_CHARACTERS} characters",
    "What is recalled has a budget; not every script, and not every text, parts its words by blanks.",
    "keep one fact; make two memories of two",
)  # fmt: skip
BODY_NEAR = Rule(
    "M104", "ok-limit-near", WARNING, f"over {NEAR_WORDS} words: near the limit of {MAX_WORDS}",
    "What is recalled has a budget.", "shorten it",
)  # fmt: skip
APPLY_MISSING = Rule(
    "M105", "apply-missing", ERROR, "no apply line",
    "A memory is there to be acted on.", "end with **Apply:**, **Áp dụng:** or **適用:** and what to do",
)  # fmt: skip
APPLY_EMPTY = Rule(
    "M106", "apply-empty", ERROR, "the apply line says nothing",
    "A memory is there to be acted on.", "write what to do after it",
)  # fmt: skip
APPLY_TWICE = Rule(
    "M107", "apply-twice", WARNING, "two apply lines",
    "Two things to do are most often two facts.", "make two memories, or one line",
)  # fmt: skip
APPLY_LANGUAGE = Rule(
    "M108", "apply-language", WARNING, "the apply line's label is not in the body's language",
    "Mixed labels are harder to read and to find.", "use the label of the body's language",
)  # fmt: skip
ONE_FACT = Rule(
    "M109", "more-than-one-fact", WARNING, "more than one fact",
    "One fact can be approved, found stale and removed by itself.", "make a memory of each",
)  # fmt: skip
FENCE_OPEN = Rule(
    "M110", "body-fence-not-closed", ERROR, "a code fence that is not closed",
    "All that follows it would be code, the next memory too.", "close it",
)  # fmt: skip
NOT_NFC = Rule(
    "M111", "text-not-nfc", WARNING, "letters and their marks are apart (NFD)",
    "The same word then has two spellings, and a search finds one.", "save it in NFC (most editors do)",
)  # fmt: skip


def check_body(marked: Marked, first_line: int, sheet: Sheet) -> None:
    """Report what is wrong with a body that begins on ``first_line``."""
    text = marked.text
    if not text.strip():
        sheet.add(BODY_EMPTY, first_line)
        return
    if not unicodedata.is_normalized("NFC", text):
        sheet.add(NOT_NFC, first_line + _first_decomposed(text))
    if marked.unclosed:
        sheet.add(FENCE_OPEN, first_line + marked.unclosed - 1)
    words, top = count_words(text), first_line + _first_text_line(text)
    if words > MAX_WORDS:
        sheet.add(BODY_WORDS, top, 1, f"{words} words, {MAX_WORDS} at most", subject="words")
    elif (length := len("".join(text.split()))) > MAX_CHARACTERS:
        sheet.add(BODY_CHARACTERS, top, 1, f"{length} characters, {MAX_CHARACTERS} at most", subject="characters")
    elif words > NEAR_WORDS:
        sheet.add(BODY_NEAR, top, 1, f"{words} words: near the limit of {MAX_WORDS}", subject="words")
    prose = unicodedata.normalize("NFC", marked.prose)
    applies = list(APPLY.finditer(prose))
    _check_apply(prose, applies, first_line, sheet)
    _check_statement(marked, prose, applies, first_line, sheet)
    _check_one_fact(prose, first_line, sheet)


def _first_decomposed(text: str) -> int:
    lines = text.split("\n")
    return next(number for number, line in enumerate(lines) if not unicodedata.is_normalized("NFC", line))


def _first_text_line(text: str) -> int:
    return text.count("\n", 0, len(text) - len(text.lstrip()))


def _line(text: str, offset: int) -> int:
    return text.count("\n", 0, offset)


def _check_apply(prose: str, applies: list[re.Match[str]], first_line: int, sheet: Sheet) -> None:
    if not applies:
        sheet.add(APPLY_MISSING, first_line + len(prose.rstrip().split("\n")) - 1)
        return
    for number, match in enumerate(applies):
        line = first_line + _line(prose, match.start(1))
        said = CODE_SIGN in match[2] or any(map(str.isalnum, match[2]))
        if (len(match[2]) < SHORTEST_ACTION and NO_ACTION.fullmatch(match[2].lower())) or not (
            said or _goes_on(prose, match.end())
        ):
            sheet.add(APPLY_EMPTY, line)
        if number == 1:
            sheet.add(APPLY_TWICE, line)
    label, language = LABELS[applies[0][1].lower()], body_language(prose)
    if language and label != language:
        line = first_line + _line(prose, applies[0].start(1))
        sheet.add(APPLY_LANGUAGE, line, 1, f"the body is {language}, the apply line's label {label}")


def _goes_on(prose: str, end: int) -> bool:
    """Say whether the paragraph goes on after an apply line, or a list or code follows it."""
    rest = prose[end:].lstrip("\n")
    return bool(rest) and (prose[end : end + 2] != "\n\n" or rest[0] in "-*+1`~" + CODE_SIGN)


def body_language(prose: str) -> str:
    """Return the language a body is clearly in, else ""."""
    dense = sum(map(len, prose.translate(RUNS).split()))
    letters = sum(map(str.isalpha, prose)) or 1
    if dense * 2 > letters:
        return "Japanese"
    marks = 0 if prose.isascii() else sum(1 for _ in VIETNAMESE.finditer(prose))
    if marks * 12 > letters:
        return "Vietnamese"
    return "English" if not dense and not marks and prose.isascii() else ""


def _check_statement(marked: Marked, prose: str, applies: list[re.Match[str]], first_line: int, sheet: Sheet) -> None:
    without = prose
    for match in reversed(applies):
        without = without[: match.start()] + without[match.end() :]
    rest = NOT_A_STATEMENT.sub("", without)
    has_code = CODE_SIGN in rest and applies
    if not any(map(str.isalnum, rest)) and not has_code:
        sheet.add(NO_STATEMENT, first_line + _first_text_line(prose))
    for match in PLACEHOLDER.finditer(marked.prose):
        sheet.add(BODY_PLACEHOLDER, first_line + _line(marked.prose, match.start()), 1, f"a placeholder: {match[0]}")


def _check_one_fact(prose: str, first_line: int, sheet: Sheet) -> None:
    lines = prose.split("\n")
    for sign, most in (("# ", 1), ("## ", 2)):
        headings = [number for number, line in enumerate(lines) if line.startswith(sign)]
        if len(headings) > most:
            sheet.add(ONE_FACT, first_line + headings[most], 1, f"{len(headings)} headings of one level")
    bullets = [number for number, line in enumerate(lines) if line.startswith(("- ", "* ", "+ "))]
    if len(bullets) > MAX_BULLETS:
        sheet.add(ONE_FACT, first_line + bullets[0], 1, f"a list of {len(bullets)} points")
