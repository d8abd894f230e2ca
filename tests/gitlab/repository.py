"""The repository as a whole: tree, blobs, compare, merge base, archive, tags, cherry-pick and revert."""

from __future__ import annotations

import base64
import bz2
import gzip
from typing import Any

from tests.gitlab import access, commits, errors, pushes
from tests.gitlab.call import Call, Reply
from tests.gitlab.diffs import diffs_of
from tests.gitlab.git import GitError, Repo, must_commit, repo_of
from tests.gitlab.pagination import paged
from tests.gitlab.routes import DEVELOPER, REPORTER, route
from tests.gitlab.state import Row


def tree(call: Call) -> Reply:
    """List a folder; folders first, as git orders them for the API."""
    repo = repo_of(call.world, call.project)
    ref = call.text("ref") or call.project["default_branch"]
    commit = repo.commit(ref)
    if commit is None:
        raise errors.not_found("Tree")
    path = call.text("path").strip("/")
    argv = ["-r", "-t"] if call.flag("recursive") else []
    try:
        out = repo.run("ls-tree", "-z", "--full-tree", *argv, f"{commit}:{path}" if path else commit)
    except GitError:
        raise errors.not_found("Tree") from None
    rows = [_entry(line, path) for line in out.decode(errors="replace").split("\0") if line]
    rows.sort(key=lambda row: (row["type"] != "tree", row["path"]))
    return paged(call, rows)


def _entry(line: str, path: str) -> Row:
    meta, _, name = line.partition("\t")
    mode, kind, sha = meta.split(" ")
    full = f"{path}/{name}" if path else name
    return {"id": sha, "name": full.rsplit("/", 1)[-1], "type": kind, "path": full, "mode": mode}


def _blob(call: Call) -> bytes:
    try:
        return repo_of(call.world, call.project).run("cat-file", "blob", call.params["sha"])
    except GitError:
        raise errors.not_found("Blob") from None


def blob(call: Call) -> Row:
    """Return a blob in base64."""
    content = _blob(call)
    return {"size": len(content), "encoding": "base64", "content": base64.b64encode(content).decode(),
            "sha": call.params["sha"]}  # fmt: skip


def raw_blob(call: Call) -> Reply:
    """Return a blob's bytes."""
    return Reply(_blob(call), kind="text/plain")


def compare(call: Call) -> Row:
    """Compare two refs: from their merge base unless `straight`."""
    repo, world = repo_of(call.world, call.project), call.world
    old, new = must_commit(repo, call.text("from"), "Ref"), must_commit(repo, call.text("to"), "Ref")
    base = old if call.flag("straight") else repo.merge_base(old, new) or old
    rows = [commits.drawn(world, call.project, row) for row in commits.read(repo, "--reverse", f"{old}..{new}")]
    return {"commit": rows[-1] if rows else None, "commits": rows, "diffs": diffs_of(repo, base, new),
            "compare_timeout": False, "compare_same_ref": old == new,
            "web_url": f"{world.address}/{access.project_path(world, call.project)}/-/compare/{old}...{new}"}  # fmt: skip


def merge_base(call: Call) -> Row:
    """Return the newest common commit of several refs."""
    refs = call.listed("refs") if isinstance(call.args.get("refs"), list) else [call.text("refs")]
    if len(refs) < 2:
        raise errors.told(400, "Provide at least 2 refs")
    repo = repo_of(call.world, call.project)
    found = [repo.commit(str(ref)) for ref in refs]
    if None in found:
        bad = [ref for ref, sha in zip(refs, found, strict=True) if sha is None]
        raise errors.told(400, f"Could not find ref: {', '.join(map(str, bad))}")
    try:
        sha = repo.text("merge-base", *[sha for sha in found if sha])
    except GitError:
        raise errors.not_found("Merge Base") from None
    return commits.one(call.world, call.project, sha)


def contributors(call: Call) -> Reply:
    """Count commits by author."""
    repo = repo_of(call.world, call.project)
    counted: dict[str, Row] = {}
    if not call.project["empty"]:
        for row in commits.read(repo, "--no-merges", must_commit(repo, call.project["default_branch"])):
            one = counted.setdefault(row["author_email"], {"name": row["author_name"], "email": row["author_email"],
                                                           "commits": 0, "additions": 0, "deletions": 0})  # fmt: skip
            one["commits"] += 1
    return paged(call, list(counted.values()))


