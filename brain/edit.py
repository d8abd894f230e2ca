"""Change values of a file's frontmatter and nothing else: no other byte moves (SPEC §1.2).

PyYAML says where each value stands; comments, order, quoting, list style, line endings and BOM are never
looked at, so they cannot change. The result is read again before it is returned.
"""

from __future__ import annotations

from difflib import SequenceMatcher

import yaml

from brain.errors import InvalidMemoryError
from brain.frontmatter import parse_yaml, split
from brain.memory import QUOTED, SCHEMA, BadValueError, quote, render_value
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from brain.frontmatter import Node

ORDER = tuple(SCHEMA)
"""The fourteen keys, then the optional ones: where a missing key is put."""
AS_DRAFT: dict[str, str | None] = {"status": "pending", "reviewed_by": "", "removal": None, "removal_reason": None}
"""What makes a draft of a memory: nobody approved it, and nobody proposes that it goes."""
DATES = frozenset(("created", "review_by"))


@value
class Edit:
    """Put ``text`` in the place of ``start:end``."""

    start: int
    end: int
    text: str


def edit_memory(text: str, changes: Mapping[str, Any], path: str = "memory") -> str:
    """Return ``text`` with these keys of the frontmatter changed and every other byte as it was.

    Args:
        text: The whole file, decoded, line endings as they are.
        changes: Key → value as ``Memory`` holds it; "" or () empties, None takes the key out with its lines. A missing
            key is put in its place.
        path: The name errors give the file.

    Raises:
        InvalidMemoryError: The frontmatter cannot be read, or would not hold these values afterwards.
    """
    unknown = set(changes) - set(SCHEMA)
    if unknown:
        raise ValueError(f"no such keys: {', '.join(sorted(unknown))}")
    head, _, _ = split(text, path)
    start = _head_start(text)
    before = parse_yaml(head, path)
    wanted = {key: new for key, new in changes.items() if not _holds(before, key, new)}
    if not wanted:
        return text
    new_head = _splice(head, _Editor(head, _newline(text), path).edits(wanted))
    edited = text[:start] + new_head + text[start + len(head) :]
    _verify(edited, before, wanted, path)
    return edited


def _head_start(text: str) -> int:
    bare = text.removeprefix("\ufeff")
    return len(text) - len(bare) + len(bare.splitlines(keepends=True)[0])


def _newline(text: str) -> str:
    return "\r\n" if text.splitlines(keepends=True)[0].endswith("\r\n") else "\n"


def _holds(fields: Mapping[str, Node], key: str, new: Any) -> bool:
    """Say whether ``key`` has that value; without the key, whether the value is an empty one."""
    if key not in fields or new is None:
        return key not in fields and new in (None, "", (), [])
    try:
        found = SCHEMA[key](fields[key])
    except BadValueError:
        return False
    return bool(found == (tuple(new) if isinstance(new, list) else new))


def _verify(edited: str, before: Mapping[str, Node], wanted: Mapping[str, Any], path: str) -> None:
    """Raise unless ``edited`` holds the new values, and for every other key the very node it held before."""
    after = parse_yaml(split(edited, path)[0], path)
    for key in {**before, **after}:
        same = _holds(after, key, wanted[key]) if key in wanted else _form(after.get(key)) == _form(before.get(key))
        if not same:
            reason = f"{key} cannot be changed in place"
            raise InvalidMemoryError(path, 1, reason, "write one `key: value` a line")


def _form(node: Node | None) -> Any:
    """Return a node with the kinds of its scalars, which ``==`` of strings does not see."""
    if isinstance(node, list):
        return [_form(item) for item in node]
    if isinstance(node, dict):
        return {key: _form(item) for key, item in node.items()}
    return type(node), node


def _splice(text: str, edits: Sequence[Edit]) -> str:
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end), reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


