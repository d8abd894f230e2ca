"""Trouble on the way: others at the same time, refusals, lost answers, no network. No draft is lost, nothing is doubled."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

import pytest

from tests.forge.responder import TOKEN
from tests.submit.team import NOON, QUEUE, STOCK, Team
from tests.support.repos import ROOT, commit, git

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.program import Run


def test_two_machines_one_ticket(team: Team, run: Run) -> None:
    other = team.machine("bob")
    other.draft(STOCK)
    team.ada.draft(NOON)
    assert run("submit", "--ticket", "T-1")[0] == 0
    out, err = other.start("submit", "--ticket", "T-1").communicate()
    assert (out.splitlines()[0], err) == ("memory(T-1): +1 fact/domain, +1 lesson/dev", "")
    assert sorted(team.branch()) == [STOCK, NOON]
    assert len(team.server.requests) == 1
    assert {"mem-F003-noon", "mem-F004-stock"} <= {
        word.strip("`") for word in team.server.requests[0]["description"].split()
    }
    team.server.close_request(1, "no")
    assert run("status")[0] == 0
    other.start("status").communicate()
    assert (list(team.ada.drafts()), list(other.drafts())) == ([NOON], [STOCK])


def test_the_branch_moves_between_the_look_and_the_push(team: Team, run: Run) -> None:
    other = team.machine("bob")
    git(other.folder, "checkout", "-q", "-b", "memory/T-1")
    commit(other.folder, {f"{ROOT}/{STOCK}": other.draft(STOCK).read_text("utf-8")}, "Bob's")
    git(other.folder, "push", "-q", "origin", "memory/T-1:refs/heads/waiting")
    # as if another machine had pushed after our ls-remote: before the first push is taken, the branch is moved
    team.hook(
        "pre-receive",
        f"""[ -e moved ] && exit 0
touch moved; unset GIT_QUARANTINE_PATH GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES
git update-ref refs/heads/memory/T-1 {git(other.folder, "rev-parse", "HEAD")}""",
    )
    team.ada.draft(NOON)
    assert run("submit", "--ticket", "T-1")[0] == 0
    assert sorted(team.branch()) == [STOCK, NOON]
    assert git(team.origin, "rev-parse", "memory/T-1~1") == git(other.folder, "rev-parse", "HEAD")


def test_a_branch_that_never_stands_still_is_given_up(team: Team, run: Run) -> None:
    team.hook(
        "pre-receive",
        """unset GIT_QUARANTINE_PATH GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES
git update-ref refs/heads/memory/T-1 $(git commit-tree -p main -m "$$" main^{tree})""",
    )
    team.ada.draft(NOON)
    status, _, err = run("submit", "--ticket", "T-1")
    assert status == 6
    assert "memory/T-1 was moved 5 times by others meanwhile" in err
    assert (list(team.ada.drafts()), team.ada.journal()) == ([NOON], {})


AT_ONCE = 20 if os.environ.get("BRAIN_FAULTS") else 6


def test_many_submits_at_once_are_one(team: Team) -> None:
    for number in range(6):
        team.ada.draft(
            f"01.Lessons/dev/_global/lesson-{number}.md",
            body=f"Thing {number} {'abcdef'[number] * 40} holds.\n\n**Apply:** know it.",
        )
    started = [team.ada.start("submit", "--ticket", "T-1") for _ in range(AT_ONCE)]
    ends = [process.communicate() for process in started]
    assert [process.returncode for process in started] == [0] * AT_ONCE, ends
    assert (len(team.server.requests), len(team.branch()), team.ada.drafts()) == (1, 6, {})
    assert git(team.origin, "rev-list", "--count", "main..memory/T-1") == "1"


def test_a_refused_push_says_the_server_s_words(team: Team, run: Run) -> None:
    team.hook(
        "pre-receive",
        "echo 'GitLab: You are not allowed to push code to protected branches on this project.' >&2; exit 1",
    )
    team.ada.draft(NOON)
    status, _, err = run("submit", "--ticket", "T-1")
    assert status == 4
    assert (
        "brain: git push memory/T-1: error: GitLab: You are not allowed to push code to protected branches on this project.\nhint: the drafts are where they were;"
        in err
    )
    assert (list(team.ada.drafts()), team.ada.journal(), team.server.requests) == ([NOON], {}, [])


def test_a_push_whose_answer_is_lost_arrived_all_the_same(team: Team, run: Run) -> None:
    team.hook("post-receive", "kill -9 $PPID")
    team.ada.draft(NOON)
    assert run("submit", "--ticket", "T-1")[0] == 0
    assert (list(team.branch()), team.ada.drafts(), len(team.server.requests)) == ([NOON], {}, 1)


def test_a_draft_that_is_edited_meanwhile_stays(team: Team, run: Run) -> None:
    file = team.ada.draft(NOON)
    team.hook("post-receive", f"echo newer >> '{file}'")
    assert run("submit", "--ticket", "T-1")[0] == 0
    assert team.ada.drafts()[NOON].endswith("newer\n")
    assert "newer" not in team.branch()[NOON]
    (team.origin / "hooks/post-receive").unlink()
    assert run("submit", "--ticket", "T-1")[0] == 0
    assert "newer" in team.branch()[NOON]
    assert (team.ada.drafts(), len(team.server.requests)) == ({}, 1)


def test_offline(team: Team, run: Run) -> None:
    team.ada.draft(NOON)
    git(team.ada.folder, "remote", "set-url", "origin", str(team.folder / "gone.git"))
    status, out, err = run("submit", "--ticket", "T-1")
    assert (status, out, list(team.ada.drafts()), team.ada.journal()) == (4, "", [NOON], {})
    assert "hint: check network, VPN and proxy; the drafts are where they were: run it again later" in err


def test_no_gitlab_no_push(team: Team, run: Run) -> None:
    team.ada.draft(NOON)
    team.server.close()
    status, _, err = run("submit", "--ticket", "T-1")
    assert (status, list(team.ada.drafts())) == (5, [NOON])
    assert "Connection refused" in err
    assert git(team.origin, "for-each-ref", "refs/heads/memory") == ""


def test_an_archived_project_is_said_before_anything_is_done(team: Team, run: Run) -> None:
    team.server.project["archived"] = True
    team.ada.draft(NOON)
    status, _, err = run("submit", "--ticket", "T-1")
    assert (status, err) == (
        3,
        "brain: team/memory is archived on GitLab: it takes no changes\nhint: have it unarchived, or moved\n",
    )
    assert git(team.origin, "for-each-ref", "refs/heads/memory") == ""


def test_a_merge_request_that_could_not_be_opened_is_opened_by_the_next_run(team: Team, run: Run) -> None:
    team.server.faults += [("POST", "/merge_requests", "500")] * 3
    team.ada.draft(NOON)
    status, _, _ = run("submit", "--ticket", "T-1")
    assert (status, team.ada.drafts(), team.server.requests) == (5, {}, [])
    assert team.ada.journal()["T-1"]["stage"] == "pushed"
    assert run("status")[0] == 0
    assert [(row["state"], row["title"]) for row in team.server.requests] == [("opened", "memory(T-1): +1 lesson/dev")]
    assert team.ada.journal()["T-1"]["stage"] == "open"


@pytest.mark.parametrize("fault", ["lost", "cut"])
def test_a_lost_answer_makes_no_second_merge_request(team: Team, run: Run, fault: str) -> None:
    team.server.faults.append(("POST", "/merge_requests", fault))
    team.ada.draft(NOON)
    assert run("submit", "--ticket", "T-1")[0] == 0
    assert len(team.server.requests) == 1


def test_a_disk_that_takes_no_journal_loses_nothing(team: Team, run: Run) -> None:
    (team.ada.folder / ".git/brain").mkdir(exist_ok=True)
    (team.ada.folder / ".git/brain/submitted").write_text("in the way")
    team.ada.draft(NOON)
    status, _, err = run("submit", "--ticket", "T-1")
    assert (status, list(team.ada.drafts()), team.server.requests) == (3, [NOON], [])
    assert "hint: check room and permissions" in err
    assert git(team.origin, "for-each-ref", "refs/heads/memory") == ""


def test_whom_a_submit_waits_for_is_said(team: Team) -> None:
    from brain.git.refs import get_repo
    from brain.submit.journal import locked

    team.ada.draft(NOON)
    with locked(get_repo(str(team.ada.folder)), "brain remove"):
        process = team.ada.start("submit", "--ticket", "T-1")
        assert process.stderr
        assert process.stderr.readline() == f"brain: waiting for brain remove (process {os.getpid()})\n"
    process.communicate()
    assert (process.returncode, team.ada.drafts()) == (0, {})


def test_status_does_not_wait_for_a_submit_that_is_at_work(team: Team, run: Run) -> None:
    from brain.git.refs import get_repo
    from brain.submit.journal import locked

    team.ada.draft(NOON)
    run("submit", "--ticket", "T-1")
    with locked(get_repo(str(team.ada.folder)), "brain remove"):
        status, out, err = run("status")
    assert status == 0
    assert "submitted: T-1: 1 memory, !1 " in out
    assert f"brain remove (process {os.getpid()}) is at work on this memory repo" in err


def test_without_a_token_push_options_open_it(team: Team, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BRAIN_GITLAB_TOKEN")
    git(team.origin, "config", "receive.advertisePushOptions", "true")
    team.hook(
        "post-receive",
        """i=0; while [ $i -lt "${GIT_PUSH_OPTION_COUNT:-0}" ]; do eval "echo \\"\\$GIT_PUSH_OPTION_$i\\"" >> options; i=$((i+1)); done
