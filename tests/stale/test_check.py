import os
import shutil
import subprocess
from pathlib import Path

import pytest

from brain.stale.answers import UNKNOWN, Answer
from brain.stale.check import Question, check
from brain.stale.refs import parse_ref

NOWHERE = "0123456789012345678901234567890123456789"


def ask(folder, commit, head, *refs, **options):
    """Return ``state reason`` of each ref, with the new path where there is one."""
    answers = check(str(folder), [Question(commit, head, parse_ref(ref)) for ref in refs], **options)
    return [" ".join(filter(None, (answer.state, answer.reason, answer.new_path))) for answer in answers]


def test_each_kind_of_change_has_its_reason(history):
    old = history.commit({"same": "1", "changed": "1", "gone": "1", "d/x": "1", "d/y": "1", "e/x": "1"})
    new = history.commit({"changed": "2", "gone": None, "added": "1", "d/x": "2"})
    assert ask(history.path, old, new, "same", "changed", "gone", "added", "d", "d/", "d/y", "e/", "none", "no/ne") == [
        "fresh same", "stale changed", "stale deleted", "stale added", "stale changed", "stale changed",
        "fresh same", "fresh same", "fresh never-existed", "fresh never-existed",
    ]  # fmt: skip


def test_the_whole_repository_is_a_ref(history):
    old = history.commit({"a": "1"})
    new = history.commit({"a": "2"})
    assert ask(history.path, old, new, ".") == ["stale changed"]
    assert ask(history.path, new, new, ".", "a") == ["fresh same"] * 2


def test_changed_and_back_is_fresh(history):
    old = history.commit({"a": "1"})
    history.commit({"a": "2"})
    assert ask(history.path, old, history.commit({"a": "1"}), "a", "*") == ["fresh same"] * 2


def test_a_closing_slash_does_not_match_a_file(history):
    old = history.commit({"a": "1"})
    assert ask(history.path, old, history.commit({"a": "2"}), "a/", "a") == [
        "fresh never-existed",
        "stale changed",
    ]


def test_a_file_where_a_folder_was_is_stale_and_the_reverse(history):
    old = history.commit({"a/x": "1", "b": "1"})
    history.commit({"a/x": None, "b": None})
    os.rmdir(os.path.join(history.path, "a"))
    new = history.commit({"a": "1", "b/x": "1"})
    refs = ("a", "a/", "a/x", "b", "b/", "b/x")
    assert ask(history.path, old, new, *refs) == [
        "stale changed", "stale deleted", "stale deleted", "stale changed", "stale added", "stale added"
    ]  # fmt: skip


def test_a_change_of_mode_alone_is_stale_as_git_diff_says(history):
    old = history.commit({"a": "1"})
    history.git("update-index", "--chmod=+x", "a")
    history.git("commit", "-qm", "x")
    assert ask(history.path, old, "HEAD", "a") == ["stale changed"]


def test_a_submodule_is_stale_when_its_pointer_moves(history):
    first = history.commit({"a": "1"})
    history.git("update-index", "--add", "--cacheinfo", f"160000,{first},sub")
    history.git("commit", "-qm", "x")
    old = history.git("rev-parse", "HEAD")
    history.git("update-index", "--cacheinfo", f"160000,{old},sub")
    history.git("commit", "-qm", "x")
    history.git("config", "diff.ignoreSubmodules", "all")
    assert ask(history.path, old, "HEAD", "sub", "sub/", "su?", "sub/x", "sub/*") == [
        "stale changed", "stale changed", "stale changed", "fresh never-existed", "fresh same"
    ]  # fmt: skip
    assert ask(history.path, old, old, "sub") == ["fresh same"]


def test_a_change_of_case_is_a_deletion_with_a_suggestion(history):
    old = history.commit({"Read.me": "1 2 3"})
    new = history.commit({"Read.me": None, "README": "x", "read.me": "4 5 6"})
    assert ask(history.path, old, new, "Read.me", "read.me", suggest=True) == [
        "stale renamed read.me",
        "stale added",
    ]


def test_a_merge_counts_like_any_commit(history):
    base = history.commit({"a": "1", "b": "1"})
    history.git("checkout", "-qb", "side")
    history.commit({"a": "2"})
    history.git("checkout", "-q", "main")
    history.commit({"b": "2"})
    history.git("merge", "-q", "side", "-m", "m")
    assert ask(history.path, base, "HEAD", "a", "b") == ["stale changed"] * 2
    assert ask(history.path, "HEAD", "HEAD", "a") == ["fresh same"]
    assert ask(history.path, "side", "main", "a", "b") == ["fresh same", "stale changed"]


def test_a_literal_name_with_brackets_matches_itself_and_as_a_pattern(history):
    old = history.commit({"[ab]/f": "1", "a/f": "1", "[c]": "1", "c": "1", "[d]": "1"})
    new = history.commit({"[ab]/f": "2", "c": "2"})
    refs = ("[ab]/f", "[c]", "[d]")
    assert ask(history.path, old, new, *refs) == ["stale changed", "stale changed", "fresh same"]
    assert ask(history.path, old, history.commit({"[ab]/f": "1", "a/f": "2"}), "[ab]/f") == ["stale changed"]


