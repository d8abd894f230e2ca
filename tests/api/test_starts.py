"""Which runs of finalize follow from webhooks."""

from __future__ import annotations

import pytest

from brain.errors import BrainError, ForgeError
from brain_api.deliveries import Delivery
from brain_api.starts import Start, is_final, plan_starts


def told(action: str, state: str = "opened", iid: int = 7, *, ours: bool = True) -> Delivery:
    return Delivery(f"{iid}{action}", 1.0, "merge_request", iid, "c" * 40, action, state, 5, "memory/T-1", ours)


MAIN = Start()


@pytest.mark.parametrize(("mode", "deliveries", "starts"), [
    ("on-main", [told("approved")], []),
    ("on-main", [told("merge", "merged")], [MAIN]),
    ("on-main", [told("approved", "merged")], [MAIN]),
    ("on-main", [told("merge", "merged"), told("merge", "merged", 8)], [MAIN]),
    ("on-main", [told("merge", "merged", ours=False)], []),
    ("on-main", [told("close", "closed"), told("open"), told("update")], []),
    ("on-main", [Delivery("p", 1.0, "push", sha="c" * 40, branch="refs/heads/main")], []),
    ("on-branch", [told("approved"), told("approved")], [Start(7)]),
    ("on-branch", [told("approval")], [Start(7)]),
    ("on-branch", [told("unapproved"), told("approved", iid=9)], [Start(9)]),
    ("on-branch", [told("merge", "merged")], [MAIN]),
    ("", [told("approved")], []),
])  # fmt: skip
def test_each_run_follows_once(mode: str, deliveries: list[Delivery], starts: list[Start]) -> None:
    assert plan_starts(deliveries, mode) == starts


@pytest.mark.parametrize(
    ("status", "final"),
    [(400, True), (403, True), (404, True), (405, True), (409, False), (429, False), (502, False), (0, False)],
)
def test_what_gitlab_refuses_is_over_and_what_it_did_not_answer_is_not(status: int, *, final: bool) -> None:
    assert is_final(ForgeError("POST /x", status, "no")) is final


def test_what_is_missing_here_may_come() -> None:
    assert is_final(BrainError("there is no token")) is False
