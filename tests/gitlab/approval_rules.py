"""Approval rules of projects and merge requests; Premium."""

from __future__ import annotations

from typing import Any

from tests.gitlab import access, approvals, branches, errors, groups, users
from tests.gitlab.call import Call, Reply
from tests.gitlab.pagination import paged
from tests.gitlab.routes import DEVELOPER, MAINTAINER, route
from tests.gitlab.state import Row


def _people(call: Call, rule: Row) -> Row:
    world = call.world
    people = [world.get("users", key) for key in rule["user_ids"]]
    teams = [world.get("namespaces", key) for key in rule["group_ids"]]
    return {
        "id": rule["id"],
        "name": rule["name"],
        "rule_type": rule["rule_type"],
        "report_type": None,
        "approvals_required": rule["approvals_required"],
        "users": [users.brief(world, row) for row in people if row],
        "groups": [groups.brief(world, row) for row in teams if row],
        "contains_hidden_groups": False,
    }


def of_project(call: Call, rule: Row) -> Row:
    """Return a project's rule."""
    world, ids = call.world, set(rule["user_ids"])
    for key in rule["group_ids"]:
        ids |= {row["user_id"] for row in world.find("members", source="group", source_id=key)}
    covered = [world.get("protected_branches", key) for key in rule["protected_branch_ids"]]
    return {
        **_people(call, rule),
        "eligible_approvers": [users.by_id(world, key) for key in sorted(ids)],
        "protected_branches": [branches.rule(world, row) for row in covered if row],
        "applies_to_all_protected_branches": rule["applies_to_all_protected_branches"],
    }


def of_mr(call: Call, rule: Row) -> Row:
    """Return a merge request's rule."""
    world, mr = call.world, call.mr
    source = world.get("approval_rules", rule.get("source_rule"))
    return {
        **_people(call, rule),
        "eligible_approvers": [users.brief(world, row) for row in approvals.approvers(world, mr, rule)],
        "source_rule": {"approvals_required": source["approvals_required"]} if source else None,
        "section": rule.get("section"),
        "overridden": bool(source and source["approvals_required"] != rule["approvals_required"]),
    }


def state(call: Call) -> Row:
    """Return all rules of a merge request with who approved under each."""
    world, mr, rows = call.world, call.mr, []
    given = {row["user_id"] for row in approvals.of(world, mr)}
    for rule in approvals.rules_of(world, mr):
        able = {row["id"] for row in approvals.approvers(world, mr, rule)}
        by = given if rule["rule_type"] == "any_approver" else given & able
        rows.append({
            **of_mr(call, rule),
            "code_owner": rule["rule_type"] == "code_owner",
            "approved_by": [users.by_id(world, key) for key in sorted(by)],
            "approved": approvals.rule_satisfied(world, mr, rule),
        })  # fmt: skip
    return {"approval_rules_overwritten": mr["rules_overwritten"], "rules": rows}


def _given(call: Call) -> Row:
    fields: Row = {}
    if call.has("name"):
        fields["name"] = call.text("name")
    if call.has("approvals_required"):
        fields["approvals_required"] = call.int("approvals_required")
    if call.has("user_ids") or call.has("usernames"):
        named = [row["id"] for row in call.world.find("users") if row["username"] in call.listed("usernames")]
        ids = [*call.ids("user_ids"), *named]
        fields["user_ids"] = [key for key in dict.fromkeys(ids) if _belongs(call, key)]
    for name in ("group_ids", "protected_branch_ids"):
        if call.has(name):
            fields[name] = call.ids(name)
    if call.has("applies_to_all_protected_branches"):
        fields["applies_to_all_protected_branches"] = call.flag("applies_to_all_protected_branches")
    return fields


def _belongs(call: Call, key: int) -> bool:
    user = call.world.get("users", key)
    return bool(user and access.project_role(call.world, call.project, user))


BLANK: Row = {"user_ids": [], "group_ids": [], "protected_branch_ids": [], "rule_type": "regular",
              "applies_to_all_protected_branches": False}  # fmt: skip


