"""What hangs on a merge request or issue: subscriptions, participants, reviewers, time, todos, awards, events."""

from __future__ import annotations

import re
from typing import Any

from tests.gitlab import errors, labels, users
from tests.gitlab.call import Call, Reply
from tests.gitlab.clock import iso
from tests.gitlab.issues import shown as issue
from tests.gitlab.issues import the_issue
from tests.gitlab.merge_requests import full
from tests.gitlab.milestones import shown as milestone
from tests.gitlab.pagination import paged
from tests.gitlab.routes import REPORTER, route
from tests.gitlab.state import Row

UNITS = {"mo": 576_000, "w": 144_000, "d": 28_800, "h": 3_600, "m": 60, "s": 1}


def _row(call: Call) -> Row:
    return call.mr or the_issue(call)


def _of(call: Call) -> str:
    return "MergeRequest" if call.mr else "Issue"


def _draw(call: Call) -> Row:
    return full(call, call.mr) if call.mr else issue(call, the_issue(call))


def _subscribe(*, to: bool) -> Any:
    def run(call: Call) -> Any:
        people = _row(call)["subscribers"]
        if (call.me["id"] in people) == to:
            return Reply(status=304)
        (people.append if to else people.remove)(call.me["id"])
        return _draw(call)

    return run


def participants(call: Call) -> Reply:
    """List who took part."""
    row = _row(call)
    notes = call.world.find("notes", noteable=_of(call), noteable_id=row["id"], system=False)
    ids = [row["author_id"], *row["assignee_ids"], *row.get("reviewer_ids", []), *(note["author_id"] for note in notes)]
    return paged(call, [users.by_id(call.world, key) for key in dict.fromkeys(ids)])


def reviewers(call: Call) -> Reply:
    """List the reviewers and how far each is."""
    mr, states = call.mr, call.mr["review_states"]
    rows = [{"user": users.by_id(call.world, key), "state": states.get(str(key), "unreviewed"),
             "created_at": iso(mr["created_at"])} for key in mr["reviewer_ids"]]  # fmt: skip
    return paged(call, rows)


def time_stats(call: Call) -> Row:
    """Return estimate and time spent, in seconds."""
    row = _row(call)
    spent, estimate = row.get("time_spent", 0), row.get("time_estimate", 0)
    return {"time_estimate": estimate, "total_time_spent": spent, "human_time_estimate": _human(estimate),
            "human_total_time_spent": _human(spent)}  # fmt: skip


def _human(seconds: int) -> str | None:
    parts = []
    for unit, size in UNITS.items():
        count, seconds = divmod(seconds, size)
        if count:
            parts.append(f"{count}{unit}")
    return " ".join(parts) or None


def _duration(call: Call) -> int:
    found = re.findall(r"(-?\d+)\s*(mo|w|d|h|m|s)", call.text("duration"))
    if not found:
        raise errors.refused(base=["Time estimate must have a valid format and be greater than or equal to zero."])
    return sum(int(count) * UNITS[unit] for count, unit in found)


def _time(field: str, *, adding: bool = False, clearing: bool = False) -> Any:
    def run(call: Call) -> Row:
        row = _row(call)
        row[field] = 0 if clearing else _duration(call) + (row.get(field, 0) if adding else 0)
        return time_stats(call)

    return run


def todo(call: Call) -> Any:
    """Put it on the caller's list."""
    row, kind = _row(call), _of(call)
    if call.world.one("todos", user_id=call.me["id"], kind=kind, target_id=row["id"], state="pending"):
        return Reply(status=304)
    made = call.world.add("todos", {"user_id": call.me["id"], "kind": kind, "target_id": row["id"], "state": "pending",
                                    "project_id": call.project["id"]})  # fmt: skip
    return todo_shown(call, made)


def todo_shown(call: Call, row: Row) -> Row:
    """Return a todo."""
    table = "merge_requests" if row["kind"] == "MergeRequest" else "issues"
    target = call.world.get(table, row["target_id"])
    return {"id": row["id"], "action_name": "marked", "target_type": row["kind"], "state": row["state"],
            "author": users.by_id(call.world, row["user_id"]), "target": {"id": row["target_id"], "title": (target or {}).get("title")},
            "body": (target or {}).get("title"), "created_at": iso(row["created_at"]), "updated_at": iso(row["updated_at"])}  # fmt: skip


def todos(call: Call) -> Reply:
    """List the caller's todos."""
    rows = call.world.rows("todos", user_id=call.me["id"], state=call.text("state", "pending"))
    return paged(call, rows, lambda row: todo_shown(call, row))


def todo_done(call: Call) -> Row:
    """Tick a todo off."""
    row = call.world.get("todos", call.number("todo_id"))
    if row is None or row["user_id"] != call.me["id"]:
        raise errors.no_record()
    row["state"] = "done"
    return todo_shown(call, row)


def todos_done(call: Call) -> Reply:
    """Tick all todos off."""
    for row in call.world.find("todos", user_id=call.me["id"]):
        row["state"] = "done"
    return Reply(None, 204)


