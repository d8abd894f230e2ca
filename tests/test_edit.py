"""Edits of frontmatter: the value asked for, and no other byte."""

from __future__ import annotations

import re

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from brain.edit import edit_memory
from brain.errors import InvalidMemoryError
from brain.frontmatter import parse_yaml, split
from brain.layout import find_place
from brain.memory import SCHEMA, parse_memory
from tests.support.repos import memory_text

PATH = "00.Shared/decisions/x.md"
TEXT = memory_text(PATH)


def changed_lines(old: str, new: str) -> list[str]:
    """Return the lines of ``new`` that are not in ``old``."""
    return [line for line in new.splitlines() if line not in old.splitlines()]


def test_only_the_lines_of_the_changed_keys_change() -> None:
    edited = edit_memory(TEXT, {"status": "pending", "reviewed_by": "", "hits": 3})
    expected = TEXT.replace("status: approved", "status: pending").replace("reviewed_by: pm", "reviewed_by:")
    assert edited == expected.replace("hits: 0", "hits: 3")


def test_an_empty_value_gets_one_and_loses_it_again() -> None:
    empty = TEXT.replace("reviewed_by: pm", "reviewed_by:   # filled by finalize")
    filled = edit_memory(empty, {"reviewed_by": "ada"})
    assert filled == empty.replace("reviewed_by:   #", "reviewed_by: ada   #")
    assert edit_memory(filled, {"reviewed_by": ""}) == empty


def test_a_value_that_holds_already_changes_nothing() -> None:
    odd = TEXT.replace("status: approved", 'status:   "approved"').replace("[payment]", "[ 'payment' ]")
    assert edit_memory(odd, {"status": "approved", "tags": ["payment"], "hook": "", "confidence": 0.80}) == odd


def test_missing_keys_are_put_in_their_canonical_place() -> None:
    bare = TEXT.replace("refs: []\n", "")
    edited = edit_memory(bare, {"hook": "Retry twice", "refs": ["src/a.py"], "owner": "ada"})
    lines = edited.splitlines()
    assert lines[lines.index("reviewed_by: pm") + 1] == "refs: [src/a.py]"
    assert lines[lines.index("stale: false") + 1 :][:3] == ["hook: Retry twice", "owner: ada", "---"]


@pytest.mark.parametrize(
    ("key", "value", "line"),
    [
        ("verified_commit", "1" * 40, f'verified_commit: "{"1" * 40}"'),
        ("verified_commit", {"code": "1" * 40, "docs": "a" * 40}, f'verified_commit: {{code: "{"1" * 40}", docs: {"a" * 40}}}'),
        ("created", "2026-02-03", "created: 2026-02-03"),
        ("review_by", "2027-01-01", "review_by: 2027-01-01"),
        ("source", "12:30", 'source: "12:30"'),
        ("source", "no", 'source: "no"'),
        ("source", "a: b # c", 'source: "a: b # c"'),
        ("hook", "# not a comment", 'hook: "# not a comment"'),
        ("hook", "決定　その一", 'hook: "決定　その一"'),
        ("aliases", ["受注", "đơn hàng", "a, b", "1.10"], 'aliases: [受注, đơn hàng, "a, b", "1.10"]'),
        ("stale", True, "stale: true"),
        ("confidence", 0.35, "confidence: 0.35"),
    ],
)  # fmt: skip
def test_values_are_written_so_that_every_yaml_reader_agrees(key: str, value: object, line: str) -> None:
    edited = edit_memory(TEXT, {key: value})
    assert changed_lines(TEXT, edited) == [line]
    read = yaml.safe_load(split(edited, "")[0])[key]
    assert (read if key not in ("created", "review_by") else str(read)) == value


@pytest.mark.parametrize("text", ["a\x85next", "a\u2028b", "\ufeffx", "tab\there", 'say "hi" \\ there', "'", "\x7f"])
def test_characters_that_yaml_would_change_are_escaped(text: str) -> None:
    for old in ("hook: x", 'hook: "x"', "hook: 'x'"):
        base = TEXT.replace("stale: false\n", f"stale: false\n{old}\n")
        edited = edit_memory(base, {"hook": text})
        assert yaml.safe_load(split(edited, "")[0])["hook"] == text


def test_quotes_stay_the_quotes_they_were() -> None:
    quoted = TEXT.replace("source: TICKET-1", "source: 'TICKET-1'  # old").replace("[payment]", '["payment"]')
    edited = edit_memory(quoted, {"source": "it's", "tags": ["order"]})
    assert "source: 'it''s'  # old\n" in edited
    assert 'tags: ["order"]\n' in edited


