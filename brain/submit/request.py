"""One merge request for a branch: opened, or brought up to date where it differs (facts.md §5)."""

from __future__ import annotations

from brain.submit.body import END, START, key_in, replace_ours, with_consulted
from brain.submit.plan import LABEL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from brain.forge.gitlab import GitLab
    from brain.forge.values import MergeRequest
    from brain.submit.journal import Texts
    from brain.submit.plan import Plan

ONE_REVIEWER = "one_reviewer"
"""What is remembered of a server: that it keeps one reviewer (Free)."""
DRAFT = "Draft: "
OWN = (
    "warning: @{name} opened it and is the only PM: nobody can approve it, and merged all the same it is not final;"
    " name a deputy in brain.toml, people.pm, by a merge request that somebody else opens"
)


def open_request(gitlab: GitLab, branch: str, target: str, texts: Texts) -> tuple[MergeRequest, list[str]]:
    """Return the branch's merge request as it is to be, and remarks.

    Raises:
        ForgeError: GitLab said no, or did not answer.
    """
    remarks: list[str] = []
    assignee = _ids(gitlab, (texts.assignee,) if texts.assignee else (), remarks)
    reviewers = _ids(gitlab, texts.reviewers, remarks)
    one = gitlab.facts.read(ONE_REVIEWER, bool) is True
    request = gitlab.find_open(branch)
    if request is None:
        asked = list(reviewers.values())[: 1 if one else None]
        description = _description(texts, texts.reviewers[: 1 if one else None])
        fields = {
            "title": texts.title, "description": description, "labels": LABEL,
            "assignee_ids": list(assignee.values()), "reviewer_ids": asked, "remove_source_branch": True,
        }  # fmt: skip
        request = gitlab.create_merge_request(branch, target, fields)
        one = _learn(gitlab, request, len(asked), one=one)
    changes = _changes(request, texts, assignee, reviewers, one=one)
    if changes:
        request = gitlab.update_merge_request(request.iid, changes)
        if _learn(gitlab, request, len(changes.get("reviewer_ids", ())), one=one) != one:
            words = _changes(request, texts, assignee, reviewers, one=True)
            request = gitlab.update_merge_request(request.iid, words) if words else request
    if texts.assignee and texts.assignee.lower() == request.author.username.lower():
        remarks.append(OWN.format(name=request.author.username))
    return request, remarks


def _learn(gitlab: GitLab, request: MergeRequest, asked: int, *, one: bool) -> bool:
    """Return whether the server keeps one reviewer only, as its answer shows, and remember it."""
    kept = len(request.reviewers)
    found = kept == 1 if asked > 1 else one and kept <= 1
    if found != one:
        gitlab.facts.write(ONE_REVIEWER, found)
    return found


def _ids(gitlab: GitLab, names: tuple[str, ...], remarks: list[str]) -> dict[str, int]:
    """Return username → number of those who exist."""
    found = {name: gitlab.user_id(name) for name in names}
    remarks += [f"warning: people: GitLab has no user {name!r}" for name, number in found.items() if not number]
    return {name: number for name, number in found.items() if number}


def _description(texts: Texts, kept: Sequence[str]) -> str:
    """Return the description; it mentions those who are to be consulted and are no reviewers."""
    return with_consulted(texts.description, texts.consult, _others(texts, kept))


def _others(texts: Texts, kept: Sequence[str]) -> list[str]:
    return [name for name in texts.reviewers if name not in kept]


def _changes(
    request: MergeRequest, texts: Texts, assignee: dict[str, int], reviewers: dict[str, int], *, one: bool
) -> dict[str, Any]:
    """Return what differs from what is wanted; what people changed meanwhile stays, but for our own part."""
    changes: dict[str, Any] = {}
    kept = [person.username for person in request.reviewers] if one else texts.reviewers
    kept = kept or texts.reviewers[:1]
    wanted = _description(texts, kept)
    if key_in(request.description) != texts.key:
        changes["title"] = texts.title
        changes["description"] = replace_ours(request.description, wanted)
    elif not all(f"@{name}" in request.description for name in _others(texts, kept)):
        stale = request.description.replace(f"key={texts.key}", "key=0", 1)
        changes["description"] = replace_ours(stale, wanted)
    if request.title == DRAFT + texts.title:
        changes["title"] = texts.title
    if LABEL not in request.labels:
        changes["add_labels"] = LABEL
    if assignee and not request.assignees:
        changes["assignee_ids"] = list(assignee.values())
    there = [person.id for person in request.reviewers]
    missing = [number for number in reviewers.values() if number not in there]
    if missing and not (one and there):
        changes["reviewer_ids"] = [*there, *missing][: 1 if one else None]
    return changes


def push_options(plan: Plan) -> tuple[str, ...]:
    """Return the push options that open a merge request where there is no token; none may hold a line break."""
    assign = (f"merge_request.assign={plan.assignee}",) if plan.assignee else ()
    return (
        "merge_request.create", f"merge_request.target={plan.target}", f"merge_request.title={plan.title}",
        f"merge_request.description={START.format(key=0)} {plan.title} {END}", f"merge_request.label={LABEL}",
        "merge_request.remove_source_branch", *assign,
    )  # fmt: skip


NOT_CARRIED = (
    "warning: there is no token, so the merge request has no reviewers and no description; "
    "set BRAIN_GITLAB_TOKEN (scope api) and run it again"
)
NOT_OPENED = "warning: the branch is pushed, but the server opened no merge request: open it by hand, or set a token"
