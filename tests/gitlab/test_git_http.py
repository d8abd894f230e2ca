"""Pushing and fetching: credentials, protected branches, hidden and custom refs, push options, moved projects."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from tests.gitlab.conftest import Git
from tests.gitlab.fixture import Forge, Team

Clone = Callable[..., Path]
Commit = Callable[..., str]


def said(text: str) -> str:
    """Return what the server said, without git's own lines and trailing spaces."""
    return "\n".join(
        line.removeprefix("remote: ").rstrip() for line in text.splitlines() if line.startswith("remote: ")
    ).strip()


def test_credentials_are_asked_for_first(team: Team) -> None:
    url = f"{team.forge.url}/{team.path}.git/info/refs?service=git-upload-pack"
    assert (httpx.get(url).status_code, httpx.get(url).headers["www-authenticate"]) == (401, 'Basic realm="GitLab"')
    assert httpx.get(url, auth=("anyone", "wrong")).status_code == 401
    assert httpx.get(url, auth=("anyone", team.dev.token)).status_code == 200


def test_a_project_one_may_not_see_is_404_and_one_may_not_read_403(team: Team, forge: Forge) -> None:
    url = f"{forge.url}/{team.path}.git/info/refs?service=git-upload-pack"
    stranger, guest = forge.person(f"stranger{team.id}"), forge.person(f"guest{team.id}")
    assert httpx.get(url, auth=("x", stranger.token)).status_code == 404
    team.root.ask("POST", f"{team.api}/members", user_id=guest.id, access_level=10)
    assert httpx.get(url, auth=("x", guest.token)).status_code == 403


def test_a_public_project_is_read_without_credentials(team: Team, git: Git, forge: Forge) -> None:
    team.root.ask("PUT", team.api, visibility="public")
    assert "refs/heads/main" in git("ls-remote", f"{forge.url}/{team.path}.git").stdout


def test_the_path_without_git_leads_to_the_one_with(team: Team, git: Git) -> None:
    answer = httpx.get(f"{team.forge.url}/{team.path}/info/refs?service=git-upload-pack")
    assert (
        answer.status_code,
        answer.headers["location"].endswith(f"{team.path}.git/info/refs?service=git-upload-pack"),
    ) == (301, True)
    assert "refs/heads/main" in git("ls-remote", team.remote("dev").removesuffix(".git")).stdout


def test_nobody_pushes_to_a_branch_that_is_protected_from_all(
    team: Team, git: Git, clone: Clone, commit: Commit
) -> None:
    for who in ("dev", "pm"):
        work = clone(team, who, who)
        commit(work, "x.md", "x")
        done = git("push", "origin", "HEAD:main", at=work, ok=False)
        assert said(done.stderr) == "GitLab: You are not allowed to push code to protected branches on this project."
        assert "! [remote rejected] HEAD -> main (pre-receive hook declined)" in done.stderr


def test_one_refused_ref_refuses_the_whole_push(team: Team, git: Git, clone: Clone, commit: Commit) -> None:
    work = clone(team)
    commit(work, "x.md", "x")
    assert git("push", "origin", "HEAD:fine", "HEAD:main", at=work, ok=False).returncode == 1
    assert "refs/heads/fine" not in git("ls-remote", "origin", at=work).stdout


def test_a_maintainer_pushes_where_maintainers_may_but_never_by_force(
    team: Team, git: Git, clone: Clone, commit: Commit
) -> None:
    team.root.delete(f"{team.api}/protected_branches/main")
    team.root.ask("POST", f"{team.api}/protected_branches", name="main", push_access_level=40)
    work = clone(team, "pm")
    commit(work, "x.md", "x")
    git("push", "origin", "HEAD:main", at=work)
    git("commit", "--quiet", "--amend", "-m", "again", at=work)
    done = git("push", "--force", "origin", "HEAD:main", at=work, ok=False)
    assert said(done.stderr) == "GitLab: You are not allowed to force push code to a protected branch on this project."


def test_protected_branches_are_not_deleted_by_git(team: Team, git: Git, clone: Clone) -> None:
    work = clone(team, "pm")
    assert (
        said(git("push", "origin", ":main", at=work, ok=False).stderr)
        == "GitLab: The default branch of a project cannot be deleted."
    )
    git("push", "origin", "HEAD:v1-stable", at=work)
    team.root.ask("POST", f"{team.api}/protected_branches", name="*-stable")
    told = said(git("push", "origin", ":v1-stable", at=work, ok=False).stderr)
    assert told == "GitLab: You can only delete protected branches using the web interface."


