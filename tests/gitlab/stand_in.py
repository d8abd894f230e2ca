"""/_stand_in: what only tests may do. Clock, settings, faults, state, hooks of git."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.gitlab import (
    auth,
    dump,
    errors,
    faults,
    git_hooks,
    mergeability,
    pipelines,
    pushes,
    schedules,
    subject,
    users,
)
from tests.gitlab.call import Call, Reply
from tests.gitlab.clock import iso, parse
from tests.gitlab.routes import Route, route
from tests.gitlab.state import TIERS, Row


def clock(call: Call) -> Row:
    """Return the time and the ticks."""
    state = call.world.clock.state
    return {
        "now": iso(call.world.now()),
        "seconds": call.world.now(),
        "ticks": state["ticks"],
        "frozen": state["frozen"] is not None,
    }


def set_clock(call: Call) -> Row:
    """Move the clock: `freeze` (a time, or true), `advance` seconds, `tick` steps, `run`; then do what is due."""
    world = call.world
    if call.has("freeze"):
        at = world.now() if call.args["freeze"] in {True, "true"} else parse(str(call.args["freeze"]))
        world.clock.freeze(at)
    if call.flag("run"):
        world.clock.freeze(None)
    if call.has("advance"):
        world.clock.advance(float(call.args["advance"]))
    if call.has("tick"):
        world.clock.tick(call.int("tick"))
    pushes.run_due(world)
    schedules.run_due(world)
    for mr in world.rows("merge_requests", state="opened"):
        mergeability.settle(world, mr)
    return clock(call)


def settings(call: Call) -> Row:
    """Return the knobs and the tier."""
    return {**call.world.settings, "tier": call.world.tier}


def set_settings(call: Call) -> Row:
    """Turn knobs."""
    for name, value in call.args.items():
        if name == "tier":
            if value not in TIERS:
                raise errors.invalid("tier")
            call.world.meta["tier"] = value
        elif name not in call.world.settings:
            raise errors.told(400, f"no setting named {name}; there are tier, {', '.join(call.world.settings)}")
        else:
            call.world.settings[name] = value
    return settings(call)


def add_fault(call: Call) -> Row:
    """Switch a fault on."""
    given = {name: value for name, value in call.args.items() if name != "name"}
    return faults.add(call.world, call.text("name"), given)


def clear_faults(call: Call) -> None:
    """Switch all faults off."""
    call.world.drop_where("faults")


def state(call: Call) -> Reply:
    """Return the state as text."""
    return Reply(dump.text(call.world, call.text("project")), kind="text/plain; charset=utf-8")


def job_token(call: Call) -> Row:
    """Make a CI job token for a user and project, as a running job has."""
    project = subject.project_by(call.world, call.text("project"))
    user = call.world.one("users", username=call.text("user"))
    if project is None or user is None:
        raise errors.no_record()
    return auth.new_token(call.world, user, "job", [], source_id=project["id"])


def end_token(call: Call) -> None:
    """End a token, as when a job ends."""
    row = auth.find(call.world, call.text("token"))
    row |= {"active": False, "revoked": True}


def make_user(call: Call) -> Row:
    """Make a user with a personal token in one call."""
    name = call.text("username")
    user = call.world.one("users", username=name) or users.create_user(
        call.world, name, call.text("name") or name, call.text("email") or f"{name}@example.com", bot=bool(call.flag("bot", default=False)))  # fmt: skip
    scopes = call.listed("scopes") or ["api", "read_repository", "write_repository"]
    token = auth.new_token(
        call.world, user, "personal", scopes, **({"token": call.text("token")} if call.text("token") else {})
    )
    return {"id": user["id"], "username": name, "email": user["email"], "token": token["token"]}


def finish_pipeline(call: Call) -> Row:
    """End a pipeline with a recorded result, job by job where `jobs` names results."""
    world = call.world
    row = world.get("pipelines", call.int("id"))
    if row is None:
        raise errors.no_record()
    each = call.args.get("jobs")
    results = each if isinstance(each, dict) else {}
    for job in world.rows("jobs", pipeline_id=row["id"]):
        if job["status"] not in pipelines.ENDED:
            pipelines.finish_job(world, job, str(results.get(job["name"], call.text("status", "success"))))
    return pipelines.full(world, row)


def someone_pushes(call: Call) -> Row:
    """Commit to a branch in another's name, now."""
    project = subject.project_by(call.world, call.text("project"))
    if project is None:
        raise errors.no_record()
    return {"sha": git_hooks.someone_pushes(call.world, project, call.text("branch"))}


def deliveries(call: Call) -> list[Row]:
    """List all webhook deliveries, with their state."""
    return call.world.rows("deliveries")


def routes(settle: Callable[[float], bool]) -> list[Route]:
    """Return the routes; `settle` waits for the threads."""

    def wait(call: Call) -> Any:
        quiet = settle(float(call.args.get("seconds", 30)))
        return Reply({"settled": quiet, "errors": call.world.meta.pop("worker_errors", [])}, 200 if quiet else 504)

    return [
        route("GET /_stand_in/clock", clock),
        route("POST /_stand_in/clock", set_clock, status=200),
        route("GET /_stand_in/settings", settings),
        route("POST /_stand_in/settings", set_settings, status=200),
        route("GET /_stand_in/faults", lambda call: call.world.rows("faults")),
        route("POST /_stand_in/faults", add_fault, required=("name",)),
        route("DELETE /_stand_in/faults", clear_faults),
        route("GET /_stand_in/state", state),
        route("POST /_stand_in/users", make_user, required=("username",)),
        route("POST /_stand_in/job-tokens", job_token, required=("project", "user")),
        route("DELETE /_stand_in/job-tokens", end_token, required=("token",)),
        route("POST /_stand_in/pipelines", finish_pipeline, required=("id",), status=200),
        route("POST /_stand_in/someone-pushes", someone_pushes, required=("project", "branch")),
        route("GET /_stand_in/deliveries", deliveries),
        route("POST /_stand_in/settle", wait, status=200),
        route("POST /_stand_in/git-hook", git_hooks.asked, status=200),
        route("GET /_stand_in/ready", lambda _: {"ok": True}),
    ]
