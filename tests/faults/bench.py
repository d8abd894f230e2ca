"""A project on the stand-in with many approved and removed memories, and clones of it, one a try."""

from __future__ import annotations

import shutil
from itertools import count
from typing import TYPE_CHECKING, Any

from tests.submit.team import Machine
from tests.support.repos import ROOT, git, memory_text

if TYPE_CHECKING:
    from pathlib import Path

    from tests.gitlab.fixture import Team

MANY = 150
COUNTED = 1_000_000
AREA = "01.Lessons/dev/F-003_Payment"
FAULTS = (
    "lost_answer", "bad_gateway_after_effect", "bad_gateway", "lost_request", "server_error", "too_many_requests", "token_expired",
)  # fmt: skip
"""What becomes of one request: lost before its effect or after it, refused for a while, or for good."""


def approved(number: int) -> str:
    return f"{AREA}/old-{number}.md"


def removed(number: int) -> str:
    return f"{AREA}/gone-{number}.md"


def words(number: int) -> str:
    """Return a body that is like no other."""
    return f"Thing {number} {chr(97 + number % 26) * 20}{number} holds.\n\n**Apply:** know it."


class Bench:
    """The project, and what a try is made from."""

    def __init__(self, team: Team, folder: Path) -> None:
        self.team, self.folder = team, folder
        self.numbers = count(1)
        settings = f'[people]\npm = ["{team.pm.username}"]\n'
        files = {f"{ROOT}/brain.toml": settings, f"{ROOT}/.gitignore": "_pending/\n"}
        for number in range(MANY):
            files[f"{ROOT}/{approved(number)}"] = memory_text(approved(number), words(number))
            gone = memory_text(
                removed(number), words(MANY + number), status="deprecated", removal="soft", removal_reason="old"
            )
            files[f"{ROOT}/_deprecated/{removed(number)}"] = gone
        team.commit("start", files)
        iid = int(team.open("start")["iid"])
        team.ready(iid)
        team.pm.ask("PUT", f"{team.api}/merge_requests/{iid}/merge")
        self.template = folder / "template"
        git(folder, "clone", "-q", team.remote("dev"), str(self.template))
        git(self.template, "remote", "set-url", "origin", f"{team.forge.url}/{team.path}.git")

    def trial(self) -> Trial:
        """Return another try: a clone, a ticket and memories that no other try has."""
        return Trial(self, next(self.numbers))


class Trial:
    """One person's clone, for one try."""

    def __init__(self, bench: Bench, number: int) -> None:
        self.bench, self.team, self.number = bench, bench.team, number
        self.ticket = f"R-{number}"
        folder = bench.folder / f"trial-{number}"
        shutil.copytree(bench.template, folder, symlinks=True)
        self.machine = Machine(folder, {"BRAIN_GITLAB_TOKEN": self.team.dev.token})
        self.removes = f"mem-F003-old-{number % MANY}"
        self.restores = f"mem-F003-gone-{number % MANY}"

    def draft(self, name: str, text: str = "") -> str:
        """File a draft and return its text."""
        path = f"{AREA}/{name}-{self.number}.md"
        body = f"{name} {self.number} {text or 'is a thing'}.\n\n**Apply:** know {name} {self.number}."
        return self.machine.draft(path, body).read_text("utf-8")

    def requests(self, branch: str) -> list[dict[str, Any]]:
        """Return the open merge requests of a branch."""
        query = f"state=opened&source_branch={branch.replace('/', '%2F')}"
        found: list[dict[str, Any]] = self.team.dev.ask("GET", f"{self.team.api}/merge_requests?{query}")
        return found

    def request(self, branch: str) -> dict[str, Any]:
        """Return the one open merge request of a branch, nothing where there is none or several."""
        rows = self.requests(branch)
        return rows[0] if len(rows) == 1 else {}

    def on_branch(self, branch: str) -> set[str]:
        """Return the texts that a branch has on the server and main has not."""
        git(self.machine.folder, "fetch", "-q", "--prune", self.team.remote("root"), "+refs/heads/*:refs/seen/*")
        names = git(self.machine.folder, "for-each-ref", "--format=%(refname)", f"refs/seen/{branch}").split()
        found = set()
        for name in names:
            for path in git(
                self.machine.folder,
                "diff",
                "--name-only",
                "--no-renames",
                "--diff-filter=AM",
                f"refs/seen/main...{name}",
            ).splitlines():
                found.add(git(self.machine.folder, "show", f"{name}:{path}") + "\n")
        return found

    def kept(self, texts: set[str], branch: str) -> bool:
        """Say whether no text is lost: each is a draft, on the branch, or in what a ref of ours leads to."""
        left = texts - set(self.machine.drafts().values()) - self.on_branch(branch)
        ids = {
            line.partition(" ")[0]
            for line in git(self.machine.folder, "rev-list", "--objects", "--glob=refs/brain").splitlines()
        }
        return all(git(self.machine.folder, "hash-object", "--stdin", stdin=text) in ids for text in left)

    def end(self) -> None:
        shutil.rmtree(self.machine.folder)


def count_requests(team: Team, when: str) -> None:
    """Count requests from now on, by a fault that comes too late to hit one."""
    team.forge.fault(when, skip=COUNTED)


def requests_made(team: Team, when: str) -> int:
    """Return how many requests were made since ``count_requests`` that a fault of that kind could have hit."""
    (row,) = [row for row in team.forge.inner.get("/faults").json() if row["name"] == when]
    team.forge.calm()
    return COUNTED - int(row["skip"])
