"""The breadth of the API, through python-gitlab as a stranger would use it."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import io
import tarfile
import uuid
import zipfile
from collections.abc import Callable, Iterator
from typing import Any

import gitlab
import httpx
import pytest
from gitlab.const import AccessLevel

from tests.gitlab.fixture import Forge

Login = Callable[[str], gitlab.Gitlab]


@pytest.fixture
def login(forge: Forge) -> Iterator[Login]:
    """Return a function that makes a python-gitlab client for a token."""
    with contextlib.ExitStack() as stack:
        yield lambda token: stack.enter_context(gitlab.Gitlab(forge.url, private_token=token, timeout=30))


@pytest.fixture
def gl(forge: Forge, login: Login) -> gitlab.Gitlab:
    return login(forge.root.token)


def name(stem: str) -> str:
    return f"{stem}-{uuid.uuid4().hex[:10]}"


@pytest.fixture
def user(gl: gitlab.Gitlab) -> Any:
    one = name("user")
    return gl.users.create({"email": f"{one}@example.com", "username": one, "name": one, "password": "a-long-secret-1"})


@pytest.fixture
def group(gl: gitlab.Gitlab) -> Any:
    one = name("group")
    return gl.groups.create({"name": one, "path": one})


@pytest.fixture
def project(gl: gitlab.Gitlab) -> Any:
    made = gl.projects.create({"name": name("project")})
    made.files.create(
        {"file_path": "README.md", "branch": "main", "content": "Initial content", "commit_message": "Initial commit"}
    )
    return made


def fail(status: int, run: Any, *args: Any, **kwargs: Any) -> str:
    with pytest.raises(gitlab.GitlabError) as told:
        run(*args, **kwargs)
    assert told.value.response_code == status, told.value
    return str(told.value.error_message)


def put(project: Any, branch: str, path: str, text: str = "text\n") -> Any:
    return project.files.create({"file_path": path, "branch": branch, "content": text, "commit_message": f"Add {path}"})


def open_mr(project: Any, branch: str | None = None) -> Any:
    branch = branch or name("branch")
    project.branches.create({"branch": branch, "ref": "main"})
    put(project, branch, f"{branch}.md")
    return project.mergerequests.create({"source_branch": branch, "target_branch": "main", "title": f"MR {branch}"})


def test_the_version_and_the_current_user_are_told(gl: gitlab.Gitlab) -> None:
    gl.auth()
    assert (gl.user.id, gl.user.username, gl.version()[0].split(".")[0]) == (1, "root", "18")
    assert gl.http_get("/metadata")["enterprise"] is True


def test_a_wrong_token_is_401(login: Login) -> None:
    assert fail(401, login("wrong").auth) == "401 Unauthorized"


def test_users_are_made_found_changed_and_deleted(gl: gitlab.Gitlab, user: Any) -> None:
    assert gl.users.list(username=user.username)[0].email == user.email
    assert user in gl.users.list(search=user.username, get_all=True)
    user.bio = "writes"
    user.save()
    assert gl.users.get(user.id).bio == "writes"
    user.delete()
    assert fail(404, gl.users.get, user.id) == "404 User Not Found"


def test_a_taken_name_or_mail_is_409(gl: gitlab.Gitlab, user: Any) -> None:
    again = {"email": user.email, "username": name("x"), "name": "x", "password": "a-long-secret-1"}
    assert fail(409, gl.users.create, again) == "Email has already been taken"
    again = {"email": f"{name('x')}@example.com", "username": user.username, "name": "x", "password": "a-long-secret-1"}
    assert fail(409, gl.users.create, again) == "Username has already been taken"


def test_a_user_without_a_needed_field_is_400(gl: gitlab.Gitlab) -> None:
    assert (
        fail(400, gl.http_post, "/users", post_data={"username": "x", "password": "a-long-secret-1"})
        == "email is missing, name is missing"
    )


def test_users_are_blocked_banned_and_freed(gl: gitlab.Gitlab, user: Any) -> None:
    assert (user.block(), user.block(), user.unblock(), user.unblock()) == (True, None, True, False)
    user.ban()
    assert gl.users.get(user.id).state == "banned"
    user.unban()
    assert gl.users.get(user.id).state == "active"


def test_a_blocked_users_token_opens_nothing(forge: Forge, gl: gitlab.Gitlab) -> None:
    person = forge.person(name("blocked"))
    gl.users.get(person.id).block()
    assert person.get("/user").status_code == 403


def test_a_users_keys_mails_and_tokens_are_kept(gl: gitlab.Gitlab, user: Any) -> None:
    key = user.keys.create({"title": "k", "key": f"ssh-ed25519 AAAA{uuid.uuid4().hex} me"})
    assert key in user.keys.list()
    key.delete()
    mail = user.emails.create({"email": f"{name('m')}@example.com"})
    assert mail in user.emails.list()
    token = user.impersonationtokens.create({"name": "t", "scopes": ["api"]})
    assert token in user.impersonationtokens.list(state="active")
    token.delete()
    assert token not in user.impersonationtokens.list(state="active")


def test_custom_attributes_find_their_owner(gl: gitlab.Gitlab, user: Any, project: Any, group: Any) -> None:
    for owner, manager in ((user, gl.users), (project, gl.projects), (group, gl.groups)):
        value = name("value")
        assert owner.customattributes.set("key", value).value == value
        assert owner in manager.list(custom_attributes={"key": value}, get_all=True)
        owner.customattributes.get("key").delete()
        assert not owner.customattributes.list()


def test_sudo_acts_as_another_and_needs_an_administrator(gl: gitlab.Gitlab, forge: Forge, user: Any) -> None:
    made = gl.projects.create({"name": name("sudo")}, sudo=user.id)
    assert made.namespace["path"] == user.username
    assert made not in gl.projects.list(owned=True, get_all=True)
    plain = forge.person(name("plain"))
    assert plain.get("/projects", params={"sudo": "root"}).json() == {
        "message": "403 Forbidden - Must be admin to use sudo"
    }


def test_groups_nest_and_are_found_by_path(gl: gitlab.Gitlab, group: Any) -> None:
    below = gl.groups.create({"name": "sub", "path": "sub", "parent_id": group.id})
    assert gl.groups.get(f"{group.path}/sub").id == below.id
    assert [row.id for row in group.subgroups.list()] == [below.id]
    assert [row.id for row in group.descendant_groups.list()] == [below.id]
    assert below not in gl.groups.list(skip_groups=[below.id], get_all=True)
    below.transfer()
    assert gl.groups.get(below.id).full_path == "sub"
    below.delete()
    assert fail(404, gl.groups.get, below.id) == "404 Group Not Found"


def test_a_taken_group_path_is_400(gl: gitlab.Gitlab, group: Any) -> None:
    assert "has already been taken" in fail(400, gl.groups.create, {"name": "again", "path": group.path})


def test_groups_are_shared_with_groups(gl: gitlab.Gitlab, group: Any) -> None:
    other = gl.groups.create({"name": name("other"), "path": name("other")})
    group.share(other.id, AccessLevel.DEVELOPER)
    assert [row["group_id"] for row in gl.groups.get(group.id).shared_with_groups] == [other.id]
    group.unshare(other.id)
    assert gl.groups.get(group.id).shared_with_groups == []


def test_members_are_direct_or_inherited(gl: gitlab.Gitlab, group: Any, user: Any) -> None:
    project = gl.projects.create({"name": name("p"), "namespace_id": group.id})
    member = group.members.create({"user_id": user.id, "access_level": AccessLevel.GUEST})
    member.access_level = AccessLevel.REPORTER
    member.save()
    assert fail(404, project.members.get, user.id) == "404 Not found"
    assert project.members_all.get(user.id).access_level == 20
    assert fail(409, group.members.create, {"user_id": user.id, "access_level": 30}) == "Member already exists"
    assert "access_level" in fail(400, group.members.create, {"user_id": user.id, "access_level": 31})
    group.members.delete(user.id)
    assert user.id not in [row.id for row in group.members.list()]


def test_memberships_are_listed_for_administrators_alone(gl: gitlab.Gitlab, group: Any, user: Any) -> None:
    group.members.create({"user_id": user.id, "access_level": 50})
    assert [row.source_type for row in user.memberships.list()] == ["Namespace"]
    assert fail(400, user.memberships.list, type="Invalid") == "type does not have a valid value"
    assert fail(403, user.memberships.list, sudo=user.id) == "403 Forbidden"


def test_projects_are_made_found_changed_and_deleted(gl: gitlab.Gitlab) -> None:
    title = name("My Project")
    made = gl.projects.create({"name": title})
    assert made.path == title.lower().replace(" ", "-")
    assert made in gl.projects.list(search=title)
    made.description = "about"
    made.save()
    assert gl.projects.get(made.path_with_namespace).description == "about"
    made.delete()
    assert fail(404, gl.projects.get, made.id) == "404 Project Not Found"


def test_a_taken_project_path_is_400(gl: gitlab.Gitlab, project: Any) -> None:
    assert "has already been taken" in fail(400, gl.projects.create, {"name": project.name})


def test_a_head_request_has_the_headers_alone(forge: Forge) -> None:
    answer = forge.root.head("/projects")
    assert (answer.status_code, answer.content, int(answer.headers["x-total"]) >= 0) == (200, b"", True)


def test_projects_are_starred_archived_forked_and_moved(gl: gitlab.Gitlab, project: Any, group: Any, user: Any) -> None:
    project.star()
    assert gl.projects.get(project.id).star_count == 1
    project.unstar()
    project.archive()
    assert fail(403, project.labels.create, {"name": "x", "color": "#112233"}) == "403 Forbidden"
    project.unarchive()
    fork = project.forks.create({"namespace": user.username})
    assert gl.projects.get(fork.id).forked_from_project["id"] == project.id
    assert fork.id in [row.id for row in project.forks.list()]
    project.transfer(group.id)
    assert gl.projects.get(project.id).namespace["path"] == group.path


def test_files_are_written_read_blamed_and_deleted(project: Any) -> None:
    readme = project.files.get(file_path="README.md", ref="main")
    assert readme.decode() == b"Initial content"
    readme.content = "Improved\n"
    readme.save(branch="main", commit_message="Improve")
    assert project.files.raw("README.md", ref="main") == b"Improved\n"
    assert project.files.blame("README.md", ref="main")[0]["lines"] == ["Improved"]
    assert project.files.head("README.md", ref="main")["X-Gitlab-File-Path"] == "README.md"
    readme.delete(branch="main", commit_message="Remove")
    assert fail(404, project.files.get, "README.md", ref="main") == "404 File Not Found"
    assert fail(404, project.files.get, "README.md", ref="nowhere") == "404 Commit Not Found"


def test_a_file_that_is_there_cannot_be_made_again(project: Any) -> None:
    assert fail(400, put, project, "main", "README.md") == "A file with this name already exists"
    assert fail(400, put, project, "nowhere", "x.md") == "You can only create or edit files when you are on a branch"


def test_several_actions_make_one_commit(project: Any) -> None:
    actions = [
        {
            "action": "create",
            "file_path": "a/b.bin",
            "content": base64.b64encode(b"\0\1").decode(),
            "encoding": "base64",
        },
        {"action": "move", "file_path": "READ.md", "previous_path": "README.md"},
        {"action": "create", "file_path": "run.sh", "content": "#!/bin/sh\n", "execute_filemode": True},
    ]
    made = project.commits.create(
        {"branch": "new", "start_branch": "main", "commit_message": "Three", "actions": actions}
    )
    assert sorted(row["new_path"] for row in made.diff()) == ["READ.md", "a/b.bin", "run.sh"]
    assert made.stats["total"] >= 1
    assert project.files.raw("a/b.bin", ref="new") == b"\0\1"
    assert {row["path"]: row["mode"] for row in project.repository_tree(ref="new", recursive=True)}[
        "run.sh"
    ] == "100755"
    assert (
        fail(
            400,
            project.commits.create,
            {"branch": "new", "commit_message": "x", "actions": [{"action": "delete", "file_path": "no"}]},
        )
        == "A file with this name doesn't exist"
    )


def test_a_stale_last_commit_id_stops_the_commit(project: Any) -> None:
    seen = project.files.get("README.md", ref="main").last_commit_id
    change = {"action": "update", "file_path": "README.md", "content": "one", "last_commit_id": seen}
    project.commits.create({"branch": "main", "commit_message": "1", "actions": [change]})
    told = fail(400, project.commits.create, {"branch": "main", "commit_message": "2", "actions": [change]})
    assert told == "You are attempting to update a file that has changed since you started editing it."


def test_commits_are_listed_compared_and_answered(project: Any) -> None:
    first = project.commits.list()[0]
    put(project, "main", "two.md")
    assert [row.title for row in project.commits.list()] == ["Add two.md", "Initial commit"]
    assert [row.title for row in project.commits.list(query_parameters={"path": "README.md"})] == ["Initial commit"]
    diff = project.repository_compare(first.id, "main")
    assert [row["new_path"] for row in diff["diffs"]] == ["two.md"]
    assert first.refs() == [{"type": "branch", "name": "main"}]
    assert first.statuses.create({"state": "success", "sha": first.id}) in first.statuses.list()
    first.comments.create({"note": "remark"})
    assert [row.note for row in first.comments.list()] == ["remark"]
    assert "404 Signature Not Found" in fail(404, first.signature)
    assert project.repository_merge_base([first.id, "main"])["id"] == first.id
    assert fail(400, project.repository_merge_base, [first.id]) == "Provide at least 2 refs"


def test_commits_are_picked_and_reverted_once(project: Any) -> None:
    base = project.commits.list()[0].id
    put(project, "main", "two.md")
    commit = project.commits.list()[0]
    project.branches.create({"branch": "old", "ref": base})
    assert commit.cherry_pick(branch="old")["message"].endswith(f"(cherry picked from commit {commit.id})")
    assert "automatically" in fail(400, commit.cherry_pick, branch="old")
    assert commit.revert(branch="main")["message"] == f'Revert "Add two.md"\n\nThis reverts commit {commit.id}'
    assert "automatically" in fail(400, commit.revert, branch="main")


def test_the_tree_blobs_and_archives_are_given(project: Any) -> None:
    tree = project.repository_tree()
    assert (tree[0]["name"], project.repository_raw_blob(tree[0]["id"])) == ("README.md", b"Initial content")
    assert zipfile.is_zipfile(io.BytesIO(project.repository_archive(format="zip")))
    assert tarfile.is_tarfile(io.BytesIO(project.repository_archive(format="tar.bz2")))
    assert project.repository_archive() == project.repository_archive("main")
    assert fail(404, project.repository_tree, ref="nowhere") == "404 Tree Not Found"


def test_branches_and_tags_are_made_and_deleted(project: Any) -> None:
    branch = project.branches.create({"branch": "feat/one", "ref": "main"})
    assert project.branches.get("feat/one").commit["id"] == branch.commit["id"]
    assert fail(400, project.branches.create, {"branch": "feat/one", "ref": "main"}) == "Branch already exists"
    assert fail(400, project.branches.create, {"branch": "x", "ref": "nowhere"}) == "Invalid reference name: nowhere"
    assert [row.name for row in project.branches.list(search="feat")] == ["feat/one"]
    branch.delete()
    assert fail(404, project.branches.get, "feat/one") == "404 Branch Not Found"
    tag = project.tags.create({"tag_name": "v1.0", "ref": "main", "message": "first"})
    assert (tag.message, tag in project.tags.list()) == ("first", True)
    assert fail(400, project.tags.create, {"tag_name": "v1.0", "ref": "main"}) == "Tag v1.0 already exists"
    release = project.releases.create({"tag_name": "v1.0", "name": "One", "description": "d"})
    assert release in project.releases.list()
    project.releases.delete("v1.0")
    tag.delete()


def test_the_first_commit_protects_the_default_branch(project: Any) -> None:
    rule = project.protectedbranches.get("main")
    assert [row["access_level"] for row in rule.push_access_levels] == [40]
    assert fail(400, project.branches.delete, "main") == "Cannot remove HEAD branch"


def test_branches_are_protected_by_name_or_pattern(project: Any) -> None:
    rule = project.protectedbranches.create({"name": "*-stable", "push_access_level": 0})
    assert (
        fail(409, project.protectedbranches.create, {"name": "*-stable"})
        == "Protected branch '*-stable' already exists"
    )
    rule.allow_force_push = True
    rule.save()
    assert project.protectedbranches.get("*-stable").allow_force_push is True
    assert not hasattr(rule, "code_owner_approval_required")
    rule.delete()
    assert fail(404, project.protectedbranches.get, "*-stable") == "404 Not found"


def test_labels_have_colours_and_new_names(project: Any, group: Any) -> None:
    for owner in (project, group):
        label = owner.labels.create({"name": "label", "color": "#778899"})
        label.new_name = "Label:that requires:encoding"
        label.save()
        assert owner.labels.get("Label:that requires:encoding").id == label.id
        assert fail(409, owner.labels.create, {"name": label.name, "color": "#778899"}) == "Label already exists"
        assert "must be a valid color code" in fail(400, owner.labels.create, {"name": "x", "color": "nice"})
        label.subscribe()
        assert owner.labels.get(label.name).subscribed is True
        label.delete()
        assert fail(404, owner.labels.get, label.name) == "404 Label Not Found"


def test_milestones_open_and_close(project: Any, group: Any) -> None:
    for owner in (project, group):
        milestone = owner.milestones.create({"title": "m1"})
        milestone.due_date = "2020-01-01T00:00:00Z"
        milestone.state_event = "close"
        milestone.save()
        found = owner.milestones.get(milestone.id)
        assert (found.state, found.due_date, found.expired, list(found.issues()), list(found.merge_requests())) == (
            "closed",
            "2020-01-01",
            True,
            [],
            [],
        )


def test_issues_live(project: Any) -> None:
    issue = project.issues.create({"title": "one", "labels": "a,b"})
    issue.state_event = "close"
    issue.labels = ["b", "c"]
    issue.save()
    assert (project.issues.get(issue.iid).state, project.issues.get(issue.iid).labels) == ("closed", ["b", "c"])
    note = issue.notes.create({"body": "hello"})
    assert note in issue.notes.list()
    emoji = issue.awardemojis.create({"name": "tractor"})
    assert emoji in issue.awardemojis.list()
    assert issue.resourcelabelevents.list()
    assert [row.iid for row in project.issues.list(state="closed")] == [issue.iid]
    assert {row["username"] for row in issue.participants()} == {"root"}


def test_a_merge_request_lives(gl: gitlab.Gitlab, project: Any) -> None:
    mr = open_mr(project)
    assert project.mergerequests.get(str(mr.iid)).detailed_merge_status == "mergeable"
    mr.labels = ["label2"]
    mr.save()
    event = mr.resourcelabelevents.list()[0]
    assert mr.resourcelabelevents.get(event.id).label["name"] == "label2"
    mr.milestone_id = project.milestones.create({"title": "m"}).id
    mr.save()
    assert mr.resourcemilestoneevents.list()[0].milestone["title"] == "m"
    assert [row.title for row in mr.commits()] == [f"Add {mr.source_branch}.md"]
    assert [row["new_path"] for row in mr.changes()["changes"]] == [f"{mr.source_branch}.md"]
    assert [row.state for row in mr.diffs.list()] == ["collected"]
    assert mr.diffs.get(mr.diffs.list()[0].id).diffs[0]["new_file"] is True
    assert [row["username"] for row in mr.participants()] == ["root"]
    assert mr.rebase() == {"rebase_in_progress": True}
    assert "commit_id" in mr.merge_ref()
    assert mr.time_estimate("1h30m")["time_estimate"] == 5400
    mr.todo()
    assert mr.id in [row.target["id"] for row in gl.todos.list(get_all=True)]


def test_discussions_are_held_and_resolved(project: Any) -> None:
    mr = open_mr(project)
    discussion = mr.discussions.create({"body": "why?"})
    note = discussion.notes.create({"body": "because"})
    changed = discussion.notes.get(note.id)
    changed.body = "since"
    changed.save()
    found = mr.discussions.get(discussion.id)
    assert [row["body"] for row in found.attributes["notes"]] == ["why?", "since"]
    found.resolved = True
    found.save()
    assert all(row["resolved"] for row in mr.discussions.get(discussion.id).attributes["notes"])
    changed.delete()
    assert fail(404, mr.discussions.get, "0" * 40) == "404 Discussion Not Found"


def test_a_merge_request_is_merged_once(project: Any) -> None:
    mr = open_mr(project)
    project.mergerequests.get(mr.iid)
    mr.merge(should_remove_source_branch=True)
    merged = project.mergerequests.get(mr.iid)
    assert (merged.state, merged.merge_user["username"], merged.detailed_merge_status) == ("merged", "root", "not_open")
    assert fail(405, merged.merge) == "405 Method Not Allowed"
    assert fail(404, project.branches.get, mr.source_branch) == "404 Branch Not Found"


def test_a_long_merge_message_arrives_whole(project: Any) -> None:
    mr = open_mr(project)
    project.mergerequests.get(mr.iid)
    mr.merge(merge_commit_message="large_message\r\n" * 1000)
    assert (
        project.commits.get(project.mergerequests.get(mr.iid).merge_commit_sha).message.count("large_message") == 1000
    )


def test_a_merge_ref_is_refused_on_conflict(project: Any) -> None:
    mr = open_mr(project)
    put(project, "main", f"{mr.source_branch}.md", "other\n")
    assert fail(400, mr.merge_ref) == "Merge request is not mergeable"
    assert project.mergerequests.get(mr.iid).detailed_merge_status == "conflict"


def test_an_automatic_merge_waits_and_is_cancelled(project: Any) -> None:
    mr = open_mr(project)
    put(
        project,
        mr.source_branch,
        ".gitlab-ci.yml",
        "test:\n  rules:\n    - if: $CI_PIPELINE_SOURCE == 'merge_request_event'\n  script: sleep 9\n",
    )
    project.mergerequests.get(mr.iid).merge(merge_when_pipeline_succeeds=True)
    waiting = project.mergerequests.get(mr.iid)
    assert (waiting.merged_at, waiting.merge_when_pipeline_succeeds, waiting.head_pipeline["status"]) == (
        None,
        True,
        "pending",
    )
    assert waiting.cancel_merge_when_pipeline_succeeds() == {"status": "success"}
    assert fail(406, waiting.cancel_merge_when_pipeline_succeeds) == "Can't cancel the automatic merge"


def test_a_bot_resets_approvals_and_people_may_not(login: Login, project: Any) -> None:
    mr = open_mr(project)
    project.mergerequests.get(mr.iid).approve()
    assert fail(401, mr.reset_approvals) == "401 Unauthorized"
    bot = project.access_tokens.create({"name": "bot", "scopes": ["api"]})
    theirs = login(bot.token).projects.get(project.id, lazy=True)
    assert theirs.mergerequests.get(mr.iid).reset_approvals()
    assert mr.approvals.get().approved_by == []


def test_approval_rules_need_premium(project: Any) -> None:
    assert fail(404, project.approvalrules.list) == "404 Not Found"
    assert fail(404, project.pushrules.get) == "404 Not Found"


def test_variables_are_checked(gl: gitlab.Gitlab, project: Any, group: Any) -> None:
    for owner in (project, group, gl):
        key = name("KEY").replace("-", "_")
        variable = owner.variables.create({"key": key, "value": "a-long-value", "masked": True, "protected": True})
        assert (variable.masked, variable.protected, variable in owner.variables.list(get_all=True)) == (
            True,
            True,
            True,
        )
        assert "has already been taken" in fail(400, owner.variables.create, {"key": key, "value": "v"})
        assert "is invalid" in fail(400, owner.variables.create, {"key": key + "2", "value": "x", "masked": True})
        variable.value = "another-value"
        variable.save()
        assert owner.variables.get(key).value == "another-value"
        variable.delete()
        assert fail(404, owner.variables.get, key).startswith("404")


def test_hooks_are_kept_without_their_secret(project: Any) -> None:
    hook = project.hooks.create({"url": "http://localhost:1/x", "token": "secret", "merge_requests_events": True})
    assert (hook.merge_requests_events, hook.push_events, hasattr(hook, "token"), hook.alert_status) == (
        True,
        True,
        False,
        "executable",
    )
    hook.note_events = True
    hook.save()
    assert project.hooks.get(hook.id).note_events is True
    assert fail(422, project.hooks.create, {"url": "ftp://x"}) == "Invalid url given"
    hook.delete()


def test_access_tokens_make_bots_and_rotate(login: Login, project: Any) -> None:
    token = project.access_tokens.create({"name": "bot", "scopes": ["api"], "access_level": 30})
    bot = login(token.token)
    bot.auth()
    assert bot.user.username.startswith(f"project_{project.id}_bot_")
    assert (bot.user.bot, project.members.get(bot.user.id).access_level) == (True, 30)
    fresh = project.access_tokens.rotate(token.id)
    assert fail(401, bot.auth) == "invalid_token"
    assert fresh["token"] != token.token
    assert (
        fail(400, project.access_tokens.create, {"name": "x", "scopes": ["no"]}) == "scopes does not have a valid value"
    )


def test_pipelines_start_list_and_cancel(project: Any) -> None:
    assert fail(400, project.pipelines.create, {"ref": "main"}) == "{'base': ['Missing CI config file']}"
    put(
        project,
        "main",
        ".gitlab-ci.yml",
        "build:\n  stage: build\n  script: echo\ntest:\n  script: echo\n  needs: []\n",
    )
    assert fail(400, project.pipelines.create, {"ref": "nowhere"})
    pipeline = project.pipelines.create({"ref": "main", "variables": [{"key": "A", "value": "1"}]})
    assert [(row.name, row.stage, row.status) for row in reversed(pipeline.jobs.list())] == [
        ("build", "build", "pending"),
        ("test", "test", "pending"),
    ]
    assert [(row.key, row.value) for row in pipeline.variables.list()] == [("A", "1")]
    pipeline.cancel()
    assert project.pipelines.get(pipeline.id).status == "canceled"
    assert project.pipelines.list(status="canceled")[0].id == pipeline.id
    assert project.pipelines.latest().ref == "main"
    pipeline.delete()


def test_schedules_and_triggers_start_pipelines(project: Any) -> None:
    put(project, "main", ".gitlab-ci.yml", "test:\n  script: echo\n")
    schedule = project.pipelineschedules.create({"ref": "main", "description": "nightly", "cron": "0 1 * * *"})
    schedule.variables.create({"key": "A", "value": "1"})
    number = schedule.id
    schedule.play()
    found = project.pipelineschedules.get(number)
    assert (found.last_pipeline["ref"], project.pipelines.list(source="schedule")[0].id) == (
        "main",
        found.last_pipeline["id"],
    )
    assert "syntax is invalid" in fail(
        400, project.pipelineschedules.create, {"ref": "main", "description": "x", "cron": "nonsense"}
    )
    trigger = project.triggers.create({"description": "t"})
    assert project.trigger_pipeline("main", trigger.token, variables={"B": "2"}).source == "trigger"
    assert fail(404, project.trigger_pipeline, "main", "wrong") == "404 Not Found"


def test_a_configuration_is_linted(project: Any) -> None:
    good = project.ci_lint.create({"content": "test:\n  script: echo\n"})
    assert (good.valid, good.errors) == (True, [])
    bad = project.ci_lint.create({"content": "test:\n  stage: nowhere\n  script: echo\n"})
    assert (bad.valid, bad.errors[0].startswith("test job: chosen stage nowhere")) == (False, True)
    with pytest.raises(gitlab.exceptions.GitlabCiLintError):
        project.ci_lint.validate({"content": "a: [\n"})


def test_uploads_come_back(forge: Forge, project: Any) -> None:
    made = project.upload("test.txt", "contents")
    assert made["markdown"] == f"[test.txt]({made['url']})"
    assert httpx.get(forge.url + made["full_path"]).text == "contents"


@pytest.mark.parametrize(
    ("manager", "fields", "change"),
    [
        ("badges", {"link_url": "http://a", "image_url": "http://b"}, {"image_url": "http://c"}),
        ("environments", {"name": "env1", "external_url": "http://x"}, {"external_url": "http://y"}),
        ("snippets", {"title": "s", "file_name": "a.py", "content": "x", "visibility": "private"}, {"title": "t"}),
        ("wikis", {"title": "page", "content": "text"}, {"content": "other"}),
        ("remote_mirrors", {"url": "https://gitlab.example.com/x.git"}, {"enabled": True}),
        ("boards", {"name": "board"}, {"name": "plank"}),
    ],
)
def test_small_resources_are_kept(project: Any, manager: str, fields: dict[str, Any], change: dict[str, Any]) -> None:
    rows = getattr(project, manager)
    made = rows.create(fields)
    assert made in rows.list()
    for key, value in change.items():
        setattr(made, key, value)
    made.save()
    assert {key: getattr(rows.list()[0], key) for key in change} == change
    made.delete()
    assert not rows.list()


def test_the_instance_has_settings_topics_messages_and_templates(gl: gitlab.Gitlab) -> None:
    settings = gl.settings.get()
    settings.default_projects_limit = 42
    settings.save()
    assert gl.settings.get().default_projects_limit == 42
    topic = gl.topics.create({"name": name("topic"), "title": "T"})
    assert gl.topics.get(topic.id).title == "T"
    topic.delete()
    message = gl.broadcastmessages.create({"message": "hear"})
    message.color = "#444444"
    message.save()
    assert gl.broadcastmessages.get(message.id).color == "#444444"
    message.delete()
    assert len(gl.gitlabciymls.list(get_all=True)) > 20
    assert gl.licenses.get("bsd-2-clause", fullname="Ada").content.count("Ada") == 1
    assert "foo" in gl.markdown("foo")
    assert "default" in gl.sidekiq.queue_metrics()["queues"]


def test_namespaces_and_search(gl: gitlab.Gitlab, project: Any) -> None:
    assert gl.namespaces.get("root").kind == "user"
    assert gl.namespaces.exists("root").exists is True
    assert gl.search("users", "Administrator")[0]["id"] == 1
    assert [row["id"] for row in gl.search("projects", project.name)] == [project.id]
    assert project.search("blobs", "Initial")[0]["path"] == "README.md"


def test_an_unknown_address_is_404_and_a_wrong_verb_405(forge: Forge) -> None:
    assert (forge.root.get("/nothing").status_code, forge.root.get("/nothing").json()) == (
        404,
        {"error": "404 Not Found"},
    )
    assert (forge.root.patch("/projects").status_code, forge.root.patch("/projects").json()) == (
        405,
        {"error": "405 Not Allowed"},
    )


def test_python_gitlab_pages_through_all_and_counts(gl: gitlab.Gitlab, project: Any) -> None:
    for number in range(45):
        project.labels.create({"name": f"l{number:02}", "color": "#112233"})
    rows = project.labels.list(iterator=True, per_page=20)
    assert (rows.total, len(list(rows))) == (45, 45)
    assert [row.name for row in project.labels.list(page=3, per_page=20)] == ["l40", "l41", "l42", "l43", "l44"]


def test_issues_are_linked_and_weighed(project: Any) -> None:
    one, two = (project.issues.create({"title": title}) for title in ("one", "two"))
    source, target = one.links.create({"target_project_id": project.id, "target_issue_iid": two.iid})
    assert (source, target) == (one, two)
    one.links.delete(one.links.list()[0].issue_link_id)
    assert not one.links.list()
    one.weight = 13
    one.save()
    assert one.resource_weight_events.list()[0].weight == 13


def test_deploy_tokens_and_keys_are_found_by_the_instance(gl: gitlab.Gitlab, project: Any, user: Any) -> None:
    token = project.deploytokens.create(
        {"name": "foo", "username": "bar", "expires_at": "2036-01-01", "scopes": ["read_registry"]}
    )
    assert (token.expires_at, token in gl.deploytokens.list(get_all=True)) == ("2036-01-01T00:00:00.000Z", True)
    assert token.token.startswith("gldt-")
    token.delete()
    text = "ssh-ed25519 " + base64.b64encode(uuid.uuid4().bytes).decode() + " me"
    key = user.keys.create({"title": "mine", "key": text})
    digest = base64.b64encode(hashlib.sha256(base64.b64decode(text.split()[1])).digest()).rstrip(b"=").decode()
    assert gl.keys.get(fingerprint=f"SHA256:{digest}").title == "mine"
    assert gl.keys.get(key.id).key == text


def test_snippets_have_their_text_and_discussions(gl: gitlab.Gitlab, project: Any) -> None:
    files = [{"file_path": "foo.py", "content": "import gitlab"}]
    for owner in (gl, project):
        snippet = owner.snippets.create({"title": "s", "files": files, "visibility": "private"})
        assert (snippet.file_name, snippet.content().decode()) == ("foo.py", "import gitlab")
    discussion = snippet.discussions.create({"body": "text"})
    assert discussion in snippet.discussions.list()


def test_integrations_pages_and_the_job_token_allowlist(gl: gitlab.Gitlab, project: Any) -> None:
    project.integrations.update("asana", {"api_key": "foo"})
    assert project.integrations.get("asana").active is True
    project.integrations.delete("asana")
    assert fail(404, project.integrations.get, "asana") == "404 Integration Not Found"
    project.pages.update(new_data={"pages_unique_domain_enabled": False})
    assert project.pages.get().is_unique_domain_enabled is False
    other = gl.projects.create({"name": name("other")})
    scope = project.job_token_scope.get()
    scope.allowlist.create({"target_project_id": other.id})
    assert [row.name for row in scope.allowlist.list()] == [other.name]
    scope.allowlist.delete(other.id)
    assert not scope.allowlist.list()


def test_free_has_no_licence(gl: gitlab.Gitlab) -> None:
    assert fail(404, gl.get_license)
