"""Refs that cover the ticket's files: by name, folder, pattern; in this repo, whatever it is called (SPEC §4.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brain.recall.cover import is_match, share_files
from tests.support.recall import brain_of, memory, segment, terms_of
from tests.support.repos import git, make_repo

if TYPE_CHECKING:
    from pathlib import Path

FILES = ("src/pay/retry.py", "src/pay/db/up.sql")


@pytest.mark.parametrize(
    ("ref", "covered"),
    [
        ("src/pay/retry.py", 0.5), ("src/pay/", 1.0), ("src/pay", 1.0), ("src", 1.0), ("src/pa", 0.0), ("src/pay/retry.p", 0.0),
        ("src/**/*.sql", 0.5), ("src/*.sql", 0.5), ("src/pay/*", 1.0), ("*.py", 0.5), ("src/pay/retry.py#L3-L9", 0.5), ("src/pay/retry.py#L3", 0.5),
        ("code:src/pay/retry.py", 0.5), ("code:src/**/*.sql", 0.5), ("docs:src/pay/retry.py", 0.0), ("other:src/pay/", 0.0), ("other:src/*", 0.0), ("retry.py", 0.0),
    ],
)  # fmt: skip
def test_a_ref_covers_a_share_of_the_files(tmp_path: Path, ref: str, covered: float) -> None:
    item = memory("00.Shared/domain/_global/a.md", refs=(ref,), tags=("t",))
    brain = brain_of(tmp_path, [item], settings={"recall": {"scorer": "hybrid"}})
    assert (
        terms_of(brain, item.id, keywords=["t"], files=["./src/pay/retry.py", FILES[1]]).get("files", 0.0)
        == 4.0 * covered
    )


def test_two_refs_to_one_file_cover_it_once_and_shares_add_up() -> None:
    pages = segment(
        [
            memory("00.Shared/domain/_global/a.md", refs=("src/pay/", "src/pay/retry.py", "src/*/db/*")),
            memory("00.Shared/domain/_global/b.md", refs=("src/pay/retry.py",)),
        ]
    )
    assert share_files(pages, (), FILES, ("",)) == {0: 1.0, 1: 0.5}
    assert share_files(pages, {0}, FILES, ("",)) == {1: 0.5}
    assert share_files(pages, (), (), ("",)) == {}


def test_aliases_of_this_repo_count_as_told() -> None:
    pages = segment([memory("00.Shared/domain/_global/a.md", refs=("shop:src/pay/", "shop:src/*.sql"))])
    assert share_files(pages, (), FILES, ("", "code:")) == {}
    assert share_files(pages, (), FILES, ("", "code:", "shop:")) == {0: 1.0}


PATTERNS = (
    "src/*",
    "*.py",
    "s?c/*",
    "src/[a-c]*",
    "src/[!a]*",
    "src/[^a]*",
    "src/[]x]*",
    "src/**/x",
    "*/*/x*",
    "src/\\*",
    "src/[a",
    "[s]rc/a/x",
    "*",
    "?*",
    "src/[a-]",
    "s*c/*a*",
    "src/[\\]]x",
    "nothing\\",
    "a[b-",
    "src/[*]",
)
PATHS = (
    "src/a/x",
    "src/b.py",
    "src/x",
    "src/c",
    "src/-",
    "src/*",
    "src/]x",
    "x.py",
    "src/a/b/x",
    "src/[a",
    "nothing",
    "src/caxa",
)


def test_a_pattern_matches_what_git_matches(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "globs", dict.fromkeys(PATHS, "x"))
    for pattern in PATTERNS:
        listed = set(filter(None, git(repo, "ls-files", "-z", "--", pattern).split("\0")))
        literal = {
            path for path in PATHS if path == pattern or path.startswith(pattern + "/")
        }  # recall looks those up by name
        assert (pattern, {path for path in PATHS if is_match(path, pattern)} | literal) == (pattern, listed | literal)


@settings(max_examples=200, deadline=None)
@given(path=st.text("ab/", max_size=12), pattern=st.text("ab/*?", max_size=8))
def test_stars_and_question_marks_match_as_the_standard_library_says(path: str, pattern: str) -> None:
    from fnmatch import fnmatchcase

    assert is_match(path, pattern) == fnmatchcase(path, pattern)


def test_a_hostile_pattern_is_no_burden() -> None:
    assert not is_match("a" * 300, "*a" * 40 + "b")


def test_the_ticket_may_name_files_in_any_script(tmp_path: Path) -> None:
    item = memory("00.Shared/domain/_global/a.md", refs=("src/支払い/", "src/đơn.py"))
    brain = brain_of(tmp_path, [item], settings={"recall": {"scorer": "hybrid"}})
    ticket: dict[str, Any] = {"files": ["src/支払い/再試行.py", "src/đơn.py"]}
    assert terms_of(brain, item.id, **ticket) == {"files": 4.0}
