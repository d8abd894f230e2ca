"""Notes of other tools: lenient front matter, and a note cut by its headings into pieces of one fact each.

These files were written for another reader: Cursor's ``globs: *.ts`` is no YAML, and front matter is left open. So
lines are read, and nothing here can fail.
"""

from __future__ import annotations

import re

from brain.guess import APPLY
from brain.layout import slugify
from brain.lint.body import MAX_CHARACTERS
from brain.sources.text import (
    ITEM,
    MOST_APPLY,
    MOST_WORDS,
    anchor,
    bare,
    joined,
    language_in,
    opening,
    parse,
    plain,
    sentences,
    without_code,
)
from brain.text import count_words, fold
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from brain.sources.text import Section

RULE = re.compile(r"([-*_] *){3,}")
LEAST_WORDS = 5
"""Words below which a text states no fact that is worth a draft."""
MOST_SIGNS = MAX_CHARACTERS - 400
FENCE = re.compile(r"---[ \t]*")
FIELD = re.compile(r"([A-Za-z_][\w.-]*)[ \t]*:(?:[ \t]+(.*))?")
CODE = "nothing but code or a diagram"
SHORT = f"under {LEAST_WORDS} words: no fact of its own"
LONG = f"over {MOST_WORDS} words, and nothing to cut it by"
LINKS = re.compile(
    r"(table of )?contents?|toc|index|links?|relations?|references?|see also|related( docs| notes)?|todos?|next steps?"
    r"|目次|関連|参考|リンク|次のステップ|muc luc|tham khao|lien ket|buoc tiep theo"
)
"""Headings, folded, of what leads elsewhere or is not done yet."""
WIKI = re.compile(r"\[\[([^\[\]|\n]{1,200})(?:\|([^\[\]\n]{1,200}))?\]\]")

DOMAIN, ARCHITECTURE = ("fact", "domain"), ("fact", "architecture")
LASTS = (
    (re.compile(r"decision|決定|判断|quyet dinh"), ("decision", "")),
    (re.compile(r"learn|insight|lesson|gotcha|pitfall|学び|教訓|知見|注意点|bai hoc|kinh nghiem"), ("lesson", "")),
    (re.compile(r"pattern|preference|convention|パターン|規約|方針|quy uoc"), ARCHITECTURE),
)
"""Headings, folded, whose type is plain wherever they stand: type, and part."""


@value
class Note:
    """A note: its fields by lower-case name, each a list of texts, and what stands below them."""

    fields: Mapping[str, tuple[str, ...]]
    body: str

    def field(self, name: str) -> str:
        """Return a field as one text, "" where it is missing."""
        return ", ".join(self.fields.get(name, ()))


@value
class Cut:
    """A part of a note: its anchor, the titles that lead to it, its text, or why it is left ("" where it is not)."""

    anchor: str
    trail: tuple[str, ...]
    text: str
    why_left: str = ""

    @property
    def title(self) -> str:
        """The part's own heading, "" where it has none."""
        return self.trail[-1] if self.trail else ""


def read_note(text: str) -> Note:
    """Return a note; members of a nested mapping count as fields, and what is no field is passed over."""
    lines = text.lstrip("\n").split("\n")
    if not FENCE.fullmatch(lines[0]):
        return Note({}, text)
    end = next((number for number, line in enumerate(lines[1:], 1) if FENCE.fullmatch(line)), 0)
    if not end:
        return Note({}, "\n".join(lines[1:]))
    fields: dict[str, list[str]] = {}
    name = ""
    for line in lines[1:end]:
        found = FIELD.fullmatch(line.strip())
        if found and not line.lstrip().startswith("- "):
            name = found[1].lower()
            fields.setdefault(name, []).extend(_items(found[2] or ""))
        elif name and line.strip() and not line.lstrip().startswith("#"):
            fields[name] += _items(line.strip().removeprefix("- "))
    return Note({key: tuple(items) for key, items in fields.items()}, "\n".join(lines[end + 1 :]))


def _items(text: str) -> list[str]:
    """Return the items of a flow list, or one text; block signs (``|``, ``>``) say that lines follow."""
    text = text.strip()
    if text.startswith("[") and text.endswith("]"):
        return [item for item in (part.strip().strip("\"'") for part in text[1:-1].split(",")) if item]
    if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'":
        text = text[1:-1]
    return [text] if text.strip("|>+- ") else []


def heading_of(note: Note) -> str:
    """Return the heading that a note stands under, "" where it has none."""
    return bare(parse(note.body).title)


