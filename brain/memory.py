"""A memory: text → Memory → text, and edits that change only the bytes they must (SPEC §1.2)."""

from __future__ import annotations

from brain import clock
from brain.errors import ConfigError, InvalidMemoryError
from brain.frontmatter import MAX_BYTES, NotPlainError, Quoted, line_of, parse_yaml, plain_node, split
from brain.layout import FLAT_AREAS, REMOVALS, STATUSES, TYPES, Place
from brain.text import HOOK_CHARACTERS, HOOK_WORDS, cut_words, first_sentence
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from brain.frontmatter import Node

REQUIRED = (
    "id", "type", "workflows", "tags", "scope", "confidence", "source", "status", "hits", "created", "reviewed_by",
    "refs", "verified_commit", "stale",
)  # fmt: skip
"""The fourteen keys in their order; ``refs`` may be left out."""
MAY_MISS = frozenset(("refs",))
MAY_BE_EMPTY = frozenset(("reviewed_by", "verified_commit", "refs", "tags"))
HEX = frozenset("0123456789abcdef")
TAG_START = frozenset("abcdefghijklmnopqrstuvwxyz0123456789")
TAG_CHARACTERS = TAG_START | set(".+-")
QUOTED = frozenset(("removal_reason",))
"""Sentences of people, which are always written in quotes."""
MAX_FILE_BYTES = 16384
_NOT_TEXT_WORDS = frozenset(("~", "null", "true", "false", "yes", "no", "on", "off"))
_NUMBERISH = frozenset("0123456789abcdefxoinftz_.,:+- \t")
"""What such a number or date is made of; anything else is text, without asking the regular expression."""
_NOT_TEXT = (
    # What YAML 1.1 or 1.2 readers take for a number, a time or a date.
    r"[-+]?\.(?:inf|nan)|[-+]?0x[0-9a-f_]+|[-+]?0o?[0-7_]+|[-+]?0b[01_]+|[-+]?[0-9][0-9_,]*(?:\.[0-9_]*)?(?:e[-+]?[0-9]+)?"
    r"|[-+]?\.[0-9][0-9_]*(?:e[-+]?[0-9]+)?|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?"
    r"|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:(?:t|\s+)[0-9].*)?"
)
_FLOW_SIGNS = frozenset("[]{},:#?")
"""What ends a plain scalar inside brackets, for one YAML reader or another."""


def reads_as_text(plain: str) -> bool:
    """Say whether every YAML reader takes a plain scalar for text."""
    plain = plain.lower()
    if plain in _NOT_TEXT_WORDS:
        return False
    if (plain[:1].isdigit() or plain[:1] in ("+", "-", ".")) and _NUMBERISH.issuperset(plain):
        import re

        return not re.fullmatch(_NOT_TEXT, plain)
    return True


@value
class Memory:
    """One memory: where it lies, its frontmatter, its body (lines end in LF)."""

    place: Place
    workflows: tuple[str, ...]
    tags: tuple[str, ...]
    confidence: float
    source: str
    status: str
    hits: int
    created: str
    body: str
    reviewed_by: str = ""
    refs: tuple[str, ...] = ()
    verified_commit: str | dict[str, str] = ""
    stale: bool = False
    hook: str = ""
    aliases: tuple[str, ...] = ()
    supersedes: tuple[str, ...] = ()
    superseded_by: tuple[str, ...] = ()
    review_by: str = ""
    owner: str = ""
    removal: str = ""
    """How it is proposed to be removed, or was (``REMOVALS``); "" is not at all."""
    removal_reason: str = ""
    own_scope: str = ""
    """The function a memory of a flat area is for, where no folder can say it; "" is none."""

    @property
    def id(self) -> str:
        """The id, derived from the path."""
        return self.place.id

    @property
    def type(self) -> str:
        """The type, derived from the area."""
        return self.place.type

    @property
    def scope(self) -> str:
        """The scope: the folder's name, in a flat area what the frontmatter says."""
        return self.own_scope or self.place.scope

    @property
    def path(self) -> str:
        """The path below the memory root."""
        return self.place.path

    @property
    def sentence(self) -> str:
        """The hook, or what stands for it: the body's first sentence."""
        return cut_words(" ".join(self.hook.split()), HOOK_WORDS, HOOK_CHARACTERS) or first_sentence(self.body)


