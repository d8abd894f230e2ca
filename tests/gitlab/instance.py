"""The instance itself: version, settings, search, events, templates, and the odd endpoints clients ask for."""

from __future__ import annotations

import html
from typing import Any

from tests.gitlab import access, errors, project_views, users
from tests.gitlab.call import Call, Reply
from tests.gitlab.clock import iso
from tests.gitlab.git import GitError, repo_of
from tests.gitlab.groups import brief as group_brief
from tests.gitlab.pagination import paged
from tests.gitlab.routes import route
from tests.gitlab.state import Row

DEFAULTS: Row = {
    "id": 1, "default_projects_limit": 100_000, "signup_enabled": True, "default_branch_protection": 2, "default_branch_name": None,
    "default_project_visibility": "private", "default_group_visibility": "private", "deletion_adjourned_period": 7,
    "throttle_authenticated_api_enabled": False, "throttle_authenticated_api_requests_per_period": 7200,
    "throttle_authenticated_api_period_in_seconds": 3600, "throttle_unauthenticated_api_enabled": False,
    "max_attachment_size": 100, "allow_local_requests_from_web_hooks_and_services": False, "ci_max_includes": 150,
    "password_authentication_enabled_for_web": True, "require_admin_approval_after_user_signup": False,
    "group_owners_can_manage_default_branch_protection": True, "bulk_import_enabled": False, "home_page_url": None,
}  # fmt: skip
EE_ONLY = ("deletion_adjourned_period",)


def version(call: Call) -> Row:
    """Return version and revision."""
    return {"version": call.world.settings["version"], "revision": call.world.settings["revision"]}


def metadata(call: Call) -> Row:
    """Return version, revision and edition."""
    number = call.world.settings["version"]
    return {**version(call), "kas": {"enabled": False, "externalUrl": None, "externalK8sProxyUrl": None, "version": None},
            "enterprise": number.endswith("-ee")}  # fmt: skip


def settings(call: Call) -> Row:
    """Return the instance's settings."""
    return {
        name: value
        for name, value in {**DEFAULTS, **call.world.meta["application"]}.items()
        if call.world.paid or name not in EE_ONLY
    }


def set_settings(call: Call) -> Row:
    """Change the instance's settings."""
    for name, value in call.args.items():
        default = DEFAULTS.get(name)
        if isinstance(default, bool):
            call.world.meta["application"][name] = call.flag(name)
        elif isinstance(default, int):
            call.world.meta["application"][name] = call.int(name)
        elif name not in {"private_token", "sudo"}:
            call.world.meta["application"][name] = value
    return settings(call)


def search(call: Call) -> Reply:
    """Search by scope."""
    text, scope = call.text("search").lower(), call.text("scope")
    world = call.world
    if scope == "users":
        rows = [row for row in world.find("users") if text in row["name"].lower() or text in row["username"].lower()]
        return paged(call, rows, lambda row: users.brief(world, row))
    if scope in {"blobs", "commits"} and call.project:
        return paged(call, _code(call, scope))
    table, draw = _scopes(call)[scope]
    rows = [
        row
        for row in table
        if text in str(row.get("title") or row.get("name") or "").lower()
        or text in str(row.get("description") or "").lower()
    ]
    return paged(call, rows, draw)


def _scopes(call: Call) -> dict[str, Any]:
    from tests.gitlab.issues import shown as issue
    from tests.gitlab.merge_requests import listed_one
    from tests.gitlab.milestones import shown as milestone

    world = call.world

    def inside(table: str) -> list[Row]:
        rows = world.rows(table)
        if call.project:
            return [row for row in rows if row["project_id"] == call.project["id"]]
        return [
            row for row in rows if access.can_see_project(world, world.the("projects", row["project_id"]), call.user)
        ]

    seen = [row for row in world.find("projects") if access.can_see_project(world, row, call.user)]
    return {
        "projects": (seen, lambda row: project_views.brief(world, row)),
        "issues": (inside("issues"), lambda row: issue(call, row)),
        "merge_requests": (inside("merge_requests"), lambda row: listed_one(call, row)),
        "milestones": (
            [row for row in world.find("milestones") if row["source"] == "project"],
            lambda row: milestone(world, row),
        ),
    }


