"""The law: stale exactly when ``git diff --name-only COMMIT HEAD -- REF`` prints something."""

import subprocess

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from brain.stale.check import Question, check
from brain.stale.refs import parse_ref

NAMES = [
    "a",
    "b",
    "ab",
    "A",
    "a b",
    "[a]",
    "a*",
    "é",
    "-x",
    ":x",
    "a.py",
    "b.py",
    "\\a",
    "n\nl",
    "r\r",
    "100644 a",
    "?",
]
names = some.sampled_from(NAMES)
paths = some.lists(names, min_size=1, max_size=3).map("/".join)
SUBMODULE = "160000"
files = some.tuples(some.sampled_from(["100644", "100644", "100755", "120000", SUBMODULE]), some.sampled_from("12"))
trees = some.dictionaries(paths, files, max_size=6)
globs = some.lists(some.sampled_from([*NAMES, "*", "**", "?", "*.py", "[ab]", "[!a]", "a?", "*b*", "\\a", "[", "", ".", ".."]),
                   min_size=1, max_size=4).map("/".join)  # fmt: skip
refs = some.one_of(paths, paths.map(lambda path: path + "/"), globs)


def quoted(path):
    text = path.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r")
    return f'"{text}"'


def import_tree(repo, branch, tree):
    lines = [f"commit refs/heads/{branch}\ncommitter A <a@b> 0 +0000\ndata 0\ndeleteall\n"]
    for path, (mode, text) in tree.items():
        what = text * 40 if mode == SUBMODULE else "inline"
        lines.append(f"M {mode} {what} {quoted(path)}\n" + ("" if mode == SUBMODULE else f"data 1\n{text}\n"))
    subprocess.run(["git", "-C", repo, "fast-import", "--quiet", "--force"], input="".join(lines).encode(), check=True)


@pytest.fixture(scope="module")
def bare(tmp_path_factory):
    repo = str(tmp_path_factory.mktemp("law") / "bare.git")
    subprocess.run(["git", "init", "-q", "--bare", repo], check=True)
    return repo


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(old=trees, new=trees, asked=some.lists(refs, min_size=1, max_size=12))
def test_random_trees_and_refs_agree_with_git_diff(bare, old, new, asked):
    both = {**old, **new} if len(old) % 2 else new  # half of the time most files stay
    import_tree(bare, "old", old)
    import_tree(bare, "new", both)
    asked = [*asked, *old]
    answers = check(bare, [Question("old", "new", parse_ref(f"code:{ref}")) for ref in asked])
    for ref, answer in zip(asked, answers, strict=True):
        spec = f"./{ref}" if ref.startswith(":") else ref
        diff = [
            "git",
            "-C",
            bare,
            "diff",
            "--name-only",
            "--no-renames",
            "--ignore-submodules=none",
            "old",
            "new",
            "--",
            spec,
        ]
        done = subprocess.run(diff, capture_output=True, check=False)
        want = "unknown" if done.returncode else "stale" if done.stdout else "fresh"
        assert (ref, answer.state) == (ref, want)
