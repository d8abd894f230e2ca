"""Building: what a file's bytes are read as, and what a segment's header, columns and keys say of it."""

from __future__ import annotations

from typing import Any

import pytest

from brain.errors import InvalidMemoryError
from brain.index.build import Retro, build_segment, decode, is_retro, read_memory, read_record, read_retro
from brain.index.segment import HAS_HITS, MAX_TIMES, TIMES_BITS, Segment
from brain.layout import find_place
from brain.memory import MAX_FILE_BYTES, Memory, parse_memory, parse_record
from tests.support.repos import memory_text

PATH = "01.Lessons/dev/F-003_Payment/x.md"


def made(*memories: tuple[str, dict[str, Any]], retros: tuple[Retro, ...] = ()) -> Segment:
    rows = []
    for path, fields in memories:
        memory, text = read_record(path, memory_text(path, **fields).encode())
        rows.append((memory, text))
    return Segment(memoryview(build_segment(rows, retros)), "")


def test_memories_stand_by_confidence_then_age_then_id() -> None:
    path = "00.Shared/decisions/{}.md".format
    segment = made(
        (path("c"), {"confidence": 0.5}), (path("b"), {"confidence": 0.5}), (path("old"), {"confidence": 0.5, "created": "2025-01-01"}), (path("best"), {"confidence": 0.9}), (path("hit"), {"hits": 3, "confidence": 0.1}),
    )  # fmt: skip
    assert [segment.memory(number).place.slug for number in range(segment.docs)] == ["best", "b", "c", "old", "hit"]
    assert list(segment.columns["confidence"]) == [0.9, 0.5, 0.5, 0.5, 0.1]
    assert list(segment.columns["created"]) == [20260101, 20260101, 20260101, 20250101, 20260101 + HAS_HITS]


def test_the_header_sums_up() -> None:
    segment = made(
        (
            PATH,
            {
                "refs": ("src/*.py", "src/b.py#L1-L4"),
                "workflows": ("coding", "review"),
                "supersedes": ("mem-F003-old",),
            },
        ),
        (
            "00.Shared/decisions/y.md",
            {"own_scope": "F-9", "superseded_by": ("mem-global-z",), "body": "在庫の出力は18時までに終える。"},
        ),
        ("00.Shared/glossary/z.md", {"aliases": ("受注", "đơn hàng", "税"), "body": "Việc xuất tồn kho phải xong."}),
    )
    header = segment.header
    assert {key: header[key] for key in ("docs", "places", "workflow_sets", "globs", "heads", "superseded", "languages")} == {
        "docs": 3, "places": [["01.Lessons/dev", "F-003_Payment", 1], ["00.Shared/decisions", "F-9", 1], ["00.Shared/glossary", "", 1]], "workflow_sets": [["coding", "review"], ["coding"]],
        "globs": ["src/*.py"], "heads": ["受注"], "superseded": {"mem-F003-old": "mem-F003-x", "mem-global-y": "mem-global-z"}, "languages": [1, 1, 1],
    }  # fmt: skip
    assert header["length"] == sum(segment.columns["length"])


@pytest.mark.parametrize(
    "key",
    ["id:mem-F003-x", "area:01.Lessons/dev", "place:01.Lessons/dev/F-003_Payment", "tag:payment", "tag:node.js", "name:node-js", "name:don-hang", "head:受注", "workflow:coding", "ref:src/a.py", "ref:src/pay", "ref:docs:x/*.md", "ref:a#b", "word0:retry"],
)  # fmt: skip
def test_a_memory_is_found_by_its_keys(key: str) -> None:
    segment = made(
        (
            PATH,
            {
                "tags": ("payment", "node.js"),
                "aliases": ("受注", "đơn hàng"),
                "refs": ("src/a.py#L10-L40", "src/pay/", "docs:x/*.md", "a#b"),
            },
        )
    )
    assert [entry >> (TIMES_BITS if key.startswith("word") else 0) for entry in segment.postings(key)] == [0]


def test_a_word_says_how_often_it_is_said() -> None:
    segment = made((PATH, {"body": "export " * 3 + "stock " * 40}))
    assert [list(segment.postings(f"word0:{word}")) for word in ("export", "stock", "payment")] == [
        [3],
        [MAX_TIMES],
        [1],
    ]


def test_an_empty_segment_is_one() -> None:
    segment = made()
    assert (segment.docs, segment.header["places"], list(segment.postings("tag:x")), list(segment.words_with("a"))) == (
        0,
        [],
        [],
        [],
    )


