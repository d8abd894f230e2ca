"""The files on the default branch that GitLab reads: CI, template, code owners. They come by a merge request."""

from __future__ import annotations

import re

from brain.layout import INDEX_FILE
from brain.protect.facts import Unseen
from brain.protect.gather import JOBS, SETUP_BRANCH
from brain.protect.item import Change, Item, ok, unseen, wrong
from brain.scaffold import CI_FILE, CI_JOBS, CODEOWNERS, CODEOWNERS_PLACES, TEMPLATE, skeleton
from brain.submit.plan import REVIEWERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from brain.protect.facts import Facts

USERNAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")
EXCLUSIONS = (17, 10)
"""The version from which on CODEOWNERS knows ``!path``."""
TITLE = "Add what GitLab reads for the project memory"
ABOUT = "Proposed by `brain gitlab setup`, which says of each setting what it is for. No memory is changed."
BRINGS = {
    CI_JOBS: "the jobs that judge proposals and make approved memories official",
    CI_FILE: "makes GitLab run those jobs",
    TEMPLATE: "the PM's checklist, for merge requests that people open by hand",
    **dict.fromkeys(CODEOWNERS_PLACES, "asks the PM about each change of a memory"),
}


def plan_files(facts: Facts) -> Iterator[Item]:
    """Yield CI include, template and code owners; what is missing is brought by one merge request."""
    if isinstance(facts.files, Unseen):
        yield from (unseen(name, facts.files) for name in ("CI include", "merge request template", "CODEOWNERS"))
        return
    changes = _changes(facts, facts.files)
    waiting = f"merge !{facts.request}, which brings it" if facts.request else ""
    yield _config(facts, facts.files, changes, waiting)
    why = "People who open a merge request by hand get the PM's checklist; brain submit fills in its own text."
    if TEMPLATE in facts.files:
        yield ok("merge request template", TEMPLATE, why)
    else:
        mend = waiting or f"brain init writes {TEMPLATE}; merge it"
        yield wrong("merge request template", "missing", TEMPLATE, why, mend, *changes)
    yield from _code_owners(facts, facts.files, changes, waiting)


def _config(facts: Facts, files: Mapping[str, str], changes: tuple[Change, ...], waiting: str) -> Item:
    name, why = "CI include", f"Its jobs check memories, make them official, repair what got lost: {', '.join(JOBS)}."
    if isinstance(facts.ci, Unseen):
        return unseen(name, facts.ci)
    missing = [job for job in JOBS if job not in facts.ci.jobs]
    if not missing and facts.ci.idle:
        mend = f"name the wheel as package in {CI_FILE} (docs/tl.md, step 2); merge that into {facts.branch}"
        found = "the input package is empty, so every job stops"
        return wrong(name, found, "the wheel that the jobs install", why, mend)
    if not missing:
        return ok(name, ", ".join(facts.ci.jobs), why)
    if CI_FILE not in files:
        mend = waiting or f"brain init writes {CI_FILE}; merge it into {facts.branch}"
        return wrong(name, f"{facts.branch} has no {CI_FILE}", "our jobs are in it", why, mend, *changes)
    found = f"{CI_FILE} has no {', '.join(missing)}"
    mend = f"brain init says what to add to {CI_FILE}; merge that into {facts.branch}"
    if facts.ci.jobs and CI_JOBS in files:
        found = f"{CI_JOBS} has no {', '.join(missing)}"
        mend = f"delete {CI_JOBS}, run brain init, which writes it anew; merge that into {facts.branch}"
    if facts.ci.error:
        found, mend = f"{CI_FILE} is not valid: {facts.ci.error}", f"mend it; then {mend}"
    return wrong(name, found, "our jobs are in it", why, mend)


def _code_owners(facts: Facts, files: Mapping[str, str], changes: tuple[Change, ...], waiting: str) -> Iterator[Item]:
    """Yield the code owners' file on Premium; Free reads none."""
    if not facts.is_paid:
        return
    name, why = (
        "CODEOWNERS",
        (
            "It names the PM as owner of the memories, so that GitLab shows it. The index is generated: owned, every"
            " rebuilding of it would ask for an approval."
        ),
    )
    wanted = owners_text(facts)
    if not wanted:
        mend = "name the PM in brain.toml, people.pm"
        yield wrong(name, "no PM is named", "the PM owns the memories", why, mend)
        return
    place = next((path for path in CODEOWNERS_PLACES if path in files), "")
    if place and _owns(files[place], facts):
        yield ok(name, place, why)
    elif place and not _is_idle(files[place]):
        lines = _on_one_line(wanted)
        yield wrong(name, f"{place} says nothing of /{facts.want.root}/", "the PM owns the memories, nobody the index",
                    why, f"add to {place}: {lines}")  # fmt: skip
    else:
        found = f"{place} holds comments alone" if place else "missing"
        mend = waiting or f"merge a {place or CODEOWNERS} that says: {_on_one_line(wanted)}"
        yield wrong(name, found, "the PM owns the memories, nobody the index", why, mend, *changes)


