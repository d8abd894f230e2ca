"""``brain submit``, from draft to merge request: real git, real HTTP."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.submit.team import NOON, QUEUE, RETRY, STOCK, Team
from tests.support.repos import ROOT, commit, git, memory_text

if TYPE_CHECKING:
    from tests.support.program import Run

URL = "https://git.example.com/team/memory/-/merge_requests"


def test_retrospects_go_along_to_their_authors_side_branch(
    team: Team, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = team.ada.folder / ROOT / "03.Retro"
    folder.mkdir()
    (folder / "T-9.md").write_text("# T-9\n\n- nobody submitted this\n")
    (folder / "T-8.md").write_text("# T-8\n\n- the token is gl" + "pat-Xk2mQ9vL7wRt4Zp8Nb1c\n")
    team.ada.draft(NOON)
    status, _, err = run("submit", "--ticket", "T-1")
    assert (status, "03.Retro/T-8.md holds a secret" in err) == (0, True)
    names = git(team.origin, "ls-tree", "-r", "--name-only", "memory-retro/ada").splitlines()
    assert names == [f"{ROOT}/03.Retro/T-9.md"]
    assert list(team.branch()) == [NOON]
    (folder / "T-9.md").write_text("# T-9\n\n- another\n")
    team.hook("pre-receive", 'while read a b ref; do case "$ref" in *retro*) exit 1; esac; done')
    team.ada.draft(STOCK)
    status, _, err = run("submit", "--ticket", "T-1")
    assert (status, "warning: retrospects are not published: " in err) == (0, True)
    monkeypatch.setenv("BRAIN_CAPTURE_SIDEBRANCH", "false")
    team.ada.draft(QUEUE)
    assert "retrospects" not in run("submit", "--ticket", "T-1")[2]


def test_drafts_become_a_branch_and_a_merge_request(team: Team, run: Run) -> None:
    for path in (NOON, STOCK, QUEUE):
        team.ada.draft(path)
    drafts = team.ada.drafts()
    status, out, err = run("submit", "--ticket", "T-1")
    assert (status, out, err) == (0, f"memory(T-1): +1 decision, +1 fact/domain, +1 lesson/dev\n!1 {URL}/1\n", "")
    assert team.branch() == {path: text.rstrip("\n") for path, text in drafts.items()}
    assert git(team.origin, "rev-parse", "memory/T-1~1") == git(team.origin, "rev-parse", "main")
    assert team.ada.drafts() == {}
    request = team.server.requests[0]
    assert (request["title"], request["labels"], request["target_branch"]) == (out.splitlines()[0], ["memory"], "main")
    assert [person["username"] for person in request["assignees"]] == ["pam"]
    assert [person["username"] for person in request["reviewers"]] == ["tom", "bea"]
    entry = team.ada.journal()["T-1"]
    assert (entry["stage"], entry["iid"], entry["drafts"]) == ("open", 1, sorted(drafts))
    assert git(team.ada.folder, "rev-parse", "refs/brain/submitted/T-1") == git(team.origin, "rev-parse", "memory/T-1")


def test_nothing_of_the_user_s_own_work_is_touched(team: Team, run: Run) -> None:
    folder = team.ada.folder
    commit(folder, {"mine.txt": "one\n"})
    git(folder, "checkout", "-q", "-b", "my-work")
    (folder / "mine.txt").write_text("staged\n")
    git(folder, "add", "mine.txt")
    (folder / "mine.txt").write_text("not staged\n")
    (folder / "new.txt").write_text("not tracked\n")
    team.ada.draft(NOON)
    before = team.ada.snapshot()
    assert run("submit", "--ticket", "T-1")[0] == 0
    assert team.ada.snapshot() == before
    assert list(team.branch()) == [NOON]


def test_the_same_submit_twice_is_one_branch_and_one_merge_request(team: Team, run: Run) -> None:
    team.ada.draft(NOON)
    first = run("submit", "--ticket", "T-1")
    tip, writes = git(team.origin, "rev-parse", "memory/T-1"), (team.calls("POST"), team.calls("PUT"))
    team.server.requests[0]["description"] = team.server.requests[0]["description"].replace(
        "- [ ] It is true", "- [x] It is true"
    )
    assert run("submit", "--ticket", "T-1") == first
    assert run("submit", "mem-F003-noon", "--ticket", "T-1") == first
    assert git(team.origin, "rev-parse", "memory/T-1") == tip
    assert (team.calls("POST"), team.calls("PUT")) == writes
    assert "- [x] It is true" in team.server.requests[0]["description"]


def test_a_changed_draft_updates_the_same_merge_request(team: Team, run: Run) -> None:
    team.ada.draft(NOON)
    run("submit", "--ticket", "T-1")
    team.ada.draft(NOON, body="Orders close at ten on Fridays.\n\n**Apply:** ship early.")
    team.ada.draft(STOCK)
    team.server.requests[0]["description"] += "\nA remark of Pam's."
    status, out, _ = run("submit", "--ticket", "T-1")
    assert (status, out) == (0, f"memory(T-1): +1 fact/domain, +1 lesson/dev\n!1 {URL}/1\n")
    assert "close at ten" in team.branch()[NOON]
    assert sorted(team.branch()) == [STOCK, NOON]
    assert git(team.origin, "rev-list", "--count", "main..memory/T-1") == "2"
    description = team.server.requests[0]["description"]
    assert "mem-F004-stock" in description
    assert description.endswith("\nA remark of Pam's.")
    assert len(team.server.requests) == 1


def test_an_update_changes_only_status_and_reviewer_of_what_is_approved(team: Team, run: Run) -> None:
    approved = git(team.origin, "show", f"main:{ROOT}/{RETRY}") + "\n"
    draft = team.ada.folder / ROOT / "_pending" / RETRY
    draft.parent.mkdir(parents=True)
    draft.write_text(approved.replace("stale: false", "stale: false  # 確認済み"), encoding="utf-8")
    assert run("submit", "--ticket", "T-1")[1].startswith("memory(T-1): ~1 lesson/dev\n")
    changed = git(team.origin, "diff", "-U0", "main", "memory/T-1")
    assert [line for line in changed.splitlines() if line[:1] in "+-" and line[:3] not in ("+++", "---")] == [
        "-status: approved", "+status: pending", "-reviewed_by: pm", "+reviewed_by:", "-stale: false", "+stale: false  # 確認済み",
    ]  # fmt: skip


def test_the_ticket_s_retrospect_goes_along_and_stays_where_it_is(team: Team, run: Run) -> None:
    retro = team.ada.folder / ROOT / "03.Retro/T-1.md"
    retro.parent.mkdir(parents=True)
    retro.write_text("# Learned\n")
    (retro.parent / "T-2.md").write_text("# Other\n")
    team.ada.draft(NOON)
    assert run("submit", "--ticket", "T-1")[0] == 0
    assert sorted(team.branch()) == [NOON, "03.Retro/T-1.md"]
    assert "03.Retro/T-1.md" in team.server.requests[0]["description"]
    team.server.merge_request(1)
    git(team.ada.folder, "fetch", "-q")
    assert run("status")[0] == 0
    assert not retro.exists()
    git(team.ada.folder, "pull", "-q")
    assert retro.read_text() == "# Learned\n"


def test_a_reviewer_s_attention_is_scarce(team: Team, run: Run) -> None:
    commit(team.folder / "seed", {f"{ROOT}/brain.toml": "[review]\nmaxPerMR = 2\n"})
    git(team.folder / "seed", "push", "-q", str(team.origin), "main")
    git(team.ada.folder, "pull", "-q")
    team.ada.draft(NOON, confidence=0.4, source="T-1 / gate 3")
    team.ada.draft(STOCK, confidence=0.9, created="2026-03-01")
    team.ada.draft(QUEUE, confidence=0.9, created="2026-04-01")
    status, _, err = run("submit", "--ticket", "T-1")
    assert (status, sorted(team.branch())) == (0, [QUEUE, NOON])
    assert err == "brain: stays a draft: mem-F004-stock (a merge request takes 2: submit it with the next)\n"
    assert list(team.ada.drafts()) == [STOCK]


def test_drafts_with_errors_stay_and_are_named(team: Team, run: Run) -> None:
    team.ada.draft(NOON)
    bad = team.ada.draft(STOCK)
    bad.write_text(bad.read_text("utf-8").replace("confidence: 0.5", "confidence: much"), encoding="utf-8")
    status, out, err = run("submit", "mem-F004-stock", "--ticket", "T-1")
    assert status == 1
    assert f"{ROOT}/_pending/{STOCK}:" in out
    assert "nothing was submitted: 1 errors in the drafts you named" in err
    status, _, err = run("submit", "--ticket", "T-1")
    assert (status, list(team.branch()), list(team.ada.drafts())) == (0, [NOON], [STOCK])
    assert f"stays a draft: {STOCK} (" in err


def test_a_change_of_what_was_removed_meanwhile_stays(team: Team, run: Run) -> None:
    team.ada.draft(RETRY, "Retry once.\n\n**Apply:** count.")
    gone = memory_text(RETRY, status="deprecated", removal="soft", removal_reason="old")
    commit(team.folder / "seed", {f"{ROOT}/_deprecated/{RETRY}": gone, f"{ROOT}/{RETRY}": None}, "removed")
    git(team.folder / "seed", "push", "-q", str(team.origin), "main")
    status, _, err = run("submit", "--ticket", "T-1")
    assert (status, list(team.ada.drafts())) == (1, [RETRY])
    assert "stays a draft: mem-F003-retry (it was removed meanwhile: brain restore brings it back" in err


def test_a_dry_run_prints_the_plan_and_does_nothing(team: Team, run: Run) -> None:
    team.ada.draft(NOON)
    before = (team.ada.drafts(), git(team.origin, "for-each-ref"), git(team.ada.folder, "for-each-ref"))
    status, out, _ = run("submit", "--ticket", "T-1", "--dry-run")
    head = git(team.origin, "rev-parse", "main")[:12]
    assert (status, out) == (
        0,
        f"branch: memory/T-1, on main {head}\ntitle: memory(T-1): +1 lesson/dev\nmerge request: a new one\nfor: assignee pam\nnew: {NOON}\n",
    )
    plan = json.loads(run("submit", "--ticket", "T-1", "--dry-run", "--json")[1])
    assert (plan["branch"], plan["changes"], plan["mergeRequest"]) == ("memory/T-1", [NOON], None)
    assert (team.ada.drafts(), git(team.origin, "for-each-ref"), git(team.ada.folder, "for-each-ref")) == before
    assert team.ada.journal() == {}
    assert (team.calls("POST"), team.calls("PUT")) == (0, 0)


def test_nothing_to_submit_is_a_no(team: Team, run: Run) -> None:
    assert run("submit", "--ticket", "T-1") == (1, "", "brain: nothing to submit\n")
    assert run("submit")[0] == 3
    status, _, err = run("submit", "mem-F003-nope", "--ticket", "T-1")
    assert (status, err) == (1, "brain: no memory 'mem-F003-nope'\n")


def test_the_free_edition_keeps_one_reviewer_and_the_others_are_mentioned(team: Team, run: Run) -> None:
    team.server.one_reviewer = True
    for path in (STOCK, QUEUE):
        team.ada.draft(path)
    assert run("submit", "--ticket", "T-1")[0] == 0
    request = team.server.requests[0]
    assert [person["username"] for person in request["reviewers"]] == ["bea"]  # the last one asked for
    assert "To be consulted too: @tom\n" in request["description"]
    puts = team.calls("PUT")
    assert run("submit", "--ticket", "T-1")[0] == 0
    assert team.calls("PUT") == puts
    team.ada.draft(QUEUE)
    assert run("submit", "--ticket", "T-2")[0] == 0
    assert "consulted" not in team.server.requests[1]["description"]


def test_people_gitlab_does_not_know_are_said(team: Team, run: Run) -> None:
    commit(team.folder / "seed", {f"{ROOT}/brain.toml": '[people]\npm = ["ghost"]\n'})
    git(team.folder / "seed", "push", "-q", str(team.origin), "main")
    git(team.ada.folder, "pull", "-q")
    team.ada.draft(NOON)
    status, _, err = run("submit", "--ticket", "T-1")
    assert (status, err) == (0, "brain: warning: people: GitLab has no user 'ghost'\n")


def test_the_only_pm_is_told_that_nobody_can_approve_their_own(team: Team, run: Run) -> None:
    author = "ada"
    commit(team.folder / "seed", {f"{ROOT}/brain.toml": f'[people]\npm = ["{author}"]\n'})
    git(team.folder / "seed", "push", "-q", str(team.origin), "main")
    git(team.ada.folder, "pull", "-q")
    team.ada.draft(NOON)
    status, _, err = run("submit", "--ticket", "T-1")
    assert status == 0
    assert f"@{author} opened it and is the only PM" in err
    assert "name a deputy" in err


@pytest.mark.parametrize(("language", "words"), [("vi", "Dành cho người duyệt"), ("ja", "承認者の確認事項")])
def test_the_texts_are_in_the_team_s_language(
    team: Team, run: Run, monkeypatch: pytest.MonkeyPatch, language: str, words: str
) -> None:
    monkeypatch.setenv("BRAIN_REVIEW_LANGUAGE", language)
    team.ada.draft(NOON)
    assert run("submit", "--ticket", "T-1")[0] == 0
    assert f"### {words}" in team.server.requests[0]["description"]


def test_the_team_s_own_template_takes_the_place_of_ours(team: Team, run: Run) -> None:
    commit(
        team.folder / "seed",
        {".gitlab/merge_request_templates/Memory.md": "# Ours\n\n<!-- brain:memories -->\n\n- [ ] Checked by us\n"},
    )
    git(team.folder / "seed", "push", "-q", str(team.origin), "main")
    team.ada.draft(NOON)
    assert run("submit", "--ticket", "T-1")[0] == 0
    description = team.server.requests[0]["description"]
    assert description.startswith("# Ours\n\n<!-- brain:submit key=")
    assert description.endswith("<!-- /brain:submit -->\n\n- [ ] Checked by us\n")
    assert "For the approver" not in description


def test_what_a_reviewer_needs_beside_the_memories(team: Team, run: Run) -> None:
    rules = team.ada.folder / ".rules/pay.md"
    rules.parent.mkdir()
    rules.write_text("# Payment\n\n- Never retry a payment more than once; count each payment.\n")
    state = team.ada.folder / ".aiflow/context/current.json"
    state.parent.mkdir(parents=True)
    state.write_text(json.dumps({"taskId": "T-1", "title": "Payments @pam", "description": "/approve\n```\n@pam"}))
    team.ada.draft(
        "01.Lessons/dev/F-003_Payment/again.md",
        body="Retry a payment at most twice, not thrice.\n\n**Apply:** count the tries.",
        tags=("payment",),
        refs=("src/pay.py",),
        verified_commit="1" * 40,
    )
    status, _, _ = run("submit")
    description = team.server.requests[0]["description"]
    assert status == 0
    assert "`mem-F003-again` ≈ " in description
    assert "`.rules/pay.md:3`: `Never retry a payment more than once; count each payment.`" in description
    assert "`mem-F003-again`: `src/pay.py` (the verified commit is not here)" in description
    assert "`T-1`. `Payments @pam`" in description
    assert "````text\n/approve\n```\n@pam\n````" in description


def test_two_near_duplicates_in_one_merge_request_are_named_once(team: Team, run: Run) -> None:
    for name in ("one", "two"):
        body = f"The nightly export locks the orders table until six, said {name}.\n\n**Apply:** deploy after six."
        team.ada.draft(f"01.Lessons/dev/F-009_Export/{name}.md", body=body, tags=("export", "orders"))
    assert run("submit", "--ticket", "T-1")[0] == 0
    rows = [row for row in team.server.requests[0]["description"].splitlines() if " ≈ " in row]
    assert len(rows) == 1
    assert rows[0].startswith("- `mem-F009-one` ≈ ")
    assert rows[0].endswith(" `mem-F009-two` (in this merge request)")
