"""A project on the stand-in for tests: a memory repo, its people, and the clone that the finalize job runs in."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from brain.memory_index import render_index
from brain_ci.cli import main
from tests.support.program import CODE
from tests.support.repos import ROOT, git, memory_text

if TYPE_CHECKING:
    from pathlib import Path

    from tests.gitlab.fixture import Team

RETRY = "01.Lessons/dev/F-003_Payment/retry.md"
NOON = "01.Lessons/dev/F-003_Payment/noon.md"
STOCK = "00.Shared/domain/F-004_Stock/stock.md"
QUEUE = "00.Shared/decisions/queue.md"
ONE_TIER = pytest.mark.parametrize("project", ["free"], indirect=True)
"""What does not depend on the tier is shown on one."""
BODY = "Retry a payment at most twice.\n\n**Apply:** count the tries."


def draft(path: str, body: str = BODY, **fields: Any) -> str:
    """Return the file of a memory that nobody approved yet."""
    return memory_text(path, body, **{"status": "pending", "reviewed_by": "", **fields})


class Done(NamedTuple):
    """How a run ended: exit status and both outputs."""

    status: int
    out: str
    err: str


class Project:
    """A team's project and the job's clone of it."""

    tier = "free"

    def __init__(self, team: Team, folder: Path, **settings: str) -> None:
        self.team, self.folder, self.count = team, folder, 0
        more = "".join(f"{key} = {text!r}\n" for key, text in settings.items())
        toml = f'[people]\npm = ["{team.pm.username}"]\n[review]\n{more}'
        self.merge(
            self.propose(
                {"brain.toml": toml, ".gitignore": "_pending/\n", "MEMORY.md": render_index([])}, branch="start"
            )
        )
        self.clone = self.make_clone("clone")

    def make_clone(self, name: str, *options: str) -> Path:
        """Return a runner's clone: no credentials are in it."""
        path = self.folder / name
        git(self.folder, "clone", "-q", *options, self.team.remote("bot"), str(path))
        git(path, "remote", "set-url", "origin", f"{self.team.forge.url}/{self.team.path}.git")
        return path

    def commit(self, branch: str, files: dict[str, str | None], who: str = "dev", start: str = "main") -> str:
        """Commit files below the memory root (None: remove) through the API and return the commit."""
        person, api = self.team.people[who], f"{self.team.api}/repository"
        there = person.get(f"{api}/branches/{branch.replace('/', '%2F')}").status_code == 200
        have = {row["path"] for row in self._tree(branch if there else start)}
        actions = []
        for name, text in files.items():
            path = f"{ROOT}/{name}"
            verb = "delete" if text is None else "update" if path in have else "create"
            actions.append({"action": verb, "file_path": path, **({} if text is None else {"content": text})})
        more = {} if there else {"start_branch": start}
        made = person.ask("POST", f"{api}/commits", branch=branch, commit_message="Work", actions=actions, **more)
        return str(made["id"])

    def _tree(self, ref: str) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = []
        for page in range(1, 100):
            query = f"ref={ref}&recursive=true&per_page=100&page={page}"
            found = self.team.root.ask("GET", f"{self.team.api}/repository/tree?{query}")
            rows += found
            if len(found) < 100:
                break
        return rows

    def propose(self, files: dict[str, str | None], branch: str = "", who: str = "dev", **more: Any) -> int:
        """Open a merge request that changes these files and return its number."""
        self.count += 1
        branch = branch or f"memory/T-{self.count}"
        self.commit(branch, files, who)
        return int(self.team.open(branch, f"memory({self.count})", who=who, labels="memory", **more)["iid"])

    def approve(self, iid: int, who: str = "pm") -> None:
        self.team.people[who].ask("POST", f"{self.team.api}/merge_requests/{iid}/approve")

    def merge(self, iid: int, who: str = "pm", **more: Any) -> None:
        self.team.ready(iid)
        self.team.people[who].ask("PUT", f"{self.team.api}/merge_requests/{iid}/merge", **more)

    def run(self, *args: str, **env: str) -> Done:
        """Run the job in the clone, in this process."""
        with (
            pytest.MonkeyPatch.context() as patch,
            redirect_stdout(StringIO()) as out,
            redirect_stderr(StringIO()) as err,
        ):
            for name, text in self.env(**env).items():
                patch.setenv(name, text)
            status = main(["finalize", *args])
        return Done(status, out.getvalue(), err.getvalue())

    def start(self, *args: str, **env: str) -> subprocess.Popen[str]:
        """Start the job in the clone as a process."""
        argv = [sys.executable, "-m", "brain_ci", "finalize", *args]
        env = {**os.environ, **CODE, **self.env(**env)}
        return subprocess.Popen(argv, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def env(self, **env: str) -> dict[str, str]:
        return {"CI_PROJECT_DIR": str(self.clone), "BRAIN_GITLAB_TOKEN": self.team.bot.token, **env}

    def ask(self, verb: str, path: str, **more: Any) -> Any:
        return self.team.root.ask(verb, f"{self.team.api}/{path}", **more)

    def main(self) -> str:
        git(self.clone, "fetch", "-q", self.team.remote("root"), "+refs/heads/*:refs/seen/*", "--prune")
        return git(self.clone, "rev-parse", "refs/seen/main")

    def file(self, path: str, ref: str = "main") -> str:
        """Return a file of a branch as it is now; "" where there is none."""
        self.main()
        spec = f"refs/seen/{ref}:{ROOT}/{path}"
        done = subprocess.run(["git", "-C", str(self.clone), "show", spec], capture_output=True, check=False)
        return done.stdout.decode()

    def index(self) -> list[str]:
        """Return the ids that the index lists."""
        rows = [line for line in self.file("MEMORY.md").splitlines() if line.startswith("- [")]
        return [row[3:].partition("]")[0] for row in rows]

    def state(self, path: str) -> tuple[str, str]:
        """Return a memory's status and reviewer on the default branch; "" where it is not there."""
        lines = dict(line.partition(": ")[::2] for line in self.file(path).partition("\n---\n")[0].splitlines())
        return lines.get("status", ""), lines.get("reviewed_by", lines.get("reviewed_by:", "")).strip()

    def bot_commits(self) -> list[str]:
        """Return the subjects of finalize's commits on the default branch, the newest first."""
        self.main()
        out = git(self.clone, "log", "--format=%s", "--grep=^Brain-Finalize: ", "refs/seen/main")
        return out.splitlines()

    def branches(self) -> list[str]:
        self.main()
        return git(self.clone, "for-each-ref", "--format=%(refname:lstrip=2)", "refs/seen").splitlines()

    def notes(self, iid: int) -> list[str]:
        """Return what the bot wrote on a merge request."""
        rows = self.ask("GET", f"merge_requests/{iid}/notes")
        return [row["body"] for row in rows if not row["system"] and row["author"]["id"] == self.team.bot.id]