class BadValueError(Exception):
    """A value its key cannot have: ``reason``, ``mend``."""

    def __init__(self, reason: str, mend: str) -> None:
        super().__init__(reason)
        self.reason, self.mend = reason, mend


def _text(node: Node) -> str:
    if not isinstance(node, str):
        raise BadValueError("is not text", "write one value, quoted if it holds a colon")
    if not isinstance(node, Quoted) and not reads_as_text(node):
        raise BadValueError(f"{str(node)!r} reads as a number, a date or a boolean", "put it in quotes")
    if "\n" in node:
        raise BadValueError("holds a line break", "keep it on one line")
    return str(node).strip()


def _texts(node: Node) -> tuple[str, ...]:
    if node == "" and not isinstance(node, Quoted):
        return ()
    if not isinstance(node, list):
        raise BadValueError("is no list", "write [one, two]")
    items = tuple(_text(item) for item in node)
    if not all(items):
        raise BadValueError("has an empty item", "take it out")
    return items


def _text_or_texts(node: Node) -> tuple[str, ...]:
    return _texts(node) if isinstance(node, list) else tuple(filter(None, (_text(node),)))


def _tags(node: Node) -> tuple[str, ...]:
    tags = _texts(node)
    for tag in tags:
        if tag.isascii() and not (tag[0] in TAG_START and TAG_CHARACTERS.issuperset(tag)):
            raise BadValueError(f"the tag {tag!r} is not lower-case ASCII", "use letters, digits, '.', '+' and '-'")
    return tags


def _plain(node: Node, reason: str, mend: str) -> str:
    if not isinstance(node, str) or isinstance(node, Quoted) or not node.isascii():
        raise BadValueError(reason, mend)
    return node


def _confidence(node: Node) -> float:
    reason, mend = "is no number", "write a number from 0.0 to 1.0"
    whole, dot, part = _plain(node, reason, mend).removeprefix("-").partition(".")
    if not whole.isdigit() or len(whole) > 9 or (dot and not part.isdigit()) or len(part) > 30:
        raise BadValueError(reason, mend)
    number = float(str(node))
    if not 0 <= number <= 1:
        raise BadValueError(f"{number:g} is not from 0.0 to 1.0", mend)
    return number


def _hits(node: Node) -> int:
    text = _plain(node, "is no whole number from 0", "write 0; consolidate counts")
    if not text.isdigit() or len(text) > 9:
        raise BadValueError("is no whole number from 0", "write 0; consolidate counts")
    return int(text)


def _flag(node: Node) -> bool:
    text = _plain(node, "is neither true nor false", "write true or false")
    if text not in ("true", "false"):
        raise BadValueError("is neither true nor false", "write true or false")
    return text == "true"


def _date(node: Node) -> str:
    if not isinstance(node, str) or len(node) != 10:
        raise BadValueError("is no date", "write YYYY-MM-DD")
    try:
        return clock.check_date(str(node), "")
    except ConfigError:
        raise BadValueError(f"{str(node)!r} is no date of the calendar", "write YYYY-MM-DD") from None


def _date_or_none(node: Node) -> str:
    return "" if node == "" and not isinstance(node, Quoted) else _date(node)


def _hex_reads_as_number(digits: str) -> bool:
    """Say whether a YAML reader takes hex digits for a number: 1234, 12e34, 0b10."""
    binary = digits.startswith("0b") and set("01").issuperset(digits[2:])
    return binary or (digits[:1].isdigit() and digits.replace("e", "", 1).isdigit())