BLOCK = TEXT.replace("tags: [payment]", "tags:  # mine\n  - payment # p\n  # own line\n  - 'retry'\n\n# behind")


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        (["order", "retry"], "tags:  # mine\n  - order # p\n  # own line\n  - 'retry'\n\n# behind"),
        (["payment", "retry", "x"], "tags:  # mine\n  - payment # p\n  # own line\n  - 'retry'\n  - x\n\n# behind"),
        (["x", "payment", "retry"], "tags:  # mine\n  - x\n  - payment # p\n  # own line\n  - 'retry'\n\n# behind"),
        (["payment"], "tags:  # mine\n  - payment # p\n  # own line\n\n# behind"),
        (["retry"], "tags:  # mine\n  # own line\n  - 'retry'\n\n# behind"),
        ([], "tags: []  # mine\n  # own line\n\n# behind"),
    ],
)
def test_a_block_list_stays_one_and_keeps_its_comments(tags: list[str], expected: str) -> None:
    crlf = BLOCK.replace("\n", "\r\n")
    start = BLOCK.index("tags:")
    assert edit_memory(BLOCK, {"tags": tags}) == BLOCK[:start] + expected + BLOCK[BLOCK.index("\nscope") :]
    assert edit_memory(crlf, {"tags": tags}) == edit_memory(BLOCK, {"tags": tags}).replace("\n", "\r\n")


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("[a, b, c]", ["a"], "[a]"),
        ("[a, b, c]", ["c"], "[c]"),
        ("[a, b, c]", ["x"], "[x]"),
        ("[ a,b , c ]", ["a", "b", "c", "d"], "[ a,b , c, d ]"),
        ("[a, b,]", ["a", "b", "c"], "[a, b, c,]"),
        ("[a,\n  b,  # two\n  c]", ["a", "x", "c"], "[a,\n  x,  # two\n  c]"),
        ("[]", ["a"], "[a]"),
        ("[ ]", ["a", "b"], "[a, b]"),
        ("", ["a"], "[a]"),
        ("[a]", [], "[]"),
    ],
)
def test_a_flow_list_stays_one(old: str, new: list[str], expected: str) -> None:
    text = TEXT.replace("tags: [payment]", f"tags: {old}".rstrip())
    assert edit_memory(text, {"tags": new}) == TEXT.replace("tags: [payment]", f"tags: {expected}")


def test_a_map_of_commits_changes_commit_by_commit() -> None:
    new = {"code": "c" * 40, "docs": "b" * 40}
    block = TEXT.replace("verified_commit: ", f"verified_commit:\n  code: {'a' * 40} # c\n  docs: '{'b' * 40}'\n#")
    assert edit_memory(block, {"verified_commit": new}) == block.replace("a" * 40, "c" * 40)
    one = edit_memory(block, {"verified_commit": "d" * 40})
    assert "\nverified_commit: " + "d" * 40 + "\n#" in one


def test_a_folded_value_becomes_one_line() -> None:
    folded = TEXT.replace("source: TICKET-1", "source: >-\n  from the\n  retro\n\n# behind")
    assert edit_memory(folded, {"source": "x"}) == TEXT.replace("source: TICKET-1", "source: x\n\n# behind")


def test_what_cannot_be_read_or_would_not_be_right_is_refused() -> None:
    for broken in ("", "# no frontmatter", TEXT.replace("status: approved", "status: &a approved")):
        with pytest.raises(InvalidMemoryError):
            edit_memory(broken, {"status": "pending"}, "x.md")
    for changes in ({"created": "soon"}, {"status": "maybe"}, {"hook": "two\nlines"}, {"hits": -1}, {"created": ""}):
        with pytest.raises(InvalidMemoryError):
            edit_memory(TEXT, changes, "x.md")
    with pytest.raises(ValueError, match="stauts"):
        edit_memory(TEXT, {"stauts": "pending"})


def test_frontmatter_in_braces_takes_new_values_and_no_new_keys() -> None:
    braces = "---\n{id: x, status: approved}\n---\n\nbody\n"
    assert edit_memory(braces, {"status": "pending"}) == braces.replace("approved", "pending")
    with pytest.raises(InvalidMemoryError):
        edit_memory(braces, {"owner": "ada"})


words = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zl", "Zp"), exclude_characters="\ufeff\ufffe\uffff"),
                min_size=1, max_size=20).map(str.strip).filter(bool)  # fmt: skip
tags = st.lists(
    st.from_regex("[a-z0-9][a-z0-9.+-]*", fullmatch=True).map(lambda tag: tag[:12]), min_size=1, max_size=4, unique=True
)
gaps = st.sampled_from(["", "\n", "# a comment\n", "  # status: approved\n", "\n# two\n\n"])
tails = st.sampled_from(["", "  ", " # why", "\t# tab", " #"])
NEW = {"status": st.sampled_from(["pending", "deprecated"]), "reviewed_by": st.one_of(words, st.just("")), "hits": st.integers(0, 999),
       "source": words, "hook": words, "confidence": st.integers(0, 100).map(lambda number: number / 100), "tags": tags, "aliases": st.lists(words, max_size=4),
       "stale": st.booleans(), "verified_commit": st.from_regex("[0-9]{40}|[0-9a-f]{40}", fullmatch=True)}  # fmt: skip