def _compose(head: str, path: str) -> yaml.MappingNode:
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the one that parse_yaml reads with: they differ on tabs
    try:
        node = yaml.compose(head, Loader=loader)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        reason = str(error).splitlines()[0]
        raise InvalidMemoryError(path, 1, f"not YAML: {reason}", "quote the value") from None
    assert isinstance(node, yaml.MappingNode)
    return node


def _rendered(key: str, new: Any) -> str:
    if key in QUOTED and new:
        return quote(new)
    return str(new) if key in DATES else render_value(new)


def _rendered_like(node: yaml.Node, key: str, new: Any) -> str:
    """Return a scalar in the quotes that the old one had, where the new value can have them."""
    if not isinstance(node, yaml.ScalarNode) or not isinstance(new, str) or key in DATES:
        return _rendered(key, new)
    if node.style == "'" and "\\" not in quote(new.replace("\\", "").replace('"', "")):
        return "'" + new.replace("'", "''") + "'"
    return quote(new) if node.style == '"' else _rendered(key, new)


def _start(node: yaml.Node) -> int:
    return int(node.start_mark.index)


def _end(node: yaml.Node) -> int:
    return int(node.end_mark.index)


def _is_block(node: yaml.Node) -> bool:
    return isinstance(node, yaml.CollectionNode) and not node.flow_style


def _items(node: yaml.Node) -> list[tuple[yaml.Node, yaml.Node]]:
    """Return of each item of a list or mapping the nodes it begins and ends with."""
    if isinstance(node, yaml.MappingNode):
        return list(node.value)
    return [(item, item) for item in node.value]


def _is_written(node: yaml.Node) -> bool:
    return isinstance(node, yaml.ScalarNode) and _end(node) > _start(node)


def _is_map_of(node: yaml.Node, aliases: Sequence[str]) -> bool:
    return isinstance(node, yaml.MappingNode) and [name.value for name, _ in node.value] == list(aliases)


class _Editor:
    """Finds the edits for one frontmatter; positions count characters of ``head``."""

    def __init__(self, head: str, newline: str, path: str) -> None:
        self.head, self.newline = head, newline
        self.top = _compose(head, path)
        self.pairs = {str(name.value): (name, node) for name, node in self.top.value}

    def edits(self, wanted: Mapping[str, Any]) -> list[Edit]:
        """Return edits that do not overlap, in no order."""
        found: list[Edit] = []
        missing: dict[int, list[str]] = {}
        for key in sorted(wanted, key=ORDER.index):
            if key in self.pairs:
                found += self.change(key, wanted[key])
            else:
                missing.setdefault(self.place_of(key), []).append(self.new_line(key, wanted[key]))
        return found + [Edit(at, at, "".join(lines)) for at, lines in missing.items()]

    def new_line(self, key: str, new: Any) -> str:
        indent = " " * int(self.top.start_mark.column)
        return f"{indent}{key}: {_rendered(key, new)}".rstrip() + self.newline

    def place_of(self, key: str) -> int:
        """Return where a missing key's line begins: behind the nearest of the keys before it."""
        for earlier in reversed(ORDER[: ORDER.index(key)]):
            if earlier in self.pairs:
                return self.line_end(self.last_of(*self.pairs[earlier]))
        return self.line_start(_start(self.top.value[0][0]))

    def change(self, key: str, new: Any) -> list[Edit]:
        name, node = self.pairs[key]
        if new is None:
            return [Edit(self.line_start(_start(name)), self.line_end(self.last_of(name, node)), "")]
        if isinstance(new, (list, tuple)):
            if new and isinstance(node, yaml.SequenceNode) and node.value:
                return _Items(self, node).change(new)
        elif isinstance(new, dict):
            if _is_map_of(node, tuple(new)):
                return [self.scalar(item, key, new[alias.value]) for alias, item in node.value]
        elif new != "" and _is_written(node):
            return [self.scalar(node, key, new)]
        return self.put_anew(name, node, _rendered(key, new))

    def scalar(self, node: yaml.Node, key: str, new: Any) -> Edit:
        return Edit(_start(node), self.last_of(node, node), _rendered_like(node, key, new))

    def put_anew(self, name: yaml.Node, node: yaml.Node, rendered: str) -> list[Edit]:
        """Write a value of another kind, or none, behind the key's colon, and take the old one out."""
        colon = self.head.index(":", _end(name)) + 1
        text = f" {rendered}" if rendered else ""
        if _is_block(node):
            return [Edit(colon, colon, text), *(Edit(*lines, "") for lines in self.lines_of(node))]
        start, end = _start(node), self.last_of(name, node)
        if start == end or not self.head[colon:start].strip():
            return [Edit(colon, max(end, colon), text)]
        return [Edit(colon, colon, text), Edit(start, end, "")]  # a comment stands between

    def lines_of(self, node: yaml.Node) -> list[tuple[int, int]]:
        """Return start and end of the lines of each item of a block."""
        spans = [(_start(first), self.last_of(first, last)) for first, last in _items(node)]
        return [(self.line_start(start), self.line_end(end)) for start, end in spans]

    def last_of(self, name: yaml.Node, node: yaml.Node) -> int:
        """Return where a value's own text ends; a block's mark lies behind the comments after it."""
        if _is_block(node):
            return self.last_of(*_items(node)[-1])
        start, end = _start(node), _end(node)
        if isinstance(node, yaml.ScalarNode) and node.style in ("|", ">"):
            return start + len(self.head[start:end].rstrip())
        return max(end, _end(name)) if end == start else end

    def line_start(self, at: int) -> int:
        return self.head.rfind("\n", 0, at) + 1

    def line_end(self, at: int) -> int:
        return self.head.find("\n", at) + 1 or len(self.head)


