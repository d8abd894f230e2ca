"""`git push -o merge_request.create …`: merge requests opened and changed by a push."""

from __future__ import annotations

from tests.gitlab import errors, events, labels, merge_requests
from tests.gitlab.git import repo_of
from tests.gitlab.state import Row, World

MANY = ("label", "unlabel", "assign", "unassign")


def parse(options: list[str]) -> dict[str, list[str]]:
    """Return option names (the short `mr.` as `merge_request.`) to their values."""
    found: dict[str, list[str]] = {}
    for option in options:
        name, _, value = option.partition("=")
        if name.startswith("mr."):
            name = "merge_request." + name[3:]
        found.setdefault(name, []).append(value)
    return found


def apply(world: World, project: Row, user: Row, branch: str, options: dict[str, list[str]]) -> list[str]:
    """Open or change the branch's merge request as the options say; return the warnings git prints."""
    given = {name.split(".", 1)[1]: values for name, values in options.items() if name.startswith("merge_request.")}
    if not given:
        return []
    target = given.get("target", [project["default_branch"]])[-1]
    found = merge_requests.open_one(world, project, project, branch, target)
    try:
        if found is None:
            if "create" not in given:
                return _warn(
                    f"Error encountered with push options: A merge_request.create push option is required to create a merge request for branch {branch}"
                )
            found = _open(world, project, user, branch, target, given)
        _change(world, project, user, found, given)
    except errors.ApiError as error:
        return _warn(f"Error encountered with push options: {error.body.get('message', error.body)}")
    return []


def _warn(text: str) -> list[str]:
    return ["", "WARNINGS:", text, ""]


def _open(world: World, project: Row, user: Row, branch: str, target: str, given: dict[str, list[str]]) -> Row:
    merge_requests.check_branches(world, project, project, branch, target)
    message = repo_of(world, project).text("log", "-1", "--format=%B", f"refs/heads/{branch}")
    title, _, rest = message.partition("\n")
    fields = {
        "title": title.strip() or branch,
        "description": rest.strip(),
        "source_branch": branch,
        "target_branch": target,
    }
    return merge_requests.open_mr(world, project, project, user, fields | _fields(given), given.get("label"))


def _fields(given: dict[str, list[str]]) -> Row:
    fields: Row = {name: given[name][-1] for name in ("title", "description") if name in given}
    for option, field in (("remove_source_branch", "remove_source_branch"), ("squash", "squash")):
        if option in given:
            fields[field] = given[option][-1] not in {"false", "0"}
    return fields


def _change(world: World, project: Row, user: Row, mr: Row, given: dict[str, list[str]]) -> None:
    mr.update(_fields(given))
    if "draft" in given and not merge_requests.is_draft(mr):
        mr["title"] = f"Draft: {mr['title']}"
    names = [*mr["labels"], *given.get("label", [])]
    names = [name for name in names if name not in given.get("unlabel", [])]
    if names != mr["labels"]:
        labels.put_on(world, project, mr, names, user)
    people = [
        row["id"]
        for row in world.find("users")
        if {row["username"], f"@{row['username']}", str(row["id"])} & set(given.get("assign", []))
    ]
    if people:
        mr["assignee_ids"] = merge_requests.people(world, project, people)
    milestone = world.one(
        "milestones", source="project", source_id=project["id"], title=given.get("milestone", [""])[-1]
    )
    if milestone:
        mr["milestone_id"] = milestone["id"]
    if "auto_merge" in given or "merge_when_pipeline_succeeds" in given:
        mr["auto_merge"] = {"squash": None, "squash_commit_message": "", "merge_commit_message": "",
                            "should_remove_source_branch": None, "user_id": user["id"]}  # fmt: skip
    if set(given) - {"create"}:
        events.merge_request(world, mr, user, "update", {})
