"""A memory's file: what it means, what is refused and where, and that render and parse undo each other."""

from __future__ import annotations

import datetime as dt
import time

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from brain.errors import InvalidMemoryError
from brain.frontmatter import NotPlainError
from brain.layout import AREA_TYPES, FLAT_AREAS, Place, find_place
from brain.memory import (
    REQUIRED,
    BadValueError,
    Memory,
    _plain_fields,
    _yaml_fields,
    parse_memory,
    parse_record,
    quote,
    reads_as_text,
    render_memory,
    render_scalar,
)
from brain.value import replace
from tests.support.repos import COMMIT, memory_text

PATH = "00.Shared/domain/F-002_Order/x.md"
PLACE = Place("00.Shared/domain", "F-002_Order", "x")
TEXT = memory_text(PATH)
HEAD = TEXT.split("---\n")[1]


def parse(text: str, path: str = PATH) -> Memory:
    place = find_place(path)
    assert place
    return parse_memory(text, place)


def with_value(key: str, text: str) -> str:
    """Return a good memory's file with one raw value replaced."""
    old = next(line for line in HEAD.splitlines() if line.startswith(f"{key}:"))
    return TEXT.replace(f"{old}\n", f"{key}: {text}\n".replace(": \n", ":\n"), 1)


def error_of(text: str, path: str = PATH) -> str:
    with pytest.raises(InvalidMemoryError) as caught:
        parse(text, path)
    assert caught.value.mend
    return str(caught.value)


def test_a_file_says_what_it_says() -> None:
    text = (
        "---\n# checked with the warehouse\nid: mem-F002-x\ntype: fact\nworkflows: [coding, review]\ntags: [orders, batch-2]\nscope: F-002_Order\n"
        "confidence: 0.6\nsource: 'spec: chapter 3'\nstatus: approved\nhits: 3\ncreated: 2026-04-01\nreviewed_by: ada\nrefs:\n  - src/a.py\n  - 'src/**/*.sql'\n"
        f"verified_commit: {{code: {COMMIT}}}\nstale: true\nhook: Export first\naliases: [受注, đơn hàng, sales order]\nsupersedes: mem-F002-old\n"
        "review_by: 2027-01-01\nowner: bob\nnote: kept\n---\n\n# Export\n\nBefore 18:00.\n\n---\n\n**Apply:** at 17:00.\n\n"
    )
    assert parse(text) == Memory(
        PLACE, workflows=("coding", "review"), tags=("orders", "batch-2"), confidence=0.6, source="spec: chapter 3", status="approved", hits=3,
        created="2026-04-01", body="# Export\n\nBefore 18:00.\n\n---\n\n**Apply:** at 17:00.", reviewed_by="ada", refs=("src/a.py", "src/**/*.sql"),
        verified_commit={"code": COMMIT}, stale=True, hook="Export first", aliases=("受注", "đơn hàng", "sales order"), supersedes=("mem-F002-old",),
        review_by="2027-01-01", owner="bob",
    )  # fmt: skip


def test_id_type_and_scope_come_from_the_place() -> None:
    memory = parse(TEXT)
    assert (memory.id, memory.type, memory.scope, memory.path) == ("mem-F002-x", "fact", "F-002_Order", PATH)


def test_a_flat_area_lets_the_file_say_its_function() -> None:
    path = "00.Shared/decisions/x.md"
    assert parse(memory_text(path), path).scope == "global"
    named = parse(memory_text(path).replace("scope: global", "scope: F-002_Order"), path)
    assert (named.scope, named.own_scope, named.id) == ("F-002_Order", "F-002_Order", "mem-global-x")


@pytest.mark.parametrize(
    "text",
    [
        TEXT.replace("\n", "\r\n"),
        "\ufeff" + TEXT,
        TEXT.rstrip("\n"),
        TEXT + "\n\n",
        TEXT.replace("---\n", "---  \n", 1),
    ],
)
def test_line_ends_a_bom_and_white_space_change_nothing(text: str) -> None:
    assert parse(text) == parse(TEXT)


def test_keys_may_stand_in_any_order() -> None:
    shuffled = "---\n" + "\n".join(reversed(HEAD.splitlines())) + "\n---\n" + TEXT.split("---\n", 2)[2]
    assert parse(shuffled) == parse(TEXT)


