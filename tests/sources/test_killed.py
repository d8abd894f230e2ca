"""Killed at any step, a sync goes on with the next run, and nothing is there twice (SPEC §3: it resumes)."""

from __future__ import annotations

import json
import os
import shutil
from typing import TYPE_CHECKING, Any

import pytest

from tests.commands.test_sync import ADR, GLOSSARY, MODEL, ORDER, PROSE, QUEUE, RECORD, SHIPMENT, TERMS
from tests.submit.team import Machine
from tests.submit.test_killed import Killer
from tests.support.program import SHEBANG
from tests.support.repos import ROOT, commit, git, make_memory_repo, make_repo

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

STRIDE = int(os.environ.get("BRAIN_FAULTS") or 5)
NOON = "00.Shared/domain/_global/noon.md"


@pytest.fixture
def killer() -> Iterator[Killer]:
    killer = Killer()
    with killer.process:
        yield killer


class Trial:
    """A workspace with documents, its memory repo, and a program as the model."""

    def __init__(self, folder: Path) -> None:
        self.docs, self.shop, program = folder / "docs", folder / "shop", folder / "model"
        env = {
            "BRAIN_MODEL_COMMAND": json.dumps([str(program)]),
            "CALLS": str(folder / "calls"),
            "BRAIN_NOW": "2026-06-01",
        }
        self.machine = Machine(self.shop, env)

    def make(self) -> None:
        make_memory_repo(self.docs)
        documents = {
            ADR: RECORD,
            TERMS: GLOSSARY,
            PROSE: "Fact noon: Orders close at noon.\n\nFact ten: Doors open at ten.\n",
        }
        make_repo(self.shop, documents)
        (self.shop / ".aiflow").mkdir()
        (self.shop / ".aiflow/state.json").write_text(json.dumps({"memory": {"repo": "../docs"}}))
        program = self.docs.parent / "model"
        program.write_text(SHEBANG + MODEL)
        program.chmod(0o755)

    def copy(self, folder: Path) -> Trial:
        shutil.copytree(self.docs.parent, folder)
        return Trial(folder)

    def drafts(self) -> dict[str, str]:
        folder = self.docs / ROOT / "_pending"
        return {path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in sorted(folder.rglob("*.md"))}

    def cursor(self) -> Any:
        (path,) = (self.docs / ".git/brain/sync").glob("*.json")
        found = json.loads(path.read_text())
        return found["commit"], {name: row[:2] for name, row in found["sources"].items()}


def changed(trial: Trial) -> None:
    """Change what every kind of document says."""
    commit(trial.shop, {
        ADR: RECORD.replace("longest", "oldest"), TERMS: GLOSSARY.replace("left the", "left our"),
        PROSE: "Fact noon: Orders close at eleven, not at noon as before.\n\nFact ten: Doors open at ten.\n",
    })  # fmt: skip


@pytest.mark.parametrize("again", [False, True])
def test_a_sync_that_is_killed_at_any_step_is_finished_by_the_next(
    tmp_path: Path, killer: Killer, *, again: bool
) -> None:
    template = Trial(tmp_path / "template")
    template.make()
    whole = template.copy(tmp_path / "whole")
    if again:
        assert killer(template.machine, "sync", "--yes")["status"] == 0
        shutil.rmtree(whole.docs.parent)
        changed(template)
        whole = template.copy(tmp_path / "whole")
    done = killer(whole.machine, "sync", "--yes")
    assert done["status"] == 0
    wanted = whole.drafts()
    assert set(wanted) == {QUEUE, ORDER, SHIPMENT, NOON, "00.Shared/domain/_global/ten.md"}
    if again:
        assert "eleven" in wanted[NOON]
        assert "oldest" in wanted[QUEUE]
    wrong = []
    for step in range(1, done["steps"] + 1, STRIDE):
        for when in ("before", "after"):
            trial = template.copy(tmp_path / f"{when}-{step}")
            assert killer(trial.machine, "sync", "--yes", step=step, when=when)["status"] == -9
            assert killer(trial.machine, "sync", "--yes")["status"] == 0
            if trial.drafts() != wanted or trial.cursor() != whole.cursor():
                wrong.append((step, when, sorted(trial.drafts())))
            shutil.rmtree(trial.docs.parent)
    assert wrong == []
    assert git(template.shop, "status", "--porcelain", "--", "docs") == ""
