"""Diff versions of a merge request: one for each head it had; and the refs that show them to git."""

from __future__ import annotations

from tests.gitlab import commits
from tests.gitlab.call import Call, Reply
from tests.gitlab.clock import iso
from tests.gitlab.diffs import diffs_of
from tests.gitlab.errors import no_record, told
from tests.gitlab.git import EMPTY_TREE, Repo, repo_of
from tests.gitlab.pagination import paged
from tests.gitlab.routes import route
from tests.gitlab.state import Row, World


def source_repo(world: World, mr: Row) -> Repo | None:
    """Return the repository the branch is in, or None when its project is gone."""
    project = world.get("projects", mr["source_project_id"])
    return repo_of(world, project) if project else None


def source_head(world: World, mr: Row) -> str | None:
    """Return the source branch's commit now, or None."""
    repo = source_repo(world, mr)
    return repo.head(mr["source_branch"]) if repo else None


def add(world: World, mr: Row) -> Row | None:
    """Record the source branch's present head as the newest version; None when the branch is gone."""
    repo = repo_of(world, world.the("projects", mr["project_id"]))
    head = source_head(world, mr)
    target = repo.head(mr["target_branch"])
    if head is None or target is None:
        return None
    origin = source_repo(world, mr)
    if origin and mr["source_project_id"] != mr["project_id"]:
        repo.run("fetch", "--quiet", "--no-tags", str(origin.path), head)
    base = repo.merge_base(target, head)
    mr |= {"head_sha": head, "start_sha": target, "base_sha": base or target}
    repo.move(f"refs/merge-requests/{mr['iid']}/head", head)
    row = {"mr_id": mr["id"], "head": head, "start": target, "base": base or target,
           "patch_id": repo.patch_id(base or EMPTY_TREE, head)}  # fmt: skip
    return world.add("mr_versions", row)


def newest(world: World, mr: Row) -> Row | None:
    """Return the newest version, or None."""
    rows = world.rows("mr_versions", mr_id=mr["id"])
    return rows[-1] if rows else None


def shown(row: Row) -> Row:
    """Return a version."""
    return {
        "id": row["id"],
        "head_commit_sha": row["head"],
        "base_commit_sha": row["base"],
        "start_commit_sha": row["start"],
        "created_at": iso(row["created_at"]),
        "merge_request_id": row["mr_id"],
        "state": "collected",
        "real_size": str(row.get("size", 1)),
        "patch_id_sha": row["patch_id"] or None,
    }


def index(call: Call) -> Reply:
    """List versions, newest first."""
    return paged(call, list(reversed(call.world.rows("mr_versions", mr_id=call.mr["id"]))), shown)


def show(call: Call) -> Row:
    """Return one version with its commits and diffs."""
    row = call.world.get("mr_versions", call.number("version_id"))
    if row is None or row["mr_id"] != call.mr["id"]:
        raise no_record()
    repo = repo_of(call.world, call.project)
    rows = [
        commits.drawn(call.world, call.project, one) for one in commits.read(repo, f"{row['start']}..{row['head']}")
    ]
    return {**shown(row), "commits": rows, "diffs": diffs_of(repo, row["base"], row["head"])}


def _diffs(call: Call) -> list[Row]:
    if not call.mr["head_sha"]:
        return []
    return diffs_of(repo_of(call.world, call.project), call.mr["base_sha"], call.mr["head_sha"])


def diffs(call: Call) -> Reply:
    """List the merge request's diffs in pages."""
    return paged(call, _diffs(call))


def changes(call: Call) -> Row:
    """Return the merge request with all of its diffs."""
    from tests.gitlab.merge_requests import full

    return {**full(call, call.mr), "changes": _diffs(call), "overflow": False}


def raw_diffs(call: Call) -> Reply:
    """Return the diff as text."""
    repo = repo_of(call.world, call.project)
    return Reply(repo.run("diff", call.mr["base_sha"], call.mr["head_sha"]), kind="text/plain")


def commits_of(call: Call) -> Reply:
    """List the merge request's commits, newest first."""
    if not call.mr["head_sha"]:
        return paged(call, [])
    rows = commits.read(repo_of(call.world, call.project), f"{call.mr['start_sha']}..{call.mr['head_sha']}")
    return paged(call, rows, lambda row: commits.drawn(call.world, call.project, row))


def merge_ref(call: Call) -> Row:
    """Return the commit of the trial merge, made anew.

    Raises:
        ApiError: 400: the branches conflict.
    """
    world, mr, repo = call.world, call.mr, repo_of(call.world, call.project)
    target = repo.head(mr["target_branch"])
    tree = repo.merge_tree(target, mr["head_sha"]) if target and mr["head_sha"] else None
    if tree is None or mr["state"] == "merged":
        raise told(400, "Merge request is not mergeable")
    who = {"name": "GitLab", "email": "gitlab@localhost", "date": f"{int(mr['created_at'])} +0000"}
    title = f"Merge {mr['head_sha']} into {target}"
    sha = repo.commit_tree(tree, [str(target), mr["head_sha"]], title, who)
    repo.move(f"refs/merge-requests/{mr['iid']}/merge", sha)
    world.dirty = True
    return {"commit_id": sha}


ONE = "/projects/:id/merge_requests/:iid"
ROUTES = [
    route(f"GET {ONE}/versions", index),
    route(f"GET {ONE}/versions/:version_id", show),
    route(f"GET {ONE}/diffs", diffs),
    route(f"GET {ONE}/changes", changes),
    route(f"GET {ONE}/raw_diffs", raw_diffs),
    route(f"GET {ONE}/commits", commits_of),
    route(f"GET {ONE}/merge_ref", merge_ref),
]