def _code(call: Call, scope: str) -> list[Row]:
    from tests.gitlab import commits

    repo, text = repo_of(call.world, call.project), call.text("search")
    ref = call.text("ref") or call.project["default_branch"]
    if call.project["empty"]:
        return []
    if scope == "commits":
        rows = commits.read(repo, f"--grep={text}", "-i", ref)
        return [commits.drawn(call.world, call.project, row) for row in rows]
    try:
        out = repo.text("grep", "-n", "-i", "-F", "-e", text, ref, "--")
    except GitError:  # git grep ends with 1 when it finds nothing
        return []
    rows = []
    for line in out.splitlines():
        _, path, number, data = line.split(":", 3)
        rows.append({"basename": path.rsplit(".", 1)[0], "data": data, "path": path, "filename": path, "id": None, "ref": ref,
                     "startline": int(number), "project_id": call.project["id"]})  # fmt: skip
    return rows


def activity(call: Call) -> Reply:
    """List what happened: in a project, by a user, by the caller."""
    where: Row = {}
    if call.project:
        where = {"project_id": call.project["id"]}
    elif "user_id" in call.params:
        where = {"author_id": call.number("user_id")}
    else:
        where = {"author_id": call.me["id"]}
    rows = list(reversed(call.world.rows("activity", **where)))
    return paged(call, rows, lambda row: _event(call, row))


def _event(call: Call, row: Row) -> Row:
    author = users.by_id(call.world, row["author_id"])
    return {"id": row["id"], "project_id": row["project_id"], "action_name": row["action_name"], "target_id": None, "target_iid": None,
            "target_type": row["target_type"], "author_id": row["author_id"], "target_title": None, "created_at": iso(row["created_at"]),
            "author": author, "author_username": (author or {}).get("username"), "imported": False,
            "push_data": {"commit_count": 1, "action": row["action_name"].split(" ")[0], "ref_type": "branch", "ref": row["ref"],
                          "commit_to": row["to"], "commit_from": None, "commit_title": None, "ref_count": None}}  # fmt: skip


def markdown(call: Call) -> Row:
    """Render a text as one paragraph."""
    return {
        "html": f'<p data-sourcepos="1:1-1:{len(call.text("text"))}" dir="auto">{html.escape(call.text("text"))}</p>'
    }


NAMES = ("Android", "C", "C++", "Clojure", "Composer", "Dart", "Django", "Docker", "Elixir", "Erlang", "Go", "Gradle", "Grails", "Haskell",
         "Java", "Julia", "Laravel", "Maven", "Node", "Nodejs", "PHP", "Python", "Ruby", "Rust", "Scala", "Swift", "Terraform")  # fmt: skip
LICENSES = ("mit", "apache-2.0", "bsd-2-clause", "bsd-3-clause", "gpl-3.0", "lgpl-3.0", "mpl-2.0", "unlicense")


def _templates(kind: str) -> list[Any]:
    names = LICENSES if kind == "licenses" else NAMES

    def one(call: Call) -> Row:
        name = call.params["key"]
        if name not in names:
            raise errors.not_found("Template")
        if kind == "licenses":
            who = call.text("fullname") or "[fullname]"
            return {"key": name, "name": name, "nickname": None, "popular": True, "html_url": None, "source_url": None,
                    "description": "", "conditions": [], "permissions": [], "limitations": [],
                    "content": f"{name}\n\nCopyright (c) {who}\n{call.text('project')}\n"}  # fmt: skip
        return {"name": name, "content": f"# {name}\n"}

    def every(call: Call) -> Reply:
        return paged(call, [{"key": name, "name": name, "popular": True} for name in names])

    return [
        route(f"GET /templates/{kind}", every, anonymous=True),
        route(f"GET /templates/{kind}/:key", one, anonymous=True),
    ]


def mr_templates(call: Call) -> Reply:
    """List the project's templates of a kind: the files of a folder on the default branch."""
    return paged(call, [{"key": name, "name": name} for name in _template_files(call)])


FOLDERS = {"merge_requests": ".gitlab/merge_request_templates", "issues": ".gitlab/issue_templates"}


def _template_files(call: Call) -> dict[str, str]:
    folder = FOLDERS.get(call.params["kind"])
    repo = repo_of(call.world, call.project)
    if folder is None:
        raise errors.invalid("type")
    head = repo.head(call.project["default_branch"])
    if head is None:
        return {}
    found = repo.text("ls-tree", "--name-only", head, "--", f"{folder}/").splitlines()
    return {path.rsplit("/", 1)[1].removesuffix(".md"): path for path in found if path.endswith(".md")}


