"""Pipeline schedules, triggers, variables, resource groups."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any

from tests.gitlab import access, errors, pipelines, users
from tests.gitlab.call import Call, Reply
from tests.gitlab.clock import iso
from tests.gitlab.git import repo_of
from tests.gitlab.pagination import paged
from tests.gitlab.routes import DEVELOPER, MAINTAINER, OWNER, route
from tests.gitlab.state import Row, World

FIELDS = ((0, 59), (0, 23), (1, 31), (1, 12), (0, 7))


def _values(text: str, low: int, high: int) -> set[int]:
    found: set[int] = set()
    for part in text.split(","):
        span, _, step = part.partition("/")
        first, _, last = span.partition("-")
        start = low if first == "*" else int(first)
        end = high if first == "*" or (step and not last) else int(last or first)
        found |= set(range(start, end + 1, int(step or 1)))
    return found


def next_run(cron: str, after: float) -> float:
    """Return the first minute after `after` that a cron line names, in UTC.

    Raises:
        ApiError: 400: the line is malformed.
    """
    parts = cron.split()
    try:
        minutes, hours, days, months, weekdays = (
            _values(part, *span) for part, span in zip(parts, FIELDS, strict=True)
        )
    except ValueError:
        raise errors.refused(cron=["syntax is invalid"]) from None
    at = datetime.fromtimestamp(after, UTC).replace(second=0, microsecond=0) + timedelta(minutes=1)
    for _ in range(4 * 366):
        fits_day = (
            at.month in months and at.day in days and (at.isoweekday() % 7 in weekdays or at.isoweekday() in weekdays)
        )
        if fits_day:
            for hour in sorted(hours):
                for minute in sorted(minutes):
                    moment = at.replace(hour=hour, minute=minute)
                    if moment >= at:
                        return moment.timestamp()
        at = (at + timedelta(days=1)).replace(hour=0, minute=0)
    raise errors.refused(cron=["syntax is invalid"])


def shown(world: World, row: Row, *, whole: bool = False) -> Row:
    """Return a schedule."""
    last = world.get("pipelines", row.get("last_pipeline_id"))
    more = {}
    if whole:
        part = {name: last[name] for name in ("id", "sha", "ref", "status")} if last else None
        more = {"last_pipeline": part, "variables": row["variables"], "inputs": []}
    return {
        **{name: row[name] for name in ("id", "description", "ref", "cron", "cron_timezone", "active")},
        "next_run_at": iso(row["next_run"]),
        "created_at": iso(row["created_at"]),
        "updated_at": iso(row["updated_at"]),
        "owner": users.by_id(world, row["owner_id"]),
        **more,
    }


def create(call: Call) -> Row:
    """Make a schedule."""
    world = call.world
    row = {"description": call.text("description"), "ref": call.text("ref"), "cron": call.text("cron"),
           "cron_timezone": call.text("cron_timezone") or "UTC", "active": call.flag("active", default=True),
           "next_run": next_run(call.text("cron"), world.now()), "owner_id": call.me["id"], "variables": [],
           "project_id": call.project["id"]}  # fmt: skip
    return shown(world, world.add("schedules", row), whole=True)


def _schedule(call: Call) -> Row:
    row = call.world.get("schedules", call.number("schedule_id"))
    if row is None or row["project_id"] != call.project["id"]:
        raise errors.not_found("Pipeline Schedule")
    return row


def update(call: Call) -> Row:
    """Change a schedule; only its owner, or who may take it."""
    row = _schedule(call)
    for name in ("description", "ref", "cron", "cron_timezone"):
        if call.has(name):
            row[name] = call.text(name)
    if call.has("active"):
        row["active"] = call.flag("active")
    row["next_run"] = next_run(row["cron"], call.world.now())
    return shown(call.world, row, whole=True)


def take(call: Call) -> Row:
    """Become a schedule's owner."""
    row = _schedule(call)
    row["owner_id"] = call.me["id"]
    return shown(call.world, row, whole=True)


