"""Webhooks: kept, tested, resent; and the thread that delivers."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import secrets
import time
import urllib.error
import urllib.request
import uuid
from typing import Any

from tests.gitlab import errors, events, faults, payloads
from tests.gitlab.call import Call, Reply
from tests.gitlab.clock import iso
from tests.gitlab.git import ZERO, repo_of
from tests.gitlab.pagination import paged
from tests.gitlab.routes import MAINTAINER, OWNER, route
from tests.gitlab.state import Row, World

EVENTS = ("push_events", "issues_events", "confidential_issues_events", "merge_requests_events", "tag_push_events", "note_events",
          "confidential_note_events", "job_events", "pipeline_events", "wiki_page_events", "deployment_events",
          "feature_flag_events", "releases_events", "milestone_events", "emoji_events", "resource_access_token_events",
          "vulnerability_events", "repository_update_events")  # fmt: skip
TIMEOUT = 10
STRIKES, FATAL = 4, 40


def shown(world: World, hook: Row) -> Row:
    """Return a webhook, without its secrets."""
    place = {"project_id": hook["source_id"]} if hook["source"] == "project" else {"group_id": hook["source_id"]}
    return {
        "id": hook["id"],
        "url": hook["url"],
        "name": hook["name"],
        "description": hook["description"],
        "created_at": iso(hook["created_at"]),
        **{name: hook[name] for name in EVENTS},
        "enable_ssl_verification": hook["enable_ssl_verification"],
        "alert_status": _alert(world, hook),
        "disabled_until": iso(hook["disabled_until"]),
        "url_variables": [],
        "custom_webhook_template": None,
        "custom_headers": [],
        "push_events_branch_filter": hook["push_events_branch_filter"],
        "branch_filter_strategy": "wildcard",
        **place,
    }


def _alert(world: World, hook: Row) -> str:
    if hook["failures"] >= FATAL:
        return "disabled"
    return "temporarily_disabled" if (hook["disabled_until"] or 0) > world.now() else "executable"


def _place(call: Call) -> Row:
    if call.project:
        return {"source": "project", "source_id": call.project["id"]}
    return {"source": "group", "source_id": call.group["id"]}


def _given(call: Call) -> Row:
    fields: Row = {name: call.flag(name) for name in (*EVENTS, "enable_ssl_verification") if call.has(name)}
    names = ("url", "token", "name", "description", "push_events_branch_filter", "signing_token")
    fields |= {name: call.args[name] for name in names if call.has(name)}
    if "url" in fields and not str(fields["url"]).startswith(("http://", "https://")):
        raise errors.unprocessable("Invalid url given")
    return fields


def create(call: Call) -> Row:
    """Make a webhook."""
    base = {**dict.fromkeys(EVENTS, False), "push_events": True, "enable_ssl_verification": True, "token": None, "name": None,
            "description": None, "push_events_branch_filter": None, "failures": 0, "disabled_until": None,
            "signing_token": None, "uuid": str(uuid.UUID(bytes=secrets.token_bytes(16), version=4))}  # fmt: skip
    return shown(call.world, call.world.add("hooks", {**base, **_place(call), **_given(call)}))


def _one(call: Call) -> Row:
    row = call.world.get("hooks", call.number("hook_id"))
    if row is None or any(row[name] != value for name, value in _place(call).items()):
        raise errors.no_record()
    return row


def update(call: Call) -> Row:
    """Change a webhook; a new URL forgets its failures."""
    row = _one(call)
    row.update(_given(call))
    row |= {"failures": 0, "disabled_until": None}
    return shown(call.world, row)


def test(call: Call) -> Reply:
    """Send a sample of an event now."""
    world, project, hook = call.world, call.project, _one(call)
    trigger = call.params["trigger"]
    if project["empty"]:
        raise errors.unprocessable("Ensure the project has at least one commit.")
    if trigger == "merge_requests_events":
        mr = next(iter(world.rows("merge_requests", project_id=project["id"])), None)
        if mr is None:
            raise errors.unprocessable("Ensure the project has merge requests.")
        events.deliver(
            world, hook, "merge_request", payloads.merge_request(world, project, mr, call.me, mr["state"], {})
        )
    else:
        head = repo_of(world, project).head(project["default_branch"]) or ZERO
        events.deliver(
            world,
            hook,
            "push",
            payloads.push(world, project, call.me, f"refs/heads/{project['default_branch']}", head, head),
        )
    return Reply({"message": "201 Created"}, 201)


def log(call: Call) -> Reply:
    """List a webhook's deliveries, newest first."""
    rows = call.world.rows("deliveries", hook_id=_one(call)["id"])
    return paged(call, [row for row in reversed(rows) if row["state"] == "sent"], log_shown)


