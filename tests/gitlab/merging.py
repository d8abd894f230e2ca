"""Merging, squashing with templates, rebasing, automatic merge."""

from __future__ import annotations

from typing import Any

from tests.gitlab import access, errors, events, mergeability, messages, pipelines, pushes, versions
from tests.gitlab.call import Call, Reply
from tests.gitlab.git import GitError, Repo, repo_of
from tests.gitlab.merge_requests import full
from tests.gitlab.routes import DEVELOPER, route
from tests.gitlab.state import Row, World


def merge(call: Call) -> Row:
    """Merge, in GitLab's order of refusals: 400, 401, 409, 405, 422."""
    world, mr, project = call.world, call.mr, call.project
    if world.settings["sha_required_to_merge"] and not call.text("sha"):
        raise errors.bad_request("SHA must be provided when merging")
    if not access.can_merge(world, project, call.user, mr["target_branch"]):
        raise errors.unauthorized()
    if call.text("sha") and call.text("sha") != mr["head_sha"]:
        raise errors.conflict(f"SHA does not match HEAD of source branch: {mr['head_sha']}")
    how = {
        "squash": call.flag("squash"),
        "squash_commit_message": call.text("squash_commit_message"),
        "merge_commit_message": call.text("merge_commit_message"),
        "should_remove_source_branch": call.flag("should_remove_source_branch"),
    }
    automatic = call.flag("auto_merge") or call.flag("merge_when_pipeline_succeeds")
    if automatic and _can_wait(world, mr):
        mr["auto_merge"] = {**how, "user_id": call.me["id"]}
        events.system_note(world, mr, call.me, "enabled an automatic merge when all merge checks pass")
        return full(call, mr)
    if mergeability.detailed(world, mr) != "mergeable":
        raise errors.not_allowed()
    perform(world, mr, call.me, how)
    return full(call, mr)


def _can_wait(world: World, mr: Row) -> bool:
    """Return whether an automatic merge has something to wait for: a running pipeline of this head."""
    pipeline = pipelines.head_pipeline(world, mr)
    waiting = {"created", "pending", "running", "preparing", "waiting_for_resource"}
    if mr["state"] != "opened" or mergeability.detailed(world, mr) in {"conflict", "draft_status", "not_open"}:
        return False
    return bool(pipeline and pipeline["sha"] == mr["head_sha"] and pipeline["status"] in waiting)


def perform(world: World, mr: Row, user: Row, how: Row) -> None:
    """Merge now and tell everyone.

    Raises:
        ApiError: 422: it was tried and failed.
    """
    project = world.the("projects", mr["project_id"])
    repo = repo_of(world, project)
    before = repo.head(mr["target_branch"])
    if before is None:
        raise errors.unprocessable("Branch cannot be merged")
    shas = commit(world, repo, project, mr, user, how, before)
    try:
        repo.move(f"refs/heads/{mr['target_branch']}", shas["new"], before)
    except GitError:
        raise errors.unprocessable("Branch cannot be merged") from None
    mr |= {"merge_commit_sha": shas["merge"], "squash_commit_sha": shas["squash"], "squash": shas["squash"] is not None}
    mark_merged(world, mr, user)
    pushes.branch_moved(world, project, user, mr["target_branch"], before, shas["new"])
    _remove_source(world, mr, user, how)


def mark_merged(world: World, mr: Row, user: Row) -> None:
    """Set the state, and tell."""
    mr |= {"state": "merged", "merged_at": world.now(), "merge_user_id": user["id"], "auto_merge": None,
           "updated_at": world.now(), "verdict": True}  # fmt: skip
    events.resource(world, mr, user, "state", state="merged")
    events.system_note(world, mr, user, "merged")
    events.merge_request(world, mr, user, "merge", {"state_id": [1, 3]})


def commit(world: World, repo: Repo, project: Row, mr: Row, user: Row, how: Row, before: str) -> Row:
    """Write the commits of a merge and return `new` (the target's next head), `merge` and `squash`."""
    head, squash = mr["head_sha"], None
    me = {"name": user["name"], "email": user["email"]}
    if mergeability.squashes(project, mr, how["squash"]):
        text = how["squash_commit_message"] or messages.squash(world, project, mr, user)
        author = world.the("users", mr["author_id"])
        base = repo.merge_base(before, head) or before
        squash = repo.commit_tree(repo.tree(head), [base], text, {"name": author["name"], "email": author["email"]}, me)
        head = squash
    if project["merge_method"] == "ff":
        return {"new": _forwarded(repo, before, head), "merge": None, "squash": squash}
    tree = repo.merge_tree(before, head)
    if tree is None:
        raise errors.unprocessable("Branch cannot be merged")
    text = how["merge_commit_message"] or messages.merge(world, project, mr, user)
    new = repo.commit_tree(tree, [before, head], text, me)
    return {"new": new, "merge": new, "squash": squash}


def _forwarded(repo: Repo, before: str, head: str) -> str:
    if not repo.is_ancestor(before, head):
        raise errors.unprocessable("Branch cannot be merged")
    return head


