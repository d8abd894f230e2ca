"""Commits: shown, listed, compared, and made through the API from a list of file actions."""

from __future__ import annotations

import base64
import tempfile
from pathlib import Path
from typing import Any

from tests.gitlab import access, errors, pushes
from tests.gitlab.call import Call, Reply
from tests.gitlab.diffs import diffs_of
from tests.gitlab.git import EMPTY_TREE, GitError, Repo, must_commit, repo_of
from tests.gitlab.pagination import paged
from tests.gitlab.routes import DEVELOPER, route
from tests.gitlab.state import Row, World

FORMAT = "%x1e%H%x1f%P%x1f%an%x1f%ae%x1f%aI%x1f%cn%x1f%ce%x1f%cI%x1f%B"
EXISTS, GONE = "A file with this name already exists", "A file with this name doesn't exist"
CHANGED = "You are attempting to update a file that has changed since you started editing it."


def read(repo: Repo, *argv: str) -> list[Row]:
    """Return the commits of a `git log` with these arguments, as git orders them."""
    out = repo.run("log", f"--format={FORMAT}", *argv).decode(errors="replace")
    return [_row(chunk) for chunk in out.split("\x1e") if chunk.strip()]


def _row(chunk: str) -> Row:
    sha, parents, an, ae, ad, cn, ce, cd, body = chunk.split("\x1f")
    message = body.rstrip("\n")
    return {
        "id": sha,
        "short_id": sha[:8],
        "created_at": _milli(cd),
        "parent_ids": parents.split(),
        "title": message.split("\n", 1)[0],
        "message": message,
        "author_name": an,
        "author_email": ae,
        "authored_date": _milli(ad),
        "committer_name": cn,
        "committer_email": ce,
        "committed_date": _milli(cd),
        "trailers": {},
        "extended_trailers": {},
    }


def _milli(stamp: str) -> str:
    """Return git's strict ISO time with the milliseconds that the API has."""
    day, _, rest = stamp.partition("T")
    return f"{day}T{rest[:8]}.000{'+00:00' if rest[8:] in {'Z', '+00:00'} else rest[8:]}"


def one(world: World, project: Row, sha: str) -> Row:
    """Return a commit as lists show it."""
    return drawn(world, project, read(repo_of(world, project), "-1", sha)[0])


def drawn(world: World, project: Row, row: Row) -> Row:
    """Return a commit with its address."""
    return {**row, "web_url": f"{world.address}/{access.project_path(world, project)}/-/commit/{row['id']}"}


def _full(call: Call, sha: str) -> Row:
    repo = repo_of(call.world, call.project)
    row = one(call.world, call.project, sha)
    last = next(iter(reversed(call.world.rows("pipelines", project_id=call.project["id"], sha=sha))), None)
    pipeline = None
    if last:
        pipeline = {name: last[name] for name in ("id", "iid", "project_id", "ref", "sha", "status", "source")}
    return {**row, "stats": stats(repo, sha), "status": last["status"] if last else None,
            "project_id": call.project["id"], "last_pipeline": pipeline}  # fmt: skip


def stats(repo: Repo, sha: str) -> Row:
    """Count a commit's added and removed lines."""
    added = removed = 0
    for line in repo.text("show", "--numstat", "--format=", "--first-parent", sha).splitlines():
        plus, minus, _ = line.split("\t", 2)
        added += int(plus) if plus != "-" else 0
        removed += int(minus) if minus != "-" else 0
    return {"additions": added, "deletions": removed, "total": added + removed}


def index(call: Call) -> Reply:
    """List commits of a branch, a path, or all."""
    repo = repo_of(call.world, call.project)
    if call.project["empty"]:
        return paged(call, [])
    ref = call.text("ref_name") or call.project["default_branch"]
    argv = ["--all"] if call.flag("all") else [_range(repo, ref)]
    for name, flag in (("since", "--since"), ("until", "--until"), ("author", "--author")):
        if call.text(name):
            argv.append(f"{flag}={call.text(name)}")
    if call.flag("first_parent"):
        argv.append("--first-parent")
    if call.text("order") == "topo":
        argv.append("--topo-order")
    rows = read(repo, *argv, "--", *([call.text("path")] if call.text("path") else []))
    extended = call.flag("with_stats")
    return paged(call, rows, lambda row: drawn(call.world, call.project, row) |
                 ({"stats": stats(repo, row["id"])} if extended else {}))  # fmt: skip


