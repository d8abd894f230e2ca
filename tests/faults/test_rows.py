"""The matrix names tests that are there, and no test of a row stands in two."""

from __future__ import annotations

from itertools import chain
from pathlib import Path

from tests.faults.rows import ROWS

ROOT = Path(__file__).resolve().parents[2]
NODES = list(chain.from_iterable(ROWS.values()))


def test_every_test_of_the_matrix_is_there() -> None:
    missing = []
    for node in NODES:
        file, _, name = node.partition("::")
        text = (ROOT / file).read_text("utf-8") if (ROOT / file).exists() else ""
        missing += [] if text and f"def {name.partition('[')[0]}" in text else [node]
    assert missing == []


def test_no_test_is_counted_twice() -> None:
    assert [one for one in NODES for other in NODES if one is not other and one.startswith(other)] == []
