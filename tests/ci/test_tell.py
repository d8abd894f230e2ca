"""What ``brain-ci lint`` leaves on a merge request: one note, discussions at lines; and what it does without GitLab."""

from __future__ import annotations

import pytest

from tests.ci.request import AREA, MARKER, Request, bad, good, memory_repo
from tests.gitlab.fixture import Team, free_port
from tests.lint.support import memory
from tests.support.repos import ROOT, git

AT_B = (f"{AREA}/b.md", 15)


def test_one_note_is_kept_up_to_date_and_threads_are_resolved(request_: Request) -> None:
    request_.push({f"{AREA}/b.md": bad("b")})
    status, err = request_.lint()
    assert (status, err.count("\n")) == (1, 1), err
    (note,) = request_.notes()
    assert note.startswith("### ❌ Memory lint: this has to be mended before the merge\n\nErrors: 1 · warnings: 0")
    assert f"[`{AREA}/b.md:15`](" in note
    assert request_.threads() == [(*AT_B, False)]
    assert request_.lint()[0] == 1
    assert (request_.notes(), request_.threads()) == ([note], [(*AT_B, False)])
    request_.push({f"{AREA}/b.md": good("b")})
    assert request_.lint()[0] == 0
    (clean,) = request_.notes()
    assert clean.startswith("✅ Memory lint: no findings · `"), clean
    assert request_.threads() == [(*AT_B, True)]
    request_.push({f"{AREA}/b.md": bad("b")})
    assert request_.lint()[0] == 1
    assert request_.threads() == [(*AT_B, False)]


def test_an_error_that_moves_keeps_its_thread_and_what_a_person_resolved_stays_so(request_: Request) -> None:
    request_.push({f"{AREA}/b.md": bad("b")})
    request_.lint()
    (row,) = [
        row for row in request_.team.dev.ask("GET", f"{request_.at}/discussions") if row["notes"][0]["resolvable"]
    ]
    request_.team.dev.ask("PUT", f"{request_.at}/discussions/{row['id']}", resolved=True)
    request_.push({f"{AREA}/b.md": bad("b").replace("hits: 0\n", "hits: 0  # none\n# so far\n")})
    assert request_.lint()[0] == 1
    assert request_.threads() == [(*AT_B, True)]


def test_nobody_can_pass_off_a_thread_as_ours(request_: Request) -> None:
    request_.push({f"{AREA}/b.md": bad("b")})
    request_.lint()
    rows = request_.team.dev.ask("GET", f"{request_.at}/discussions")
    (thread,) = [row for row in rows if row["notes"][0]["type"] == "DiffNote"]
    request_.team.bot.ask("DELETE", f"{request_.at}/discussions/{thread['id']}/notes/{thread['notes'][0]['id']}")
    request_.team.dev.ask("POST", f"{request_.at}/discussions", body=thread["notes"][0]["body"])
    request_.team.dev.ask("POST", f"{request_.at}/notes", body=f"{MARKER}\nall is well")
    request_.lint()
    assert request_.threads() == [(*AT_B, False)]
    assert sorted(note[:1] for note in request_.notes()) == ["#", "a"]


def test_a_lost_answer_makes_no_second_note_or_thread(request_: Request) -> None:
    request_.push({f"{AREA}/b.md": bad("b")})
    for path in ("/discussions$", "/notes$"):
        request_.team.forge.fault("lost_answer", verb="POST", path=path)
    status, err = request_.lint()
    assert (status, err.count("\n")) == (1, 1), err
    assert (len(request_.notes()), request_.threads()) == (1, [(*AT_B, False)])


def test_a_line_that_gitlab_does_not_take_is_left_to_the_note(request_: Request) -> None:
    """Deleted files have no line; GitLab answers 400 to a position in a diff that it cuts."""
    request_.push({f"{AREA}/b.md": bad("b"), f"{AREA}/c.md": bad("c")})
    request_.team.forge.fault(
        "answer", verb="POST", path="/discussions$", status=400, body={"message": "400 Bad request"}
    )
    status, err = request_.lint()
    assert (status, err.count("\n"), len(request_.threads())) == (1, 1, 1), err
    assert f"{AREA}/b.md:15" in request_.notes()[0]
    assert f"{AREA}/c.md:15" in request_.notes()[0]


def test_without_a_token_the_gate_says_so_in_one_line_and_judges_the_same(request_: Request) -> None:
    request_.push({f"{AREA}/b.md": bad("b")})
    said = "brain-ci: no note is written: BRAIN_NOTE_TOKEN holds no token, and CI_JOB_TOKEN may not write notes"
    status, err = request_.lint(who="", CI_JOB_TOKEN="glcbt-1")
    assert (status, err.splitlines()[1:]) == (1, [said])
    token = request_.team.bot.token
    assert request_.lint("--token-variable", "TEAM_TOKEN", who="", TEAM_TOKEN=token)[1].count("\n") == 1
    assert len(request_.notes()) == 1
    request_.push({f"{AREA}/b.md": good("b")})
    assert request_.lint(who="")[0] == 0


