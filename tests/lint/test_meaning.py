"""Near duplicates across languages: asked where an index is, for a limited time, and never of what holds a secret."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from brain.git.refs import get_repo
from brain.lint.run import Job, lint_change
from brain.semantic.build import build_vectors
from brain.semantic.embedder import model_of, open_embedder
from brain.workspace import open_brain
from tests.lint.support import TODAY, memory
from tests.semantic.conftest import needs_model
from tests.support.repos import ROOT, commit, git, make_repo

if TYPE_CHECKING:
    from pathlib import Path

    from brain.lint.engine import Report

AREA = f"{ROOT}/00.Shared/domain/F-002_Order"
ENGLISH = (
    "The Docker image must be built with Python 3.11, because the database driver has no wheel for 3.12.\n\n"
    "**Apply:** keep Python 3.11 in the Dockerfile.\n"
)
JAPANESE = (
    "DockerイメージはPython 3.11でビルドする。データベースドライバーは3.12のwheelがないため。\n\n"
    "**適用:** DockerfileのPythonは3.11のままにする。\n"
)
OTHER = "Retry a payment at most twice, then park it for a person to look at.\n\n**Apply:** park it.\n"
PW = "vR7" + "#kQ2" + "xLm9!z"


def slug(name: str, body: str, **fields: str | None) -> str:
    return memory(body, **{"id": f"mem-F002-{name}", **fields})


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    approved = {"status": "approved", "reviewed_by": "pm"}
    files = {
        f"{AREA}/english.md": slug("english", ENGLISH, **approved),
        f"{AREA}/other.md": slug("other", OTHER, **approved),
    }
    return make_repo(tmp_path / "m", {f"{ROOT}/brain.toml": "# settings\n", "src/export.py": "x\n", **files})


def build(repo: Path) -> None:
    brain = open_brain(str(repo), {})
    build_vectors(brain, open_embedder(model_of(brain.config), {}), lambda _done, _count: None)


def change(repo: Path, body: str) -> Report:
    git(repo, "checkout", "-q", "-b", "topic")
    commit(repo, {f"{AREA}/new.md": slug("new", body, tags="[books]")})
    return lint_change(Job(get_repo(str(repo)), ROOT, TODAY), "main")


def said(report: Report) -> list[tuple[str, str]]:
    return [(one.path.removeprefix(AREA + "/"), one.message) for one in report.findings if one.rule.code == "M300"]


@needs_model
def test_a_translation_of_what_is_approved_is_a_near_duplicate(repo: Path) -> None:
    build(repo)
    ((path, message),) = said(change(repo, JAPANESE))
    assert path == "new.md"
    assert message.endswith("the same in meaning as 00.Shared/domain/F-002_Order/english.md")


def test_without_an_index_nothing_is_asked(repo: Path) -> None:
    report = change(repo, JAPANESE)
    assert (said(report), report.remark) == ([], "")


@needs_model
def test_what_holds_a_secret_is_not_asked_about(repo: Path) -> None:
    build(repo)
    assert said(change(repo, JAPANESE.replace("**適用:**", f"パスワードは{PW}です。\n\n**適用:**"))) == []


def test_an_index_that_gives_no_answer_is_a_remark_and_hides_no_finding(repo: Path) -> None:
    settings = '[semantic]\nstore = "postgres"\ndsn = "host=/nowhere dbname=none connect_timeout=1"\n'
    commit(repo, {f"{ROOT}/brain.toml": settings})
    report = change(repo, JAPANESE.replace("ため。", "ため。TODO "))
    assert report.remark.startswith("without meaning: ")
    assert [one.rule.name for one in report.findings] == ["body-placeholder"]
