"""A team for tests: a bare memory repo, GitLab's answers about it, and machines that have clones."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

from tests.forge.responder import TOKEN, Responder
from tests.support.program import CODE
from tests.support.repos import ROOT, clone, commit, git, make_memory_repo, pending

if TYPE_CHECKING:
    from pathlib import Path

RETRY = "01.Lessons/dev/F-003_Payment/retry.md"
NOON = "01.Lessons/dev/F-003_Payment/noon.md"
STOCK = "00.Shared/domain/F-004_Stock/stock.md"
QUEUE = "00.Shared/decisions/queue.md"
BODIES = {
    RETRY: ("Retry a payment at most thrice.\n\n**Apply:** count the tries.", ("payment",)),
    NOON: ("Orders close at noon on Fridays.\n\n**Apply:** ship early.", ("order",)),
    STOCK: ("在庫の出力は夜間に行う。\n\n**適用:** 朝は避ける。", ("stock-export",)),
    QUEUE: ("We chose one queue a tenant.\n\n**Apply:** never share a queue.", ("queue",)),
}
SETTINGS = '[people]\npm = ["pam"]\ntl = ["tom"]\nba = ["bea"]\nqa = ["quinn"]\n'


class Machine:
    """One person's clone, and the commands they run in it."""

    def __init__(self, folder: Path, env: dict[str, str]) -> None:
        self.folder, self.env = folder, env

    def draft(self, path: str, body: str = "", **fields: Any) -> Path:
        text, tags = BODIES.get(
            path, (f"{path} is a thing.\n\n**Apply:** know it.", (path.rpartition("/")[2][:-3].lower(),))
        )
        return pending(
            self.folder, path, body=body or text, **{"tags": tags, "verified_commit": "", "confidence": 0.5, **fields}
        )

    def drafts(self) -> dict[str, str]:
        folder = self.folder / ROOT / "_pending"
        return {path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in sorted(folder.rglob("*.md"))}

    def start(self, *args: str, **env: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-m", "brain", "-C", str(self.folder), *args], env={**os.environ, **CODE, **self.env, **env},
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, encoding="utf-8",
        )  # fmt: skip

    def journal(self) -> dict[str, Any]:
        folder = self.folder / ".git/brain/submitted"
        return {path.stem: json.loads(path.read_text("utf-8")) for path in sorted(folder.glob("*.json"))}

    def snapshot(self) -> dict[str, str]:
        """Return what a submit must not touch: HEAD, branches, the index's bytes, what git says of the work tree."""
        index = self.folder / ".git/index"
        return {
            "HEAD": (self.folder / ".git/HEAD").read_text(), "branches": git(self.folder, "for-each-ref", "refs/heads", "refs/tags"),
            "index": index.read_bytes().hex(), "status": git(self.folder, "--no-optional-locks", "status", "--porcelain=v2", "--untracked-files=all"),
            "files": git(self.folder, "--no-optional-locks", "diff", "HEAD"),
        }  # fmt: skip


class Team:
    """The repo on the server, and its GitLab."""

    def __init__(self, folder: Path, settings: str = SETTINGS, *, one_reviewer: bool = False) -> None:
        self.folder = folder
        seed = make_memory_repo(folder / "seed", {RETRY: ""}, settings)
        commit(seed, {f"{ROOT}/.gitignore": "_pending/\n"})
        self.origin = folder / "origin.git"
        git(seed, "clone", "-q", "--bare", str(seed), str(self.origin))
        self.server = Responder(self.origin, one_reviewer=one_reviewer)
        self.env = {
            "BRAIN_GITLAB_URL": self.server.url,
            "BRAIN_GITLAB_PROJECT": "team/memory",
            "BRAIN_GITLAB_TOKEN": TOKEN,
        }
        self.ada = self.machine("ada")

    def machine(self, name: str) -> Machine:
        return Machine(clone(self.origin, self.folder / name), self.env)

    def branch(self, name: str = "memory/T-1") -> dict[str, str]:
        """Return path → text of what a branch has and main has not."""
        prefix = f"{ROOT}/"
        names = git(self.origin, "diff", "--name-only", f"main...{name}").splitlines()
        return {path.removeprefix(prefix): git(self.origin, "show", f"{name}:{path}") for path in names}

    def hook(self, name: str, script: str) -> None:
        file = self.origin / "hooks" / name
        file.write_text(f"#!/bin/sh\n{script}\n")
        file.chmod(0o755)

    def calls(self, verb: str) -> int:
        return sum(1 for seen, *_ in self.server.seen if seen == verb)
