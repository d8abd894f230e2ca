"""Branches and their protection."""

from __future__ import annotations

import re
from typing import Any

from tests.gitlab import access, commits, errors, pushes
from tests.gitlab.call import Call, Reply
from tests.gitlab.git import GitError, repo_of
from tests.gitlab.pagination import paged
from tests.gitlab.routes import DEVELOPER, MAINTAINER, route
from tests.gitlab.state import Row, World


def shown(call: Call, name: str, sha: str) -> Row:
    """Return a branch."""
    world, project = call.world, call.project
    rules = access.protections(world, project, name)
    default = name == project["default_branch"]

    def developers(which: str) -> bool:
        return any(level.get("access_level") == DEVELOPER for rule in rules for level in rule[which])

    return {
        "name": name,
        "commit": commits.one(world, project, sha),
        "merged": not default and _merged(call, sha),
        "protected": bool(rules),
        "developers_can_push": developers("push_access_levels"),
        "developers_can_merge": developers("merge_access_levels"),
        "can_push": access.can_push(world, project, call.user, name),
        "default": default,
        "web_url": f"{world.address}/{access.project_path(world, project)}/-/tree/{name}",
    }


def _merged(call: Call, sha: str) -> bool:
    repo = repo_of(call.world, call.project)
    head = repo.head(call.project["default_branch"])
    return head is not None and repo.is_ancestor(sha, head)


def index(call: Call) -> Reply:
    """List branches by name."""
    rows = list(repo_of(call.world, call.project).branches().items())
    search, pattern = call.text("search").lower(), call.text("regex")
    if search:
        rows = [row for row in rows if _found(search, row[0].lower())]
    if pattern:
        rows = [row for row in rows if re.search(pattern, row[0])]
    return paged(
        call, [{"name": name, "sha": sha} for name, sha in rows], lambda row: shown(call, row["name"], row["sha"])
    )


def _found(search: str, name: str) -> bool:
    if search.startswith("^"):
        return name.startswith(search[1:].rstrip("$")) and (not search.endswith("$") or name == search[1:-1])
    return name.endswith(search[:-1]) if search.endswith("$") else search in name


def _head(call: Call) -> str:
    sha = repo_of(call.world, call.project).head(call.params["branch"])
    if sha is None:
        raise errors.not_found("Branch")
    return sha


def show(call: Call) -> Row:
    """Return one branch."""
    return shown(call, call.params["branch"], _head(call))


def create(call: Call) -> Row:
    """Make a branch at a ref."""
    repo, name = repo_of(call.world, call.project), call.text("branch")
    if repo.head(name):
        raise errors.told(400, "Branch already exists")
    if not repo.ask("check-ref-format", "--branch", name):
        raise errors.told(400, "Branch name is invalid")
    sha = repo.commit(call.text("ref"))
    if sha is None:
        raise errors.told(400, f"Invalid reference name: {call.text('ref')}")
    if not access.can_push(call.world, call.project, call.user, name):
        raise errors.told(400, "You are not allowed to create protected branches on this project.")
    repo.move(f"refs/heads/{name}", sha, "0" * 40)
    pushes.branch_moved(call.world, call.project, call.me, name, None, sha)
    return shown(call, name, sha)


def delete(call: Call) -> None:
    """Delete a branch; never the default, and a protected one only by a Maintainer."""
    old, name = _head(call), call.params["branch"]
    if name == call.project["default_branch"]:
        raise errors.told(400, "Cannot remove HEAD branch")
    guarded = access.protections(call.world, call.project, name)
    if guarded and access.project_role(call.world, call.project, call.user) < MAINTAINER:
        raise errors.forbidden()
    drop(call.world, call.project, call.me, name, old)


def drop(world: World, project: Row, user: Row, name: str, old: str) -> None:
    """Delete a branch and tell those who care."""
    try:
        repo_of(world, project).delete_ref(f"refs/heads/{name}")
    except GitError as error:
        raise errors.told(400, str(error)) from None
    pushes.branch_moved(world, project, user, name, old, None)


def delete_merged(call: Call) -> Reply:
    """Delete the branches that are merged into the default one."""
    repo = repo_of(call.world, call.project)
    head = repo.head(call.project["default_branch"])
    for name, sha in repo.branches().items():
        free = name != call.project["default_branch"] and not access.protections(call.world, call.project, name)
        if free and head and repo.is_ancestor(sha, head):
            drop(call.world, call.project, call.me, name, sha)
    return Reply({"message": "202 Accepted"}, 202)


def level(world: World, given: Row) -> Row:
    """Return an access level as the API shows it."""
    who = {"user_id": given.get("user_id"), "group_id": given.get("group_id")}
    named = access.ALLOWED_LEVELS.get(given.get("access_level") or 0)
    if who["user_id"]:
        named = (world.get("users", who["user_id"]) or {"name": "?"})["name"]
    if who["group_id"]:
        named = (world.get("namespaces", who["group_id"]) or {"name": "?"})["name"]
    base = {"id": given["id"], "access_level": given.get("access_level"), "access_level_description": named,
            "deploy_key_id": None}  # fmt: skip
    return {**base, **who} if world.paid else base


