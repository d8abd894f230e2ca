"""A project on each tier with approved memories and code beside it, and a developer's machine; commands run in it."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest

from brain.telemetry import CITED, EVENTS, record
from tests.finalize.conftest import forge, free_forge, paid, premium, premium_forge, project, team
from tests.finalize.project import Project
from tests.submit.test_loop import machine
from tests.support.program import Run
from tests.support.repos import commit, git, make_repo, memory_text

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["forge", "free_forge", "paid", "premium", "premium_forge", "project", "team"]

RETRY = "01.Lessons/dev/F-003_Payment/retry.md"
ROTTEN = "01.Lessons/dev/F-003_Payment/rotten.md"
FADING = "00.Shared/domain/F-004_Stock/fading.md"
STALE = "00.Shared/architecture/_global/stale.md"
FRESH = "00.Shared/decisions/fresh.md"
ODD = (
    memory_text(RETRY, tags=("payment",), confidence=0.7).replace("hits: 0", "hits: 0  # counted").replace("\n", "\r\n")
)


class World:
    """The project, the code repo beside the developer's clone, and time, which tests set."""

    def __init__(self, project: Project, folder: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        self.project, self.folder, self.run, self.monkeypatch = project, folder, run, monkeypatch

    @property
    def code(self) -> Path:
        return self.folder / "shop"

    def at(self, date: str) -> None:
        """Make it that day, for us and for git."""
        self.monkeypatch.setenv("BRAIN_NOW", date)
        for name in ("GIT_COMMITTER_DATE", "GIT_AUTHOR_DATE"):
            self.monkeypatch.setenv(name, f"{date}T12:00:00+0000")

    def cite(self, session: str, *ids: str, ticket: str = "T-1") -> None:
        record(str(self.run.folder / ".aiflow"), EVENTS, CITED, ids=list(ids), session=session, ticket=ticket)

    def adopt(self, files: dict[str, str | None]) -> None:
        """Have files approved and merged, and made final."""
        self.accept(self.project.propose(files))

    def accept(self, iid: int) -> None:
        self.project.approve(iid)
        self.project.merge(iid)
        done = self.project.run()
        assert done.status == 0, done

    def consolidate(self) -> int:
        """Run it and return the merge request's number, 0 where nothing was to propose."""
        status, out, err = self.run("consolidate")
        assert (status, err) in ((0, ""), (1, "brain: nothing to propose\n")), err
        return int(out.splitlines()[1].split()[0][1:]) if status == 0 else 0

    def dry(self) -> dict[str, Any]:
        status, out, err = self.run("consolidate", "--dry-run", "--json")
        assert status in (0, 1), err
        found: dict[str, Any] = json.loads(out)
        return found

    def request(self, iid: int) -> dict[str, Any]:
        found: dict[str, Any] = self.project.ask("GET", f"merge_requests/{iid}")
        return found

    def on_branch(self, path: str) -> str:
        return self.project.file(path, "memory/consolidate")


def draft(path: str, body: str, **fields: Any) -> str:
    return memory_text(path, body, **{"status": "pending", "reviewed_by": "", "verified_commit": "", **fields})


@pytest.fixture
def world(
    project: Project, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> World:
    """Return a world in which five memories are approved, on 2026-01-05, and the code is as they say."""
    dev = machine(project.team, "dev", tmp_path)
    for name, text in dev.env.items():
        monkeypatch.setenv(name, text)
    made = World(project, tmp_path, Run(dev.folder, capsys, monkeypatch), monkeypatch)
    made.at("2026-01-05")
    make_repo(made.code, {"src/pay.py": "pay = 1\n", "src/stock.py": "stock = 1\n"})
    first = git(made.code, "rev-parse", "HEAD")
    toml = project.file("brain.toml") + f'\n[repos]\nshop = "{os.fspath(made.code)}"\n'
    pending = {"status": "pending", "reviewed_by": ""}
    made.adopt({
        "brain.toml": toml,
        RETRY: ODD.replace("status: approved", "status: pending").replace("reviewed_by: pm", 'reviewed_by: ""'),
        ROTTEN: draft(ROTTEN, "Press the button twice.\n\n**Apply:** press.", confidence=0.2, tags=("button",)),
        FADING: draft(FADING, "Stock is counted at night.\n\n**Apply:** count late.", confidence=0.6, tags=("stock",)),
        STALE: memory_text(
            STALE, "Paying is one file.\n\n**Apply:** look there.", tags=("layout",), refs=("shop:src/pay.py",),
            verified_commit=first, **pending,
        ),
        FRESH: memory_text(
            FRESH, "Stock has one file.\n\n**Apply:** keep it.", tags=("files",), refs=("shop:src/stock.py",),
            verified_commit=first, **pending,
        ),
    })  # fmt: skip
    return made


def change_code(world: World) -> None:
    commit(world.code, {"src/pay.py": "pay = 2\n"})
