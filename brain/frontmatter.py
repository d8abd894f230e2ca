"""YAML frontmatter, read strictly: text in, plain nodes out.

A node is a ``str`` (plain scalar), a ``Quoted`` (a ``str`` that was written in quotes or as a block), a list or a
dict of nodes. What a plain scalar means is the schema's to say (``brain.memory``): YAML 1.1 would make ``no`` a
boolean, ``12:30`` the number 750 and ``1.10`` the number 1.1.

Most files are one ``key: value`` a line; that form is read here directly. Everything else goes to PyYAML's event
parser, with anchors, aliases, tags, duplicate keys and deep nesting refused before anything is built.
"""

from __future__ import annotations

from brain.errors import InvalidMemoryError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    Node: TypeAlias = "str | list[Node] | dict[str, Node]"

MAX_BYTES = 4096
MAX_DEPTH = 4
_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
_PLAIN_START = _LETTERS | set("_./")
_FLOW_INNER = _LETTERS | set("_./+@*%=~() -")
_KEY = frozenset("abcdefghijklmnopqrstuvwxyz_")
_ALIAS = _LETTERS | set("_.-")
_HEX = frozenset("0123456789abcdef")


class Quoted(str):
    """A scalar that was not plain: it is text, whatever it looks like."""

    __slots__ = ()


class NotPlainError(Exception):
    """The line is not in the one-line form; PyYAML has to look."""


def split(text: str, path: str) -> tuple[str, str, int]:
    """Return the frontmatter's inner text, the body, and the line the body begins on.

    Raises:
        InvalidMemoryError: There is no closed block at the top.
    """
    if text.startswith("---\n"):
        end = text.find("\n---\n", 3)
        if end >= 0:
            head = text[4 : end + 1]
            return head, text[end + 5 :], head.count("\n") + 3
    return _split_odd(text, path)


def _split_odd(text: str, path: str) -> tuple[str, str, int]:
    """Split with CRLF, white space after a fence, or no body; say what is wrong otherwise."""
    text = text.removeprefix("\ufeff")  # what an editor put there hides nothing; lint has it taken out
    if not text:
        raise InvalidMemoryError(path, 1, "the file is empty", "write frontmatter and a body, or delete it")
    if text.startswith("---\r") and not text.startswith("---\r\n"):
        raise InvalidMemoryError(path, 1, "lines end in a lone CR", "save the file with LF line ends")
    lines = text.split("\n")
    if not _is_fence(lines[0]):
        raise InvalidMemoryError(path, 1, "no frontmatter", "begin the file with a line --- and the fourteen keys")
    for number, line in enumerate(lines[1:], 1):
        if _is_fence(line):
            head = "\n".join(lines[1:number])
            return head + "\n" if number > 1 else "", "\n".join(lines[number + 1 :]), number + 2
    raise InvalidMemoryError(path, 1, "the frontmatter is not closed", "close it with a line ---")


def _is_fence(line: str) -> bool:
    return line.startswith("---") and not line[3:].strip(" \t\r")


def plain_node(line: str) -> tuple[str, Node]:
    """Return key and node of one ``key: value`` line.

    Raises:
        NotPlainError: The line may mean something else to YAML.
    """
    key, colon, text = line.partition(":")
    if not colon or not key or not _KEY.issuperset(key) or not line.isprintable() or (text and text[0] != " "):
        raise NotPlainError
    text = text.strip(" ")
    if not text:
        return key, ""
    if text[0] == "[":
        return key, _flow_list(text)
    if text[0] == "{":
        return key, _flow_map(text)
    if text[0] in "\"'":
        if len(text) < 2 or text[-1] != text[0] or text[0] in text[1:-1] or "\\" in text:
            raise NotPlainError
        return key, Quoted(text[1:-1])
    if not (text[0] in _PLAIN_START or text[0].isalpha()) or ": " in text or " #" in text or text[-1] == ":":
        raise NotPlainError
    return key, text


def _flow_list(text: str) -> list[Node]:
    if text[-1] != "]":
        raise NotPlainError
    inner = text[1:-1].strip(" ")
    return [_flow_item(item.strip(" ")) for item in inner.split(",")] if inner else []


def _flow_item(item: str) -> Node:
    """Return an item of a flow list; a quoted one that held a comma was cut, and shows it by its missing quote."""
    if item[:1] in ("'", '"') and len(item) > 1:
        if item[-1] != item[0] or item[0] in item[1:-1] or "\\" in item:
            raise NotPlainError
        return Quoted(item[1:-1])
    if not item or not (item[0] in _PLAIN_START or item[0].isalnum()):
        raise NotPlainError
    if not _FLOW_INNER.issuperset(item) and not all(map(_may_stand_in_flow, item)):
        raise NotPlainError
    return item


def _may_stand_in_flow(character: str) -> bool:
    return character in _FLOW_INNER or character.isalnum()


