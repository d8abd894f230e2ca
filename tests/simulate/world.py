"""The simulated team's world: GitLab's stand-in with its clock, the code repos, people's telemetry, and the jobs."""

from __future__ import annotations

import json
import os
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from datetime import date, timedelta
from io import StringIO
from typing import TYPE_CHECKING, Any

import pytest

from brain.cli import main
from brain.finalize.check import check
from brain.submit.push import Link
from brain.telemetry import EVENTS, record
from brain.tend.local import Origin, count_up
from brain.tend.publish import publish
from brain.workspace import Brain, open_brain
from tests.finalize.project import Project
from tests.submit.test_loop import machine
from tests.support.repos import ROOT, git

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from tests.gitlab.fixture import Forge

START = date(2026, 1, 5)
NOON = 12 * 3600


class World:
    """Everything that is real in the simulation; what is asserted is not known here."""

    def __init__(self, forge: Forge, folder: Path, projects: tuple[str, ...], people: int) -> None:
        self.forge, self.folder, self.week = forge, folder, 0
        self.patch = pytest.MonkeyPatch()
        self.begin(0)
        self.heads: dict[str, str] = {}
        for name in projects:
            git(folder, "init", "-q", "--bare", "-b", "main", str(folder / f"{name}.git"))
        self.project = Project(forge.team(), folder)
        repos = "".join(f'{name} = "{folder / name}.git"\n' for name in projects)
        toml = f'{self.project.file("brain.toml")}\n[repos]\n{repos}[recall]\nfetchSeconds = 0\nscorer = "hybrid"\n'
        self.accept(self.project.propose({"brain.toml": toml}))
        self.tl = machine(self.project.team, "tl", folder)
        self.patch.setenv("BRAIN_GITLAB_TOKEN", self.project.team.tl.token)
        self.people = [(str(folder / f"person-{number}"), projects[number % len(projects)]) for number in range(people)]
        self.link = Link(str(self.tl.folder), "origin", dict(os.environ))

    def close(self) -> None:
        self.patch.undo()

    # time

    def begin(self, week: int) -> None:
        """Make it Monday of a week, for GitLab, git and us."""
        self.week = week
        for name in ("GIT_COMMITTER_DATE", "GIT_AUTHOR_DATE"):
            self.patch.setenv(name, f"{self.today}T12:00:00+0000")
        self.patch.setenv("BRAIN_NOW", self.today)
        self.forge.clock(freeze=f"{self.today}T12:00:00Z")

    @property
    def day(self) -> date:
        return START + timedelta(days=7 * self.week)

    @property
    def today(self) -> str:
        return self.day.isoformat()

    @property
    def seconds(self) -> float:
        return (self.day - date(1970, 1, 1)).days * 86400.0 + NOON

    # code

    def write_code(self, project: str, commits: list[dict[str, str]]) -> str:
        """Add commits to a code repo, each of some files, and return its head."""
        lines: list[str] = []
        for number, files in enumerate(commits):
            lines += [
                "commit refs/heads/main",
                f"committer dev <dev@example.com> {int(self.seconds) + number} +0000",
                _data("work"),
            ]
            if number == 0 and project in self.heads:
                lines.append("from refs/heads/main^0")
            for path, text in files.items():
                lines += [f"M 100644 inline {path}", _data(text)]
        folder = self.folder / f"{project}.git"
        git(folder, "fast-import", "--quiet", stdin="\n".join(lines) + "\n")
        self.heads[project] = git(folder, "rev-parse", "refs/heads/main")
        return self.heads[project]

    # people

    def note(self, person: int, event: str, **facts: Any) -> None:
        record(self.people[person][0], EVENTS, event, time=self.seconds, **facts)

    def publish(self, person: int) -> None:
        state, project = self.people[person]
        ledger = count_up(state, Origin(project, 0.05))
        publish(self.link, ledger.machine, ledger.counts)

    # GitLab

    def accept(self, iid: int) -> None:
        self.project.approve(iid)
        self.project.merge(iid)

    def finalize(self) -> None:
        """Run the job, and hold that main is as finalize leaves it: the index right, no approved memory without reviewer."""
        done = self.project.run()
        assert done.status == 0, done
        faults = check(str(self.project.clone), self.project.main(), ROOT)
        assert not faults, faults

    def main_files(self) -> dict[str, str]:
        """Return path below the root → text of all memories on main, the removed ones too."""
        commit = self.project.main()
        names = git(self.project.clone, "ls-tree", "-r", "--name-only", "-z", commit, "--", ROOT).split("\0")
        paths = [name for name in names if name.endswith(".md") and not name.endswith("MEMORY.md")]
        out = git(self.project.clone, "cat-file", "--batch", stdin="".join(f"{commit}:{name}\n" for name in paths))
        files, rest = {}, out.encode()
        for name in paths:
            head, _, rest = rest.partition(b"\n")
            size = int(head.split()[2])
            files[name.removeprefix(f"{ROOT}/")] = rest[:size].decode()
            rest = rest[size + 1 :]
        return files

    # commands

    def run(self, *args: str) -> dict[str, Any]:
        """Run a command of the TL's with ``--json`` and return what it prints."""
        with redirect_stdout(StringIO()) as out, redirect_stderr(StringIO()) as err:
            status = main(["-C", str(self.tl.folder), *args, "--json"])
        assert status in (0, 1), err.getvalue()
        found: dict[str, Any] = json.loads(out.getvalue())
        return found

    def brain(self) -> Brain:
        """Return the memory as an assistant's session finds it."""
        git(self.tl.folder, "fetch", "-q", "origin")
        return open_brain(str(self.tl.folder), dict(os.environ))


def _data(text: str) -> str:
    return f"data {len(text.encode())}\n{text}"


def fields_of(text: str) -> Mapping[str, str]:
    """Return the header's lines of a memory as they stand: key → text."""
    head = text.partition("\n---\n")[0]
    return {key: rest.strip() for key, _, rest in (line.partition(":") for line in head.splitlines()[1:])}


@contextmanager
def world_of(forge: Forge, folder: Path, projects: tuple[str, ...], people: int) -> Iterator[World]:
    """Return a world that puts the environment back."""
    made = World(forge, folder, projects, people)
    try:
        yield made
    finally:
        made.close()
