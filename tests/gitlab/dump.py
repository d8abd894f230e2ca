"""The whole state as text: projects, refs, merge requests. Tests compare it whole."""

from __future__ import annotations

from tests.gitlab import access, mergeability
from tests.gitlab.git import repo_of
from tests.gitlab.state import Row, World


def text(world: World, only: str = "") -> str:
    """Return all projects, or the one of that path, as text without hashes and times, so that runs compare equal."""
    parts = []
    for project in world.find("projects"):
        path = access.project_path(world, project)
        if only in {"", path, str(project["id"])}:
            parts.append(_project(world, project, path))
    return "\n".join(parts)


def _project(world: World, project: Row, path: str) -> str:
    repo = repo_of(world, project)
    lines = [f"project {path}" + (" (archived)" if project["archived"] else "")]
    for name, sha in repo.refs("refs/").items():
        if not name.startswith("refs/merge-requests/"):
            kind = repo.text("cat-file", "-t", sha)
            title = repo.text("log", "-1", "--format=%s", sha) if kind in {"commit", "tag"} else kind
            count = repo.text("rev-list", "--count", sha) if kind in {"commit", "tag"} else "-"
            lines.append(f"  {name} {count} {title}")
    for mr in world.find("merge_requests", project_id=project["id"]):
        lines += [f"  {line}" for line in _merge_request(world, mr)]
    return "\n".join(lines) + "\n"


def _merge_request(world: World, mr: Row) -> list[str]:
    def names(ids: list[int]) -> str:
        return " ".join(f"@{(world.get('users', key) or {'username': 'gone'})['username']}" for key in ids) or "-"

    approvals = [row["user_id"] for row in world.find("approvals", mr_id=mr["id"])]
    notes = world.rows("notes", noteable="MergeRequest", noteable_id=mr["id"], system=False)
    lines = [
        f"!{mr['iid']} {mr['state']} {mr['source_branch']} -> {mr['target_branch']} ({mergeability.detailed(world, mr)})",
        f"  title: {mr['title']}",
        f"  by {names([mr['author_id']])} assigned {names(mr['assignee_ids'])} review {names(mr['reviewer_ids'])}",
        f"  labels: {', '.join(mr['labels']) or '-'}  approved: {names(approvals)}",
        f"  versions: {len(world.rows('mr_versions', mr_id=mr['id']))}  notes: {len(notes)}",
    ]
    repo = repo_of(world, world.the("projects", mr["project_id"]))
    if mr["head_sha"]:
        lines += [
            f"  {line}"
            for line in repo.text("diff", "--name-status", "--no-renames", mr["base_sha"], mr["head_sha"]).splitlines()
        ]
    return lines
