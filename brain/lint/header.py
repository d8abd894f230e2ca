"""The frontmatter, read so that one pass finds everything: nodes with line and column, whatever is wrong beside them.

``brain.frontmatter`` stops at the first mistake; this reader stands on the same parts of it, and goes on.
"""

from __future__ import annotations

from itertools import pairwise

from brain.frontmatter import MAX_BYTES, MAX_DEPTH, NotPlainError, Quoted, plain_node
from brain.lint.finding import ERROR, WARNING, Rule
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from brain.frontmatter import Node
    from brain.lint.finding import Sheet

MAX_EVENTS = 400
MAX_LEAD = 200
"""Lines in which a block that does not come first is looked for."""

MISSING = Rule(
    "M020", "frontmatter-missing", ERROR, "no frontmatter",
    "Without it nobody can find, judge or recall the memory.", "begin the file with a line --- and the fourteen keys",
)  # fmt: skip
NOT_FIRST = Rule(
    "M021", "frontmatter-not-first", ERROR, "something stands before the frontmatter",
    "Readers then see no frontmatter, only text.", "make --- the first line",
)  # fmt: skip
NOT_CLOSED = Rule(
    "M022", "frontmatter-not-closed", ERROR, "the frontmatter is not closed",
    "Where it ends is then a guess.", "close it with a line ---",
)  # fmt: skip
EMPTY = Rule(
    "M023", "frontmatter-empty", ERROR, "the frontmatter is empty",
    "Nobody can find, judge or recall the memory.", "write the fourteen keys",
)  # fmt: skip
NOT_A_MAPPING = Rule(
    "M024", "frontmatter-not-a-mapping", ERROR, "the frontmatter holds no `key: value` lines",
    "It is to say fourteen things by name.", "write one `key: value` a line",
)  # fmt: skip
TOO_BIG = Rule(
    "M025", "frontmatter-too-big", ERROR, f"the frontmatter is over {MAX_BYTES} bytes or {MAX_EVENTS} values",
    "Text belongs to the body, where its words are counted.", "move text to the body",
)  # fmt: skip
FENCE_SPACE = Rule(
    "M026", "fence-trailing-space", WARNING, "white space after ---",
    "Stricter readers see no frontmatter then.", "take the white space out",
)  # fmt: skip
SYNTAX = Rule(
    "M027", "yaml-syntax", ERROR, "not YAML",
    "Readers guess differently at what it means.", "quote the value",
)  # fmt: skip
DUPLICATE_KEY = Rule(
    "M028", "yaml-duplicate-key", ERROR, "a key stands twice",
    "One reader keeps the first value, another the last.", "keep one of them",
)  # fmt: skip
ANCHOR = Rule(
    "M029", "yaml-anchor-or-alias", ERROR, "an anchor or alias",
    "A few bytes of them grow to gigabytes.", "write the value out",
)  # fmt: skip
TAG = Rule(
    "M030", "yaml-tag", ERROR, "a YAML tag",
    "A tag can make a reader run code or hide text.", "write the value plainly",
)  # fmt: skip
TOO_DEEP = Rule(
    "M031", "yaml-too-deep", ERROR, f"nested deeper than {MAX_DEPTH}",
    "Deep nesting crashes readers that follow it.", "write a flat list",
)  # fmt: skip
KEY_NOT_TEXT = Rule(
    "M032", "yaml-key-not-text", ERROR, "a key that readers take for something else than text",
    "`on:` is true to one reader and text to another, `<<` takes other keys in.", "name the key with letters",
)  # fmt: skip
COMMENT = Rule(
    "M033", "yaml-comment", WARNING, "a comment in the frontmatter",
    "An assistant that opens the file reads it; the index and the reviewer's table do not show it.",
    "say it in the body, or not at all",
)  # fmt: skip
COMMENT_CUTS = Rule(
    "M034", "yaml-comment-cuts-value", WARNING, "the value is cut at ` #`: the rest is a comment",
    "The memory says less than was written.", "quote the value",
)  # fmt: skip
SECOND_BLOCK = Rule(
    "M035", "second-frontmatter-block", WARNING, "a second frontmatter block in the body",
    "It looks like an attempt to override the first.", "take it out, or put it in a code fence",
)  # fmt: skip

MERGE = "<<"
"""The key by which YAML 1.1 takes the keys of another mapping in."""


@value
class Field:
    """A value of the frontmatter: its node, and where in the file the key and the value begin."""

    node: Node
    line: int
    column: int
    shown: bool = True
    """Whether the value stands in the file as it is meant: no escapes, on one line."""


@value
class Header:
    """What a file's frontmatter says. ``fields`` by key in the order of the file; ``comments`` as (line, column, text).

    ``readable`` is false where the YAML could not be read to its end: what is missing then says nothing.
    """

    fields: dict[str, Field]
    end: int
    comments: tuple[tuple[int, int, str], ...] = ()
    readable: bool = True


