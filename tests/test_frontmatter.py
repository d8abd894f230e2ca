"""The plain reader against YAML: what it accepts, YAML reads the same; whatever comes, no crash."""

from __future__ import annotations

import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from brain.errors import InvalidMemoryError
from brain.frontmatter import MAX_BYTES, NotPlainError, Quoted, line_of, parse_yaml, plain_node, split

SIGNS = [*"ab0 9_-.:,#'\"[]{}&*!|>%@`?~=/\\()+<^$;é在ー",
    ": ", " #", ", ", "\t", "\xa0", "\u3000", "\x85", "\u2028", "\ufeff", "\u200b", "\u0301", "null", "true", "1e5", "--- ",
]  # fmt: skip
values = st.lists(st.sampled_from(SIGNS), max_size=12).map("".join)
keys = st.sampled_from(["source", "tags", "hits", "verified_commit", "hook", "on", "a_b"])
lines = st.builds("{}:{}{}".format, keys, st.sampled_from(["", " ", "  "]), values)
SPELLINGS = (
    "{}", "'{}'", '"{}"', "[{}]", "[{}, b]", "[ 'x', \"{}\" ]", "{{code: {}}}", "{{code: '{}', d: ab}}", "{} # note", "[{}] # ]", "{}:",
)  # fmt: skip
spelled = st.builds(lambda key, form, text: f"{key}: {form.format(text)}", keys, st.sampled_from(SPELLINGS), values)


def form(node: object) -> object:
    """Return a node with the kinds of its scalars."""
    if isinstance(node, list):
        return [form(item) for item in node]
    if isinstance(node, dict):
        return {key: form(item) for key, item in node.items()}
    return "quoted" if isinstance(node, Quoted) else "plain", str(node)


@given(st.one_of(lines, spelled, st.text(max_size=40)))
@example("source: a: b")
@example("source: a #b")
@example("source: a\tb")
@example("source: b\xa0")
@example("source: a\u2028b")
@example("tags: [a?b]")
@example("tags: [a, 'b,c', \"d\"]")
@example("tags: [a b, c]  ")
@example("tags: [a,b,]")
@example("verified_commit: {code: 12345}")
@example("verified_commit: {code: '12345'}")
@example("source: 'it''s'")
@example('source: "a\\nb"')
@example("source: ...")
@example("source: x:")
def test_what_the_plain_reader_accepts_yaml_reads_the_same(line: str) -> None:
    if "\n" in line:
        return
    try:
        key, node = plain_node(line)
    except NotPlainError:
        return
    assert form(parse_yaml(line + "\n", "")) == {key: form(node)}


@pytest.mark.parametrize(
    ("line", "node"),
    [
        ("source: ticket ORD-1024", "ticket ORD-1024"),
        ("source:", ""),
        ("source:   spaced   ", "spaced"),
        ("source: https://x.example/a?b=c", "https://x.example/a?b=c"),
        ("source: đơn hàng", "đơn hàng"),
        ("source: 'a: b # c'", Quoted("a: b # c")),
        ('source: "在庫, [x]"', Quoted("在庫, [x]")),
        ("tags: []", []),
        ("tags: [orders, batch-2, a.b+c]", ["orders", "batch-2", "a.b+c"]),
        ("tags: [受注, đơn hàng, 'x y']", ["受注", "đơn hàng", Quoted("x y")]),
        ("verified_commit: {docs: ab12, code: 'cd'}", {"docs": "ab12", "code": Quoted("cd")}),
    ],
)
def test_the_one_line_form_is_read_without_yaml(line: str, node: object) -> None:
    assert form(plain_node(line)[1]) == form(node)


@pytest.mark.parametrize(
    "line",
    [
        "source: a: b", "source: a #b", "source: a:", "source: &x a", "source: *x", "source: !!str 1", "source: @a", "source: `a`", "source: %a",
        "source: |", "source: >-", "source: - a", "source: ? a", "source: 'a''b'", 'source: "a\\"b"', 'source: "a', "source: a\tb", "source: a\xa0b",
        "source: a\u3000b", "source: a\x85b", "source: a\u2028b", "source: a\u200bb", "source: a\r", "source:a", " source: a", "Source: a", "'source': a",
        "tags: [a, 'b, c']", "tags: [a, [b]]", "tags: [a: b]", "tags: [a, , b]", "tags: [a, -b]", "tags: [a, #b]", "tags: [a] #", "tags: {a: b, c}",
        "# comment", "", "- a", "---", "on", "1: a", "? a",
    ],
)  # fmt: skip
def test_what_may_mean_something_else_is_left_to_yaml(line: str) -> None:
    with pytest.raises(NotPlainError):
        plain_node(line)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("---\na: b\n---\n\nBody.\n", ("a: b\n", "\nBody.\n", 4)),
        ("---\n---\nBody", ("", "Body", 3)),
        ("---\na: b\n---", ("a: b\n", "", 4)),
        ("---\r\na: b\r\n---\r\nBody\r\n", ("a: b\r\n", "Body\r\n", 4)),
        ("---  \na: b\n---\t\nBody", ("a: b\n", "Body", 4)),
        ("\ufeff---\na: b\n---\nBody", ("a: b\n", "Body", 4)),
        ("---\na: b\n---\nx\n---\ny\n---\n", ("a: b\n", "x\n---\ny\n---\n", 4)),
        ("---\na: x\u2028---\n---\nBody", ("a: x\u2028---\n", "Body", 4)),
        ("---\na: b\n----\n---\nBody", ("a: b\n----\n", "Body", 5)),
    ],
)
def test_a_file_is_split_at_its_fences(text: str, parts: tuple[str, str, int]) -> None:
    assert split(text, "x.md") == parts


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "the file is empty"),
        ("\ufeff", "the file is empty"),
        (" \n\t\n", "no frontmatter"),
        ("Text\n", "no frontmatter"),
        ("\n---\na: b\n---\n", "no frontmatter"),
        ("----\na: b\n----\n", "no frontmatter"),
        ("  ---\na: b\n  ---\n", "no frontmatter"),
        ("+++\na = 1\n+++\n", "no frontmatter"),
        ("---\u3000\na: b\n---\n", "no frontmatter"),
        ("---\ra: b\r---\rBody\r", "lines end in a lone CR"),
        ("---\na: b\n", "the frontmatter is not closed"),
        ("---\na: b\n...\n", "the frontmatter is not closed"),
        ("---", "the frontmatter is not closed"),
    ],
)
def test_a_file_without_a_closed_block_says_what_it_lacks(text: str, reason: str) -> None:
    with pytest.raises(InvalidMemoryError) as caught:
        split(text, "x.md")
    assert (str(caught.value), bool(caught.value.mend)) == (f"x.md:1: {reason}", True)