@pytest.mark.parametrize("key", [key for key in REQUIRED if key != "refs"])
def test_a_missing_key_is_named(key: str) -> None:
    line = next(line for line in HEAD.splitlines() if line.startswith(f"{key}:"))
    assert error_of(TEXT.replace(line + "\n", "", 1)) == f"{PATH}:1: {key} is missing"


def test_refs_may_be_missing() -> None:
    assert parse(TEXT.replace("refs: []\n", "")) == parse(TEXT)


@pytest.mark.parametrize(
    ("key", "text", "reason"),
    [
        # YAML's traps: what another reader takes for a number, a date, a boolean or nothing is no text
        ("source", "yes", "source: 'yes' reads as a number, a date or a boolean"),
        ("source", "Off", "source: 'Off' reads as a number, a date or a boolean"),
        ("source", "12:30:45", "source: '12:30:45' reads as a number, a date or a boolean"),
        ("source", "0123", "source: '0123' reads as a number, a date or a boolean"),
        ("source", "1e5", "source: '1e5' reads as a number, a date or a boolean"),
        ("source", "0x1F", "source: '0x1F' reads as a number, a date or a boolean"),
        ("source", "1_000", "source: '1_000' reads as a number, a date or a boolean"),
        ("source", ".5", "source: '.5' reads as a number, a date or a boolean"),
        ("source", "2026-04-01", "source: '2026-04-01' reads as a number, a date or a boolean"),
        ("source", "2026-04-01T10:00:00Z", "source: '2026-04-01T10:00:00Z' reads as a number, a date or a boolean"),
        ("source", "~", "source: '~' reads as a number, a date or a boolean"),
        ("tags", "[no, on]", "tags: 'no' reads as a number, a date or a boolean"),
        ("tags", "[1.10]", "tags: '1.10' reads as a number, a date or a boolean"),
        ("tags", "[2026, orders]", "tags: '2026' reads as a number, a date or a boolean"),
        ("id", "null", "id: 'null' reads as a number, a date or a boolean"),
        # kinds
        ("source", "[a]", "source: is not text"),
        ("source", "{a: b}", "source: is not text"),
        ("source", "|\n  one\n  two", "source: holds a line break"),
        ("source", '"a\\nb"', "source: holds a line break"),
        ("source", "", "source is empty"),
        ("source", '"   "', "source is empty"),
        ("workflows", "coding", "workflows: is no list"),
        ("workflows", "[]", "workflows is empty"),
        ("workflows", "", "workflows is empty"),
        ("tags", "orders", "tags: is no list"),
        ("tags", "orders, batch", "tags: is no list"),
        ("tags", "[[orders], batch]", "tags: is not text"),
        ("tags", "{orders: true}", "tags: is no list"),
        ("tags", '["", a]', "tags: has an empty item"),
        ("tags", "[Orders]", "tags: the tag 'Orders' is not lower-case ASCII"),
        ("tags", "[stock export]", "tags: the tag 'stock export' is not lower-case ASCII"),
        ("refs", "src/a.py", "refs: is no list"),
        ("reviewed_by", "[a, b]", "reviewed_by: is not text"),
        # numbers
        *[("confidence", text, f"confidence: {why}") for text, why in {
            "0,6": "is no number", "1.5": "1.5 is not from 0.0 to 1.0", "-0.1": "-0.1 is not from 0.0 to 1.0", ".nan": "is no number", ".inf": "is no number",
            '"0.8"': "is no number", "true": "is no number", "8e-1": "is no number", "0x1": "is no number", "80%": "is no number", "high": "is no number",
            "０．８": "is no number", "0.8_0": "is no number", "[0.8]": "is no number", "9" * 3000: "is no number",
        }.items()],
        *[("hits", text, "hits: is no whole number from 0") for text in ("-1", "1.5", "true", '"1"', "１", "9" * 3000)],
        *[("stale", text, "stale: is neither true nor false") for text in ("yes", '"false"', "False", "0")],
        # words
        ("type", "opinion", "type: 'opinion' is unknown"),
        ("type", "Fact", "type: 'Fact' is unknown"),
        ("status", "published", "status: 'published' is unknown"),
        # dates
        *[("created", text, "created: is no date") for text in ("2026-4-1", "2026-04-01T10:00:00+09:00", "令和8年4月1日", "20260401", "[2026-04-01]")],
        *[("created", text, f"created: {text!r} is no date of the calendar") for text in ("2026-13-01", "2026-02-30", "2025-02-29", "2026-00-10", "04/01/2026", "２０２６-０４-０１")],
        # commits
        ("verified_commit", "4b825dc", "verified_commit: '4b825dc' is no full commit id"),
        ("verified_commit", "main", "verified_commit: 'main' is no full commit id"),
        ("verified_commit", COMMIT.upper(), f"verified_commit: '{COMMIT.upper()}' is no full commit id"),
        ("verified_commit", "1" * 40, "verified_commit: this commit id reads as a number"),
        ("verified_commit", "12e" + "4" * 37, "verified_commit: this commit id reads as a number"),
        ("verified_commit", "{code: " + "1" * 40 + "}", "verified_commit: this commit id reads as a number"),
        ("verified_commit", "[a]", "verified_commit: is no commit"),
        # the place
        ("id", "mem-F003-x", "id is 'mem-F003-x', its place says 'mem-F002-x'"),
        ("type", "lesson", "type is 'lesson', its place says 'fact'"),
        ("scope", "F-003_Payment", "scope is 'F-003_Payment', its place says 'F-002_Order'"),
        ("scope", "global", "scope is 'global', its place says 'F-002_Order'"),
    ],
)  # fmt: skip
def test_a_bad_value_is_refused_on_the_line_of_its_key(key: str, text: str, reason: str) -> None:
    bad = with_value(key, text)
    line = next(number for number, row in enumerate(bad.splitlines(), 1) if row.startswith(f"{key}:"))
    assert error_of(bad) == f"{PATH}:{line}: {reason}"


