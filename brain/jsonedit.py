"""Edit a JSON text in place: what need not change keeps its bytes.

The text is parsed to nodes that know where they start and end; an edit cuts or inserts text between them.
What ``insert`` writes, ``remove`` takes out again to the byte. A container left empty by ``remove`` goes too,
unless it stood there before: blanks in front of its closing bracket then say so, two if it was empty, three
if ``null`` (or, for the outermost, nothing) stood there. A formatter that drops the blanks costs only that.

Strict JSON by default; with ``comments`` also ``//``, ``/* */`` and trailing commas, which edits leave alone.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from brain.errors import ConfigError

END = -1
"""As the last part of a path to ``insert``: behind the last item of that list."""
WAS_EMPTY, WAS_NULL = "  ", "   "
MAX_DEPTH = 200
BOM = "\ufeff"

BLANK = re.compile(r"[ \t\r\n]*+")
COMMENT = re.compile(r"//[^\r\n]*|/\*[\s\S]*?\*/")
REST_OF_LINE = re.compile(r"[ \t]*+(?:/\*(?:(?!\*/)[^\r\n])*\*/[ \t]*+)*+(?://[^\r\n]*)?")
STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+"')
NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
LITERAL = re.compile(r"true|false|null")
TIGHT_MEMBER = re.compile(STRING.pattern + r":\S")

Kind = Literal["object", "list", "string", "number", "literal"]
Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Node:
    """A value and its place: ``text[start:end]``; ``items`` of a list or object, in order."""

    kind: Kind
    start: int
    end: int
    items: tuple[Item, ...] = ()


@dataclass(frozen=True, slots=True)
class Item:
    """A list's item (no key) or an object's member; ``comma`` is the place of the comma behind it, or -1."""

    key: str | None
    start: int
    node: Node
    comma: int


@dataclass(frozen=True, slots=True)
class Document:
    """A parsed text; ``root`` is None while it is blank. ``source`` names it in errors.

    ``comments`` says that some may stand in it.
    """

    text: str
    source: str
    root: Node | None
    comments: bool = False


class Edit(NamedTuple):
    """Put ``text`` in the place of ``start:end``."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Layout:
    """How new text is laid out; ``base`` is the indent of the line that it starts on."""

    newline: str
    unit: str
    colon: str
    one_line: bool
    base: str


def parse(text: str, source: str, *, comments: bool = False) -> Document:
    """Return the text as a document.

    Raises:
        ConfigError: It is not JSON; the error names the line and the mend.
    """
    return Document(text, source, _Parser(text, source, comments=comments).document(), comments)


def value_of(doc: Document, node: Node) -> Any:
    """Return the node as Python data; of equal keys the last counts."""
    raw = doc.text[node.start : node.end]
    match node.kind:
        case "object":
            return {item.key: value_of(doc, item.node) for item in node.items}
        case "list":
            return [value_of(doc, item.node) for item in node.items]
        case "number" if len(raw) > 400:  # int() refuses thousands of digits
            return float(raw)
    return json.loads(raw)


def find(doc: Document, path: Path) -> Node | None:
    """Return the node at ``path``, or None where there is none or something on the way is no container.

    Raises:
        ConfigError: An object on the way has a key twice.
    """
    node = doc.root
    for part in path:
        item = _find_item(doc, node, part) if node else None
        node = item.node if item else None
    return node


def insert(doc: Document, path: Path, value: Any) -> str:
    """Return the text with ``value`` at ``path``: a new member, or with ``END`` a new last item.

    Containers that are missing on the way are made; ``null`` counts as missing.

    Raises:
        ConfigError: Something on the way has another type, or a key twice.
        ValueError: There is a value at ``path`` already.
    """
    home, depth = _find_home(doc, path)
    key, tree = path[depth], wrap(path[depth + 1 :], value)
    if home is None or home.kind == "literal":
        member = _render_item(key, tree, _layout(doc, home.start if home else None))
        return _splice(doc.text, [_stand_in(doc, home, key, member)])
    if not home.items:
        member = _render_item(key, tree, _layout(doc, home.start))
        return _splice(doc.text, [Edit(home.end - 1, home.end - 1, member + WAS_EMPTY)])
    return _splice(doc.text, _append(doc, home, key, tree))


def replace(doc: Document, path: Path, value: Any) -> str:
    """Return the text with the value at ``path`` exchanged, laid out as its surroundings are.

    Raises:
        ConfigError: An object on the way has a key twice.
        KeyError: There is nothing at ``path``.
    """
    node = find(doc, path)
    if node is None:
        raise KeyError(path)
    layout = _layout(doc, node.start, one_line=not _starts_line(doc.text, node.start))
    return _splice(doc.text, [Edit(node.start, node.end, _render(value, layout))])


