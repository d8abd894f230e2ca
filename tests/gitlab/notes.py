"""Notes and discussions on merge requests, issues and commits; positions in diffs; resolving."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from typing import Any

from tests.gitlab import access, errors, events, mergeability, users
from tests.gitlab.call import Call, Reply
from tests.gitlab.clock import iso, parse
from tests.gitlab.diffs import added_lines, diffs_of, removed_lines
from tests.gitlab.git import must_commit, repo_of
from tests.gitlab.pagination import paged
from tests.gitlab.routes import DEVELOPER, MAINTAINER, route
from tests.gitlab.state import Row, World


@dataclass(frozen=True)
class Subject:
    """What a note is about."""

    kind: str
    row: Row

    @property
    def where(self) -> Row:
        """Return the fields that find its notes."""
        return {"noteable": self.kind, "noteable_id": self.row["id"]}


def subject_of(call: Call) -> Subject:
    """Return what the call's notes are about."""
    if call.mr:
        return Subject("MergeRequest", call.mr)
    if "issue_iid" in call.params:
        from tests.gitlab.issues import the_issue

        return Subject("Issue", the_issue(call))
    if "sha" in call.params:
        sha = must_commit(repo_of(call.world, call.project), call.params["sha"])
        return Subject("Commit", {"id": sha, "iid": None, "author_id": None})
    row = call.world.get("snippets", call.number("snippet_id"))
    if row is None:
        raise errors.no_record()
    return Subject("Snippet", {**row, "iid": None})


def shown(world: World, row: Row) -> Row:
    """Return a note."""
    resolved = {}
    if row["resolvable"]:
        resolved = {"resolved": row["resolved"], "resolved_by": users.by_id(world, row["resolved_by_id"]),
                    "resolved_at": iso(row["resolved_at"])}  # fmt: skip
    return {
        "id": row["id"],
        "type": row["type"],
        "body": row["body"],
        "attachment": None,
        "author": users.by_id(world, row["author_id"]) or users.by_id(world, 1),
        "created_at": iso(row["created_at"]),
        "updated_at": iso(row["updated_at"]),
        "system": row["system"],
        "noteable_id": row["noteable_id"] if row["noteable"] != "Commit" else None,
        "noteable_type": row["noteable"],
        "project_id": row["project_id"],
        "commit_id": row["commit_id"],
        **({"position": row["position"]} if row["position"] else {}),
        "resolvable": row["resolvable"],
        **resolved,
        "confidential": row["internal"],
        "internal": row["internal"],
        "imported": False,
        "imported_from": "none",
        "noteable_iid": row["noteable_iid"],
        "commands_changes": {},
    }


def _visible(call: Call, row: Row) -> bool:
    return not row["internal"] or access.project_role(call.world, call.project, call.user) >= 20


def _rows(call: Call, subject: Subject) -> list[Row]:
    return [row for row in call.world.find("notes", **subject.where) if _visible(call, row)]


def index(call: Call) -> Reply:
    """List notes, newest first unless asked."""
    rows = _rows(call, subject_of(call))
    if call.text("activity_filter") == "only_comments":
        rows = [row for row in rows if not row["system"]]
    column = "updated_at" if call.text("order_by") == "updated_at" else "created_at"
    rows.sort(key=lambda row: (row[column], row["id"]), reverse=call.text("sort", "desc") == "desc")
    return paged(call, rows, lambda row: shown(call.world, row))


def _note(call: Call) -> Row:
    row = call.world.get("notes", call.number("note_id"))
    where = subject_of(call).where
    if row is None or any(row[name] != value for name, value in where.items()) or not _visible(call, row):
        raise errors.no_record()
    if "discussion_id" in call.params and row["discussion_id"] != call.params["discussion_id"]:
        raise errors.not_found("Note")
    return row


def write(call: Call, subject: Subject, body: str, **more: Any) -> Row:
    """Store a note and tell about it.

    Raises:
        ApiError: The body is empty or too long, or the discussion is locked.
    """
    world = call.world
    _may_write(call, subject, body)
    row = {
        "project_id": call.project["id"], **subject.where, "noteable_iid": subject.row.get("iid"), "author_id": call.me["id"],
        "body": body, "system": False, "type": None, "resolvable": False, "resolved": False, "resolved_by_id": None,
        "resolved_at": None, "position": None, "discussion_id": secrets.token_hex(20), "individual": True,
        "internal": bool(call.flag("internal", default=False) or call.flag("confidential", default=False)),
        "commit_id": subject.row["id"] if subject.kind == "Commit" else None}  # fmt: skip
    stored = world.add("notes", {**row, **more})
    if call.text("created_at"):
        stored["created_at"] = parse(call.text("created_at"))
    if subject.kind != "Commit":
        subject.row["updated_at"] = world.now()
    events.note(world, call.project, call.me, stored, subject.row)
    return stored