@pytest.mark.parametrize(
    ("key", "text", "found"),
    [
        ("verified_commit", f'"{"1" * 40}"', "1" * 40),
        ("verified_commit", "{code: '" + "1" * 40 + "'}", {"code": "1" * 40}),
        ("verified_commit", "a" * 64, "a" * 64),
        ("verified_commit", "", ""),
        ("confidence", "1", 1.0),
        ("confidence", "0.8000000000000000444", 0.8),
        ("created", '"2026-04-01"', "2026-04-01"),
        ("created", "2024-02-29", "2024-02-29"),
        ("source", "2026-04-01 review of the export", "2026-04-01 review of the export"),
        ("source", '"1e5"', "1e5"),
        ("source", "v1.10", "v1.10"),
        ("source", ">-\n  one\n  two", "one two"),
        ("source", "Fix for #42", "Fix for"),
        ("tags", "", ()),
        ("tags", "\n  - orders\n  - batch", ("orders", "batch")),
        ("tags", "[受注, đơn-hàng]", ("受注", "đơn-hàng")),
        ("reviewed_by", "", ""),
        ("reviewed_by", '""', ""),
    ],
)
def test_a_good_value_is_read(key: str, text: str, found: object) -> None:
    assert getattr(parse(with_value(key, text)), key) == found


@pytest.mark.parametrize(
    ("line", "key", "found"),
    [
        ("hook:", "hook", ""), ("owner:", "owner", ""), ("review_by:", "review_by", ""), ("removal:", "removal", ""), ("removal: hard", "removal", "hard"), ("removal_reason:", "removal_reason", ""), ('removal_reason: "a: b"', "removal_reason", "a: b"), ("aliases:", "aliases", ()), ("supersedes:", "supersedes", ()),
        ("superseded_by: mem-F002-new", "superseded_by", ("mem-F002-new",)), ("supersedes: [a, b]", "supersedes", ("a", "b")),
        ('hook: "one\\ttwo"', "hook", "one\ttwo"),
    ],
)  # fmt: skip
def test_optional_keys_may_be_empty(line: str, key: str, found: object) -> None:
    assert getattr(parse(TEXT.replace("stale: false\n", f"stale: false\n{line}\n")), key) == found