def mr_template(call: Call) -> Row:
    """Return one template of the project."""
    path = _template_files(call).get(call.params["key"])
    if path is None:
        raise errors.not_found("Template")
    content = repo_of(call.world, call.project).blob(f"refs/heads/{call.project['default_branch']}", path) or b""
    return {"name": call.params["key"], "content": content.decode(errors="replace")}


def _sidekiq(*parts: str) -> Any:
    known = {"queues": {"default": {"backlog": 0, "latency": 0}}, "processes": [{"hostname": "stand-in", "pid": 1, "tag": "default"}],
             "jobs": {"processed": 0, "failed": 0, "enqueued": 0, "dead": 0}}  # fmt: skip
    return lambda _: {part: known[part] for part in parts}


def notification_settings(call: Call) -> Row:
    """Return the caller's notification level."""
    level = call.world.meta.setdefault("notifications", {}).get(
        _place(call), "global" if call.project or call.group else "participating"
    )
    mail = {} if call.project or call.group else {"notification_email": call.me["email"]}
    return {"level": level, **mail}


def _place(call: Call) -> str:
    return f"{call.me['id']}/{call.project.get('id')}/{call.group.get('id')}"


def set_notification_settings(call: Call) -> Row:
    """Change the caller's notification level."""
    if call.has("level"):
        call.world.meta.setdefault("notifications", {})[_place(call)] = call.text("level")
    return notification_settings(call)


def statistics(call: Call) -> Row:
    """Count what the instance has, as texts."""
    tables = {"forks": 0, "issues": "issues", "merge_requests": "merge_requests", "notes": "notes", "snippets": "snippets", "ssh_keys": "keys",
              "milestones": "milestones", "users": "users", "projects": "projects", "active_users": "users"}  # fmt: skip
    counts = {name: str(len(call.world.tables.get(str(table), {}))) for name, table in tables.items()}
    return {**counts, "groups": str(len(call.world.rows("namespaces", kind="group")))}


def job_scope(call: Call) -> Row:
    """Return whether the job token's reach is limited."""
    return {"inbound_enabled": call.project.get("inbound_enabled", True), "outbound_enabled": False}


def set_job_scope(call: Call) -> None:
    """Limit the job token's reach, or not."""
    call.project["inbound_enabled"] = call.flag("enabled")


def invisible(call: Call) -> list[Row]:
    """Return groups for the admin's list."""
    return [group_brief(call.world, row) for row in call.world.rows("namespaces", kind="group")]


SEARCH: dict[str, Any] = {"required": ("scope", "search")}
ROUTES = [
    route("GET /version", version, read=("read_user",)),
    route("GET /metadata", metadata, read=("read_user",)),
    route("GET /application/settings", settings, admin=True),
    route("PUT /application/settings", set_settings, admin=True),
    route("GET /application/statistics", statistics, admin=True),
    route("GET /search", search, **SEARCH),
    route("GET /projects/:id/search", search, **SEARCH),
    route("GET /groups/:id/search", search, **SEARCH),
    route("GET /projects/:id/-/search", search, **SEARCH),
    route("GET /events", activity),
    route("GET /projects/:id/events", activity),
    route("GET /users/:user_id/events", activity),
    route("GET /user/activities", lambda call: paged(call, []), admin=True),
    route("POST /markdown", markdown, required=("text",)),
    *(one for kind in ("dockerfiles", "gitignores", "gitlab_ci_ymls", "licenses") for one in _templates(kind)),
    route("GET /projects/:id/templates/:kind", mr_templates),
    route("GET /projects/:id/templates/:kind/:key", mr_template),
    route("GET /sidekiq/queue_metrics", _sidekiq("queues"), admin=True),
    route("GET /sidekiq/process_metrics", _sidekiq("processes"), admin=True),
    route("GET /sidekiq/job_stats", _sidekiq("jobs"), admin=True),
    route("GET /sidekiq/compound_metrics", _sidekiq("queues", "processes", "jobs"), admin=True),
    route("GET /notification_settings", notification_settings),
    route("PUT /notification_settings", set_notification_settings),
    route("GET /projects/:id/notification_settings", notification_settings),
    route("PUT /projects/:id/notification_settings", set_notification_settings),
    route("GET /groups/:id/notification_settings", notification_settings),
    route("PUT /groups/:id/notification_settings", set_notification_settings),
    route("GET /projects/:id/job_token_scope", job_scope, role=40),
    route("PATCH /projects/:id/job_token_scope", set_job_scope, role=40, required=("enabled",), status=204),
]