def test_a_star_crosses_folders(history):
    old = history.commit({"a/b/x.py": "1", "a/y.sql": "1"})
    new = history.commit({"a/b/x.py": "2"})
    refs = ("a/*.py", "*.py", "a/**/x.py", "a/*.sql", "a/?/x.py", "b*/x.py", "a/b/[xy].py")
    assert ask(history.path, old, new, *refs) == [
        "stale changed", "stale changed", "stale changed", "fresh same", "stale changed", "fresh same",
        "stale changed",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "name", [":top", ":!x", ":(glob)x", ":/x", "-rf", "--all", "a:b", "HEAD", " lead", "tail ", "#x"]
)
def test_a_name_that_looks_like_magic_or_an_option_is_a_name(history, name):
    old = history.commit({name: "1", "other": "1"})
    new = history.commit({name: "2"})
    newer = history.commit({"other": "2"})
    ref = f"./{name}"
    assert ask(history.path, old, new, ref, ref + "*") == ["stale changed"] * 2
    assert ask(history.path, new, newer, ref, ref + "*") == ["fresh same"] * 2


@pytest.mark.parametrize(
    "name", ["new\nline/x", "end\r/x", "d/new\nline", "tab\t/x", "quote\"'/x", "\udcff\udcfe/x", "日本/ü"]
)
def test_odd_bytes_in_a_name_are_asked_as_they_are(history, name):
    old = history.commit({name: "1", "z": "1"})
    new = history.commit({"z": "2"})
    newer = history.commit({name: "2"})
    assert ask(history.path, old, new, name) == ["fresh same"]
    assert ask(history.path, new, newer, name, name[:-1] + "*", name.rpartition("/")[0]) == ["stale changed"] * 3


def test_the_other_unicode_form_is_tried_where_the_written_one_was_never_there(history):
    old = history.commit({"de\u0301/x": "1", "z": "1"})
    new = history.commit({"de\u0301/x": "2"})
    assert ask(history.path, old, new, "d\u00e9/x", "de\u0301/x", "d\u00e9/y") == [
        "stale changed", "stale changed", "fresh never-existed"
    ]  # fmt: skip


@pytest.mark.parametrize("path", ["", "/etc/passwd", "../x", "a/../../x", "a\0b", "x" * 5000, "\ud800"])
def test_what_names_nothing_in_the_repository_is_unknown(history, path):
    commit = history.commit({"a": "1"})
    assert ask(history.path, commit, commit, path) == ["unknown invalid-ref"]


@pytest.mark.parametrize("rev", ["", NOWHERE, "nope", "-x", "a\nb", "a\0b", ":a", "HEAD:a", "\udcff", "x\ud800"])
def test_a_rev_that_is_not_there_is_unknown_on_either_side(history, rev):
    commit = history.commit({"a": "1"})
    assert ask(history.path, rev, commit, "a", "*") == ["unknown commit-missing"] * 2
    assert ask(history.path, commit, rev, "a", "*") == ["unknown head-missing"] * 2
    assert ask(history.path, commit, commit, "a") == ["fresh same"]


def test_any_rev_that_git_resolves_will_do(history):
    history.commit({"a": "1"})
    history.git("tag", "-am", "x", "c/1")
    history.commit({"a": "2"})
    revs = ("c/1", "HEAD~1", "main^", history.git("rev-parse", "--short", "HEAD~1"), "HEAD^{/x}~1")
    assert [ask(history.path, rev, "main", "a") for rev in revs] == [["stale changed"]] * 5


def test_no_repository_is_unknown(tmp_path, history):
    for folder in (tmp_path, tmp_path / "none", Path(history.path) / "not" / "there", ""):
        assert ask(folder, "a", "b", "x") == ["unknown repo-missing"]


def test_a_repository_that_git_refuses_is_unknown(history):
    commit = history.commit({"a": "1"})
    history.git("config", "core.repositoryFormatVersion", "99")
    assert check(history.path, [Question(commit, commit, parse_ref("a"))]) == [Answer(UNKNOWN, "git-failed")]


def test_a_lost_tree_is_unknown_not_deleted(history):
    old = history.commit({"a/b/x": "1"})
    tree = history.git("rev-parse", "HEAD:a/b")
    new = history.commit({"a/b/x": "2"})
    os.unlink(os.path.join(history.path, ".git", "objects", tree[:2], tree[2:]))
    assert check(history.path, [Question(old, new, parse_ref("a/b/x"))]) == [Answer(UNKNOWN, "git-failed")]


def test_a_deadline_that_passes_is_unknown(history):
    commit = history.commit({"a": "1"})
    slow = Path(history.path, "slow")
    slow.mkdir()
    (slow / "git").write_text("#!/bin/sh\nexec sleep 60\n")
    (slow / "git").chmod(0o755)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", f"{slow}:{os.environ['PATH']}")
        asked = [Question(commit, commit, parse_ref("a"))]
        assert check(history.path, asked, timeout=0.05) == [Answer(UNKNOWN, "git-failed")]