@st.composite
def files(draw: st.DrawFn) -> str:
    """Return a memory file as a person might have written it."""
    lines = []
    for line in (
        edit_memory(TEXT, {"hook": draw(words), "tags": draw(tags), "aliases": ["受注", "b c"]})
        .split("\n---\n")[0]
        .split("\n")[1:]
    ):
        key, _, value = line.partition(": ")
        key = key.rstrip(":")
        if value.startswith("[") and value != "[]" and draw(st.booleans()):
            dash = draw(st.sampled_from(["- ", "  - ", "    -   "]))
            value = "".join(f"\n{dash}{item}{draw(tails)}" for item in value[1:-1].split(", "))
        elif key in ("source", "hook", "status", "reviewed_by") and value[:1] not in "\"'" and draw(st.booleans()):
            value = (
                f"'{value.replace(chr(39), chr(39) * 2)}'"
                if draw(st.booleans())
                else yaml.dump(value, default_style='"', width=9999).strip()
            )
        space = draw(st.sampled_from([" ", "   "])) if value and value[0] != "\n" else ""
        lines.append(f"{draw(gaps)}{key}:{space}{value}{draw(tails)}\n")
    order = draw(st.permutations(lines)) if draw(st.booleans()) else lines
    text = (
        "---\n" + "".join(order) + draw(gaps) + "---\n\n" + "Body.\n---\nstatus: approved\n" * draw(st.integers(0, 2))
    )
    return draw(st.sampled_from(["", "\ufeff"])) + text.replace("\n", draw(st.sampled_from(["\n", "\r\n"])))


def nodes(text: str) -> dict[str, object]:
    return dict(parse_yaml(split(text, "")[0], ""))


@settings(max_examples=150, deadline=None)
@given(files(), st.data())
def test_any_file_keeps_every_byte_outside_the_changed_values(text: str, data: st.DataObject) -> None:
    key = data.draw(st.sampled_from(sorted(NEW)))
    new = data.draw(NEW[key])
    edited = edit_memory(text, {key: new})
    before, after = nodes(text), nodes(edited)
    assert {k: v for k, v in after.items() if k != key} == {k: v for k, v in before.items() if k != key}
    assert SCHEMA[key](after[key]) == (tuple(new) if isinstance(new, list) else new)  # type: ignore[arg-type]
    start = re.search(rf"^{key}:", text, re.MULTILINE).end()  # type: ignore[union-attr]
    rest = text[start:]
    kept = re.search(r"^(?=#|\s*#|[a-z_]+:|---|\s*$)", rest.partition("\n")[2], re.MULTILINE)
    end = start + rest.index("\n") + 1 + kept.start()  # type: ignore[union-attr]
    while not isinstance(before[key], str) and re.match(r"\s*- ", text[end:]):
        end += text[end:].index("\n") + 1
    assert edited.startswith(text[:start])
    assert edited.endswith(text[end:])
    assert parse_memory(edited, find_place(PATH)).path == PATH  # type: ignore[arg-type]


@settings(max_examples=100, deadline=None)
@given(files(), st.data())
def test_editing_back_gives_the_original_bytes(text: str, data: st.DataObject) -> None:
    key = data.draw(st.sampled_from(["status", "hits", "confidence", "stale", "verified_commit", "tags", "aliases"]))
    old = SCHEMA[key](nodes(text)[key])  # type: ignore[arg-type]
    if isinstance(old, tuple):
        new: object = (*old, *data.draw(tags.map(lambda items: [f"new-{item}" for item in items])))
    else:
        new = data.draw(NEW[key].filter(lambda value: (value != old and not str(value).isdigit()) or key == "hits"))
    assert edit_memory(edit_memory(text, {key: new}), {key: old}) == text


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_none_takes_a_key_out_and_leaves_every_other_byte(newline: str) -> None:
    before = edit_memory(TEXT, {"removal": "soft", "removal_reason": 'it said "never": wrong'}).replace("\n", newline)
    assert f'removal: soft{newline}removal_reason: "it said \\"never\\": wrong"{newline}' in before
    gone = edit_memory(before, {"removal": None, "removal_reason": None, "owner": None})
    assert gone == TEXT.replace("\n", newline)


def test_none_takes_all_lines_of_a_value_out() -> None:
    text = TEXT.replace("stale: false\n", "stale: false\naliases:  # forms\n  - one\n  - two\nowner: dev\n")
    assert edit_memory(text, {"aliases": None}) == TEXT.replace("stale: false\n", "stale: false\nowner: dev\n")
