"""External status checks: answers of other systems, which can block the merge (Ultimate)."""

from __future__ import annotations

from tests.gitlab import errors
from tests.gitlab.call import Call, Reply
from tests.gitlab.pagination import paged
from tests.gitlab.routes import DEVELOPER, route
from tests.gitlab.state import Row, World


def _of(world: World, mr: Row) -> list[Row]:
    rows = []
    for check in world.find("status_checks", source="project", source_id=mr["project_id"]):
        answer = world.one("status_responses", mr_id=mr["id"], check_id=check["id"], sha=mr["head_sha"])
        status = answer["status"] if answer else "pending"
        rows.append({"id": check["id"], "name": check["name"], "external_url": check["external_url"], "status": status})
    return rows


def blocks(world: World, mr: Row) -> bool:
    """Return whether the project demands passed checks and one is not."""
    project = world.the("projects", mr["project_id"])
    demanded = world.tier == "ultimate" and project["only_allow_merge_if_all_status_checks_passed"]
    return bool(demanded) and any(row["status"] != "passed" for row in _of(world, mr))


def index(call: Call) -> Reply:
    """List the checks of a merge request's head."""
    return paged(call, _of(call.world, call.mr))


def respond(call: Call) -> Row:
    """Set a check's answer for the head.

    Raises:
        ApiError: 409: the sha is not the head any more.
    """
    world, mr = call.world, call.mr
    check = world.get("status_checks", call.int("external_status_check_id"))
    if check is None or check["source_id"] != call.project["id"]:
        raise errors.no_record()
    if call.text("sha") != mr["head_sha"]:
        raise errors.conflict("sha does not match HEAD")
    where = {"mr_id": mr["id"], "check_id": check["id"], "sha": mr["head_sha"]}
    row = world.one("status_responses", **where) or world.add("status_responses", where)
    row["status"] = call.text("status", "passed")
    return {
        "id": row["id"],
        "merge_request": {"id": mr["id"], "iid": mr["iid"]},
        "external_status_check": {"id": check["id"], "name": check["name"]},
    }


MR = "/projects/:id/merge_requests/:iid"
ROUTES = [
    route(f"GET {MR}/status_checks", index, role=DEVELOPER, paid=True),
    route(
        f"POST {MR}/status_check_responses",
        respond,
        role=DEVELOPER,
        paid=True,
        required=("external_status_check_id", "sha"),
        values={"status": ("passed", "failed", "pending")},
    ),
]
