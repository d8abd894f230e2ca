"""Projects: made, listed, shown, changed, moved, archived, forked, starred, deleted."""

from __future__ import annotations

import re
from typing import Any

from tests.gitlab import access, errors, groups, simple, subject, users
from tests.gitlab.call import Call, Reply
from tests.gitlab.clock import iso, parse
from tests.gitlab.git import repo_of
from tests.gitlab.pagination import paged
from tests.gitlab.project_fields import OLD_SWITCHES, PAID, SETTINGS, VALUES
from tests.gitlab.project_views import brief, full
from tests.gitlab.routes import DEVELOPER, MAINTAINER, OWNER, REPORTER, route
from tests.gitlab.state import Row, World

OWNED_TABLES = ("merge_requests", "labels", "milestones", "issues", "protected_branches", "approval_rules", "pipelines",
                "jobs", "notes", "triggers", "schedules", "releases", "redirects", "uploads")  # fmt: skip


def _wanted(call: Call, row: Row) -> bool:
    search, user = call.text("search").lower(), call.user
    plain = {**user, "admin": False} if user else None
    attributes = call.args.get("custom_attributes") or {}
    haystack = (
        access.project_path(call.world, row) if call.flag("search_namespaces") else f"{row['path']} {row['name']}"
    )
    haystack += f" {row['description'] or ''}"
    tests = (
        not search or search in haystack.lower(),
        access.can_see_project(call.world, row, user),
        call.flag("archived") is None or row["archived"] == call.flag("archived"),
        not call.flag("owned") or access.project_role(call.world, row, plain) >= OWNER,
        not call.flag("membership") or access.project_role(call.world, row, plain) > 0,
        not call.flag("starred") or (user and user["id"] in row["stars"]),
        not call.has("visibility") or row["visibility"] == call.text("visibility"),
        not call.has("min_access_level") or access.project_role(call.world, row, user) >= call.int("min_access_level"),
        not call.has("id_after") or row["id"] > call.int("id_after"),
        not call.has("id_before") or row["id"] < call.int("id_before"),
        not call.has("topic") or set(call.listed("topic")) <= set(row["topics"]),
        not call.has("last_activity_after") or row["updated_at"] > parse(call.text("last_activity_after")),
        not call.has("last_activity_before") or row["updated_at"] < parse(call.text("last_activity_before")),
        all(simple.attribute(call.world, "projects", row["id"], key) == value for key, value in attributes.items()),
    )
    return all(tests)


def listed(call: Call, rows: list[Row]) -> Reply:
    """Answer the projects of `rows` that the filters admit."""
    chosen = [row for row in rows if _wanted(call, row)]
    column = {"last_activity_at": "updated_at", "star_count": "stars"}.get(call.text("order_by"), call.text("order_by"))
    chosen.sort(key=lambda row: (row.get(column or "created_at") or 0, row["id"])
                if column not in {"name", "path"} else (str(row[column]).lower(), row["id"]))  # fmt: skip
    if call.text("sort", "desc") == "desc":
        chosen.reverse()
    if call.flag("simple") or call.user is None:
        return paged(call, chosen, lambda row: brief(call.world, row))
    return paged(call, chosen, lambda row: full(call, row))


def index(call: Call) -> Reply:
    """List projects."""
    return listed(call, call.world.rows("projects"))


def of_user(call: Call) -> Reply:
    """List the projects in a user's namespace."""
    user = next(
        (row for row in call.world.find("users") if call.params["user_id"] in (str(row["id"]), row["username"])), None
    )
    if user is None:
        raise errors.not_found("User")
    return listed(call, call.world.rows("projects", namespace_id=user["namespace_id"]))


def show(call: Call) -> Row:
    """Return one project."""
    if call.user is None:
        return {**brief(call.world, call.project), "empty_repo": call.project["empty"]} | full(call, call.project)
    return full(call, call.project)


