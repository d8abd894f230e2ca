"""Smaller corners of the API: keys by fingerprint, integrations, pages, job token allowlist, issue links, snippets' text."""

from __future__ import annotations

import base64
import binascii
import hashlib
from typing import Any

from tests.gitlab import errors, project_views, projects, simple, users
from tests.gitlab.call import Call, Reply
from tests.gitlab.clock import iso
from tests.gitlab.issues import shown as issue
from tests.gitlab.issues import the_issue
from tests.gitlab.pagination import paged
from tests.gitlab.routes import DEVELOPER, MAINTAINER, OWNER, REPORTER, route
from tests.gitlab.state import Row


def fingerprint(key: str) -> str | None:
    """Return the SHA256 fingerprint of a public key's text, or None."""
    try:
        digest = hashlib.sha256(base64.b64decode(key.split()[1])).digest()
    except (IndexError, binascii.Error):
        return None
    return "SHA256:" + base64.b64encode(digest).rstrip(b"=").decode()


def _key(call: Call, row: Row) -> Row:
    shown = {
        "id": row["id"],
        "title": row["title"],
        "key": row["key"],
        "created_at": iso(row["created_at"]),
        "expires_at": None,
    }
    if row["source"] == "user":
        return {**shown, "usage_type": "auth_and_signing", "user": users.by_id(call.world, row["source_id"])}
    return {
        **shown,
        "user": None,
        "deploy_keys_projects": [{"id": row["id"], "project_id": row["source_id"], "can_push": row["can_push"]}],
    }


def key_by_id(call: Call) -> Row:
    """Return a user's key by its number."""
    row = call.world.get("keys", call.number("key_id"))
    if row is None:
        raise errors.not_found("Key")
    return _key(call, row)


def key_by_fingerprint(call: Call) -> Row:
    """Return a key, a user's or a deploy key, by its fingerprint."""
    for table in ("keys", "deploy_keys"):
        for row in call.world.find(table):
            if fingerprint(str(row["key"])) == call.text("fingerprint"):
                return _key(call, row)
    raise errors.not_found("Key")


def _all(table: str) -> Any:
    def run(call: Call) -> Reply:
        return paged(
            call,
            call.world.rows(table),
            lambda row: {name: value for name, value in row.items() if name not in {"token", "source", "source_id"}},
        )

    return run


def enable_deploy_key(call: Call) -> Row:
    """Let another project's deploy key into this one."""
    row = call.world.get("deploy_keys", call.number("key_id"))
    if row is None:
        raise errors.not_found("Deploy Key")
    kept = {name: row[name] for name in ("title", "key", "can_push", "fingerprint", "expires_at")}
    return simple.shown(
        _kind("/projects/:id/deploy_keys"),
        call.world.add("deploy_keys", {"source": "project", "source_id": call.project["id"], **kept}),
    )


def _kind(path: str) -> simple.Kind:
    from tests.gitlab.kinds import KINDS

    return next(kind for kind in KINDS if kind.path == path)


# Job token allowlist


def allow(call: Call) -> Row:
    """Let another project's job tokens in."""
    target = call.world.get("projects", call.int("target_project_id"))
    if target is None:
        raise errors.not_found("Project")
    allowed = call.project.setdefault("token_allowlist", [])
    if target["id"] in allowed:
        raise errors.bad_request("This project is already in the job token allowlist.")
    allowed.append(target["id"])
    return {"source_project_id": call.project["id"], "target_project_id": target["id"]}


def allowlist(call: Call) -> Reply:
    """List the projects whose job tokens are let in."""
    rows = [call.world.get("projects", key) for key in call.project.get("token_allowlist", [])]
    return paged(call, [row for row in rows if row], lambda row: project_views.brief(call.world, row))


def disallow(call: Call) -> None:
    """Shut another project's job tokens out."""
    allowed = call.project.get("token_allowlist", [])
    if call.number("other") not in allowed:
        raise errors.not_found()
    allowed.remove(call.number("other"))


# Integrations and pages


def set_integration(call: Call) -> Row:
    """Switch an integration on."""
    rows = call.project.setdefault("integrations", {})
    rows[call.params["name"]] = {key: value for key, value in call.args.items() if key != "private_token"}
    return integration(call)