def _remove_source(world: World, mr: Row, user: Row, how: Row) -> None:
    asked = how["should_remove_source_branch"]
    if not (mr["remove_source_branch"] if asked is None else asked):
        return
    source = world.get("projects", mr["source_project_id"])
    if source is None or mr["source_branch"] == source["default_branch"]:
        return
    old = repo_of(world, source).head(mr["source_branch"])
    if old == mr["head_sha"] and not access.protections(world, source, mr["source_branch"]):
        repo_of(world, source).delete_ref(f"refs/heads/{mr['source_branch']}")
        pushes.branch_moved(world, source, user, mr["source_branch"], old, None)


def try_auto_merge(world: World, mr: Row) -> None:
    """Merge what waits for its checks, when they hold."""
    waiting = mr["auto_merge"]
    if not waiting or mr["state"] != "opened":
        return
    pipeline = pipelines.head_pipeline(world, mr)
    if not pipeline or pipeline["sha"] != mr["head_sha"] or pipeline["status"] != "success":
        return
    mergeability.settle(world, mr)
    if mr["verdict"] is None:
        mr["verdict"] = mergeability.merges(world, mr)
    user = world.get("users", waiting["user_id"])
    if mergeability.detailed(world, mr) == "mergeable" and user:
        perform(world, mr, user, waiting)


def cancel(call: Call) -> Row:
    """Take an automatic merge back."""
    if call.mr["auto_merge"] is None:
        raise errors.told(406, "Can't cancel the automatic merge")
    call.mr["auto_merge"] = None
    events.system_note(call.world, call.mr, call.me, "canceled the automatic merge")
    return {"status": "success"}


def rebase(call: Call) -> Reply:
    """Rebase the source branch on its target; done at once, reported as begun."""
    world, mr = call.world, call.mr
    source = world.the("projects", mr["source_project_id"])
    if not access.can_push(world, source, call.user, mr["source_branch"]):
        raise errors.forbidden("Cannot push to source branch")
    if mr["state"] != "opened":
        raise errors.conflict(
            "Failed to enqueue the rebase operation, possibly due to a long-lived transaction. Try again later."
        )
    repo = repo_of(world, source)
    old, target = mr["head_sha"], repo_of(world, call.project).head(mr["target_branch"])
    new = rebased(repo, str(target), old)
    if new is None:
        mr["merge_error"] = "Rebase failed: Rebase locally, resolve all conflicts, then push the branch. Try again."
        return Reply({"rebase_in_progress": True}, 202)
    mr["merge_error"] = None
    if new != old:
        repo.move(f"refs/heads/{mr['source_branch']}", new, old)
        mr["rebase_sha"] = new
        pushes.branch_moved(world, source, call.me, mr["source_branch"], old, new, quiet=bool(call.flag("skip_ci")))
    return Reply({"rebase_in_progress": True}, 202)


def rebased(repo: Repo, target: str, head: str) -> str | None:
    """Return the head of the branch's commits replayed on `target`, or None when one conflicts."""
    from tests.gitlab import commits

    if repo.is_ancestor(target, head):
        return head
    new = target
    for row in commits.read(repo, "--reverse", "--topo-order", "--no-merges", f"{target}..{head}"):
        tree = repo.merge_tree(new, row["id"], row["parent_ids"][0]) if row["parent_ids"] else None
        if tree is None:
            return None
        if tree != repo.tree(new):
            author = {"name": row["author_name"], "email": row["author_email"], "date": row["authored_date"]}
            new = repo.commit_tree(tree, [new], row["message"], author, {"name": "GitLab", "email": "gitlab@localhost"})
    return new


def new_pipeline(call: Call) -> Any:
    """Start a merge request pipeline by hand."""
    found = pipelines.for_merge_request(call.world, call.mr, call.me, by_hand=True)
    if found is None:
        raise errors.not_allowed()
    if call.flag("async"):
        return Reply(None, 202)
    return pipelines.brief(call.world, found)


def list_pipelines(call: Call) -> list[Row]:
    """List the pipelines of the merge request's heads, newest first."""
    heads = {row["head"] for row in call.world.find("mr_versions", mr_id=call.mr["id"])}
    mine = [row for row in call.world.find("pipelines", project_id=call.project["id"])
            if row.get("mr_id") == call.mr["id"] or (row["sha"] in heads and row["ref"] == call.mr["source_branch"])]  # fmt: skip
    return [pipelines.brief(call.world, row) for row in reversed(mine)]


def head_now(world: World, mr: Row) -> str | None:
    """Return the source branch's commit."""
    return versions.source_head(world, mr)


ONE = "/projects/:id/merge_requests/:iid"
ROUTES = [
    route(f"PUT {ONE}/merge", merge),
    route(f"POST {ONE}/cancel_merge_when_pipeline_succeeds", cancel, role=DEVELOPER),
    route(f"PUT {ONE}/rebase", rebase, status=202),
    route(f"GET {ONE}/pipelines", list_pipelines),
    route(f"POST {ONE}/pipelines", new_pipeline, role=DEVELOPER, status=200),
]
