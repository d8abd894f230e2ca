import pytest

from brain.stale.check import Question, check
from brain.stale.refs import parse_ref

TEXT = "".join(f"a line that says {number}\n" for number in range(30))


def suggest(history, old, *refs):
    answers = check(history.path, [Question(old, "HEAD", parse_ref(ref)) for ref in refs], suggest=True)
    return [answer.new_path or answer.reason for answer in answers]


def test_a_moved_file_is_followed_also_when_it_was_edited_a_little(history):
    old = history.commit({"a/x.py": TEXT, "a/y.py": TEXT[::-1]})
    history.commit({"a/x.py": None, "a/y.py": None, "b/x.py": TEXT, "b/z.py": TEXT[::-1] + "more\n"})
    assert suggest(history, old, "a/x.py", "a/y.py", "a/none.py") == ["b/x.py", "b/z.py", "never-existed"]


def test_a_moved_folder_goes_where_most_of_its_files_went(history):
    old = history.commit({f"a/{name}": name * 20 for name in "vwxyz"})
    history.commit({f"a/{name}": None for name in "vwxyz"} | {f"b/c/{name}": name * 20 for name in "vwx"}
                   | {f"other/{name}": name * 20 for name in "yz"})  # fmt: skip
    assert suggest(history, old, "a/", "a") == ["b/c/", "b/c"]


def test_content_that_stood_elsewhere_all_along_is_found_by_the_same_name_first(history):
    old = history.commit({"a/x": TEXT, "b/w": TEXT, "c/x": TEXT})
    history.commit({"a/x": None})
    assert suggest(history, old, "a/x") == ["c/x"]


def test_an_empty_file_is_like_no_other(history):
    old = history.commit({"a/__init__.py": "", "b/__init__.py": ""})
    history.commit({"a/__init__.py": None, "c/__init__.py": ""})
    assert suggest(history, old, "a/__init__.py") == ["deleted"]


def test_nothing_is_looked_for_unless_asked(history):
    old = history.commit({"a": TEXT, "z": ""})
    new = history.commit({"a": None, "b": TEXT})
    assert [a.reason for a in check(history.path, [Question(old, new, parse_ref("a"))])] == ["deleted"]


@pytest.mark.parametrize("name", ["日本.md", "new\nline", "\udcff"])
def test_odd_names_are_suggested_as_they_are(history, name):
    old = history.commit({"a": TEXT, "z": ""})
    history.commit({"a": None, name: TEXT})
    assert suggest(history, old, "a") == [name]


def test_several_commits_are_followed_together(history):
    commits = [history.commit({"a": TEXT, "z": ""}), history.commit({"a": None, "b": TEXT})]
    history.commit({"b": None, "c": TEXT})
    questions = [Question(commit, "HEAD", parse_ref(ref)) for commit, ref in zip(commits, "ab", strict=True)]
    assert [answer.new_path for answer in check(history.path, questions, suggest=True)] == ["c", "c"]
