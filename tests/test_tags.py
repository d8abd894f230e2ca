"""Known tags are spotted in any language, as whole words, and the glossary has the first say (SPEC §4.2)."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brain.index.build import build_segment
from brain.index.segment import Segment
from brain.layout import find_place
from brain.memory import parse_memory
from brain.tags import fold_keyword, phrase, spot_tags
from tests.support.repos import memory_text


def segment(**memories: dict[str, object]) -> Segment:
    """Return a segment of memories by path."""
    rows = []
    for path, fields in memories.items():
        place = find_place(path)
        assert place
        text = memory_text(path, **fields)
        rows.append((parse_memory(text, place), text))
    return Segment(memoryview(build_segment(rows)), "")


STORE = segment(**{
    "00.Shared/glossary/sales-order.md": {"tags": ("order", "sales-order"), "aliases": ("受注", "đơn hàng", "sales order", "purchase")},
    "01.Lessons/dev/F-1/a.md": {"tags": ("stock-export", "api", "node.js"), "aliases": ("在庫出力", "受注", "Stock Dump")},
    "01.Lessons/dev/F-1/b.md": {"tags": ("payment", "http-429"), "aliases": ("税", "Thanh toán", "ｶﾞｲﾄﾞ")},
    "01.Lessons/qa/F-1/c.md": {"tags": ("a", "c++"), "aliases": ("straße",)},
})  # fmt: skip


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        # a tag's own name, whole words only
        ("The api is slow", {"api"}), ("rapid apis therapist", set()), ("API", {"api"}), ("api.", {"api"}), ("(api)", {"api"}), ("my-api-x", {"api"}), ("ＡＰＩ", {"api"}),
        ("stock-export", {"stock-export"}), ("Stock Export fails", {"stock-export"}), ("stock_export", {"stock-export"}), ("the StockExport job", {"stock-export"}), ("stockexport", set()),
        ("stock\nexport", set()), ("stock and export", set()), ("node.js 20", {"node.js"}), ("Node JS", {"node.js"}), ("node-js", {"node.js"}), ("nodejs", set()),
        ("HTTP 429 again", {"http-429"}), ("HTTP-429", {"http-429"}), ("http429", set()), ("payments", set()),
        # between signs of a script without spaces
        ("在庫stock-exportの失敗", {"stock-export"}), ("このAPIを直す", {"api"}), ("このrapidを直す", set()),
        # aliases: the glossary's meaning wins over another memory's, which has its own
        ("受注の登録画面を直す", {"order", "sales-order"}), ("受 注", set()), ("発注", set()), ("在庫出力が遅い", {"stock-export", "api", "node.js"}), ("在庫の出力", set()),
        ("sửa màn hình đơn hàng", {"order", "sales-order"}), ("sua man hinh don hang", {"order", "sales-order"}), ("ĐƠN HÀNG", {"order", "sales-order"}), ("đơn  hàng", {"order", "sales-order"}),
        (unicodedata.normalize("NFD", "đơn hàng"), {"order", "sales-order"}), ("đơn và hàng", set()), ("donhang", set()),
        ("The sales order is lost", {"order", "sales-order"}), ("purchase", {"order", "sales-order"}), ("stock dump", {"stock-export", "api", "node.js"}),
        ("thanh toan", {"payment", "http-429"}), ("THANH TOÁN", {"payment", "http-429"}), ("ガイドを読む", {"payment", "http-429"}), ("ｶﾞｲﾄﾞ", {"payment", "http-429"}),
        ("Strasse", {"a", "c++"}), ("STRASSE", {"a", "c++"}),
        # one sign of Kanji is too little to be looked for
        ("税", set()), ("", set()), ("!!!", set()), ("☃", set()),
    ],
)  # fmt: skip
def test_tags_are_spotted_as_whole_words(text: str, tags: set[str]) -> None:
    assert spot_tags(text, [STORE]) == tags


def test_tags_of_every_segment_are_known() -> None:
    other = segment(**{"00.Shared/glossary/x.md": {"tags": ("extra",), "aliases": ("在庫出力",)}})
    assert spot_tags("在庫出力 api extra", [STORE, other]) == {"api", "extra"}
    assert spot_tags("在庫出力 api extra", []) == set()


@given(st.text(st.characters()))
def test_any_text_can_be_looked_through(text: str) -> None:
    assert spot_tags(text, [STORE]) <= {
        "order",
        "sales-order",
        "stock-export",
        "api",
        "node.js",
        "payment",
        "http-429",
        "a",
        "c++",
    }


@given(
    st.text(st.characters(codec="utf-8")),
    st.sampled_from(["受注", "đơn hàng", "sales order", "API", "stock-export"]),
    st.text(st.characters(codec="utf-8")),
)
def test_a_name_on_a_line_of_its_own_is_always_found(before: str, name: str, after: str) -> None:
    found = spot_tags(f"{before}\n{name}\n{after}", [STORE])
    assert found & {"order", "api", "stock-export"}


@pytest.mark.parametrize(
    ("keyword", "tag"),
    [("Đơn hàng", "don-hang"), ("ＡＰＩ", "api"), ("Node.js", "node.js"), ("  stock   export ", "stock-export"), ("stock-export", "stock-export"), ("受注", "受注"), ("C++", "c++"), ("", "")],
)  # fmt: skip
def test_a_keyword_is_folded_to_a_tag(keyword: str, tag: str) -> None:
    assert fold_keyword(keyword) == tag


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Node.js", "node-js"),
        ("a_b-c d", "a-b-c-d"),
        ("受注", ""),
        ("API連携", "api"),
        ("Áp dụng", "ap-dung"),
        ("++", ""),
    ],
)
def test_a_phrase_is_a_names_words(name: str, words: str) -> None:
    assert phrase(name) == words
