"""Releases and protected tags."""

from __future__ import annotations

from tests.gitlab import access, branches, commits, errors, pushes, users
from tests.gitlab.call import Call, Reply
from tests.gitlab.clock import iso, parse
from tests.gitlab.git import repo_of
from tests.gitlab.pagination import paged
from tests.gitlab.routes import DEVELOPER, MAINTAINER, route
from tests.gitlab.state import Row


def shown(call: Call, row: Row) -> Row:
    """Return a release."""
    world, project = call.world, call.project
    sha = repo_of(world, project).commit(f"refs/tags/{row['tag_name']}")
    return {
        "name": row["name"],
        "tag_name": row["tag_name"],
        "description": row["description"],
        "created_at": iso(row["created_at"]),
        "released_at": iso(row["released_at"]),
        "upcoming_release": row["released_at"] > world.now(),
        "author": users.by_id(world, row["author_id"]),
        "commit": commits.one(world, project, sha) if sha else None,
        "milestones": [],
        "commit_path": f"/{access.project_path(world, project)}/-/commit/{sha}",
        "tag_path": f"/{access.project_path(world, project)}/-/tags/{row['tag_name']}",
        "assets": {"count": 4 + len(row["links"]), "sources": [], "links": row["links"]},
        "evidences": [],
        "_links": {"self": f"{world.address}/{access.project_path(world, project)}/-/releases/{row['tag_name']}"},
    }


def index(call: Call) -> Reply:
    """List releases, newest first."""
    rows = sorted(call.world.rows("releases", project_id=call.project["id"]), key=lambda row: -row["released_at"])
    return paged(call, rows, lambda row: shown(call, row))


def _one(call: Call) -> Row:
    row = call.world.one("releases", project_id=call.project["id"], tag_name=call.params["tag_name"])
    if row is None:
        raise errors.not_found()
    return row


def create(call: Call) -> Row:
    """Make a release, and its tag when `ref` is given and the tag is not there."""
    world, project, tag = call.world, call.project, call.text("tag_name")
    repo = repo_of(world, project)
    if world.one("releases", project_id=project["id"], tag_name=tag):
        raise errors.conflict("Release already exists")
    if repo.ref(f"refs/tags/{tag}") is None:
        sha = repo.commit(call.text("ref"))
        if sha is None:
            raise errors.unprocessable("Ref is not specified" if not call.text("ref") else "Failed to create tag")
        repo.move(f"refs/tags/{tag}", sha)
        pushes.tag_moved(world, project, call.me, tag, None, sha)
    at = parse(call.text("released_at")) if call.text("released_at") else world.now()
    row = {"project_id": project["id"], "tag_name": tag, "name": call.text("name") or tag, "description": call.text("description"),
           "released_at": at, "author_id": call.me["id"], "links": []}  # fmt: skip
    return shown(call, world.add("releases", row))


def update(call: Call) -> Row:
    """Change a release."""
    row = _one(call)
    row.update({name: call.text(name) for name in ("name", "description") if call.has(name)})
    return shown(call, row)


def delete(call: Call) -> Row:
    """Delete a release; its tag stays."""
    row = _one(call)
    drawn = shown(call, row)
    call.world.drop("releases", row)
    return drawn


def _link(call: Call) -> Row:
    row = next((one for one in _one(call)["links"] if str(one["id"]) == call.params["link_id"]), None)
    if row is None:
        raise errors.not_found()
    return row


def add_link(call: Call) -> Row:
    """Add a link to a release."""
    number = call.world.next_iid("release_links", 0)
    row = {"id": number, "name": call.text("name"), "url": call.text("url"), "direct_asset_url": call.text("url"),
           "link_type": call.text("link_type", "other")}  # fmt: skip
    _one(call)["links"].append(row)
    return row


def change_link(call: Call) -> Row:
    """Change a release's link."""
    row = _link(call)
    row.update({name: call.text(name) for name in ("name", "url", "link_type") if call.has(name)})
    return row


def drop_link(call: Call) -> Row:
    """Take a link from a release."""
    row = _link(call)
    _one(call)["links"].remove(row)
    return row


def protected_tag(call: Call, row: Row) -> Row:
    """Return a protected tag."""
    return {
        "name": row["name"],
        "create_access_levels": [branches.level(call.world, one) for one in row["create_access_levels"]],
    }


def protect_tag(call: Call) -> Row:
    """Protect a tag or a pattern."""
    if call.world.one("protected_tags", project_id=call.project["id"], name=call.text("name")):
        raise errors.conflict(f"Protected tag '{call.text('name')}' already exists")
    number = call.world.next_iid("access_levels", 0)
    level = {"id": number, "access_level": call.int("create_access_level", 40)}
    row = {"project_id": call.project["id"], "name": call.text("name"), "create_access_levels": [level]}
    return protected_tag(call, call.world.add("protected_tags", row))


def _protected(call: Call) -> Row:
    row = call.world.one("protected_tags", project_id=call.project["id"], name=call.params["name"])
    if row is None:
        raise errors.no_record()
    return row


BASE, ONE, TAGS = "/projects/:id/releases", "/projects/:id/releases/:tag_name", "/projects/:id/protected_tags"
ROUTES = [
    route(f"GET {BASE}", index, job=True),
    route(f"POST {BASE}", create, role=DEVELOPER, required=("tag_name",), job=True),
    route(f"GET {ONE}", lambda call: shown(call, _one(call)), job=True),
    route(f"PUT {ONE}", update, role=DEVELOPER, job=True),
    route(f"DELETE {ONE}", delete, role=DEVELOPER, status=200, job=True),
    route(f"GET {ONE}/assets/links", lambda call: paged(call, _one(call)["links"])),
    route(f"POST {ONE}/assets/links", add_link, role=DEVELOPER, required=("name", "url")),
    route(f"GET {ONE}/assets/links/:link_id", _link),
    route(f"PUT {ONE}/assets/links/:link_id", change_link, role=DEVELOPER),
    route(f"DELETE {ONE}/assets/links/:link_id", drop_link, role=DEVELOPER, status=200),
    route(f"GET {TAGS}", lambda call: paged(call, call.world.rows("protected_tags", project_id=call.project["id"]),
                                            lambda row: protected_tag(call, row)), role=MAINTAINER),
    route(f"POST {TAGS}", protect_tag, role=MAINTAINER, required=("name",)),
    route(f"GET {TAGS}/:name", lambda call: protected_tag(call, _protected(call)), role=MAINTAINER),
    route(f"DELETE {TAGS}/:name", lambda call: call.world.drop("protected_tags", _protected(call)), role=MAINTAINER),
]  # fmt: skip
