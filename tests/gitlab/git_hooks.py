"""The server's side of git's hooks: what a push must obey, and what follows it."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from urllib.parse import quote

from tests.gitlab import access, faults, push_options, push_rules, pushes
from tests.gitlab.call import Call
from tests.gitlab.errors import forbidden
from tests.gitlab.git import ZERO, Repo, repo_of
from tests.gitlab.routes import MAINTAINER
from tests.gitlab.state import Row, World

NAMES = ("pre-receive", "update", "post-receive")
PROTECTED = "You are not allowed to push code to protected branches on this project."
FORCE = "You are not allowed to force push code to a protected branch on this project."
DELETE = "You can only delete protected branches using the web interface."
DEFAULT = "The default branch of a project cannot be deleted."
TAG = "You are not allowed to change existing tags on this project."
PROTECTED_TAG = "You are not allowed to create this tag as it is protected."


class RejectedError(Exception):
    """A push that must not be."""


def install(folder: Path) -> None:
    """Write the hooks that all repositories share."""
    folder.mkdir(parents=True, exist_ok=True)
    script = Path(__file__).parent / "hook_script.py"
    run = shlex.join([sys.executable, "-IS", str(script)])  # a first line #! takes no path with a space in it
    for name in NAMES:
        file = folder / name
        file.write_text(f'#!/bin/sh\nexec {run} "$0" "$@"\n')
        file.chmod(0o755)


def asked(call: Call) -> Row:
    """Answer a hook."""
    world, body = call.world, call.args
    if body.get("secret") != world.secret:
        raise forbidden()
    project = world.the("projects", int(body["project"]))
    user = world.the("users", int(body["user"]))
    updates = [(old, new, ref) for old, new, ref in body["updates"]]
    if body["hook"] == "post-receive":
        return {"ok": True, "text": received(world, project, user, updates, body)}
    repo = repo_of(world, project)
    repo.env = {name: value for name, value in body["env"].items() if name != "GIT_QUARANTINE_PATH"}
    try:
        if body["hook"] == "update":
            _update_fault(world, updates[0][2])
            return {"ok": True}
        for old, new, ref in updates:
            check(world, repo, project, user, old, new, ref)
    except RejectedError as no:
        return {"ok": False, "text": str(no)}
    return {"ok": True}


def _update_fault(world: World, ref: str) -> None:
    for row in world.find("faults", when="update"):
        if row["times"] > 0 and row["ref"] in {"", ref} and faults.take(world, "update"):
            raise RejectedError(row["text"])


def check(world: World, repo: Repo, project: Row, user: Row, old: str, new: str, ref: str) -> None:
    """Refuse an update that GitLab refuses.

    Raises:
        RejectedError: With GitLab's words.
    """
    fault = faults.take(world, "pre-receive")
    if fault:  # a custom hook's own words, which follow GL-HOOK-ERR:
        raise RejectedError(fault["text"])
    try:
        if ref.startswith("refs/heads/"):
            _branch(world, repo, project, user, old, new, ref.removeprefix("refs/heads/"))
        elif ref.startswith("refs/tags/"):
            _tag(world, project, user, old, new, ref.removeprefix("refs/tags/"))
        if world.paid and new != ZERO:
            wrong = push_rules.breach(world, repo, project, user, old, new, ref)
            if wrong:
                raise RejectedError(wrong)
    except RejectedError as no:
        raise RejectedError(f"GitLab: {no}") from None
    _move_head(world, project, ref)


def _branch(world: World, repo: Repo, project: Row, user: Row, old: str, new: str, branch: str) -> None:
    if project["empty"] and access.project_role(world, project, user) < MAINTAINER:
        path = access.project_path(world, project)
        raise RejectedError(f"\nA default branch (e.g. main) does not yet exist for {path}\nAsk a project Owner or Maintainer "
                       f"to create a default branch:\n\n  {world.address}/{path}/-/project_members\n")  # fmt: skip
    if new == ZERO and branch == project["default_branch"]:
        raise RejectedError(DEFAULT)
    if not access.protections(world, project, branch):
        return
    if new == ZERO:
        raise RejectedError(DELETE)
    if not access.can_push(world, project, user, branch):
        raise RejectedError(PROTECTED)
    if old != ZERO and not repo.is_ancestor(old, new) and not access.can_force(world, project, branch):
        raise RejectedError(FORCE)


def _tag(world: World, project: Row, user: Row, old: str, new: str, tag: str) -> None:
    role = access.project_role(world, project, user)
    if old != ZERO and role < MAINTAINER:
        raise RejectedError(TAG)
    for rule in world.find("protected_tags", project_id=project["id"]):
        if access.matches(rule["name"], tag):
            if new == ZERO:
                raise RejectedError("You can only delete protected tags using the web interface.")
            if all(
                level["access_level"] == 0 or role < level["access_level"] for level in rule["create_access_levels"]
            ):
                raise RejectedError(PROTECTED_TAG)


def _move_head(world: World, project: Row, ref: str) -> None:
    """The fault `head_moved`: someone else's commit lands after the check and before the update."""
    fault = faults.take(world, "head", "POST", ref)
    if fault:
        someone_pushes(world, project, ref.removeprefix("refs/heads/"))


