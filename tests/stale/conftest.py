"""Real repositories, made in a temporary folder with git's own commands."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

IDENTITY = {f"GIT_{who}_{what}": text for who in ("AUTHOR", "COMMITTER") for what, text in
            (("NAME", "Ada"), ("EMAIL", "ada@example.com"), ("DATE", "2026-01-02T03:04:05Z"))}  # fmt: skip


class History:
    """A repository that commits grow in."""

    def __init__(self, path: Path, *options: str) -> None:
        self.path = str(path)
        subprocess.run(["git", "init", "-q", "-b", "main", *options, self.path], check=True)

    def git(self, *args: str, stdin: bytes = b"") -> str:
        done = subprocess.run(["git", "-C", self.path, *args], input=stdin, capture_output=True, check=True)
        return done.stdout.decode("utf-8", "surrogateescape").strip()

    def commit(self, files: dict[str, str | bytes | None]) -> str:
        """Write, or with None remove, files; return the id of the commit that holds that."""
        for name, content in files.items():
            path = os.fsencode(self.path) + b"/" + name.encode("utf-8", "surrogateescape")
            if content is None:
                os.unlink(path)
                continue
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as file:
                file.write(content.encode() if isinstance(content, str) else content)
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "x")
        return self.git("rev-parse", "HEAD")


@pytest.fixture(autouse=True)
def sealed_git(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    for name, text in IDENTITY.items():
        monkeypatch.setenv(name, text)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)


@pytest.fixture
def history(tmp_path: Path) -> History:
    return History(tmp_path / "repo")


@pytest.fixture
def new_history(tmp_path: Path):
    return lambda name, *options: History(tmp_path / name, *options)