def _slug(name: str) -> str:
    return re.sub(r"[^a-zA-Z0-9_.-]+", "-", name).strip("-.").lower() or "project"


def _check_path(call: Call, path: str, space: Row, itself: Row | None = None) -> None:
    if not groups.PATH.match(path) or path.endswith((".git", ".atom")):
        why = ("can contain only letters, digits, '_', '-' and '.'. Cannot start with '-', end in '.git' or end in "
               "'.atom'")  # fmt: skip
        raise errors.refused(path=[why])
    for row in call.world.find("projects", namespace_id=space["id"]):
        if row is not itself and row["path"].lower() == path.lower():
            taken = ["has already been taken"]
            raise errors.refused(**{"project_namespace.name": taken, "name": taken, "path": taken})


def _target_space(call: Call) -> Row:
    if not call.has("namespace_id") or call.args["namespace_id"] is None:
        return call.world.the("namespaces", call.me["namespace_id"])
    space = call.world.get("namespaces", call.int("namespace_id"))
    if space is None:
        raise errors.refused(namespace=["is not valid"])
    role = access.group_role(call.world, space, call.user)
    if role < DEVELOPER:
        raise errors.refused(namespace=["is not valid"])
    return space


def create(call: Call) -> Row:
    """Make a project."""
    name, path = call.text("name"), call.text("path")
    if not name and not path:
        raise errors.ApiError(400, {"error": "name, path are missing, at least one parameter must be provided"})
    space = _target_space(call)
    name, path = name or path, path or _slug(name)
    _check_path(call, path, space)
    project = make(call.world, space, call.me, name, path)
    _assign(call, project)
    if call.flag("initialize_with_readme"):
        _first_commit(call, project)
    return full(call, project)


def make(world: World, space: Row, user: Row, name: str, path: str, **more: Any) -> Row:
    """Make a project row, its repository, and its maker's membership."""
    defaults = {key: (list(value) if isinstance(value, list) else value) for key, value in SETTINGS.items()}
    row = {**defaults, "name": name, "path": path, "namespace_id": space["id"], "creator_id": user["id"],
           "default_branch": "main", "empty": True, "stars": [], "forked_from": None, "has_readme": False,
           "push_rule": None}  # fmt: skip
    project = world.add("projects", {**row, **more})
    repo_of(world, project).create()
    if space["kind"] == "user" or access.group_role(world, space, user) < MAINTAINER:
        groups.add_owner(world, "project", project["id"], user)
    return project


def _assign(call: Call, project: Row) -> None:
    for name, default in SETTINGS.items():
        if call.has(name) and name != "archived" and (call.world.paid or name not in PAID):
            project[name] = _typed(call, name, default)
    for old, new in OLD_SWITCHES.items():
        if call.has(old):
            project[new] = "enabled" if call.flag(old) else "disabled"
    if call.has("tag_list") or call.has("topics"):
        project["topics"] = call.listed("topics") or call.listed("tag_list")


def _typed(call: Call, name: str, default: Any) -> Any:
    if name == "topics":
        return call.listed(name)
    if isinstance(default, bool) or name == "allow_merge_on_skipped_pipeline":
        return call.flag(name)
    if isinstance(default, int):
        return call.int(name)
    value = call.args[name]
    if name.endswith("_template") and value and len(str(value)) > 500:
        raise errors.refused(**{f"project_setting.{name}": ["is too long (maximum is 500 characters)"]})
    return value


def _first_commit(call: Call, project: Row) -> None:
    from tests.gitlab import commits, pushes

    branch = call.text("default_branch") or "main"
    text = f"# {project['name']}\n\n{project['description'] or ''}\n"
    actions = [{"action": "create", "file_path": "README.md", "content": text}]
    sha = commits.write(call.world, project, call.me, branch, None, actions, "Initial commit")
    pushes.branch_moved(call.world, project, call.me, branch, None, sha)


