import os
import subprocess
import sys
from types import SimpleNamespace

import pytest

from brain.stale.answers import Answer
from brain.stale.memories import Doubt, check_memories

NOWHERE = "0123456789012345678901234567890123456789"


def memory(verified, *refs):
    return SimpleNamespace(refs=refs, verified_commit=verified)


def doubts(memories, repos, cache="", **options):
    found = check_memories(memories, repos, str(cache), **options)
    return [[f"{doubt.ref}: {doubt.answer.state} {doubt.answer.reason}" for doubt in each] for each in found]


@pytest.fixture
def no_git(monkeypatch, tmp_path):
    """Return a function after whose call no git can be started."""
    return lambda: monkeypatch.setenv("PATH", str(tmp_path))


def test_each_memory_gets_its_refs_that_are_not_fresh(history, new_history):
    docs = new_history("docs")
    code_old, docs_old = history.commit({"a": "1", "b": "1\n"}), docs.commit({"s.md": "1"})
    history.commit({"a": "2", "b": "1\nmore\n"})
    docs_new = docs.commit({"s.md": "2"})
    docs.commit({"s.md": "1"})
    both = {"code": code_old, "docs": docs_old}
    memories = [
        memory(both, "a", "b", "docs:s.md", "b#L1"),
        memory(code_old, "b#L1"),
        memory("", "a"),
        memory({"docs": docs_old}, "a", "docs:s.md"),
        memory(code_old),
        memory(both, "web:x", "gone:x", "../x"),
    ]
    repos = {"": history.path, "docs": docs.path, "gone": None}
    assert doubts(memories, repos, memory_head=docs_new) == [
        ["a: stale changed", "b: stale changed", "docs:s.md: stale changed"],
        [],
        ["a: unknown not-verified"],
        ["a: unknown not-verified", "docs:s.md: stale changed"],
        [],
        ["web:x: unknown repo-missing", "gone:x: unknown repo-missing", "../x: unknown invalid-ref"],
    ]
    assert doubts([memory(both, "docs:s.md")], repos) == [[]]


def test_a_doubt_says_since_when_and_why(history):
    old = history.commit({"a": "1"})
    history.commit({"a": None})
    assert check_memories([memory(old, "./a")], {"": history.path}, "") == [
        (Doubt("./a", old, Answer("stale", "deleted")),)
    ]


def test_no_memories_need_nothing(no_git):
    no_git()
    assert check_memories([], {}, "") == []


def test_the_second_time_starts_no_git(history, tmp_path, no_git):
    old = history.commit({"a": "1", "b": "1\n2\n", "d/x": "1"})
    history.commit({"a": "2", "b": "0\n1\n2\n"})
    memories = [memory(old, "a", "b#L2", "b#L9", "d/*", "d/"), memory(NOWHERE, "a"), memory(old[:10], "a")]
    repos = {"": history.path}
    first = doubts(memories, repos, tmp_path / "cache")
    assert first == [
        ["a: stale changed", "b#L9: unknown lines-beyond-end"], ["a: unknown commit-missing"], ["a: stale changed"]
    ]  # fmt: skip
    no_git()
    assert doubts(memories, repos, tmp_path / "cache") == first
    assert doubts(memories[:1], repos, tmp_path / "other")[0][0] == "a: unknown git-failed"


def test_when_head_moves_git_is_asked_again(history, tmp_path):
    old = history.commit({"a": "1"})
    assert doubts([memory(old, "a")], {"": history.path}, tmp_path / "cache") == [[]]
    history.commit({"a": "2"})
    assert doubts([memory(old, "a")], {"": history.path}, tmp_path / "cache") == [["a: stale changed"]]


@pytest.mark.parametrize("unpack_limit", ["1", "1000"])
def test_a_missing_commit_is_known_once_it_is_fetched(history, new_history, tmp_path, unpack_limit):
    other = new_history("other")
    other.commit({"y": "1", "z": "1"})
    commit = history.commit({"z": "1"})
    other.git("config", "fetch.unpackLimit", unpack_limit)
    asked = [memory(commit, "z")], {"": other.path}, tmp_path / "cache"
    for _ in range(2):
        assert doubts(*asked) == [["z: unknown commit-missing"]]
    other.git("fetch", "-q", history.path, "main:other")
    assert doubts(*asked) == [[]]


def test_an_answer_for_a_moving_name_is_not_kept(history, tmp_path, no_git):
    history.commit({"a": "1"})
    history.git("branch", "base")
    history.commit({"a": "2"})
    asked = [memory("base", "a")], {"": history.path}, tmp_path / "cache"
    assert doubts(*asked) == [["a: stale changed"]]
    history.git("branch", "-f", "base", "main")
    assert doubts(*asked) == [[]]


def test_a_repository_without_commits_is_unknown(history, tmp_path):
    assert doubts([memory(NOWHERE, "a")], {"": history.path}, tmp_path) == [["a: unknown head-missing"]]


def test_a_head_that_was_lost_is_unknown_and_not_kept(history, tmp_path):
    old = history.commit({"a": "1"})
    asked = [memory(old, "a")], {"docs": history.path}, tmp_path / "cache"
    memories = [memory(old, "docs:a")]
    assert doubts(memories, *asked[1:], memory_head=NOWHERE) == [["docs:a: unknown head-missing"]]
    assert not os.path.exists(tmp_path / "cache")


def test_a_cache_that_cannot_be_written_is_done_without(history, tmp_path):
    old = history.commit({"a": "1"})
    history.commit({"a": "2"})
    (tmp_path / "file").write_text("")
    assert doubts([memory(old, "a")], {"": history.path}, tmp_path / "file") == [["a: stale changed"]]


def test_the_same_ref_of_many_memories_is_asked_once_and_answered_for_each(history):
    old = history.commit({"a": "1"})
    history.commit({"a": "2"})
    asked = [memory(old, "a"), memory(old, "./a"), memory(old, "code:a")]
    assert doubts(asked, {"": history.path}) == [
        ["a: stale changed"],
        ["./a: stale changed"],
        ["code:a: stale changed"],
    ]


def test_importing_the_room_stays_light():
    code = "import sys; import brain.stale.memories; print(*sorted(sys.modules))"
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    out = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, check=True, env=env).stdout
    heavy = {
        "re",
        "json",
        "typing",
        "dataclasses",
        "pathlib",
        "subprocess",
        "inspect",
        "unicodedata",
        "hashlib",
    }
    assert heavy & set(out.split()) == set()