def play(call: Call) -> Reply:
    """Run a schedule now, as the caller."""
    run(call.world, _schedule(call), call.me)
    return Reply({"message": "201 Created"}, 201)


def run(world: World, row: Row, user: Row) -> None:
    """Start a schedule's pipeline."""
    project = world.the("projects", row["project_id"])
    ref = row["ref"].removeprefix("refs/heads/")
    sha = repo_of(world, project).head(ref)
    if sha is None or project["archived"]:
        return
    given = {one["key"]: one["value"] for one in row["variables"]}
    made = pipelines.for_branch(world, project, user, ref, sha, source="schedule", variables=given)
    row["last_pipeline_id"] = made["id"] if made else None


def run_due(world: World) -> None:
    """Start every schedule whose time has come."""
    for row in world.rows("schedules", active=True):
        owner = world.get("users", row["owner_id"])
        if row["next_run"] <= world.now() and owner:
            row["next_run"] = next_run(row["cron"], world.now())
            run(world, row, owner)


def schedules(call: Call) -> Reply:
    """List schedules."""
    return paged(call, call.world.rows("schedules", project_id=call.project["id"]), lambda row: shown(call.world, row))


def _schedule_variable(call: Call) -> Row:
    row = next((one for one in _schedule(call)["variables"] if one["key"] == call.params["key"]), None)
    if row is None:
        raise errors.not_found("Pipeline Schedule Variable")
    return row


def add_schedule_variable(call: Call) -> Row:
    """Give a schedule a variable."""
    row = {
        "variable_type": call.text("variable_type", "env_var"),
        "key": call.text("key"),
        "value": call.text("value"),
        "raw": False,
    }
    _schedule(call)["variables"].append(row)
    return row


def change_schedule_variable(call: Call) -> Row:
    """Change a schedule's variable."""
    row = _schedule_variable(call)
    row["value"] = call.text("value", row["value"])
    return row


def drop_schedule_variable(call: Call) -> Row:
    """Take a variable from a schedule."""
    row = _schedule_variable(call)
    _schedule(call)["variables"].remove(row)
    return row


# Triggers


def trigger(world: World, row: Row, viewer: Row) -> Row:
    """Return a trigger; its token whole for its owner only."""
    token = row["token"] if viewer["id"] == row["owner_id"] else row["token"][:4]
    return {"id": row["id"], "token": token, "description": row["description"], "created_at": iso(row["created_at"]),
            "updated_at": iso(row["updated_at"]), "expires_at": None, "last_used": iso(row["last_used"]),
            "owner": users.by_id(world, row["owner_id"])}  # fmt: skip


def create_trigger(call: Call) -> Row:
    """Make a trigger token."""
    import secrets

    row = {"project_id": call.project["id"], "token": f"glptt-{secrets.token_hex(20)}", "description": call.text("description"),
           "owner_id": call.me["id"], "last_used": None}  # fmt: skip
    return trigger(call.world, call.world.add("triggers", row), call.me)


def _trigger(call: Call) -> Row:
    row = call.world.get("triggers", call.number("trigger_id"))
    if row is None or row["project_id"] != call.project["id"]:
        raise errors.not_found("Trigger")
    return row


def update_trigger(call: Call) -> Row:
    """Change a trigger."""
    row = _trigger(call)
    row["description"] = call.text("description", row["description"])
    return trigger(call.world, row, call.me)


def fire(call: Call) -> Row:
    """Start a pipeline with a trigger token, or with a job token."""
    from tests.gitlab import subject

    world = call.world
    project = subject.project_by(world, call.params["project"])
    if project is None:
        raise errors.not_found("Project")
    row = world.one("triggers", token=call.text("token"), project_id=project["id"])
    if row is None:
        raise errors.not_found()
    ref = call.params.get("ref") or call.text("ref")
    sha = repo_of(world, project).commit(ref)
    if sha is None:
        raise errors.told(400, {"base": ["Reference not found"]})
    row["last_used"] = world.now()
    given = call.args.get("variables")
    variables = {str(key): str(value) for key, value in given.items()} if isinstance(given, dict) else {}
    made = pipelines.for_branch(
        world, project, world.the("users", row["owner_id"]), ref, sha, source="trigger", variables=variables
    )
    if made is None:
        raise errors.told(
            400,
            {
                "base": [
                    "Pipeline will not run for the selected trigger. The rules configuration prevented any jobs from being added to the pipeline."
                ]
            },
        )
    return pipelines.full(world, made)


