"""Git in clones of the test's own; the stand-ins come from tests.gitlab.fixture."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.gitlab.fixture import Team, forge, free_forge, paid, premium, premium_forge, team

__all__ = ["forge", "free_forge", "paid", "premium", "premium_forge", "team"]
Git = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def git(tmp_path: Path) -> Git:
    """Return a function that runs git in a folder of the test's own; `ok=False` lets it fail."""

    def run(*argv: str, at: Path = tmp_path, ok: bool = True) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            ["git", *argv], cwd=at, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL
        )
        assert not ok or done.returncode == 0, done.stderr
        return done

    return run


@pytest.fixture
def clone(git: Git, tmp_path: Path) -> Callable[..., Path]:
    """Return a function that clones a team's project in a person's name."""

    def run(team: Team, who: str = "dev", name: str = "work") -> Path:
        git("clone", "--quiet", team.remote(who), name)
        return tmp_path / name

    return run


@pytest.fixture
def commit(git: Git) -> Callable[..., str]:
    """Return a function that commits a file in a clone and returns the commit."""

    def run(at: Path, name: str, text: str, message: str = "Work", *more: str) -> str:
        (at / name).parent.mkdir(parents=True, exist_ok=True)
        (at / name).write_text(text)
        git("add", "--all", at=at)
        git("commit", "--quiet", "-m", message, *more, at=at)
        return git("rev-parse", "HEAD", at=at).stdout.strip()

    return run
