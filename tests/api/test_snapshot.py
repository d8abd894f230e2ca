"""Snapshots: an answer is made once, a new snapshot has those that are asked for, none outlives its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from brain_api.answers import Passing, RecallQuestion
from brain_api.snapshot import WARM_QUESTIONS, Answers, Snapshot
from tests.support.recall import brain_of, memory, ticket_of

if TYPE_CHECKING:
    from pathlib import Path

RETRY = "01.Lessons/dev/F-003_Payment/retry.md"


def question(title: str = "retry", day: str = "2026-06-01") -> RecallQuestion:
    return RecallQuestion(ticket_of(title=title, keywords=["payment"]), day)


@pytest.fixture
def snapshot(tmp_path: Path) -> Snapshot:
    return Snapshot(brain_of(tmp_path, [memory(RETRY, tags=("payment",))]), ("1",), 0.0)


def test_the_same_question_is_answered_once(snapshot: Snapshot) -> None:
    first = snapshot.ask(question())
    assert b"mem-F003-retry" in first
    assert snapshot.ask(question()) is first
    assert snapshot.ask(question(day="2027-06-01")) is not first


def test_what_was_asked_is_answered_before_it_is_asked_again_and_what_was_not_is_not(snapshot: Snapshot) -> None:
    snapshot.ask(question())
    second = Snapshot(snapshot.brain, ("2",), 1.0, snapshot)
    second.warm(snapshot)
    assert second.answers.find(question()) == snapshot.ask(question())
    third = Snapshot(snapshot.brain, ("3",), 2.0, second)
    second.answers.find(question("other"))
    third.warm(second)
    fourth = Snapshot(snapshot.brain, ("4",), 3.0, third)
    fourth.warm(third)  # of the third nothing was asked
    assert fourth.answers.find(question()) is None
    assert third.answers.find(question("other")) is not None


def test_answers_that_were_not_asked_for_longest_go_first() -> None:
    answers = Answers(most=25)
    for name in "abc":
        answers.keep(question(name), b"x" * 10)
    assert [answers.find(question(name)) is None for name in "abc"] == [True, False, False]
    answers.find(question("b"))
    answers.keep(question("d"), b"x" * 10)
    assert [answers.find(question(name)) is None for name in "bcd"] == [False, True, False]
    assert len(answers.latest()) <= WARM_QUESTIONS


def test_an_answer_that_may_change_is_not_kept(snapshot: Snapshot) -> None:
    class Hasty:
        def answer(self, _: Snapshot) -> bytes:
            return Passing(b"now")

    hasty = Hasty()
    assert snapshot.ask(hasty) == b"now"
    assert snapshot.answers.find(hasty) is None
