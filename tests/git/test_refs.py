"""Refs are read from files, and say what git says."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from brain.errors import GitError
from brain.git.refs import Repo, find_commit, find_repo, find_upstream, get_repo, has_remote
from tests.support.repos import clone, commit, git, make_repo


def head(repo: Path, name: str = "HEAD") -> str:
    return git(repo, "rev-parse", name)


def at(path: Path) -> Repo:
    repo = find_repo(str(path))
    assert repo
    return repo


@pytest.fixture
def without_git(monkeypatch: pytest.MonkeyPatch):
    """Return a function after which git cannot be run: what is read from then on comes from files."""
    return lambda: monkeypatch.setenv("PATH", "/nowhere")


# Where a repository is


def test_a_work_tree_is_found_from_any_folder_in_it(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "r ü", {"a/b/c": ""})
    expected = Repo(str(repo / ".git"), str(repo / ".git"), str(repo))
    assert (find_repo(str(repo)), find_repo(str(repo / "a/b")), expected.path) == (expected, expected, str(repo))


def test_a_bare_repository_is_found(tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--bare", str(make_repo(tmp_path / "r", {"a": ""})), str(tmp_path / "b.git"))
    bare = str(tmp_path / "b.git")
    assert (find_repo(bare), find_repo(f"{bare}/objects/pack")) == (Repo(bare, bare, ""), Repo(bare, bare, ""))
    assert at(tmp_path / "b.git").path == bare


def test_a_linked_worktree_shares_the_common_folder(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "r", {"a": ""})
    git(repo, "worktree", "add", "-q", str(tmp_path / "w"))
    assert at(tmp_path / "w") == Repo(str(repo / ".git/worktrees/w"), str(repo / ".git"), str(tmp_path / "w"))


def test_a_worktree_of_a_bare_repository_is_found(tmp_path: Path) -> None:
    bare = tmp_path / "b.git"
    git(tmp_path, "clone", "-q", "--bare", str(make_repo(tmp_path / "r", {"a": ""})), str(bare))
    git(bare, "worktree", "add", "-q", str(tmp_path / "w"))
    assert at(tmp_path / "w") == Repo(str(bare / "worktrees/w"), str(bare), str(tmp_path / "w"))


def test_a_submodule_is_a_repository_of_its_own(tmp_path: Path) -> None:
    inner, outer = make_repo(tmp_path / "inner", {"a": "1"}), make_repo(tmp_path / "outer", {"b": ""})
    git(outer, "submodule", "--quiet", "add", str(inner), "sub")
    repo = at(outer / "sub")
    assert repo == Repo(str(outer / ".git/modules/sub"), str(outer / ".git/modules/sub"), str(outer / "sub"))
    assert (find_commit(repo, "HEAD"), find_upstream(repo)) == (head(inner), ("refs/remotes/origin/main", head(inner)))


def test_a_git_folder_may_be_a_link_or_lie_elsewhere(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "r", {"a": ""})
    shutil.move(repo / ".git", tmp_path / "elsewhere")
    (repo / ".git").symlink_to(tmp_path / "elsewhere")
    assert find_commit(at(repo), "HEAD") == head(repo)
    (repo / ".git").unlink()
    (repo / ".git").write_text("gitdir: ../elsewhere\n")
    assert at(repo) == Repo(str(tmp_path / "elsewhere"), str(tmp_path / "elsewhere"), str(repo))


def test_outside_a_repository_there_is_none(tmp_path: Path) -> None:
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken/.git").write_text("nonsense")
    assert (find_repo(str(tmp_path)), find_repo(str(tmp_path / "broken")), find_repo(str(tmp_path / "gone/deep"))) == (
        None,
        None,
        None,
    )
    with pytest.raises(GitError) as caught:
        get_repo(str(tmp_path))
    assert (str(caught.value), caught.value.hint) == (
        f"git rev-parse: {tmp_path} is not in a git repository",
        "run git init, or name another folder",
    )


# What refs say


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("name", ["main", "feature/a.b-c", "đơn-hàng", "在庫", "x'y", "HEAD2", "a" * 200])
def test_branches_loose_and_packed_are_read_without_git(tmp_path: Path, without_git, name: str, packed: bool) -> None:
    repo = make_repo(tmp_path / "r", {"a": "1"})
    git(repo, "branch", "-f", name) if name != "main" else None
    commit(repo, {"a": "2"})
    expected = head(repo, f"refs/heads/{name}")
    if packed:
        git(repo, "pack-refs", "--all")
    without_git()
    assert find_commit(at(repo), f"refs/heads/{name}") == expected
    assert find_commit(at(repo), f"refs/heads/{name}x") is None


def test_a_loose_ref_wins_over_a_packed_one(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "r", {"a": "1"})
    git(repo, "tag", "-am", "x", "v1")
    git(repo, "pack-refs", "--all")
    commit(repo, {"a": "2"})
    assert find_commit(at(repo), "refs/heads/main") == find_commit(at(repo), "HEAD") == head(repo)
    assert find_commit(at(repo), "refs/tags/v1") == head(repo, "refs/tags/v1")


def test_symbolic_refs_are_followed_but_not_in_a_circle(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "r", {"a": "1"})
    git(repo, "symbolic-ref", "refs/heads/alias", "refs/heads/main")
    git(repo, "symbolic-ref", "refs/heads/alias2", "refs/heads/alias")
    assert find_commit(at(repo), "refs/heads/alias2") == head(repo)
    for one, other in (("x", "y"), ("y", "x")):
        (repo / f".git/refs/heads/{one}").write_text(f"ref: refs/heads/{other}\n")
    assert find_commit(at(repo), "refs/heads/x") is None


def test_detached_unborn_and_damaged_heads(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "r", {"a": "1"})
    first = head(repo)
    commit(repo, {"a": "2"})
    git(repo, "checkout", "-q", "--detach", first)
    assert find_commit(at(repo), "HEAD") == first
    git(repo, "checkout", "-q", "--orphan", "empty")
    assert find_commit(at(repo), "HEAD") is None
    for text in ("", "nonsense", "ref:", "ref: refs/heads/main\0", "1234"):
        (repo / ".git/HEAD").write_text(text)
        assert find_commit(at(repo), "HEAD") is None
    (repo / ".git/HEAD").unlink()
    assert (find_commit(at(repo), "HEAD"), find_commit(at(repo), "refs/heads"), find_commit(at(repo), "")) == (
        None,
        None,
        None,
    )


def test_each_worktree_has_its_own_head(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "r", {"a": "1"})
    git(repo, "worktree", "add", "-q", "-b", "side", str(tmp_path / "w"))
    commit(tmp_path / "w", {"a": "2"})
    linked = at(tmp_path / "w")
    assert (find_commit(linked, "HEAD"), find_commit(linked, "refs/heads/main"), find_commit(at(repo), "HEAD")) == (
        head(tmp_path / "w"),
        head(repo),
        head(repo),
    )


def test_a_repository_of_long_ids_is_read(tmp_path: Path) -> None:
    (tmp_path / "r").mkdir()
    if subprocess.run(
        ["git", "-C", str(tmp_path / "r"), "init", "-q", "--object-format=sha256"], check=False, capture_output=True
    ).returncode:
        pytest.skip("this git makes no SHA-256 repositories")
    repo = commit(tmp_path / "r", {"a": ""})
    assert (find_commit(at(repo), "HEAD"), len(head(repo))) == (head(repo), 64)


def test_a_repository_with_reftables_is_asked_through_git(tmp_path: Path) -> None:
    (tmp_path / "r").mkdir()
    if subprocess.run(
        ["git", "-C", str(tmp_path / "r"), "init", "-q", "--ref-format=reftable"], check=False, capture_output=True
    ).returncode:
        pytest.skip("this git has no reftables")
    repo = commit(tmp_path / "r", {"a": ""})
    assert find_commit(at(repo), "HEAD") == head(repo)
    assert find_upstream(at(repo)) == ("refs/heads/main", head(repo))


# The upstream default branch (SPEC §4.1)


def test_without_a_commit_there_is_no_upstream(tmp_path: Path) -> None:
    assert find_upstream(at(make_repo(tmp_path / "r"))) is None


@pytest.mark.parametrize(("names", "checked_out", "found"), [
    (["main", "master", "side"], "side", "main"), (["master", "side"], "side", "master"), (["trunk", "side"], "trunk", "trunk"),
])  # fmt: skip
def test_without_a_remote_it_is_the_local_default_branch(
    tmp_path: Path, names: list[str], checked_out: str, found: str
) -> None:
    repo = make_repo(tmp_path / "r")
    git(repo, "checkout", "-q", "-b", names[0]) if names[0] != "main" else None
    commit(repo, {"a": ""})
    for name in names[1:]:
        git(repo, "branch", name)
    git(repo, "checkout", "-q", checked_out)
    assert find_upstream(at(repo)) == (f"refs/heads/{found}", head(repo))
    git(repo, "checkout", "-q", "--detach")
    assert find_upstream(at(repo)) == (
        (f"refs/heads/{found}", head(repo)) if found in ("main", "master") else ("HEAD", head(repo))
    )


@pytest.mark.parametrize("default", ["main", "master", "trunk", "release/v1"])
@pytest.mark.parametrize("packed", [False, True])
def test_it_is_the_branch_the_remotes_head_names(tmp_path: Path, default: str, packed: bool, without_git) -> None:
    origin = make_repo(tmp_path / "o")
    git(origin, "checkout", "-q", "-b", default) if default != "main" else None
    commit(origin, {"a": "1"})
    git(origin, "branch", "side")
    repo = clone(origin, tmp_path / "r")
    git(repo, "checkout", "-q", "-b", "mine")
    commit(repo, {"a": "2"})
    expected = (f"refs/remotes/origin/{default}", head(origin))
    if packed:
        git(repo, "pack-refs", "--all")
    without_git()
    assert find_upstream(at(repo)) == expected


@pytest.mark.parametrize("pointer", [None, "ref: refs/remotes/origin/gone\n", "nonsense"])
def test_where_the_remotes_head_is_missing_it_is_main_or_master(tmp_path: Path, pointer: str | None) -> None:
    origin = make_repo(tmp_path / "o", {"a": "1"})
    repo = clone(origin, tmp_path / "r")
    commit(repo, {"a": "2"})
    (repo / ".git/refs/remotes/origin/HEAD").unlink()
    if pointer:
        (repo / ".git/refs/remotes/origin/HEAD").write_text(pointer)
    assert find_upstream(at(repo)) == ("refs/remotes/origin/main", head(origin))


def test_a_branch_or_remote_that_is_set_is_the_one(tmp_path: Path) -> None:
    origin = make_repo(tmp_path / "o", {"a": "1"})
    git(origin, "branch", "release")
    repo = clone(origin, tmp_path / "r")
    git(repo, "remote", "rename", "origin", "upstream")
    git(repo, "branch", "local")
    first = head(origin)
    assert find_upstream(at(repo), "upstream", "release") == ("refs/remotes/upstream/release", first)
    assert find_upstream(at(repo), "upstream") == ("refs/remotes/upstream/main", first)
    assert find_upstream(at(repo), "upstream", "local") == ("refs/heads/local", first)
    assert find_upstream(at(repo), "upstream", "gone") is None
    assert find_upstream(at(repo)) == ("refs/heads/main", first)


@pytest.mark.parametrize("name", ["origin", "up-stream", "a.b"])
def test_a_remote_is_one_the_configuration_names(tmp_path: Path, name: str) -> None:
    repo = make_repo(tmp_path / "r", {"a": ""})
    assert not has_remote(at(repo), name)
    git(repo, "remote", "add", name, "https://example.invalid/x.git")
    git(repo, "worktree", "add", "-q", str(tmp_path / "w"))
    assert has_remote(at(repo), name)
    assert has_remote(at(tmp_path / "w"), name)
    assert not has_remote(at(repo), name[:-1])


def test_files_that_cannot_be_read_say_nothing(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "r", {"a": ""})
    shutil.rmtree(repo / ".git/refs/heads")
    os.makedirs(repo / ".git/refs/heads/main/deeper")
    assert find_commit(at(repo), "refs/heads/main") is None