def test_a_wildcard_stops_developers_from_creating(team: Team, git: Git, clone: Clone) -> None:
    team.root.ask("POST", f"{team.api}/protected_branches", name="memory/*", push_access_level=40)
    assert git("push", "origin", "HEAD:memory/T-1", at=clone(team), ok=False).returncode == 1
    git("push", "origin", "HEAD:memory/T-1", at=clone(team, "pm", "other"))


def test_on_premium_one_user_may_be_let_through(paid: Team, git: Git, clone: Clone, commit: Commit) -> None:
    paid.root.delete(f"{paid.api}/protected_branches/main")
    allowed = [{"user_id": paid.bot.id}]
    made = paid.root.ask(
        "POST", f"{paid.api}/protected_branches", name="main", allowed_to_push=allowed, merge_access_level=40
    )
    assert [row["user_id"] for row in made["push_access_levels"]] == [paid.bot.id]
    for who, status in (("dev", 1), ("pm", 1), ("bot", 0)):
        work = clone(paid, who, who)
        commit(work, f"{who}.md", "x")
        assert git("push", "origin", "HEAD:main", at=work, ok=False).returncode == status, who


def test_a_developer_cannot_make_the_first_branch(
    forge: Forge, team: Team, git: Git, tmp_path: Path, commit: Commit
) -> None:
    empty = forge.root.ask("POST", "/projects", name="empty", namespace_id=forge.group(team.path.split("/")[0]))
    forge.root.ask("POST", f"/projects/{empty['id']}/members", user_id=team.dev.id, access_level=30)
    git("init", "--quiet", "new")
    commit(tmp_path / "new", "a", "a")
    url = team.remote("dev").replace(team.path, empty["path_with_namespace"])
    assert "does not yet exist for" in said(git("push", url, "HEAD:main", at=tmp_path / "new", ok=False).stderr)


@pytest.mark.parametrize(
    "ref", ["refs/environments/x", "refs/keep-around/x", "refs/merge-requests/9/head", "refs/pipelines/1", "refs/tmp/x"]
)
def test_hidden_refs_are_refused_in_the_servers_words(team: Team, git: Git, clone: Clone, ref: str) -> None:
    done = git("push", "origin", f"HEAD:{ref}", at=clone(team), ok=False)
    assert f"! [remote rejected] HEAD -> {ref} (deny updating a hidden ref)" in done.stderr


def test_refs_of_ones_own_are_taken_and_need_a_refspec_to_fetch(team: Team, git: Git, clone: Clone) -> None:
    work = clone(team)
    git("push", "origin", "HEAD:refs/brain/telemetry/a", "HEAD:refs/notes/x", at=work)
    other = clone(team, "tl", "other")
    assert git("rev-parse", "--verify", "refs/brain/telemetry/a", at=other, ok=False).returncode != 0
    git("fetch", "origin", "refs/brain/*:refs/brain/*", at=other)
    assert git("rev-parse", "refs/brain/telemetry/a", at=other).stdout == git("rev-parse", "HEAD", at=work).stdout
    git("commit", "--quiet", "--amend", "-m", "other root", "--allow-empty", at=work)
    git("push", "--force", "origin", "HEAD:refs/brain/telemetry/a", at=work)


def test_a_reporter_may_not_push_even_a_ref_of_its_own(team: Team, git: Git, clone: Clone, forge: Forge) -> None:
    team.root.ask("PUT", f"{team.api}/members/{team.dev.id}", access_level=20)
    done = git("push", "origin", "HEAD:refs/brain/x", at=clone(team), ok=False)
    assert "You are not allowed to push code to this project." in done.stderr or "403" in done.stderr


def test_a_merge_request_can_be_fetched_by_its_ref(team: Team, git: Git, clone: Clone) -> None:
    sha = team.commit("memory/T-1", {"a.md": "a"})
    team.open("memory/T-1")
    work = clone(team)
    git("fetch", "--quiet", "origin", "refs/merge-requests/1/head", at=work)
    assert git("rev-parse", "FETCH_HEAD", at=work).stdout.strip() == sha