def _commit(node: Node) -> str | dict[str, str]:
    if isinstance(node, dict):
        return {alias: str(_commit(commit)) for alias, commit in node.items()}
    if node == "":
        return ""
    if not isinstance(node, str):
        raise BadValueError("is no commit", "write the full commit id, or a map of repo alias to commit id")
    if not isinstance(node, Quoted) and _hex_reads_as_number(node):
        raise BadValueError("this commit id reads as a number", "put it in quotes")
    if len(node) not in (40, 64) or not HEX.issuperset(node):
        raise BadValueError(f"{str(node)[:50]!r} is no full commit id", "write all 40 lower-case hex digits")
    return str(node)


def _one_of(words: tuple[str, ...]) -> Callable[[Node], str]:
    def check(node: Node) -> str:
        text = _text(node)
        if text not in words:
            raise BadValueError(f"{text!r} is unknown", f"write one of {', '.join(words)}")
        return text

    return check


def _removal(node: Node) -> str:
    return "" if node == "" and not isinstance(node, Quoted) else _one_of(REMOVALS)(node)


SCHEMA: dict[str, Callable[[Node], Any]] = {
    "id": _text, "type": _one_of(TYPES), "workflows": _texts, "tags": _tags, "scope": _text,
    "confidence": _confidence, "source": _text, "status": _one_of(STATUSES), "hits": _hits, "created": _date,
    "reviewed_by": _text, "refs": _texts, "verified_commit": _commit, "stale": _flag, "hook": _text,
    "aliases": _texts, "supersedes": _text_or_texts, "superseded_by": _text_or_texts, "review_by": _date_or_none,
    "owner": _text, "removal": _removal, "removal_reason": _text,
}  # fmt: skip
"""Key → what reads its node, or raises BadValueError."""

_seen: dict[str, tuple[str, Any]] = {}  # line → key and value: most lines of a store are alike


def parse_memory(text: str, place: Place, path: str = "") -> Memory:
    """Return the memory that a file's text holds; see ``parse_record``."""
    return parse_record(text, place, path)[0]


def parse_record(text: str, place: Place, path: str = "") -> tuple[Memory, bool]:
    """Return the memory that a file's text holds, and whether it is in the one-line form, which needs no YAML library.

    Args:
        text: The whole file, decoded.
        place: Where it lies.
        path: The name errors give it; the place's path by default.

    Raises:
        InvalidMemoryError: The frontmatter is not what SPEC §1.2 asks, or disagrees with the place.
    """
    path = path or place.path
    head, body, _ = split(text, path)
    try:
        fields, is_plain = _plain_fields(head), True
    except (NotPlainError, BadValueError):
        fields, is_plain = _yaml_fields(head, path), False
    _check_complete(fields, head, path)
    _check_place(fields, place, head, path)
    body = body.replace("\r\n", "\n").strip("\r\n")
    own = fields["scope"] if place.area in FLAT_AREAS and fields["scope"] != place.scope else ""
    named = {key: fields[key] for key in MEMORY_KEYS if key in fields}
    return Memory(place, body=body, own_scope=own, **named), is_plain


MEMORY_KEYS = tuple(key for key in SCHEMA if key not in ("id", "type", "scope"))


def _plain_fields(head: str) -> dict[str, Any]:
    """Read the one-line form; NotPlainError or BadValueError where the strict reader has to look."""
    if len(head) > MAX_BYTES // 4 and len(head.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        raise NotPlainError
    lines = head[:-1].split("\n")
    fields: dict[str, Any] = {}
    for line in lines:
        found = _seen.get(line)
        if found is None:
            found = _remember_line(line)
        fields[found[0]] = found[1]
    if len(fields) != len(lines):
        raise NotPlainError
    return fields


def _remember_line(line: str) -> tuple[str, Any]:
    key, node = plain_node(line)
    read = SCHEMA.get(key)
    found = key, read(node) if read else None
    if len(_seen) < 50_000:
        _seen[line] = found
    return found


