"""Trees and blobs come back as git has them, odd names and odd kinds among them."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from brain.errors import GitError
from brain.git.objects import (
    EMPTY_TREES,
    LINK,
    SUBMODULE,
    Entry,
    changed_entries,
    find_tree,
    list_tree,
    read_blobs,
    read_new_blobs,
)
from tests.support.repos import commit, git, make_repo

NAMES = [
    "a.md",
    "two  spaces.md",
    "new\nline",
    "tab\t",
    "đơn.md",
    "在庫.md",
    "-rf",
    "quote'\"",
    "back\\slash",
    os.fsdecode(b"bytes-\xff\xfe"),
]


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    """Return a repository with odd names, a link and a submodule's entry."""
    repo = make_repo(tmp_path / "r")
    for name in NAMES:
        path = repo / "root/in" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name[:1])
    (repo / "root/link").symlink_to("a")
    commit(repo, {"outside": "x"})
    (repo / "root/sub").mkdir()
    git(repo, "update-index", "--add", "--cacheinfo", f"160000,{EMPTY_TREES[40]},root/sub")
    git(repo, "commit", "-qm", "sub")
    return repo


CONTENTS = (b"one\n", b"", b"\0two", b"x" * 90)


def _hash(repo: Path, content: bytes) -> str:
    done = subprocess.run(
        ["git", "-C", repo, "hash-object", "-w", "--stdin"], input=content, capture_output=True, check=True
    )
    return done.stdout.decode().strip()


def test_every_file_of_a_tree_is_listed(repo: Path) -> None:
    tree = find_tree(str(repo), "HEAD", "root")
    assert tree
    entries = {entry.path: entry.mode for entry in list_tree(str(repo), tree)}
    assert entries == {**{f"in/{name}": "100644" for name in NAMES}, "link": LINK, "sub": SUBMODULE}


@pytest.mark.parametrize(
    ("folder", "there"),
    [
        ("root", True),
        ("root/in", True),
        ("root/", True),
        ("", True),
        ("none", False),
        ("root/none", False),
        ("-x", False),
    ],
)
def test_a_tree_is_there_or_not(repo: Path, folder: str, there: bool) -> None:
    assert (find_tree(str(repo), "HEAD", folder) is not None) == there


def test_a_commit_that_is_not_here_has_no_tree(repo: Path) -> None:
    assert find_tree(str(repo), "1" * 40, "root") is None
    assert find_tree(str(repo), "--all", "") is None


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_a_repository_that_git_refuses_is_an_error_and_not_an_empty_one(repo: Path) -> None:
    for path in (repo, *repo.rglob("*")):
        os.chown(path, 65534, 65534, follow_symlinks=False)
    with pytest.raises(GitError, match="dubious ownership"):
        find_tree(str(repo), "HEAD", "root")


def test_what_differs_between_trees_is_added_changed_and_gone(repo: Path) -> None:
    old = find_tree(str(repo), "HEAD", "root")
    commit(
        repo,
        {"root/in/a.md": "changed", "root/in/new\tname": "n", "root/in/-rf": None, "root/link": None, "outside": "y"},
    )
    git(repo, "mv", "root/in/đơn.md", "root/moved")
    git(repo, "commit", "-qm", "moved")
    new = find_tree(str(repo), "HEAD", "root")
    assert old
    assert new
    blobs = {entry.path: entry for entry in list_tree(str(repo), new)}
    expected = {
        "in/a.md": blobs["in/a.md"],
        "in/new\tname": blobs["in/new\tname"],
        "in/-rf": None,
        "link": None,
        "in/đơn.md": None,
        "moved": blobs["moved"],
    }
    assert dict(changed_entries(str(repo), old, new)) == expected
    assert changed_entries(str(repo), new, new) == []
    assert {path for path, _ in changed_entries(str(repo), EMPTY_TREES[40], new)} == set(blobs)


def test_a_link_that_became_a_file_is_a_change(repo: Path) -> None:
    old = git(repo, "rev-parse", "HEAD")
    (repo / "root/link").unlink()
    commit(repo, {"root/link": "text"})
    ((path, entry),) = changed_entries(str(repo), old, "HEAD")
    assert (path, entry) == ("root/link", Entry("100644", git(repo, "rev-parse", "HEAD:root/link"), "root/link"))


def test_users_settings_of_diff_change_nothing(repo: Path) -> None:
    for setting in (
        "diff.renames=copies",
        "diff.noprefix=true",
        "diff.external=false",
        "core.quotepath=true",
        "core.abbrev=5",
        "diff.orderFile=/dev/null",
        "diff.ignoreSubmodules=all",
    ):
        git(repo, "config", *setting.split("=", 1))
    test_what_differs_between_trees_is_added_changed_and_gone(repo)


def test_blobs_come_in_the_order_asked_for(repo: Path) -> None:
    oids = [_hash(repo, content) for content in (*CONTENTS[:3], b"x" * 100)]
    tree = git(repo, "rev-parse", "HEAD^{tree}")
    asked = [oids[3], "1" * 40, oids[0], tree, oids[1], oids[2], oids[0], "nonsense", "HEAD:none"]
    assert list(read_blobs(str(repo), asked, 50)) == [None, None, b"one\n", None, b"", b"\0two", b"one\n", None, None]
    assert list(read_blobs(str(repo), [], 50)) == []
    assert list(read_blobs(str(repo), oids[3:], 100)) == [b"x" * 100]


def test_blobs_of_a_small_fetch_are_read_without_git(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    oids = [_hash(repo, content) for content in CONTENTS]
    monkeypatch.setenv("PATH", "/nowhere")
    assert list(read_new_blobs(str(repo), f"{repo}/.git/objects", oids, 100)) == list(CONTENTS)


def test_git_is_asked_for_what_is_packed_too_large_or_no_blob(repo: Path) -> None:
    oids = [_hash(repo, content) for content in (*CONTENTS, b"y" * 200)]
    objects = f"{repo}/.git/objects"
    git(repo, "pack-objects", "-q", f"{objects}/pack/pack", stdin="\n".join(oids[:2]) + "\n")
    git(repo, "prune-packed", "-q")
    asked = [*oids, git(repo, "rev-parse", "HEAD^{tree}"), "1" * 40]
    assert list(read_new_blobs(str(repo), objects, asked, 100)) == [*CONTENTS, None, None, None]


@pytest.mark.parametrize("cut", [0, 1, 20])
def test_a_damaged_file_is_no_blob(repo: Path, cut: int) -> None:
    oid = _hash(repo, b"a blob of some length, so that cutting it loses some\n")
    file = repo / ".git/objects" / oid[:2] / oid[2:]
    content = file.read_bytes()
    file.chmod(0o644)
    file.write_bytes(content[:cut] + b"\0" * (len(content) - cut))
    assert list(read_new_blobs(str(repo), f"{repo}/.git/objects", [oid], 100)) == [None]


def test_trees_are_compared_without_the_index(repo: Path) -> None:
    (repo / ".git/index").write_bytes(b"no index at all")
    assert changed_entries(str(repo), "HEAD~1^{tree}", "HEAD^{tree}") == [
        ("root/sub", Entry(SUBMODULE, EMPTY_TREES[40], "root/sub"))
    ]