def update(call: Call) -> Row:
    """Change a project."""
    project, world = call.project, call.world
    if call.text("path") and call.text("path") != project["path"]:
        _check_path(call, call.text("path"), world.the("namespaces", project["namespace_id"]), project)
        world.add("redirects", {"path": access.project_path(world, project).lower(), "project_id": project["id"]})
        project["path"] = call.text("path")
    project["name"] = call.text("name") or project["name"]
    if call.text("default_branch"):
        _change_default(call, project)
    _assign(call, project)
    project["updated_at"] = world.now()
    return full(call, project)


def _change_default(call: Call, project: Row) -> None:
    branch, repo = call.text("default_branch"), repo_of(call.world, project)
    if not project["empty"] and repo.head(branch) is None:
        raise errors.refused(base=["Could not change HEAD: branch '" + branch + "' does not exist"])
    project["default_branch"] = branch
    repo.set_head(branch)
    repo.copy_attributes(branch)


def remove(world: World, project: Row) -> None:
    """Forget a project and all of its rows, and delete its repository."""
    for table in OWNED_TABLES:
        world.drop_where(table, project_id=project["id"])
    for table in list(world.tables):
        world.drop_where(table, source="project", source_id=project["id"])
    repo_of(world, project).remove()
    world.drop("projects", project)


def delete(call: Call) -> Reply:
    """Delete a project at once."""
    remove(call.world, call.project)
    return Reply({"message": "202 Accepted"}, 202)


def relocate(world: World, project: Row, space: Row) -> None:
    """Move a project to another namespace; its old path leads to it from then on."""
    for row in world.find("projects", namespace_id=space["id"]):
        if row["path"].lower() == project["path"].lower() and row is not project:
            raise errors.told(400, "Project with same name or path in target namespace already exists")
    world.add("redirects", {"path": access.project_path(world, project).lower(), "project_id": project["id"]})
    project["namespace_id"] = space["id"]


def transfer(call: Call) -> Row:
    """Move the project to another namespace."""
    space = groups.space_by(call.world, call.text("namespace"))
    if space is None:
        raise errors.not_found("Namespace")
    relocate(call.world, call.project, space)
    return full(call, call.project)


def _archive(*, to: bool) -> Any:
    def run(call: Call) -> Row:
        call.project["archived"] = to
        return full(call, call.project)

    return run


def star(call: Call) -> Any:
    """Star the project."""
    if call.me["id"] in call.project["stars"]:
        return Reply(status=304)
    call.project["stars"].append(call.me["id"])
    return full(call, call.project)


def unstar(call: Call) -> Any:
    """Take the star back."""
    if call.me["id"] not in call.project["stars"]:
        return Reply(status=304)
    call.project["stars"].remove(call.me["id"])
    return full(call, call.project)


def fork(call: Call) -> Row:
    """Fork the project with all its refs."""
    world, source = call.world, call.project
    key = call.args.get("namespace_id") or call.args.get("namespace_path") or call.args.get("namespace")
    space = groups.space_by(world, str(key)) if key else world.the("namespaces", call.me["namespace_id"])
    if space is None:
        raise errors.not_found("Target Namespace")
    if access.group_role(world, space, call.user) < DEVELOPER:
        raise errors.not_found("Target Namespace")
    name, path = call.text("name") or source["name"], call.text("path") or source["path"]
    for row in world.find("projects", namespace_id=space["id"]):
        if row["path"] == path:
            raise errors.conflict(
                [
                    "Project namespace name has already been taken",
                    "Name has already been taken",
                    "Path has already been taken",
                ]
            )
    copied = {name: source[name] for name in ("visibility", "description", "default_branch", "empty", "has_readme")}
    made = make(world, space, call.me, name, path, forked_from=source["id"], **copied)
    _copy_refs(world, source, made)
    return full(call, made)


