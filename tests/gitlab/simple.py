"""Resources that are only kept and given back: list, get, create, update, delete from one line of a table."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tests.gitlab import errors
from tests.gitlab.call import Call, Reply
from tests.gitlab.clock import iso
from tests.gitlab.pagination import paged
from tests.gitlab.routes import MAINTAINER, SEE, Route, route
from tests.gitlab.state import Row, World


@dataclass(frozen=True)
class Kind:
    """One such resource.

    Attributes:
        path: Where it lives; `:id` in it is the project or group.
        table: Where its rows are kept.
        fields: What it has, with each default.
        key: The field that addresses one row.
        what: Its name in a 404.
        unique: A field that must be unique under one owner.
    """

    path: str
    table: str
    fields: dict[str, Any]
    required: tuple[str, ...] = ()
    key: str = "id"
    what: str = ""
    unique: str = ""
    read: int = SEE
    write: int = MAINTAINER
    admin: bool = False
    paid: bool = False
    dated: bool = True
    verbs: tuple[str, ...] = ("list", "get", "create", "update", "delete")
    update_verb: str = "PUT"
    hidden: tuple[str, ...] = ()
    made: Any = field(default=lambda _call, _row: None)
    taken: str = "has already been taken"


def owner(call: Call) -> tuple[str, int]:
    """Return what a row belongs to: project, group, user or the instance."""
    if call.project:
        return "project", call.project["id"]
    if call.group:
        return "group", call.group["id"]
    if "user_id" in call.params:
        if call.world.get("users", call.number("user_id")) is None:
            raise errors.not_found("User")
        return "user", call.number("user_id")
    return ("user", call.me["id"]) if call.path.startswith("/user/") else ("instance", 0)


def _rows(call: Call, kind: Kind) -> list[Row]:
    source, source_id = owner(call)
    return call.world.rows(kind.table, source=source, source_id=source_id)


def shown(kind: Kind, row: Row) -> Row:
    """Return a row as the API gives it."""
    dates = {"created_at": iso(row["created_at"]), "updated_at": iso(row["updated_at"])} if kind.dated else {}
    return {"id": row["id"], **{name: row.get(name) for name in kind.fields if name not in kind.hidden}, **dates}


def _one(call: Call, kind: Kind) -> Row:
    wanted = call.params["key"]
    for row in _rows(call, kind):
        if str(row[kind.key]) == wanted:
            return row
    raise errors.not_found(kind.what)


def _index(kind: Kind) -> Any:
    def run(call: Call) -> Reply:
        search = call.text("search").lower()
        rows = _rows(call, kind)
        if search:
            rows = [row for row in rows if search in str(row.get("name") or row.get("title") or "").lower()]
        return paged(call, rows, lambda row: shown(kind, row))

    return run


def _create(kind: Kind) -> Any:
    def run(call: Call) -> Row:
        source, source_id = owner(call)
        _check_unique(call, kind, None)
        given = {name: call.args.get(name, default) for name, default in kind.fields.items()}
        given = {name: _typed(kind.fields[name], value) for name, value in given.items()}
        row = call.world.add(kind.table, {"source": source, "source_id": source_id, **given})
        kind.made(call, row)
        return shown(kind, row)

    return run


def _check_unique(call: Call, kind: Kind, row: Row | None) -> None:
    if not kind.unique or not call.has(kind.unique):
        return
    for other in _rows(call, kind):
        if other is not row and other[kind.unique] == call.args[kind.unique]:
            raise errors.refused(**{kind.unique: [kind.taken]})


def _typed(default: Any, value: Any) -> Any:
    """Return a value in its default's type: forms send only text."""
    if isinstance(default, bool) and not isinstance(value, bool):
        return str(value).lower() in {"true", "1"}
    return value


def _update(kind: Kind) -> Any:
    def run(call: Call) -> Row:
        row = _one(call, kind)
        _check_unique(call, kind, row)
        row.update({name: _typed(kind.fields[name], call.args[name]) for name in kind.fields if call.has(name)})
        row["updated_at"] = call.world.now()
        return shown(kind, row)

    return run


def crud(kind: Kind) -> list[Route]:
    """Return the routes of a simple resource."""
    one = f"{kind.path}/:key"

    def get(call: Call) -> Row:
        return shown(kind, _one(call, kind))

    def delete(call: Call) -> None:
        call.world.drop(kind.table, _one(call, kind))

    able: dict[str, Any] = {"admin": kind.admin, "paid": kind.paid}
    routes = {
        "list": route(f"GET {kind.path}", _index(kind), role=kind.read, **able),
        "get": route(f"GET {one}", get, role=kind.read, **able),
        "create": route(f"POST {kind.path}", _create(kind), role=kind.write, required=kind.required, **able),
        "update": route(f"{kind.update_verb} {one}", _update(kind), role=kind.write, **able),
        "delete": route(f"DELETE {one}", delete, role=kind.write, **able),
    }
    return [routes[verb] for verb in kind.verbs]


def attribute(world: World, table: str, row_id: int, key: str) -> str | None:
    """Return a custom attribute's value, or None."""
    row = world.one("custom_attributes", of=table, of_id=row_id, key=key)
    return row["value"] if row else None


def custom_attributes(path: str, table: str) -> list[Route]:
    """Return the routes of custom attributes of users, groups or projects."""

    def target(call: Call) -> Row:
        return {"of": table, "of_id": (call.project or call.group or {"id": call.params.get("user_id")})["id"]}

    def found(call: Call) -> Row:
        where = target(call)
        row = call.world.one("custom_attributes", of=table, of_id=int(where["of_id"]), key=call.params["key"])
        if row is None:
            raise errors.not_found("Custom Attribute")
        return row

    def draw(row: Row) -> Row:
        return {"key": row["key"], "value": row["value"]}

    def index(call: Call) -> Reply:
        return paged(call, call.world.rows("custom_attributes", of=table, of_id=int(target(call)["of_id"])), draw)

    def put(call: Call) -> Row:
        where = {"of": table, "of_id": int(target(call)["of_id"]), "key": call.params["key"]}
        row = call.world.one("custom_attributes", **where) or call.world.add("custom_attributes", where)
        row["value"] = call.text("value")
        return draw(row)

    one = f"{path}/custom_attributes/:key"
    return [
        route(f"GET {path}/custom_attributes", index, admin=True),
        route(f"GET {one}", lambda call: draw(found(call)), admin=True),
        route(f"PUT {one}", put, admin=True, required=("value",)),
        route(f"DELETE {one}", lambda call: call.world.drop("custom_attributes", found(call)), admin=True),
    ]