def _yaml_fields(head: str, path: str) -> dict[str, Any]:
    fields = {}
    for key, node in parse_yaml(head, path).items():
        if node == "" and not isinstance(node, Quoted) and key in REQUIRED and key not in MAY_BE_EMPTY:
            raise InvalidMemoryError(path, line_of(head, key), f"{key} is empty", f"give {key} a value")
        if key in SCHEMA:
            try:
                fields[key] = SCHEMA[key](node)
            except BadValueError as error:
                raise InvalidMemoryError(path, line_of(head, key), f"{key}: {error.reason}", error.mend) from None
    return fields


def _check_complete(fields: dict[str, Any], head: str, path: str) -> None:
    for key in REQUIRED:
        if key not in fields:
            if key not in MAY_MISS:
                raise InvalidMemoryError(path, 1, f"{key} is missing", f"add the key {key}")
        elif fields[key] in ("", ()) and key not in MAY_BE_EMPTY:
            raise InvalidMemoryError(path, line_of(head, key), f"{key} is empty", f"give {key} a value")


def _check_place(fields: dict[str, Any], place: Place, head: str, path: str) -> None:
    for key, wanted in (("id", place.id), ("type", place.type), ("scope", place.scope)):
        if fields[key] == wanted or (key == "scope" and place.area in FLAT_AREAS):
            continue
        raise InvalidMemoryError(
            path, line_of(head, key), f"{key} is {fields[key]!r}, its place says {wanted!r}", f"write {key}: {wanted}"
        )


def render_scalar(text: str) -> str:
    """Return ``text`` as a YAML scalar every reader takes for the same text: plain where that is safe."""
    try:
        if isinstance(plain_node(f"k: {text}")[1], str) and text == text.strip() and reads_as_text(text):
            node = plain_node(f"k: {text}")[1]
            if not isinstance(node, Quoted):
                return text
    except NotPlainError:
        pass
    return quote(text)


def quote(text: str) -> str:
    """Return ``text`` in double quotes, as JSON and YAML both read it; what YAML may not hold is escaped."""
    import json
    import re

    escaped = "[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]"
    return re.sub(escaped, lambda match: f"\\u{ord(match[0]):04x}", json.dumps(text, ensure_ascii=False))


def render_value(node: Any) -> str:
    """Return a frontmatter value on one line."""
    if isinstance(node, bool):
        return "true" if node else "false"
    if isinstance(node, (int, float)):
        return _number(node)
    if isinstance(node, str):
        return render_scalar(node) if node else ""
    if isinstance(node, dict):
        pairs = [f"{_flow_scalar(alias)}: {render_scalar(commit)}" for alias, commit in node.items()]
        return "{" + ", ".join(pairs) + "}"
    return "[" + ", ".join(_flow_scalar(item) for item in node) + "]"


def _number(number: float) -> str:
    text = repr(number)
    if "e" not in text:
        return text
    from decimal import Decimal  # seldom: a confidence near nothing

    return f"{Decimal(text):f}"


def _flow_scalar(text: str) -> str:
    scalar = render_scalar(text)
    return quote(text) if scalar == text and not _FLOW_SIGNS.isdisjoint(text) else scalar


def render_memory(memory: Memory) -> str:
    """Return the file of a new memory: the fourteen keys in order, the optional ones that are set, the body."""
    fields: dict[str, Any] = {"id": memory.id, "type": memory.type, "scope": memory.scope}
    fields.update({key: getattr(memory, key) for key in MEMORY_KEYS})
    optional = [key for key in MEMORY_KEYS if key not in REQUIRED and fields[key]]
    lines = [f"{key}: {_render_field(key, fields[key])}".rstrip() for key in (*REQUIRED, *optional)]
    return "---\n" + "\n".join(lines) + "\n---\n\n" + memory.body.strip("\r\n") + "\n"


def _render_field(key: str, node: Any) -> str:
    if key in QUOTED and node:
        return quote(node)
    return str(node) if key in ("created", "review_by") else render_value(node)
