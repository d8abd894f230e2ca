"""Removing and restoring on the stand-in for GitLab: both tiers, HTTP git with credentials, protected main."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest

from brain.git.refs import get_repo
from brain.layout import find_place
from brain.lint.run import Job, lint_change
from brain.memory import parse_memory
from brain.text import visible
from tests.gitlab.fixture import Forge, free_forge, premium_forge
from tests.submit.team import NOON, QUEUE, RETRY, SETTINGS, Machine
from tests.submit.test_loop import machine, names
from tests.support.program import Run
from tests.support.repos import ROOT, git, memory_text

if TYPE_CHECKING:
    from pathlib import Path

    from tests.gitlab.fixture import Team

__all__ = ["free_forge", "premium_forge"]
ID, BRANCH = "mem-F003-retry", "memory/remove-mem-F003-retry"
GONE = "01.Lessons/dev/F-003_Payment/gone.md"
ODD = (
    memory_text(RETRY, hits=3)
    .replace("tags: [payment]", "tags:  # by hand\n  - 'payment'\nx-own: 1")
    .replace("\n", "\r\n")
)


ONE_TIER = pytest.mark.parametrize("forge", ["free_forge"], indirect=True)
"""What does not depend on the tier is shown on one."""


@pytest.fixture(params=["free_forge", "premium_forge"])
def forge(request: pytest.FixtureRequest) -> Forge:
    found: Forge = request.getfixturevalue(request.param)
    found.calm()
    found.set(settle_gets=0)
    return found


@pytest.fixture
def team(forge: Forge) -> Team:
    """Return a project with approved memories, one with CRLF and comments, and a removed one."""
    team = forge.team()
    settings = SETTINGS.replace("pam", team.pm.username).replace("tom", team.tl.username)
    gone = memory_text(
        GONE,
        body="Old rule of payments.\n\n**Apply:** no more.",
        status="deprecated",
        removal="soft",
        removal_reason="no: longer true",
    )
    files = {
        f"{ROOT}/brain.toml": settings, f"{ROOT}/.gitignore": "_pending/\n", f"{ROOT}/{RETRY}": ODD,
        f"{ROOT}/{NOON}": memory_text(NOON, body=f"Noon, see {ID}.\n\n**Apply:** ship.", tags=("order",), supersedes=(ID,)),
        f"{ROOT}/{QUEUE}": memory_text(QUEUE, tags=("queue",), refs=(f"docs:{ROOT}/{RETRY}",)), f"{ROOT}/_deprecated/{GONE}": gone,
    }  # fmt: skip
    team.commit("start", files)
    merge(team, team.open("start")["iid"])
    return team


def merge(team: Team, iid: int) -> None:
    team.ready(iid)
    team.pm.ask("PUT", f"{team.api}/merge_requests/{iid}/merge")


@pytest.fixture
def dev(team: Team, tmp_path: Path) -> Machine:
    return machine(team, "dev", tmp_path)


@pytest.fixture
def run(dev: Machine, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    for name, text in dev.env.items():
        monkeypatch.setenv(name, text)
    return Run(dev.folder, capsys, monkeypatch)


def opened(team: Team) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = team.dev.ask("GET", f"{team.api}/merge_requests?state=opened")
    return found


def on_branch(team: Team, path: str, branch: str = BRANCH) -> str:
    """Return a file of a branch, byte for byte."""
    where = f"{team.api}/repository/files/{f'{ROOT}/{path}'.replace('/', '%2F')}/raw"
    return team.dev.get(where, params={"ref": branch}).content.decode()


def test_a_soft_removal_is_one_branch_and_one_merge_request(team: Team, dev: Machine, run: Run) -> None:
    before = dev.snapshot()
    status, out, err = run("remove", ID, "--reason", "a framework does it now")
    assert (status, err) == (0, "")
    (made,) = opened(team)
    title = "memory(remove-mem-F003-retry): \N{MINUS SIGN}1 lesson/dev"
    assert out == f"{title}\n!{made['iid']} {made['web_url']}\n"
    assert (made["title"], made["source_branch"], made["labels"], names(made["assignees"])) == (
        title,
        BRANCH,
        ["memory"],
        [team.pm.username],
    )
    changed = ODD.replace(
        "stale: false\r\n", 'stale: false\r\nremoval: soft\r\nremoval_reason: "a framework does it now"\r\n'
    )
    assert on_branch(team, RETRY) == changed
    assert dev.snapshot() == before
    text = str(made["description"])
    assert "| `mem-F003-retry` | lesson | `F-003_Payment` | 3 | `Retry a payment at most twice` |" in text
    assert "Reason: `a framework does it now`" in text
    assert (
        "- `mem-F003-noon` says that it supersedes `mem-F003-retry`.\n- `mem-F003-noon` names `mem-F003-retry` in its text.\n"
        in text
    )
    assert "- `mem-global-queue` has `mem-F003-retry` among its refs." in text
    assert "filter-repo" not in text
    again = run("remove", f"{ROOT}/{RETRY}", "--reason", "a framework does it now")
    assert again == (0, out, "")
    assert opened(team) == [{**opened(team)[0], "sha": made["sha"], "updated_at": made["updated_at"]}]
    assert f"submitted: remove-mem-F003-retry: 1 memory, !{made['iid']} {made['web_url']}: open" in run("status")[1]
    (row,) = json.loads(run("status", "--json")[1])["submitted"]
    assert (row["stage"], row["drafts"], row["memories"]) == ("open", [], [RETRY])


@ONE_TIER
@pytest.mark.parametrize(
    ("language", "confirm"),
    [("en", "- [ ] Confirmed by the approver: every secret"), ("vi", "- [ ] Người duyệt xác nhận"), ("ja", "- [ ] 承認者の確認")],
)  # fmt: skip
def test_a_hard_removal_says_what_history_holds(
    dev: Machine, run: Run, monkeypatch: pytest.MonkeyPatch, team: Team, language: str, confirm: str
) -> None:
    monkeypatch.setenv("BRAIN_REVIEW_LANGUAGE", language)
    status, _, err = run("remove", ID, "--hard", "--reason", "it named a customer")
    command = f"git filter-repo --invert-paths --path {ROOT}/{RETRY} --path {ROOT}/_deprecated/{RETRY}"
    assert status == 0
    assert err.splitlines() == [
        "brain: warning: its text stays in the history, in every clone and fork; a secret in it must be made invalid first",
        f"brain: to rewrite the history once it is removed, in a fresh clone: {command}",
    ]
    (made,) = opened(team)
    assert f"\n```sh\n{command}\n```\n\n{confirm}" in made["description"]
    assert 'removal: hard\r\nremoval_reason: "it named a customer"\r\n' in on_branch(team, RETRY)


def test_several_memories_are_one_merge_request_of_one_name(team: Team, run: Run) -> None:
    status, out, _ = run("remove", ID, "mem-F003-noon", "--reason", "both are known")
    name = "remove-mem-F003-noon-and-1-more-" + out.partition("-more-")[2][:4]
    assert (status, out.splitlines()[0]) == (0, f"memory({name}): \N{MINUS SIGN}2 lesson/dev")
    assert run("remove", "mem-F003-noon", ID, ID, "--reason", "both are known") == (0, out, "")
    (made,) = opened(team)
    assert made["source_branch"] == f"memory/{name}"
    status, _, err = run("remove", ID, "--reason", "this one alone")
    assert (status, len(opened(team))) == (6, 1)
    assert f"{ID}: proposed already: {name}: 2 memories, !{made['iid']} {made['web_url']}: open" in err
    team.pm.ask("PUT", f"{team.api}/merge_requests/{made['iid']}", state_event="close")
    status, out, err = run("remove", ID, "--reason", "this one alone")
    assert (status, f"{name}: !{made['iid']} is turned down by {team.pm.username}" in err) == (0, True)
    assert [row["source_branch"] for row in opened(team)] == [BRANCH]


@ONE_TIER
def test_a_dry_run_does_nothing(team: Team, dev: Machine, run: Run) -> None:
    before = git(dev.folder, "for-each-ref")
    status, out, _ = run("remove", ID, "--reason", "x", "--dry-run")
    assert (status, opened(team), dev.journal(), git(dev.folder, "for-each-ref")) == (0, [], {}, before)
    assert out.splitlines()[0].startswith(f"branch: {BRANCH}, on main ")
    assert out.splitlines()[2:] == [
        "merge request: a new one", f"for: assignee {team.pm.username}", f"remove (soft): {RETRY}",
        "  supersedes: mem-F003-noon", "  names: mem-F003-noon", "  rests on: mem-global-queue",
    ]  # fmt: skip
    facts = json.loads(run("remove", ID, "--reason", "x", "--dry-run", "--json")[1])
    assert (facts["branch"], facts["memories"], facts["mergeRequest"]) == (BRANCH, [RETRY], None)


@ONE_TIER
def test_what_was_merged_without_a_pm_is_taken_out_another_way(team: Team, dev: Machine, run: Run) -> None:
    late = "01.Lessons/dev/F-003_Payment/late.md"
    team.commit("late", {f"{ROOT}/{late}": memory_text(late, status="pending", reviewed_by="")})
    merge(team, team.open("late")["iid"])
    status, out, err = run("remove", "mem-F003-late", "--reason", "x")
    assert (status, out, opened(team), dev.journal()) == (3, "", [], {})
    assert err == (
        "brain: mem-F003-late is merged and not official, so nobody recalls it: no PM approved it, or finalize did not run\n"
        f"hint: brain pull-back mem-F003-late, then brain submit; or a merge request that deletes {ROOT}/{late}\n"
    )


@ONE_TIER
def test_what_cannot_be_removed_says_why(team: Team, dev: Machine, run: Run) -> None:
    dev.draft("01.Lessons/dev/F-003_Payment/own.md")
    said = {
        "mem-F003-rety": (1, f"no memory 'mem-F003-rety'\nhint: did you mean {ID}"),
        "mem-F003-own": (3, "mem-F003-own is a draft of yours: nobody else has it\nhint: brain pending drop mem-F003-own"),
        "mem-F003-gone": (3, f"mem-F003-gone is removed already, since {team.ready(1)['created_at'][:10]}: no: longer true\nhint: brain restore mem-F003-gone"),
        "zzz": (1, "no memory 'zzz'\n"),
    }  # fmt: skip
    for name, (wanted, words) in said.items():
        status, out, err = run("remove", name, ID, "--reason", "x")
        assert (status, out) == (wanted, "")
        assert words in err
    assert (opened(team), dev.journal()) == ([], {})


@ONE_TIER
def test_a_draft_of_it_is_told_of(dev: Machine, run: Run) -> None:
    dev.draft(RETRY)
    assert (
        f"a draft of {ID} lies here too: _pending/{RETRY}; brain pending drop {ID}\n"
        in run("remove", ID, "--reason", "x")[2]
    )
    assert list(dev.drafts()) == [RETRY]


HOSTILE = [
    "one\n/merge\r\n/close\n\n@all !1 #1 Closes #1", "` ``` | <!-- brain:submit key=0 --> <img src=x onerror=alert(1)>", "a: b # c", "\"'\\",
    "]] --- ... &a *b !!x {y: [z", "理由:\u3000もう\u200b古い\u202e", "không còn đúng; đã có “quy tắc”", "- [ ] x", "1e5", "null",
]  # fmt: skip


@ONE_TIER
@pytest.mark.parametrize("reason", HOSTILE)
def test_a_reason_is_only_text(team: Team, run: Run, reason: str) -> None:
    status, _, err = run("remove", ID, f"--reason={reason}")
    (made,) = opened(team) or [{}]
    if status:
        assert (status, made) == (3, {})
        assert "--reason: M" in err
        return
    line = " ".join(visible(reason).split())
    place = find_place(RETRY)
    assert place
    memory = parse_memory(on_branch(team, RETRY), place)
    assert (memory.status, memory.removal, memory.removal_reason) == ("approved", "soft", line)
    outside = re.sub(r"```.*?```|`[^`\n]*`", "", str(made["description"]), flags=re.DOTALL)
    for piece in ("/merge", "/close", "@all", "Closes", "onerror", "&a"):
        assert piece not in outside
    assert made["description"].count("<!-- brain:submit key=") == 1
    commits = team.dev.ask("GET", f"{team.api}/repository/commits?ref_name={BRANCH}")
    assert "Closes" not in commits[0]["message"]


@ONE_TIER
@pytest.mark.parametrize(
    ("reason", "words"),
    [
        ("", "why is it to be removed?"), (" \u200b\n ", "why is it to be removed?"), ("x" * 201, "201 characters, 200 at most"),
        ("the password = " + "vR7#kQ2xLm9!z" + " leaked", "--reason: M"), ("token glpat-" + "Ab3dEf6hIj9kLm2nOp5q", "--reason: M"),
    ],
)  # fmt: skip
def test_a_reason_that_may_not_stand_in_a_memory_is_refused(
    team: Team, dev: Machine, run: Run, reason: str, words: str
) -> None:
    status, out, err = run("remove", ID, "--reason", reason)
    assert (status, out, opened(team), dev.journal()) == (3, "", [], {})
    assert words in err
    assert "vR7#" not in err
    assert "Ab3dEf" not in err
    assert git(dev.folder, "ls-remote", "origin", "refs/heads/memory/*") == ""


def test_without_a_token_push_options_open_it(
    team: Team, dev: Machine, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("BRAIN_GITLAB_TOKEN")
    status, out, err = run("remove", ID, "--reason", "x")
    (made,) = opened(team)
    assert (status, out.splitlines()[1]) == (0, f"!{made['iid']} {made['web_url']}")
    assert "there is no token" in err
    assert (made["title"], made["labels"], names(made["assignees"])) == (
        "memory(remove-mem-F003-retry): \N{MINUS SIGN}1 lesson/dev", ["memory"], [team.pm.username],
    )  # fmt: skip
    merge(team, made["iid"])
    git(dev.folder, "fetch", "-q")
    assert "submitted" not in run("status")[1]
    assert dev.journal() == {}


def test_a_removal_that_is_turned_down_or_merged_is_over(team: Team, dev: Machine, run: Run) -> None:
    run("remove", ID, "--reason", "x")
    (made,) = opened(team)
    team.pm.ask("POST", f"{team.api}/merge_requests/{made['iid']}/notes", body="We need it.\n/close")
    team.pm.ask("PUT", f"{team.api}/merge_requests/{made['iid']}", state_event="close")
    status, out, err = run("status")
    assert "submitted" not in out
    assert f"remove-{ID}: !{made['iid']} is turned down by {team.pm.username}: We need it." in err
    assert (dev.journal(), dev.drafts()) == ({}, {})
    assert run("remove", ID, "--reason", "x")[0] == 0
    (again,) = opened(team)
    assert again["iid"] != made["iid"]
    merge(team, again["iid"])
    assert f"remove-{ID}: !{again['iid']} is merged" in run("status")[2]
    status, _, err = run("remove", ID, "--reason", "x")
    assert (status, err.splitlines()) == (
        3,
        [
            f"brain: {ID}: its removal is merged already",
            "hint: brain-ci finalize carries it out, or takes it back where no PM approved it",
        ],
    )


@ONE_TIER
def test_another_reason_or_kind_changes_the_same_merge_request(team: Team, run: Run) -> None:
    run("remove", ID, "--reason", "one")
    (first,) = opened(team)
    status, _, _ = run("remove", ID, "--hard", "--reason", "two")
    (made,) = opened(team)
    assert (status, made["iid"]) == (0, first["iid"])
    assert "Reason: `two`" in made["description"]
    assert "filter-repo" in made["description"]
    assert 'removal: hard\r\nremoval_reason: "two"\r\n' in on_branch(team, RETRY)


def test_what_another_proposed_is_named_and_not_changed(
    team: Team, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("remove", ID, "--reason", "first")
    (made,) = opened(team)
    other = machine(team, "tl", tmp_path)
    monkeypatch.setenv("BRAIN_GITLAB_TOKEN", other.env["BRAIN_GITLAB_TOKEN"])
    run.folder = other.folder
    status, out, err = run("remove", ID, "--reason", "second")
    assert (status, out.splitlines()[1]) == (0, f"!{made['iid']} {made['web_url']}")
    assert f"proposed already, by {team.dev.username}; nothing of it was changed" in err
    assert opened(team)[0]["description"] == made["description"]
    assert "first" in on_branch(team, RETRY)
    other.journal()
    run("status")
    third = machine(team, "bot", tmp_path)
    monkeypatch.setenv("BRAIN_GITLAB_TOKEN", third.env["BRAIN_GITLAB_TOKEN"])
    run.folder = third.folder
    status, _, err = run("remove", ID, "--hard", "--reason", "third")
    assert (status, third.journal()) == (6, {})
    assert f"{ID}: its soft removal is proposed already" in err
    status, _, err = run("remove", ID, "mem-F003-noon", "--reason", "third")
    assert (status, third.journal()) == (6, {})
    assert f"{ID}: proposed already: !{made['iid']} {made['web_url']}" in err


@ONE_TIER
def test_two_people_at_once_make_one_merge_request(team: Team, dev: Machine, tmp_path: Path) -> None:
    other = machine(team, "tl", tmp_path)
    both = [one.start("remove", ID, "--reason", f"said by {one.folder.name}") for one in (dev, other)]
    said = [process.communicate(timeout=60) for process in both]
    assert [process.returncode for process in both] == [0, 0], said
    (made,) = opened(team)
    assert {out.splitlines()[1] for out, _ in said} == {f"!{made['iid']} {made['web_url']}"}
    reason = re.search('removal_reason: "(said by \\w+)"', on_branch(team, RETRY))
    assert reason
    assert f"Reason: `{reason[1]}`" in made["description"]


def test_a_restore_moves_the_file_back_to_be_approved_anew(team: Team, dev: Machine, run: Run) -> None:
    status, out, err = run("restore", "mem-F003-gone", "--reason", "it holds again")
    branch = "memory/restore-mem-F003-gone"
    (made,) = opened(team)
    assert (status, err) == (0, "")
    assert out == f"memory(restore-mem-F003-gone): +1 lesson/dev\n!{made['iid']} {made['web_url']}\n"
    git(dev.folder, "fetch", "-q")
    assert git(dev.folder, "diff", "--name-status", "-M50", f"origin/main...origin/{branch}").split("\t")[1:] == [
        f"{ROOT}/_deprecated/{GONE}", f"{ROOT}/{GONE}",
    ]  # fmt: skip
    text = on_branch(team, GONE, branch)
    assert "removal" not in text
    assert "status: pending\n" in text
    assert "reviewed_by:\n" in text
    assert "Reason: `it holds again`\n\nIt was removed because: `no: longer true`" in made["description"]
    assert run("restore", "mem-F003-gone", "--reason", "it holds again") == (0, out, "")
    merge(team, made["iid"])
    assert "is merged" in run("status")[2]
    assert dev.journal() == {}
    status, _, err = run("restore", "mem-F003-gone")
    assert (status, err.splitlines()[0]) == (3, "brain: mem-F003-gone is not removed")


@ONE_TIER
def test_what_cannot_be_restored_says_why(team: Team, run: Run, dev: Machine) -> None:
    assert run("restore", ID)[::2] == (3, f"brain: {ID} is not removed\nhint: brain show prints it\n")
    actions = [{"action": "delete", "file_path": f"{ROOT}/{NOON}"}]
    team.dev.ask(
        "POST",
        f"{team.api}/repository/commits",
        branch="hard",
        start_branch="main",
        commit_message="x",
        actions=actions,
    )
    merge(team, team.open("hard")["iid"])
    for command in (("restore", "mem-F003-noon"), ("remove", "mem-F003-noon", "--reason", "x")):
        status, _, err = run(*command)
        commit = git(
            dev.folder,
            "log",
            "--format=%h",
            "--abbrev=12",
            "-1",
            "--diff-filter=D",
            "origin/main",
            "--",
            f"{ROOT}/{NOON}",
        )
        assert status == 3
        assert "mem-F003-noon was removed for good on " in err
        assert f"git show {commit}^:{ROOT}/{NOON}" in err
        assert git(dev.folder, "show", f"{commit}^:{ROOT}/{NOON}") in memory_text(
            NOON, body=f"Noon, see {ID}.\n\n**Apply:** ship.", tags=("order",), supersedes=(ID,)
        )


@ONE_TIER
def test_no_secret_of_a_memory_stands_in_the_merge_request(team: Team, run: Run) -> None:
    secret = "vR7" + "#kQ2" + "xLm9!z"
    text = memory_text(f"{GONE}", body=f"The password = {secret} opens it.\n\n**Apply:** log in.", tags=("x",))
    team.commit("leak", {f"{ROOT}/{GONE}": text})
    merge(team, team.open("leak")["iid"])
    assert run("remove", "mem-F003-gone", "--hard", "--reason", "it held a password")[0] == 0
    (made,) = opened(team)
    assert secret in on_branch(team, GONE, "memory/remove-mem-F003-gone")
    assert secret not in made["description"]
    assert "| `mem-F003-gone` | lesson | `F-003_Payment` | 0 | – |" in made["description"]


@ONE_TIER
@pytest.mark.parametrize("reason", ["token glpat-" + "Ab3dEf6hIj9kLm2nOp5q", "x" * 201, "\u200b"])
def test_a_reason_to_restore_that_may_be_shown_nowhere_is_refused(team: Team, run: Run, reason: str) -> None:
    status, _, err = run("restore", "mem-F003-gone", "--reason", reason)
    assert (status, opened(team)) == (3, [])
    assert "Ab3dEf" not in err


def test_a_removal_that_was_carried_out_is_over_without_a_token_too(
    team: Team, dev: Machine, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("BRAIN_GITLAB_TOKEN")
    run("remove", ID, "--reason", "x")
    run("remove", "mem-F003-noon", "--hard", "--reason", "x")
    actions = [
        {"action": "move", "file_path": f"{ROOT}/_deprecated/{RETRY}", "previous_path": f"{ROOT}/{RETRY}", "content": on_branch(team, RETRY).replace("status: approved", "status: deprecated")},
        {"action": "delete", "file_path": f"{ROOT}/{NOON}"},
    ]  # fmt: skip
    assert len(dev.journal()) == 2
    git(dev.folder, "fetch", "-q")
    assert run("status")[1].count("submitted: ") == 2
    team.dev.ask(
        "POST",
        f"{team.api}/repository/commits",
        branch="final",
        start_branch="main",
        commit_message="x",
        actions=actions,
    )
    merge(team, team.open("final")["iid"])
    git(dev.folder, "fetch", "-q")
    assert "submitted: " not in run("status")[1]
    assert dev.journal() == {}


@ONE_TIER
def test_lint_lets_a_removal_and_a_restore_pass(dev: Machine, run: Run) -> None:
    run("remove", ID, "--reason", "a framework does it now")
    run("restore", "mem-F003-gone")
    git(dev.folder, "fetch", "-q")
    job = Job(get_repo(str(dev.folder)), ROOT, "2026-11-30", None)
    for branch in (BRANCH, "memory/restore-mem-F003-gone"):
        report = lint_change(job, "refs/remotes/origin/main", f"refs/remotes/origin/{branch}")
        assert report.files == 1
        assert [finding for finding in report.findings if finding.blocks] == []


@ONE_TIER
def test_until_it_is_approved_the_memory_is_recalled(team: Team, dev: Machine, run: Run) -> None:
    run("remove", ID, "--reason", "a framework does it now")
    merge(team, opened(team)[0]["iid"])
    git(dev.folder, "fetch", "-q")
    assert "Retry a payment at most twice" in run("show", ID)[1]