@pytest.mark.parametrize("name", ["b", "good"])
def test_with_gitlab_down_the_verdict_is_the_same(request_: Request, name: str) -> None:
    request_.push({f"{AREA}/{name}.md": good(name) if name == "good" else bad(name)})
    url = f"http://localhost:{free_port()}"
    env = {"CI_API_V4_URL": f"{url}/api/v4", "CI_PROJECT_URL": f"{url}/{request_.team.path}"}
    status, err = request_.lint(**env)
    assert status == (0 if name == "good" else 1)
    assert err.splitlines()[1].startswith(f"brain-ci: warning: !{request_.iid} does not show all of this: GitLab: GET ")
    assert err.count("\n") == 2


def test_a_token_that_may_do_nothing_is_a_warning_without_the_token(request_: Request) -> None:
    request_.push({f"{AREA}/b.md": bad("b")})
    status, err = request_.lint(BRAIN_NOTE_TOKEN="glpat-expired-and-gone")
    assert status == 1
    assert "401" in err
    assert "the token in BRAIN_NOTE_TOKEN is not valid" in err
    assert "glpat" not in err


def test_an_old_pipeline_does_not_speak_over_a_newer_one(request_: Request) -> None:
    request_.push({f"{AREA}/b.md": bad("b")})
    old = git(request_.folder, "rev-parse", "HEAD")
    request_.push({f"{AREA}/b.md": good("b")})
    request_.lint()
    said = request_.notes()
    git(request_.folder, "checkout", "-q", "--detach", old)
    status, err = request_.lint()
    assert (status, request_.notes(), request_.threads()) == (1, said, [])
    assert "has another commit than this job, whose pipeline says it" in err


def test_a_merge_request_that_ended_is_left_alone(request_: Request) -> None:
    request_.push({f"{AREA}/b.md": bad("b")})
    request_.team.pm.ask("PUT", request_.at, state_event="close")
    status, err = request_.lint()
    assert (status, request_.notes()) == (1, [])
    assert f"!{request_.iid} is closed" in err


def test_a_fork_is_told_nothing(request_: Request) -> None:
    request_.push({f"{AREA}/b.md": bad("b")})
    status, err = request_.lint(CI_PROJECT_ID="4711")
    assert (status, request_.notes()) == (1, [])
    assert "the pipeline runs in a fork" in err


def test_a_change_without_memories_gets_no_note(team: Team, request_: Request) -> None:
    other = Request(team, request_.folder.with_name("other"), "tidy-up")
    other.push({"src/pay.py": "x = 1\n"})
    assert other.lint()[0] == 0
    assert other.notes() == []


def test_a_memory_branch_may_not_change_the_jobs_that_judge_it(team: Team, request_: Request) -> None:
    request_.push(
        {
            f"{AREA}/b.md": good("b"),
            ".gitlab-ci.yml": "x: {script: [true]}\n",
            f"{ROOT}/brain.toml": "[people]\npm = ['dev']\n",
        }
    )
    assert request_.lint()[0] == 1
    assert request_.threads() == [(".gitlab-ci.yml", 1, False), (f"{ROOT}/brain.toml", 1, False)]
    other = Request(team, request_.folder.with_name("other"), "settings")
    other.push({".gitlab-ci.yml": "x: {script: [true]}\n", f"{ROOT}/brain.toml": "[people]\npm = ['dev']\n"})
    assert other.lint()[0] == 0


def test_the_teams_language_counts_not_the_one_that_the_change_sets(
    paid: Team, tmp_path_factory: pytest.TempPathFactory
) -> None:
    memory_repo(paid, settings='[review]\nlanguage = "ja"\n')
    request = Request(paid, tmp_path_factory.mktemp("ja") / "clone")
    request.push({f"{AREA}/b.md": bad("b"), f"{ROOT}/brain.toml": '[review]\nlanguage = "vi"\n'})
    request.lint()
    (note,) = request.notes()
    assert note.startswith("### ❌ Memory lint: マージ前に修正が必要です")


def test_a_secret_is_named_and_never_shown(request_: Request) -> None:
    secret = "glpat-" + "x7Kq2" * 4
    request_.push(
        {
            f"{AREA}/b.md": memory(
                id="mem-F002-b", refs="[]", body=f"The token is {secret} here.\n\n**Apply:** use it.\n"
            )
        }
    )
    assert request_.lint()[0] == 1
    rows = request_.team.dev.ask("GET", f"{request_.at}/notes?per_page=100")
    assert any("M" in row["body"] and "secret" in row["body"] for row in rows)
    assert not any(secret in row["body"] or secret[6:] in row["body"] for row in rows)
