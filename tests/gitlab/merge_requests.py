"""Merge requests: made, listed, shown, changed, deleted."""

from __future__ import annotations

import re
from typing import Any

from tests.gitlab import access, approvals, errors, events, labels, mergeability, pipelines, subject, users, versions
from tests.gitlab.call import Call, Reply
from tests.gitlab.clock import iso
from tests.gitlab.filters import wanted
from tests.gitlab.git import Repo, repo_of
from tests.gitlab.milestones import shown as milestone
from tests.gitlab.pagination import paged
from tests.gitlab.routes import DEVELOPER, REPORTER, route
from tests.gitlab.state import Row, World

DRAFT = re.compile(r"^\s*(\[draft\]|\(draft\)|draft:)\s*", re.IGNORECASE)


def reference(mr: Row) -> str:
    """Return `!7`."""
    return f"!{mr['iid']}"


def web_url(world: World, mr: Row) -> str:
    """Return the address of a merge request's page."""
    project = world.the("projects", mr["project_id"])
    return f"{world.address}/{access.project_path(world, project)}/-/merge_requests/{mr['iid']}"


def is_draft(mr: Row) -> bool:
    """Return whether the title says draft."""
    return DRAFT.match(mr["title"]) is not None


def basic(world: World, mr: Row) -> Row:
    """Return a merge request as lists and its own page show it alike."""
    project = world.the("projects", mr["project_id"])
    people = {name: [users.by_id(world, key) for key in mr[f"{name[:-1]}_ids"]] for name in ("assignees", "reviewers")}
    merger = users.by_id(world, mr["merge_user_id"])
    draft = is_draft(mr)
    return {
        **{name: mr[name] for name in ("id", "iid", "project_id", "title", "description", "state", "target_branch",
                                       "source_branch", "source_project_id", "merge_commit_sha", "squash_commit_sha",
                                       "discussion_locked", "squash")},
        "created_at": iso(mr["created_at"]),
        "updated_at": iso(mr["updated_at"]),
        "merged_by": merger,
        "merge_user": merger,
        "merged_at": iso(mr["merged_at"]),
        "merge_after": None,
        "closed_by": users.by_id(world, mr["closed_by_id"]),
        "closed_at": iso(mr["closed_at"]),
        "user_notes_count": _count_notes(world, mr),
        "upvotes": _votes(world, mr, "thumbsup"),
        "downvotes": _votes(world, mr, "thumbsdown"),
        "author": users.by_id(world, mr["author_id"]),
        **people,
        "assignee": people["assignees"][0] if people["assignees"] else None,
        "target_project_id": mr["project_id"],
        "labels": list(mr["labels"]),
        "draft": draft,
        "imported": False,
        "imported_from": "none",
        "work_in_progress": draft,
        "milestone": milestone(world, world.get("milestones", mr["milestone_id"])),
        "merge_when_pipeline_succeeds": mr["auto_merge"] is not None,
        "merge_status": mergeability.merge_status(world, mr),
        "detailed_merge_status": mergeability.detailed(world, mr),
        "sha": mr["head_sha"],
        "prepared_at": iso(mr["prepared_at"]),
        "should_remove_source_branch": (mr["auto_merge"] or {}).get("should_remove_source_branch"),
        "force_remove_source_branch": mr["remove_source_branch"],
        "reference": reference(mr),
        "references": {"short": reference(mr), "relative": reference(mr),
                       "full": f"{access.project_path(world, project)}{reference(mr)}"},
        "web_url": web_url(world, mr),
        "time_stats": {"time_estimate": mr["time_estimate"], "total_time_spent": mr["time_spent"],
                       "human_time_estimate": None, "human_total_time_spent": None},
        "squash_on_merge": mergeability.squashes(project, mr, None),
        "task_completion_status": _tasks(mr["description"] or ""),
        "has_conflicts": mergeability.known_conflict(world, mr),
        "blocking_discussions_resolved": mergeability.discussions_resolved(world, mr),
        **({"approvals_before_merge": None} if world.paid else {}),
    }  # fmt: skip


def _tasks(text: str) -> Row:
    boxes = re.findall(r"^\s*(?:[-*+]|\d+\.)\s+\[([ xX])\]", text, re.MULTILINE)
    return {"count": len(boxes), "completed_count": sum(box in "xX" for box in boxes)}


def _count_notes(world: World, mr: Row) -> int:
    return sum(not row["system"] for row in world.find("notes", noteable="MergeRequest", noteable_id=mr["id"]))