def owners_text(facts: Facts) -> str:
    """Return a CODEOWNERS file; "" where no PM has a name that may stand in one."""
    names = [f"@{name}" for name in _valid(facts, "pm")]
    if not names:
        return ""
    root = facts.want.root.replace(" ", "\\ ")
    found = re.match(r"(\d+)\.(\d+)", facts.version)
    old = found and (int(found[1]), int(found[2])) < EXCLUSIONS
    index = f"/{root}/{INDEX_FILE}" if old else f"!/{root}/{INDEX_FILE}"
    return (
        "# Who must approve changes of memories; the generated index belongs to nobody.\n"
        f"[Memory]\n/{root}/ {' '.join(names)}\n{index}\n" + _consulted(facts, root)
    )


def _consulted(facts: Facts, root: str) -> str:
    """Return a section that names whom to ask about what, and blocks nothing."""
    lines = []
    for area, roles in sorted(REVIEWERS.items()):
        names = dict.fromkeys(f"@{name}" for role in roles for name in _valid(facts, role))
        lines += [f"/{root}/{area}/ {' '.join(names)}\n"] if names else []
    return "\n^[Memory consulted]\n" + "".join(lines) if lines else ""


def _valid(facts: Facts, role: str) -> list[str]:
    """Return a role's usernames, less what could not be one and would say something else in the file."""
    return [name for name in facts.want.people.get(role, ()) if USERNAME.fullmatch(name)]


def _owns(text: str, facts: Facts) -> bool:
    """Say whether a file gives the memories to a PM, and the index to nobody."""
    root = facts.want.root.replace(" ", "\\ ")
    pms = {f"@{name.lower()}" for name in facts.want.people.get("pm", ())}
    owned = index_free = False
    for line in text.splitlines():
        path, *owners = re.split(r"(?<!\\)\s+", line.strip())
        if path.rstrip("*") in (f"/{root}/", f"{root}/"):
            owned = bool(pms & {owner.lower() for owner in owners})
        elif path.removeprefix("!").strip("/") == f"{root}/{INDEX_FILE}":
            index_free = not owners
    return owned and index_free


def _on_one_line(text: str) -> str:
    return " / ".join(line for line in text.splitlines()[1:] if line)


def _is_idle(text: str) -> bool:
    return all(not line.strip() or line.lstrip().startswith("#") for line in text.splitlines())


def _changes(facts: Facts, files: Mapping[str, str]) -> tuple[Change, ...]:
    """Return the commit and the merge request that bring what is missing; none where one is open already."""
    if facts.request:
        return ()
    made = skeleton(facts.want.root)
    ours = (TEMPLATE, CI_JOBS, CI_FILE) if CI_FILE not in files else (TEMPLATE,)  # a team's own pipeline is its own
    new = {path: made[path] for path in ours if path not in files}
    place = next((path for path in CODEOWNERS_PLACES if path in files), "")
    if facts.is_paid and owners_text(facts) and (not place or _is_idle(files[place])):
        new[place or CODEOWNERS] = owners_text(facts)
    if not new:
        return ()
    actions = [{"action": "update" if path in files else "create", "file_path": path, "content": text}
               for path, text in sorted(new.items())]  # fmt: skip
    commit = {"branch": SETUP_BRANCH, "start_branch": facts.branch, "force": True, "commit_message": TITLE,
              "actions": actions}  # fmt: skip
    about = "\n".join([ABOUT, "", *(f"- `{path}`: {BRINGS[path]}" for path in sorted(new))])
    request = {"source_branch": SETUP_BRANCH, "target_branch": facts.branch, "title": TITLE, "description": about,
               "remove_source_branch": True}  # fmt: skip
    return (
        Change(f"commit {', '.join(sorted(new))} on the branch {SETUP_BRANCH}", "post", "/repository/commits", commit),
        Change(f"open the merge request {TITLE!r}", "post", "/merge_requests", request),
    )