def test_a_push_is_told_where_to_open_and_where_to_see(team: Team, git: Git, clone: Clone) -> None:
    work = clone(team)
    told = said(git("push", "origin", "HEAD:memory/T-1", at=work).stderr)
    assert re.fullmatch(
        r"To create a merge request for memory/T-1, visit:\n +http\S+/-/merge_requests/new\?merge_request%5Bsource_branch%5D=memory%2FT-1",
        told,
    )


def test_push_options_open_a_merge_request(team: Team, git: Git, clone: Clone, commit: Commit) -> None:
    work = clone(team)
    commit(work, "a.md", "a\n", "First line")
    options = ["merge_request.create", "merge_request.title=Push it", "merge_request.label=memory", "merge_request.label=x",
               f"merge_request.assign={team.pm.username}", "merge_request.description=why", "merge_request.remove_source_branch",
               "merge_request.draft"]  # fmt: skip
    done = git("push", *[word for option in options for word in ("-o", option)], "origin", "HEAD:memory/T-1", at=work)
    assert f"View merge request for memory/T-1:\n  {team.forge.url}/{team.path}/-/merge_requests/1" in said(done.stderr)
    mr = team.dev.ask("GET", f"{team.api}/merge_requests/1")
    assert (mr["title"], mr["labels"], mr["assignee"]["id"], mr["description"], mr["draft"], mr["force_remove_source_branch"], mr["author"]["id"]) == (
        "Draft: Push it", ["memory", "x"], team.pm.id, "why", True, True, team.dev.id)  # fmt: skip


def test_push_options_without_a_title_take_it_from_the_commit_and_never_open_twice(
    team: Team, git: Git, clone: Clone, commit: Commit
) -> None:
    work = clone(team)
    commit(work, "a.md", "a\n", "First line\n\nThe rest")
    git("push", "-o", "mr.create", "origin", "HEAD:memory/T-1", at=work)
    commit(work, "b.md", "b\n")
    git("push", "-o", "mr.create", "-o", "mr.label=late", "origin", "HEAD:memory/T-1", at=work)
    rows = team.dev.ask("GET", f"{team.api}/merge_requests")
    assert [(row["title"], row["description"], row["labels"]) for row in rows] == [("First line", "The rest", ["late"])]


def test_options_without_create_warn_and_the_push_stands(team: Team, git: Git, clone: Clone, commit: Commit) -> None:
    work = clone(team)
    commit(work, "a.md", "a\n")
    done = git("push", "-o", "merge_request.label=x", "origin", "HEAD:memory/T-1", at=work)
    assert said(done.stderr).startswith("WARNINGS:\nError encountered with push options:")


def test_a_push_names_the_head_it_expects(team: Team, git: Git, clone: Clone, commit: Commit) -> None:
    work = clone(team)
    first = commit(work, "a.md", "a\n")
    git("push", "origin", "HEAD:memory/T-1", at=work)
    team.forge.inner.post("/someone-pushes", json={"project": team.path, "branch": "memory/T-1"})
    commit(work, "b.md", "b\n")
    done = git("push", f"--force-with-lease=memory/T-1:{first}", "origin", "HEAD:memory/T-1", at=work, ok=False)
    assert "stale info" in done.stderr
    assert "(fetch first)" in git("push", "origin", "HEAD:memory/T-1", at=work, ok=False).stderr


def test_a_large_push_arrives_chunked(team: Team, git: Git, clone: Clone, tmp_path: Path) -> None:
    work = clone(team)
    (work / "big.bin").write_bytes(bytes(i * 7919 % 251 for i in range(3_000_000)))
    git("add", ".", at=work)
    git("commit", "--quiet", "-m", "big", at=work)
    git("push", "origin", "HEAD:big", at=work)
    assert git("clone", "--quiet", "--branch", "big", team.remote("dev"), "again").returncode == 0


def test_a_partial_clone_and_protocol_two_work(team: Team, git: Git) -> None:
    git("-c", "protocol.version=2", "clone", "--quiet", "--filter=blob:none", "--depth=1", team.remote("dev"), "thin")


def test_a_moved_project_is_still_served_with_a_remark(team: Team, git: Git, clone: Clone, commit: Commit) -> None:
    work = clone(team)
    team.root.ask("PUT", team.api, path="renamed")
    commit(work, "a.md", "a")
    told = said(git("push", "origin", "HEAD:memory/T-1", at=work).stderr)
    assert f"Project '{team.path}' was moved to '{team.path.split('/')[0]}/renamed'." in told


