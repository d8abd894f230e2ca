"""What follows when a ref moved, by git or by the API: versions, resets, pipelines, hooks, merge requests by option."""

from __future__ import annotations

from typing import Any

from tests.gitlab import access, approvals, branches, events, mergeability, pipelines, versions
from tests.gitlab.git import ZERO, repo_of
from tests.gitlab.state import Row, World


def branch_moved(
    world: World, project: Row, user: Row, branch: str, old: str | None, new: str | None, *, quiet: bool = False,
    job: bool = False,
) -> None:  # fmt: skip
    """Do all that follows a branch's move; None is a branch that was not, or is no more.

    `quiet` is `-o ci.skip`; `job` is a push with a CI job token: neither starts a branch pipeline,
    and the second starts none at all.
    """
    repo = repo_of(world, project)
    first = project["empty"] and new is not None
    if first:
        _first_push(world, project, branch)
    project["updated_at"] = world.now()
    if branch == project["default_branch"] and new:
        repo.copy_attributes(branch)
        project["has_readme"] = repo.blob(new, "README.md") is not None
    for mr in world.rows("merge_requests", source_project_id=project["id"], source_branch=branch):
        source_moved(world, mr, user, old, new, job=job)
    for mr in world.rows("merge_requests", project_id=project["id"], target_branch=branch, state="opened"):
        _target_moved(world, mr, user, new)
    events.push(world, project, user, f"refs/heads/{branch}", old or ZERO, new or ZERO)
    if new and not job:
        pipelines.for_branch(world, project, user, branch, new, quiet=quiet)


def _first_push(world: World, project: Row, branch: str) -> None:
    project["empty"] = False
    repo = repo_of(world, project)
    if repo.head(project["default_branch"]) is None:
        project["default_branch"] = branch
    repo.set_head(project["default_branch"])
    if not access.protections(world, project, project["default_branch"]):
        branches.protect(world, project, project["default_branch"])


def source_moved(world: World, mr: Row, user: Row, old: str | None, new: str | None, *, job: bool = False) -> None:
    """Record a new version of a merge request whose branch moved; closed ones lose their approvals too."""
    if new is None or mr["state"] not in {"opened", "closed"} or new == mr["head_sha"]:
        return
    before = mr["head_sha"]
    if versions.add(world, mr) is None:
        return
    mr["updated_at"] = world.now()
    if mr["auto_merge"] is not None:
        mr["auto_merge"] = None
        events.system_note(world, mr, user, "canceled the automatic merge because the source branch was updated")
    repo = repo_of(world, world.the("projects", mr["project_id"]))
    changed = repo.changed(before, new) if before else []
    later(world, "reset", {"mr_id": mr["id"], "user_id": user["id"], "changed": changed}, world.settings["reset_ticks"])
    if mr["state"] != "opened":
        return
    mergeability.forget(world, mr)
    count = len(versions.source_repo(world, mr).text("rev-list", f"{old}..{new}").splitlines()) if old else 1  # type: ignore[union-attr]
    events.system_note(world, mr, user, f"added {count} commit{'s' if count != 1 else ''}")
    events.merge_request(world, mr, user, "update", {}, oldrev=old)
    if not job:
        later(
            world, "pipeline", {"mr_id": mr["id"], "user_id": user["id"], "head": new}, world.settings["pipeline_ticks"]
        )


def _target_moved(world: World, mr: Row, user: Row, new: str | None) -> None:
    """Forget the verdict; a target that holds the branch's head now means that it was merged by hand."""
    mergeability.forget(world, mr)
    _merged_by_hand(world, mr, user, new)


def _merged_by_hand(world: World, mr: Row, user: Row, new: str | None) -> None:
    from tests.gitlab.merging import mark_merged

    repo = repo_of(world, world.the("projects", mr["project_id"]))
    if new and mr["head_sha"] and mr["head_sha"] != mr["base_sha"] and repo.is_ancestor(mr["head_sha"], new):
        mr["merge_commit_sha"] = new if new != mr["head_sha"] else None
        mark_merged(world, mr, user)


def tag_moved(world: World, project: Row, user: Row, tag: str, old: str | None, new: str | None) -> None:
    """Tell about a tag and start its pipeline."""
    project["updated_at"] = world.now()
    events.push(world, project, user, f"refs/tags/{tag}", old or ZERO, new or ZERO)
    if new:
        pipelines.for_branch(world, project, user, tag, repo_of(world, project).commit(tag) or new, tag=True)


# Steps that wait for ticks


def later(world: World, kind: str, what: Row, ticks: int) -> None:
    """Do a step now, or so many ticks from now."""
    if kind == "reset" and ticks and world.paid:
        world.the("merge_requests", what["mr_id"])["syncing"] = True
    if ticks:
        world.add("steps", {"kind": kind, "what": what, "due": world.clock.state["ticks"] + ticks})
    else:
        STEPS[kind](world, what)


def run_due(world: World) -> None:
    """Do all steps whose tick has come, oldest first."""
    for row in world.rows("steps"):
        if row["due"] <= world.clock.state["ticks"]:
            world.drop("steps", row)
            STEPS[row["kind"]](world, row["what"])


def _reset(world: World, what: Row) -> None:
    mr, user = world.get("merge_requests", what["mr_id"]), world.get("users", what["user_id"])
    if mr and user:
        mr["syncing"] = False
        approvals.after_push(world, mr, user, what["changed"])


def _pipeline(world: World, what: Row) -> None:
    mr, user = world.get("merge_requests", what["mr_id"]), world.get("users", what["user_id"])
    if mr and user and mr["state"] == "opened" and mr["head_sha"] == what["head"]:
        pipelines.for_merge_request(world, mr, user)


STEPS: dict[str, Any] = {"reset": _reset, "pipeline": _pipeline}


def repair(world: World) -> None:
    """After a kill: take up pushes that git had taken and the state had not; send and run what was under way again."""
    for table, under_way, again in (("deliveries", "sending", "queued"), ("jobs", "running", "pending")):
        field = "state" if table == "deliveries" else "status"
        for row in world.rows(table, **{field: under_way}):
            row[field] = again
    for project in world.rows("projects"):
        repo = repo_of(world, project)
        if project["empty"] and repo.path.exists() and repo.branches():
            _first_push(world, project, next(iter(repo.branches())))
    for mr in world.rows("merge_requests", state="opened"):
        head, user = versions.source_head(world, mr), world.get("users", mr["author_id"])
        if head and head != mr["head_sha"] and user:
            source_moved(world, mr, user, mr["head_sha"], head)
        target = repo_of(world, world.the("projects", mr["project_id"])).head(mr["target_branch"])
        if user:
            _merged_by_hand(world, mr, user, target)
