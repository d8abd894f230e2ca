"""Change values of a file's frontmatter and nothing else: no other byte moves (SPEC §1.2).

PyYAML says where each value stands; comments, order, quoting, list style, line endings and BOM are never looked at,
so they cannot change. The result is read again before it is returned.
"""

from __future__ import annotations

import json
from difflib import SequenceMatcher

from brain.errors import InvalidMemoryError
from brain.frontmatter import parse_yaml, split
from brain.memory import SCHEMA, BadValueError, render_value
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    import yaml

    from brain.frontmatter import Node

ORDER = tuple(SCHEMA)
"""The fourteen keys, then the optional ones: where a missing key is put."""
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
        changes: Key → value as ``Memory`` holds it; "" or () empties. A key that is missing is put in its place.
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
    wanted = {key: new for key, new in changes.items() if key not in before or _read(key, before[key]) != _plain(new)}
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


def _plain(new: Any) -> Any:
    return tuple(new) if isinstance(new, list) else new


def _read(key: str, node: Node) -> Any:
    """Return what a node means, or an object equal to nothing where it means nothing."""
    try:
        return SCHEMA[key](node)
    except BadValueError:
        return object()


def _verify(edited: str, before: Mapping[str, Node], wanted: Mapping[str, Any], path: str) -> None:
    """Raise unless ``edited`` holds the new values, and for every other key the very node it held before."""
    after = parse_yaml(split(edited, path)[0], path)
    for key in {**before, **after}:
        if key in wanted:
            same = key in after and _read(key, after[key]) == _plain(wanted[key])
        else:
            same = _form(after.get(key)) == _form(before.get(key))
        if not same:
            raise InvalidMemoryError(path, 1, f"{key} cannot be changed in place", "write the frontmatter one key a line")


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
    import yaml

    try:
        node = yaml.compose(head, Loader=yaml.SafeLoader)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise InvalidMemoryError(path, 1, f"not YAML: {str(error).splitlines()[0]}", "quote the value") from None
    assert isinstance(node, yaml.MappingNode)
    return node


def render_like(node: yaml.ScalarNode, key: str, new: Any) -> str:
    """Return a scalar in the quotes that the old one had, where the new value can have them."""
    if not isinstance(new, str) or key in DATES:
        return new if isinstance(new, str) else render_value(new)
    if node.style == "'" and new.isprintable():
        return "'" + new.replace("'", "''") + "'"
    if node.style == '"':
        return json.dumps(new, ensure_ascii=not new.isprintable())
    return render_value(new)


