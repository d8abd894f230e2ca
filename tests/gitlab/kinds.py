"""The table of simple resources: what a client can keep here and read again, with no behaviour of its own."""

from __future__ import annotations

import secrets
from typing import Any

from tests.gitlab import simple, users
from tests.gitlab.call import Call
from tests.gitlab.clock import iso, parse
from tests.gitlab.routes import DEVELOPER, GUEST, MAINTAINER, OWNER, REPORTER, Route
from tests.gitlab.simple import Kind
from tests.gitlab.state import Row


def _snippet(call: Call, row: Row) -> None:
    if row["files"]:
        first = row["files"][0]
        row |= {"file_name": first.get("file_path", row["file_name"]), "content": first.get("content", "")}
    row["author"] = users.brief(call.world, call.me)


def _slug(call: Call, row: Row) -> None:
    row["slug"] = str(row["title"]).replace(" ", "-")


def _deploy_token(call: Call, row: Row) -> None:
    if row["expires_at"]:
        row["expires_at"] = iso(parse(str(row["expires_at"])))
    row |= {"username": row["username"] or f"gitlab+deploy-token-{row['id']}", "token": f"gldt-{secrets.token_urlsafe(15)}",
            "revoked": False, "expired": False}  # fmt: skip


def _environment(call: Call, row: Row) -> None:
    row |= {"slug": str(row["name"]).lower().replace("/", "-"), "state": "available"}


def _badge(call: Call, row: Row) -> None:
    row |= {"kind": row["source"], "rendered_link_url": row["link_url"], "rendered_image_url": row["image_url"]}


def _key(call: Call, row: Row) -> None:
    row |= {"usage_type": row["usage_type"] or "auth_and_signing"}


