"""What finalize writes, and how texts compare without it."""

from __future__ import annotations

import pytest

from brain.finalize.approval import Reason
from brain.finalize.edits import approve, canonical, deprecate, neutral, put_back
from brain.finalize.plan import Problem, Step, make_message
from brain.finalize.texts import WORDS, render_note, say
from tests.finalize.project import NOON, draft
from tests.finalize.test_removal import proposed
from tests.support.repos import memory_text

PENDING, OFFICIAL = draft(NOON).encode(), memory_text(NOON, reviewed_by="pam").encode()
ODD = draft(NOON).replace("status: pending", 'status:   "pending"  # chờ').replace("\n", "\r\n").encode()


def test_only_status_and_reviewer_are_written() -> None:
    assert (approve(PENDING, "pam", NOON), put_back(OFFICIAL, NOON)) == (OFFICIAL, PENDING)
    assert approve(ODD, "pam", NOON) == ODD.replace(b'"pending"', b'"approved"').replace(
        b"reviewed_by:", b"reviewed_by: pam"
    )
    assert deprecate(OFFICIAL, "tom", NOON) == OFFICIAL.replace(b"approved", b"deprecated").replace(b"pam", b"tom")


@pytest.mark.parametrize("name", ["null", "123", "yes", "a-b.c_d"])
def test_a_reviewer_of_any_name_stays_a_text(name: str) -> None:
    assert (
        put_back(approve(PENDING, name, NOON), NOON).replace(b'""', b"").replace(b"reviewed_by: \n", b"reviewed_by:\n")
        == PENDING
    )


@pytest.mark.parametrize(
    ("one", "other"), [(PENDING, OFFICIAL), (ODD, approve(ODD, "x", NOON)), (b"\xff", b"\xff"), (None, None)]
)
def test_alike_without_what_finalize_writes(one: bytes | None, other: bytes | None) -> None:
    assert neutral(one, NOON) == neutral(other, NOON)


@pytest.mark.parametrize(
    "other",
    [PENDING + b"\n", PENDING.replace(b"0.8", b"0.9"), PENDING.replace(b"stale: false", b"stale: true"), b"", None],
)
def test_anything_else_differs(other: bytes | None) -> None:
    assert neutral(PENDING, NOON) != neutral(other, NOON)


def test_heads_of_a_merge_request_compare_with_removals_done() -> None:
    text = proposed(OFFICIAL.decode()).encode()
    after = {NOON: None, f"_deprecated/{NOON}": deprecate(text, "pam", NOON)}
    assert canonical({NOON: text, "MEMORY.md": b"x"}) == canonical(after)
    assert canonical({NOON: proposed(OFFICIAL.decode(), "hard").encode()}) == canonical({NOON: None})
    assert canonical({NOON: text}) != canonical({NOON: None})


def test_every_language_has_the_same_words() -> None:
    assert {frozenset(words) for words in WORDS.values()} == {frozenset(WORDS["en"])}
    for name, text in WORDS["en"].items():
        assert ["{names}" in words[name] for words in WORDS.values()] == ["{names}" in text] * 3


def test_a_note_holds_paths_in_code_spans_alone() -> None:
    problem = Problem("stays", "a`|<!--@all/merge\n/merge", 7, Reason("changed", ("@all", *"abcdefg")))
    note = render_note([problem], "en")
    assert "\n/merge" not in note
    assert "`@all`, `a`, `b`, `c`, `d`, …" in note
    assert "<!--" not in note
    assert say(problem).startswith("!7 a`|")


def test_a_message_names_merge_requests_and_reviewers() -> None:
    steps = [Step("approve", "a", "pam", 9), Step("remove", "b", "tom", 7), Step("put back", "c", "", 8)]
    assert make_message(steps, "f" * 40) == (
        "memory: finalize !7, !9\n\n1 approved, 1 removed, 1 put back to pending\n\n"
        f"Brain-Finalize: {'f' * 40}\nApproved-by: tom (!7)\nApproved-by: pam (!9)\n"
    )
    many = [Step("approve", "a", "pam", iid) for iid in range(1, 9)]
    assert make_message(many, "f").splitlines()[0] == "memory: finalize !1, !2, !3, !4, !5 and 3 more"
    assert make_message([], "f") == "memory: rebuild the index\n\nBrain-Finalize: f\n"