def _may_write(call: Call, subject: Subject, body: str) -> None:
    if not body.strip():
        raise errors.refused(note=["can't be blank"])
    if len(body) > 1_000_000:
        raise errors.refused(note=["is too long (maximum is 1000000 characters)"])
    if subject.row.get("discussion_locked") and access.project_role(call.world, call.project, call.user) < DEVELOPER:
        raise errors.forbidden()


def create(call: Call) -> Any:
    """Write a note; a body of quick actions alone makes none."""
    subject, text = subject_of(call), call.text("body")
    from tests.gitlab.quick_actions import run

    rest, did = run(call, subject, text)
    if did and not rest.strip():
        return Reply({"commands_changes": did, "summary": ["Applied commands."]}, 202)
    return shown(call.world, write(call, subject, rest))


def _may_change(call: Call, row: Row) -> None:
    own = row["author_id"] == call.me["id"] and not row["system"]
    if not own and access.project_role(call.world, call.project, call.user) < MAINTAINER:
        raise errors.forbidden()


def update(call: Call) -> Row:
    """Change a note's body, or resolve it."""
    row = _note(call)
    if call.has("body"):
        _may_change(call, row)
        if not call.text("body").strip():
            raise errors.refused(note=["can't be blank"])
        row["body"] = call.text("body")
    if call.has("resolved"):
        resolve(call, [row], to=call.flag("resolved"))
    row["updated_at"] = call.world.now()
    return shown(call.world, row)


def delete(call: Call) -> None:
    """Delete a note."""
    row = _note(call)
    _may_change(call, row)
    call.world.drop("notes", row)


def resolve(call: Call, rows: list[Row], *, to: bool) -> None:
    """Resolve or open notes."""
    if access.project_role(call.world, call.project, call.user) < DEVELOPER and call.mr["author_id"] != call.me["id"]:
        raise errors.forbidden()
    if not any(row["resolvable"] for row in rows):
        raise errors.forbidden() if len(rows) > 1 else errors.bad_request("Note is not resolvable")
    for row in rows:
        if row["resolvable"]:
            done = {"resolved_by_id": call.me["id"], "resolved_at": call.world.now()}
            row |= {"resolved": to, **(done if to else {"resolved_by_id": None, "resolved_at": None})}


# Discussions


def _discussion(rows: list[Row], world: World) -> Row:
    return {"id": rows[0]["discussion_id"], "individual_note": rows[0]["individual"],
            "notes": [shown(world, row) for row in rows]}  # fmt: skip


def _threads(call: Call, subject: Subject) -> dict[str, list[Row]]:
    threads: dict[str, list[Row]] = {}
    for row in _rows(call, subject):
        threads.setdefault(row["discussion_id"], []).append(row)
    return threads


def discussions(call: Call) -> Reply:
    """List discussions, oldest first."""
    return paged(call, list(_threads(call, subject_of(call)).values()), lambda rows: _discussion(rows, call.world))


def _thread(call: Call) -> list[Row]:
    rows = _threads(call, subject_of(call)).get(call.params["discussion_id"])
    if rows is None:
        raise errors.not_found("Discussion")
    return rows


def start(call: Call) -> Row:
    """Start a discussion, on the whole or on a line of the diff."""
    subject = subject_of(call)
    more: Row = {"type": "DiscussionNote", "individual": False, "resolvable": subject.kind == "MergeRequest"}
    position = call.args.get("position")
    if isinstance(position, dict) and position:
        more |= {"type": "DiffNote", "position": check_position(call, position)}
    return _discussion([write(call, subject, call.text("body"), **more)], call.world)