def test_the_sentence_is_the_hook_or_the_bodys_first_both_cut() -> None:
    memory = parse(TEXT)
    assert memory.sentence == "Retry a payment at most twice"
    assert replace(memory, hook="Twice, at most").sentence == "Twice, at most"
    assert replace(memory, hook="word " * 20).sentence == " ".join(["word"] * 15) + "…"
    assert replace(memory, hook="one\ttwo\n" * 10).sentence == " ".join(["one two"] * 7) + " one…"


words = st.text(st.characters(codec="utf-8", exclude_characters="\n"), max_size=20)
traps = st.sampled_from([
    "a: b", "a, b", "a #b", "#a", "'a'", '"a"', "it's", "a\\b", "- a", "? a", "a?", "src/a?.py", "**/*.py", "[a]", "{a}", "yes", "null", "1e5", "0x1", "12:30", "2026-01-01",
    "=", "<<", "...", "---", "&a", "*a", "!a", "@a", "%a", "|", ">", "a:", "đơn hàng", "受注、発注", "Áp dụng: xong", "a\u2028b", "a\x85b", "a\x1bb", "\u202ea", "🚀", "a\u0301",
    "1" * 40, "1.", "+1", "a\tb", "~", "True", "0o17", "1_0", "y", "a\u3000b", "\ufeffa",
])  # fmt: skip
texts = st.one_of(words, traps).map(str.strip).filter(bool)
lists = st.lists(texts, max_size=4).map(tuple)
tags = st.lists(st.from_regex(r"[a-z0-9][a-z0-9.+-]{0,8}", fullmatch=True), max_size=4).map(tuple)
dates = st.dates(min_value=dt.date(1000, 1, 1)).map(str)
commits = st.one_of(
    st.just(""), st.text("0123456789abcdef", min_size=40, max_size=40), st.just("1" * 40), st.just("1e" + "1" * 38)
)
maps = st.dictionaries(texts, commits.filter(bool), min_size=1, max_size=3)
slugs = st.from_regex(r"[a-z0-9][a-z0-9._-]{0,10}", fullmatch=True)
folders = st.one_of(st.just("_global"), st.from_regex(r"[A-Z]{1,2}-[0-9]{2}(_[A-Za-z]{1,5})?", fullmatch=True))
bodies = st.text(st.characters(codec="utf-8"), max_size=80).map(lambda text: text.replace("\r\n", "\n").strip("\r\n"))


@st.composite
def memories(draw: st.DrawFn) -> Memory:
    area = draw(st.sampled_from(sorted(AREA_TYPES)))
    place = Place(area, "" if area in FLAT_AREAS else draw(folders), draw(slugs))
    own = draw(st.one_of(st.just(""), texts)) if area in FLAT_AREAS else ""
    return Memory(
        place, workflows=draw(lists.filter(bool)), tags=draw(tags), confidence=draw(st.floats(1e-9, 1) | st.sampled_from([0.0, 1.0, 1e-5])), source=draw(texts),
        status=draw(st.sampled_from(["pending", "approved", "deprecated"])), hits=draw(st.integers(0, 999)), created=draw(dates), body=draw(bodies),
        reviewed_by=draw(st.one_of(st.just(""), texts)), refs=draw(lists), verified_commit=draw(st.one_of(commits, maps)), stale=draw(st.booleans()),
        hook=draw(st.one_of(st.just(""), texts)), aliases=draw(lists), supersedes=draw(lists), superseded_by=draw(lists), review_by=draw(st.one_of(st.just(""), dates)),
        owner=draw(st.one_of(st.just(""), texts)), removal=draw(st.sampled_from(["", "soft", "hard"])), removal_reason=draw(st.one_of(st.just(""), texts)), own_scope="" if own == "global" else own,
    )  # fmt: skip


@given(memories())
def test_parse_undoes_render(memory: Memory) -> None:
    assert parse_memory(render_memory(memory), memory.place) == memory


@given(memories())
def test_another_yaml_reader_finds_the_same_texts(memory: Memory) -> None:
    found = yaml.safe_load(render_memory(memory).split("---\n")[1])
    names = ("source", "workflows", "tags", "refs", "aliases", "hook", "owner", "reviewed_by")
    said = {name: getattr(memory, name) for name in names}
    expected = {name: list(text) if isinstance(text, tuple) else text for name, text in said.items()}
    assert {name: found.get(name, type(expected[name])()) or type(expected[name])() for name in names} == expected