def remove(doc: Document, path: Path) -> str | None:
    """Return the text without what is at ``path`` and without containers that this leaves empty.

    None if nothing at all is left; see the module's text for containers that stay.

    Raises:
        ConfigError: An object on the way has a key twice.
        KeyError: There is nothing at ``path``.
    """
    home = find(doc, path[:-1])
    item = _find_item(doc, home, path[-1]) if home else None
    if home is None or item is None:
        raise KeyError(path)
    if len(home.items) > 1:
        return _splice(doc.text, _cut(doc.text, home, item))
    before_bracket = doc.text[item.node.end : home.end - 1]
    if before_bracket == WAS_EMPTY:
        return _splice(doc.text, [Edit(item.start, home.end - 1, "")])
    if before_bracket == WAS_NULL:
        return _splice(doc.text, [Edit(home.start, home.end, "null" if len(path) > 1 else "")])
    return remove(doc, path[:-1]) if len(path) > 1 else None


def _find_item(doc: Document, node: Node, part: str | int) -> Item | None:
    if isinstance(part, int):
        return node.items[part] if node.kind == "list" and 0 <= part < len(node.items) else None
    if node.kind != "object":
        return None
    seen: dict[str | None, Item] = {}
    for item in node.items:
        if item.key in seen:
            reason = f"the key {item.key!r} stands twice in one object"
            raise _error(doc, item.start, reason, "join the two into one; the file was left as it is")
        seen[item.key] = item
    return seen.get(part)


def _find_home(doc: Document, path: Path) -> tuple[Node | None, int]:
    """Return the deepest node on ``path`` that is there, null included, and how many parts lead to it."""
    node = doc.root
    for depth, part in enumerate(path):
        if node is None or doc.text[node.start : node.end] == "null":
            return node, depth
        _require(doc, node, "list" if isinstance(part, int) else "object", path[:depth])
        item = _find_item(doc, node, part)
        if item is None:
            return node, depth
        node = item.node
    raise ValueError(f"{path} is there already")


def _require(doc: Document, node: Node, kind: Kind, path: Path) -> None:
    if node.kind != kind:
        name = ".".join(map(str, path)) or "the outermost value"
        found = "another value" if node.kind == "literal" else _article(node.kind)
        hint = f"make it {_article(kind)}, or take it out; the file was left as it is"
        raise _error(doc, node.start, f"{name} is {found}, where {_article(kind)} belongs", hint)


def _article(kind: str) -> str:
    return f"an {kind}" if kind == "object" else f"a {kind}"


def wrap(path: Path, value: Any) -> Any:
    """Return ``value`` inside the containers that a path leads through."""
    for part in reversed(path):
        value = [value] if isinstance(part, int) else {part: value}
    return value


def _stand_in(doc: Document, node: Node | None, key: str | int, member: str) -> Edit:
    """Return the edit that puts a container with one member where null, or nothing, is."""
    opening, closing = "[]" if isinstance(key, int) else "{}"
    at = len(BOM) if doc.text.startswith(BOM) else 0
    start, end = (node.start, node.end) if node else (at, at)
    return Edit(start, end, opening + member + WAS_NULL + closing)


def _append(doc: Document, home: Node, key: str | int, tree: Any) -> list[Edit]:
    text, last = doc.text, home.items[-1]
    previous = home.items[-2].comma if len(home.items) > 1 else home.start
    one_line = "\n" not in text[previous : last.start]
    layout = _layout(doc, last.start, one_line=one_line)
    after = last.node.end if last.comma < 0 else last.comma + 1
    rest = _rest_of_line(text, after)
    if one_line and "//" not in rest:
        lead = " " if layout.colon == ": " else ""
    else:
        lead = layout.newline + layout.base
    member, at = lead + _render_item(key, tree, layout), after + len(rest)
    if last.comma < 0:
        return [Edit(after, after, ","), Edit(at, at, member)]
    return [Edit(at, at, member + ",")]


def _cut(text: str, home: Node, item: Item) -> list[Edit]:
    """Return the edits that take one of several items out, with one comma."""
    index = home.items.index(item)
    if index + 1 < len(home.items):
        blank = BLANK.match(text, item.comma + 1)
        return [Edit(item.start, blank.end() if blank else item.comma + 1, "")]
    start = len(text[: item.start].rstrip(" \t\r\n"))
    if item.comma >= 0:
        return [Edit(start, item.comma + 1, "")]
    comma = home.items[index - 1].comma
    return [Edit(comma, comma + 1, ""), Edit(start, item.node.end, "")]


def _rest_of_line(text: str, at: int) -> str:
    """Return the comments on this line behind ``at``, without blanks at their end."""
    match = REST_OF_LINE.match(text, at)
    return match.group().rstrip(" \t") if match else ""


def _layout(doc: Document, at: int | None, *, one_line: bool | None = None) -> Layout:
    text, root = doc.text, doc.root
    if one_line is None:
        one_line = root is not None and bool(root.items) and "\n" not in text[root.start : root.end]
    first_break = re.search(r"\r?\n", text)
    indent = re.search(r"\n([ \t]+)[^\s]", text)
    tight = root and root.items and TIGHT_MEMBER.match(text, root.items[0].start)
    return Layout(
        newline=first_break.group() if first_break else "\n",
        unit=indent.group(1) if indent else "  ",
        colon=":" if tight else ": ",
        one_line=one_line,
        base="" if at is None else _indent_at(text, at),
    )


