"""A document's text: decoded, its headings as a tree, its words without markup, and cut by sentences."""

from __future__ import annotations

import re

from brain.guess import APPLY, language_of
from brain.lint.body import MAX_CHARACTERS, body_language
from brain.text import count_words, fold, is_dense, visible
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_WORDS = 110
"""Words of a piece without its apply line: lint warns above 120, and the line has some of its own."""
MOST_APPLY = 25
LANGUAGE = {"Japanese": "ja", "Vietnamese": "vi", "English": "en"}
SEE = {"en": "(See `{path}`.)", "vi": "(Xem `{path}`.)", "ja": "(`{path}` を参照。)"}
TAKE = {"en": "take it into account.", "vi": "lưu ý điều này.", "ja": "これを踏まえる。"}
"""What to do with what a text says, where it does not say it itself; short, or all drafts would be alike by it."""
HEADING = re.compile(r"(#{1,6}|={1,6})[ \t]+(\S.*?)[ \t]*#*[ \t]*$")
UNDERLINE = re.compile(r"(=|-|~|\^|\"){3,}[ \t]*$")
LEVELS = {"=": 1, "-": 2, "~": 3, "^": 4, '"': 4}
"""Levels of underlined headings, by sign."""
FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
FRONT = re.compile(r"---[ \t]*\n(.*?)\n(?:---|\.\.\.)[ \t]*(?:\n|$)", re.DOTALL)
COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
IMAGE = re.compile(r"!\[[^\]\n]{0,300}\](?:\([^)\n]{0,2000}\)|\[[^\]\n]{0,200}\])")
LINK = re.compile(r"\[([^\[\]\n]{1,300})\](?:\([^)\n]{0,2000}\)|\[[^\]\n]{0,200}\])")
TAG = re.compile(r"</?[A-Za-z][^<>\n]{0,300}>")
STRUCK = re.compile(r"~~[^~\n]{1,300}~~")
EMPHASIS = re.compile(r"`+|\*+(?=\S)|(?<=\S)\*+|(?<!\w)_{1,3}(?=\S)|(?<=\S)_{1,3}(?!\w)")
ITEM = re.compile(r"([ \t]*)(?:[-*+]|\d{1,3}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?(.*)")
SENTENCE = re.compile(r"(?<=[。！？])(?=.)|(?<=[.!?])(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\bvs\.)[\"'」』)]*[ \t]+(?=\S)")
ODD = re.compile(r"[^\w.+]+")


@value
class Section:
    """A heading, its level from 1 (0: the document), the text below it up to the next heading, and what is inside."""

    title: str
    level: int
    text: str
    children: tuple[Section, ...] = ()

    def walk(self, trail: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Section]]:
        """Yield every section with the titles that lead to it, its own the last; the document has none."""
        here = (*trail, self.title) if self.level else trail
        yield here, self
        for child in self.children:
            yield from child.walk(here)

    @property
    def whole(self) -> str:
        """The text with that of everything inside."""
        return "\n\n".join(part for part in (self.text, *(child.whole for child in self.children)) if part)


@value
class Document:
    """A document: its front matter's plain ``key: value`` lines in lower case, and its sections."""

    fields: dict[str, str]
    root: Section

    @property
    def title(self) -> str:
        """The heading that all others stand under, "" where there is none."""
        tops = self.root.children
        return tops[0].title if len(tops) == 1 else self.fields.get("title", "")


