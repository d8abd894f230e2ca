"""Commit messages of merges, from the project's templates (doc: Commit message templates)."""

from __future__ import annotations

import re

from tests.gitlab import access, commits
from tests.gitlab.git import repo_of
from tests.gitlab.state import Row, World

MERGE = (
    "Merge branch '%{source_branch}' into '%{target_branch}'\n\n%{title}\n\n%{issues}\n\nSee merge request %{reference}"
)
SQUASH = "%{title}"
VARIABLE = re.compile(r"%\{(\w+)\}")
CLOSES = re.compile(
    r"\b(clos(?:e|es|ed|ing)|fix(?:|es|ed|ing)|resolv(?:e|es|ed|ing)|implement(?:|s|ed|ing))\s+((?:#\d+(?:,\s*)?)+)",
    re.IGNORECASE,
)


def merge(world: World, project: Row, mr: Row, user: Row) -> str:
    """Return the message of the merge commit."""
    return fill(project["merge_commit_template"] or MERGE, values(world, project, mr, user))


def squash(world: World, project: Row, mr: Row, user: Row) -> str:
    """Return the message of the squash commit."""
    return fill(project["squash_commit_template"] or SQUASH, values(world, project, mr, user))


def fill(template: str, known: dict[str, str]) -> str:
    """Return the template with its variables; a line whose only content was an empty variable vanishes."""
    lines: list[str] = []
    for line in template.split("\n"):
        names = [name for name in VARIABLE.findall(line) if name in known]
        if names and VARIABLE.sub("", line).strip() == "" and not any(known[name] for name in names):
            if lines and lines[-1] == "":
                lines.pop()
            continue
        lines.append(VARIABLE.sub(lambda found: known.get(found[1], found[0]), line))
    return "\n".join(lines).strip("\n")


def _person(user: Row | None) -> str:
    return f"{user['name']} <{user['email']}>" if user else ""


def _trailers(name: str, people: list[Row]) -> str:
    return "\n".join(f"{name}: {_person(user)}" for user in people)


def values(world: World, project: Row, mr: Row, user: Row) -> dict[str, str]:
    """Return every template variable's text."""
    path = access.project_path(world, project)
    approvers = [world.the("users", row["user_id"]) for row in world.find("approvals", mr_id=mr["id"])]
    reviewers = [world.the("users", int(key)) for key, state in mr["review_states"].items() if state != "unreviewed"]
    rows = commits.read(repo_of(world, project), f"{mr['start_sha']}..{mr['head_sha']}")
    first = rows[-1]["message"] if rows else mr["title"]
    multi = next((row["message"] for row in reversed(rows) if "\n" in row["message"]), mr["title"])
    author = world.get("users", mr["author_id"])
    return {
        "source_branch": mr["source_branch"],
        "target_branch": mr["target_branch"],
        "title": mr["title"],
        "description": mr["description"] or "",
        "issues": closing(mr["description"] or ""),
        "reference": f"{path}!{mr['iid']}",
        "local_reference": f"!{mr['iid']}",
        "url": f"{world.address}/{path}/-/merge_requests/{mr['iid']}",
        "source_project_id": str(mr["source_project_id"]),
        "first_commit": first,
        "first_multiline_commit": multi,
        "first_multiline_commit_description": multi.partition("\n")[2].strip(),
        "all_commits": "\n\n".join(f"* {row['message']}" for row in rows),
        "approved_by": _trailers("Approved-by", approvers),
        "reviewed_by": _trailers("Reviewed-by", reviewers),
        "merged_by": _person(user),
        "merge_request_author": _person(author),
        "co_authored_by": _co_authors(rows, author),
    }


def closing(text: str) -> str:
    """Return the closing line of the issues a text closes, or nothing."""
    numbers = [number for found in CLOSES.finditer(text) for number in re.findall(r"#\d+", found[2])]
    if not numbers:
        return ""
    return "Closes " + (", ".join(numbers[:-1]) + " and " if numbers[1:] else "") + numbers[-1]


def _co_authors(rows: list[Row], author: Row | None) -> str:
    pairs = dict.fromkeys((row["author_name"], row["author_email"]) for row in rows)
    mine = (author or {}).get("email")
    return "\n".join(f"Co-authored-by: {name} <{email}>" for name, email in pairs if email != mine)
