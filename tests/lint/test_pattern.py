"""Every expression there is takes time in line with the text, whatever is repeated in it."""

from __future__ import annotations

import importlib
import pkgutil
import random
import re
import time
from collections.abc import Iterator

import brain.lint
import brain.lint.secrets
from brain.lint.pattern import Pattern

SIZE, SECONDS = 3000, 0.25
"""Characters and time for one expression: an exponential one never ends, a cubic one takes minutes."""
UNITS = (
    "a", "A", "1", "_", " ", "\n", "a ", "a_", "a.", "a-", "a-b-", "._", "- ", "_ ", " \n", "a\n", "=", "a=", "/", "a/", "@", "a@b.", "://", "<", "<a ", "[", "](", "`",
    "{{", "%41", "\\x41", "0x", "Aa1!", "1 ", "1-", "あ", "あい", "ignore ", "run the ", "|", ":", '"', "b c ", "#", "*",
)  # fmt: skip


def patterns() -> dict[str, Pattern]:
    found: dict[str, Pattern] = {}
    for package in (brain.lint, brain.lint.secrets):
        for module in pkgutil.iter_modules(package.__path__):
            for value in vars(importlib.import_module(f"{package.__name__}.{module.name}")).values():
                found.update({pattern.source: pattern for pattern in within(value)})
    return found


def within(value: object) -> Iterator[Pattern]:
    if isinstance(value, Pattern):
        yield value
    elif isinstance(value, (tuple, list)):
        for item in value:
            yield from within(item)


def test_no_expression_is_worse_than_square() -> None:
    rng, slow = random.Random(1), []
    every = patterns()
    assert len(every) > 200
    for source, pattern in every.items():
        words = re.findall(r"[A-Za-z\u3040-\u9fff]{3,}", source)
        for unit in (*UNITS, *(f"{word} " for word in rng.sample(words, min(3, len(words))))):
            text = unit * (SIZE // len(unit))
            start = time.process_time()
            sum(1 for _ in pattern.compiled.finditer(text))
            if time.process_time() - start > SECONDS:
                slow.append((source[:60], unit))
    assert slow == []


def test_hints_only_ever_say_no_where_the_expression_does() -> None:
    pattern = Pattern("a.*b", "a", ("b", "c"))
    assert [pattern.may_match(text) for text in ("ab", "ac", "a", "b")] == [True, True, False, False]
    assert pattern.search("xaxb") is not None
    assert (pattern.search("b"), pattern.sub("-", "b"), list(pattern.finditer("c"))) == (None, "b", [])