def test_an_archived_project_takes_no_push(team: Team, git: Git, clone: Clone) -> None:
    work = clone(team)
    team.root.ask("POST", f"{team.api}/archive")
    assert git("push", "origin", "HEAD:memory/T-1", at=work, ok=False).returncode == 128
    git("fetch", "origin", at=work)


def test_scopes_bound_what_git_may(team: Team, git: Git, clone: Clone) -> None:
    made = team.root.ask(
        "POST", f"{team.api}/access_tokens", name="reader", scopes=["read_repository"], access_level=30
    )
    url = team.remote("dev").replace(team.dev.token, made["token"])
    git("ls-remote", url)
    assert "403" in git("push", url, "HEAD:memory/T-1", at=clone(team), ok=False).stderr
    assert team.forge.client(made["token"]).get(team.api).status_code == 403


def test_a_job_token_pushes_only_when_the_project_lets_it(team: Team, git: Git, clone: Clone, commit: Commit) -> None:
    token = team.forge.inner.post("/job-tokens", json={"project": team.path, "user": team.dev.username}).json()["token"]
    url = team.remote("dev").replace(f"{team.dev.username}:{team.dev.token}", f"gitlab-ci-token:{token}")
    work = clone(team)
    commit(work, "a.md", "a")
    assert "You are not allowed to upload code." in git("push", url, "HEAD:memory/T-1", at=work, ok=False).stderr
    team.root.ask("PUT", team.api, ci_push_repository_for_job_token_allowed=True)
    git("push", url, "HEAD:memory/T-1", at=work)
    team.forge.inner.request("DELETE", "/job-tokens", json={"token": token})
    assert git("ls-remote", url, ok=False).returncode == 128


PUSH_RULES = [
    ({"branch_name_regex": "^memory/"}, "other", "Branch name 'other' does not follow the pattern '^memory/'"),
    ({"commit_message_regex": "T-\\d+"}, "memory/x", "Commit message does not follow the pattern 'T-\\d+'"),
    (
        {"author_email_regex": "@corp$"},
        "memory/x",
        "Author's commit email 'ada@example.com' does not follow the pattern '@corp$'",
    ),
    ({"member_check": True}, "memory/x", "Author 'ada@example.com' is not a member of team"),
    ({"reject_unsigned_commits": True}, "memory/x", "Commit must be signed with a GPG key"),
    ({"file_name_regex": "\\.md$"}, "memory/x", 'File name a.md was prohibited by the pattern "\\.md$".'),
]


@pytest.mark.parametrize(("rule", "branch", "told"), PUSH_RULES)
def test_push_rules_stop_a_push_on_premium(
    paid: Team, git: Git, clone: Clone, commit: Commit, rule: dict[str, object], branch: str, told: str
) -> None:
    paid.root.ask("POST", f"{paid.api}/push_rule", **rule)
    work = clone(paid)
    commit(work, "a.md", "a", "Work")
    assert said(git("push", "origin", f"HEAD:{branch}", at=work, ok=False).stderr) == f"GitLab: {told}"


def test_a_sub_path_and_a_nested_group_serve_api_and_git(
    tmp_path_factory: pytest.TempPathFactory, git: Git, clone: Clone, commit: Commit
) -> None:
    from tests.gitlab.fixture import start

    with start(tmp_path_factory.mktemp("sub"), prefix="/gitlab") as forge:
        team = forge.team("team/sub/docs")
        project = team.dev.ask("GET", "/projects/team%2Fsub%2Fdocs")
        assert project["http_url_to_repo"] == f"{forge.url}/team/sub/docs.git"
        work = clone(team)
        commit(work, "a.md", "a")
        git("push", "-o", "merge_request.create", "origin", "HEAD:memory/T-1", at=work)
        mr = team.dev.ask("GET", f"{team.api}/merge_requests/1")
        assert mr["web_url"] == f"{forge.url}/team/sub/docs/-/merge_requests/1"
        page = team.dev.get(f"{team.api}/repository/branches", params={"per_page": 1})
        assert page.headers["link"].split(";")[0].startswith(f"<{forge.url}/api/v4/projects/")
        assert httpx.get(forge.url.removesuffix("/gitlab") + "/api/v4/version").status_code == 404
