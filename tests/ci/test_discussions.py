"""Discussions: which are begun, resolved, opened again, and at which lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from brain.forge.values import Version
from brain.lint.finding import ERROR, Finding, Rule
from brain_ci.discussions import MOST_OPEN, Plan, Spot, Thread, find_spots, plan_discussions
from tests.support.repos import commit, git, make_repo

if TYPE_CHECKING:
    from pathlib import Path

RULE = Rule("M040", "field-missing", ERROR, "what", "Why.", "mend")
A, B = "a" * 20, "b" * 20


def spot(mark: str, path: str = "x.md", line: int = 1) -> Spot:
    return Spot(Finding(path, line, 1, RULE, ERROR, "m", "m", mark), path)


def test_a_new_error_gets_one_discussion_even_if_it_is_found_twice() -> None:
    assert plan_discussions([], [spot(A), spot(A, "y.md")], {A}) == Plan((spot(A),), (), ())


@pytest.mark.parametrize(
    ("thread", "errors", "plan"),
    [
        (Thread("t", A, False, False), {A}, Plan((), (), ())),
        (Thread("t", A, False, False), {B}, Plan((), ("t",), ())),
        (Thread("t", A, True, True), {B}, Plan((), (), ())),
        (Thread("t", A, True, True), {A}, Plan((), (), ("t",))),
        (Thread("t", A, True, False), {A}, Plan((), (), ())),
    ],
    ids=["stays", "is resolved", "stays resolved", "comes back", "a person's word counts"],
)
def test_what_becomes_of_one_that_is_there(thread: Thread, errors: set[str], plan: Plan) -> None:
    assert plan_discussions([thread], [spot(A)] if A in errors else [], errors) == plan


def test_so_many_are_open_at_most() -> None:
    marks = [f"{number:020x}" for number in range(MOST_OPEN + 10)]
    spots = [spot(mark) for mark in marks]
    assert plan_discussions([], spots, set(marks)).begin == tuple(spots[:MOST_OPEN])
    there = [Thread(mark, mark, False, False) for mark in marks[:3]]
    assert plan_discussions(there, spots, set(marks)).begin == tuple(spots[3:MOST_OPEN])
    plan = plan_discussions(there, spots[3:], set(marks[3:]))
    assert (len(plan.begin), plan.resolve) == (MOST_OPEN, tuple(marks[:3]))


def found_at(repo: Path, path: str, *numbers: int) -> list[tuple[int, str]]:
    """Return line and old path of the errors at these lines that stand on a line which HEAD adds."""
    version = Version(git(repo, "rev-parse", "topic"), git(repo, "rev-parse", "main"), "")
    errors = [Finding(path, line, 1, RULE, ERROR, "m", "m", f"{line:020x}") for line in numbers]
    return [(spot.finding.line, spot.old_path) for spot in find_spots(str(repo), version, errors)]


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    lines = "".join(f"line {number}\n" for number in range(1, 31))
    path = make_repo(tmp_path / "r", {"old name.md": lines, "[x].md": lines})
    git(path, "checkout", "-q", "-b", "topic")
    return path


def test_only_lines_that_the_request_adds_count(repo: Path) -> None:
    lines = (repo / "[x].md").read_text().splitlines()
    lines[4:5] = ["@@ -1 +1,99 @@", "new"]
    del lines[20]
    commit(repo, {"[x].md": "\n".join(lines) + "\n", "ghi chú 日.md": "a\nb"})
    assert found_at(repo, "[x].md", *range(1, 31)) == [(5, "[x].md"), (6, "[x].md")]
    assert found_at(repo, "ghi chú 日.md", 1, 2, 3) == [(1, "ghi chú 日.md"), (2, "ghi chú 日.md")]
    assert found_at(repo, "not there.md", 1) == []


def test_a_moved_file_is_named_by_both_its_names(repo: Path) -> None:
    text = (repo / "old name.md").read_text().replace("line 7\n", "line seven\n")
    commit(repo, {"old name.md": None, "new/name.md": text})
    assert found_at(repo, "new/name.md", 1, 7) == [(7, "old name.md")]


def test_a_file_that_the_target_branch_changed_too_is_left_to_the_note(repo: Path) -> None:
    text = (repo / "[x].md").read_text()
    commit(repo, {"[x].md": text + "end\n"})
    git(repo, "checkout", "-q", "--detach", "topic")
    assert found_at(repo, "[x].md", 31) == [(31, "[x].md")]
    commit(repo, {"[x].md": "begin\n" + text + "end\n"})
    assert found_at(repo, "[x].md", 32) == []


def test_a_base_that_this_clone_lacks_gives_no_line(repo: Path) -> None:
    commit(repo, {"[x].md": "new\n"})
    head = git(repo, "rev-parse", "topic")
    error = Finding("[x].md", 1, 1, RULE, ERROR, "m", "m", A)
    assert list(find_spots(str(repo), Version(head, "0" * 40, ""), [error])) == []