@given(memories())
def test_both_readers_agree_on_a_rendered_memory(memory: Memory) -> None:
    head = render_memory(memory).split("---\n")[1]
    try:
        plain = _plain_fields(head)
    except (NotPlainError, BadValueError):
        assert not parse_record(render_memory(memory), memory.place)[1]
        return
    assert plain == _yaml_fields(head, "")


junk = st.one_of(
    st.text(max_size=30),
    st.builds(
        "{}: {}".format,
        st.sampled_from((*REQUIRED, "hook", "aliases", "note")),
        st.one_of(traps, words, st.just("[a, b]"), st.just("{a: b}")),
    ),
)


@given(st.lists(junk, max_size=4), st.integers(0, 14))
def test_junk_lines_are_read_alike_or_refused_by_both(extra: list[str], at: int) -> None:
    rows = HEAD.splitlines()
    head = "\n".join([*rows[:at], *extra, *rows[at:]]) + "\n"
    try:
        plain = _plain_fields(head)
    except (NotPlainError, BadValueError):
        return
    assert {key: value for key, value in plain.items() if value is not None} == _yaml_fields(head, "")


@given(
    st.one_of(
        st.text(max_size=200), st.lists(junk, max_size=20).map(lambda rows: "---\n" + "\n".join(rows) + "\n---\nBody\n")
    )
)
def test_whatever_the_file_it_is_a_memory_or_an_error_with_line_and_mend(text: str) -> None:
    try:
        memory = parse(text)
    except InvalidMemoryError as error:
        refused = error
    else:
        assert memory.place == PLACE
        return
    assert refused.line >= 1
    assert refused.mend


@pytest.mark.parametrize(
    "text",
    [
        b"\xef\xbb\xbf---\n".decode() * 1000,
        "---\n" + "a: [" * 1000 + "\n---\n",
        "---\n" + "a:\n  " * 900 + "\n---\n",
        TEXT + "x " * 500_000,
        "-" * 100_000,
        "---\n" * 10_000,
    ],
)
def test_nothing_makes_reading_slow(text: str) -> None:
    start = time.monotonic()
    try:
        parse(text)
    except InvalidMemoryError:
        pass
    assert time.monotonic() - start < 1


@given(st.text(st.characters(codec="utf-8"), max_size=30))
def test_a_quoted_text_is_the_same_to_json_and_yaml(text: str) -> None:
    import json

    assert json.loads(quote(text)) == text
    assert yaml.load("k: " + quote(text), yaml.CSafeLoader) == {"k": text}


@pytest.mark.parametrize(
    ("text", "scalar"),
    [
        ("order", "order"), ("đơn hàng", "đơn hàng"), ("src/a.py", "src/a.py"), ("F-002_Order", "F-002_Order"), ("a b", "a b"), ("yes", '"yes"'), ("1e5", '"1e5"'),
        ("a: b", '"a: b"'), ("'a'", "\"'a'\""), (" a", '" a"'), ("*", '"*"'), ("a\\b", "a\\b"), ("2026-01-01", '"2026-01-01"'), ("1" * 40, f'"{"1" * 40}"'), ("12:30", '"12:30"'),
    ],
)  # fmt: skip
def test_a_scalar_is_plain_where_that_is_safe(text: str, scalar: str) -> None:
    assert render_scalar(text) == scalar


@pytest.mark.parametrize("text", ["a", "1.2.3", "v1", "1 apple", "e5", "12:60x", "2026-13", "no way", "0xg", "1-2"])
def test_texts_that_only_look_like_numbers_are_texts(text: str) -> None:
    assert reads_as_text(text)
    assert yaml.safe_load(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "1",
        "-1",
        "+1",
        "1.",
        "1.5",
        ".5",
        "1e5",
        "1.5e-3",
        "0x1f",
        "0o17",
        "0b1",
        "017",
        "1_0",
        "12:30",
        "2026-01-01",
        "2026-1-1",
        "2026-01-01 10:00:00",
        "~",
        "null",
        "Null",
        "TRUE",
        "no",
        "On",
        ".inf",
        "-.INF",
        ".NaN",
    ],
)
def test_what_some_yaml_reader_takes_for_something_else_is_no_text(text: str) -> None:
    assert not reads_as_text(text)
