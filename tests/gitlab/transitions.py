"""Closing and reopening merge requests."""

from __future__ import annotations

from tests.gitlab import errors, events, mergeability, versions
from tests.gitlab.call import Call


def change_state(call: Call, event: str) -> None:
    """Close or reopen; asking for the state it has changes nothing.

    Raises:
        ApiError: The merge request cannot get there.
    """
    mr, world = call.mr, call.world
    if event == "close" and mr["state"] == "opened":
        mr |= {"state": "closed", "closed_at": world.now(), "closed_by_id": call.me["id"], "auto_merge": None}
        _tell(call, "close", [1, 2], "closed")
    elif event == "reopen" and mr["state"] == "closed":
        _check_reopen(call)
        mr |= {"state": "opened", "closed_at": None, "closed_by_id": None}
        if versions.source_head(world, mr) != mr["head_sha"]:
            versions.add(world, mr)
        mergeability.start(world, mr)
        _tell(call, "reopen", [2, 1], "reopened")
    elif event == "reopen" and mr["state"] == "merged":
        raise errors.refused(base=["Cannot reopen a merged merge request"])


def _check_reopen(call: Call) -> None:
    from tests.gitlab.merge_requests import open_one, reference

    mr, world = call.mr, call.world
    if versions.source_head(world, mr) is None:
        raise errors.unprocessable([f'Source branch "{mr["source_branch"]}" does not exist'])
    source = world.the("projects", mr["source_project_id"])
    other = open_one(world, source, call.project, mr["source_branch"], mr["target_branch"])
    if other:
        raise errors.conflict([f"Another open merge request already exists for this source branch: {reference(other)}"])


def _tell(call: Call, action: str, states: list[int], event: str) -> None:
    call.mr["updated_at"] = call.world.now()
    events.resource(call.world, call.mr, call.me, "state", state=event)
    events.system_note(call.world, call.mr, call.me, event)
    events.merge_request(call.world, call.mr, call.me, action, {"state_id": states})
