"""Which merge requests and issues a list's parameters admit."""

from __future__ import annotations

from tests.gitlab.call import Call
from tests.gitlab.clock import parse
from tests.gitlab.state import Row


def wanted(call: Call, row: Row, default_scope: str) -> bool:
    """Return whether a merge request or issue passes every filter of the call."""
    tests = (_state, _scope, _labels, _author, _people, _branches, _search, _dates, _rest)
    if call.text("scope") or default_scope != "all":
        row = {**row, "default_scope": default_scope}
    return all(test(call, row) for test in tests)


def _state(call: Call, row: Row) -> bool:
    return call.text("state", "all") in {"all", row["state"]}


def _scope(call: Call, row: Row) -> bool:
    scope = (call.text("scope") or row.get("default_scope", "all")).replace("-", "_")
    if scope == "all" or call.user is None:
        return True
    if call.text("author_id") or call.text("author_username"):
        return True
    mine = call.user["id"]
    if scope == "created_by_me":
        return bool(row["author_id"] == mine)
    return bool(mine in row["assignee_ids" if scope == "assigned_to_me" else "reviewer_ids"])


def _labels(call: Call, row: Row) -> bool:
    names = call.listed("labels")
    if [name.lower() for name in names] in (["none"], ["any"]):
        return bool(row["labels"]) == (names[0].lower() == "any")
    excluded = call.args.get("not")
    barred = excluded.get("labels", []) if isinstance(excluded, dict) else []
    barred = barred.split(",") if isinstance(barred, str) else barred
    return set(names) <= set(row["labels"]) and not set(barred) & set(row["labels"])


def _author(call: Call, row: Row) -> bool:
    if call.has("author_id") and row["author_id"] != call.int("author_id"):
        return False
    name = call.text("author_username")
    return not name or (call.world.get("users", row["author_id"]) or {}).get("username") == name


def _people(call: Call, row: Row) -> bool:
    for name in ("assignee", "reviewer"):
        ids = row.get(f"{name}_ids", [])
        key = call.text(f"{name}_id")
        if key.lower() in {"none", "any"}:
            if bool(ids) != (key.lower() == "any"):
                return False
        elif key and int(key) not in ids:
            return False
        names = call.listed(f"{name}_username")
        if names and not set(names) & {(call.world.get("users", one) or {}).get("username") for one in ids}:
            return False
    return True


def _branches(call: Call, row: Row) -> bool:
    return all(not call.text(name) or row.get(name) == call.text(name) for name in ("source_branch", "target_branch"))


def _search(call: Call, row: Row) -> bool:
    search = call.text("search").lower()
    fields = call.listed("in") or ["title", "description"]
    return not search or any(search in str(row.get(name) or "").lower() for name in fields)


def _dates(call: Call, row: Row) -> bool:
    for name in ("created", "updated"):
        at = row[f"{name}_at"]
        if call.text(f"{name}_after") and at < parse(call.text(f"{name}_after")):
            return False
        if call.text(f"{name}_before") and at > parse(call.text(f"{name}_before")):
            return False
    return True


def _rest(call: Call, row: Row) -> bool:
    if call.has("iids") and row["iid"] not in call.ids("iids"):
        return False
    milestone = call.text("milestone")
    if milestone:
        title = (call.world.get("milestones", row["milestone_id"]) or {}).get("title")
        if milestone.lower() in {"none", "any"}:
            return (title is None) == (milestone.lower() == "none")
        if title != milestone:
            return False
    if "reviewer_ids" in row:
        return _reviewed(call, row)
    return True


def _reviewed(call: Call, row: Row) -> bool:
    from tests.gitlab.merge_requests import is_draft

    wip = {"yes": True, "no": False}.get(call.text("wip"), call.flag("draft"))
    if wip is not None and is_draft(row) != wip:
        return False
    approved = {one["user_id"] for one in call.world.find("approvals", mr_id=row["id"])}
    wanted_ids = call.listed("approved_by_ids")
    if [str(one).lower() for one in wanted_ids] in (["none"], ["any"]):
        return bool(approved) == (str(wanted_ids[0]).lower() == "any")
    return {int(one) for one in wanted_ids} <= approved