def log_shown(row: Row) -> Row:
    """Return a delivery."""
    return {"id": row["id"], "url": row["url"], "trigger": row["trigger"], "request_headers": row["headers"],
            "request_data": json.loads(row["body"]), "response_headers": {}, "response_body": row["response_body"],
            "execution_duration": row["duration"], "response_status": str(row["response_status"])}  # fmt: skip


def resend(call: Call) -> Row:
    """Send a delivery again, under the same idempotency key."""
    old = call.world.get("deliveries", call.number("event_id"))
    if old is None or old["hook_id"] != _one(call)["id"]:
        raise errors.no_record()
    kept = {name: old[name] for name in ("hook_id", "url", "trigger", "headers", "body", "signing")}
    call.world.add(
        "deliveries",
        {**kept, "state": "queued", "due": 0, "response_status": None, "response_body": "", "duration": 0.0},
    )
    return {"response_status": 200}


# Delivery


def due(world: World) -> list[Row]:
    """Return what can be sent now, in order."""
    ticks = world.clock.state["ticks"]
    return [row for row in world.find("deliveries", state="queued") if row["due"] <= ticks]


def deliver_next(world: World) -> bool:
    """Send the next delivery, as the faults allow, and return whether there was one."""
    with world.lock:
        rows = due(world)
        if not rows:
            return False
        row = rows[0]
        if len(rows) > 1 and faults.take(world, "hook", name="hook_reordered"):
            row = rows[1]
        elif len(rows) == 1 and any(one["times"] > 0 for one in world.find("faults", name="hook_reordered")):
            return False  # wait for the one to change places with
        times = 1
        if faults.take(world, "hook", name="hook_lost"):
            times = 0
        elif faults.take(world, "hook", name="hook_doubled"):
            times = 2
        hook = world.get("hooks", row["hook_id"])
        off = hook is None or _alert(world, hook) != "executable"
        row["state"] = "lost" if off or not times else "sending"
        world.save()
    for _ in range(0 if off else times):
        _send(world, row)
    with world.lock:
        if row["state"] == "sending":
            row["state"] = "sent"
            _count(world, hook or {}, row)
        world.touch("deliveries", row)
        world.save()
    return True


def _send(world: World, row: Row) -> None:
    headers, body = dict(row["headers"]), row["body"].encode()
    if row["signing"]:
        headers |= _signature(world, row, body)
    request = urllib.request.Request(row["url"], body, headers, method="POST")
    began = time.monotonic()
    try:
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=TIMEOUT) as answer:
            row["response_status"], row["response_body"] = answer.status, answer.read(1000).decode(errors="replace")
    except urllib.error.HTTPError as error:
        row["response_status"] = error.code
    except (OSError, ValueError) as error:
        row["response_status"], row["response_body"] = "internal error", str(error)
    row["duration"] = round(time.monotonic() - began, 3)


def _signature(world: World, row: Row, body: bytes) -> dict[str, str]:
    """Return the headers of Standard Webhooks: HMAC over `id.timestamp.body`."""
    name, stamp = row["headers"]["Idempotency-Key"], str(int(world.now()))
    secret = str(row["signing"])
    key = base64.b64decode(secret.removeprefix("whsec_")) if secret.startswith("whsec_") else secret.encode()
    digest = hmac.new(key, f"{name}.{stamp}.".encode() + body, hashlib.sha256).digest()
    return {
        "webhook-id": name,
        "webhook-timestamp": stamp,
        "webhook-signature": f"v1,{base64.b64encode(digest).decode()}",
    }


def _count(world: World, hook: Row, row: Row) -> None:
    """Count failures in a row: from the fourth on the hook rests, ever longer; after forty for good."""
    if not hook:
        return
    world.touch("hooks", hook)
    good = isinstance(row["response_status"], int) and row["response_status"] < 400
    hook["failures"] = 0 if good else hook["failures"] + 1
    rest = 60 * 2 ** (hook["failures"] - STRIKES) if hook["failures"] >= STRIKES else 0
    hook["disabled_until"] = world.now() + min(rest, 86_400) if rest else None


def _routes(kind: str, role: int, **options: Any) -> list[Any]:
    base = f"/{kind}/:id/hooks"
    one = f"{base}/:hook_id"
    return [
        route(
            f"GET {base}",
            lambda call: paged(call, call.world.rows("hooks", **_place(call)), lambda row: shown(call.world, row)),
            role=role,
            **options,
        ),
        route(f"POST {base}", create, role=role, required=("url",), **options),
        route(f"GET {one}", lambda call: shown(call.world, _one(call)), role=role, **options),
        route(f"PUT {one}", update, role=role, **options),
        route(f"DELETE {one}", lambda call: call.world.drop("hooks", _one(call)), role=role, **options),
        route(f"POST {one}/test/:trigger", test, role=role, **options),
        route(f"GET {one}/events", log, role=role, **options),
        route(f"POST {one}/events/:event_id/resend", resend, role=role, **options),
    ]


ROUTES = [*_routes("projects", MAINTAINER), *_routes("groups", OWNER, paid=True)]