def _make(call: Call, table: str, where: Row) -> Row:
    fields = {**BLANK, **_given(call)}
    kind = call.text("rule_type")
    if kind == "any_approver" or fields["name"].lower() in {"any name", "all members"}:
        fields["rule_type"] = "any_approver"
    if call.world.one(table, **where, name=fields["name"]):
        raise errors.refused(name=["has already been taken"])
    if not 0 <= fields["approvals_required"] <= 100:
        raise errors.refused(approvals_required=["must be less than or equal to 100"])
    return call.world.add(table, {**where, **fields})


def create(call: Call) -> Row:
    """Add a rule to the project; open merge requests do not get it."""
    return of_project(call, _make(call, "approval_rules", {"project_id": call.project["id"]}))


def _one(call: Call, table: str, where: Row) -> Row:
    row = call.world.get(table, call.number("rule_id"))
    if row is None or any(row[name] != value for name, value in where.items()):
        raise errors.no_record()
    return row


def _project_rule(call: Call) -> Row:
    return _one(call, "approval_rules", {"project_id": call.project["id"]})


def update(call: Call) -> Row:
    """Change a project's rule."""
    row = _project_rule(call)
    row.update(_given(call))
    return of_project(call, row)


def index(call: Call) -> Reply:
    """List the project's rules."""
    rows = call.world.rows("approval_rules", project_id=call.project["id"])
    return paged(call, rows, lambda row: of_project(call, row))


def _may_override(call: Call) -> None:
    if call.project["disable_overriding_approvers_per_merge_request"]:
        raise errors.forbidden()


def create_mr_rule(call: Call) -> Row:
    """Add a rule to one merge request."""
    _may_override(call)
    call.mr["rules_overwritten"] = True
    return of_mr(call, _make(call, "mr_rules", {"mr_id": call.mr["id"]}))


def _mr_rule(call: Call) -> Row:
    return _one(call, "mr_rules", {"mr_id": call.mr["id"]})


def update_mr_rule(call: Call) -> Row:
    """Change a merge request's rule."""
    _may_override(call)
    row = _mr_rule(call)
    row.update(_given(call))
    call.mr["rules_overwritten"] = True
    return of_mr(call, row)


def delete_mr_rule(call: Call) -> None:
    """Delete a merge request's rule."""
    _may_override(call)
    call.world.drop("mr_rules", _mr_rule(call))
    call.mr["rules_overwritten"] = True


def index_mr(call: Call) -> Reply:
    """List a merge request's rules."""
    return paged(call, call.world.rows("mr_rules", mr_id=call.mr["id"]), lambda row: of_mr(call, row))


MR = "/projects/:id/merge_requests/:iid"
able: dict[str, Any] = {"paid": True}
NEEDED = ("name", "approvals_required")
ROUTES = [
    route("GET /projects/:id/approval_rules", index, role=DEVELOPER, **able),
    route("POST /projects/:id/approval_rules", create, role=MAINTAINER, required=NEEDED, **able),
    route("GET /projects/:id/approval_rules/:rule_id", lambda call: of_project(call, _project_rule(call)), role=DEVELOPER, **able),
    route("PUT /projects/:id/approval_rules/:rule_id", update, role=MAINTAINER, **able),
    route("DELETE /projects/:id/approval_rules/:rule_id",
          lambda call: call.world.drop("approval_rules", _project_rule(call)), role=MAINTAINER, **able),
    route(f"GET {MR}/approval_state", state, **able),
    route(f"GET {MR}/approval_rules", index_mr, **able),
    route(f"POST {MR}/approval_rules", create_mr_rule, role=DEVELOPER, required=NEEDED, **able),
    route(f"GET {MR}/approval_rules/:rule_id", lambda call: of_mr(call, _mr_rule(call)), **able),
    route(f"PUT {MR}/approval_rules/:rule_id", update_mr_rule, role=DEVELOPER, **able),
    route(f"DELETE {MR}/approval_rules/:rule_id", delete_mr_rule, role=DEVELOPER, **able),
]  # fmt: skip
