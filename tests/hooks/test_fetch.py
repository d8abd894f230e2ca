"""The fetch at session start: one at a time, never longer than its deadline, no secret in what is said of it."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

import pytest

from brain.git.fetch import FAILED, LATE, LOCK, LOCK_SECONDS, STAMP, fetch, without_userinfo
from brain.git.refs import find_repo
from tests.support.hook_process import LOG, World
from tests.support.repos import git


def ask(world: World, seconds: float = 5.0, remote: str = "origin") -> str:
    repo = find_repo(str(world.memory))
    assert repo
    return fetch(repo, remote, seconds, str(world.cache), dict(os.environ))


def has_news(world: World) -> bool:
    return git(world.memory, "rev-parse", "origin/main") == git(world.origin, "rev-parse", "main")


def lock(world: World, text: str, age: float = 0.0) -> Path:
    world.cache.mkdir(exist_ok=True)
    path = world.cache / LOCK
    path.write_text(text)
    os.utime(path, (time.time() - age,) * 2)
    return path


def test_a_fetch_brings_the_news_and_leaves_its_stamp_alone(world: World) -> None:
    world.share({LOG: None})
    assert ask(world) == ""
    assert has_news(world)
    assert [path.name for path in world.cache.iterdir()] == [STAMP]
    world.share({LOG: "x"})
    (world.cache / STAMP).touch()
    assert ask(world) == ""
    assert not has_news(world)  # settled a moment ago


@pytest.mark.parametrize(("seconds", "remote"), [(0, "origin"), (-1, "origin"), (5, "upstream")])
def test_no_time_or_no_such_remote_is_no_question(seconds: float, remote: str, world: World) -> None:
    world.share({LOG: None})
    assert ask(world, seconds, remote) == ""
    assert not has_news(world)
    assert not world.cache.exists()


def ended() -> str:
    """Return the id of a process that is no more."""
    process = subprocess.Popen(["true"])
    process.wait()
    return str(process.pid)


@pytest.mark.parametrize("left", ["ended", "old", "old and empty", "from the future"])
def test_what_a_killed_fetch_left_holds_nobody_up(left: str, world: World) -> None:
    text = {"ended": ended(), "old": str(os.getpid()), "old and empty": "", "from the future": "1"}[left]
    lock(world, text, {"ended": 1, "from the future": -LOCK_SECONDS - 60}.get(left, LOCK_SECONDS + 1))
    world.share({LOG: None})
    assert ask(world, 3) == ""
    assert has_news(world)
    assert not (world.cache / LOCK).exists()


@pytest.mark.parametrize("text", ["", "self", "nonsense"])
def test_a_fetch_that_is_at_work_is_waited_for_and_not_joined(text: str, world: World) -> None:
    path = lock(world, str(os.getpid()) if text == "self" else text)
    world.share({LOG: None})
    started = time.monotonic()
    assert ask(world, 0.2) == LATE
    assert 0.2 <= time.monotonic() - started < 1
    assert not has_news(world)
    assert path.exists()


def test_a_failure_is_told_to_those_who_come_right_after(world: World) -> None:
    git(world.memory, "remote", "set-url", "origin", "/nowhere")
    said = ask(world)
    assert said == f"{FAILED}: fatal: '/nowhere' does not appear to be a git repository"
    assert ask(world) == said


def test_the_users_language_does_not_hide_the_cause(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    monkeypatch.setenv("LANGUAGE", "de")
    git(world.memory, "remote", "set-url", "origin", "/nowhere")
    assert "fatal: '/nowhere' does not appear" in ask(world)


@pytest.mark.parametrize(("text", "clean"), [
    ("https://ada:pw@host/x.git", "https://host/x.git"), ("https://tok@host:8443/x", "https://host:8443/x"), ("ssh://git@host:22/x", "ssh://host:22/x"),
    ("https://ada:p@ss/w:rd@host/x", "https://host/x"), ("https://host:80/x/@scope", "https://host:80/x/@scope"), ("git@host:x.git", "git@host:x.git"),
    ("at 'https://a:b@h/x?private_token=s#y': no", "at 'https://h/x': no"), ("https://a:b@h1/x and http://c@h2/y", "https://h1/x and http://h2/y"),
    ("no url: a@b://", "no url: a@b://"), ("", ""),
])  # fmt: skip
def test_a_text_without_what_its_urls_hide(text: str, clean: str) -> None:
    assert without_userinfo(text) == clean
