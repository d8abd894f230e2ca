"""Finalize after the merge, on the stand-in: both tiers, real git over HTTP (facts.md, part B, end-to-end cases)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.finalize.project import BODY, NOON, ONE_TIER, QUEUE, RETRY, STOCK, draft
from tests.support.repos import ROOT, memory_text

if TYPE_CHECKING:
    from tests.finalize.project import Project

NOTHING = "brain-ci: nothing to commit: everything that is approved is final\n"


def accepted(project: Project, files: dict[str, str | None], **more: object) -> int:
    """Propose, approve by the PM, and merge by the PM."""
    iid = project.propose(files, **more)  # type: ignore[arg-type]
    project.approve(iid)
    project.merge(iid)
    return iid


def test_what_the_pm_approved_and_merged_becomes_official(project: Project) -> None:
    pm = project.team.pm.username
    iid = accepted(project, {NOON: draft(NOON), STOCK: draft(STOCK)})
    assert project.state(NOON) == ("pending", "")
    status, out, err = project.run()
    assert (status, out.splitlines()) == (
        0, [f"approve: {STOCK}, approved by {pm} (!{iid})", f"approve: {NOON}, approved by {pm} (!{iid})"],
    )  # fmt: skip
    assert err.endswith(f" is on main: memory: finalize !{iid}\n")
    assert project.file(NOON) == memory_text(NOON, reviewed_by=pm)
    assert project.index() == ["mem-F004-stock", "mem-F003-noon"]
    assert project.bot_commits() == [f"memory: finalize !{iid}"]
    assert project.run() == (0, "", NOTHING)
    assert project.run("--check") == (0, "", "brain-ci: no faults\n")
    assert [name for name in project.branches() if "finalize" in name] == []


@ONE_TIER
@pytest.mark.parametrize("how", [{"squash": True}, {"squash": False}])
def test_every_other_byte_stays_whichever_way_it_was_merged(project: Project, how: dict[str, bool]) -> None:
    text = draft(NOON).replace("status: pending", "status: 'pending'   # 承認待ち").replace("\n", "\r\n")
    iid = project.propose({NOON: text})
    project.approve(iid)
    project.merge(iid, **how, should_remove_source_branch=True)
    assert project.run().status == 0
    wanted = text.replace("'pending'   #", "'approved'   #").replace(
        "reviewed_by:", f"reviewed_by: {project.team.pm.username}"
    )
    assert project.file(NOON) == wanted


@ONE_TIER
@pytest.mark.parametrize("method", ["ff", "rebase_merge"])
def test_without_merge_commits_too(project: Project, method: str) -> None:
    project.ask("PUT", "", merge_method=method)
    iid = project.propose({NOON: draft(NOON)})
    project.commit(f"memory/T-{project.count}", {STOCK: draft(STOCK)})
    project.approve(iid)
    project.merge(iid)
    assert project.run().status == 0
    assert project.index() == ["mem-F004-stock", "mem-F003-noon"]
    assert project.run() == (0, "", NOTHING)


@ONE_TIER
def test_a_dry_run_says_it_and_does_nothing(project: Project) -> None:
    iid = accepted(project, {NOON: draft(NOON)})
    before = project.main()
    status, out, err = project.run("--dry-run")
    assert (status, out) == (0, f"approve: {NOON}, approved by {project.team.pm.username} (!{iid})\n")
    assert err == f"brain-ci: would commit on main {before[:12]}: memory: finalize !{iid}\n"
    assert project.main() == before
    found = json.loads(project.run("--json").out)
    assert (found["state"], found["changes"], found["problems"]) == ("landed", [NOON, "MEMORY.md"], [])


def test_what_nobody_approved_stays_pending_and_what_is_beside_it_is_finalized(project: Project) -> None:
    bad = project.propose({NOON: draft(NOON)})
    project.merge(bad, who="tl")
    good = accepted(project, {STOCK: draft(STOCK)})
    status, out, _ = project.run()
    pm = project.team.pm.username
    assert (status, out.splitlines()) == (
        1, [f"approve: {STOCK}, approved by {pm} (!{good})", f"not final: !{bad} {NOON} stays pending: no PM approved it"],
    )  # fmt: skip
    assert (project.state(NOON), project.state(STOCK)) == (("pending", ""), ("approved", pm))
    assert project.index() == ["mem-F004-stock"]
    (note,) = project.notes(bad)
    assert "- `01.Lessons/dev/F-003_Payment/noon.md` stays pending: no PM approved it" in note
    assert f"not final: !{bad} {NOON} stays pending: no PM approved it\n" in project.run().out
    assert [project.notes(iid) for iid in range(1, good + 2) if iid != bad and project.notes(iid)] == []
    assert project.notes(bad) == [note]
    assert len(project.bot_commits()) == 1


def test_approve_then_developer_pushes_before_the_merge(project: Project) -> None:
    iid = project.propose({NOON: draft(NOON)})
    project.approve(iid)
    project.commit(
        "memory/T-2" if project.count == 2 else f"memory/T-{project.count}", {NOON: draft(NOON, BODY + " Always.")}
    )
    project.merge(iid, who="tl")
    status, out, _ = project.run()
    assert (status, out) == (1, f"not final: !{iid} {NOON} stays pending: changed after the approval: {NOON}\n")
    assert (project.state(NOON), project.index()) == (("pending", ""), [])


def test_another_file_that_a_developer_pushes_after_the_approval_voids_it_too(project: Project) -> None:
    iid = project.propose({NOON: draft(NOON)})
    project.approve(iid)
    project.commit(f"memory/T-{project.count}", {STOCK: draft(STOCK)})
    project.merge(iid, who="tl")
    assert project.run().status == 1
    assert (project.state(NOON), project.state(STOCK)) == (("pending", ""), ("pending", ""))


def test_a_push_that_changes_nothing_of_what_was_approved_keeps_the_approval(project: Project) -> None:
    iid = project.propose({NOON: draft(NOON)})
    branch = f"memory/T-{project.count}"
    project.approve(iid)
    accepted(project, {STOCK: draft(STOCK)})
    project.ask("PUT", f"merge_requests/{iid}/rebase")
    project.merge(iid, who="tl")
    assert branch
    assert project.run().status == 0
    assert project.state(NOON) == ("approved", project.team.pm.username)


@ONE_TIER
def test_approve_then_developer_pushes_after_the_merge(project: Project) -> None:
    iid = accepted(project, {NOON: draft(NOON)})
    later = project.propose({NOON: draft(NOON, BODY + " Always.")})
    project.merge(later, who="tl")
    status, out, _ = project.run()
    assert (status, out) == (1, f"not final: !{later} {NOON} stays pending: no PM approved it\n")
    assert (project.state(NOON), iid < later) == (("pending", ""), True)


def test_an_edit_of_an_approved_memory_that_nobody_approved_is_put_back(project: Project) -> None:
    accepted(project, {NOON: draft(NOON)})
    assert project.run().status == 0
    official = project.file(NOON)
    iid = project.propose({NOON: official.replace("at most twice", "for ever")})
    project.merge(iid, who="tl")
    status, out, _ = project.run()
    assert status == 1
    assert out.splitlines() == [
        f"put back: {NOON} (!{iid})", f"not final: !{iid} {NOON} is put back to pending: no PM approved it",
    ]  # fmt: skip
    assert (project.state(NOON), project.index()) == (("pending", ""), [])
    assert project.bot_commits()[0] == "memory: put back what nobody approved"
    again = accepted(project, {NOON: draft(NOON, "Retry a payment thrice.\n\n**Apply:** count.")})
    assert project.run().status == 0
    assert (project.state(NOON), again > iid) == (("approved", project.team.pm.username), True)


@ONE_TIER
def test_a_push_straight_to_main_is_put_back(project: Project) -> None:
    accepted(project, {NOON: draft(NOON)})
    assert project.run().status == 0
    official = project.file(NOON)
    project.ask("PATCH", "protected_branches/main", allowed_to_push=[{"access_level": 40}])
    commit = project.commit("main", {NOON: official.replace("twice", "often"), STOCK: memory_text(STOCK)}, who="tl")
    status, out, _ = project.run()
    assert status == 1
    assert out.splitlines()[2:] == [
        f"not final: {path} is put back to pending: it came without a merge request, by commit {commit[:12]}"
        for path in (STOCK, NOON)
    ]
    assert (project.state(NOON), project.state(STOCK), project.index()) == (("pending", ""), ("pending", ""), [])


@ONE_TIER
def test_status_and_reviewer_written_by_hand_count_for_nothing(project: Project) -> None:
    pm = project.team.pm.username
    iid = project.propose({NOON: memory_text(NOON, reviewed_by=pm)})
    project.merge(iid, who="tl")
    assert project.run().status == 1
    assert project.state(NOON) == ("pending", "")
    good = project.propose({STOCK: memory_text(STOCK, reviewed_by="dev9")})
    project.approve(good)
    project.merge(good, who="tl")
    project.run()
    assert project.state(STOCK) == ("approved", pm)
    reviewer = project.propose({STOCK: memory_text(STOCK, reviewed_by="somebody")})
    project.merge(reviewer, who="tl")
    project.run()
    assert project.state(STOCK) == ("approved", pm)


@ONE_TIER
def test_a_commit_that_claims_to_be_finalize_s_is_not_believed(project: Project) -> None:
    accepted(project, {NOON: draft(NOON)})
    assert project.run().status == 0
    project.ask("PUT", "", merge_method="ff")
    project.commit("memory/evil", {STOCK: memory_text(STOCK)})
    actions = [{"action": "create", "file_path": f"{ROOT}/03.Retro/x.md", "content": "x"}]
    project.team.dev.ask(
        "POST", f"{project.team.api}/repository/commits", branch="memory/evil", actions=actions,
        commit_message="memory: finalize !1\n\nBrain-Finalize: 1\n",
    )  # fmt: skip
    iid = int(project.team.open("memory/evil")["iid"])
    before = project.main()
    project.merge(iid, who="tl")
    forged = project.main()
    status, out, _ = project.run()
    assert (status, project.state(STOCK)) == (1, ("pending", ""))
    assert f"not final: !{iid} {STOCK} is put back to pending: no PM approved it" in out
    status, out, _ = project.run("--check", CI_COMMIT_BEFORE_SHA=before)
    what = f"{forged[:12]} claims to be finalize's, and changes more than status, reviewer and removals"
    assert (status, out) == (1, f"{ROOT}/03.Retro/x.md:1: {what}: finalize alone may claim this; revert the commit\n")


@ONE_TIER
def test_two_merge_requests_in_either_order_never_conflict_over_the_index(project: Project) -> None:
    first, second = project.propose({NOON: draft(NOON)}), project.propose({RETRY: draft(RETRY), QUEUE: draft(QUEUE)})
    for iid in (second, first):
        project.approve(iid)
        project.merge(iid)
        assert project.run().status == 0
    assert project.index() == ["mem-global-queue", "mem-F003-noon", "mem-F003-retry"]
    assert project.bot_commits() == [f"memory: finalize !{first}", f"memory: finalize !{second}"]


@ONE_TIER
def test_an_index_that_was_edited_by_hand_is_rebuilt(project: Project) -> None:
    accepted(project, {NOON: draft(NOON)})
    project.run()
    index = project.file("MEMORY.md")
    accepted(project, {"MEMORY.md": index + "- nonsense\n"})
    assert project.run().status == 0
    assert project.file("MEMORY.md") == index
    assert project.bot_commits()[0] == "memory: rebuild the index"


@ONE_TIER
def test_an_old_store_is_adopted_by_hand_and_never_put_back_as_a_whole(project: Project) -> None:
    old = {
        f"01.Lessons/dev/F-1{number:02}/old.md": memory_text(f"01.Lessons/dev/F-1{number:02}/old.md")
        for number in range(12)
    }
    project.merge(project.propose(old), who="tl")
    status, out, err = project.run()
    assert (status, out) == (3, "")
    assert err.splitlines() == [
        f"brain-ci: 12 memories are approved, GitLab does not tell by whom, and {project.team.bot.username} never looked at them",
        "hint: an old store, or another bot before this one: brain-ci finalize --adopt, once, takes them for approved",
    ]
    before = project.main()
    status, out, _ = project.run("--adopt")
    assert (status, out[:27]) == (0, "adopted: 12 memories, in co")
    assert project.run("--adopt").out == "nothing to adopt: everything that is approved was looked at already\n"
    iid = accepted(project, {NOON: draft(NOON)})
    assert project.run().status == 0
    assert len(project.index()) == 13
    assert project.bot_commits() == [f"memory: finalize !{iid}", "memory: take what is approved here for approved"]
    assert before != project.main()