def rule(world: World, row: Row) -> Row:
    """Return a protection rule."""
    drawn = {
        "id": row["id"],
        "name": row["name"],
        "push_access_levels": [level(world, one) for one in row["push_access_levels"]],
        "merge_access_levels": [level(world, one) for one in row["merge_access_levels"]],
        "allow_force_push": row["allow_force_push"],
    }
    if world.paid:
        unprotect = [level(world, one) for one in row["unprotect_access_levels"]]
        drawn |= {"unprotect_access_levels": unprotect, "inherited": False}
        drawn["code_owner_approval_required"] = row["code_owner_approval_required"]
    return drawn


def _levels(call: Call, which: str, default: int | None) -> list[Row]:
    """Return the levels a call gives: `allowed_to_push` (paid) or `push_access_level`."""
    given = []
    if call.world.paid:
        keys = ("user_id", "group_id", "access_level")
        given = [
            {key: int(one[key]) for key in keys if one.get(key) is not None}
            for one in call.listed(f"allowed_to_{which}")
        ]
    for one in given:
        _check_member(call, one)
    plain = call.int(f"{which}_access_level", None if given else default)
    if plain is not None:
        if plain not in access.ALLOWED_LEVELS:
            raise errors.invalid(f"{which}_access_level")
        given.append({"access_level": plain})
    return [_numbered(call.world, one) for one in given]


def _check_member(call: Call, one: Row) -> None:
    user = call.world.get("users", one.get("user_id"))
    if "user_id" in one and (
        user is None or not access.project_role(call.world, call.project, {**user, "admin": False})
    ):
        raise errors.unprocessable(["Push access levels user is not a member of the project"])


def _numbered(world: World, given: Row) -> Row:
    return {"id": world.next_iid("access_levels", 0), "access_level": 40 if "user_id" in given else None, **given}


def protect(world: World, project: Row, name: str, push: int = 40, merge: int = 40) -> Row:
    """Protect a branch with roles."""
    return world.add("protected_branches", {
        "project_id": project["id"], "name": name, "allow_force_push": False, "code_owner_approval_required": False,
        "push_access_levels": [_numbered(world, {"access_level": push})],
        "merge_access_levels": [_numbered(world, {"access_level": merge})], "unprotect_access_levels": []})  # fmt: skip


def create_rule(call: Call) -> Row:
    """Protect a branch or a pattern."""
    name = call.text("name")
    if call.world.one("protected_branches", project_id=call.project["id"], name=name):
        raise errors.conflict(f"Protected branch '{name}' already exists")
    row = call.world.add("protected_branches", {
        "project_id": call.project["id"], "name": name,
        "allow_force_push": bool(call.flag("allow_force_push", default=False)),
        "code_owner_approval_required": bool(call.flag("code_owner_approval_required", default=False)),
        **{f"{which}_access_levels": _levels(call, which, 40 if which != "unprotect" else None)
           for which in ("push", "merge", "unprotect")}})  # fmt: skip
    return rule(call.world, row)


def _rule(call: Call) -> Row:
    row = call.world.one("protected_branches", project_id=call.project["id"], name=call.params["name"])
    if row is None:
        raise errors.no_record()
    return row


def update_rule(call: Call) -> Row:
    """Change a rule; `allowed_to_*` entries add, change (`id`) or remove (`_destroy`) single levels."""
    row = _rule(call)
    for name in ("allow_force_push", "code_owner_approval_required"):
        if call.has(name):
            row[name] = call.flag(name)
    for which in ("push", "merge", "unprotect"):
        key = f"{which}_access_levels"
        for given in call.listed(f"allowed_to_{which}"):
            row[key] = _changed(call, row[key], given)
    return rule(call.world, row)


def _changed(call: Call, levels: list[Row], given: Row) -> list[Row]:
    if "id" not in given:
        return [*levels, _numbered(call.world, {key: int(value) for key, value in given.items()})]
    kept = [one for one in levels if one["id"] != int(given["id"])]
    if str(given.get("_destroy", "")).lower() in {"true", "1"}:
        return kept
    changed = next(one for one in levels if one["id"] == int(given["id"]))
    return [*kept, {**changed, **{key: int(value) for key, value in given.items() if key != "id"}}]


def rules(call: Call) -> Reply:
    """List the protection rules."""
    rows = [row for row in call.world.find("protected_branches", project_id=call.project["id"])
            if call.text("search").lower() in row["name"].lower()]  # fmt: skip
    return paged(call, rows, lambda row: rule(call.world, row))


BASE, RULES = "/projects/:id/repository/branches", "/projects/:id/protected_branches"
options: dict[str, Any] = {"role": MAINTAINER}
ROUTES = [
    route(f"GET {BASE}", index, job=True, read=("read_repository",)),
    route(f"POST {BASE}", create, role=DEVELOPER, required=("branch", "ref")),
    route(f"GET {BASE}/:branch", show, job=True, read=("read_repository",)),
    route(f"DELETE {BASE}/:branch", delete, role=DEVELOPER),
    route("DELETE /projects/:id/repository/merged_branches", delete_merged, role=DEVELOPER, status=202),
    route(f"GET {RULES}", rules, role=DEVELOPER),
    route(f"POST {RULES}", create_rule, required=("name",), **options),
    route(f"GET {RULES}/:name", lambda call: rule(call.world, _rule(call)), role=DEVELOPER),
    route(f"PATCH {RULES}/:name", update_rule, **options),
    route(f"DELETE {RULES}/:name", lambda call: call.world.drop("protected_branches", _rule(call)), **options),
]