def decode(content: bytes) -> str | None:
    """Return a file's text in NFC with LF, None where it is no text: UTF-8, or UTF-16 that says so."""
    codec = "utf-16" if content[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        text = content.decode(codec)
    except UnicodeDecodeError:
        return None
    return None if "\0" in text else visible(text.replace("\r\n", "\n").replace("\r", "\n"))


def parse(text: str) -> Document:
    """Return a document's structure: headings of Markdown, AsciiDoc and reStructuredText outside of code."""
    fields: dict[str, str] = {}
    front = FRONT.match(text)
    if front:
        text = text[front.end() :]
        pairs = (line.partition(":") for line in front[1].splitlines() if not line.startswith((" ", "-", "#")))
        fields = {key.strip().lower(): item.strip().strip("\"'") for key, colon, item in pairs if colon}
    rows = _headings(COMMENT.sub("", text).split("\n"))
    return Document(fields, _tree("", 0, rows[0][2], iter(rows[1:]))[0])


def _headings(lines: list[str]) -> list[tuple[int, str, str]]:
    """Return (level, title, text below) of each heading; the first row is what stands before all of them."""
    rows: list[tuple[int, str, list[str]]] = [(0, "", [])]
    fence = ""
    for line in lines:
        mark = FENCE.match(line)
        if fence or mark:
            if not fence and mark and not _is_underline(line, rows[-1][2]):
                fence = mark[1]
                rows[-1][2].append(line)
                continue
            if fence:
                fence = "" if line.strip().startswith(fence) and not line.strip().strip(fence[0]) else fence
                rows[-1][2].append(line)
                continue
        heading = HEADING.match(line)
        if heading:
            rows.append((len(heading[1]), plain(heading[2]), []))
        elif _is_underline(line, rows[-1][2]):
            title = rows[-1][2].pop()
            rows.append((LEVELS[line[0]], plain(title.strip()), []))
        else:
            rows[-1][2].append(line)
    return [(level, title, "\n".join(below).strip("\n")) for level, title, below in rows]


def _is_underline(line: str, above: list[str]) -> bool:
    """Say whether a line makes a heading of the one above, which then stands alone and is no list, table or quote."""
    if not UNDERLINE.match(line) or not above or not above[-1].strip() or above[-1][0] in " \t-*+>|#=:":
        return False
    return len(above) == 1 or not above[-2].strip() or bool(UNDERLINE.match(above[-2]))


def _tree(
    title: str, level: int, text: str, rows: Iterator[tuple[int, str, str]]
) -> tuple[Section, tuple[int, str, str] | None]:
    """Return a section with all that is deeper, and the heading that ended it."""
    children = []
    row = next(rows, None)
    while row and row[0] > level:
        child, row = _tree(row[1], row[0], row[2], rows)
        children.append(child)
    return Section(title, level, text, tuple(children)), row


def plain(text: str) -> str:
    """Return a text without links, images, tags and struck words; code spans and emphasis stay what they are."""
    text = LINK.sub(r"\1", IMAGE.sub("", STRUCK.sub("", COMMENT.sub("", text))))
    return "\n".join(" ".join(line.split()) if line.strip() else "" for line in TAG.sub("", text).split("\n")).strip()


def bare(text: str) -> str:
    """Return a text on one line without any markup: for a title, a term, an index line."""
    return " ".join(EMPHASIS.sub("", plain(text)).split())


def without_code(text: str) -> str:
    """Return a text without its blocks of code."""
    kept, fence = [], ""
    for line in text.split("\n"):
        mark = FENCE.match(line)
        if fence:
            fence = "" if line.strip().startswith(fence) else fence
        elif mark:
            fence = mark[1]
        else:
            kept.append(line)
    return "\n".join(kept)


def items(text: str) -> list[str]:
    """Return the items of a text's lists, each on one line with what is indented below it; none where it has none."""
    found: list[list[str]] = []
    depth = -1
    for line in without_code(text).split("\n"):
        item = ITEM.match(line)
        if item and (depth < 0 or len(item[1]) <= depth):
            depth = len(item[1])
            found.append([item[2]])
        elif depth >= 0 and line.strip() and (line[:1].isspace() or not item):
            found[-1].append(item[2] if item else line.strip())
    return [joined(plain("\n".join(rows)).split("\n")) for rows in found]


def paragraphs(text: str) -> list[str]:
    """Return a text's paragraphs and list items in their order, each on one line; tables are left out."""
    found: list[list[str]] = []
    fresh = True
    for line in plain(without_code(text)).split("\n"):
        item = ITEM.match(line)
        if not line.strip() or line.lstrip().startswith("|"):
            fresh = True
            continue
        if item or fresh:
            found.append([])
        found[-1].append(f"- {item[2]}" if item else line.lstrip("> ").strip())
        fresh = False
    return [joined(rows) for rows in found if any(rows)]


def joined(lines: list[str]) -> str:
    """Return lines as one, without a blank between Japanese ones."""
    text = ""
    for line in (line for line in lines if line):
        dense = text and is_dense(ord(text[-1])) and is_dense(ord(line[0]))
        text += ("" if dense or not text or text[-1] in "、。" else " ") + line
    return text


def sentences(text: str) -> list[str]:
    """Return the sentences of a paragraph."""
    return [part.strip() for part in SENTENCE.split(text) if part.strip()]


def body(statements: list[str], apply: str, path: str, more: str = "", language: str = "") -> str:
    """Return a memory's body of whole sentences within the limits, "" where not even the first has room.

    Args:
        statements: Paragraphs, the most telling first.
        apply: What to do; cut to its first sentences.
        path: The document, named where something was left out.
        more: Not "" where the document says more than ``statements``.
        language: Of the apply line; "" is that of the statements.
    """
    language = language or language_in("\n".join(statements))
    kept, complete = _fitting(statements, MOST_WORDS, MAX_CHARACTERS - 500)
    todo, _ = _fitting([apply], MOST_APPLY, 300)
    if not kept or not todo:
        return ""
    see = "" if complete and not more else SEE[language].format(path=path)
    text = ""
    for row in [*kept[:-1], f"{kept[-1]} {see}".strip()]:
        in_list = row.startswith("- ") and text.rpartition("\n")[2].startswith("- ")
        text += ("\n" if in_list else "\n\n" if text else "") + row
    return f"{text}\n\n{APPLY[language]} {todo[0]}"


def _fitting(statements: list[str], words: int, characters: int) -> tuple[list[str], bool]:
    """Return as many whole sentences as have room, by paragraph, and whether that is all of them."""
    kept: list[str] = []
    for statement in statements:
        taken = ""
        for sentence in sentences(statement):
            longer = joined([taken, sentence])
            whole = [*kept, longer]
            if sum(map(count_words, whole)) > words or sum(map(len, whole)) > characters:
                return ([*kept, taken] if taken else kept), False
            taken = longer
        kept += [taken] if taken else []
    return kept, True


def language_in(text: str) -> str:
    """Return ``en``, ``vi`` or ``ja``: the language that an apply line under this text is to be in."""
    return LANGUAGE.get(body_language(text), "") or language_of(text)


def anchor(*parts: str) -> str:
    """Return a key of headings or terms: letters of any script, on one line, without what a source's form uses."""
    return "/".join(ODD.sub("-", fold(bare(part)))[:60].strip("-") for part in parts if part.strip())


def tag_in(name: str) -> str:
    """Return what of a name can stand in a tag: its ASCII letters and digits after folding, joined by hyphens."""
    return "-".join(re.findall(r"[a-z0-9][a-z0-9.+]*", fold(name)))


def opening(text: str) -> str:
    """Return the first words of a text, by which it is known again when its end is changed."""
    words = bare(text).split()
    return "-".join(words[:5])[:32] if len(words) > 3 else bare(text)[:14]


def matches(title: str, pattern: re.Pattern[str]) -> bool:
    """Say whether a heading, folded and without its number, is what the pattern says, as a whole."""
    return bool(pattern.fullmatch(re.sub(r"^[\d.]*[.)、]?\s*|[\s:：?？!！。.]*$", "", fold(bare(title)))))
