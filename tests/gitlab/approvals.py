"""Approvals: given, taken back, reset by pushes; and when they satisfy the rules."""

from __future__ import annotations

from typing import Any

from tests.gitlab import access, code_owners, commits, errors, events, users, versions
from tests.gitlab.call import Call, Reply
from tests.gitlab.clock import iso
from tests.gitlab.git import repo_of
from tests.gitlab.routes import DEVELOPER, MAINTAINER, route
from tests.gitlab.state import Row, World

SETTINGS = ("reset_approvals_on_push", "selective_code_owner_removals", "merge_requests_author_approval",
            "merge_requests_disable_committers_approval", "disable_overriding_approvers_per_merge_request",
            "require_reauthentication_to_approve")  # fmt: skip


def of(world: World, mr: Row) -> list[Row]:
    """Return a merge request's approvals, oldest first."""
    return world.rows("approvals", mr_id=mr["id"])


def copy_rules(world: World, project: Row, mr: Row) -> None:
    """Copy the project's rules to a new merge request; later edits do not reach it."""
    if not world.paid:
        return
    for rule in world.find("approval_rules", project_id=project["id"]):
        if _applies(world, project, rule, mr["target_branch"]):
            kept = ("name", "approvals_required", "user_ids", "group_ids", "rule_type")
            world.add("mr_rules", {"mr_id": mr["id"], "source_rule": rule["id"], **{name: rule[name] for name in kept}})


def after_retarget(world: World, mr: Row) -> None:
    """Take the rules of another target branch."""
    if not mr["rules_overwritten"]:
        world.drop_where("mr_rules", mr_id=mr["id"])
        copy_rules(world, world.the("projects", mr["project_id"]), mr)


def _applies(world: World, project: Row, rule: Row, branch: str) -> bool:
    if rule.get("applies_to_all_protected_branches"):
        return bool(access.protections(world, project, branch))
    chosen = [world.get("protected_branches", key) for key in rule.get("protected_branch_ids", [])]
    return not chosen or any(row and access.matches(row["name"], branch) for row in chosen)


def rules_of(world: World, mr: Row) -> list[Row]:
    """Return the merge request's rules, code owners' included."""
    return world.rows("mr_rules", mr_id=mr["id"]) + code_owners.rules(world, mr)


def committers(world: World, mr: Row) -> set[int]:
    """Return the ids of those whose commits are in the merge request."""
    repo = repo_of(world, world.the("projects", mr["project_id"]))
    if not mr["head_sha"]:
        return set()
    mails = {
        row["committer_email"] for row in commits.read(repo, "--no-merges", f"{mr['start_sha']}..{mr['head_sha']}")
    }
    return {user["id"] for user in world.find("users") if user["email"] in mails}


def _barred(world: World, mr: Row) -> set[int]:
    project = world.the("projects", mr["project_id"])
    barred = set() if project["merge_requests_author_approval"] else {mr["author_id"]}
    if project["merge_requests_disable_committers_approval"]:
        barred |= committers(world, mr)
    return barred


def approvers(world: World, mr: Row, rule: Row) -> list[Row]:
    """Return who can satisfy a rule: its people and groups' direct members, less author and committers."""
    project, barred = world.the("projects", mr["project_id"]), _barred(world, mr)
    if rule["rule_type"] == "any_approver":
        return [row for row in access.members_with_role(world, project, DEVELOPER) if row["id"] not in barred]
    ids = set(rule["user_ids"])
    for group_id in rule["group_ids"]:
        ids |= {row["user_id"] for row in world.find("members", source="group", source_id=group_id)}
    people = [world.get("users", key) for key in sorted(ids - barred)]
    return [row for row in people if row and access.project_role(world, project, row) >= 20]


def rule_satisfied(world: World, mr: Row, rule: Row) -> bool:
    """Return whether a rule is satisfied; one that nobody could ever satisfy counts as such."""
    needed = rule["approvals_required"]
    given = {row["user_id"] for row in of(world, mr)} - _barred(world, mr)
    able = {row["id"] for row in approvers(world, mr, rule)}
    if not needed or not able:
        return True
    if rule["rule_type"] == "any_approver":
        return len(given) >= needed
    mine = len(given & able)
    if needed > len(able):  # further Developers count when a rule asks for more than it has
        return mine == len(able) and len(given) >= needed
    return mine >= needed