echo 'View merge request for memory/T-1:' >&2; echo '  https://git.example.com/team/memory/-/merge_requests/7' >&2""",
    )
    team.ada.draft(NOON)
    status, out, err = run("submit", "--ticket", "T-1")
    assert (status, out) == (
        0,
        "memory(T-1): +1 lesson/dev\n!7 https://git.example.com/team/memory/-/merge_requests/7\n",
    )
    assert (
        err
        == "brain: warning: there is no token, so the merge request has no reviewers and no description; set BRAIN_GITLAB_TOKEN (scope api) and run it again\n"
    )
    options = (team.origin / "options").read_text().splitlines()
    assert options[:3] == [
        "merge_request.create",
        "merge_request.target=main",
        "merge_request.title=memory(T-1): +1 lesson/dev",
    ]
    assert options[-3:] == [
        "merge_request.label=memory",
        "merge_request.remove_source_branch",
        "merge_request.assign=pam",
    ]
    assert team.server.seen == []
    assert team.ada.journal()["T-1"]["iid"] == 7


def test_without_a_token_and_push_options_the_branch_is_pushed(
    team: Team, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("BRAIN_GITLAB_TOKEN")
    team.ada.draft(NOON)
    status, out, err = run("submit", "--ticket", "T-1")
    assert (status, out) == (0, "memory(T-1): +1 lesson/dev\npushed: memory/T-1\n")
    assert "opened no merge request" in err
    team.ada.draft(QUEUE)
    assert run("submit", "--ticket", "T-1")[0] == 0
    assert sorted(team.branch()) == [QUEUE, NOON]
    git(
        team.origin,
        "update-ref",
        "refs/heads/main",
        team.server.squash({"sha": git(team.origin, "rev-parse", "memory/T-1"), "title": "squashed"}),
    )
    git(team.ada.folder, "fetch", "-q")
    assert run("status")[0] == 0
    assert team.ada.journal() == {}


def test_the_token_is_in_no_file_and_no_output(team: Team, run: Run) -> None:
    team.ada.draft(NOON)
    said = [
        run("submit", "--ticket", "T-1"),
        run("status"),
        run("pull-back", "T-1"),
        run("config"),
        run("doctor", "--json"),
    ]
    assert TOKEN not in str(said)
    assert files_with(team.folder, TOKEN.encode()) == []


def files_with(folder: Path, content: bytes) -> list[str]:
    return [str(path) for path in folder.rglob("*") if path.is_file() and content in path.read_bytes()]


HOSTILE = (
    "x | y` @pam ~bug #1 !2 %3 $4\x1b[31m <img src=x> [a](javascript:x) <!-- /brain:submit --> ![i](http://x/y.png)"
)


def test_hostile_text_can_do_nothing_in_a_merge_request(team: Team, run: Run) -> None:
    from brain.submit.body import Subject, render_body, replace_ours
    from tests.submit.test_plan import memory

    bad = memory(NOON, source=HOSTILE, hook=f"/approve {HOSTILE}", refs=(HOSTILE,), body="/merge\n\n**Apply:** @pam")
    for language in ("en", "vi", "ja"):
        subject = Subject(
            "abc1", HOSTILE, HOSTILE, "/approve\n````\n@pam\n" + HOSTILE, [(bad, False)], True, [], [], [], ""
        )
        text = render_body(subject, language)
        lines = text.splitlines()
        block = re.search(r"^(`{3,})text\n.*?^\1$", text, re.DOTALL | re.MULTILINE)
        assert block
        outside = text.replace(block[0], "")
        bare = "".join(outside.split("`")[::2])
        assert not [word for word in ("@pam", "~bug", "<img", "javascript", "http://x") if word in bare]
        assert not [line for line in outside.splitlines() if line.strip().startswith("/")]
        assert "@pam" in block[0]
        rows = [line for line in lines if line.startswith("|")]
        assert {row.count("|") for row in rows} == {9}
        assert "\x1b" not in text
        assert text.count("<!--") == 3
        assert replace_ours(text.replace("key=abc1", "key=abc0"), text) == text
