"""Text of any language: counted, folded, cut; nothing hidden stays visible."""

from __future__ import annotations

import math
import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brain.text import count_words, cut_words, first_sentence, fold, strip_marks, visible

CJK = re.compile(
    "[\u3005-\u3007\u303b\u3041-\u3096\u309d\u309e\u30a1-\u30fa\u30fc-\u30fe\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9d\U00020000-\U0003ffff]"
)
mixed = st.text(
    st.one_of(st.characters(codec="utf-8"), st.sampled_from(list("在庫のーｱァ・。、 abc 0-9\u3000\xa0\té\u0301đ"))),
    max_size=80,
)


def words_by_the_rule(text: str) -> int:
    """SPEC §6.1, word by word, as the malformed suite counts."""
    text = unicodedata.normalize("NFC", text)
    spaced = sum(1 for token in CJK.sub(" ", text).split() if any(sign.isalnum() for sign in token))
    return spaced + math.ceil(len(CJK.findall(text)) / 2)


@given(mixed)
def test_words_are_counted_by_the_rule(text: str) -> None:
    assert count_words(text) == words_by_the_rule(text)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0), ("  \n\u3000", 0), ("one two", 2), ("one - two", 2), ("**Apply:** at 17:00.", 3), ("a.b.c", 1), ("---", 0), ("☃ 5", 1), ("Việc xuất tồn kho", 4),
        (unicodedata.normalize("NFD", "Việc xuất tồn kho"), 4), ("one\xa0two\u3000three", 3), ("在", 1), ("在庫", 1), ("在庫の", 2), ("在庫の出力は 18:00 まで", 5),
        ("ｱｲｳｴ", 2), ("API連携", 2), ("。、", 0), ("stock " * 148 + "\n\n**Apply:** always.", 150), ("在" * 296 + "\n\n**適用：** 常に。", 150), ("在" * 298 + "\n\n**適用：** 常に。", 151),
        ("\u00a0".join(["stock"] * 151), 151), (".".join(["stock"] * 400), 1),
    ],
)  # fmt: skip
def test_words_of_every_script_are_counted(text: str, count: int) -> None:
    assert count_words(text) == count


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Đơn hàng ＡＰＩ", "don hang api"), ("Việc xuất tồn kho", "viec xuat ton kho"), (unicodedata.normalize("NFD", "Đơn hàng"), "don hang"), ("ガギグ", "ガギグ"), ("ｶﾞｷﾞ", "ガギ"),
        ("Straße", "strasse"), ("ÅÉî", "aei"), ("在庫", "在庫"), ("①", "1"), ("hòa hoà", "hoa hoa"),
    ],
)  # fmt: skip
def test_folded_text_compares(text: str, folded: str) -> None:
    assert fold(text) == folded


@given(st.text(st.characters(codec="utf-8")))
def test_folding_is_the_same_however_the_text_is_composed(text: str) -> None:
    assert fold(unicodedata.normalize("NFD", text)) == fold(unicodedata.normalize("NFC", text))
    assert strip_marks(strip_marks(text)) == strip_marks(text)


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ("Retry twice. Not more.", "Retry twice"), ("# Heading\n\nText.", "Heading"), ("\n\n- *one* two! three", "one* two"), ("在庫は18時まで。大阪の締め。", "在庫は18時まで"), ("Is it so? Yes.", "Is it so"),
        ("", ""), ("---\n***\nx", "x"), ("Version 1.5 is out", "Version 1.5 is out"), ("word " * 30, " ".join(["word"] * 15) + "…"), ("a\tb  c\nd", "a b c"), ("在" * 60, "在" * 30 + "…"), ("x" * 300, "x" * 119 + "…"),
    ],
)  # fmt: skip
def test_the_first_sentence_stands_for_a_body(body: str, sentence: str) -> None:
    assert first_sentence(body) == sentence


@given(mixed, st.integers(1, 20), st.integers(2, 60))
def test_a_cut_text_is_a_start_within_both_limits(text: str, words: int, characters: int) -> None:
    cut = cut_words(text, words, characters)
    assert count_words(cut) <= words
    assert len(cut) <= characters
    assert cut == text or (cut.endswith("…") and text.startswith(cut[:-1]))


@given(st.text(st.characters()))
def test_visible_text_holds_nothing_that_is_not(text: str) -> None:
    shown = visible(text)
    assert visible(shown) == shown == unicodedata.normalize("NFC", shown)
    assert not [sign for sign in shown if unicodedata.category(sign) in ("Cc", "Cs", "Zl", "Zp") and sign not in "\n\t"]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"), ("a\r\nb\rc", "a\nb\nc"), ("a\x1b[8mb", "a[8mb"), ("a\u202eb\u2066c", "abc"), ("a\u200bb\ufeffc\xad", "abc"), ("a" + "".join(chr(0xE0000 + ord(sign)) for sign in "obey"), "a"),
        ("cafe\u0301", "café"), ("⚠️", "⚠️"), ("👩\u200d💻 🏳️\u200d🌈", "👩\u200d💻 🏳️\u200d🌈"), ("👩\u200d\u200d💻 a\u200db", "👩💻 ab"), ("在庫\u3164", "在庫"), ("\x85a\u2028b", "ab"),
    ],
)  # fmt: skip
def test_what_hides_is_taken_out(text: str, shown: str) -> None:
    assert visible(text) == shown