def satisfied(world: World, mr: Row) -> bool:
    """Return whether all rules that block are satisfied."""
    return all(rule_satisfied(world, mr, rule) for rule in rules_of(world, mr) if rule.get("blocks", True))


def approved(world: World, mr: Row) -> bool:
    """Return the `approved` field: on Free as soon as anyone approved; else the rules."""
    return satisfied(world, mr) if world.paid else bool(of(world, mr))


def can_approve(world: World, mr: Row, user: Row | None) -> bool:
    """Return whether the user may approve now."""
    if user is None or mr["state"] != "opened" or world.one("approvals", mr_id=mr["id"], user_id=user["id"]):
        return False
    project = world.the("projects", mr["project_id"])
    role = access.project_role(world, project, user)
    if not world.paid:
        return role >= DEVELOPER
    if user["id"] in _barred(world, mr):
        return False
    listed = any(
        user in approvers(world, mr, rule) for rule in rules_of(world, mr) if rule["rule_type"] != "any_approver"
    )
    return role >= DEVELOPER or listed


def shown(call: Call, mr: Row) -> Row:
    """Return the approvals: four keys on Free, many more on Premium."""
    world = call.world
    given = of(world, mr)
    mine = call.user["id"] if call.user else None
    free = {
        "user_has_approved": any(row["user_id"] == mine for row in given),
        "user_can_approve": can_approve(world, mr, call.user),
        "approved": approved(world, mr),
        "approved_by": [
            {"user": users.by_id(world, row["user_id"]), "approved_at": iso(row["created_at"])} for row in given
        ],
    }
    return {**_premium(call, mr), **free} if world.paid else free


def _premium(call: Call, mr: Row) -> Row:
    from tests.gitlab.mergeability import merge_status

    world, rules = call.world, rules_of(call.world, mr)
    required = max([rule["approvals_required"] for rule in rules], default=0)
    open_rules = [rule for rule in rules if not rule_satisfied(world, mr, rule)]
    left = max([_left(world, mr, rule) for rule in open_rules], default=0)
    able = {row["id"]: row for rule in rules for row in approvers(world, mr, rule)}
    invalid = [rule for rule in rules if rule["approvals_required"] and not approvers(world, mr, rule)]
    return {
        **{name: mr[name] for name in ("id", "iid", "project_id", "title", "description", "state")},
        "created_at": iso(mr["created_at"]),
        "updated_at": iso(mr["updated_at"]),
        "merge_status": merge_status(world, mr),
        "approvals_required": required,
        "approvals_left": left,
        "require_password_to_approve": False,
        "suggested_approvers": [users.brief(world, row) for row in able.values()],
        "approvers": [],
        "approver_groups": [],
        "approval_rules_left": [
            {"id": rule["id"], "name": rule["name"], "rule_type": rule["rule_type"]} for rule in open_rules
        ],
        "has_approval_rules": any(rule["rule_type"] == "regular" for rule in rules),
        "merge_request_approvers_available": True,
        "multiple_approval_rules_available": True,
        "invalid_approvers_rules": [
            {"id": rule["id"], "name": rule["name"], "rule_type": rule["rule_type"]} for rule in invalid
        ],
    }


def _left(world: World, mr: Row, rule: Row) -> int:
    given = {row["user_id"] for row in of(world, mr)}
    able = {row["id"] for row in approvers(world, mr, rule)}
    counted = given if rule["rule_type"] == "any_approver" else given & able
    return max(int(rule["approvals_required"]) - len(counted), 0)


