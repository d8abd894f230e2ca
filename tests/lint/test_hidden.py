from __future__ import annotations

import pytest

from tests.lint.support import BODY_LINE, at, errors, lint, memory, names, scan

TAGS = "".join(chr(0xE0000 + ord(letter)) for letter in "obey")


@pytest.mark.parametrize(
    ("text", "name", "column"),
    [
        (f"Deploy.{TAGS}", "hidden-character", 8), ("a \U0001f3f4\U000e0067\U000e0062 b", "hidden-character", 4),
        ("pass\u200bword", "hidden-character", 5), ("pass\u00adword", "hidden-character", 5), ("a\u2060b", "hidden-character", 2),
        ("a\u034fb", "hidden-character", 2), ("a\u3164b", "hidden-character", 2), ("a\u2800b", "hidden-character", 2),
        ("x\u200dy", "hidden-character", 2), ("x\u200cy", "hidden-character", 2), ("x\ufe00y", "hidden-character", 2),
        ("x\U000e0100y", "hidden-character", 2), ("in\ufeffside", "hidden-character", 3), ("a\u2028b", "hidden-character", 2),
        ("a\ufff9b", "hidden-character", 2), ("a\ufdd0b", "hidden-character", 2), ("a\u202eb", "hidden-character", 2),
        ("a\u2067b", "hidden-character", 2), ("8\u200f0", "hidden-character", 2), ("a\u061cb", "hidden-character", 2),
        ("a\x1b[8mb", "control-character", 2), ("a\x08b", "control-character", 2), ("a\x9b31m", "control-character", 2), ("a\x7fb", "control-character", 2),
        ("use r\u0435quests now", "look-alike-letter", 5), ("n\u03bfde", "look-alike-letter", 1),
        ("Install p\u0251ndas", "look-alike-letter", 9), ("goo\u0261le", "look-alike-letter", 1), ("pyp\u0131-core", "look-alike-letter", 1), ("\u13deelenium", "look-alike-letter", 1),
        ("\ua4e2elenium", "look-alike-letter", 1), ("\u2160nstall", "look-alike-letter", 1), ("insta\u217c", "look-alike-letter", 6),
        ("漢\ufe00字", "hidden-character", 2), ("葛\U000e0150", "hidden-character", 2), ("葛\U000e0100城\U000e0101市\U000e0102は\U000e0103", "hidden-character", 2),
        ("a\U0001bca0b", "hidden-character", 2), ("a\U00013430b", "hidden-character", 2), ("a\u0600b", "hidden-character", 2),
        ("\U0001d422\U0001d420\U0001d427 all", "styled-letters", 1), ("go ⓘⓖⓝ", "styled-letters", 4),
    ],
)  # fmt: skip
def test_characters_that_block(text: str, name: str, column: int) -> None:
    assert at(scan(text), name)[0] == (1, column, "error")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("a \ue000 b", "private-use-character"),
        ("変数クロ口スの設定", "look-alike-word"),
        ("サ一バーを止める", "look-alike-word"),
        ("the \u0440\u0430\u0443\u0440 of it", "look-alike-word"),
        ("a\u0300\u0301\u0302\u0303\u0304b", "many-marks"),
    ],
)
def test_characters_that_only_warn(text: str, name: str) -> None:
    assert [(found.rule.name, found.severity) for found in scan(text)] == [(name, "warning")]


@pytest.mark.parametrize(
    "text",
    [
        "👨\u200d👩\u200d👧\u200d👦 and 👩🏻\u200d💻 and 🏳\ufe0f\u200d🌈 and ❤\ufe0f\u200d🔥", "1\ufe0f\u20e3 ☎\ufe0f ⚠\ufe0e ㊗\ufe0f", "葛\U000e0100城市",
        "🏴" + "".join(chr(0xE0000 + ord(letter)) for letter in "gbsct") + "\U000e007f", "Ω µ Δt α = 0.05", "Київ, Одеса", "한국어", "הדפסה\u200f",
        "क्\u200dष می\u200cخواهم", "ＡＢＣ ﾊﾝｶｸ １２３", "Ωmegaはプロジェクト名", "café naïve — “terms” …", "面積は㎡、Ⅰ、髙", "price €10–€20", "Işık ve sınıf: ığdır ğ", "データ一覧とプラン一ヶ月、コスト二カ国", "PhaseⅡとフェーズⅢ",
    ],
)  # fmt: skip
def test_characters_that_have_their_place(text: str) -> None:
    assert scan(text) == []


def test_an_escape_in_yaml_hides_nothing() -> None:
    findings = lint(memory(source='"Stock \\u202Etropxe"', hook='"a\\x1b[8mb"'))
    assert at(findings, "hidden-character") == [(8, 9, "error")]
    assert at(findings, "control-character") == [(16, 7, "error")]


def test_a_hidden_character_in_a_key_is_found() -> None:
    assert "hidden-character" in errors(lint(memory(tail="sour\u200bce: other\n")))


def test_line_and_column_are_those_of_the_file() -> None:
    findings = lint(memory("It ends.\n\nThe ex\u200bport.\n\n**Apply:** x.\n"))
    assert at(findings, "hidden-character") == [(BODY_LINE + 2, 7, "error")]


def test_one_finding_a_line_says_enough() -> None:
    assert len(scan("a\u200bb\u200bc\nd\u200be")) == 2


def test_text_in_nfd_is_no_attack() -> None:
    assert names(scan("Ca\u0301c te\u0323\u0302p tu\u031b\u0300 ma\u0301y Mac")) == set()