@pytest.mark.parametrize(
    ("head", "error"),
    [
        ("a: &x b\n", "x.md:2: anchors and aliases are not allowed"),
        ("a: b\nc: *x\n", "x.md:3: anchors and aliases are not allowed"),
        ("a: !!python/name:os.system\n", "x.md:2: the tag 'tag:yaml.org,2002:python/name:os.system' is not allowed"),
        ("a: !x b\n", "x.md:2: the tag '!x' is not allowed"),
        ("a: ! b\n", "x.md:2: the tag '!' is not allowed"),
        ("a: b\nc: d\na: e\n", "x.md:4: the key 'a' stands twice"),
        ('a: b\n"a": e\n', "x.md:3: the key 'a' stands twice"),
        ("m: {a: 1, a: 2}\n", "x.md:2: the key 'a' stands twice"),
        ("? [a]\n: b\n", "x.md:2: a key is not text"),
        ("- a\n", "x.md:2: the frontmatter is no mapping"),
        ("text\n", "x.md:2: the frontmatter is no mapping"),
        ("", "x.md:1: the frontmatter is empty"),
        ("# note\n", "x.md:1: the frontmatter is empty"),
        ("a: b\n--- \nc: d\n", "x.md:3: the frontmatter holds a second document"),
        ("x: " + "[" * 300 + "]" * 300 + "\n", "x.md:2: nested deeper than 4"),
        ("a: " + "x" * MAX_BYTES + "\n", f"x.md:1: the frontmatter is over {MAX_BYTES} bytes"),
    ],
)  # fmt: skip
def test_what_could_hide_or_grow_is_refused_at_its_line(head: str, error: str) -> None:
    with pytest.raises(InvalidMemoryError) as caught:
        parse_yaml(head, "x.md")
    assert (str(caught.value), bool(caught.value.mend)) == (error, True)


@pytest.mark.parametrize(
    ("head", "line"),
    [("a: b\nc: 'd\n", 4), ("a: b\nc: d: e\n", 3), ("a: b\n\tc: d\n", 3), ("a: b\nc: @d\n", 3), ("a: b\nc: \x01\n", 3), ("a: [b\nc: d\n", 3)],
)  # fmt: skip
def test_bad_yaml_names_its_line(head: str, line: int) -> None:
    with pytest.raises(InvalidMemoryError, match="not YAML") as caught:
        parse_yaml(head, "x.md")
    assert caught.value.line == line


@given(st.one_of(st.text(max_size=300), st.lists(st.one_of(lines, spelled), max_size=8).map("\n".join)))
def test_whatever_the_head_holds_it_is_read_or_refused(head: str) -> None:
    try:
        parse_yaml(head, "x.md")
    except InvalidMemoryError as error:
        refused = error
    else:
        return
    assert 1 <= refused.line <= head.count("\n") + 3
    assert refused.mend


@given(st.text(alphabet=st.sampled_from(list("-\n\r \tab:\ufeff\x85\u2028")), max_size=40))
def test_whatever_the_file_holds_split_loses_nothing_of_it(text: str) -> None:
    try:
        head, body, line = split(text, "x.md")
    except InvalidMemoryError:
        return
    rest = text.removeprefix("\ufeff")
    assert head in rest
    assert rest.endswith(body)
    assert rest[: len(rest) - len(body)].count("\n") == line - 1 or not body


BOMB = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{b}: &{b} [{','.join(['*' + a] * 9)}]\n" for a, b in zip("abcdefgh", "bcdefghi", strict=True)
)


@pytest.mark.parametrize(
    "head",
    [BOMB, "a: " + "{" * 2000, "a:\n" + " - " * 1000, "? " * 2000, "a: '" + "'" * 4000, "[" * 4000, "&a " * 1300],
)
def test_nothing_makes_the_reader_slow(head: str) -> None:
    start = time.monotonic()
    with pytest.raises(InvalidMemoryError):
        parse_yaml(head, "x.md")
    assert time.monotonic() - start < 1


@pytest.mark.parametrize(
    ("head", "key", "line"),
    [
        ("a: b\nid: c\n", "id", 3),
        ('"id": c\n', "id", 2),
        ("'id' : c\n", "id", 2),
        ("note: id\nid: c\n", "id", 3),
        ("note: x\u2028\nid: c\n", "id", 3),
        ("m:\n  id: x\nid: c\n", "id", 4),
        ("a: b\n", "id", 1),
    ],
)
def test_a_key_is_found_on_its_line(head: str, key: str, line: int) -> None:
    assert line_of(head, key) == line
