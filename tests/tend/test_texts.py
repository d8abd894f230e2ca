"""Texts of the weekly merge request: every language has every name, with the same gaps."""

from __future__ import annotations

import re

import pytest

from brain.tend.texts import PROMOTION, WORDS


@pytest.mark.parametrize("texts", [WORDS, PROMOTION])
def test_every_language_has_every_name_with_the_same_gaps(texts: dict[str, dict[str, str]]) -> None:
    gaps = {
        language: {name: sorted(re.findall(r"\{\w+\}", text)) for name, text in words.items()}
        for language, words in texts.items()
    }
    assert gaps["vi"] == gaps["en"] == gaps["ja"]