@value
class Blocks:
    """A file cut in two: the frontmatter's inner text, the body, and the line the body begins on."""

    head: str
    body: str
    body_line: int


def cut(text: str, sheet: Sheet) -> Blocks | None:
    """Return head and body of a file, or None where there is no closed block at the top."""
    lines = text.split("\n")
    first = lines[0]
    if not first.startswith("---") or first.rstrip() != "---":
        sheet.add(NOT_FIRST if _comes_later(lines) else MISSING)
        return None
    for number, line in enumerate(lines[1:], 1):
        if line.startswith("---") and line.rstrip() == "---":
            for row, fence in ((1, first), (number + 1, line)):
                if fence != "---":
                    sheet.add(FENCE_SPACE, row, 4)
            return Blocks("\n".join([*lines[1:number], ""]), "\n".join(lines[number + 1 :]), number + 2)
    sheet.add(NOT_CLOSED)
    return None


def _comes_later(lines: list[str]) -> bool:
    for line, after in pairwise(lines[1:MAX_LEAD]):
        if line.rstrip() == "---" and line.startswith("---") and _is_key(after):
            return True
    return False


def _is_key(line: str) -> bool:
    word, colon, _ = line.partition(":")
    return bool(colon) and word.isidentifier()


def second_block(body: str) -> int:
    """Return the line, from 1, of what looks like frontmatter in a body; 0 for none."""
    lines = body.split("\n")
    opened = 0
    for number, line in enumerate(lines, 1):
        if line.rstrip() != "---":
            continue
        if opened and all(_is_key(row) or not row.strip() or row[0] in " -#" for row in lines[opened : number - 1]):
            return opened
        opened = number if number < len(lines) and _is_key(lines[number]) else 0
    return 0


