"""Webhook bodies, field for field as documented (doc: Webhook events)."""

from __future__ import annotations

from typing import Any

from tests.gitlab import access
from tests.gitlab.clock import hook_time, iso
from tests.gitlab.git import GitError, repo_of
from tests.gitlab.state import Row, World

STATES = {"opened": 1, "closed": 2, "merged": 3, "locked": 4}
LEVEL = {"private": 0, "internal": 10, "public": 20}


def person(world: World, user: Row | None) -> Row:
    """Return a user; mails are hidden unless public."""
    user = user or {"id": None, "name": None, "username": None, "avatar": None}
    names = {name: user[name] for name in ("id", "name", "username")}
    return {**names, "avatar_url": user["avatar"], "email": user.get("public_email") or "[REDACTED]"}


def project_part(world: World, project: Row) -> Row:
    """Return the project."""
    path = access.project_path(world, project)
    web = f"{world.address}/{path}"
    host = world.address.split("//", 1)[1].split("/")[0].split(":")[0]
    return {
        "id": project["id"],
        "name": project["name"],
        "description": project["description"] or "",
        "web_url": web,
        "avatar_url": None,
        "git_ssh_url": f"git@{host}:{path}.git",
        "git_http_url": f"{web}.git",
        "namespace": world.the("namespaces", project["namespace_id"])["name"],
        "visibility_level": LEVEL[project["visibility"]],
        "path_with_namespace": path,
        "default_branch": project["default_branch"],
        "ci_config_path": project["ci_config_path"],
    }


def _repository(world: World, project: Row) -> Row:
    part = project_part(world, project)
    return {
        "name": part["name"],
        "url": part["git_ssh_url"],
        "description": part["description"],
        "homepage": part["web_url"],
    }


def commit(world: World, project: Row, sha: str | None) -> Row | None:
    """Return a commit, or None."""
    from tests.gitlab import commits

    if not sha:
        return None
    try:
        row = commits.read(repo_of(world, project), "-1", sha)[0]
    except GitError:
        return None
    url = f"{world.address}/{access.project_path(world, project)}/-/commit/{sha}"
    author = {"name": row["author_name"], "email": "[REDACTED]"}
    return {"id": sha, "message": row["message"], "title": row["title"],
            "timestamp": row["authored_date"].replace(".000", ""), "url": url, "author": author}  # fmt: skip


def label(world: World, project: Row, name: str) -> Row:
    """Return a label by name."""
    from tests.gitlab.labels import find

    row = find(world, project, name) or {"id": 0, "name": name, "color": "", "created_at": None, "updated_at": None}
    group = row.get("source") == "group"
    return {"id": row["id"], "title": row["name"], "color": row["color"], "project_id": None if group else project["id"],
            "created_at": hook_time(row["created_at"]), "updated_at": hook_time(row["updated_at"]), "template": False,
            "description": row.get("description"), "type": "GroupLabel" if group else "ProjectLabel",
            "group_id": row["source_id"] if group else None}  # fmt: skip


def merge_request(world: World, project: Row, mr: Row, user: Row, action: str, changes: Row) -> Row:
    """Return the body of a merge request hook."""
    labels = [label(world, project, name) for name in mr["labels"]]
    people = {name: [world.get("users", key) for key in mr[f"{name[:-1]}_ids"]] for name in ("assignees", "reviewers")}
    drawn = {name: {"previous": old, "current": new} for name, (old, new) in changes.items()}
    if "labels" in drawn:
        drawn["labels"] = {
            side: [label(world, project, name) for name in names] for side, names in drawn["labels"].items()
        }
    states = mr["review_states"]
    return {
        "object_kind": "merge_request",
        "event_type": "merge_request",
        "user": person(world, user),
        "project": project_part(world, project),
        "repository": _repository(world, project),
        "object_attributes": attributes(world, project, mr, action, labels),
        "labels": labels,
        "changes": drawn,
        **({"assignees": [person(world, row) for row in people["assignees"]]} if people["assignees"] else {}),
        **({"reviewers": [{**person(world, row), "state": states.get(str(row["id"]), "unreviewed")}
                          for row in people["reviewers"] if row]} if people["reviewers"] else {}),
    }  # fmt: skip


def attributes(world: World, project: Row, mr: Row, action: str, labels: list[Row]) -> Row:
    """Return the merge request itself."""
    from tests.gitlab import mergeability, pipelines
    from tests.gitlab.merge_requests import is_draft, web_url

    head = pipelines.head_pipeline(world, mr)
    draft = is_draft(mr)
    return {
        **{name: mr[name] for name in ("id", "iid", "author_id", "assignee_ids", "reviewer_ids", "title", "description",
                                       "state", "source_branch", "target_branch", "source_project_id",
                                       "merge_commit_sha", "squash_commit_sha", "merge_error", "merge_user_id",
                                       "milestone_id", "time_estimate")},
        "assignee_id": mr["assignee_ids"][0] if mr["assignee_ids"] else None,
        "target_project_id": mr["project_id"],
        "draft": draft,
        "work_in_progress": draft,
        "first_contribution": False,
        "state_id": STATES[mr["state"]],
        "target_branch_protected": bool(access.protections(world, project, mr["target_branch"])),
        "head_pipeline_id": head["id"] if head else None,
        "merge_status": mergeability.merge_status(world, mr),
        "detailed_merge_status": mergeability.detailed(world, mr),
        "merged_at": hook_time(mr["merged_at"]),
        "merge_when_pipeline_succeeds": mr["auto_merge"] is not None,
        "merge_params": {"force_remove_source_branch": "1" if mr["remove_source_branch"] else "0"},
        "blocking_discussions_resolved": mergeability.discussions_resolved(world, mr),
        "created_at": hook_time(mr["created_at"]),
        "updated_at": hook_time(mr["updated_at"]),
        "prepared_at": hook_time(mr["prepared_at"]),
        "last_edited_at": None,
        "last_edited_by_id": None,
        "updated_by_id": None,
        "total_time_spent": mr["time_spent"],
        "time_change": 0,
        "human_total_time_spent": None,
        "human_time_change": None,
        "human_time_estimate": None,
        "last_commit": commit(world, world.get("projects", mr["source_project_id"]) or project, mr["head_sha"]),
        "labels": labels,
        "source": project_part(world, world.get("projects", mr["source_project_id"]) or project),
        "target": project_part(world, project),
        "url": web_url(world, mr),
        "action": action,
        "actioned_at": iso(world.now()),
        "system": False,
    }  # fmt: skip