def test_no_questions_have_no_answers(history):
    history.commit({"a": "1"})
    assert check(history.path, []) == []


def test_where_it_is_run_makes_no_difference(history, tmp_path):
    old = history.commit({"a/x": "1", "b": "1"})
    new = history.commit({"a/x": "2"})
    bare, linked = str(tmp_path / "bare.git"), str(tmp_path / "linked")
    history.git("clone", "-q", "--bare", history.path, bare)
    history.git("worktree", "add", "-q", linked)
    for folder in (
        history.path,
        os.path.join(history.path, "a"),
        bare,
        linked,
        os.path.join(history.path, ".git"),
    ):
        assert ask(folder, old, new, "a/x", "a/*", "b", "b*") == ["stale changed"] * 2 + ["fresh same"] * 2


def test_a_shallow_clone_does_not_know_older_commits(history, tmp_path):
    old = history.commit({"a": "1"})
    new = history.commit({"a": "2"})
    shallow = str(tmp_path / "shallow")
    history.git("clone", "-q", "--depth=1", f"file://{history.path}", shallow)
    assert ask(shallow, old, new, "a") == ["unknown commit-missing"]
    history.git("-C", shallow, "fetch", "-q", "--unshallow")
    assert ask(shallow, old, new, "a") == ["stale changed"]


@pytest.fixture
def partial(history, tmp_path):
    """Return a bare clone without blobs whose origin is gone."""
    history.commit({"a/x": "1\n2\n", "b": "1"})
    history.commit({"a/x": "1\n3\n"})
    history.git("config", "uploadpack.allowFilter", "true")
    clone = str(tmp_path / "partial.git")
    history.git("clone", "-q", "--bare", "--filter=blob:none", f"file://{history.path}", clone)
    assert "?" in history.git("-C", clone, "rev-list", "--objects", "--missing=print", "HEAD")
    shutil.rmtree(history.path)
    return clone


def test_a_partial_clone_answers_from_ids_and_fetches_nothing(partial, capfd):
    assert ask(partial, "HEAD~1", "HEAD", "a/x", "a/*", "b", "b/x") == [
        "stale changed", "stale changed", "fresh same", "fresh never-existed"
    ]  # fmt: skip
    assert ask(partial, NOWHERE, "HEAD", "b") == ["unknown commit-missing"]
    assert capfd.readouterr().err == ""


def test_lines_in_a_partial_clone_are_unknown_where_the_file_changed(partial):
    assert ask(partial, "HEAD~1", "HEAD", "a/x#L1", "b#L1") == ["unknown content-missing", "fresh same"]


def test_a_sha256_repository_works(new_history):
    history = new_history("long", "--object-format=sha256")
    old = history.commit({"a/x": "1", "b": "1"})
    new = history.commit({"a/x": "2", "c/y": "1"})
    assert ask(history.path, old, new, "a/x", "b", "a/*", "c/*", "b/*") == [
        "stale changed", "fresh same", "stale changed", "stale changed", "fresh same"
    ]  # fmt: skip


def test_a_surrounding_hook_does_not_redirect_us(history, new_history, monkeypatch):
    old = history.commit({"a": "1"})
    new = history.commit({"a": "2"})
    monkeypatch.setenv("GIT_DIR", new_history("other").path + "/.git")
    monkeypatch.setenv("GIT_LITERAL_PATHSPECS", "1")
    assert ask(history.path, old, new, "a", "?") == ["stale changed"] * 2


def test_a_locale_that_is_not_utf_8_changes_nothing(history):
    old = history.commit({"日本/é.py": "1"})
    new = history.commit({"日本/é.py": "2"})
    code = (
        "import sys; from brain.stale.check import *; from brain.stale.refs import parse_ref\n"
        f"print([a.state for a in check({history.path!r}, [Question({old!r}, {new!r}, parse_ref(ref)) "
        "for ref in ('\\u65e5\\u672c/\\xe9.py', '*\\xe9.py', '\\u65e5?*')])])"
    )
    env = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    out = subprocess.run(["python3.11", "-c", code], env=env, capture_output=True, text=True, check=True).stdout
    assert out == "['stale', 'stale', 'stale']\n"


def test_many_commits_and_patterns_are_answered_in_order(history):
    commits = [history.commit({f"d/f{number % 3}.py": str(number)}) for number in range(12)]
    refs = ["d/f0.py", "d/*1.py", "d/", "*.py", "d/f2.py"]
    questions = [Question(commit, "HEAD", parse_ref(ref)) for commit in commits for ref in refs]
    want = [bool(history.git("diff", "--name-only", q.commit, "HEAD", "--", q.ref.path)) for q in questions]
    assert [answer.state == "stale" for answer in check(history.path, questions)] == want
