"""Files of a repository, one at a time."""

from __future__ import annotations

import base64
import hashlib
from typing import Any

from tests.gitlab import access, commits, errors, pushes
from tests.gitlab.call import Call, Reply
from tests.gitlab.git import Repo, repo_of
from tests.gitlab.routes import DEVELOPER, route
from tests.gitlab.state import Row

NEEDED = ("branch", "commit_message")


def _at(call: Call) -> tuple[Repo, str, str, bytes]:
    """Return repository, ref, commit and content of the file a path names."""
    repo = repo_of(call.world, call.project)
    ref = call.text("ref", "HEAD")
    if ref == "HEAD":
        ref = call.project["default_branch"]
    commit = repo.commit(ref)
    if commit is None:
        raise errors.not_found("Commit")
    content = repo.blob(commit, call.params["file_path"])
    if content is None:
        raise errors.not_found("File")
    return repo, ref, commit, content


def _facts(call: Call) -> tuple[Row, bytes]:
    repo, ref, commit, content = _at(call)
    path = call.params["file_path"]
    return {
        "file_name": path.rsplit("/", 1)[-1],
        "file_path": path,
        "size": len(content),
        "encoding": "base64",
        "content_sha256": hashlib.sha256(content).hexdigest(),
        "ref": ref,
        "blob_id": repo.text("rev-parse", f"{commit}:{path}"),
        "commit_id": commit,
        "last_commit_id": commits.last_commit(repo, commit, path),
        "execute_filemode": repo.text("ls-tree", commit, "--", path).startswith("100755"),
    }, content


def _headers(facts: Row) -> dict[str, str]:
    def named(name: str) -> str:
        return "X-Gitlab-" + "-".join(part.title() for part in name.split("_"))

    headers = {
        named(name): str(value).lower() if isinstance(value, bool) else str(value) for name, value in facts.items()
    }
    headers["X-Gitlab-Content-Sha256"] = facts["content_sha256"]
    return headers | {"ETag": f'W/"{facts["blob_id"]}"'}


def show(call: Call) -> Reply:
    """Return a file with its content in base64."""
    facts, content = _facts(call)
    return Reply({**facts, "content": base64.b64encode(content).decode()}, headers=_headers(facts))


def raw(call: Call) -> Reply:
    """Return a file's bytes; 304 when the caller has them."""
    facts, content = _facts(call)
    headers = _headers(facts) | {"content-disposition": f'inline; filename="{facts["file_name"]}"'}
    if call.headers.get("if-none-match") == headers["ETag"]:
        return Reply(status=304, headers={"ETag": headers["ETag"]})
    return Reply(content, headers=headers, kind="text/plain; charset=utf-8")


def blame(call: Call) -> list[Row]:
    """Return who wrote which lines."""
    repo, _, commit, _ = _at(call)
    text = repo.text("blame", "--line-porcelain", commit, "--", call.params["file_path"])
    groups: list[Row] = []
    sha = ""
    for line in text.split("\n"):
        if line.startswith("\t"):
            if not groups or groups[-1]["commit"]["id"] != sha:
                row = commits.read(repo, "-1", sha)[0]
                names = ("id", "parent_ids", "message", "authored_date", "author_name", "author_email",
                         "committed_date", "committer_name", "committer_email")  # fmt: skip
                groups.append({"commit": {name: row[name] for name in names}, "lines": []})
            groups[-1]["lines"].append(line[1:])
        elif len(line.split(" ")[0]) == 40:
            sha = line.split(" ")[0]
    return groups


def _writing(kind: str) -> Any:
    def run(call: Call) -> Row | None:
        world, project, branch = call.world, call.project, call.text("branch")
        if not branch:
            raise errors.missing("branch")
        repo = repo_of(world, project)
        if not access.can_push(world, project, call.user, branch):
            raise errors.told(400, "You are not allowed to push into this branch")
        old = repo.head(branch)
        start = old
        if old is None and call.text("start_branch"):
            start = repo.commit(call.text("start_branch"))
        if start is None and not project["empty"]:
            raise errors.told(400, "You can only create or edit files when you are on a branch")
        action = {**call.args, "action": kind, "file_path": call.params["file_path"]}
        who = {"author_name": call.text("author_name"), "author_email": call.text("author_email")}
        sha = commits.write(
            world, project, call.me, branch, start, [action], call.text("commit_message"), **who, old=old
        )
        pushes.branch_moved(world, project, call.me, branch, old, sha)
        return None if kind == "delete" else {"file_path": call.params["file_path"], "branch": branch}

    return run


FILE = "/projects/:id/repository/files/:file_path"
ROUTES = [
    route(f"GET {FILE}", show, job=True, read=("read_repository",)),
    route(f"POST {FILE}", _writing("create"), role=DEVELOPER, required=(*NEEDED, "content")),
    route(f"PUT {FILE}", _writing("update"), role=DEVELOPER, required=(*NEEDED, "content")),
    route(f"DELETE {FILE}", _writing("delete"), role=DEVELOPER, required=NEEDED),
    route(f"GET {FILE}/raw", raw, job=True, read=("read_repository",)),
    route(f"GET {FILE}/blame", blame, read=("read_repository",)),
]