def check_position(call: Call, given: Row) -> Row:
    """Return the position of a diff note.

    Raises:
        ApiError: 400: a sha is missing or unknown, or the line is not in the diff.
    """
    needed = [name for name in ("base_sha", "start_sha", "head_sha", "position_type") if not given.get(name)]
    if needed:
        raise errors.ApiError(400, {"error": ", ".join(f"position[{name}] is missing" for name in needed)})
    if given["position_type"] not in {"text", "image", "file"}:
        raise errors.invalid("position[position_type]")
    repo = repo_of(call.world, call.project)
    if any(repo.commit(str(given[name])) is None for name in ("base_sha", "head_sha")):
        raise _bad_line()
    lines = {name: int(given[name]) if given.get(name) else None for name in ("old_line", "new_line")}
    row = next((one for one in diffs_of(repo, str(given["base_sha"]), str(given["head_sha"]))
                if one["new_path"] == given.get("new_path") or one["old_path"] == given.get("old_path")), None)  # fmt: skip
    if row is None or (given["position_type"] == "text" and not _on_diff(row["diff"], lines)):
        raise _bad_line()
    names = ("base_sha", "start_sha", "head_sha", "position_type")
    code = hashlib.sha1(row["new_path"].encode()).hexdigest()
    return {**{name: given[name] for name in names}, "old_path": given.get("old_path") or row["old_path"],
            "new_path": given.get("new_path") or row["new_path"], **lines, "line_range": given.get("line_range"),
            "line_code": f"{code}_{lines['old_line'] or 0}_{lines['new_line'] or 0}"}  # fmt: skip


def _on_diff(diff: str, lines: Row) -> bool:
    added, removed = added_lines(diff), removed_lines(diff)
    if lines["new_line"] and lines["old_line"]:
        return added.get(lines["new_line"]) == "old" and removed.get(lines["old_line"]) == "old"
    if lines["new_line"]:
        return added.get(lines["new_line"]) == "new"
    return removed.get(lines["old_line"] or 0) == "gone"


def _bad_line() -> errors.ApiError:
    why = '400 Bad request - Note {:line_code=>["can\'t be blank", "must be a valid line code"]}'
    return errors.told(400, why)


def answer(call: Call) -> Row:
    """Add a note to a discussion."""
    first = _thread(call)[0]
    more = {"discussion_id": first["discussion_id"], "individual": False, "type": first["type"] or "DiscussionNote",
            "resolvable": first["resolvable"], "position": first["position"]}  # fmt: skip
    first["individual"] = False
    return shown(call.world, write(call, subject_of(call), call.text("body"), **more))


def resolve_thread(call: Call) -> Row:
    """Resolve or open a whole discussion."""
    rows = _thread(call)
    resolve(call, rows, to=call.flag("resolved"))
    mergeability.settle(call.world, call.mr)
    return _discussion(rows, call.world)


def comments(call: Call) -> Reply:
    """List a commit's comments in their old form."""
    return paged(call, _rows(call, subject_of(call)), lambda row: _comment(call.world, row))


def _comment(world: World, row: Row) -> Row:
    return {"note": row["body"], "path": None, "line": None, "line_type": None, "author": users.by_id(world, row["author_id"]),
            "created_at": iso(row["created_at"])}  # fmt: skip


def comment(call: Call) -> Row:
    """Comment on a commit."""
    return _comment(call.world, write(call, subject_of(call), call.text("note")))


def _routes(base: str, *, resolvable: bool = False) -> list[Any]:
    thread = f"{base}/discussions/:discussion_id"
    rows = [
        route(f"GET {base}/notes", index, job=True),
        route(f"POST {base}/notes", create, required=("body",)),
        route(f"GET {base}/notes/:note_id", lambda call: shown(call.world, _note(call)), job=True),
        route(f"PUT {base}/notes/:note_id", update),
        route(f"DELETE {base}/notes/:note_id", delete),
        route(f"GET {base}/discussions", discussions),
        route(f"POST {base}/discussions", start, required=("body",)),
        route(f"GET {thread}", lambda call: _discussion(_thread(call), call.world)),
        route(f"GET {thread}/notes", lambda call: paged(call, _thread(call), lambda row: shown(call.world, row))),
        route(f"POST {thread}/notes", answer, required=("body",)),
        route(f"GET {thread}/notes/:note_id", lambda call: shown(call.world, _note(call))),
        route(f"PUT {thread}/notes/:note_id", update),
        route(f"DELETE {thread}/notes/:note_id", delete),
    ]
    return [*rows, route(f"PUT {thread}", resolve_thread, required=("resolved",))] if resolvable else rows


COMMIT = "/projects/:id/repository/commits/:sha"
ROUTES = [
    *_routes("/projects/:id/merge_requests/:iid", resolvable=True),
    *_routes("/projects/:id/issues/:issue_iid"),
    *_routes("/projects/:id/snippets/:snippet_id"),
    *_routes(COMMIT),
    route(f"GET {COMMIT}/comments", comments),
    route(f"POST {COMMIT}/comments", comment, required=("note",)),
]
