"""A few weeks of the simulated year, with every check that needs no long time; ``make simulate`` plays all of it."""

from __future__ import annotations

from tests.simulate.__main__ import chart, simulate


def test_a_few_weeks_hold_against_the_truth() -> None:
    figures, weeks = simulate(weeks=6, tickets=8, memories=4, seed=7)
    assert (figures["weeks"], figures["tickets"]) == (6, 48)
    assert figures["usefulRemoved"] == 0
    assert figures["recallLastQuarter"] == 1.0
    assert chart(weeks).count("<rect ") == 3 * 6
