"""The check after finalize: each failure names file, line and mend."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from brain.errors import InvalidMemoryError
from brain.finalize.check import check, check_commit
from brain.layout import find_place
from brain.memory import parse_memory
from brain.memory_index import render_index
from tests.finalize.project import NOON, STOCK, draft
from tests.finalize.test_removal import proposed
from tests.support.repos import ROOT, commit, git, make_repo, memory_text

if TYPE_CHECKING:
    from pathlib import Path

CLAIM = "memory: finalize !1\n\nBrain-Finalize: x"


def files(**texts: str | None) -> dict[str, str | bytes | None]:
    """Return files below the root, ``MEMORY.md`` as they make it."""
    memories = [parse_memory(text, place) for path, text in texts.items() if text and (place := find_place(path))]
    made = {f"{ROOT}/{path}": text for path, text in texts.items()}
    return {**made, f"{ROOT}/MEMORY.md": render_index(memories)}


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    return make_repo(tmp_path / "m", files(**{NOON: memory_text(NOON), STOCK: draft(STOCK)}))  # type: ignore[arg-type]


def faults(repo: Path, since: str = "") -> list[tuple[str, int, str]]:
    return [(row.path.removeprefix(f"{ROOT}/"), row.line, row.message) for row in check(str(repo), "HEAD", ROOT, since)]


def test_what_finalize_left_is_clean(repo: Path) -> None:
    assert faults(repo) == []
    commit(repo, files(**{NOON: memory_text(NOON), STOCK: memory_text(STOCK)}), CLAIM)
    assert faults(repo) == []


def test_an_index_that_is_not_what_the_memories_make_it(repo: Path) -> None:
    index = (repo / ROOT / "MEMORY.md").read_text()
    commit(repo, {f"{ROOT}/MEMORY.md": index + "- more\n"})
    assert faults(repo) == [("MEMORY.md", 6, "it is not what the memories make it")]
    commit(repo, {f"{ROOT}/MEMORY.md": index.replace("##", "#")})
    assert faults(repo) == [("MEMORY.md", 3, "it is not what the memories make it")]
    commit(repo, {f"{ROOT}/MEMORY.md": index.rstrip("\n")})
    assert faults(repo) == [("MEMORY.md", 6, "it is not what the memories make it")]
    commit(repo, {f"{ROOT}/MEMORY.md": None})
    assert faults(repo) == [("MEMORY.md", 1, "it is missing")]


def test_an_approved_memory_without_a_reviewer(repo: Path) -> None:
    commit(repo, {f"{ROOT}/{NOON}": memory_text(NOON, reviewed_by="")})
    (found,) = check(str(repo), "HEAD", ROOT)
    assert (found.path, found.line, found.message) == (f"{ROOT}/{NOON}", 1, "it is approved by nobody")
    assert found.mend.startswith("have a PM approve")


def test_an_id_that_is_taken_twice(repo: Path) -> None:
    commit(repo, {f"{ROOT}/_deprecated/{NOON}": memory_text(NOON, status="deprecated")})
    found = faults(repo)
    assert [row[0] for row in found] == [f"_deprecated/{NOON}"] or [row[0] for row in found] == [NOON]
    assert "another memory has this id" in found[0][2]


@pytest.mark.parametrize(
    "changes",
    [
        {NOON: memory_text(NOON).replace("twice", "often")}, {"03.Retro/x.md": "x"}, {NOON: None},
        {NOON: None, f"_deprecated/{NOON}": memory_text(NOON, status="deprecated")}, {"brain.toml": "[people]\n"},
        {STOCK: draft(STOCK).replace("hits: 0", "hits: 9")},
    ],
)  # fmt: skip
def test_a_commit_that_claims_to_be_finalize_s_and_changes_more(repo: Path, changes: dict[str, str | None]) -> None:
    commit(repo, {f"{ROOT}/{path}": text for path, text in changes.items()}, CLAIM)
    head = git(repo, "rev-parse", "HEAD")
    assert {row.path for row in check_commit(str(repo), head, ROOT)} == {f"{ROOT}/{path}" for path in changes}
    assert any("claims to be finalize's" in message for _, _, message in faults(repo))


def test_files_elsewhere_are_not_finalize_s(repo: Path) -> None:
    commit(repo, {"README.md": "x"}, CLAIM)
    assert [row.path for row in check_commit(str(repo), "HEAD", ROOT)] == ["README.md"]


@pytest.mark.parametrize("kind", ["soft", "hard"])
def test_removals_that_were_proposed_may_be_carried_out(repo: Path, kind: str) -> None:
    text = proposed(memory_text(NOON), kind)
    commit(repo, {f"{ROOT}/{NOON}": text})
    moved = (
        {f"{ROOT}/_deprecated/{NOON}": text.replace("status: approved", "status: deprecated")} if kind == "soft" else {}
    )
    commit(repo, {**files(**{STOCK: draft(STOCK), NOON: None}), **moved}, CLAIM)
    assert faults(repo) == []


def test_only_commits_behind_a_given_one_are_looked_at(repo: Path) -> None:
    commit(repo, {f"{ROOT}/03.Retro/x.md": "x"}, CLAIM)
    old = git(repo, "rev-parse", "HEAD")
    commit(repo, {f"{ROOT}/03.Retro/y.md": "y"}, "work")
    assert faults(repo, old) == []
    assert len(faults(repo)) == 1


def test_a_memory_that_cannot_be_read_is_named_with_its_line(repo: Path) -> None:
    bad = memory_text(NOON).replace("confidence: 0.8", "confidence: high")
    commit(repo, files(**{STOCK: draft(STOCK)}) | {f"{ROOT}/{NOON}": bad})
    with pytest.raises(InvalidMemoryError):
        parse_memory(bad, find_place(NOON))  # type: ignore[arg-type]
    assert faults(repo) == [(NOON, 7, "confidence: is no number")]
