"""CODEOWNERS on paid tiers: sections, last match wins, exclusions, optional sections (doc: Code Owners)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from tests.gitlab import access
from tests.gitlab.git import repo_of
from tests.gitlab.state import Row, World

PLACES = ("CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS")
SECTION = re.compile(r"^(\^)?\[([^\]]+)\](?:\[(\d+)\])?\s*(.*)$")


@dataclass
class Section:
    """A part of the file, judged apart."""

    name: str
    optional: bool = False
    required: int = 1
    entries: list[tuple[str, list[str]]] = field(default_factory=list)
    defaults: list[str] = field(default_factory=list)

    def owners(self, path: str) -> tuple[str, list[str]] | None:
        """Return pattern and owners of a path: the last line that matches, unless one excludes it."""
        found = None
        for pattern, people in self.entries:
            if pattern.startswith("!"):
                if matches(pattern[1:], path):
                    return None
            elif matches(pattern, path):
                found = pattern, people or self.defaults
        return found


def parse(text: str) -> list[Section]:
    """Return the file's sections; equal names are one, and required wins over optional."""
    sections = [Section("codeowners")]
    for raw in text.splitlines():
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        head = SECTION.match(line)
        if head:
            sections.append(_section(sections, head))
        else:
            words = re.split(r"(?<!\\)\s+", line)
            sections[-1].entries.append((words[0].replace("\\ ", " "), words[1:]))
    return list({id(section): section for section in sections}.values())


def _section(sections: list[Section], head: re.Match[str]) -> Section:
    known = next((one for one in sections if one.name.lower() == head[2].lower()), None)
    section = known or Section(head[2], optional=bool(head[1]), required=int(head[3] or 1))
    if known:
        known.optional = known.optional and bool(head[1])
    section.defaults = head[4].split() or section.defaults
    return section


def matches(pattern: str, path: str) -> bool:
    """Return whether a pattern covers a path, as Ruby's File.fnmatch with PATHNAME and DOTMATCH."""
    text = pattern if pattern.startswith("/") else f"/**/{pattern}"
    if text.endswith("/"):
        text += "**/*"
    expression = ""
    index = 0
    while index < len(text):
        if text.startswith("**/", index):
            expression, index = expression + "(?:[^/]+/)*", index + 3
        elif text[index] == "*":
            expression, index = expression + "[^/]*", index + 1
        elif text[index] == "?":
            expression, index = expression + "[^/]", index + 1
        else:
            expression, index = expression + re.escape(text[index]), index + 1
    return re.fullmatch(expression, f"/{path}", re.DOTALL) is not None


def _text(world: World, mr: Row) -> str | None:
    repo = repo_of(world, world.the("projects", mr["project_id"]))
    for place in PLACES:
        found = repo.blob(f"refs/heads/{mr['target_branch']}", place)
        if found is not None:
            return found.decode(errors="replace")
    return None


def _people(world: World, project: Row, names: list[str]) -> list[int]:
    ids: list[int] = []
    for name in names:
        if name.startswith("@@"):
            level = access.bound_role(name[2:])
            ids += [row["id"] for row in access.members_with_role(world, project, level)]
        elif name.startswith("@"):
            user = world.one("users", username=name[1:])
            ids += [user["id"]] if user else _team(world, name[1:])
        else:
            user = world.one("users", email=name)
            ids += [user["id"]] if user else []
    users = [world.the("users", key) for key in dict.fromkeys(ids)]
    return [user["id"] for user in users if access.project_role(world, project, user) >= 30]


def _team(world: World, path: str) -> list[int]:
    for group in world.find("namespaces", kind="group"):
        if access.full_path(world, group) == path:
            return [row["user_id"] for row in world.find("members", source="group", source_id=group["id"])]
    return []


def _touched(world: World, mr: Row, paths: list[str]) -> list[tuple[Section, str, list[int]]]:
    text = _text(world, mr) if world.paid else None
    if text is None:
        return []
    project = world.the("projects", mr["project_id"])
    rows: dict[tuple[str, str], tuple[Section, str, list[int]]] = {}
    for section in parse(text):
        for path in paths:
            found = section.owners(path)
            if found:
                rows[section.name, found[0]] = section, found[0], _people(world, project, found[1])
    return list(rows.values())


def rules(world: World, mr: Row) -> list[Row]:
    """Return one rule for each section and pattern the merge request touches; negative ids keep them apart."""
    if not mr["base_sha"] or not world.paid or _text(world, mr) is None:
        return []
    project = world.the("projects", mr["project_id"])
    paths = repo_of(world, project).changed(mr["base_sha"], mr["head_sha"])
    blocks = access.needs_owners(world, project, mr["target_branch"])
    rows = []
    for number, (section, pattern, ids) in enumerate(_touched(world, mr, paths), 1):
        required = 0 if section.optional or not blocks else section.required
        rows.append({"id": -number, "name": pattern, "rule_type": "code_owner", "section": section.name, "user_ids": ids,
                     "group_ids": [], "approvals_required": required, "blocks": blocks and not section.optional,
                     "source_rule": None})  # fmt: skip
    return rows


def people_of(world: World, mr: Row, paths: list[str]) -> set[int]:
    """Return the owners of changed paths."""
    return {key for _, _, ids in _touched(world, mr, paths) for key in ids}
