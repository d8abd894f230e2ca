"""The rules of whose approval counts and of what, without a server."""

from __future__ import annotations

from typing import Any

import pytest

from brain.finalize.approval import Case, Consent, Reason, find_consents, weigh
from brain.forge.values import MERGED, Approval, Approvals, MergeRequest, Note, Person, Version
from brain.value import replace

ADA, PAM, DEE, BOB = (Person(n, name) for n, name in enumerate(("ada", "pam", "dee", "bob"), 1))
ONE, TWO = (
    Version("1" * 40, "0" * 40, "2026-01-01T10:00:00.000Z"),
    Version("2" * 40, "0" * 40, "2026-01-01T12:00:00.000Z"),
)
REQUEST = MergeRequest(
    7, MERGED, "t", "", "u", "memory/T", "main", TWO.head, ADA, source_project=1, target_project=1, merged_by=BOB
)


def case(*given: Approval, paid: bool = True, pms: dict[int, str] | None = None, **more: Any) -> Case:
    return Case(REQUEST, Approvals(given, paid), more.pop("versions", (TWO, ONE)), pms or {PAM.id: ""}, **more)


@pytest.mark.parametrize(
    ("at", "heads"),
    [
        ("2026-01-01T11:00:00.000Z", (ONE,)), ("2026-01-01T12:00:00.000Z", (TWO,)), ("2026-01-01T20:59:59.999+09:00", (ONE,)),
        ("2026-01-01T21:00:00.000+09:00", (TWO,)), ("2026-01-01T09:00:00.000Z", (TWO, ONE)), ("", (TWO, ONE)), ("soon", (TWO, ONE)),
    ],
)  # fmt: skip
def test_an_approval_is_of_the_head_of_its_time_else_of_any(at: str, heads: tuple[Version, ...]) -> None:
    assert find_consents(case(Approval(PAM, at))) == ([Consent(PAM, heads)], None)


def test_where_approvals_carry_no_time_gitlab_s_own_note_tells_it() -> None:
    notes = [
        Note(1, "approved this merge request", PAM, system=True, created="2026-01-01T11:00:00Z"),
        Note(2, "approved this merge request", PAM, system=False, created="2026-01-01T13:00:00Z"),
        Note(3, "approved this merge request", DEE, system=True, created="2026-01-01T13:00:00Z"),
    ]
    assert find_consents(case(Approval(PAM), notes=notes)) == ([Consent(PAM, (ONE,))], None)


@pytest.mark.parametrize(
    ("made", "reason"),
    [
        (case(), Reason("nobody")), (case(Approval(DEE)), Reason("not_pm", ("dee",))), (case(Approval(ADA), pms={ADA.id: ""}), Reason("own", ("ada",))),
        (case(Approval(DEE), Approval(PAM), pms={PAM.id: "left"}), Reason("left", ("pam",))), (case(Approval(PAM), pms={PAM.id: "bot"}), Reason("bot", ("pam",))),
        (replace(case(Approval(PAM)), request=replace(REQUEST, source_project=2)), Reason("foreign")),
        (case(pms={BOB.id: ""}), Reason("nobody")),
    ],
)  # fmt: skip
def test_an_approval_that_does_not_count_has_a_reason(made: Case, reason: Reason) -> None:
    assert find_consents(made) == ([], reason)


def test_a_deputy_counts_where_the_author_is_a_pm() -> None:
    made = case(Approval(ADA), Approval(PAM, "2026-01-01T13:00:00Z"), pms={ADA.id: "", PAM.id: ""})
    assert find_consents(made) == ([Consent(PAM, (TWO,))], None)


def test_on_free_a_pm_s_merge_is_of_the_head_that_was_merged() -> None:
    assert find_consents(case(paid=False, pms={BOB.id: ""})) == ([Consent(BOB, (TWO,))], None)
    assert find_consents(case(paid=False)) == ([], Reason("nobody"))
    opened = replace(case(paid=False, pms={BOB.id: ""}), request=replace(REQUEST, state="opened"))
    assert find_consents(opened) == ([], Reason("nobody"))


OLD, NEW = {"a.md": b"old"}, {"a.md": b"new", "b.md": b"b"}


@pytest.mark.parametrize(
    ("heads", "seen", "answer"),
    [
        ((ONE,), {ONE: NEW, TWO: NEW}, ("pam", None)), ((ONE,), {ONE: OLD, TWO: NEW}, ("", Reason("changed", ("a.md", "b.md")))),
        ((TWO, ONE), {ONE: OLD, TWO: NEW}, ("", Reason("unknown", ("a.md", "b.md")))), ((TWO, ONE), {ONE: NEW, TWO: NEW}, ("pam", None)),
        ((ONE,), {ONE: None, TWO: NEW}, ("", Reason("unknown"))), ((ONE,), {TWO: NEW}, ("", Reason("unknown"))), ((), {TWO: NEW}, ("", Reason("unknown"))),
        ((ONE,), {ONE: {**NEW, "a.md": None}}, ("", Reason("changed", ("a.md",)))),
    ],
)  # fmt: skip
def test_an_approval_holds_while_nothing_else_is_there(heads: tuple[Version, ...], seen: Any, answer: Any) -> None:
    assert weigh([Consent(PAM, heads)], seen, NEW) == answer


def test_of_two_approvals_the_one_that_holds_is_taken() -> None:
    consents = [Consent(BOB, (ONE,)), Consent(PAM, (TWO,))]
    assert weigh(consents, {ONE: OLD, TWO: NEW}, NEW) == ("pam", None)


def test_the_same_head_with_another_target_branch_is_another_change() -> None:
    retargeted = replace(ONE, base="9" * 40, created="2026-01-01T12:00:00.000Z")
    seen = {ONE: OLD, retargeted: NEW}
    assert weigh([Consent(PAM, (ONE,))], seen, NEW) == ("", Reason("changed", ("a.md", "b.md")))
    assert weigh([Consent(PAM, (retargeted,))], seen, NEW) == ("pam", None)


def test_what_cannot_be_seen_is_not_approved() -> None:
    assert weigh([Consent(PAM, (ONE,))], {ONE: NEW}, None) == ("", Reason("unknown"))
