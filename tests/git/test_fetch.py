"""A fetch with a slow remote: it goes on by itself, once, and the next session has its news.

What hooks say of failing remotes is in ``tests/hooks``.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from brain.git.fetch import FAILED, LATE, LOCK, SETTLED_SECONDS, STAMP, fetch
from brain.git.refs import find_repo
from tests.support.repos import PROGRAM, clone, commit, git, make_repo


class Pair:
    """A repository and a clone whose remote takes its time and counts how often it is asked."""

    def __init__(self, folder: Path) -> None:
        self.origin = make_repo(folder / "origin", {"a": "1"})
        self.repo = clone(self.origin, folder / "clone ü")
        self.cache, self.asked, self.wait = folder / "clone ü/.git/brain", folder / "asked", folder / "wait"
        commit(self.origin, {"a": "2"})
        script = folder / "upload-pack"
        script.write_text(
            f"#!/bin/sh\necho x >> '{self.asked}'\nwhile test -e '{self.wait}'; do sleep 0.05; done\nexec git-upload-pack \"$@\"\n"
        )
        script.chmod(0o755)
        git(self.repo, "config", "remote.origin.uploadpack", str(script))

    def fetch(self, seconds: float = 10.0) -> str:
        repo = find_repo(str(self.repo))
        assert repo
        return fetch(repo, "origin", seconds, str(self.cache), dict(os.environ))

    def times_asked(self) -> int:
        return self.asked.read_text().count("x") if self.asked.exists() else 0

    def has_news(self) -> bool:
        return git(self.repo, "rev-parse", "origin/main") == git(self.origin, "rev-parse", "main")


@pytest.fixture
def pair(tmp_path: Path) -> Pair:
    return Pair(tmp_path)


def test_a_slow_fetch_goes_on_and_the_next_session_has_its_news(pair: Pair) -> None:
    pair.wait.touch()
    start = time.monotonic()
    assert pair.fetch(0.3) == LATE
    assert 0.3 <= time.monotonic() - start < 1
    assert pair.fetch(0.2) == LATE  # and is not joined by a second one
    pair.wait.unlink()
    deadline = time.monotonic() + 10
    while not pair.has_news() and time.monotonic() < deadline:
        time.sleep(0.02)
    assert pair.has_news()
    assert pair.times_asked() == 1
    commit(pair.origin, {"a": "3"})
    assert (pair.fetch(), pair.has_news(), pair.times_asked()) == ("", True, 2)


def test_many_at_once_ask_once(pair: Pair) -> None:
    pair.wait.touch()
    code = f"import os\nfrom brain.git.fetch import fetch\nfrom brain.git.refs import find_repo\nprint(repr(fetch(find_repo({str(pair.repo)!r}), 'origin', 20.0, {str(pair.cache)!r}, dict(os.environ))))"
    hooks = [
        subprocess.Popen([sys.executable, "-c", code], env={**os.environ, **PROGRAM}, stdout=subprocess.PIPE, text=True)
        for _ in range(8)
    ]
    time.sleep(0.5)
    pair.wait.unlink()
    assert [hook.communicate()[0] for hook in hooks] == ["''\n"] * 8
    assert (pair.times_asked(), pair.has_news()) == (1, True)
    assert sorted(path.name for path in pair.cache.iterdir()) == [STAMP]


def test_a_fetch_of_a_moment_ago_is_enough(pair: Pair) -> None:
    assert (pair.fetch(), pair.times_asked()) == ("", 1)
    commit(pair.origin, {"a": "3"})
    assert (pair.fetch(), pair.times_asked(), pair.has_news()) == ("", 1, False)
    for age in (SETTLED_SECONDS + 1, -SETTLED_SECONDS - 3600):  # also where the clock went back
        os.utime(pair.cache / STAMP, (time.time() - age,) * 2)
        assert (pair.fetch(), pair.has_news()) == ("", True)
    assert pair.times_asked() == 3


def test_a_killed_hook_leaves_a_fetch_that_ends_and_a_lock_that_does_not_stay(pair: Pair) -> None:
    pair.wait.touch()
    code = f"import os\nfrom brain.git.fetch import fetch\nfrom brain.git.refs import find_repo\nfetch(find_repo({str(pair.repo)!r}), 'origin', 60.0, {str(pair.cache)!r}, dict(os.environ))"
    hook = subprocess.Popen([sys.executable, "-c", code], env={**os.environ, **PROGRAM})
    deadline = time.monotonic() + 10
    while not (pair.cache / LOCK).exists() or not (pair.cache / LOCK).read_text() or not pair.times_asked():
        assert time.monotonic() < deadline
        time.sleep(0.01)
    hook.kill()
    hook.wait()
    assert pair.fetch(0.2) == LATE
    pair.wait.unlink()
    while not pair.has_news():
        assert time.monotonic() < deadline
        time.sleep(0.01)
    assert pair.fetch() == ""
    assert not (pair.cache / LOCK).exists()


def test_the_users_branch_index_and_files_are_not_touched(pair: Pair) -> None:
    (pair.repo / "a").write_text("mine")
    before = (
        git(pair.repo, "status", "--porcelain=v2", "--branch").replace("+0 -0", "").replace("+0 -1", ""),
        git(pair.repo, "for-each-ref", "refs/heads", "refs/tags"),
    )
    git(pair.origin, "tag", "v1")
    assert pair.fetch() == ""
    assert (
        git(pair.repo, "status", "--porcelain=v2", "--branch").replace("+0 -0", "").replace("+0 -1", ""),
        git(pair.repo, "for-each-ref", "refs/heads", "refs/tags"),
    ) == before
    assert not (pair.repo / ".git/FETCH_HEAD").exists()
    assert pair.has_news()


@pytest.mark.parametrize("where", ["/proc/brain", "/dev/null/brain"])
def test_without_a_place_for_the_lock_nothing_is_fetched_and_that_is_said(pair: Pair, where: str) -> None:
    repo = find_repo(str(pair.repo))
    assert repo
    assert fetch(repo, "origin", 5.0, where, dict(os.environ)).startswith(f"{FAILED}: ")
    assert pair.times_asked() == 0