def _range(repo: Repo, ref: str) -> str:
    if ".." in ref:
        left, _, right = ref.partition("..")
        return f"{must_commit(repo, left)}..{must_commit(repo, right.lstrip('.'))}"
    return must_commit(repo, ref)


def _named(call: Call) -> tuple[Repo, str]:
    repo = repo_of(call.world, call.project)
    return repo, must_commit(repo, call.params["sha"])


def show(call: Call) -> Row:
    """Return one commit."""
    _, sha = _named(call)
    return _full(call, sha)


def diff(call: Call) -> Reply:
    """Return a commit's diff with its first parent."""
    repo, sha = _named(call)
    parents = read(repo, "-1", sha)[0]["parent_ids"]
    return paged(call, diffs_of(repo, parents[0] if parents else EMPTY_TREE, sha))


def refs(call: Call) -> Reply:
    """List the branches and tags that hold a commit."""
    repo, sha = _named(call)
    wanted = {"branch": ["heads"], "tag": ["tags"]}.get(call.text("type", "all"), ["heads", "tags"])
    rows = []
    for kind in wanted:
        out = repo.text("for-each-ref", f"--contains={sha}", "--format=%(refname:short)", f"refs/{kind}/")
        rows += [{"type": "branch" if kind == "heads" else "tag", "name": name} for name in out.splitlines()]
    return paged(call, rows)


def sequence(call: Call) -> Row:
    """Count the commits up to one."""
    repo, sha = _named(call)
    argv = ["--first-parent"] if call.flag("first_parent") else []
    return {"count": int(repo.text("rev-list", "--count", *argv, sha))}


def merge_requests(call: Call) -> Reply:
    """List the merge requests that brought a commit."""
    from tests.gitlab import merge_requests as mrs

    repo, sha = _named(call)
    rows = []
    for row in call.world.find("merge_requests", project_id=call.project["id"]):
        ends = {row["head_sha"], row["merge_commit_sha"], row["squash_commit_sha"]}
        if sha in ends or (row["head_sha"] and sha in mrs.commit_ids(repo, row)):
            rows.append(row)
    return paged(call, rows, lambda row: mrs.listed_one(call, row))


def signature(call: Call) -> Row:
    """Return a commit's signature; the stand-in's commits have none."""
    _named(call)
    raise errors.not_found("Signature")


def create(call: Call) -> Row:
    """Make one commit of several file actions."""
    world, project, branch = call.world, call.project, call.text("branch")
    repo = repo_of(world, project)
    if not access.can_push(world, project, call.user, branch):
        raise errors.forbidden("You are not allowed to push into this branch")
    actions = [_action(one) for one in call.listed("actions")]
    old = repo.head(branch)
    start = _start(call, repo, old)
    if call.text("last_commit_id") and old != call.text("last_commit_id"):
        raise errors.told(400, CHANGED)
    sha = write(world, project, call.me, branch, start, actions, call.text("commit_message"), **_author(call), old=old)
    pushes.branch_moved(world, project, call.me, branch, old, sha)
    return _full(call, sha)


def _action(given: Any) -> Row:
    if not isinstance(given, dict) or "action" not in given:
        raise errors.ApiError(400, {"error": "actions[0][action] is missing"})
    if given["action"] not in {"create", "update", "move", "delete", "chmod"}:
        raise errors.ApiError(400, {"error": "actions[0][action] does not have a valid value"})
    return dict(given)


def _author(call: Call) -> Row:
    return {"author_name": call.text("author_name"), "author_email": call.text("author_email")}


def _start(call: Call, repo: Repo, old: str | None) -> str | None:
    if old and not call.flag("force") and (call.text("start_branch") or call.text("start_sha")):
        if call.text("start_branch") == call.text("branch"):
            return old
        raise errors.told(400, f"A branch called '{call.text('branch')}' already exists. Switch to that branch in order "
                               "to make changes")  # fmt: skip
    if call.text("start_sha") or call.text("start_branch"):
        start = repo.commit(call.text("start_sha") or call.text("start_branch"))
        if start is None:
            raise errors.told(400, f"Cannot find start_branch '{call.text('start_branch')}'" if call.text("start_branch")
                              else f"Cannot find start_sha '{call.text('start_sha')}'")  # fmt: skip
        return start
    if old is None and not call.project["empty"]:
        raise errors.told(400, "You can only create or edit files when you are on a branch")
    return old