# Variables

MASK = re.compile(r"^[a-zA-Z0-9_+=/@:.~\-]{8,}$")


def variable(row: Row) -> Row:
    """Return a variable; the value of a hidden one is null."""
    names = (
        "variable_type",
        "key",
        "value",
        "protected",
        "masked",
        "hidden",
        "raw",
        "environment_scope",
        "description",
    )
    return {**{name: row[name] for name in names}, "value": None if row["hidden"] else row["value"]}


def _place(call: Call) -> Row:
    if call.project:
        return {"source": "project", "source_id": call.project["id"]}
    return {"source": "group", "source_id": call.group["id"]} if call.group else {"source": "instance", "source_id": 0}


def _variable(call: Call) -> Row:
    scope = call.args.get("filter")
    wanted = scope.get("environment_scope") if isinstance(scope, dict) else None
    rows = [row for row in call.world.find("variables", **_place(call), key=call.params["key"])
            if not wanted or row["environment_scope"] == wanted]  # fmt: skip
    if not rows:
        raise errors.not_found("Variable" if not call.group else "GroupVariable")
    return rows[0]


def _check_variable(row: Row) -> None:
    if not re.fullmatch(r"[a-zA-Z0-9_]{1,255}", row["key"]):
        raise errors.refused(key=["can contain only letters, digits and '_'."])
    if row["masked"] and not MASK.match(row["value"]):
        raise errors.refused(value=["is invalid"])


def create_variable(call: Call) -> Row:
    """Make a variable."""
    hidden = bool(call.flag("masked_and_hidden", default=False))
    row = {**_place(call), "key": call.text("key"), "value": call.text("value"), "description": call.args.get("description"),
           "variable_type": call.text("variable_type", "env_var"), "protected": call.flag("protected", default=False),
           "masked": hidden or call.flag("masked", default=False), "hidden": hidden, "raw": call.flag("raw", default=False),
           "environment_scope": call.text("environment_scope") or "*"}  # fmt: skip
    _check_variable(row)
    if call.world.one("variables", **_place(call), key=row["key"], environment_scope=row["environment_scope"]):
        raise errors.refused(key=[f"({row['key']}) has already been taken"])
    return variable(call.world.add("variables", row))


def update_variable(call: Call) -> Row:
    """Change a variable."""
    row = _variable(call)
    changed = dict(row)
    for name in ("value", "variable_type", "environment_scope", "description"):
        if call.has(name):
            changed[name] = call.text(name)
    for name in ("protected", "masked", "raw"):
        if call.has(name):
            changed[name] = call.flag(name)
    _check_variable(changed)
    row.update(changed)
    return variable(row)


def _variable_routes(base: str, **options: Any) -> list[Any]:
    return [
        route(
            f"GET {base}", lambda call: paged(call, call.world.rows("variables", **_place(call)), variable), **options
        ),
        route(f"POST {base}", create_variable, required=("key", "value"), **options),
        route(f"GET {base}/:key", lambda call: variable(_variable(call)), **options),
        route(f"PUT {base}/:key", update_variable, **options),
        route(f"DELETE {base}/:key", lambda call: call.world.drop("variables", _variable(call)), **options),
    ]


# Resource groups


def resource_groups(call: Call) -> Reply:
    """List the resource groups that jobs named."""
    names = {
        row["resource_group"] for row in call.world.find("jobs", project_id=call.project["id"]) if row["resource_group"]
    }
    return paged(call, [_group(call, name) for name in sorted(names)])