def integration(call: Call) -> Row:
    """Return an integration.

    Raises:
        ApiError: It was never switched on.
    """
    rows, name = call.project.get("integrations", {}), call.params["name"]
    if name not in rows:
        raise errors.not_found("Integration")
    properties = {key: value for key, value in rows[name].items() if key not in {"api_key", "token", "password"}}
    return {"id": sum(name.encode()), "title": name.title(), "slug": name, "active": True, "properties": properties,
            "created_at": iso(call.project["created_at"]), "updated_at": iso(call.project["updated_at"])}  # fmt: skip


def drop_integration(call: Call) -> None:
    """Switch an integration off."""
    integration(call)
    call.project["integrations"].pop(call.params["name"])


def integrations(call: Call) -> Reply:
    """List the integrations that are on."""
    names = list(call.project.get("integrations", {}))
    rows = []
    for name in names:
        call.params["name"] = name
        rows.append(integration(call))
    return paged(call, rows)


def pages(call: Call) -> Row:
    """Return the pages settings."""
    return {"url": "http://pages.localhost", "is_unique_domain_enabled": call.project.get("unique_domain", True), "force_https": False,
            "deployments": [], "primary_domain": None}  # fmt: skip


def set_pages(call: Call) -> Row:
    """Change the pages settings."""
    if call.has("pages_unique_domain_enabled"):
        call.project["unique_domain"] = call.flag("pages_unique_domain_enabled")
    return pages(call)


# Issues and snippets


def link(call: Call) -> Row:
    """Relate two issues."""
    source, world = the_issue(call), call.world
    target = world.one("issues", project_id=call.int("target_project_id"), iid=call.int("target_issue_iid"))
    if target is None:
        raise errors.not_found("Issue")
    row = {"source": source["id"], "target": target["id"], "link_type": call.text("link_type", "relates_to")}
    if world.one("issue_links", source=source["id"], target=target["id"]):
        raise errors.conflict("Issue(s) already assigned")
    world.add("issue_links", row)
    return {"source_issue": issue(call, source), "target_issue": issue(call, target), "link_type": row["link_type"]}


def links(call: Call) -> Reply:
    """List the issues related to one."""
    source, rows = the_issue(call), []
    for row in call.world.find("issue_links"):
        ends = {row["source"], row["target"]}
        if source["id"] in ends:
            other = call.world.get("issues", next(iter(ends - {source["id"]})))
            if other:
                rows.append({**issue(call, other), "issue_link_id": row["id"], "link_type": row["link_type"]})
    return paged(call, rows)


def unlink(call: Call) -> Row:
    """Part two issues."""
    row = call.world.get("issue_links", call.number("link_id"))
    if row is None:
        raise errors.not_found("Issue Link")
    call.world.drop("issue_links", row)
    source, target = call.world.the("issues", row["source"]), call.world.the("issues", row["target"])
    return {"source_issue": issue(call, source), "target_issue": issue(call, target), "link_type": row["link_type"]}


def _snippet(call: Call) -> Row:
    row = call.world.get("snippets", call.number("snippet_id"))
    if row is None:
        raise errors.not_found("Snippet")
    return row


def snippet_text(call: Call) -> Reply:
    """Return a snippet's text."""
    row = _snippet(call)
    first = row["files"][0] if row["files"] else {}
    return Reply(str(row["content"] or first.get("content") or ""), kind="text/plain")


def agent(call: Call) -> Row:
    """Return who made it, as the anti-spam sees it."""
    return {"user_agent": call.headers.get("user-agent", "-"), "ip_address": "127.0.0.1", "akismet_submitted": False}


def license_of(call: Call) -> Row:
    """Return the licence.

    Raises:
        ApiError: There is none on Free.
    """
    if not call.world.paid:
        raise errors.not_found()
    return {"id": 1, "plan": call.world.tier, "user_limit": 100, "starts_at": "2026-01-01", "expires_at": "2036-01-01", "active_users": 1,
            "historical_max": 1, "maximum_user_count": 1, "overage": 0, "expired": False, "add_ons": {}, "licensee": {}}  # fmt: skip