def _flow_map(text: str) -> dict[str, Node]:
    if text[-1] != "}":
        raise NotPlainError
    found: dict[str, Node] = {}
    for pair in text[1:-1].split(","):
        alias, colon, commit = pair.strip(" ").partition(": ")
        commit = commit.strip(" ")
        plain = commit[:1] not in ("'", '"') or commit[-1] != commit[0]
        bare = commit if plain else commit[1:-1]
        if not colon or not alias or not bare or alias in found:
            raise NotPlainError
        if not _ALIAS.issuperset(alias) or not _HEX.issuperset(bare):
            raise NotPlainError
        found[alias] = bare if plain else Quoted(bare)
    return found


def parse_yaml(head: str, path: str) -> dict[str, Node]:
    """Return the top mapping of ``head`` as nodes.

    Raises:
        InvalidMemoryError: It is too long, no YAML, no mapping, or uses what a memory may not.
    """
    if len(head.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        raise InvalidMemoryError(path, 1, f"the frontmatter is over {MAX_BYTES} bytes", "move text to the body")
    return _Builder(path).build(head)


class _Mark:
    """Where YAML met a character that it cannot hold: it counts bytes."""

    def __init__(self, head: str, position: int) -> None:
        self.index = len(head.encode("utf-8", "surrogatepass")[:position].decode("utf-8", "replace"))


class _Builder:
    """Builds nodes from YAML events, refusing what could run, grow or hide."""

    def __init__(self, path: str) -> None:
        self.path = path

    def build(self, head: str) -> dict[str, Node]:
        import yaml

        self.head = head
        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        try:
            self.events = iter(list(yaml.parse(head, Loader=loader)))
        except (yaml.YAMLError, ValueError, RecursionError) as error:  # ValueError: a character YAML cannot hold
            mark = getattr(error, "problem_mark", None) or _Mark(head, getattr(error, "position", 0))
            reason = getattr(error, "problem", None) or str(error).splitlines()[0]
            raise self.error(mark, f"not YAML: {reason}", "quote the value") from None
        events = [next(self.events), next(self.events, None)]
        if events[1] is None or isinstance(events[1], yaml.StreamEndEvent):
            raise InvalidMemoryError(self.path, 1, "the frontmatter is empty", "write the fourteen keys")
        first = next(self.events)
        if not isinstance(first, yaml.MappingStartEvent):
            raise self.error(first.start_mark, "the frontmatter is no mapping", "write one `key: value` a line")
        node = self.node(first, 1)
        next(self.events)  # the document's end
        after = next(self.events)
        if not isinstance(after, yaml.StreamEndEvent):
            raise self.error(after.start_mark, "the frontmatter holds a second document", "keep one")
        assert isinstance(node, dict)
        return node

    def error(self, mark: object, reason: str, mend: str) -> InvalidMemoryError:
        before = self.head[: getattr(mark, "index", 0)]  # its own count of lines takes U+2028 for a line's end
        return InvalidMemoryError(self.path, before.count("\n") + 2, reason, mend)

    def node(self, event: object, depth: int) -> Node:
        import yaml

        mark = getattr(event, "start_mark", None)
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise self.error(mark, "anchors and aliases are not allowed", "write the value out")
        if getattr(event, "tag", None):
            raise self.error(mark, f"the tag {getattr(event, 'tag', '')!r} is not allowed", "write the value plainly")
        if isinstance(event, yaml.ScalarEvent):
            return event.value if event.implicit[0] and not event.style else Quoted(event.value)
        if depth > MAX_DEPTH:
            raise self.error(mark, f"nested deeper than {MAX_DEPTH}", "write a flat list")
        if isinstance(event, yaml.SequenceStartEvent):
            return self.items(depth)
        return self.pairs(depth)

    def items(self, depth: int) -> list[Node]:
        import yaml

        found: list[Node] = []
        while not isinstance(event := next(self.events), yaml.SequenceEndEvent):
            found.append(self.node(event, depth + 1))
        return found

    def pairs(self, depth: int) -> dict[str, Node]:
        import yaml

        found: dict[str, Node] = {}
        while not isinstance(event := next(self.events), yaml.MappingEndEvent):
            key = self.node(event, depth + 1)
            if not isinstance(key, str):
                raise self.error(event.start_mark, "a key is not text", "write one `key: value` a line")
            if key in found:
                raise self.error(event.start_mark, f"the key {key!r} stands twice", "keep one of them")
            found[str(key)] = self.node(next(self.events), depth + 1)
        return found


def line_of(head: str, key: str) -> int:
    """Return the file's line on which ``key`` stands at the top level of ``head``; 1 if it is not there."""
    import re

    for number, line in enumerate(head.split("\n"), 2):
        if re.match(rf"""["']?{re.escape(key)}["']?\s*:""", line):
            return number
    return 1