def test_retros_come_after_the_memories_the_latest_first() -> None:
    retros = tuple(
        Retro(f"03.Retro/{name}.md", date, f"text {name}")
        for name, date in (("A", "2026-01-01"), ("B", ""), ("C", "2026-02-01"))
    )
    segment = made((PATH, {}), retros=retros)
    assert segment.docs == 1
    assert [segment.record(number) for number in segment.postings("retro:")] == [
        (f"03.Retro/{name}.md", f"text {name}") for name in "CAB"
    ]


@pytest.mark.parametrize(
    ("content", "retro"),
    [
        (b"# T-1\n\ncreated: 2026-02-03\n\nx", ("2026-02-03", "# T-1\n\ncreated: 2026-02-03\n\nx")), (b"created: soon\ncreated: 2026-02-03  \r\n", ("2026-02-03", "created: soon\ncreated: 2026-02-03  \r\n")),
        (b"", ("", "")), (None, ("", "")), (b"\xff\xfe", ("", "\ufffd\ufffd")), (b"x" * 100_000, ("", "x" * 4000)), ("在".encode() * 9000, ("", "在" * 4000)),
    ],
)  # fmt: skip
def test_a_retro_is_read_whatever_it_is(content: bytes | None, retro: tuple[str, str]) -> None:
    found = read_retro("03.Retro/T-1.md", content)
    assert (found.created, found.text) == retro


@pytest.mark.parametrize(
    ("path", "yes"),
    [
        ("03.Retro/T-1.md", True),
        ("03.Retro/a/T-1.md", False),
        ("03.Retro/T-1.txt", False),
        ("03.Retros/T-1.md", False),
        (PATH, False),
    ],
)
def test_a_retro_lies_in_its_folder(path: str, yes: bool) -> None:
    assert is_retro(path) == yes


@pytest.mark.parametrize(
    ("content", "error"),
    [
        (None, f"x.md:1: the file is over {MAX_FILE_BYTES} bytes, or its content is not here"), (b"x" * (MAX_FILE_BYTES + 1), f"x.md:1: the file is over {MAX_FILE_BYTES} bytes"),
        (b"a\nb\n\xff", "x.md:3: not UTF-8"), (b"\xff\xfea\x00", "x.md:1: not UTF-8"), (b"a\n\0", "x.md:2: a NUL byte"), (b"\xed\xa0\x80", "x.md:1: not UTF-8"), (b"\xc0\xaf", "x.md:1: not UTF-8"),
        ("在庫".encode("cp932"), "x.md:1: not UTF-8"),
    ],
)  # fmt: skip
def test_bytes_that_are_no_text_are_refused_at_their_line(content: bytes | None, error: str) -> None:
    with pytest.raises(InvalidMemoryError) as caught:
        decode(content, "x.md")
    assert (str(caught.value), bool(caught.value.mend)) == (error, True)


@pytest.mark.parametrize(
    ("path", "error"),
    [
        ("x.md", "x.md:1: no memory may lie here"), ("00.Shared/domain/loose.md", "00.Shared/domain/loose.md:1: no memory may lie here"), ("00.Shared/decisions/受注.md", "00.Shared/decisions/受注.md:1: not a plain name"),
        ("00.Shared/domain/F 9/x.md", "00.Shared/domain/F 9/x.md:1: not a plain name"), ("00.Shared/decisions/a\nb.md", "00.Shared/decisions/a\\nb.md:1: not a plain name"), ("00.Shared/decisions/-rf.md", "00.Shared/decisions/-rf.md:1: not a plain name"),
    ],
)  # fmt: skip
def test_a_file_at_a_place_for_none_is_refused(path: str, error: str) -> None:
    with pytest.raises(InvalidMemoryError) as caught:
        read_memory(path, memory_text(PATH).encode())
    assert str(caught.value) == error


@pytest.mark.parametrize(
    "spell",
    [
        lambda text: text,
        lambda text: text.replace("\n", "\r\n"),
        lambda text: "\ufeff" + text,
        lambda text: text.replace("[payment]", "\n  - payment"),
        lambda text: text.replace("stale: false", "stale: false # yet"),
    ],
)
def test_a_record_is_read_again_without_yaml_and_is_the_same_memory(spell: Any) -> None:
    place = find_place(PATH)
    assert place
    text = spell(memory_text(PATH, hook="a: b, 'c'", aliases=("a, b", "受注")))
    memory, record = read_record(PATH, text.encode())
    assert memory == parse_memory(text, place) == parse_memory(record, place)
    assert isinstance(memory, Memory)
    assert parse_record(read_record(PATH, spell(memory_text(PATH)).encode())[1], place)[1]
