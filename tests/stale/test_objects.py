"""What only many pairs, or old repositories, bring out."""

import pytest

from brain.git.refs import get_repo
from brain.stale import objects
from brain.stale.check import Question, check
from brain.stale.refs import parse_ref


def test_more_trees_and_pairs_than_one_process_takes_are_answered_alike(history, monkeypatch):
    commits = [history.commit({f"d{number % 4}/f": str(number)}) for number in range(9)]
    questions = [Question(old, new, parse_ref(ref)) for old in commits for new in commits for ref in ("d1/f", "d?/f")]
    whole = check(history.path, questions)
    monkeypatch.setattr(objects, "OBJECTS_AT_ONCE", 2)
    monkeypatch.setattr(objects, "PAIRS_AT_ONCE", 2)
    assert check(history.path, questions) == whole


def test_modes_that_old_git_wrote_count_as_git_diff_counts_them(history):
    blob = history.git("hash-object", "-w", "--stdin", stdin=b"1")
    trees = [
        history.git(
            "hash-object",
            "-w",
            "-t",
            "tree",
            "--literally",
            "--stdin",
            stdin=mode + b" a\0" + bytes.fromhex(blob),
        )
        for mode in (b"100664", b"100644", b"100755")
    ]
    assert [history.git("diff", "--name-only", trees[0], tree) for tree in trees] == ["", "", "a"]
    states = [check(history.path, [Question(trees[0], tree, parse_ref("a"))])[0].state for tree in trees]
    assert states == ["fresh", "fresh", "stale"]


def test_a_file_whose_name_ends_like_a_tree_entry_is_not_taken_for_one(history):
    old = history.commit({"x 100644 a": "1"})
    new = history.commit({"x 100644 a": "2"})
    assert check(history.path, [Question(old, new, parse_ref("a"))])[0].reason == "never-existed"


@pytest.mark.parametrize(("text", "whole"), [("a" * 40, True), ("0" * 64, True), ("a" * 39, False), ("G" * 40, False)])
def test_an_id_is_40_or_64_hex_digits(text, whole):
    assert objects.is_full_id(text) == whole


def test_a_clone_without_configuration_is_not_partial(history):
    repo = get_repo(history.path)
    assert objects.Objects(repo).is_partial is False
    history.git("config", "--rename-section", "core", "core")
    (objects.os.unlink)(f"{repo.common_dir}/config")
    assert objects.Objects(repo).is_partial is False
