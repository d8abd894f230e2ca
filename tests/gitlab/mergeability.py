"""Can it be merged: computed some time after it was asked, as GitLab does."""

from __future__ import annotations

from typing import Any

from tests.gitlab.git import repo_of
from tests.gitlab.state import Row, World


def start(world: World, mr: Row) -> None:
    """Begin a check, as GitLab does by itself after a merge request is made."""
    mr["check"] = {"since": world.now(), "gets": 0, "fresh": True}
    mr["verdict"] = None


def forget(world: World, mr: Row) -> None:
    """Forget the last verdict: a push moved a side. Nothing starts until someone asks."""
    mr["check"] = {"since": None, "gets": 0, "fresh": False}
    mr["verdict"] = None


def observe(world: World, mr: Row) -> None:
    """Count a GET of the one merge request; the first one starts the check."""
    check = mr["check"]
    if mr["verdict"] is None and mr["state"] == "opened":
        check["gets"] += 1
        if check["since"] is None:
            check["since"] = world.now()
        world.dirty = True
    settle(world, mr)


def settle(world: World, mr: Row) -> None:
    """Compute the verdict when the check has run long enough."""
    check, settings = mr["check"], world.settings
    if mr["verdict"] is not None or check["since"] is None or mr["state"] != "opened":
        return
    asked = check["gets"] > settings["settle_gets"]
    if asked or world.now() - check["since"] >= settings["settle_seconds"]:
        mr["verdict"] = merges(world, mr)
        world.dirty = True


def merges(world: World, mr: Row) -> bool:
    """Return whether the branches merge without a conflict."""
    repo = repo_of(world, world.the("projects", mr["project_id"]))
    target = repo.head(mr["target_branch"])
    return bool(target and mr["head_sha"] and repo.merge_tree(target, mr["head_sha"]) is not None)


def known_conflict(world: World, mr: Row) -> bool:
    """Return whether the last verdict was a conflict."""
    return mr["verdict"] is False


def merge_status(world: World, mr: Row) -> str:
    """Return the old status: unchecked, checking, can_be_merged or cannot_be_merged."""
    if mr["state"] == "opened":
        settle(world, mr)
    if mr["verdict"] is None:
        if mr["state"] != "opened":
            return "can_be_merged" if mr["state"] == "merged" else "unchecked"
        return "unchecked" if mr["check"]["since"] is None else "checking"
    return "can_be_merged" if mr["verdict"] else "cannot_be_merged"


def detailed(world: World, mr: Row) -> str:
    """Return the detailed status; the first reason against merging, in GitLab's order."""
    if mr["state"] != "opened":
        return "not_open"
    old = merge_status(world, mr)
    if old in {"unchecked", "checking"}:
        return "preparing" if mr["check"]["fresh"] and mr["check"]["gets"] == 0 else old
    return next((reason for reason, holds in REASONS.items() if holds(world, mr)), "mergeable")


def _no_commits(world: World, mr: Row) -> bool:
    from tests.gitlab.versions import source_head

    return source_head(world, mr) is None or mr["head_sha"] == mr["base_sha"]


def _draft(_: World, mr: Row) -> bool:
    from tests.gitlab.merge_requests import is_draft

    return is_draft(mr)


def discussions_resolved(world: World, mr: Row) -> bool:
    """Return whether no resolvable note is open."""
    notes = world.find("notes", noteable="MergeRequest", noteable_id=mr["id"])
    return all(note["resolved"] or not note["resolvable"] for note in notes)


def _open_discussions(world: World, mr: Row) -> bool:
    project = world.the("projects", mr["project_id"])
    return project["only_allow_merge_if_all_discussions_are_resolved"] and not discussions_resolved(world, mr)


def _unapproved(world: World, mr: Row) -> bool:
    from tests.gitlab.approvals import satisfied

    return world.paid and not satisfied(world, mr)


def _changes_asked(world: World, mr: Row) -> bool:
    return world.paid and "requested_changes" in mr["review_states"].values()


def _checks_open(world: World, mr: Row) -> bool:
    from tests.gitlab.status_checks import blocks

    return blocks(world, mr)


def _behind(world: World, mr: Row) -> bool:
    project = world.the("projects", mr["project_id"])
    if project["merge_method"] == "merge":
        return False
    repo = repo_of(world, project)
    target = repo.head(mr["target_branch"])
    return target is not None and not repo.is_ancestor(target, mr["head_sha"])


def pipeline_verdict(world: World, mr: Row) -> str | None:
    """Return why the pipeline stops the merge, or None: nothing demands one, or it succeeded."""
    from tests.gitlab.pipelines import head_pipeline

    project = world.the("projects", mr["project_id"])
    if not project["only_allow_merge_if_pipeline_succeeds"]:
        return None
    pipeline = head_pipeline(world, mr)
    if pipeline is None:
        return "ci_must_pass"
    if pipeline["status"] == "success":
        return None
    if pipeline["status"] == "skipped":
        return None if project["allow_merge_on_skipped_pipeline"] else "ci_must_pass"
    running = {"created", "pending", "running", "preparing", "waiting_for_resource", "scheduled"}
    return "ci_still_running" if pipeline["status"] in running else "ci_must_pass"


REASONS: dict[str, Any] = {
    "commits_status": _no_commits,
    "draft_status": _draft,
    "discussions_not_resolved": _open_discussions,
    "approvals_syncing": lambda _, mr: mr["syncing"],
    "not_approved": _unapproved,
    "requested_changes": _changes_asked,
    "status_checks_must_pass": _checks_open,
    "conflict": lambda _, mr: mr["verdict"] is False,
    "need_rebase": _behind,
    "ci_still_running": lambda world, mr: pipeline_verdict(world, mr) == "ci_still_running",
    "ci_must_pass": lambda world, mr: pipeline_verdict(world, mr) == "ci_must_pass",
}


def squashes(project: Row, mr: Row, asked: bool | None) -> bool:
    """Return whether a merge squashes: the project's always and never win over what was asked."""
    option = project["squash_option"]
    if option in {"always", "never"}:
        return bool(option == "always")
    return bool(mr["squash"] if asked is None else asked)
