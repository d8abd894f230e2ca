"""What a project looks like: to anyone, and to its members."""

from __future__ import annotations

from tests.gitlab import access, groups, users
from tests.gitlab.call import Call
from tests.gitlab.clock import iso
from tests.gitlab.project_fields import INNER, OLD_SWITCHES, PAID, SETTINGS
from tests.gitlab.routes import DEVELOPER, MAINTAINER
from tests.gitlab.state import Row, World

EXPIRATION: Row = {
    "cadence": "1d",
    "enabled": False,
    "keep_n": 10,
    "older_than": "90d",
    "name_regex": ".*",
    "name_regex_keep": None,
    "next_run_at": None,
}


def brief(world: World, project: Row) -> Row:
    """Return what every view of a project begins with."""
    path, space = access.project_path(world, project), world.the("namespaces", project["namespace_id"])
    names = " / ".join(row["name"] for row in reversed(access.line_of(world, space)))
    host = world.address.split("//", 1)[1].split("/")[0].split(":")[0]
    return {
        "id": project["id"],
        "description": project["description"],
        "name": project["name"],
        "name_with_namespace": f"{names} / {project['name']}",
        "path": project["path"],
        "path_with_namespace": path,
        "created_at": iso(project["created_at"]),
        "default_branch": project["default_branch"],
        "tag_list": project["topics"],
        "topics": project["topics"],
        "ssh_url_to_repo": f"git@{host}:{path}.git",
        "http_url_to_repo": f"{world.address}/{path}.git",
        "web_url": f"{world.address}/{path}",
        "readme_url": f"{world.address}/{path}/-/blob/{project['default_branch']}/README.md"
        if project.get("has_readme")
        else None,
        "forks_count": sum(1 for _ in world.find("projects", forked_from=project["id"])),
        "avatar_url": None,
        "star_count": len(project["stars"]),
        "last_activity_at": iso(project["updated_at"]),
        "visibility": project["visibility"],
        "namespace": groups.namespace(world, space),
    }


def full(call: Call, project: Row) -> Row:
    """Return a project as its members see it."""
    world = call.world
    shown = {name: project[name] for name in SETTINGS if name not in INNER and (world.paid or name not in PAID)}
    for old, new in OLD_SWITCHES.items():
        shown[old] = project[new] != "disabled"
    fork = world.get("projects", project.get("forked_from"))
    extra: Row = {"forked_from_project": brief(world, fork)} if fork else {}
    role = access.project_role(world, project, call.user)
    if role >= MAINTAINER:
        extra["runners_token"] = f"GR1348941{project['id']:020d}"
    if call.admin:
        extra["repository_storage"] = "default"
    return {
        **shown,
        **brief(world, project),
        "container_registry_image_prefix": f"localhost:5050/{access.project_path(world, project)}",
        "_links": _links(world, project),
        "empty_repo": project["empty"],
        "archived": project["archived"],
        "owner": _owner(world, project),
        "can_create_merge_request_in": role >= DEVELOPER,
        "updated_at": iso(project["updated_at"]),
        "creator_id": project["creator_id"],
        "import_status": "none",
        "import_url": project["import_url"],
        "import_type": None,
        "import_error": None,
        "open_issues_count": sum(1 for _ in world.find("issues", project_id=project["id"], state="opened")),
        "description_html": "",
        "ci_job_token_scope_enabled": project["ci_job_token_scope_enabled"],
        "container_expiration_policy": EXPIRATION,
        "service_desk_address": None,
        "runner_token_expiration_interval": None,
        "printing_merge_requests_link_enabled": project["printing_merge_request_link_enabled"],
        "shared_with_groups": _shares(world, project),
        "marked_for_deletion_at": None,
        "marked_for_deletion_on": None,
        "compliance_frameworks": [],
        "permissions": permissions(call, project),
        **extra,
    }


def _owner(world: World, project: Row) -> Row | None:
    space = world.the("namespaces", project["namespace_id"])
    user = world.get("users", space.get("owner_id")) if space["kind"] == "user" else None
    return {**(users.brief(world, user) or {}), "created_at": iso(user["created_at"])} if user else None


def _links(world: World, project: Row) -> Row:
    base = f"{world.address}/api/v4/projects/{project['id']}"
    parts = {"issues": "issues", "merge_requests": "merge_requests", "repo_branches": "repository/branches",
             "labels": "labels", "events": "events", "members": "members", "cluster_agents": "cluster_agents"}  # fmt: skip
    return {"self": base, **{name: f"{base}/{tail}" for name, tail in parts.items()}}


def _shares(world: World, project: Row) -> list[Row]:
    return [groups.share_shown(world, row) for row in world.find("shares", kind="project", source_id=project["id"])]


def permissions(call: Call, project: Row) -> Row:
    """Return the caller's direct and inherited role, as GitLab shows them."""
    if call.user is None:
        return {"project_access": None, "group_access": None}
    own = access.direct(call.world, "project", project["id"], call.user["id"])
    above = 0
    for space in access.line_of(call.world, call.world.get("namespaces", project["namespace_id"])):
        row = access.direct(call.world, "group", space["id"], call.user["id"])
        above = max(above, row["access_level"] if row else 0)

    def drawn(level: int) -> Row | None:
        return {"access_level": level, "notification_level": 3} if level else None

    return {"project_access": drawn(own["access_level"] if own else 0), "group_access": drawn(above)}