class _Items:
    """Finds the edits for the items of one list that is not empty and will not be."""

    def __init__(self, editor: _Editor, node: yaml.SequenceNode) -> None:
        self.editor, self.flow = editor, bool(node.flow_style)
        self.items: list[yaml.Node] = node.value
        self.lines = editor.lines_of(node)

    def change(self, new: Sequence[str]) -> list[Edit]:
        """Return the fewest edits that make the items these."""
        found: list[Edit] = []
        old = [str(item.value) for item in self.items]
        for kind, low, high, first, last in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
            if kind == "equal":
                continue
            both = min(high - low, last - first)
            found += [self.replace(low + step, new[first + step]) for step in range(both)]
            if high - low > both:
                found += self.drop(low + both, high)
            if last - first > both:
                found.append(self.add(low + both, new[first + both : last]))
        return found

    def replace(self, number: int, new: str) -> Edit:
        item = self.items[number]
        quoted = isinstance(item, yaml.ScalarNode) and item.style in ("'", '"')
        text = _rendered_like(item, "", new) if quoted else render_value([new])[1:-1]
        return Edit(_start(item), self.editor.last_of(item, item), text)

    def drop(self, low: int, high: int) -> list[Edit]:
        """Take items out, each with its comma or its line."""
        if not self.flow:
            return [Edit(*lines, "") for lines in self.lines[low:high]]
        if high < len(self.items):
            return [Edit(_start(self.items[low]), _start(self.items[high]), "")]
        return [Edit(_end(self.items[low - 1]), _end(self.items[high - 1]), "")]

    def add(self, number: int, new: Sequence[str]) -> Edit:
        """Put items before the one of that number; behind the last where there is none."""
        rendered = [render_value([item])[1:-1] for item in new]
        inside = number < len(self.items)
        if self.flow:
            at = _start(self.items[number]) if inside else _end(self.items[-1])
            return Edit(at, at, "".join(f"{item}, " if inside else f", {item}" for item in rendered))
        dash = self.editor.head[self.lines[0][0] : _start(self.items[0])]
        at = self.lines[number][0] if inside else self.lines[-1][1]
        return Edit(at, at, "".join(f"{dash}{item}{self.editor.newline}" for item in rendered))