def _award_of(call: Call) -> Row:
    if "note_id" in call.params:
        return {"of": "notes", "of_id": call.number("note_id")}
    return {"of": "merge_requests" if call.mr else "issues", "of_id": _row(call)["id"]}


def award(call: Call, row: Row) -> Row:
    """Return an award."""
    kind = {"merge_requests": "MergeRequest", "issues": "Issue", "notes": "Note"}[row["of"]]
    return {"id": row["id"], "name": row["name"], "user": users.by_id(call.world, row["user_id"]),
            "created_at": iso(row["created_at"]), "updated_at": iso(row["updated_at"]), "awardable_id": row["of_id"],
            "awardable_type": kind, "url": None}  # fmt: skip


def give_award(call: Call) -> Row:
    """Give an award."""
    row = {**_award_of(call), "user_id": call.me["id"], "name": call.text("name")}
    if call.world.one("awards", **row):
        raise errors.not_found("Award Emoji Name has already been taken")
    return award(call, call.world.add("awards", row))


def _award(call: Call) -> Row:
    row = call.world.get("awards", call.number("award_id"))
    if row is None or any(row[name] != value for name, value in _award_of(call).items()):
        raise errors.no_record()
    return row


def take_award(call: Call) -> None:
    """Take an award back."""
    row = _award(call)
    if row["user_id"] != call.me["id"] and not call.admin:
        raise errors.unauthorized()
    call.world.drop("awards", row)


def _event(call: Call, row: Row) -> Row:
    base = {"id": row["id"], "user": users.by_id(call.world, row["user_id"]), "created_at": iso(row["created_at"]),
            "resource_type": row["of"], "resource_id": row["mr_id"]}  # fmt: skip
    if row["kind"] == "label":
        found = labels.find(call.world, call.project, row["label"])
        part = {name: found[name] for name in ("id", "name", "color", "description")} if found else None
        return {**base, "label": part, "action": row["action"]}
    if row["kind"] == "milestone":
        return {**base, "milestone": milestone(call.world, call.world.get("milestones", row["milestone_id"])),
                "action": row["action"], "state": None}  # fmt: skip
    if row["kind"] == "weight":
        return {**base, "issue_id": row["mr_id"], "weight": row["weight"]}
    return {**base, "state": row["state"]}


def _events(kind: str) -> list[Any]:
    def rows(call: Call) -> list[Row]:
        return call.world.rows("resource_events", kind=kind, of=_of(call), mr_id=_row(call)["id"])

    def one(call: Call) -> Row:
        found = next((row for row in rows(call) if row["id"] == call.number("event_id")), None)
        if found is None:
            raise errors.no_record()
        return _event(call, found)

    routes = []
    for base in SUBJECTS:
        path = f"{base}/resource_{kind}_events"
        routes.append(route(f"GET {path}", lambda call: paged(call, rows(call), lambda row: _event(call, row))))
        routes.append(route(f"GET {path}/:event_id", one))
    return routes


SUBJECTS = ("/projects/:id/merge_requests/:iid", "/projects/:id/issues/:issue_iid")


def _routes(base: str) -> list[Any]:
    awards = (f"{base}/award_emoji", f"{base}/notes/:note_id/award_emoji")
    given = []
    for path in awards:
        given += [
            route(
                f"GET {path}",
                lambda call: paged(call, call.world.rows("awards", **_award_of(call)), lambda row: award(call, row)),
            ),
            route(f"POST {path}", give_award, required=("name",)),
            route(f"GET {path}/:award_id", lambda call: award(call, _award(call))),
            route(f"DELETE {path}/:award_id", take_award),
        ]
    return [
        *given,
        route(f"POST {base}/subscribe", _subscribe(to=True)),
        route(f"POST {base}/unsubscribe", _subscribe(to=False)),
        route(f"GET {base}/participants", participants),
        route(f"GET {base}/time_stats", time_stats),
        route(f"POST {base}/time_estimate", _time("time_estimate"), role=REPORTER, required=("duration",), status=200),
        route(f"POST {base}/reset_time_estimate", _time("time_estimate", clearing=True), role=REPORTER, status=200),
        route(f"POST {base}/add_spent_time", _time("time_spent", adding=True), role=REPORTER, required=("duration",)),
        route(f"POST {base}/reset_spent_time", _time("time_spent", clearing=True), role=REPORTER, status=200),
        route(f"POST {base}/todo", todo),
    ]


MR = SUBJECTS[0]
ROUTES = [
    *(one for base in SUBJECTS for one in _routes(base)),
    *(one for kind in ("label", "state", "milestone", "weight") for one in _events(kind)),
    route(f"GET {MR}/reviewers", reviewers),
    route(f"GET {MR}/closes_issues", lambda call: paged(call, [])),
    route(f"GET {MR}/related_issues", lambda call: paged(call, [])),
    route("GET /todos", todos),
    route("POST /todos/:todo_id/mark_as_done", todo_done),
    route("POST /todos/mark_as_done", todos_done),
]
