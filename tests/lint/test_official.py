"""What a change may not do to what is official: real commits, with those of finalize among them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from brain.finalize.history import TRAILER
from brain.git.refs import get_repo
from brain.lint.official import CLAIM
from brain.lint.run import Job, lint_all, lint_change
from tests.lint.support import TODAY, memory
from tests.support.repos import ROOT, commit, git, make_repo

if TYPE_CHECKING:
    from pathlib import Path

AREA = f"{ROOT}/00.Shared/domain/F-002_Order"
GONE = f"{ROOT}/_deprecated/00.Shared/domain/F-002_Order"
APPROVED = {"status": "approved", "reviewed_by": "pm"}
MESSAGE = f"memory: finalize !1\n\n{CLAIM}: 1234\nApproved-by: pm (!1)"
OURS = {"self-approved", "hits-given", "taken-out", "never-live", "not-a-memory", "root-missing", "path-case-collision"}


def text(name: str, **fields: str | None) -> str:
    return memory(**{"id": f"mem-F002-{name}", "refs": "[]", **fields})  # type: ignore[arg-type]


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    files = {
        f"{ROOT}/brain.toml": "# settings\n", f"{AREA}/a.md": text("a", hits="3", **APPROVED), f"{AREA}/new.md": text("new"),
        f"{GONE}/old.md": text("old", hits="2", status="deprecated", reviewed_by="pm"), "README.md": "x\n",
    }  # fmt: skip
    path = make_repo(tmp_path / "m", files)
    git(path, "checkout", "-q", "-b", "topic")
    return path


def found(repo: Path) -> list[tuple[str, str, str]]:
    report = lint_change(Job(get_repo(str(repo)), ROOT, TODAY), "main")
    return [
        (one.path.rpartition("/")[2], one.rule.name, one.severity)
        for one in report.findings
        if (one.rule.name in OURS and one.blocks) or one.rule.name == "taken-out"
    ]  # fmt: skip


def test_lint_and_finalize_mean_the_same_trailer() -> None:
    assert CLAIM == TRAILER


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("b", APPROVED), ("b", {"reviewed_by": "pm"}), ("b", {"status": '"approved"', "reviewed_by": "pm"}), ("b", {"status": "deprecated"}),
        ("new", APPROVED), ("a", {**APPROVED, "hits": "3", "tags": "[batch]"}), ("a", {**APPROVED, "hits": "3", "hook": "Early"}),
        ("a", {**APPROVED, "hits": "3", "supersedes": "[mem-F002-new]"}), ("a", {"hits": "3", "reviewed_by": "someone", "status": "approved"}),
    ],
)  # fmt: skip
def test_nobody_approves_his_own(repo: Path, name: str, fields: dict[str, str]) -> None:
    commit(repo, {f"{AREA}/{name}.md": text(name, **fields)})
    assert found(repo) == [(f"{name}.md", "self-approved", "error")]


def test_an_approved_body_edited_in_place_is_not_approved_any_more(repo: Path) -> None:
    commit(repo, {f"{AREA}/a.md": text("a", hits="3", **APPROVED).replace("17:00", "16:00")})
    assert found(repo) == [("a.md", "self-approved", "error")]


@pytest.mark.parametrize(
    "fields",
    [
        {"hits": "9"}, {"stale": "true"}, {"confidence": "0.4"}, {"verified_commit": "1" * 39 + "a"}, {"review_by": "2027-01-01"},
        {"removal": "soft", "removal_reason": '"no longer so"'}, {"status": "pending", "reviewed_by": '""', "tags": "[batch]"},
    ],
)  # fmt: skip
def test_what_may_change_in_an_approved_memory(repo: Path, fields: dict[str, str]) -> None:
    commit(repo, {f"{AREA}/a.md": text("a", **{"hits": "3", **APPROVED, **fields})})
    assert found(repo) == []


def test_a_new_memory_was_used_by_nobody(repo: Path) -> None:
    commit(repo, {f"{AREA}/b.md": text("b", hits="7"), f"{AREA}/a.md": text("a", hits="4")})
    assert found(repo) == [("a.md", "hits-given", "error"), ("b.md", "hits-given", "error")]


def test_a_restored_memory_keeps_its_hits(repo: Path) -> None:
    commit(repo, {f"{GONE}/old.md": None, f"{AREA}/old.md": text("old", hits="2")})
    assert found(repo) == []


def test_what_finalize_writes_is_believed_and_no_more(repo: Path) -> None:
    commit(repo, {f"{AREA}/b.md": text("b")})
    commit(repo, {f"{AREA}/b.md": text("b", **APPROVED), f"{AREA}/new.md": text("new", **APPROVED)}, MESSAGE)
    assert found(repo) == []
    commit(repo, {f"{AREA}/b.md": text("b", **APPROVED).replace("17:00", "16:00")})
    assert found(repo) == [("b.md", "self-approved", "error")]
    commit(
        repo, {f"{AREA}/c.md": text("c", **APPROVED), f"{AREA}/new.md": text("new", tags="[x]", **APPROVED)}, MESSAGE
    )
    assert [row[0] for row in found(repo)] == ["b.md", "c.md", "new.md"]


def test_finalize_carries_a_removal_out(repo: Path) -> None:
    removal = {"removal": "hard", "removal_reason": '"wrong"'}
    commit(repo, {f"{AREA}/a.md": text("a", hits="3", **APPROVED, **removal)})
    commit(repo, {f"{AREA}/a.md": None}, MESSAGE)
    assert found(repo) == []  # on the branch, once the PM approved it
    git(repo, "checkout", "-q", "main")
    commit(repo, {f"{AREA}/a.md": text("a", hits="3", **APPROVED, **removal)})
    git(repo, "checkout", "-q", "-B", "topic")
    commit(repo, {f"{AREA}/a.md": None}, MESSAGE)
    assert found(repo) == []
    git(repo, "checkout", "-q", "-B", "topic", "main")
    gone = text("a", hits="3", status="deprecated", reviewed_by="pm", removal="soft", removal_reason='"wrong"')
    commit(repo, {f"{AREA}/a.md": None, f"{GONE}/a.md": gone}, MESSAGE)
    assert found(repo) == []


def test_nothing_is_taken_out_by_the_way(repo: Path) -> None:
    commit(repo, {f"{AREA}/a.md": None, f"{AREA}/new.md": None, f"{ROOT}/brain.toml": None, f"{GONE}/n.md": text("n")})
    assert found(repo) == [
        ("a.md", "taken-out", "warning"), ("n.md", "never-live", "error"), ("brain.toml", "not-a-memory", "error"),
        ("brain.toml", "taken-out", "error"),
    ]  # fmt: skip


@pytest.mark.parametrize("path", [".gitattributes", ".gitlab-ci.yml", "src/x.py", f"{ROOT}/brain.toml"])
def test_nothing_slips_in_beside_a_memory_whatever_the_branch_is_called(repo: Path, path: str) -> None:
    commit(repo, {path: "# x\n"})
    assert found(repo) == []
    commit(repo, {f"{AREA}/b.md": text("b")})
    assert found(repo) == [(path.rpartition("/")[2], "not-a-memory", "error")]


@pytest.mark.parametrize("entry", ["120000 link", "160000 module", "none"])
def test_the_memory_folder_is_a_folder(repo: Path, entry: str) -> None:
    mode, _, _ = entry.partition(" ")
    git(repo, "rm", "-r", "-q", "--cached", ROOT)
    if mode != "none":
        oid = (
            git(repo, "rev-parse", "HEAD")
            if mode == "160000"
            else git(repo, "hash-object", "-w", "--stdin", stdin="evil")
        )
        git(repo, "update-index", "--add", "--cacheinfo", f"{mode},{oid},{ROOT}")
    git(repo, "commit", "-q", "-m", "moved")
    assert (ROOT, "root-missing", "error") in found(repo)


def test_a_root_that_is_nowhere_is_told(repo: Path) -> None:
    report = lint_change(Job(get_repo(str(repo)), "nowhere", TODAY), "main")
    assert [(one.rule.name, one.blocks) for one in report.findings] == [("root-missing", True)]


@pytest.mark.parametrize("twin", ["99.memory", "99.MEMORY"])
def test_a_folder_that_a_disk_takes_for_the_root_is_told(repo: Path, twin: str) -> None:
    oid = git(repo, "hash-object", "-w", "--stdin", stdin=text("z"))
    path = f"{twin}/00.Shared/domain/F-002_Order/z.md"
    git(repo, "update-index", "--add", "--cacheinfo", f"100644,{oid},{path}")
    git(repo, "commit", "-q", "-m", "twin")
    assert found(repo) == [("z.md", "path-case-collision", "error")]


def test_a_whole_commit_needs_its_memory_folder_too(repo: Path) -> None:
    job = Job(get_repo(str(repo)), ROOT, TODAY)
    oid = git(repo, "hash-object", "-w", "--stdin", stdin="x")
    git(repo, "update-index", "--add", "--cacheinfo", f"100644,{oid},99.memory")
    git(repo, "commit", "-q", "-m", "twin")
    assert ("99.memory", "path-case-collision") in {(one.path, one.rule.name) for one in lint_all(job).findings}
    git(repo, "rm", "-r", "-q", "--cached", ROOT, "99.memory")
    git(repo, "commit", "-q", "-m", "gone")
    assert [one.rule.name for one in lint_all(job).findings] == ["root-missing"]
