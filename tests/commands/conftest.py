"""A memory repo with a few memories, and the code repo whose workspace is connected to it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.support.program import Run
from tests.support.repos import commit, git, make_memory_repo, make_repo, memory_text, pending

if TYPE_CHECKING:
    from pathlib import Path

RETRY = "01.Lessons/dev/F-003_Payment/retry.md"
STOCK = "00.Shared/domain/F-004_Stock/export.md"
GLOSSARY = "00.Shared/glossary/juchu.md"


@pytest.fixture
def code(tmp_path: Path) -> Path:
    """Return a code repo, one of whose files changed since the lesson about it was verified."""
    repo = make_repo(tmp_path / "code repo", {"src/pay.py": "one\n", "src/支払い.py": "one\n"})
    return commit(repo, {"src/pay.py": "two\n"}, "second")


@pytest.fixture
def docs(tmp_path: Path, code: Path) -> Path:
    """Return a memory repo: a lesson with a stale ref and a fresh one, a fact, a glossary entry, a draft."""
    first = git(code, "rev-parse", "HEAD~1")
    repo = make_memory_repo(tmp_path / "docs", {
        RETRY: memory_text(RETRY, refs=("src/pay.py", "src/支払い.py"), verified_commit=first, created="2026-05-01", tags=("payment", "retry")),
        STOCK: memory_text(STOCK, body="在庫の出力は夜間に行う。\n\n**適用:** 朝は避ける。", tags=("stock-export",), created="2026-05-01", workflows=("all",), confidence=0.5),
        GLOSSARY: memory_text(GLOSSARY, body="受注 is an order entry.\n\n**Apply:** say so.", tags=("order-entry",), aliases=("受注",), created="2026-05-01"),
    })  # fmt: skip
    pending(
        repo,
        "01.Lessons/dev/F-003_Payment/draft.md",
        body="Mine.\n\n**Apply:** wait.",
        created="2026-05-01",
        confidence=0.4,
    )
    return repo


@pytest.fixture
def run(code: Path, docs: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Return what runs a command in the workspace, on 1 June 2026."""
    (code / ".aiflow").mkdir()
    (code / ".aiflow/state.json").write_text(json.dumps({"memory": {"repo": str(docs)}}))
    monkeypatch.setenv("BRAIN_NOW", "2026-06-01")
    return Run(code, capsys, monkeypatch)