def approve(call: Call) -> Row:
    """Approve; the patch-id of the present diff is kept with it."""
    world, mr = call.world, call.mr
    if call.text("sha") and call.text("sha") != mr["head_sha"]:
        raise errors.conflict(f"SHA does not match HEAD of source branch: {mr['head_sha']}")
    if not can_approve(world, mr, call.user):
        raise errors.unauthorized()
    version = versions.newest(world, mr)
    row = {
        "mr_id": mr["id"],
        "user_id": call.me["id"],
        "sha": mr["head_sha"],
        "patch_id": (version or {}).get("patch_id"),
    }
    world.add("approvals", row)
    mr["review_states"][str(call.me["id"])] = "approved"
    mr["updated_at"] = world.now()
    events.system_note(world, mr, call.me, "approved this merge request")
    action = "approved" if approved(world, mr) else "approval"
    events.merge_request(world, mr, call.me, action, {})
    return shown(call, mr)


def unapprove(call: Call) -> Row:
    """Take one's approval back."""
    world, mr = call.world, call.mr
    row = world.one("approvals", mr_id=mr["id"], user_id=call.me["id"])
    if row is None:
        raise errors.not_found()
    before = approved(world, mr)
    _take(world, mr, row)
    events.system_note(world, mr, call.me, "unapproved this merge request")
    events.merge_request(world, mr, call.me, "unapproved" if before and not approved(world, mr) else "unapproval", {})
    return shown(call, mr)


def _take(world: World, mr: Row, row: Row) -> None:
    world.drop("approvals", row)
    mr["review_states"][str(row["user_id"])] = "unapproved"


def reset(call: Call) -> Reply:
    """Take all approvals away; for project and group bots only."""
    if not call.me["bot"] or call.mr["state"] == "merged":
        raise errors.unauthorized()
    for row in of(call.world, call.mr):
        _take(call.world, call.mr, row)
    return Reply(202, 202)  # the body is what Grape makes of `status :accepted`


def after_push(world: World, mr: Row, user: Row, changed: list[str]) -> None:
    """Take away what a push made void: on Premium, where the patch-id differs; GitLab's own rebase is exempt."""
    project = world.the("projects", mr["project_id"])
    version = versions.newest(world, mr)
    if not world.paid or version is None or mr["rebase_sha"] == version["head"]:
        return
    stale = [row for row in of(world, mr) if row["patch_id"] != version["patch_id"]]
    if project["reset_approvals_on_push"]:
        action = "approvals_reset_on_push"
    elif project["selective_code_owner_removals"]:
        owners = code_owners.people_of(world, mr, changed)
        stale, action = [row for row in stale if row["user_id"] in owners], "code_owner_approvals_reset_on_push"
    else:
        return
    if not stale:
        return
    before = approved(world, mr)
    for row in stale:
        _take(world, mr, row)
    kind = "unapproved" if before and not approved(world, mr) else "unapproval"
    events.merge_request(world, mr, user, kind, {}, system_action=action)


def settings(call: Call) -> Row:
    """Return the project's approval settings."""
    project = call.project
    return {
        "approvers": [],
        "approver_groups": [],
        "approvals_before_merge": project["approvals_before_merge"],
        **{name: project[name] for name in SETTINGS},
        "require_password_to_approve": project["require_reauthentication_to_approve"],
    }


def change_settings(call: Call) -> Row:
    """Change the project's approval settings."""
    for name in SETTINGS:
        if call.has(name):
            call.project[name] = call.flag(name)
    if call.has("approvals_before_merge"):
        call.project["approvals_before_merge"] = call.int("approvals_before_merge")
    if call.project["reset_approvals_on_push"] and call.flag("selective_code_owner_removals"):
        call.project["selective_code_owner_removals"] = False
        raise errors.refused(
            base=["selective_code_owner_removals can only be enabled when reset_approvals_on_push is disabled"]
        )
    return settings(call)


ONE = "/projects/:id/merge_requests/:iid"
able: dict[str, Any] = {"paid": True}
ROUTES = [
    route(f"GET {ONE}/approvals", lambda call: shown(call, call.mr)),
    route(f"POST {ONE}/approve", approve),
    route(f"POST {ONE}/unapprove", unapprove),
    route(f"PUT {ONE}/reset_approvals", reset, status=202),
    route("GET /projects/:id/approvals", settings, role=DEVELOPER, **able),
    route("POST /projects/:id/approvals", change_settings, role=MAINTAINER, **able),
]
