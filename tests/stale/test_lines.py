import pytest

from brain.stale.check import Question, check
from brain.stale.lines import has_block
from brain.stale.refs import parse_ref

OLD = "".join(f"line {number}\n" for number in range(1, 21))


def ask(history, old, new, *refs):
    answers = check(history.path, [Question(old, new, parse_ref(ref)) for ref in refs])
    return [f"{answer.state} {answer.reason}" for answer in answers]


@pytest.mark.parametrize(
    ("new", "state"),
    [
        (OLD.replace("line 1\n", "other\n"), "fresh same"),
        ("new\n" * 50 + OLD, "fresh same"),
        (OLD.replace("\n", "\r\n"), "fresh same"),
        (OLD.replace("line 11\n", "line 11 \t\n"), "fresh same"),
        ("line 10\nline 11\nline 12", "fresh same"),
        (OLD.replace("line 11\n", "line eleven\n"), "stale lines-changed"),
        (OLD.replace("line 11\n", "line 11\n\n"), "stale lines-changed"),
        (OLD.replace("line 11\n", " line 11\n"), "stale lines-changed"),
        (OLD.replace("line 10", "xline 10").replace("line 12", "line 123"), "stale lines-changed"),
        ("line 12\nline 11\nline 10\n", "stale lines-changed"),
        ("", "stale lines-changed"),
    ],
)
def test_lines_are_stale_when_they_no_longer_stand_as_one_block(history, new, state):
    commits = history.commit({"a": OLD}), history.commit({"a": new})
    assert ask(history, *commits, "a#L10-L12", "a") == [state, "stale changed"]


def test_lines_of_a_deleted_file_are_stale(history):
    old = history.commit({"a": OLD, "b": "1"})
    assert ask(history, old, history.commit({"a": None}), "a#L1") == ["stale deleted"]


def test_lines_that_were_not_there_are_unknown_with_that_reason(history):
    old, new = history.commit({"a": "1\n2\n"}), history.commit({"a": "1\n2\n3\n"})
    assert ask(history, old, new, "a#L2", "a#L3", "a#L2-L3") == [
        "fresh same", "unknown lines-beyond-end", "unknown lines-beyond-end"
    ]  # fmt: skip


def test_the_same_file_is_fresh_without_being_read(history):
    commit = history.commit({"a": "1\n"})
    assert ask(history, commit, commit, "a#L999") == ["fresh same"]


def test_lines_of_what_was_never_a_file_fall_back_to_the_path(history):
    old = history.commit({"d/x": "1\n", "f": "1\n"})
    new = history.commit({"d/x": "2\n", "new": "1\n"})
    assert ask(history, old, new, "d#L1", "new#L1", "none#L1") == [
        "stale changed", "stale added", "fresh never-existed"
    ]  # fmt: skip


def test_lines_of_a_file_named_like_a_pattern_are_that_files(history):
    old = history.commit({"[id]/page": "1\n2\n", "i/page": "1\n"})
    new = history.commit({"[id]/page": "0\n1\n2\n", "i/page": "2\n"})
    assert ask(history, old, new, "[id]/page#L2", "[id]/page", "[i]/page#L1", "[x]/page#L1") == [
        "fresh same", "stale changed", "stale changed", "fresh same"
    ]  # fmt: skip
    assert ask(history, new, history.commit({"i/page": "3\n"}), "[id]/page#L2") == ["fresh same"]


def test_a_mode_change_leaves_lines_fresh(history):
    old = history.commit({"a": "1\n"})
    history.git("update-index", "--chmod=+x", "a")
    history.git("commit", "-qm", "x")
    assert ask(history, old, "HEAD", "a#L1", "a") == ["fresh same", "stale changed"]


def test_more_files_than_are_read_at_once(history):
    names = [f"f{number}" for number in range(150)]
    old = history.commit({name: f"{name}\nend\n" for name in names})
    new = history.commit({name: f"top\n{name if number % 2 else 'x'}\nend\n" for number, name in enumerate(names)})
    want = ["stale lines-changed", "fresh same"] * 75
    assert ask(history, old, new, *(f"{name}#L1" for name in names)) == want


@pytest.mark.parametrize(
    ("old", "new", "first", "last", "stands"),
    [(b"", b"", 1, 1, None), (b"a", b"a\n", 1, 1, True), (b"a\n\n", b"a\n\n\n", 1, 2, True), (b"\n", b"x\n", 1, 1, False),
     (b"a\nb", b"xa\nb", 1, 2, False), ("é \n".encode(), "x\r\né\r\n".encode(), 1, 1, True)],
)  # fmt: skip
def test_blocks_begin_and_end_at_lines(old, new, first, last, stands):
    assert has_block(old, new, first, last) is stands
