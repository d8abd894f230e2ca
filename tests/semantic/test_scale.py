"""The reckoning for ten million memories: what the sums and the played questions must obey, whatever was measured."""

from __future__ import annotations

import pytest

pytest.importorskip("numpy", reason="numpy is not installed")
from tests.bench.pgvector import Size
from tests.bench.scale import SPLITS, reckon, replicas_for, share_of, simulate

SMALL = Size(10_000, 2.0, 9_000_000, 1_000_000, (10.0,) * 90 + (20.0,) * 10)
LARGE = Size(100_000, 50.0, 90_000_000, 80_000_000, (30.0,) * 90 + (60.0,) * 10)


def test_each_split_is_ten_million_and_only_large_projects_pay_for_graphs() -> None:
    sizes = {label: reckon([SMALL, LARGE], projects) for label, projects in SPLITS.items()}
    assert {size.rows for size in sizes.values()} == {10_000_000}
    many, few = sizes["one thousand of 10,000"], sizes["ten of 1,000,000"]
    assert (many.seconds, many.indexes) == (2000.0, 1_000_000_000)
    assert few.seconds > many.seconds
    assert few.indexes > many.indexes
    assert max(few.asked) == pytest.approx(60 * 1.2556, rel=1e-3), "log 1,000,000 to log 60,000"


def test_questions_wait_where_too_many_come_and_replicas_end_that() -> None:
    asked = LARGE.asked
    assert share_of(simulate(asked, 1, 1), 0.5) == pytest.approx(30)
    slow, quick = simulate(asked, 50, 1), simulate(asked, 50, 2)
    assert share_of(slow, 0.5) > share_of(quick, 0.5)
    assert min(quick) == pytest.approx(30)
    servers = replicas_for(asked, 100)
    assert share_of(simulate(asked, 100, servers), 0.99) <= 1.25 * 60
    assert share_of(simulate(asked, 100, servers - 1), 0.99) > 1.25 * 60