def someone_pushes(world: World, project: Row, branch: str) -> str | None:
    """Commit a file to a branch in another's name, and return the commit."""
    from tests.gitlab import commits

    repo = repo_of(world, project)
    old = repo.head(branch)
    if old is None:
        return None
    other = world.the("users", 1)
    actions = [{"action": "create", "file_path": f"elsewhere-{world.next_iid('elsewhere', 0)}.txt", "content": "x\n"}]
    new = commits.write(world, project, other, branch, old, actions, "Someone else was here", old=old)
    pushes.branch_moved(world, project, other, branch, old, new)
    return new


def received(world: World, project: Row, user: Row, updates: list[tuple[str, str, str]], body: Row) -> str:
    """Do all that follows a push, and return what git prints to the pusher."""
    options, lines = push_options.parse(body["options"]), []
    job = body["kind"] == "job"
    for old, new, ref in updates:
        before, after = (None if sha == ZERO else sha for sha in (old, new))
        if ref.startswith("refs/heads/"):
            branch = ref.removeprefix("refs/heads/")
            pushes.branch_moved(world, project, user, branch, before, after, quiet="ci.skip" in options, job=job)
            if after:
                lines += _links(world, project, branch, push_options.apply(world, project, user, branch, options))
        elif ref.startswith("refs/tags/"):
            pushes.tag_moved(world, project, user, ref.removeprefix("refs/tags/"), before, after)
    if body["moved"]:
        lines += _moved(world, project, body["moved"])
    return "\n".join(lines)


def _links(world: World, project: Row, branch: str, warnings: list[str]) -> list[str]:
    from tests.gitlab.merge_requests import web_url

    if branch == project["default_branch"] or not project["printing_merge_request_link_enabled"]:
        return warnings
    found = world.one("merge_requests", source_project_id=project["id"], source_branch=branch, state="opened")
    if found:
        return [*warnings, "", f"View merge request for {branch}:", f"  {web_url(world, found)}", ""]
    base = f"{world.address}/{access.project_path(world, project)}/-/merge_requests/new"
    query = f"merge_request%5Bsource_branch%5D={quote(branch, safe='')}"
    return [*warnings, "", f"To create a merge request for {branch}, visit:", f"  {base}?{query}", ""]


def _moved(world: World, project: Row, old: str) -> list[str]:
    new = access.project_path(world, project)
    return ["", f"Project '{old}' was moved to '{new}'.", "", "Please update your Git remote:", "",
            f"  git remote set-url origin {world.address}/{new}.git", ""]  # fmt: skip