def push(world: World, project: Row, user: Row, ref: str, old: str, new: str) -> Row:
    """Return the body of a push or tag hook; at most 20 commits, oldest first."""
    repo, gone, fresh = repo_of(world, project), set(new) == {"0"}, set(old) == {"0"}
    span = [] if gone else ["-1", new] if fresh else [f"{old}..{new}"]
    shas = repo.text("rev-list", *span).splitlines() if span else []
    kind = "tag_push" if ref.startswith("refs/tags/") else "push"
    return {
        "object_kind": kind,
        "event_name": kind,
        "before": old,
        "after": new,
        "ref": ref,
        "ref_protected": bool(access.protections(world, project, ref.removeprefix("refs/heads/"))),
        "checkout_sha": None if gone else new,
        "message": None,
        "user_id": user["id"],
        "user_name": user["name"],
        "user_username": user["username"],
        "user_email": None,
        "user_avatar": user["avatar"],
        "project_id": project["id"],
        "project": project_part(world, project),
        "commits": [_with_files(world, project, sha) for sha in reversed(shas[:20])],
        "total_commits_count": len(shas),
        "push_options": {},
        "repository": {**_repository(world, project), "visibility_level": LEVEL[project["visibility"]]},
    }


def _with_files(world: World, project: Row, sha: str) -> Row:
    out = repo_of(world, project).text("show", "--name-status", "--no-renames", "--format=", "--first-parent", sha)
    names: dict[str, list[str]] = {"A": [], "M": [], "D": []}
    for line in out.splitlines():
        names.setdefault(line[:1], []).append(line[2:])
    return {**(commit(world, project, sha) or {}), "added": names["A"], "modified": names["M"], "removed": names["D"]}


def note(world: World, project: Row, user: Row, row: Row, subject: Row) -> Row:
    """Return the body of a note hook."""
    kind = {"MergeRequest": "merge_request", "Issue": "issue"}.get(row["noteable"], "commit")
    shown: Any = {**subject}
    if kind == "merge_request":
        shown = attributes(world, project, subject, "update", [])
        shown.pop("action")
    return {
        "object_kind": "note",
        "event_type": "note",
        "user": person(world, user),
        "project_id": project["id"],
        "project": project_part(world, project),
        "repository": _repository(world, project),
        "object_attributes": {
            "id": row["id"], "note": row["body"], "noteable_type": row["noteable"], "noteable_id": row["noteable_id"],
            "author_id": row["author_id"], "project_id": project["id"], "discussion_id": row["discussion_id"],
            "created_at": hook_time(row["created_at"]), "updated_at": hook_time(row["updated_at"]), "system": row["system"],
            "type": row["type"], "position": row["position"], "line_code": None, "commit_id": row["commit_id"],
            "resolved_at": hook_time(row["resolved_at"]), "resolved_by_id": row["resolved_by_id"], "attachment": None,
            "internal": row["internal"], "action": "create", "url": f"{world.address}/-/notes/{row['id']}"},
        kind: shown,
    }  # fmt: skip


def pipeline(world: World, project: Row, row: Row) -> Row:
    """Return the body of a pipeline hook."""
    mr = world.get("merge_requests", row.get("mr_id"))
    user = world.get("users", row["user_id"])
    names = ("id", "iid", "project_id", "title", "source_branch", "source_project_id", "target_branch", "state")
    jobs = world.find("jobs", pipeline_id=row["id"])
    return {
        "object_kind": "pipeline",
        "object_attributes": {
            "id": row["id"], "iid": row["iid"], "name": None, "ref": row["ref"], "tag": row["tag"], "sha": row["sha"],
            "before_sha": row["before_sha"], "source": row["source"], "status": row["status"],
            "detailed_status": "passed" if row["status"] == "success" else row["status"], "stages": row["stages"],
            "created_at": hook_time(row["created_at"]), "finished_at": hook_time(row["finished_at"]),
            "duration": row["duration"], "variables": [], "url": f"{world.address}/-/pipelines/{row['id']}"},
        "merge_request": {**{name: mr[name] for name in names}, "target_project_id": mr["project_id"]} if mr else None,
        "user": person(world, user),
        "project": project_part(world, project),
        "commit": commit(world, project, row["sha"]),
        "builds": [{name: job[name] for name in ("id", "stage", "name", "status", "when", "allow_failure")} for job in jobs],
    }  # fmt: skip
