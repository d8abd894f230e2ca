"""A file's bytes: encoding, line ends, size."""

from __future__ import annotations

from brain.lint.finding import ERROR, WARNING, Rule
from brain.lint.folded import position
from brain.memory import MAX_FILE_BYTES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from brain.lint.finding import Sheet

MAX_LINE = 2000
"""Characters of a line: 400 words glued with dots are one word to a count of words."""

FILE_EMPTY = Rule(
    "M001", "file-empty", ERROR, "the file is empty",
    "An empty file is recalled by nobody and holds its id.",
    "write frontmatter and a body, or delete the file",
)  # fmt: skip
FILE_TOO_BIG = Rule(
    "M002", "file-too-big", ERROR, f"the file is over {MAX_FILE_BYTES} bytes",
    "A memory is one fact; what is bigger is refused from its size alone, unread.",
    "keep one fact of at most 150 words",
)  # fmt: skip
ENCODING_BOM = Rule(
    "M003", "encoding-bom", ERROR, "the file begins with a byte order mark",
    "Many readers then see no frontmatter at all.", "save it as UTF-8 without a mark (BOM)",
)  # fmt: skip
NOT_UTF8 = Rule(
    "M004", "encoding-not-utf8", ERROR, "not UTF-8",
    "What one reader shows as text another drops; a scan could be led past it.", "save the file as UTF-8",
)  # fmt: skip
NUL_BYTE = Rule(
    "M005", "encoding-nul-byte", ERROR, "a NUL byte",
    "Some readers stop at it, others do not: they would read different memories.", "save the file as UTF-8 text",
)  # fmt: skip
CRLF = Rule(
    "M006", "line-endings-crlf", WARNING, "lines end in CR LF",
    "The same text then has two forms, and a diff of every line.", "save it with LF line ends",
)  # fmt: skip
CR = Rule(
    "M007", "line-endings-cr", ERROR, "a carriage return without a line feed",
    "A terminal shows what follows over what came before.", "save it with LF line ends",
)  # fmt: skip
MIXED_ENDS = Rule(
    "M008", "line-endings-mixed", WARNING, "some lines end in CR LF, others in LF",
    "Every editor mends it differently, and the diff shows it.", "save it with LF line ends",
)  # fmt: skip
NO_FINAL_NEWLINE = Rule(
    "M009", "no-final-newline", WARNING, "the last line has no end",
    "The next change then shows two lines in its diff.", "end the file with a line feed",
)  # fmt: skip
LINE_TOO_LONG = Rule(
    "M010", "line-too-long", ERROR, f"a line of over {MAX_LINE} characters",
    "Words that are glued together are one word to the count.", "break the line, or say less",
)  # fmt: skip
REPLACEMENT = Rule(
    "M011", "replacement-character", WARNING, "a replacement character (U+FFFD)",
    "Text was lost before it came here.", "write again what stood there",
)  # fmt: skip
CONFLICT_MARKER = Rule(
    "M012", "merge-conflict-marker", ERROR, "a merge conflict marker",
    "Both sides of a conflict would be recalled as one fact.", "keep one side, and take the markers out",
)  # fmt: skip


def decode(content: bytes, sheet: Sheet) -> str:
    """Return a file's text with LF line ends, and report what is wrong with its bytes.

    What is no UTF-8 is read as Latin-1: a broken encoding must not hide a token from the scans.
    """
    if content.startswith(b"\xef\xbb\xbf"):
        sheet.add(ENCODING_BOM)
        content = content[3:]
    if not content:
        sheet.add(FILE_EMPTY)
        return ""
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        sheet.add(NOT_UTF8, 1 + content[: error.start].count(b"\n"))
        text = content.replace(b"\0", b"").decode("latin-1")
    if "\0" in text:
        sheet.add(NUL_BYTE, *position(text, text.index("\0")))
        text = text.replace("\0", "")
    return _check_lines(text, sheet)


def _check_lines(text: str, sheet: Sheet) -> str:
    if "\r" in text:
        text = _check_ends(text, sheet)
    if not text.endswith("\n"):
        sheet.add(NO_FINAL_NEWLINE, text.count("\n") + 1)
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > MAX_LINE:
            sheet.add(LINE_TOO_LONG, number, MAX_LINE + 1, f"a line of {len(line)} characters, {MAX_LINE} at most")
        if line.startswith(("<<<<<<< ", ">>>>>>> ")):
            sheet.add(CONFLICT_MARKER, number)
    if "\ufffd" in text:
        sheet.add(REPLACEMENT, *position(text, text.index("\ufffd")))
    return text


def _check_ends(text: str, sheet: Sheet) -> str:
    pairs, feeds, returns = text.count("\r\n"), text.count("\n"), text.count("\r")
    plain = text.replace("\r\n", "\n")
    if returns > pairs:
        sheet.add(CR, *position(plain, plain.index("\r")))
    if pairs:
        sheet.add(CRLF if pairs == feeds else MIXED_ENDS)
    return plain.replace("\r", "\n")
