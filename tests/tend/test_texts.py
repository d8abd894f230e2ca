"""Texts of the weekly merge request: every language has every name, with the same gaps."""

from __future__ import annotations

import re

import pytest

from brain.stale import answers
from brain.stale.words import REASONS
from brain.tend.texts import PROMOTION, WORDS


@pytest.mark.parametrize("texts", [WORDS, PROMOTION])
def test_every_language_has_every_name_with_the_same_gaps(texts: dict[str, dict[str, str]]) -> None:
    gaps = {
        language: {name: sorted(re.findall(r"\{\w+\}", text)) for name, text in words.items()}
        for language, words in texts.items()
    }
    assert gaps["vi"] == gaps["en"] == gaps["ja"]


def test_every_reason_of_a_doubt_has_its_words_in_every_language() -> None:
    texts = {text for name, text in vars(answers).items() if name.isupper() and isinstance(text, str)}
    reasons = texts - {answers.FRESH, answers.STALE, answers.UNKNOWN, answers.SAME}
    for language, words in REASONS.items():
        assert words.keys() == reasons, language
        assert all(words.values()), language