def _indent_at(text: str, at: int) -> str:
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _starts_line(text: str, at: int) -> bool:
    return text[:at].rstrip(" \t").endswith("\n")


def _render_item(key: str | int, value: Any, layout: Layout) -> str:
    name = "" if isinstance(key, int) else json.dumps(key) + (layout.colon if layout.one_line else ": ")
    return name + _render(value, layout)


def _render(value: Any, layout: Layout) -> str:
    if layout.one_line:
        return _json(value, separators=(", " if layout.colon == ": " else ",", layout.colon))
    return _json(value, indent=layout.unit).replace("\n", layout.newline + layout.base)


def _json(value: Any, **how: Any) -> str:
    """Return JSON for people, with escapes only where UTF-8 cannot hold a path's bytes."""
    shown = json.dumps(value, ensure_ascii=False, **how)
    return json.dumps(value, **how) if any("\ud800" <= sign <= "\udfff" for sign in shown) else shown


def _splice(text: str, edits: list[Edit]) -> str:
    for edit in reversed(edits):  # they come in the text's order, so the places in front still hold
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


def _error(doc: Document | _Parser, at: int, reason: str, hint: str) -> ConfigError:
    return ConfigError(f"{doc.source}:{doc.text.count(chr(10), 0, at) + 1}", "", reason, hint)


class _Parser:
    """Recursive descent over one text; every method takes an offset."""

    def __init__(self, text: str, source: str, *, comments: bool) -> None:
        self.text, self.source, self.comments = text, source, comments

    def document(self) -> Node | None:
        start = self.skip(len(BOM) if self.text.startswith(BOM) else 0)
        if start == len(self.text):
            return None
        node = self.value(start, 0)
        if self.skip(node.end) != len(self.text):
            raise _error(self, self.skip(node.end), "something follows the end of the value", "take it out")
        return node

    def skip(self, at: int) -> int:
        """Return the offset behind white space and comments."""
        while True:
            blank = BLANK.match(self.text, at)
            at = blank.end() if blank else at
            comment = COMMENT.match(self.text, at)
            if not comment:
                return at
            if not self.comments:
                raise _error(self, at, "a comment, where JSON allows none", "take the comment out")
            at = comment.end()

    def value(self, at: int, depth: int) -> Node:
        if self.text[at : at + 1] in ("{", "["):
            if depth == MAX_DEPTH:
                raise _error(self, at, f"nested deeper than {MAX_DEPTH} levels", "this is no settings file")
            return self.container(at, depth + 1)
        kinds: tuple[tuple[Kind, re.Pattern[str]], ...] = (
            ("string", STRING), ("number", NUMBER), ("literal", LITERAL)
        )  # fmt: skip
        for kind, pattern in kinds:
            match = pattern.match(self.text, at)
            if match:
                return Node(kind, at, match.end())
        raise self.unexpected(at, "a value")

    def container(self, start: int, depth: int) -> Node:
        kind: Kind = "object" if self.text[start] == "{" else "list"
        closing = "}" if kind == "object" else "]"
        items: list[Item] = []
        at = self.skip(start + 1)
        while not self.text.startswith(closing, at):
            if items and items[-1].comma < 0:
                raise self.unexpected(at, f"',' or {closing!r}")
            items.append(self.item(at, kind, depth))
            at = self.skip(max(items[-1].node.end, items[-1].comma + 1))
        if items and items[-1].comma >= 0 and not self.comments:
            hint = "take the comma out: strict JSON allows none here"
            raise _error(self, items[-1].comma, f"a comma before {closing!r}", hint)
        return Node(kind, start, at + 1, tuple(items))

    def item(self, start: int, kind: Kind, depth: int) -> Item:
        key, at = None, start
        if kind == "object":
            name = STRING.match(self.text, at)
            if not name:
                raise self.unexpected(at, "a key in double quotes")
            key, at = str(json.loads(name.group())), self.skip(name.end())
            if not self.text.startswith(":", at):
                raise self.unexpected(at, "':'")
            at = self.skip(at + 1)
        node = self.value(at, depth)
        behind = self.skip(node.end)
        return Item(key, start, node, behind if self.text.startswith(",", behind) else -1)

    def unexpected(self, at: int, wanted: str) -> ConfigError:
        """Return the error that another thing was wanted at ``at``."""
        found = re.match(r"[^\s,:{}\[\]]+|.", self.text[at : at + 20])
        if self.text.startswith('"', at):
            return _error(self, at, "a string that does not end, or holds a bad escape", "mend it")
        what = repr(found.group()) if found else "the end of the file"
        hint = "mend the JSON there; the file was left as it is"
        return _error(self, at, f"{what}, where {wanted} belongs", hint)
