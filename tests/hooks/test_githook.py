"""The git hook: real repositories, real merges, the user's script kept to the byte."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from brain.errors import BrainError, ConfigError, GitError
from brain_hooks.change import apply_plan
from brain_hooks.githook import BLOCK, NEW_SCRIPT, hook_path, plan_hook, plan_unhook

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX scripts")
SCRIPTS = [
    b"#!/bin/sh\necho mine\n", b"#!/bin/sh\necho mine", b"#!/bin/bash -e\r\necho mine\r\n", b"echo no shebang\n", b"",
    b"#!/usr/bin/env -S bash -eu\necho mine\n", b"#!/usr/bin/env bash\nexit 0\n", b"exit 0", b"\n\n",
    b"#!/bin/sh\n. \"$(dirname \"$0\")/h\"\n", b"#!/bin/zsh\nif true; then\n  exit 1\nfi\n", b"#! /bin/dash\n\xff\n", b"#!/bin/sh",
]  # fmt: skip


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    """Return a sealed environment with a stand-in ``brain-hook`` that writes how it was called."""
    program = tmp_path / "bin" / "brain-hook"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\necho "$@ [$PYTHONPATH]" >> "{tmp_path}/calls"\nexit 1\n')
    program.chmod(0o755)
    return {
        "PATH": f"{program.parent}:/usr/bin:/bin", "HOME": str(tmp_path), "GIT_CONFIG_NOSYSTEM": "1", "PYTHONPATH": "/hostile",
        "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b",
    }  # fmt: skip


def git(repo: Path, env: dict[str, str], *args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["git", "-C", repo, *args], env=env, capture_output=True, text=True, check=True)


@pytest.fixture
def repo(tmp_path: Path, env: dict[str, str]) -> Path:
    """Make a repository with a branch ``side`` that is one commit ahead of ``main``."""
    folder = tmp_path / "répo with space"
    subprocess.run(["git", "init", "-q", "-b", "main", folder], env=env, check=True)
    git(folder, env, "commit", "-q", "--allow-empty", "-m", "one")
    git(folder, env, "checkout", "-q", "-b", "side")
    git(folder, env, "commit", "-q", "--allow-empty", "-m", "two")
    git(folder, env, "checkout", "-q", "main")
    return folder


def merge(repo: Path, env: dict[str, str], tmp_path: Path) -> tuple[str, str]:
    """Merge ``side``; return what was printed on stderr and how our program was called."""
    done = git(repo, env, "merge", "-q", "--no-ff", "-m", "merge", "side")
    calls = tmp_path / "calls"
    return done.stderr, calls.read_text() if calls.exists() else ""


def put_hook(path: Path, script: bytes, mode: int = 0o755) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(script)
    path.chmod(mode)
    return path


def test_a_merge_runs_our_program_and_its_failure_does_not_matter(
    repo: Path, env: dict[str, str], tmp_path: Path
) -> None:
    plan = apply_plan(plan_hook(str(repo), env))
    assert plan.summary == f"installed in {plan.path}"
    assert plan.path.read_bytes() == NEW_SCRIPT + BLOCK + b"\n"
    assert os.access(plan.path, os.X_OK)
    assert merge(repo, env, tmp_path) == ("", "git post-merge []\n")
    again = plan_hook(str(repo), env)
    assert (again.summary, again.changed) == (f"already installed in {plan.path}", False)
    assert apply_plan(plan_unhook(str(repo), env)).summary == f"removed from {plan.path}"
    assert not plan.path.exists()
    assert plan_unhook(str(repo), env).summary == f"not installed in {plan.path}"


def test_a_merge_passes_silently_where_our_program_is_gone(repo: Path, env: dict[str, str], tmp_path: Path) -> None:
    apply_plan(plan_hook(str(repo), env))
    (tmp_path / "bin" / "brain-hook").unlink()
    assert merge(repo, env, tmp_path) == ("", "")


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_users_script_comes_back_to_the_byte(repo: Path, env: dict[str, str], script: bytes) -> None:
    path = put_hook(hook_path(str(repo), env), script, 0o750)
    apply_plan(plan_hook(str(repo), env))
    installed = path.read_bytes()
    assert installed.replace(BLOCK, b"").replace(b"\n", b"") == script.replace(b"\n", b"")
    assert not plan_hook(str(repo), env).changed
    assert stat.S_IMODE(path.stat().st_mode) == 0o750
    apply_plan(plan_unhook(str(repo), env))
    assert (path.read_bytes(), stat.S_IMODE(path.stat().st_mode)) == (script, 0o750)


@pytest.mark.parametrize("last", ["", "exit 0", "exec true", "false", "set -e"])
def test_our_lines_run_beside_the_users(repo: Path, env: dict[str, str], tmp_path: Path, last: str) -> None:
    put_hook(hook_path(str(repo), env), f"#!/bin/sh\necho mine >&2\n{last}".encode())
    apply_plan(plan_hook(str(repo), env))
    assert merge(repo, env, tmp_path) == ("mine\n", "git post-merge []\n")


def test_older_lines_of_ours_are_replaced_in_place(repo: Path, env: dict[str, str]) -> None:
    old = b"# >>> project brain >>>\nbrain-hook refresh\n# <<< project brain <<<\n"
    path = put_hook(hook_path(str(repo), env), b"#!/bin/sh\n" + old + b"echo mine\n")
    assert apply_plan(plan_hook(str(repo), env)).summary == f"updated in {path}"
    assert path.read_bytes() == b"#!/bin/sh\n" + BLOCK + b"\necho mine\n"
    apply_plan(plan_unhook(str(repo), env))
    assert path.read_bytes() == b"#!/bin/sh\necho mine\n"


def test_a_script_of_ours_that_the_user_went_on_with_stays(repo: Path, env: dict[str, str]) -> None:
    path = apply_plan(plan_hook(str(repo), env)).path
    path.write_bytes(path.read_bytes() + b"echo mine\n")
    apply_plan(plan_unhook(str(repo), env))
    assert path.read_bytes() == NEW_SCRIPT + b"echo mine\n"


REFUSED = [
    (b"#!/usr/bin/env python3\nprint()\n", 0o755, ":1: runs by 'python3', and our lines are for a shell"),
    (b"#!/usr/bin/perl\n", 0o755, ":1: runs by 'perl', and our lines are for a shell"),
    (b"#!/usr/bin/fish\n", 0o755, ":1: runs by 'fish', and our lines are for a shell"),
    (b"#!/usr/bin/env\n", 0o755, ":1: runs by '', and our lines are for a shell"),
    (b"\x7fELF\x02\0\0", 0o755, ":1: runs by 'binary', and our lines are for a shell"),
    (b"#!/bin/sh\necho off\n", 0o644, ": is not executable, so git passes it over"),
]


@pytest.mark.parametrize(("script", "mode", "message"), REFUSED)
def test_a_hook_that_cannot_take_our_lines_is_left(
    repo: Path, env: dict[str, str], script: bytes, mode: int, message: str
) -> None:
    path = put_hook(hook_path(str(repo), env), script, mode)
    with pytest.raises(ConfigError) as caught:
        plan_hook(str(repo), env)
    assert (str(caught.value), bool(caught.value.hint)) == (f"{path}{message}", True)
    assert not plan_unhook(str(repo), env).changed


def test_the_hooks_folder_of_the_configuration_counts(repo: Path, env: dict[str, str], tmp_path: Path) -> None:
    git(repo, env, "config", "core.hooksPath", ".githooks")
    assert apply_plan(plan_hook(str(repo), env)).path == repo / ".githooks" / "post-merge"
    assert merge(repo, env, tmp_path) == ("", "git post-merge []\n")
    git(repo, env, "config", "core.hooksPath", "~/all hooks")
    assert hook_path(str(repo), env) == tmp_path / "all hooks" / "post-merge"


def test_hooks_that_are_switched_off_are_told(repo: Path, env: dict[str, str]) -> None:
    git(repo, env, "config", "core.hooksPath", "/dev/null")
    with pytest.raises(BrainError, match="/dev/null/post-merge: cannot be read: Not a directory"):
        plan_hook(str(repo), env)


def test_a_linked_worktree_and_a_bare_clone_have_their_hooks_folder(
    repo: Path, env: dict[str, str], tmp_path: Path
) -> None:
    git(repo, env, "worktree", "add", "-q", "--detach", str(tmp_path / "linked"))
    assert hook_path(str(tmp_path / "linked"), env) == repo / ".git" / "hooks" / "post-merge"
    git(tmp_path, env, "clone", "-q", "--bare", str(repo), "bare")
    assert hook_path(str(tmp_path / "bare"), env) == tmp_path / "bare" / "hooks" / "post-merge"


def test_a_folder_inside_the_repository_finds_the_same_hook(repo: Path, env: dict[str, str]) -> None:
    (repo / "sub").mkdir()
    assert hook_path(str(repo / "sub"), env) == repo / ".git" / "hooks" / "post-merge"
    git(repo, env, "config", "core.hooksPath", ".githooks")
    assert hook_path(str(repo / "sub"), env) == repo / ".githooks" / "post-merge"


def test_outside_a_repository_git_says_so(env: dict[str, str], tmp_path: Path) -> None:
    with pytest.raises(GitError):
        plan_hook(str(tmp_path), env)
