"""Commits made in the object store alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from brain.errors import ConflictError, GitError
from brain.git.objects import blob_id
from brain.submit.commit import build_commit, write_blob
from tests.support.repos import git, make_repo

if TYPE_CHECKING:
    from pathlib import Path

FILES = {"a.txt": "a\n", "d/e/f.md": "f\n", "d/e/g.md": "g\n", "d/run.sh": "#!/bin/sh\n", "日本/x.md": "x\n"}


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    repo = make_repo(tmp_path / "repo", {**FILES, "alone/h.md": "h\n"})
    git(repo, "update-index", "--chmod=+x", "d/run.sh")
    (repo / "link").symlink_to("a.txt")
    git(repo, "add", "link")
    git(repo, "commit", "-q", "-m", "second")
    return repo


def test_a_commit_is_what_git_itself_would_have_made(repo: Path, tmp_path: Path) -> None:
    changes = {
        "d/e/f.md": "new\r\n",
        "d/new/deep/i.md": "",
        "日本/語 .md": "y",
        "d/run.sh": "#!/bin/dash\n",
        "top.md": "t",
    }
    before = git(repo, "status", "--porcelain")
    oids = {path: write_blob(str(repo), text.encode()) for path, text in changes.items()}
    made = build_commit(
        str(repo), "HEAD", {**oids, "alone/h.md": "", "d/e/g.md": "", "gone/already.md": ""}, "Message\n"
    )
    assert git(repo, "status", "--porcelain") == before
    index = tmp_path / "index"
    git(repo, "clone", "-q", str(repo), str(index))
    for path, text in changes.items():
        file = index / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode())
    for path in ("alone/h.md", "d/e/g.md"):
        (index / path).unlink()
    git(index, "add", "-A")
    assert git(repo, "rev-parse", f"{made}^{{tree}}") == git(index, "write-tree")
    assert git(repo, "rev-parse", f"{made}~1") == git(repo, "rev-parse", "HEAD")
    assert git(repo, "log", "-1", "--format=%an %ae %B", made) == "Ada ada@example.com Message\n"
    git(repo, "fsck", "--strict")


def test_no_change_is_no_commit(repo: Path) -> None:
    head = git(repo, "rev-parse", "HEAD")
    assert build_commit(str(repo), head, {"a.txt": write_blob(str(repo), b"a\n"), "none.md": ""}, "m") == head


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("a.txt/x.md", "a.txt is no folder"),
        ("link/x.md", "link is no folder"),
        ("link", "link is no file"),
        ("d", "d is no file"),
    ],
)
def test_nothing_is_put_where_something_else_stands(repo: Path, path: str, words: str) -> None:
    with pytest.raises(ConflictError, match=words):
        build_commit(str(repo), "HEAD", {path: write_blob(str(repo), b"x")}, "m")


def test_filters_and_line_endings_change_no_byte(repo: Path) -> None:
    git(repo, "config", "core.autocrlf", "true")
    (repo / ".gitattributes").write_text("* text=auto eol=lf\n")
    content = "一\r\n二\n".encode()
    assert write_blob(str(repo), content) == blob_id(content, "0" * 40)


def test_ids_in_a_repo_of_the_longer_kind(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "--object-format=sha256", "new")
    assert write_blob(str(tmp_path / "new"), b"x") == blob_id(b"x", "0" * 64)


def test_git_must_know_who_commits(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL"):
        monkeypatch.delenv(name)
    git(repo, "config", "user.useConfigOnly", "true")
    with pytest.raises(GitError) as caught:
        build_commit(str(repo), "HEAD", {"x.md": write_blob(str(repo), b"x")}, "m")
    assert caught.value.hint == "git config --global user.name NAME, and user.email ADDRESS"