def cut(body: str) -> Iterator[Cut]:
    """Yield the parts of a note in their order: a section where it has room, else each paragraph and item of it."""
    root = parse(WIKI.sub(lambda link: link[2] or link[1], body)).root
    top = root.children[0].title if len(root.children) == 1 else ""
    for titles, section in root.walk():
        trail = tuple(bare(title) for title in titles)
        yield from _cut_section(trail[1:] if top and trail[:1] == (bare(top),) else trail, section)


def _cut_section(trail: tuple[str, ...], section: Section) -> Iterator[Cut]:
    key = anchor(*trail) or "start"
    text = unwrapped(without_code(section.text))
    if not section.text.strip() or (trail and LINKS.fullmatch(fold(trail[-1]).strip(" :："))):
        return
    if has_room(text):
        words = count_words(text)
        why = "" if words >= LEAST_WORDS else CODE if section.text.count("\n") > 3 and not words else SHORT
        yield Cut(key, trail, text, why)
        return
    blocks = _blocks(text)
    for block in blocks:
        why = "" if has_room(block) and len(blocks) > 1 else LONG
        if why or count_words(block) >= LEAST_WORDS:
            yield Cut(f"{key}/{anchor(opening(block))}", trail, block, why)


def unwrapped(text: str) -> str:
    """Return a text without markup of its own, each paragraph and list item on one line, and no rule between."""
    lines: list[str] = []
    for raw in text.split("\n"):
        line = plain(raw)
        if RULE.fullmatch(line):
            line = ""
        if ITEM.match(raw) or not line or line.startswith("|") or not lines or not lines[-1]:
            lines.append(raw[: len(raw) - len(raw.lstrip())] + line if ITEM.match(raw) else line)
        else:
            indent = lines[-1][: len(lines[-1]) - len(lines[-1].lstrip())]
            lines[-1] = indent + joined([lines[-1].strip(), line])
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip("\n")


def has_room(text: str) -> bool:
    """Say whether a text is short enough to be a memory, with its apply line."""
    return count_words(text) <= MOST_WORDS and len(text) <= MOST_SIGNS


def _blocks(text: str) -> list[str]:
    """Return a text's paragraphs and outermost list items, each with what is indented below it."""
    blocks: list[list[str]] = []
    depth, fresh = -1, True
    for line in text.split("\n"):
        item = ITEM.match(line)
        if not line.strip():
            fresh = True
            continue
        is_outer = bool(item and (depth < 0 or len(item[1]) <= depth))
        if is_outer and item:
            depth = len(item[1])
        if is_outer or not blocks or (fresh and not line[:1].isspace() and not item):
            blocks.append([])
            depth = depth if item else -1
        blocks[-1].append(item[2] if is_outer and item else line.strip())
        fresh = False
    return ["\n".join(rows) for rows in blocks]


def statement(title: str, text: str) -> str:
    """Return a text that says on its first line what it is about."""
    lines = text.split("\n")
    item = ITEM.match(lines[0])
    first = item[2] if item else lines[0]
    if not title or fold(title) in fold(first):
        return "\n".join([first, *lines[1:]]) if item else text
    mark = "：" if language_in(text) == "ja" else ": "
    apart = [""] if len(lines) > 1 and lines[1] else []
    return "\n".join([f"{title}{mark}{first}", *apart, *lines[1:]])


def titled(*parts: str) -> str:
    """Return the title of a piece, from which it gets its name: only the last part, where that is not ASCII."""
    parts = tuple(filter(None, parts))
    return " ".join(parts) if not parts or slugify(parts[-1]) else parts[-1]


def lasting(trail: Iterable[str]) -> tuple[str, str] | None:
    """Return type and part of what stands under headings that say so: decisions, learnings, patterns."""
    for title in reversed(tuple(trail)):
        for pattern, what in LASTS:
            if pattern.search(fold(title)):
                return what
    return None


def with_apply(text: str, apply: str) -> str:
    """Return a text with an apply line in its language; of what to do, as many sentences as have room."""
    todo = ""
    for sentence in sentences(joined(plain(apply).split("\n"))):
        longer = joined([todo, sentence])
        if todo and count_words(longer) > MOST_APPLY:
            break
        todo = longer
    return f"{text}\n\n{APPLY[language_in(text)]} {todo}" if todo else text


def tags_in(names: Iterable[str]) -> tuple[str, ...]:
    """Return tags as other tools write them: without ``#``, one a name, also of a list in one text."""
    parts = (part.strip().lstrip("#") for name in names for part in re.split(r"[,、]", name))
    return tuple(dict.fromkeys(part for part in parts if part))


def date_in(*texts: str) -> str:
    """Return the first ISO date of these texts, "" where none has one."""
    found = (re.match(r"\s*(\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))(?!\d)", text) for text in texts)
    return next((match[1] for match in found if match), "")
