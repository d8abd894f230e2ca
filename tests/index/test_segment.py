"""A segment gives back what was put in, and a damaged one says so instead of something else."""

from __future__ import annotations

from array import array
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brain.index.build import build_segment
from brain.index.segment import COLUMNS, FORMAT, Segment, SegmentError, open_segment
from brain.index.write import write_segment
from brain.layout import find_place
from brain.memory import parse_memory
from tests.support.repos import memory_text

PATHS = ["01.Lessons/dev/F-1/a.md", "00.Shared/glossary/juchu.md", "00.Shared/decisions/b.md"]
texts = st.text(st.characters(), max_size=12)


def content(count: int = 3) -> bytes:
    rows = []
    for number, path in enumerate(PATHS[:count]):
        place = find_place(path)
        assert place
        text = memory_text(
            path, body=f"在庫 stock export {number}", tags=("a", "b"), aliases=("受注", "đơn hàng"), refs=("src/*.py",)
        )
        rows.append((parse_memory(text, place), text))
    return build_segment(rows, header={"extra": ["x"]})


def written(
    postings: dict[str, list[int]], records: list[tuple[str, str]], vocabulary: list[str] | None = None
) -> Segment:
    columns = {name: array(kind) for name, kind in COLUMNS.items()}
    data = write_segment(
        {"a": 1}, columns, {key: array("I", numbers) for key, numbers in postings.items()}, records, vocabulary or []
    )
    return Segment(memoryview(data), "")


def everything(segment: Segment) -> dict[str, Any]:
    """Return all that a reader can ask of a segment."""
    words = sorted({word for piece in ("st", "ex", "在") for word in segment.words_with(piece, anywhere=True)})
    keys = [
        "tag:a",
        "tag:b",
        "id:mem-F1-a",
        "area:01.Lessons/dev",
        "head:受注",
        "name:don-hang",
        "ref:src/*.py",
        "word1:在庫",
        "word0:stock",
        "tag:none",
        "",
    ]
    return {
        "header": {key: value for key, value in segment.header.items() if key != "sections"}, "columns": {name: list(column) for name, column in segment.columns.items()}, "words": words,
        "postings": {key: list(segment.postings(key)) for key in keys}, "memories": [segment.memory(number) for number in range(segment.docs)],
    }  # fmt: skip


@given(st.dictionaries(texts, st.lists(st.integers(0, 2**32 - 1), max_size=4), max_size=12), texts)
def test_every_posting_comes_back_and_no_other(postings: dict[str, list[int]], other: str) -> None:
    segment = written(postings, [])
    assert {key: list(segment.postings(key)) for key in postings} == postings
    assert list(segment.postings(other)) == postings.get(other, [])


def test_keys_of_one_checksum_are_told_apart() -> None:
    one, other = "plumless", "buckeroo"  # the same CRC-32
    segment = written({one: [1], other: [2]}, [])
    assert (list(segment.postings(one)), list(segment.postings(other))) == ([1], [2])
    assert list(written({one: [1]}, []).postings(other)) == []


@given(
    st.lists(
        st.tuples(st.from_regex(r"[a-z在/.\udc80]{1,9}", fullmatch=True), texts.filter(lambda text: "\0" not in text)),
        max_size=6,
    )
)
def test_every_record_comes_back(records: list[tuple[str, str]]) -> None:
    segment = written({}, records)
    assert [segment.record(number) for number in range(len(records))] == records
    assert (segment.docs, segment.header["a"], segment.header["format"]) == (len(records), 1, FORMAT)


@given(
    st.lists(st.from_regex(r"[ab在đ]{1,4}", fullmatch=True), unique=True, max_size=12),
    st.from_regex(r"[ab在đ]{1,2}", fullmatch=True),
)
def test_words_are_found_by_beginning_or_anywhere(words: list[str], piece: str) -> None:
    segment = written({}, [], words)
    assert set(segment.words_with(piece)) == {word for word in words if word.startswith(piece)}
    assert set(segment.words_with(piece, anywhere=True)) == {word for word in words if piece in word}


def test_the_same_memories_make_the_same_bytes() -> None:
    assert content() == content()


@pytest.mark.parametrize("count", [0, 1, 3])
def test_memories_come_back_by_standing(count: int) -> None:
    segment = Segment(memoryview(content(count)), "")
    assert sorted(memory.path for memory in everything(segment)["memories"]) == sorted(PATHS[:count])
    assert segment.header["extra"] == ["x"]


def test_a_flipped_bit_is_found_out_wherever_it_is() -> None:
    good = content()
    expected = everything(Segment(memoryview(good), ""))
    found_out = 0
    for at in range(0, len(good), 3):
        damaged = bytearray(good)
        damaged[at] ^= 1 << (at % 8)
        try:
            assert everything(Segment(memoryview(bytes(damaged)), "")) == expected, at
        except SegmentError:
            found_out += 1
    assert found_out > len(good) / 3 * 0.8  # the rest is padding, and postings nobody asked for


def test_zeroed_pages_are_found_out() -> None:
    good = content()
    expected = everything(Segment(memoryview(good), ""))
    for start in range(0, len(good), 256):
        damaged = good[:start] + bytes(len(good[start : start + 256])) + good[start + 256 :]
        try:
            assert everything(Segment(memoryview(damaged), "")) == expected
        except SegmentError:
            pass


@pytest.mark.parametrize("size", [0, 1, 8, 16, 23, 24, 100, -1, -8])
def test_a_file_cut_short_is_refused(tmp_path: Path, size: int) -> None:
    (tmp_path / "x").write_bytes(content()[:size])
    with pytest.raises(SegmentError, match=f"{tmp_path}/x: damaged: "):
        open_segment(str(tmp_path / "x"))


@pytest.mark.parametrize(
    "data", [content() + bytes(8), b"BRAINSG0" + content()[8:], bytes(100), b"\xff" * 100, b"BRAINSG1" + b"\xff" * 100]
)
def test_what_is_no_segment_of_this_format_is_refused(data: bytes) -> None:
    with pytest.raises(SegmentError):
        Segment(memoryview(data), "x")


def test_a_damaged_file_is_removed_when_it_is_found_out(tmp_path: Path) -> None:
    path = tmp_path / "x"
    good = content()
    start = Segment(memoryview(good), "").header["sections"]["records"][0]
    path.write_bytes(good[: start + 20] + b"\xff" + good[start + 21 :])
    with pytest.raises(SegmentError, match="damaged: record 0") as caught:
        open_segment(str(path)).memory(0)
    assert caught.value.hint == "it is removed and will be made anew: try again"
    assert not path.exists()


def test_a_missing_file_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        open_segment(str(tmp_path / "none"))
