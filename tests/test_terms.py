"""Terms: what a memory says and what a ticket says meet, in any language and spelling."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brain.terms import CJK, LATIN, VIETNAMESE, camel_parts, language, terms

NFD = "NFD"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Stock exports run at 18:00", ["stock", "export", "run", "at", "18", "00"]),
        ("class bus status", ["class", "bus", "status"]),
        ("parseHTTPHeader2", ["parsehttpheader2", "parse", "http", "header", "2"]),
        ("F-003 HTTP_429", ["f", "003", "http", "429", "f003", "http429"]),
        ("well-known", ["well", "known"]),
        ("在庫の出力", ["在庫", "庫の", "の出", "出力"]),
        ("在", ["在"]),
        ("API連携", ["api", "連携"]),
        ("ＡＰＩ　ｶﾞｲﾄﾞ", ["api", "ガイ", "イド"]),
        ("đơn hàng", ["đơn", "hàng", "don", "hang"]),
        ("!!! ... 。、", []),
        ("", []),
    ],
)
def test_a_text_has_these_terms(text: str, found: list[str]) -> None:
    assert terms(text) == found


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("hòa đơn", "hoà đơn"), ("thủy sản", "thuỷ sản"), ("khỏe", "khoẻ"), ("HÓA ĐƠN", "hoá đơn"), ("đơn hàng", unicodedata.normalize(NFD, "đơn hàng")), ("ガイド", "ｶﾞｲﾄﾞ"), ("API", "ＡＰＩ"),
        ("exports", "export"), ("カタカナ", unicodedata.normalize(NFD, "カタカナ")), ("café", unicodedata.normalize(NFD, "café")),
    ],
)  # fmt: skip
def test_spellings_of_one_word_have_the_same_terms(one: str, other: str) -> None:
    assert sorted(terms(one)) == sorted(terms(other))


@pytest.mark.parametrize(
    ("asked", "said"),
    [("don hang", "đơn hàng"), ("hoa don", "hóa đơn"), ("F003", "see F-003"), ("F-003", "see F003"), ("http 429", "HTTP_429"), ("stock export", "StockExport"), ("stockexport", "StockExport"), ("在庫", "全在庫を出力"), ("dien", "điện")],
)  # fmt: skip
def test_a_looser_spelling_meets_a_stricter_one(asked: str, said: str) -> None:
    assert set(terms(asked)) & set(terms(said))


@given(st.text(st.characters()))
def test_terms_of_any_text_are_words_without_space(text: str) -> None:
    assert all(term and not set(term) & set(" \n\t-_") for term in terms(text))


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Mn", "Mc", "Me"])))
def test_terms_do_not_depend_on_how_a_text_is_composed(text: str) -> None:
    assert terms(unicodedata.normalize("NFC", text)) == terms(unicodedata.normalize("NFD", text))


@given(st.text(st.characters()), st.text(st.characters()))
def test_more_text_has_no_fewer_terms(one: str, other: str) -> None:
    assert set(terms(one)) <= set(terms(f"{one}\n\n{other}"))


@pytest.mark.parametrize(
    ("word", "parts"),
    [("camelCase", ["camel", "case"]), ("HTTPServer", ["http", "server"]), ("orderV2", ["order", "v", "2"]), ("Word", []), ("word", []), ("WORD", []), ("429", []), ("X", []), ("", []), ("aB" * 40, [])],
)  # fmt: skip
def test_a_camel_case_word_is_taken_apart(word: str, parts: list[str]) -> None:
    assert camel_parts(word) == parts


@pytest.mark.parametrize(
    ("text", "spoken"),
    [
        ("Stock export must finish", LATIN), ("Le résumé français", LATIN), ("在庫の出力は18時までに終える。", CJK), ("The term 受注 means a confirmed order of a customer who has paid the deposit", LATIN),
        ("Việc xuất tồn kho phải xong trước 18 giờ", VIETNAMESE), (unicodedata.normalize(NFD, "Việc xuất tồn kho phải xong"), VIETNAMESE), ("", LATIN), ("☃", LATIN),
    ],
)  # fmt: skip
def test_the_script_shows_the_language(text: str, spoken: int) -> None:
    assert language(text) == spoken
