"""A merge request of memories on the stand-in, and ``brain-ci lint`` in the pipeline of its head."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.lint.support import memory
from tests.support.program import CODE
from tests.support.repos import ROOT, commit, git

if TYPE_CHECKING:
    from tests.gitlab.fixture import Team

AREA = f"{ROOT}/00.Shared/domain/F-002_Order"
BRANCH = "memory/ord-1"
MARKER = "<!-- brain:lint -->"


def memory_repo(team: Team, settings: str = "", files: dict[str, str] | None = None, *, memories: bool = True) -> Team:
    """Put settings, more files and (by default) a first memory on main."""
    texts = {f"{ROOT}/brain.toml": settings, **(files or {})}
    texts |= {f"{AREA}/a.md": memory(id="mem-F002-a", refs="[]")} if memories else {}
    team.commit("start", texts)
    iid = team.open("start")["iid"]
    team.ready(iid)
    team.pm.ask("PUT", f"{team.api}/merge_requests/{iid}/merge")
    return team


class Request:
    """The developer's clone, and the merge request made from it."""

    def __init__(self, team: Team, folder: Path, branch: str = BRANCH) -> None:
        self.team, self.folder, self.branch = team, folder, branch
        git(Path(), "clone", "-q", team.remote("dev"), str(folder))
        git(folder, "checkout", "-q", "-b", branch)
        self.iid = 0

    def push(self, files: dict[str, str | bytes | None]) -> None:
        """Commit and push, and open the merge request the first time."""
        commit(self.folder, files)
        git(self.folder, "push", "-q", "-f", "origin", self.branch)
        if not self.iid:
            self.iid = self.team.open(self.branch, "memory(ord-1)")["iid"]

    @property
    def at(self) -> str:
        return f"{self.team.api}/merge_requests/{self.iid}"

    @property
    def ref(self) -> str:
        """Return what its pipelines are for."""
        return f"refs/merge-requests/{self.iid}/head"

    def variables(self, who: str = "bot") -> dict[str, str]:
        """Return what GitLab says in a merge request pipeline, and the token for notes."""
        team, url = self.team, self.team.forge.url
        found = team.dev.ask("GET", self.at)
        return {
            "CI_PROJECT_DIR": str(self.folder), "CI_PROJECT_ID": str(team.id), "CI_PROJECT_PATH": team.path,
            "CI_PROJECT_URL": f"{url}/{team.path}", "CI_API_V4_URL": f"{url}/api/v4", "CI_SERVER_HOST": "localhost",
            "CI_COMMIT_SHA": git(self.folder, "rev-parse", "HEAD"), "CI_DEFAULT_BRANCH": "main",
            "CI_MERGE_REQUEST_IID": str(self.iid), "CI_MERGE_REQUEST_PROJECT_ID": str(team.id),
            "CI_MERGE_REQUEST_SOURCE_BRANCH_NAME": self.branch,
            "CI_MERGE_REQUEST_DIFF_BASE_SHA": found["diff_refs"]["base_sha"],
            **({"BRAIN_NOTE_TOKEN": team.people[who].token} if who else {}),
        }  # fmt: skip

    def lint(self, *args: str, who: str = "bot", **env: str) -> tuple[int, str]:
        """Run the job and return its status and what it says beside the findings."""
        done = subprocess.run(
            [sys.executable, "-m", "brain_ci", "lint", "--scanner", "off", *args], cwd=self.folder, encoding="utf-8",
            env={**os.environ, **CODE, **self.variables(who), **env}, capture_output=True, check=False, timeout=120,
        )  # fmt: skip
        return done.returncode, done.stderr

    def notes(self) -> list[str]:
        """Return the notes with lint's mark, without it."""
        rows = self.team.dev.ask("GET", f"{self.at}/notes?sort=asc")
        return [row["body"].removeprefix(f"{MARKER}\n") for row in rows if MARKER in row["body"]]

    def threads(self) -> list[tuple[str, int, bool]]:
        """Return path, line and whether it is resolved of the discussions in the diff, the oldest first."""
        rows: list[Any] = self.team.dev.ask("GET", f"{self.at}/discussions?per_page=100")
        found = [row["notes"][0] for row in rows if row["notes"][0]["type"] == "DiffNote"]
        return [(note["position"]["new_path"], note["position"]["new_line"], note["resolved"]) for note in found]


def bad(name: str) -> str:
    """Return a memory without a source, as ``name`` in ``AREA``."""
    return memory(id=f"mem-F002-{name}", refs="[]", source=None)


def good(name: str) -> str:
    return memory(
        id=f"mem-F002-{name}", refs="[]", body=f"The {name} is done at noon.\n\n**Apply:** wait for {name}.\n"
    )
