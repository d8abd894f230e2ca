import pytest

from brain.stale.refs import Ref, find_verified, parse_ref


@pytest.mark.parametrize(
    ("text", "alias", "path", "first", "last"),
    [
        ("src/pay/retry.py", "", "src/pay/retry.py", 0, 0),
        ("src/pay/", "", "src/pay/", 0, 0),
        ("docs:01.Spec/F-003.md", "docs", "01.Spec/F-003.md", 0, 0),
        ("web-app_2:src/*.ts", "web-app_2", "src/*.ts", 0, 0),
        ("code:odd:name", "", "odd:name", 0, 0),
        ("a/b:c", "", "a/b:c", 0, 0),
        ("日本:x", "", "日本:x", 0, 0),
        (":top", "", ":top", 0, 0),
        ("-rf", "", "-rf", 0, 0),
        ("a.py#L10-L40", "", "a.py", 10, 40),
        ("a.py#L40-L10", "", "a.py", 10, 40),
        ("a.py#L10-40", "", "a.py", 10, 40),
        ("a.py#L10", "", "a.py", 10, 10),
        ("docs:a b.md#L1", "docs", "a b.md", 1, 1),
        ("a.py#L0", "", "a.py#L0", 0, 0),
        ("a#Lx", "", "a#Lx", 0, 0),
        ("a#1", "", "a#1", 0, 0),
        ("#L5", "", "", 5, 5),
        ("a.py#L٣", "", "a.py#L٣", 0, 0),
        (f"a#L{'9' * 5000}", "", "a#L" + "9" * 5000, 0, 0),
    ],
)  # fmt: skip
def test_a_ref_is_alias_path_and_lines(text, alias, path, first, last):
    path = "" if len(path) > 4096 else path
    assert parse_ref(text) == Ref(alias, path, first, last, text)


@pytest.mark.parametrize(
    ("path", "clean"),
    [("./a", "a"), ("a//b", "a/b"), ("a/./b", "a/b"), ("a/b/..", "a/"), ("a/../b", "b"), ("a/.", "a/"), (".", "."),
     ("./", "."), ("a/..", "."), ("", ""), ("/a", ""), ("..", ""), ("a/../../b", ""), ("a\0b", ""), ("docs:", "")],
)  # fmt: skip
def test_a_path_is_cleaned_as_git_does_or_names_nothing(path, clean):
    assert parse_ref(path).path == clean


def test_the_place_tells_lines_apart_but_not_spellings():
    assert [parse_ref(text).place for text in ("docs:a#L3", "./a#L3-L3", "a")] == ["a#L3-L3", "a#L3-L3", "a"]


@pytest.mark.parametrize(
    ("verified", "alias", "commit"),
    [("c1", "", "c1"), ("c1", "docs", "c1"), ({"code": "c1", "docs": "c2"}, "", "c1"), ({".": "c1"}, "", "c1"),
     ({"": "c1"}, "", "c1"), ({"code": "c1", "docs": "c2"}, "docs", "c2"), ({"code": "c1"}, "docs", ""), ("", "", "")],
)  # fmt: skip
def test_verified_commit_is_one_for_all_or_one_for_each_alias(verified, alias, commit):
    assert find_verified(verified, alias) == commit
