"""What was turned down or removed before, and a draft that is like it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from brain.index.cache import cache_dir
from brain.layout import find_place
from brain.memory import Memory, parse_memory
from brain.rejected import MOST_KEPT, Rejected, find_rejected, forget_refusals, list_refusals, note_refusals
from brain.removed import find_lost, find_when, list_removed
from brain.workspace import Brain, open_brain
from tests.support.repos import ROOT, commit, git, make_memory_repo, memory_text

if TYPE_CHECKING:
    from pathlib import Path

OLD, NEW = "01.Lessons/dev/F-003_Payment/retry.md", "01.Lessons/dev/_global/again.md"
BODY = "Retry a refused payment at most twice.\n\n**Apply:** count the tries."
REMOVED: dict[str, Any] = {"status": "deprecated", "removal": "soft", "removal_reason": "a framework\u200b does it"}
URL = "https://git.example.com/team/memory/-/merge_requests/1"


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a memory repo from which a memory was removed on 2026-03-04."""
    folder = make_memory_repo(tmp_path / "docs", {OLD: memory_text(OLD, BODY)})
    for name in ("GIT_COMMITTER_DATE", "GIT_AUTHOR_DATE"):
        monkeypatch.setenv(name, "2026-03-04T12:00:00Z")
    return commit(folder, {f"{ROOT}/{OLD}": None, f"{ROOT}/_deprecated/{OLD}": memory_text(OLD, BODY, **REMOVED)})


def brain_of(repo: Path) -> Brain:
    return open_brain(str(repo), {})


def memory(path: str = NEW, body: str = BODY, **fields: Any) -> Memory:
    place = find_place(path)
    assert place
    return parse_memory(memory_text(path, body, status="pending", reviewed_by="", **fields), place)


def test_a_removed_memory_is_told_with_day_reviewer_and_reason(repo: Path) -> None:
    (found,) = find_rejected(brain_of(repo), memory())
    assert found == Rejected(
        "mem-F003-retry", 1.0, removed=True, when="2026-03-04", by="pm", reason=REMOVED["removal_reason"]
    )
    assert found.sentence == "mem-F003-retry, 100% like it, was removed on 2026-03-04 by pm: a framework does it"


@pytest.mark.parametrize(
    ("draft", "count"),
    [
        (memory(tags=("other",)), 0),
        (memory(body="Ship early on Fridays.\n\n**Apply:** look at the clock."), 0),
        (memory(OLD, "Ship early on Fridays.\n\n**Apply:** look at the clock.", tags=("other",)), 1),
        (memory(body="Retry a refused payment at most thrice.\n\n**Apply:** count the tries."), 1),
    ],
)
def test_like_is_what_shares_a_tag_and_most_of_the_text_or_has_the_id(repo: Path, draft: Memory, count: int) -> None:
    assert len(find_rejected(brain_of(repo), draft)) == count


def test_broken_history_hides_nothing_else(repo: Path) -> None:
    commit(
        repo,
        {f"{ROOT}/_deprecated/01.Lessons/dev/_global/broken.md": "payment", f"{ROOT}/_deprecated/x/y.md": "payment"},
    )
    assert [found.id for found in find_rejected(brain_of(repo), memory())] == ["mem-F003-retry"]


def test_what_was_turned_down_is_kept_told_and_forgotten(repo: Path) -> None:
    brain = brain_of(repo)
    note_refusals(
        brain.repo,
        [memory(body="Rounding is down.\n\n**Apply:** floor().")],
        "2026-05-01",
        "pam",
        "It is half up.",
        URL,
    )
    draft = memory("01.Lessons/dev/_global/round.md", "Rounding is down.\n\n**Apply:** use floor().")
    (found,) = find_rejected(brain, draft)
    assert (
        found.sentence
        == f"mem-global-again, {found.similarity:.0%} like it, was turned down on 2026-05-01 by pam: It is half up. ({URL})"
    )
    forget_refusals(brain.repo, ["01.Lessons/dev/_global/round.md"])
    assert len(list_refusals(brain.repo)) == 1
    forget_refusals(brain.repo, [NEW])
    assert find_rejected(brain, draft) == []


def test_the_same_text_twice_is_kept_once_and_the_oldest_go(repo: Path) -> None:
    brain = brain_of(repo)
    for number in (*range(MOST_KEPT + 5), MOST_KEPT + 4):
        note_refusals(brain.repo, [memory(body=f"{number}\n\n**Apply:** x.")], "2026-05-01", "", "", "")
    rows = list_refusals(brain.repo)
    assert (len(rows), rows[0].text, rows[-1].text) == (
        MOST_KEPT,
        "\n5\n\n**Apply:** x.",
        f"\n{MOST_KEPT + 4}\n\n**Apply:** x.",
    )


@pytest.mark.parametrize(
    "content", ["", "{", "{}", "[1, null, {}]", '[{"id": 1}]', json.dumps([{"id": "x", "tags": 3}])]
)
def test_a_damaged_file_is_as_good_as_none(repo: Path, content: str) -> None:
    brain = brain_of(repo)
    file = repo / ".git/brain/refused.json"
    assert str(file.parent) == cache_dir(brain.repo)
    file.write_text(content)
    assert list_refusals(brain.repo) == []
    note_refusals(brain.repo, [memory()], "2026-05-01", "pam", "no", URL)
    assert [row.id for row in list_refusals(brain.repo)] == ["mem-global-again"]


def test_history_says_what_was_removed_and_when(repo: Path) -> None:
    place = str(repo)
    assert list(list_removed(place, "HEAD", ROOT)) == [OLD]
    assert list_removed(place, "HEAD", "elsewhere") == {}
    assert find_when(place, "HEAD", f"{ROOT}/_deprecated/{OLD}") == "2026-03-04"
    assert find_when(place, "HEAD", f"{ROOT}/_deprecated/nothing") == ""
    commit(repo, {f"{ROOT}/_deprecated/{OLD}": None})
    last = git(repo, "rev-parse", "HEAD")
    lost = find_lost(place, "HEAD", ROOT, "mem-F003-retry")
    assert lost
    assert (lost.path, lost.commit, lost.when) == (f"{ROOT}/_deprecated/{OLD}", last, "2026-03-04")
    assert find_lost(place, "HEAD", ROOT, "mem-F003-retr") is None
