"""Memories of documents in a merge request: how far their repo was read, and what a changed document does then."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.commands.test_sync import ADR, QUEUE, RECORD
from tests.support.repos import commit, git, make_repo

if TYPE_CHECKING:
    from pathlib import Path

    from tests.submit.team import Team
    from tests.support.program import Run


def test_the_merge_request_says_how_far_the_repo_was_read(team: Team, run: Run, tmp_path: Path) -> None:
    shop = make_repo(tmp_path / "shop", {ADR: RECORD})
    assert run("sync", "--repo", str(shop), "--yes")[0] == 0
    assert run("submit", "--ticket", "T-1")[0] == 0
    head = git(shop, "rev-parse", "HEAD")[:12]
    assert f"\nRead from `shop`, synced up to commit `{head}`.\n" in team.server.requests[0]["description"]


def test_a_document_that_changes_meanwhile_changes_that_request_and_makes_no_second_memory(
    team: Team, run: Run, tmp_path: Path
) -> None:
    shop = make_repo(tmp_path / "shop", {ADR: RECORD})
    run("sync", "--repo", str(shop), "--yes")
    run("submit", "--ticket", "T-1")
    assert team.ada.drafts() == {}
    commit(shop, {ADR: RECORD.replace("longest", "oldest")})
    status, out, _ = run("sync", "--repo", str(shop), "--yes")
    assert (status, out.partition("\t")[0]) == (0, "update")
    assert list(team.ada.drafts()) == [QUEUE]
    assert run("submit", "--ticket", "T-1")[0] == 0
    assert len(team.server.requests) == 1
    assert "the oldest one" in team.branch()[QUEUE]


def test_a_memory_of_no_document_says_nothing_of_a_sync(team: Team, run: Run, tmp_path: Path) -> None:
    run("sync", "--repo", str(make_repo(tmp_path / "shop", {ADR: RECORD})), "--yes")
    run("pending", "drop", "--yes", "mem-global-one-queue-for-each-tenant")
    run("remember", "Orders close at noon on Fridays.", "--apply", "ship early.", "--type", "fact", "--area", "domain")
    assert run("submit", "--ticket", "T-1")[0] == 0
    assert "synced up to" not in team.server.requests[0]["description"]