TOPIC: Row = {
    "name": None,
    "title": None,
    "description": None,
    "total_projects_count": 0,
    "organization_id": 1,
    "avatar_url": None,
}
BADGE: Row = {
    "name": None,
    "link_url": None,
    "image_url": None,
    "rendered_link_url": None,
    "rendered_image_url": None,
    "kind": None,
}
DEPLOY_TOKEN: Row = {
    "name": None,
    "username": None,
    "expires_at": None,
    "scopes": [],
    "revoked": False,
    "expired": False,
    "token": None,
}
WIKI: Row = {"title": None, "content": None, "format": "markdown", "slug": None, "encoding": "UTF-8"}
SNIPPET: Row = {
    "title": None,
    "description": None,
    "visibility": "private",
    "file_name": "snippet",
    "author": None,
    "files": [],
    "content": "",
}
KINDS = (
    Kind("/projects/:id/badges", "badges", BADGE, ("link_url", "image_url"), write=MAINTAINER, made=_badge, dated=False),
    Kind("/groups/:id/badges", "badges", BADGE, ("link_url", "image_url"), write=OWNER, made=_badge, dated=False),
    Kind("/projects/:id/environments", "environments",
         {"name": None, "slug": None, "external_url": None, "tier": "other", "state": "available", "description": None},
         ("name",), what="Environment", unique="name", write=DEVELOPER, made=_environment),
    Kind("/projects/:id/deploy_keys", "deploy_keys", {"title": None, "key": None, "can_push": False, "fingerprint": None, "expires_at": None},
         ("title", "key"), what="Deploy Key", unique="key", read=MAINTAINER),
    Kind("/projects/:id/deploy_tokens", "deploy_tokens", DEPLOY_TOKEN, ("name", "scopes"), read=MAINTAINER, made=_deploy_token,
         verbs=("list", "get", "create", "delete"), what="Deploy Token", dated=False),
    Kind("/groups/:id/deploy_tokens", "deploy_tokens", DEPLOY_TOKEN, ("name", "scopes"), read=MAINTAINER, write=OWNER, made=_deploy_token,
         verbs=("list", "get", "create", "delete"), what="Deploy Token", dated=False),
    Kind("/projects/:id/snippets", "snippets", SNIPPET, ("title",), made=_snippet, hidden=("content",), read=GUEST, write=REPORTER, what="Snippet"),
    Kind("/snippets", "snippets", SNIPPET, ("title",), made=_snippet, hidden=("content",), what="Snippet"),
    Kind("/projects/:id/wikis", "wikis", WIKI, ("title", "content"), key="slug", what="Wiki Page", write=DEVELOPER, made=_slug, dated=False),
    Kind("/groups/:id/wikis", "wikis", WIKI, ("title", "content"), key="slug", what="Wiki Page", write=DEVELOPER, made=_slug, dated=False,
         paid=True),
    Kind("/projects/:id/remote_mirrors", "mirrors",
         {"url": None, "enabled": False, "auth_method": "password", "keep_divergent_refs": None, "only_protected_branches": None,
          "update_status": "none", "last_error": None, "last_update_at": None, "last_successful_update_at": None},
         ("url",), read=MAINTAINER, dated=False),
    Kind("/projects/:id/pages/domains", "pages_domains", {"domain": None, "url": None, "auto_ssl_enabled": False, "verified": False, "enabled_until": None},
         ("domain",), key="domain", what="PagesDomain", read=MAINTAINER, dated=False),
    Kind("/projects/:id/boards", "boards", {"name": "", "lists": [], "hide_backlog_list": False, "hide_closed_list": False}, ("name",),
         read=GUEST, dated=False),
    Kind("/groups/:id/boards", "boards", {"name": "", "lists": [], "hide_backlog_list": False, "hide_closed_list": False}, ("name",),
         read=GUEST, dated=False),
    Kind("/projects/:id/feature_flags", "feature_flags",
         {"name": None, "description": None, "active": True, "version": "new_version_flag", "scopes": [], "strategies": []},
         ("name",), key="name", read=DEVELOPER, write=DEVELOPER, unique="name"),
    Kind("/projects/:id/external_status_checks", "status_checks",
         {"name": None, "external_url": None, "protected_branches": [], "hmac": False}, ("name", "external_url"), read=MAINTAINER, paid=True,
         dated=False),
    Kind("/topics", "topics", TOPIC, ("name",), unique="name", dated=False, verbs=("list", "get"), what="Topic"),
    Kind("/topics", "topics", TOPIC, ("name",), unique="name", dated=False, verbs=("create", "update", "delete"), admin=True),
    Kind("/broadcast_messages", "broadcasts",
         {"message": None, "starts_at": None, "ends_at": None, "color": "", "font": "", "target_access_levels": [], "target_path": None,
          "broadcast_type": "banner", "dismissable": False, "active": True, "theme": "indigo"}, ("message",), admin=True, dated=False),
    Kind("/hooks", "system_hooks", {"url": None, "name": None, "push_events": False, "tag_push_events": False, "merge_requests_events": False,
                                    "repository_update_events": True, "enable_ssl_verification": True}, ("url",), admin=True),
    Kind("/users/:user_id/emails", "emails", {"email": None, "confirmed_at": None}, ("email",), admin=True, dated=False, unique="email",
         verbs=("list", "get", "create", "delete")),
    Kind("/user/emails", "emails", {"email": None, "confirmed_at": None}, ("email",), dated=False, unique="email",
         verbs=("list", "get", "create", "delete")),
    Kind("/users/:user_id/keys", "keys", {"title": None, "key": None, "expires_at": None, "usage_type": None}, ("title", "key"), made=_key,
         unique="key", taken="has already been taken", what="Key", verbs=("list", "get", "create", "delete")),
    Kind("/user/keys", "keys", {"title": None, "key": None, "expires_at": None, "usage_type": None}, ("title", "key"), made=_key,
         unique="key", what="Key", verbs=("list", "get", "create", "delete")),
    Kind("/users/:user_id/gpg_keys", "gpg_keys", {"key": None}, ("key",), what="GPG Key", verbs=("list", "get", "create", "delete")),
    Kind("/user/gpg_keys", "gpg_keys", {"key": None}, ("key",), what="GPG Key", verbs=("list", "get", "create", "delete")),
)  # fmt: skip
CUSTOM = (("/projects/:id", "projects"), ("/groups/:id", "groups"), ("/users/:user_id", "users"))
LISTS: Row = {"name": None, "user_xids": None, "iid": None, "project_id": None}


def _user_list(call: Call, row: Row) -> None:
    row |= {"iid": row["id"], "project_id": row["source_id"]}


MORE = (
    Kind("/projects/:id/feature_flags_user_lists", "flag_lists", LISTS, ("name", "user_xids"), key="iid", read=DEVELOPER,
         write=DEVELOPER, made=_user_list),
)  # fmt: skip
made: list[Any] = [one for kind in (*KINDS, *MORE) for one in simple.crud(kind)]
ROUTES: list[Route] = [*made, *(one for path, table in CUSTOM for one in simple.custom_attributes(path, table))]