def archive(call: Call) -> Reply:
    """Return the tree as an archive."""
    repo = repo_of(call.world, call.project)
    sha = must_commit(repo, call.text("sha") or call.project["default_branch"])
    kind = (call.params.get("format") or "archive.tar.gz").split(".", 1)[-1] if "format" in call.params else "tar.gz"
    prefix = f"{call.project['path']}-{call.text('sha') or call.project['default_branch']}-{sha}/"
    if kind == "zip":
        return Reply(repo.run("archive", "--format=zip", f"--prefix={prefix}", sha), kind="application/octet-stream")
    content = repo.run("archive", "--format=tar", f"--prefix={prefix}", sha)
    if kind in {"tar.gz", "tgz", "gz"}:
        content = gzip.compress(content, mtime=0)
    elif kind in {"tar.bz2", "tbz", "tbz2", "tb2", "bz2"}:
        content = bz2.compress(content)
    return Reply(content, kind="application/octet-stream")


def _packed(kind: str) -> Any:
    def run(call: Call) -> Reply:
        call.params["format"] = f"archive.{kind}"
        return archive(call)

    return run


def tag(call: Call, name: str) -> Row:
    """Return a tag."""
    repo = repo_of(call.world, call.project)
    target = repo.ref(f"refs/tags/{name}")
    if target is None:
        raise errors.not_found("Tag")
    sha = repo.text("rev-parse", f"{target}^{{commit}}")
    annotated = sha != target
    message = repo.text("for-each-ref", "--format=%(contents)", f"refs/tags/{name}").rstrip("\n") if annotated else ""
    row = call.world.one("releases", project_id=call.project["id"], tag_name=name)
    release = {"tag_name": name, "description": row["description"]} if row else None
    rules = [one["name"] for one in call.world.find("protected_tags", project_id=call.project["id"])]
    return {"name": name, "message": message, "target": target, "commit": commits.one(call.world, call.project, sha),
            "release": release, "protected": any(access.matches(rule, name) for rule in rules),
            "created_at": commits.read(repo, "-1", sha)[0]["created_at"] if annotated else None}  # fmt: skip


def tags(call: Call) -> Reply:
    """List tags, newest first."""
    refs = repo_of(call.world, call.project).text(
        "for-each-ref", "--sort=-creatordate", "--format=%(refname:strip=2)", "refs/tags/"
    )
    names = [name for name in refs.splitlines() if call.text("search").strip("^") in name]
    return paged(call, [{"name": name} for name in names], lambda row: tag(call, row["name"]))


def create_tag(call: Call) -> Row:
    """Make a tag; with a message it is annotated."""
    repo, name = repo_of(call.world, call.project), call.text("tag_name")
    if repo.ref(f"refs/tags/{name}"):
        raise errors.told(400, f"Tag {name} already exists")
    if not repo.ask("check-ref-format", f"refs/tags/{name}"):
        raise errors.told(400, "Tag name invalid")
    sha = repo.commit(call.text("ref"))
    if sha is None:
        raise errors.told(400, f"Target {call.text('ref')} is invalid")
    env = {"GIT_COMMITTER_NAME": call.me["name"], "GIT_COMMITTER_EMAIL": call.me["email"]}
    if call.text("message"):
        repo.run("tag", "-a", "-m", call.text("message"), name, sha, env=env)
    else:
        repo.move(f"refs/tags/{name}", sha, "0" * 40)
    pushes.tag_moved(call.world, call.project, call.me, name, None, sha)
    return tag(call, name)


def delete_tag(call: Call) -> None:
    """Delete a tag."""
    shown = tag(call, call.params["tag_name"])
    repo_of(call.world, call.project).delete_ref(f"refs/tags/{shown['name']}")
    pushes.tag_moved(call.world, call.project, call.me, shown["name"], shown["target"], None)