def _votes(world: World, mr: Row, name: str) -> int:
    return sum(1 for _ in world.find("awards", of="merge_requests", of_id=mr["id"], name=name))


def listed_one(call: Call, mr: Row) -> Row:
    """Return a merge request as lists show it."""
    if call.text("view") == "simple":
        names = ("id", "iid", "project_id", "title", "description", "state", "created_at", "updated_at", "web_url")
        return {name: value for name, value in basic(call.world, mr).items() if name in names}
    row = basic(call.world, mr)
    if call.flag("with_labels_details"):
        row["labels"] = labels.details(call.world, call.world.the("projects", mr["project_id"]), mr["labels"])
    return row


def full(call: Call, mr: Row) -> Row:
    """Return a merge request as its own page shows it."""
    world, project = call.world, call.world.the("projects", mr["project_id"])
    pipeline = pipelines.head_pipeline(world, mr)
    changed = len(repo_of(world, project).changed(mr["base_sha"], mr["head_sha"])) if mr["base_sha"] else 0
    rebasing = {"rebase_in_progress": mr["rebase_in_progress"]} if call.flag("include_rebase_in_progress") else {}
    diverged = {"diverged_commits_count": _diverged(call, mr)} if call.flag("include_diverged_commits_count") else {}
    return {
        **basic(world, mr),
        "subscribed": call.user is not None and call.user["id"] in mr["subscribers"],
        "changes_count": str(changed) if mr["head_sha"] else None,
        "latest_build_started_at": iso(pipeline["started_at"]) if pipeline else None,
        "latest_build_finished_at": iso(pipeline["finished_at"]) if pipeline else None,
        "first_deployed_to_production_at": None,
        "pipeline": pipelines.brief(world, pipeline) if pipeline else None,
        "head_pipeline": pipelines.full(world, pipeline) if pipeline else None,
        "diff_refs": {"base_sha": mr["base_sha"], "head_sha": mr["head_sha"], "start_sha": mr["start_sha"]},
        "merge_error": mr["merge_error"],
        "first_contribution": False,
        "user": {"can_merge": access.can_merge(world, project, call.user, mr["target_branch"])},
        "allow_collaboration": mr["allow_collaboration"],
        "allow_maintainer_to_push": mr["allow_collaboration"],
        **rebasing,
        **diverged,
    }


def _diverged(call: Call, mr: Row) -> int:
    repo = repo_of(call.world, call.project)
    target = repo.head(mr["target_branch"])
    return repo.count(f"{mr['head_sha']}..{target}") if target and mr["head_sha"] else 0


def commit_ids(repo: Repo, mr: Row) -> list[str]:
    """Return the commits of the newest version, newest first."""
    if not mr["base_sha"] or not mr["head_sha"]:
        return []
    return repo.text("rev-list", f"{mr['start_sha']}..{mr['head_sha']}").splitlines()


def index(call: Call) -> Reply:
    """List merge requests of a project, a group, or those the caller made."""
    if call.project:
        rows, scope = call.world.rows("merge_requests", project_id=call.project["id"]), "all"
    else:
        rows, scope = _everywhere(call), "all" if call.group else "created_by_me"
    chosen = [row for row in rows if wanted(call, row, scope)]
    column = {"merged_at": "merged_at", "updated_at": "updated_at", "title": "title"}.get(
        call.text("order_by"), "created_at"
    )
    chosen.sort(key=lambda row: (row[column] or 0, row["id"]) if column != "title" else (row["title"], row["id"]))
    if call.text("sort", "desc") == "desc":
        chosen.reverse()
    if call.flag("with_merge_status_recheck"):
        for row in chosen:
            mergeability.observe(call.world, row)
    return paged(call, chosen, lambda row: listed_one(call, row))


def _everywhere(call: Call) -> list[Row]:
    from tests.gitlab.groups import below

    spaces = {row["id"] for row in below(call.world, call.group)} if call.group else None
    chosen = []
    for row in call.world.find("merge_requests"):
        project = call.world.the("projects", row["project_id"])
        inside = spaces is None or project["namespace_id"] in spaces
        if inside and access.can_see_project(call.world, project, call.user):
            chosen.append(row)
    return chosen


def show(call: Call) -> Row:
    """Return one merge request; asking starts the mergeability check."""
    mergeability.observe(call.world, call.mr)
    return full(call, call.mr)