def _group(call: Call, name: str) -> Row:
    modes = call.project.setdefault("resource_modes", {})
    return {"id": sum(name.encode()), "key": name, "process_mode": modes.get(name, "unordered"),
            "created_at": iso(call.project["created_at"]), "updated_at": iso(call.project["updated_at"])}  # fmt: skip


def set_mode(call: Call) -> Row:
    """Set how a resource group picks its next job."""
    call.project.setdefault("resource_modes", {})[call.params["key"]] = call.text("process_mode", "unordered")
    return _group(call, call.params["key"])


def upcoming(call: Call) -> Reply:
    """List the jobs that wait for a resource group."""
    from tests.gitlab.jobs import shown as job

    rows = [row for row in call.world.find("jobs", project_id=call.project["id"], resource_group=call.params["key"])
            if row["status"] in {"pending", "waiting_for_resource"}]  # fmt: skip
    return paged(call, rows, lambda row: job(call, row))


def may_play(world: World, project: Row, user: Row) -> bool:
    """Return whether the user may run schedules."""
    return access.project_role(world, project, user) >= DEVELOPER


SCHEDULE, TRIGGER = "/projects/:id/pipeline_schedules", "/projects/:id/triggers"
MODES = ("unordered", "oldest_first", "newest_first", "newest_ready_first")
ROUTES = [
    route(f"GET {SCHEDULE}", schedules),
    route(f"POST {SCHEDULE}", create, role=DEVELOPER, required=("description", "ref", "cron")),
    route(f"GET {SCHEDULE}/:schedule_id", lambda call: shown(call.world, _schedule(call), whole=True)),
    route(f"PUT {SCHEDULE}/:schedule_id", update, role=DEVELOPER),
    route(f"DELETE {SCHEDULE}/:schedule_id", lambda call: call.world.drop("schedules", _schedule(call)), role=MAINTAINER),
    route(f"POST {SCHEDULE}/:schedule_id/take_ownership", take, role=MAINTAINER),
    route(f"POST {SCHEDULE}/:schedule_id/play", play, role=DEVELOPER),
    route(f"POST {SCHEDULE}/:schedule_id/variables", add_schedule_variable, role=DEVELOPER, required=("key", "value")),
    route(f"PUT {SCHEDULE}/:schedule_id/variables/:key", change_schedule_variable, role=DEVELOPER),
    route(f"DELETE {SCHEDULE}/:schedule_id/variables/:key", drop_schedule_variable, role=DEVELOPER, status=202),
    route(f"GET {TRIGGER}", lambda call: paged(call, call.world.rows("triggers", project_id=call.project["id"]),
                                               lambda row: trigger(call.world, row, call.me)), role=MAINTAINER),
    route(f"POST {TRIGGER}", create_trigger, role=MAINTAINER, required=("description",)),
    route(f"GET {TRIGGER}/:trigger_id", lambda call: trigger(call.world, _trigger(call), call.me), role=MAINTAINER),
    route(f"PUT {TRIGGER}/:trigger_id", update_trigger, role=MAINTAINER),
    route(f"DELETE {TRIGGER}/:trigger_id", lambda call: call.world.drop("triggers", _trigger(call)), role=MAINTAINER),
    route("POST /projects/:project/trigger/pipeline", fire, anonymous=True, required=("token", "ref")),
    route("POST /projects/:project/ref/:ref/trigger/pipeline", fire, anonymous=True, required=("token",)),
    *_variable_routes("/projects/:id/variables", role=MAINTAINER),
    *_variable_routes("/groups/:id/variables", role=OWNER),
    *_variable_routes("/admin/ci/variables", admin=True),
    route("GET /projects/:id/resource_groups", resource_groups, role=DEVELOPER),
    route("GET /projects/:id/resource_groups/:key", lambda call: _group(call, call.params["key"]), role=DEVELOPER),
    route("PUT /projects/:id/resource_groups/:key", set_mode, role=DEVELOPER, values={"process_mode": MODES}),
    route("GET /projects/:id/resource_groups/:key/upcoming_jobs", upcoming, role=DEVELOPER),
]  # fmt: skip