def _picking(kind: str) -> Any:
    """Return the handler of cherry-pick or revert: a merge with a chosen base."""

    def run(call: Call) -> Row:
        repo, branch = repo_of(call.world, call.project), call.text("branch")
        sha = must_commit(repo, call.params["sha"])
        head = repo.head(branch)
        if head is None:
            raise errors.not_found("Branch")
        if not access.can_push(call.world, call.project, call.user, branch):
            raise errors.told(400, "You are not allowed to push into this branch")
        row = commits.read(repo, "-1", sha)[0]
        parent = row["parent_ids"][0] if row["parent_ids"] else None
        result = _picked(repo, kind, head, sha, parent)
        if result is None or result == repo.tree(head):
            code = "empty" if result else "conflict"
            verb = "cherry-pick" if kind == "cherry_pick" else "revert"
            why = f"Sorry, we cannot {verb} this commit automatically. This commit may already have been " \
                  f"{'cherry-picked' if kind == 'cherry_pick' else 'reverted'}, or a more recent commit may have updated some of its content."  # fmt: skip
            raise errors.ApiError(400, {"message": why, "error_code": code})
        return _land(
            call, repo, branch, head, result, _message(kind, row, call), row if kind == "cherry_pick" else None
        )

    return run


def _picked(repo: Repo, kind: str, head: str, sha: str, parent: str | None) -> str | None:
    if parent is None:
        return None
    return repo.merge_tree(head, sha, parent) if kind == "cherry_pick" else repo.merge_tree(head, parent, sha)


def _message(kind: str, row: Row, call: Call) -> str:
    if call.text("message"):
        return call.text("message")
    if kind == "cherry_pick":
        return f"{row['message']}\n\n(cherry picked from commit {row['id']})"
    return f'Revert "{row["title"]}"\n\nThis reverts commit {row["id"]}'


def _land(call: Call, repo: Repo, branch: str, head: str, result: str, message: str, origin: Row | None) -> Row:
    me = {"name": call.me["name"], "email": call.me["email"]}
    author = {"name": origin["author_name"], "email": origin["author_email"]} if origin else me
    new = repo.commit_tree(result, [head], message, author, me)
    if not call.flag("dry_run"):
        repo.move(f"refs/heads/{branch}", new, head)
        pushes.branch_moved(call.world, call.project, call.me, branch, head, new)
    return commits.one(call.world, call.project, new)


def snapshot(call: Call) -> Reply:
    """Return a packed copy of the repository."""
    return Reply(repo_of(call.world, call.project).run("bundle", "create", "-", "--all"), kind="application/x-tar")


BASE = "/projects/:id/repository"
FORMATS = ("tar.gz", "tar.bz2", "tbz", "tbz2", "tb2", "bz2", "tar", "zip")
ROUTES = [
    route(f"GET {BASE}/tree", tree, read=("read_repository",)),
    route(f"GET {BASE}/blobs/:sha", blob, read=("read_repository",)),
    route(f"GET {BASE}/blobs/:sha/raw", raw_blob, read=("read_repository",)),
    route(f"GET {BASE}/compare", compare, required=("from", "to")),
    route(f"GET {BASE}/merge_base", merge_base, required=("refs",)),
    route(f"GET {BASE}/contributors", contributors),
    route(f"GET {BASE}/archive", archive),
    *(route(f"GET {BASE}/archive.{kind}", _packed(kind)) for kind in FORMATS),
    route(f"GET {BASE}/tags", tags, job=True),
    route(f"POST {BASE}/tags", create_tag, role=DEVELOPER, required=("tag_name", "ref")),
    route(f"GET {BASE}/tags/:tag_name", lambda call: tag(call, call.params["tag_name"]), job=True),
    route(f"DELETE {BASE}/tags/:tag_name", delete_tag, role=DEVELOPER),
    route(f"POST {BASE}/commits/:sha/cherry_pick", _picking("cherry_pick"), role=DEVELOPER, required=("branch",)),
    route(f"POST {BASE}/commits/:sha/revert", _picking("revert"), role=DEVELOPER, required=("branch",)),
    route("GET /projects/:id/snapshot", snapshot, role=REPORTER, admin=True),
]