class _Editor:
    """Finds the edits for one frontmatter; positions count characters of ``head``."""

    def __init__(self, head: str, newline: str, path: str) -> None:
        self.head, self.newline = head, newline
        self.top = _compose(head, path)
        self.pairs = {str(key.value): (key, node) for key, node in self.top.value}

    def edits(self, wanted: Mapping[str, Any]) -> list[Edit]:
        found: list[Edit] = []
        missing: dict[int, list[str]] = {}
        for key in sorted(wanted, key=ORDER.index):
            if key in self.pairs:
                found += self.change(key, wanted[key])
            else:
                missing.setdefault(self.place_of(key), []).append(self.new_line(key, wanted[key]))
        for at, lines in missing.items():
            lead = self.newline if at and self.head[at - 1] not in "\r\n" else ""
            found.append(Edit(at, at, lead + "".join(lines)))
        return found

    def new_line(self, key: str, new: Any) -> str:
        scalar = str(new) if key in DATES else render_value(new)
        indent = " " * self.top.start_mark.column
        return f"{indent}{key}: {scalar}".rstrip() + self.newline

    def place_of(self, key: str) -> int:
        """Return where a missing key's line begins: behind the nearest key that comes before it in the order."""
        for earlier in reversed(ORDER[: ORDER.index(key)]):
            if earlier in self.pairs:
                return self.line_end(self.last_of(*self.pairs[earlier]))
        return self.line_start(int(self.top.value[0][0].start_mark.index))

    def change(self, key: str, new: Any) -> list[Edit]:
        name, node = self.pairs[key]
        new = list(new) if isinstance(new, (list, tuple)) else new
        if isinstance(new, list) and new and node.id == "sequence":
            return self.change_items(node, new)
        if isinstance(new, dict) and node.id == "mapping" and [item.value for item, _ in node.value] == list(new):
            return [self.scalar(item, key, new[alias.value]) for alias, item in node.value]
        if isinstance(new, (str, int, float)) and new != "" and node.id == "scalar" and node.end_mark.index > node.start_mark.index:
            return [self.scalar(node, key, new)]
        rendered = str(new) if key in DATES else render_value(new)
        return self.put_anew(name, node, rendered)

    def scalar(self, node: yaml.ScalarNode, key: str, new: Any) -> Edit:
        start, end = int(node.start_mark.index), self.last_of(node, node)
        return Edit(start, end, render_like(node, key, new))

    def put_anew(self, name: yaml.Node, node: yaml.Node, rendered: str) -> list[Edit]:
        """Write a value of another kind, or none, behind the key's colon, and take the old one out."""
        colon = self.head.index(":", int(name.end_mark.index)) + 1
        text = f" {rendered}" if rendered else ""
        if node.id != "scalar" and not node.flow_style:
            return [Edit(colon, colon, text), *(Edit(*lines, "") for lines in self.lines_of(node))]
        start, end = int(node.start_mark.index), self.last_of(name, node)
        if start == end or not self.head[colon:start].strip():
            return [Edit(colon, max(end, colon), text)]
        return [Edit(colon, colon, text), Edit(start, end, "")]  # a comment stands between

    def lines_of(self, node: yaml.Node) -> list[tuple[int, int]]:
        """Return start and end of the lines of each item of a block."""
        spans = []
        for item in node.value:
            first, last = item if node.id == "mapping" else (item, item)
            spans.append((self.line_start(int(first.start_mark.index)), self.line_end(self.last_of(first, last))))
        return spans

    def change_items(self, node: yaml.SequenceNode, new: Sequence[str]) -> list[Edit]:
        """Return the fewest edits that turn a list's items into the new ones."""
        old = [str(item.value) for item in node.value]
        if not old:
            return [Edit(int(node.start_mark.index), int(node.end_mark.index), render_value(list(new)))]
        found: list[Edit] = []
        for kind, low, high, first, last in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
            if kind == "equal":
                continue
            both = min(high - low, last - first)
            found += [self.item(node, low + step, new[first + step]) for step in range(both)]
            found += [self.drop(node, number) for number in range(low + both, high)]
            if last - first > both:
                found.append(self.add(node, low + both, new[first + both : last]))
        return found

    def item(self, node: yaml.SequenceNode, number: int, new: str) -> Edit:
        item = node.value[number]
        quoted = render_like(item, "", new) if item.style in ("'", '"') else render_value([new])[1:-1]
        return Edit(int(item.start_mark.index), self.last_of(item, item), quoted)

    def drop(self, node: yaml.SequenceNode, number: int) -> Edit:
        if not node.flow_style:
            return Edit(*self.lines_of(node)[number], "")
        start, end = int(node.value[number].start_mark.index), int(node.value[number].end_mark.index)
        if number + 1 < len(node.value):
            return Edit(start, int(node.value[number + 1].start_mark.index), "")
        return Edit(int(node.value[number - 1].end_mark.index), end, "")

    def add(self, node: yaml.SequenceNode, number: int, items: Sequence[str]) -> Edit:
        """Put items before the one of that number; behind the last where there is none."""
        rendered = [render_value([item])[1:-1] for item in items]
        if node.flow_style:
            if number < len(node.value):
                at = int(node.value[number].start_mark.index)
                return Edit(at, at, "".join(f"{item}, " for item in rendered))
            at = int(node.value[-1].end_mark.index)
            return Edit(at, at, "".join(f", {item}" for item in rendered))
        spans = self.lines_of(node)
        dash = self.head[spans[0][0] : int(node.value[0].start_mark.index)]
        at = spans[number][0] if number < len(spans) else spans[-1][1]
        lead = self.newline if self.head[at - 1] not in "\r\n" else ""
        return Edit(at, at, lead + "".join(f"{dash}{item}{self.newline}" for item in rendered))

    def last_of(self, name: yaml.Node, node: yaml.Node) -> int:
        """Return where a value's own text ends; a block's mark lies behind the comments after it."""
        if node.id != "scalar" and not node.flow_style:
            last = node.value[-1] if node.id == "sequence" else node.value[-1][1]
            return self.last_of(last, last)
        start, end = int(node.start_mark.index), int(node.end_mark.index)
        if node.id == "scalar" and node.style in ("|", ">"):
            return start + len(self.head[start:end].rstrip())
        return max(end, int(name.end_mark.index)) if end == start else end

    def line_start(self, at: int) -> int:
        return self.head.rfind("\n", 0, at) + 1

    def line_end(self, at: int) -> int:
        return self.head.find("\n", at) + 1 or len(self.head)