def write(
    world: World, project: Row, user: Row, branch: str, start: str | None, actions: list[Row], message: str,
    *, author_name: str = "", author_email: str = "", old: str | None = None,
) -> str:  # fmt: skip
    """Write a commit of `actions` on `start`, set the branch to it, and return its name.

    Raises:
        ApiError: 400: an action does not fit the tree, or the branch moved meanwhile.
    """
    repo = repo_of(world, project)
    tree = build_tree(repo, start, actions)
    me = {"name": user["name"], "email": user["email"]}
    author = {"name": author_name or user["name"], "email": author_email or user["email"]}
    sha = repo.commit_tree(tree, [start] if start else [], message, author, me)
    try:
        repo.move(f"refs/heads/{branch}", sha, old or "0" * 40)
    except GitError:
        raise errors.told(400, "Could not update refs/heads/" + branch + ". Please refresh and try again.") from None
    return sha


def build_tree(repo: Repo, start: str | None, actions: list[Row]) -> str:
    """Return the tree of `start` with the actions done."""
    with tempfile.TemporaryDirectory() as folder:
        env = {"GIT_INDEX_FILE": str(Path(folder) / "index")}
        if start:
            repo.run("read-tree", start, env=env)
        lines = [line for action in actions for line in _lines(repo, start, action, env)]
        repo.run("update-index", "-z", "--index-info", data="".join(line + "\0" for line in lines).encode(), env=env)
        return repo.text("write-tree", env=env)


def _entry(repo: Repo, path: str, env: Row) -> tuple[str, str] | None:
    out = repo.text("ls-files", "--stage", "-z", "--", f":(literal){path}", env=env).strip("\0")
    fields = out.split("\t")[0].split(" ") if out and out.split("\t", 1)[1] == path else []
    return (fields[0], fields[1]) if fields else None


def _check_path(path: str) -> None:
    parts = path.split("/")
    if not path or ".." in parts or ".git" in parts or path.startswith("/"):
        raise errors.told(400, f"invalid path: '{path}'")


def _lines(repo: Repo, start: str | None, action: Row, env: Row) -> list[str]:
    """Return the index lines of an action."""
    kind, path = action["action"], str(action.get("file_path") or "")
    _check_path(path)
    there = _entry(repo, path, env)
    if kind in {"create", "move"} and there:
        raise errors.told(400, EXISTS)
    if kind in {"update", "delete", "chmod"} and not there:
        raise errors.told(400, GONE)
    _guard(repo, start, action, path)
    mode = "100755" if action.get("execute_filemode") in {True, "true"} else there[0] if there else "100644"
    if kind == "delete":
        return [f"0 {'0' * 40}\t{path}"]
    if kind == "chmod":
        mode = "100755" if action.get("execute_filemode") in {True, "true"} else "100644"
        return [f"{mode} {there[1] if there else ''}\t{path}"]
    lines = []
    blob = repo.write("blob", content_of(action)) if "content" in action else None
    if kind == "move":
        previous = str(action.get("previous_path") or "")
        source = _entry(repo, previous, env)
        if source is None:
            raise errors.told(400, GONE)
        lines.append(f"0 {'0' * 40}\t{previous}")
        mode, blob = source[0], blob or source[1]
    return [*lines, f"{mode} {blob or repo.write('blob', b'')}\t{path}"]


def _guard(repo: Repo, start: str | None, action: Row, path: str) -> None:
    guard = action.get("last_commit_id")
    if guard and start and last_commit(repo, start, path) != guard:
        raise errors.told(400, CHANGED)


def last_commit(repo: Repo, ref: str, path: str) -> str:
    """Return the newest commit that touched a path."""
    return repo.text("log", "-1", "--format=%H", ref, "--", path)


def content_of(action: Row) -> bytes:
    """Return an action's content as bytes."""
    text = str(action.get("content") or "")
    return base64.b64decode(text) if action.get("encoding") == "base64" else text.encode()


ROUTES = [
    route("GET /projects/:id/repository/commits", index, job=True, read=("read_repository",)),
    route(
        "POST /projects/:id/repository/commits",
        create,
        role=DEVELOPER,
        required=("branch", "commit_message", "actions"),
    ),
    route("GET /projects/:id/repository/commits/:sha", show, job=True),
    route("GET /projects/:id/repository/commits/:sha/diff", diff),
    route("GET /projects/:id/repository/commits/:sha/refs", refs, values={"type": ("branch", "tag", "all")}),
    route("GET /projects/:id/repository/commits/:sha/sequence", sequence),
    route("GET /projects/:id/repository/commits/:sha/merge_requests", merge_requests),
    route("GET /projects/:id/repository/commits/:sha/signature", signature),
]