def read_header(head: str, sheet: Sheet) -> Header:
    """Return the fields of a frontmatter's inner text, and report what YAML readers would stumble on."""
    end = head.count("\n") + 2
    if len(head.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        sheet.add(TOO_BIG, 2)
        return Header({}, end, readable=False)
    if not head.strip():
        sheet.add(EMPTY)
        return Header({}, end, readable=False)
    return _plain_header(head, end) or _yaml_header(head, end, sheet)


def _plain_header(head: str, end: int) -> Header | None:
    """Return the header of the one-line form, None where YAML has to look."""
    from brain.memory import reads_as_text

    fields = {}
    lines = head[:-1].split("\n")
    for number, line in enumerate(lines, 2):
        try:
            key, node = plain_node(line)
        except NotPlainError:
            return None
        if not reads_as_text(key):
            return None
        fields[key] = Field(node, number, line.index(":") + 2 + (node != ""))
    return Header(fields, end) if len(fields) == len(lines) else None


def _yaml_header(head: str, end: int, sheet: Sheet) -> Header:
    import yaml

    reader = _Reader(head, sheet)
    try:
        fields = reader.read()
    except _TooMuchError:
        return Header({}, end, (), readable=False)
    except (yaml.YAMLError, ValueError, RecursionError) as error:  # ValueError: a character YAML cannot hold
        reason = getattr(error, "problem", None) or str(error).splitlines()[0]
        opened = "end of stream" in reason  # then the place where it began says more
        mark = getattr(error, "context_mark" if opened else "problem_mark", None)
        rule = TOO_DEEP if isinstance(error, RecursionError) or "nesting depth" in reason else SYNTAX
        message = f"not YAML: {reason}" if rule is SYNTAX else ""
        sheet.add(rule, getattr(mark, "line", 0) + 2, getattr(mark, "column", 0) + 1, message)
        return Header(reader.fields, end, reader.comments(), readable=False)
    if fields is None:
        return Header({}, end, reader.comments(), readable=False)
    return Header(fields, end, reader.comments())


class _TooMuchError(Exception):
    """The frontmatter is reported already; there is no use in reading on."""


class _Reader:
    """Builds fields from YAML events, and reports what could run, grow or hide."""

    def __init__(self, head: str, sheet: Sheet) -> None:
        self.head, self.sheet = head, sheet
        self.fields: dict[str, Field] = {}
        self.ends: dict[int, int] = {}  # line → column after the last value on it
        self.inside: set[int] = set()  # lines within a value of several lines
        self.count = 0

    def events(self) -> Iterator[Any]:
        import yaml

        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        for event in yaml.parse(self.head, Loader=loader):
            self.count += 1
            if self.count > MAX_EVENTS:
                self.sheet.add(TOO_BIG, 2)
                raise _TooMuchError
            yield event

    def read(self) -> dict[str, Field] | None:
        """Return the top mapping's fields, or None where there is no mapping."""
        import yaml

        self.stream = self.events()
        next(self.stream)
        if isinstance(next(self.stream), yaml.StreamEndEvent):
            self.sheet.add(EMPTY)
            return None
        first = next(self.stream)
        if not isinstance(first, yaml.MappingStartEvent):
            self.sheet.add(NOT_A_MAPPING, 2)
            return None
        self.check(first)
        self.top()
        for event in self.stream:
            if isinstance(event, yaml.DocumentStartEvent):
                line = getattr(event.start_mark, "line", 0) + 2
                self.sheet.add(SYNTAX, line, 1, "a second YAML document", mend="keep one")
                raise _TooMuchError
        return self.fields

    def top(self) -> None:
        import yaml

        while not isinstance(event := next(self.stream), yaml.MappingEndEvent):
            key, mark = self.key(event, 1), event.start_mark
            first = next(self.stream)
            node = self.node(first, 2)
            if key is None:
                continue
            start, stop = first.start_mark, first.end_mark
            assert start  # the parser gives every event its marks
            assert stop
            assert mark
            shown = (
                not isinstance(first, yaml.ScalarEvent)
                or self.head.find(first.value, start.index, max(stop.index, start.index)) >= 0
            )
            if key in self.fields:
                self.sheet.add(DUPLICATE_KEY, mark.line + 2, mark.column + 1, f"the key {key!r} stands twice")
            self.fields[key] = Field(node, mark.line + 2, start.column + 1, shown)

    def key(self, event: Any, depth: int) -> str | None:
        """Return a key, None where it is no text."""
        from brain.memory import reads_as_text

        node = self.node(event, depth + 1)
        if isinstance(node, Quoted) or (isinstance(node, str) and node not in ("", MERGE) and reads_as_text(node)):
            return str(node)
        self.sheet.add(KEY_NOT_TEXT, event.start_mark.line + 2, event.start_mark.column + 1)
        return None

    def node(self, event: Any, depth: int) -> Node:
        import yaml

        self.check(event)
        if isinstance(event, yaml.AliasEvent):
            return ""
        if isinstance(event, yaml.ScalarEvent):
            self.ended(event)
            return event.value if event.implicit[0] and not event.style else Quoted(event.value)
        if depth > MAX_DEPTH:
            self.sheet.add(TOO_DEEP, event.start_mark.line + 2, event.start_mark.column + 1)
            raise _TooMuchError
        if isinstance(event, yaml.SequenceStartEvent):
            items = []
            while not isinstance(inner := next(self.stream), yaml.SequenceEndEvent):
                items.append(self.node(inner, depth + 1))
            self.ended(inner)
            return items
        return self.pairs(depth)

    def pairs(self, depth: int) -> dict[str, Node]:
        import yaml

        found: dict[str, Node] = {}
        while not isinstance(event := next(self.stream), yaml.MappingEndEvent):
            mark, key = event.start_mark, self.key(event, depth)
            node = self.node(next(self.stream), depth + 1)
            if key in found:
                self.sheet.add(DUPLICATE_KEY, mark.line + 2, mark.column + 1, f"the key {key!r} stands twice")
            found[key or ""] = node
        self.ended(event)
        return found

    def check(self, event: Any) -> None:
        """Report an anchor, an alias or a tag."""
        import yaml

        at = (event.start_mark.line + 2, event.start_mark.column + 1)
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            self.sheet.add(ANCHOR, *at)
        if getattr(event, "tag", None):
            self.sheet.add(TAG, *at, f"the YAML tag {str(event.tag)[:60]!r}")

    def ended(self, event: Any) -> None:
        """Remember where a value ends, to tell a comment from its text."""
        start, end = event.start_mark, event.end_mark
        if getattr(event, "style", None) in ("|", ">"):
            self.inside.update(range(start.line + 1, end.line))
        else:
            self.inside.update(range(start.line + 1, end.line))
            self.ends[end.line] = max(self.ends.get(end.line, 0), end.column)

    def comments(self) -> tuple[tuple[int, int, str], ...]:
        """Return the comments, and report them."""
        found = []
        for number, line in enumerate(self.head.split("\n")):
            if "#" not in line or number in self.inside:
                continue
            start = self.ends.get(number, 0)
            at = line.find("#", start)
            if at < 0 or (at > 0 and line[at - 1] not in " \t"):
                continue
            after_value = start > 0 and line[start - 1 : start].strip() not in ("", "]", "}", '"', "'")
            cuts = after_value and line[at + 1 : at + 2].strip() != ""
            self.sheet.add(COMMENT_CUTS if cuts else COMMENT, number + 2, at + 1)
            found.append((number + 2, at + 1, line[at + 1 :].strip()))
        return tuple(found)