def create(call: Call) -> Row:
    """Open a merge request from a branch."""
    world, source = call.world, call.project
    target = source
    if call.int("target_project_id") not in {None, source["id"]}:
        found = world.get("projects", call.int("target_project_id"))
        if found is None or not access.can_see_project(world, found, call.user):
            raise errors.not_found("Project")
        target = found
    if access.project_role(world, source, call.user) < DEVELOPER:
        raise errors.forbidden()
    check_branches(world, source, target, call.text("source_branch"), call.text("target_branch"))
    mr = open_mr(world, source, target, call.me, given(call, target), call.listed("labels"))
    return full(call, mr)


def check_branches(world: World, source: Row, target: Row, source_branch: str, target_branch: str) -> None:
    """Refuse what cannot become a merge request.

    Raises:
        ApiError: 409 for a second open one; 422 for branches that are equal or missing.
    """
    if source is target and source_branch == target_branch:
        raise errors.unprocessable(["You can't use same project/branch for source and target"])
    if repo_of(world, source).head(source_branch) is None:
        raise errors.unprocessable([f'Source branch "{source_branch}" does not exist'])
    if repo_of(world, target).head(target_branch) is None:
        raise errors.unprocessable([f'Target branch "{target_branch}" does not exist'])
    other = open_one(world, source, target, source_branch, target_branch)
    if other:
        raise errors.conflict([f"Another open merge request already exists for this source branch: {reference(other)}"])


def open_one(world: World, source: Row, target: Row, source_branch: str, target_branch: str) -> Row | None:
    """Return the open merge request between two branches, or None."""
    return world.one(
        "merge_requests", project_id=target["id"], source_project_id=source["id"], source_branch=source_branch,
        target_branch=target_branch, state="opened",
    )  # fmt: skip


def given(call: Call, project: Row) -> Row:
    """Return the fields a create or update call sets."""
    fields: Row = {}
    for name in ("title", "description", "source_branch", "target_branch"):
        if call.has(name):
            fields[name] = call.text(name)
    for name in ("squash", "remove_source_branch", "discussion_locked"):
        if call.has(name):
            fields[name] = call.flag(name)
    for name in ("allow_collaboration", "allow_maintainer_to_push"):
        if call.has(name):
            fields["allow_collaboration"] = call.flag(name)
    if call.has("milestone_id"):
        fields["milestone_id"] = call.int("milestone_id") or None
    return fields | _people(call, project)


def _people(call: Call, project: Row) -> Row:
    """Return assignees and reviewers: Free keeps one of each, and only people of the project count."""
    fields = {}
    for name in ("assignee", "reviewer"):
        ids = None
        if call.has(f"{name}_ids"):
            ids = call.ids(f"{name}_ids")
        elif call.has(f"{name}_id"):
            ids = [call.int(f"{name}_id")] if call.int(f"{name}_id") else []
        if ids is not None:
            fields[f"{name}_ids"] = people(call.world, project, ids)
    return fields


def people(world: World, project: Row, ids: list[int]) -> list[int]:
    """Return those who can read the merge request; on Free the last of them alone (gl#331244)."""
    known = []
    for key in dict.fromkeys(ids):
        user = world.get("users", key)
        if user and access.can_see_project(world, project, user):
            known.append(key)
    return known if world.paid else known[-1:]


def open_mr(world: World, source: Row, target: Row, user: Row, fields: Row, names: list[str] | None = None) -> Row:
    """Store a new merge request, its first version, rules, pipeline and hook, and return it."""
    if len(fields.get("description") or "") > 1_048_576:
        raise errors.refused(description=["is too long (maximum is 1048576 characters)"])
    default_squash = target["squash_option"] in {"default_on", "always"}
    mr = world.add("merge_requests", {
        "project_id": target["id"], "source_project_id": source["id"], "iid": world.next_iid("merge_requests", target["id"]),
        "description": "", "state": "opened", "author_id": user["id"], "assignee_ids": [], "reviewer_ids": [],
        "review_states": {}, "labels": [], "milestone_id": None, "squash": default_squash,
        "remove_source_branch": False, "head_sha": None, "base_sha": None, "start_sha": None,
        "merge_commit_sha": None, "squash_commit_sha": None, "merged_at": None, "merge_user_id": None,
        "closed_at": None, "closed_by_id": None, "discussion_locked": None, "prepared_at": world.now(),
        "auto_merge": None, "merge_error": None, "rebase_in_progress": False, "rebase_sha": None, "subscribers": [user["id"]],
        "time_estimate": 0, "time_spent": 0, "allow_collaboration": False, "syncing": False, "check": {},
        "verdict": None, "rules_overwritten": False, **fields})  # fmt: skip
    if mr["squash"] and target["squash_option"] == "never":
        mr["squash"] = False
    versions.add(world, mr)
    mergeability.start(world, mr)
    approvals.copy_rules(world, target, mr)
    labels.put_on(world, target, mr, names or [], user)
    events.merge_request(world, mr, user, "open", {"state_id": [None, 1]})
    pipelines.for_merge_request(world, mr, user)
    return mr