def _copy_refs(world: World, source: Row, made: Row) -> None:
    repo = repo_of(world, made)
    if source["empty"]:
        return
    repo.run(
        "fetch", "--quiet", str(repo_of(world, source).path), "+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*"
    )
    repo.set_head(made["default_branch"])


def forks(call: Call) -> Reply:
    """List the project's forks."""
    return listed(call, call.world.rows("projects", forked_from=call.project["id"]))


def relate_fork(call: Call) -> Row:
    """Say that the project is a fork of another."""
    origin = subject.project_by(call.world, call.params["other"])
    if origin is None:
        raise errors.not_found("Source Project")
    call.project["forked_from"] = origin["id"]
    return full(call, call.project)


def unrelate_fork(call: Call) -> Any:
    """Forget that the project is a fork."""
    if call.project["forked_from"] is None:
        return Reply(status=304)
    call.project["forked_from"] = None
    return None


def upload(call: Call) -> Row:
    """Keep a file for use in texts."""
    if "file" not in call.files:
        raise errors.missing("file")
    name, content = call.files["file"]
    row = call.world.add("uploads", {"project_id": call.project["id"], "content": content.hex(), "url": ""})
    secret = f"{row['id']:032x}"
    url = f"/uploads/{secret}/{name}"
    row["url"] = f"/-/project/{call.project['id']}{url}"
    shown = f"{'!' if name.endswith(('.png', '.jpg', '.gif')) else ''}[{name}]({url})"
    return {"id": row["id"], "alt": name, "url": url, "full_path": row["url"], "markdown": shown}


def members_list(call: Call) -> Reply:
    """List the people who can be mentioned in the project."""
    rows = access.members_with_role(call.world, call.project, 10)
    return paged(call, rows, lambda row: users.brief(call.world, row))


def starrers(call: Call) -> Reply:
    """List who starred the project."""
    rows = [
        {"starred_since": iso(call.project["updated_at"]), "user": users.by_id(call.world, key)}
        for key in call.project["stars"]
    ]
    return paged(call, rows)


def storage(call: Call) -> Row:
    """Return where the repository is kept."""
    return {"project_id": call.project["id"], "disk_path": f"@hashed/{call.project['id']}",
            "created_at": iso(call.project["created_at"]), "repository_storage": "default"}  # fmt: skip


VISIBLE: dict[str, Any] = {"values": VALUES}
ROUTES = [
    route("GET /projects", index, anonymous=True, values={"visibility": VALUES["visibility"]}),
    route("POST /projects", create, **VISIBLE),
    route("GET /users/:user_id/projects", of_user, anonymous=True),
    route("GET /projects/:id", show, job=True),
    route("PUT /projects/:id", update, role=MAINTAINER, **VISIBLE),
    route("DELETE /projects/:id", delete, role=OWNER, status=202, archived=True),
    route("PUT /projects/:id/transfer", transfer, role=OWNER, required=("namespace",)),
    route("POST /projects/:id/archive", _archive(to=True), role=OWNER, archived=True),
    route("POST /projects/:id/unarchive", _archive(to=False), role=OWNER, archived=True),
    route("POST /projects/:id/star", star, archived=True),
    route("POST /projects/:id/unstar", unstar, archived=True),
    route("GET /projects/:id/starrers", starrers),
    route("POST /projects/:id/fork", fork, archived=True),
    route("GET /projects/:id/forks", forks),
    route("POST /projects/:id/fork/:other", relate_fork, admin=True),
    route("DELETE /projects/:id/fork", unrelate_fork, role=OWNER),
    route("POST /projects/:id/uploads", upload, role=10),
    route("GET /projects/:id/users", members_list),
    route("GET /projects/:id/storage", storage, admin=True),
    route("POST /projects/:id/housekeeping", lambda _: {"message": "201 Created"}, role=OWNER),
    route("GET /projects/:id/languages", lambda _: {}, role=REPORTER),
    route("POST /projects/:id/restore", lambda call: full(call, call.project), role=OWNER),
]
