"""Who may do what: roles on groups and projects, protected branches."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import Any

from tests.gitlab.routes import DEVELOPER, GUEST, MAINTAINER, OWNER, REPORTER
from tests.gitlab.state import Row, World

LEVELS = {0: "No one", 5: "Minimal Access", 10: "Guest", 15: "Planner", 20: "Reporter", 30: "Developers",
          40: "Maintainers", 50: "Owner", 60: "Administrators"}  # fmt: skip
ALLOWED_LEVELS = {0: "No one", 30: "Developers + Maintainers", 40: "Maintainers", 60: "Administrators"}


def full_path(world: World, space: Row) -> str:
    """Return a namespace's path from the root."""
    parent = world.get("namespaces", space.get("parent_id"))
    return f"{full_path(world, parent)}/{space['path']}" if parent else str(space["path"])


def project_path(world: World, project: Row) -> str:
    """Return `group/sub/project`."""
    return f"{full_path(world, world.the('namespaces', project['namespace_id']))}/{project['path']}"


def line_of(world: World, space: Row | None) -> list[Row]:
    """Return a namespace and those above it, nearest first."""
    line = []
    while space:
        line.append(space)
        space = world.get("namespaces", space.get("parent_id"))
    return line


def _expired(world: World, row: Row) -> bool:
    return bool(row.get("expires_at")) and world.now() >= float(row["expires_at"])


def direct(world: World, kind: str, source_id: int, user_id: int) -> Row | None:
    """Return a direct membership that has not expired; `kind` is project or group."""
    row = world.one("members", source=kind, source_id=source_id, user_id=user_id)
    return None if row is None or _expired(world, row) else row


def group_role(world: World, group: Row, user: Row | None) -> int:
    """Return a user's role in a group, with what is inherited and shared; 0 is none."""
    if user is None:
        return 0
    if user["admin"]:
        return OWNER
    best = 0
    for space in line_of(world, group):
        row = direct(world, "group", space["id"], user["id"])
        best = max(best, row["access_level"] if row else 0, _shared(world, "group", space["id"], user))
        if space.get("owner_id") == user["id"]:
            best = OWNER
    return best


def _shared(world: World, kind: str, source_id: int, user: Row) -> int:
    best = 0
    for link in world.find("shares", kind=kind, source_id=source_id):
        row = direct(world, "group", link["group_id"], user["id"])
        if row:
            best = max(best, min(row["access_level"], link["group_access"]))
    return best


def project_role(world: World, project: Row, user: Row | None) -> int:
    """Return a user's role in a project, with what is inherited and shared; 0 is none."""
    if user is None:
        return 0
    if user["admin"]:
        return OWNER
    row = direct(world, "project", project["id"], user["id"])
    own = row["access_level"] if row else 0
    above = group_role(world, world.the("namespaces", project["namespace_id"]), user)
    return max(own, above, _shared(world, "project", project["id"], user))


def can_see_project(world: World, project: Row, user: Row | None) -> bool:
    """Return whether the project exists for this user."""
    if project["visibility"] == "public" or (project["visibility"] == "internal" and user and not user.get("external")):
        return True
    return project_role(world, project, user) >= GUEST


def can_read_code(world: World, project: Row, user: Row | None) -> bool:
    """Return whether the user may fetch: Reporter up, Guest where the project is not private."""
    if project["visibility"] != "private":
        return can_see_project(world, project, user)
    return project_role(world, project, user) >= REPORTER


def can_see_group(world: World, group: Row, user: Row | None) -> bool:
    """Return whether the group exists for this user; a member of one of its projects sees it too."""
    if group["visibility"] == "public" or (group["visibility"] == "internal" and user):
        return True
    if user is None:
        return False
    if group_role(world, group, user):
        return True
    return any(
        group in line_of(world, world.get("namespaces", project["namespace_id"])) and project_role(world, project, user)
        for project in world.find("projects")
    )


def members_with_role(world: World, project: Row, role: int) -> list[Row]:
    """Return the active people who have at least `role` on the project by membership, by id."""
    chosen = []
    for user in world.find("users", state="active"):
        plain = {**user, "admin": False}
        if project_role(world, project, plain) >= role:
            chosen.append(user)
    return chosen


def matches(pattern: str, branch: str) -> bool:
    """Return whether a protected branch's name, which may hold `*`, covers a branch."""
    return pattern == branch or (
        "*" in pattern and fnmatchcase(branch, pattern.replace("[", "[[]").replace("?", "[?]"))
    )


def protections(world: World, project: Row, branch: str) -> list[Row]:
    """Return the protection rules that cover a branch."""
    return [row for row in world.find("protected_branches", project_id=project["id"]) if matches(row["name"], branch)]


def _admits(world: World, project: Row, levels: list[Row], user: Row, role: int) -> bool:
    for level in levels:
        if level.get("user_id"):
            if level["user_id"] == user["id"] and role >= DEVELOPER:
                return True
        elif level.get("group_id"):
            if direct(world, "group", level["group_id"], user["id"]):
                return True
        elif level["access_level"] and (
            role >= level["access_level"] or (level["access_level"] == 60 and user["admin"])
        ):
            return True
    return False


def _allowed(world: World, project: Row, user: Row | None, branch: str, which: str) -> bool:
    role = project_role(world, project, user)
    if user is None or role < DEVELOPER:
        return False
    rules = protections(world, project, branch)
    return not rules or any(_admits(world, project, rule[which], user, role) for rule in rules)


def can_push(world: World, project: Row, user: Row | None, branch: str) -> bool:
    """Return whether the user may push to the branch; the most permissive rule wins."""
    return _allowed(world, project, user, branch, "push_access_levels")


def can_merge(world: World, project: Row, user: Row | None, branch: str) -> bool:
    """Return whether the user may merge into the branch."""
    return _allowed(world, project, user, branch, "merge_access_levels") or can_push(world, project, user, branch)


def can_force(world: World, project: Row, branch: str) -> bool:
    """Return whether a forced push is possible: never on a protected branch unless its rule says so."""
    rules = protections(world, project, branch)
    return not rules or any(rule["allow_force_push"] for rule in rules)


def needs_owners(world: World, project: Row, branch: str) -> bool:
    """Return whether code owners must approve: if any rule says so, on a paid tier."""
    return world.paid and any(rule["code_owner_approval_required"] for rule in protections(world, project, branch))


def bound_role(level: Any) -> int:
    """Return the role of an owner mention such as `@@maintainer`."""
    return {"developer": DEVELOPER, "maintainer": MAINTAINER, "owner": OWNER}.get(str(level).rstrip("s"), 99)
