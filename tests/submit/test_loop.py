"""The whole way on the stand-in for GitLab: HTTP git with credentials, protected main, both tiers."""

from __future__ import annotations

import json
import os
import time
from typing import TYPE_CHECKING

import pytest

from tests.gitlab.fixture import Forge, start
from tests.submit.team import NOON, QUEUE, RETRY, SETTINGS, STOCK, Machine
from tests.support.program import Run
from tests.support.repos import ROOT, git, memory_text

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.gitlab.fixture import Team


@pytest.fixture(scope="module", params=["free", "premium"])
def forge(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Forge]:
    """Return a stand-in below a sub-path."""
    with start(tmp_path_factory.mktemp("gitlab"), tier=request.param, prefix="/git") as forge:
        forge.tier = request.param  # type: ignore[attr-defined]
        yield forge


@pytest.fixture
def team(forge: Forge) -> Team:
    """Return a project with a memory repo's files; the PM is pm, the TL and the BA are tl and bot."""
    team = forge.team()
    settings = (
        SETTINGS.replace("pam", team.pm.username).replace("tom", team.tl.username).replace("bea", team.bot.username)
    )
    files = {f"{ROOT}/brain.toml": settings, f"{ROOT}/.gitignore": "_pending/\n", f"{ROOT}/{RETRY}": memory_text(RETRY)}
    team.commit("start", files)
    iid = team.open("start")["iid"]
    team.ready(iid)
    team.pm.ask("PUT", f"{team.api}/merge_requests/{iid}/merge")
    return team


@pytest.fixture
def dev(team: Team, tmp_path: Path) -> Machine:
    """Return the developer's clone; git asks a credential helper, which has the token."""
    return machine(team, "dev", tmp_path)


def machine(team: Team, who: str, tmp_path: Path, *, helper: bool = True) -> Machine:
    person = team.people[who]
    folder = tmp_path / who
    git(tmp_path, "clone", "-q", team.remote(who), str(folder))
    git(folder, "remote", "set-url", "origin", f"{team.forge.url}/{team.path}.git")
    if helper:
        script = tmp_path / f"helper-{who}"
        script.write_text(f"#!/bin/sh\ncat <<'END'\nusername={person.username}\npassword={person.token}\nEND\n")
        script.chmod(0o755)
        git(folder, "config", "credential.helper", str(script))
    return Machine(folder, {"BRAIN_GITLAB_TOKEN": person.token})