def may_edit(call: Call) -> bool:
    """Return whether the caller may change the merge request: its author, or a Developer up."""
    role = access.project_role(call.world, call.project, call.user)
    return role >= DEVELOPER or (call.me["id"] == call.mr["author_id"] and role >= REPORTER)


def update(call: Call) -> Row:
    """Change a merge request: fields, labels, state."""
    from tests.gitlab import transitions

    if not may_edit(call):
        raise errors.forbidden()
    if not set(call.args) - {"id", "merge_request_iid", "private_token"}:
        raise errors.ApiError(400, {"error": "at least one parameter must be provided"})
    mr, world = call.mr, call.world
    fields = given(call, call.project)
    fields.pop("source_branch", None)
    if "title" in fields and not fields["title"]:
        raise errors.refused(title=["can't be blank"])
    changes = _apply(world, mr, fields, call.me)
    changes |= _labels(call)
    if changes:
        mr["updated_at"] = world.now()
        events.merge_request(world, mr, call.me, "update", changes)
    if call.text("state_event"):
        transitions.change_state(call, call.text("state_event"))
    return full(call, mr)


def _apply(world: World, mr: Row, fields: Row, user: Row) -> Row:
    changes = {}
    for name, value in fields.items():
        if mr[name] != value:
            changes[name] = [mr[name], value]
            mr[name] = value
    if "target_branch" in changes:
        versions.add(world, mr)
        mergeability.start(world, mr)
        approvals.after_retarget(world, mr)
    if "milestone_id" in changes:
        action = "add" if mr["milestone_id"] else "remove"
        key = mr["milestone_id"] or changes["milestone_id"][0]
        events.resource(world, mr, user, "milestone", action=action, milestone_id=key)
    if "title" in changes and DRAFT.match(changes["title"][0]) != DRAFT.match(mr["title"]):
        changes["draft"] = [bool(DRAFT.match(changes["title"][0])), is_draft(mr)]
    return changes


def _labels(call: Call) -> Row:
    mr, before = call.mr, list(call.mr["labels"])
    names = call.listed("labels") if call.has("labels") else list(before)
    names = [*names, *(name for name in call.listed("add_labels") if name not in names)]
    names = [name for name in names if name not in call.listed("remove_labels")]
    if names == before:
        return {}
    labels.put_on(call.world, call.project, mr, names, call.me)
    return {"labels": [before, list(mr["labels"])]}


def delete(call: Call) -> None:
    """Delete a merge request; Owners and administrators only."""
    world, mr = call.world, call.mr
    for table in ("approvals", "mr_rules", "mr_versions", "resource_events"):
        world.drop_where(table, mr_id=mr["id"])
    world.drop_where("notes", noteable="MergeRequest", noteable_id=mr["id"])
    repo = repo_of(world, call.project)
    for end in ("head", "merge"):
        repo.delete_ref(f"refs/merge-requests/{mr['iid']}/{end}")
    world.drop("merge_requests", mr)


def by_key(call: Call, key: str) -> Row:
    """Return a merge request of the call's project."""
    return subject.merge_request(call, key)


LIST_VALUES: dict[str, Any] = {"values": {
    "state": ("opened", "closed", "locked", "merged", "all"), "sort": ("asc", "desc"),
    "order_by": ("created_at", "label_priority", "milestone_due", "popularity", "priority", "title", "updated_at", "merged_at"),
    "scope": ("created_by_me", "created-by-me", "assigned_to_me", "assigned-to-me", "reviews_for_me", "all"),
    "view": ("simple",), "wip": ("yes", "no")}}  # fmt: skip
ONE = "/projects/:id/merge_requests/:iid"
ROUTES = [
    route("GET /merge_requests", index, **LIST_VALUES),
    route("GET /groups/:id/merge_requests", index, **LIST_VALUES),
    route("GET /projects/:id/merge_requests", index, job=True, **LIST_VALUES),
    route("POST /projects/:id/merge_requests", create, required=("source_branch", "target_branch", "title")),
    route(f"GET {ONE}", show, job=True),
    route(f"PUT {ONE}", update, values={"state_event": ("close", "reopen", "merge")}),
    route(f"DELETE {ONE}", delete, role=50),
]
