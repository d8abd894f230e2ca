"""The server and the project as such: version, tier, where the project is."""

from __future__ import annotations

import re

from brain.protect.facts import Unseen
from brain.protect.item import Item, ok, unseen, wrong

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from brain.protect.facts import Facts

OLDEST = (15, 6)
"""The first version that says ``detailed_merge_status``."""


def plan_server(facts: Facts) -> Iterator[Item]:
    """Yield version, tier, and whether the project is where its name says and takes changes."""
    yield _version(facts)
    if isinstance(facts.tier, Unseen):
        yield unseen("tier", facts.tier, "it shows once there is a merge request")
    else:
        yield ok("tier", "Premium or Ultimate" if facts.is_paid else "Free")
    yield _project(facts)


def _version(facts: Facts) -> Item:
    found = re.match(r"(\d+)\.(\d+)", facts.version)
    if not found:
        return unseen("version", Unseen("GitLab does not tell it"))
    if (int(found[1]), int(found[2])) < OLDEST:
        wanted = f"{OLDEST[0]}.{OLDEST[1]} or newer"
        return wrong("version", facts.version, wanted, "Older ones do not say why a merge waits.", "update GitLab")
    return ok("version", facts.version)


def _project(facts: Facts) -> Item:
    project = facts.project
    if project.archived:
        why = "An archived project takes neither pushes nor merge requests."
        mend = "Settings → General → Advanced → Unarchive project; or point memory.repo to its successor"
        return wrong("project", f"{project.path} is archived", "not archived", why, mend)
    named = facts.want.project
    if named and not named.isdigit() and named.lower() != project.path.lower():
        why = "GitLab sends reading on to the new place; writing it refuses."
        mend = f"git remote set-url with the new path; gitlab.project = {project.path!r}, if it is set"
        return wrong("project", f"{named} moved to {project.path}", f"its new path {project.path}", why, mend)
    return ok("project", f"{project.path} ({project.url})")