@pytest.fixture
def run(dev: Machine, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    for name, text in dev.env.items():
        monkeypatch.setenv(name, text)
    return Run(dev.folder, capsys, monkeypatch)


def request_of(team: Team, iid: int) -> dict[str, object]:
    found: dict[str, object] = team.dev.ask("GET", f"{team.api}/merge_requests/{iid}")
    return found


def names(people: object) -> list[str]:
    assert isinstance(people, list)
    return [person["username"] for person in people]


def test_submit_change_take_back_close_submit_merge(forge: Forge, team: Team, dev: Machine, run: Run) -> None:
    for path in (NOON, STOCK, QUEUE):
        dev.draft(path)
    drafts = dev.drafts()
    status, out, err = run("submit", "--ticket", "T-1")
    assert (status, err) == (0, "")
    iid = int(out.splitlines()[1].split()[0][1:])
    assert out.splitlines() == [
        "memory(T-1): +1 decision, +1 fact/domain, +1 lesson/dev",
        f"!{iid} {request_of(team, iid)['web_url']}",
    ]
    made = request_of(team, iid)
    assert (made["labels"], names(made["assignees"]), made["target_branch"]) == (["memory"], [team.pm.username], "main")
    consult = {team.tl.username, team.bot.username}
    if forge.tier == "premium":  # type: ignore[attr-defined]
        assert set(names(made["reviewers"])) == consult
    else:
        (kept,) = names(made["reviewers"])
        assert f"To be consulted too: @{next(iter(consult - {kept}))}\n" in str(made["description"])
    assert dev.drafts() == {}
    assert run("submit", "--ticket", "T-1")[::-1] == ("", out, 0)
    assert request_of(team, iid) == {**request_of(team, iid), "updated_at": request_of(team, iid)["updated_at"]}
    dev.draft(NOON, body="Orders close at ten.\n\n**Apply:** ship early.")
    assert run("submit", "--ticket", "T-1")[0] == 0
    assert [row["iid"] for row in team.dev.ask("GET", f"{team.api}/merge_requests?state=opened")] == [iid]
    assert run("pull-back", "T-1")[0] == 0
    assert request_of(team, iid)["draft"] is True
    assert sorted(dev.drafts()) == sorted(drafts)
    assert run("submit", "--ticket", "T-1")[0] == 0
    assert request_of(team, iid)["draft"] is False
    team.pm.ask("POST", f"{team.api}/merge_requests/{iid}/notes", body="Two of these are known.")
    team.pm.ask("PUT", f"{team.api}/merge_requests/{iid}", state_event="close")
    assert f"turned down by {team.pm.username}, the drafts are back: Two of these are known." in run("status")[1]
    assert sorted(dev.drafts()) == sorted(drafts)
    assert run("submit", "mem-F003-noon", "--ticket", "T-1")[0] == 0
    again = int(
        run("submit", "--ticket", "T-1", "--dry-run", "--json")[1]
        and json.loads(run("status", "--json")[1])["submitted"][0]["mergeRequest"]
    )
    assert again != iid
    team.pm.ask("POST", f"{team.api}/merge_requests/{again}/approve")
    team.ready(again)
    team.pm.ask("PUT", f"{team.api}/merge_requests/{again}/merge", squash=True)
    status, out, err = run("status")
    assert "submitted" not in out
    assert f"!{again} is merged" in err
    git(dev.folder, "fetch", "-q")
    assert "Orders close at ten" in git(dev.folder, "show", f"origin/main:{ROOT}/{NOON}")


def test_the_token_is_used_where_git_has_no_credentials_and_is_nowhere_to_be_seen(team: Team, tmp_path: Path) -> None:
    bare = machine(team, "dev", tmp_path, helper=False)
    bare.draft(NOON)
    token = bare.env["BRAIN_GITLAB_TOKEN"]
    trace = tmp_path / "trace"
    process = bare.start(
        "submit", "--ticket", "T-5", GIT_TRACE=str(trace), GIT_TRACE_CURL=str(trace), GIT_TRACE2_EVENT=str(trace)
    )
    seen = []
    while process.poll() is None:
        for entry in os.listdir("/proc"):
            if entry.isdigit():
                try:
                    with open(f"/proc/{entry}/cmdline", "rb") as file:
                        seen.append(file.read())
                except OSError:
                    continue
        time.sleep(0.005)
    out, err = process.communicate()
    assert (process.returncode, err) == (0, "")
    assert not [line for line in seen if token.encode() in line]
    assert token not in out
    assert [
        str(path) for path in [trace, *bare.folder.rglob("*")] if path.is_file() and token.encode() in path.read_bytes()
    ] == []


def test_a_wrong_token_a_stranger_and_no_rights(
    team: Team, dev: Machine, run: Run, monkeypatch: pytest.MonkeyPatch, forge: Forge
) -> None:
    dev.draft(NOON)
    monkeypatch.setenv("BRAIN_GITLAB_TOKEN", "glpat-no")
    status, _, err = run("submit", "--ticket", "T-1")
    assert (status, list(dev.drafts())) == (5, [NOON])
    assert "hint: the token in BRAIN_GITLAB_TOKEN is not valid" in err
    monkeypatch.setenv("BRAIN_GITLAB_TOKEN", forge.person("stranger").token)
    status, _, err = run("submit", "--ticket", "T-1")
    assert (status, list(dev.drafts())) == (5, [NOON])
    assert "there is no project" in err


def test_a_protected_branch_refuses_in_gitlab_s_words(team: Team, dev: Machine, run: Run) -> None:
    team.pm.ask("POST", f"{team.api}/protected_branches", name="memory/*", push_access_level=40, merge_access_level=40)
    dev.draft(NOON)
    status, _, err = run("submit", "--ticket", "T-1")
    assert (status, list(dev.drafts())) == (4, [NOON])
    assert "protected branch" in err
    assert dev.journal() == {}


def test_without_a_token_push_options_open_it(
    team: Team, dev: Machine, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("BRAIN_GITLAB_TOKEN")
    dev.draft(NOON)
    status, out, _ = run("submit", "--ticket", "T-7")
    assert status == 0
    iid = int(out.splitlines()[1].split()[0][1:])
    made = request_of(team, iid)
    assert (made["title"], made["labels"], names(made["assignees"])) == (
        "memory(T-7): +1 lesson/dev",
        ["memory"],
        [team.pm.username],
    )
    monkeypatch.setenv("BRAIN_GITLAB_TOKEN", dev.env["BRAIN_GITLAB_TOKEN"])
    assert run("submit", "--ticket", "T-7")[0] == 0
    assert "| new | `mem-F003-noon` |" in str(request_of(team, iid)["description"])


def test_a_moved_project_is_found_by_its_number(team: Team, dev: Machine, run: Run) -> None:
    dev.draft(NOON)
    assert run("submit", "--ticket", "T-1")[0] == 0
    team.root.ask("PUT", team.api, path="renamed", name="renamed")
    dev.draft(QUEUE)
    assert run("submit", "--ticket", "T-1")[0] == 0
    assert len(team.dev.ask("GET", f"{team.api}/merge_requests")) == 2  # the fixture's own, and this one


def test_an_archived_project_is_said_at_once(team: Team, dev: Machine, run: Run) -> None:
    team.root.ask("POST", f"{team.api}/archive")
    dev.draft(NOON)
    status, _, err = run("submit", "--ticket", "T-1")
    assert (status, list(dev.drafts())) == (3, [NOON])
    assert "is archived on GitLab" in err