def set_license(_: Call) -> Row:
    """Refuse every key."""
    raise errors.told(400, "The license key is invalid. Make sure it is exactly as you received it from GitLab Inc.")


def stop_environment(call: Call) -> Row:
    """Stop an environment."""
    row = call.world.get("environments", call.number("key"))
    if row is None or row["source_id"] != call.project["id"]:
        raise errors.not_found("Environment")
    row["state"] = "stopped"
    return simple.shown(_kind("/projects/:id/environments"), row)


def service_account(call: Call) -> Row:
    """Make a group's service account."""
    name = call.text("username") or f"service_account_group_{call.group['id']}_{call.world.next_iid('service', 0)}"
    user = users.create_user(
        call.world, name, call.text("name") or "Service account user", f"{name}@noreply.localhost", bot=True
    )
    return {"id": user["id"], "username": name, "name": user["name"], "email": user["email"]}


def _user_projects(which: str) -> Any:
    def run(call: Call) -> Reply:
        user = users.the_user(call)
        rows = call.world.rows("projects") if which == "starred" else call.world.rows("projects", creator_id=user["id"])
        return projects.listed(call, [row for row in rows if which != "starred" or user["id"] in row["stars"]])

    return run


SCOPE, NAMES = "/projects/:id/job_token_scope/allowlist", ("integrations", "services")
LINKS = "/projects/:id/issues/:issue_iid/links"
ROUTES = [
    route("GET /keys", key_by_fingerprint, admin=True, required=("fingerprint",)),
    route("GET /keys/:key_id", key_by_id, admin=True),
    route("GET /deploy_keys", _all("deploy_keys"), admin=True),
    route("GET /deploy_tokens", _all("deploy_tokens"), admin=True),
    route("GET /pages/domains", _all("pages_domains"), admin=True),
    route("GET /geo_nodes", lambda call: paged(call, []), admin=True, paid=True),
    route("GET /geo_nodes/status", lambda call: paged(call, []), admin=True, paid=True),
    route("POST /projects/:id/deploy_keys/:key_id/enable", enable_deploy_key, role=MAINTAINER),
    route(f"GET {SCOPE}", allowlist, role=MAINTAINER),
    route(f"POST {SCOPE}", allow, role=MAINTAINER, required=("target_project_id",)),
    route(f"DELETE {SCOPE}/:other", disallow, role=MAINTAINER),
    *(one for base in NAMES for one in (
        route(f"GET /projects/:id/{base}", integrations, role=MAINTAINER),
        route(f"GET /projects/:id/{base}/:name", integration, role=MAINTAINER),
        route(f"PUT /projects/:id/{base}/:name", set_integration, role=MAINTAINER),
        route(f"DELETE /projects/:id/{base}/:name", drop_integration, role=MAINTAINER),
    )),
    route("GET /projects/:id/pages", pages, role=MAINTAINER),
    route("PATCH /projects/:id/pages", set_pages, role=MAINTAINER),
    route("DELETE /projects/:id/pages", lambda _: None, role=MAINTAINER),
    route(f"GET {LINKS}", links),
    route(f"POST {LINKS}", link, role=REPORTER, required=("target_project_id", "target_issue_iid")),
    route(f"DELETE {LINKS}/:link_id", unlink, role=REPORTER, status=200),
    route("GET /snippets/:snippet_id/raw", snippet_text),
    route("GET /snippets/:snippet_id/user_agent_detail", agent, admin=True),
    route("GET /projects/:id/snippets/:snippet_id/raw", snippet_text),
    route("GET /projects/:id/snippets/:snippet_id/user_agent_detail", agent, admin=True),
    route("GET /license", license_of, admin=True),
    route("POST /license", set_license, admin=True),
    route("POST /projects/:id/environments/:key/stop", stop_environment, role=DEVELOPER, status=200),
    route("POST /groups/:id/service_accounts", service_account, role=OWNER, paid=True),
    route("GET /users/:user_id/starred_projects", _user_projects("starred"), anonymous=True),
    route("GET /users/:user_id/contributed_projects", _user_projects("contributed"), anonymous=True),
]  # fmt: skip
