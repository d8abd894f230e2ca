"""The label, and the project's own settings that the flow needs."""

from __future__ import annotations

from brain.protect.facts import Unseen
from brain.protect.gather import JOBS
from brain.protect.item import Change, Item, ok, unseen, wrong
from brain.submit.plan import LABEL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from brain.protect.facts import Facts

COLOUR = "#6699cc"
WHERE = "Settings → Merge requests"
METHODS = {"merge": "merge commit", "rebase_merge": "merge commit with semi-linear history", "ff": "fast-forward"}
HIDDEN = Unseen("this token's role, or this version of GitLab, does not show it")


def plan_merging(facts: Facts) -> Iterator[Item]:
    """Yield label, merge requests and CI at all, pipelines, branch removal, squash, merge method, job token."""
    yield _label(facts)
    yield from _features(facts)
    yield from _pipelines(facts)
    yield _removes_branch(facts)
    yield _squash(facts)
    yield _method(facts)
    yield _job_token(facts)
    yield _variables(facts)


def _label(facts: Facts) -> Item:
    name, why = f"label {LABEL}", "Queue, reports and the sweep find the merge requests of memories by it."
    if isinstance(facts.labels, Unseen):
        return unseen(name, facts.labels)
    if LABEL in facts.labels:
        return ok(name, "there", why)
    body = {"name": LABEL, "color": COLOUR, "description": "Proposes memories for approval"}
    mend = f"Manage → Labels: make {LABEL!r}"
    return wrong(name, "missing", "there", why, mend, Change(f"make the label {LABEL}", "post", "/labels", body))


def _features(facts: Facts) -> Iterator[Item]:
    """Yield what is switched off altogether."""
    found = facts.merging
    for name, level, field in (("merge requests", found.merge_requests, "merge_requests_access_level"),
                               ("CI/CD", found.ci, "builds_access_level")):  # fmt: skip
        if level == "disabled":
            mend = f"Settings → General → Visibility, project features, permissions: switch {name} on"
            change = _set(f"switch {name} on", **{field: "enabled"})
            yield wrong(name, "off", "on", "Without it nothing can be proposed or checked.", mend, change)


def _pipelines(facts: Facts) -> Iterator[Item]:
    found, name = facts.merging, "pipelines must succeed"
    why = (
        "A memory that lint refuses must not be merged. Every merge request then needs a pipeline: the CI include has"
        " a job for each."
    )
    if found.pipelines_must_succeed is None:
        yield unseen(name, HIDDEN)
    elif found.pipelines_must_succeed:
        yield ok(name, "on", why)
    else:
        ready = not isinstance(facts.ci, Unseen) and JOBS[0] in facts.ci.jobs
        mend = f"{WHERE} → Merge checks: “Pipelines must succeed”"
        change = (_set("pipelines must succeed: on", only_allow_merge_if_pipeline_succeeds=True),) if ready else ()
        if not ready:
            mend = f"bring the CI include to {facts.branch} first, else nothing could be merged at all; then {mend}"
        yield wrong(name, "off", "on", why, mend, *change)
    name, why = "skipped pipelines", "Else [skip ci] in a commit message gets a memory past the check."
    if found.skipped_counts is None:
        yield unseen(name, HIDDEN)
    elif not found.skipped_counts:
        yield ok(name, "do not count as successful", why)
    else:
        mend = f"{WHERE} → Merge checks: “Skipped pipelines are considered successful”: off"
        change = (_set("skipped pipelines: do not count", allow_merge_on_skipped_pipeline=False),)
        yield wrong(name, "count as successful", "do not count", why, mend, *change)


def _removes_branch(facts: Facts) -> Item:
    name, why = "source branch after merge", "A ticket's branch has its name again when the next memories come."
    if facts.merging.removes_branch is None:
        return unseen(name, HIDDEN)
    if facts.merging.removes_branch:
        return ok(name, "removed", why)
    mend = f"{WHERE} → Merge options: “Enable ‘Delete source branch’ option by default”"
    change = _set("source branch after merge: removed", remove_source_branch_after_merge=True)
    return wrong(name, "kept", "removed", why, mend, change)


def _squash(facts: Facts) -> Item:
    name, found = "squash", facts.merging.squash
    if not found:
        return unseen(name, HIDDEN)
    if facts.want.mode == "on-branch" and found == "always":
        why = "In the mode on-branch the finalize commit must be told from the author's; squashed, it cannot be."
        mend = f"{WHERE} → Squash commits when merging: “Allow” or “Do not allow”"
        return wrong(
            name, "always", "not always", why, mend, _set("squash: off by default", squash_option="default_off")
        )
    return ok(
        name, found.replace("_", " "), "Finalize compares contents, so squashed and plain merges are alike to it."
    )


def _method(facts: Facts) -> Item:
    found = facts.merging.method
    if not found:
        return unseen("merge method", HIDDEN)
    why = "Merge requests of memories never touch the same file, so they merge in any order."
    if found != "merge":
        why = (
            "It is stricter than needed and left as it is: each merge puts the other merge requests behind, and the PM"
            " rebases them by GitLab's button before merging. “Merge commit” spares that."
        )
    return ok("merge method", METHODS.get(found, found), why)


def _job_token(facts: Facts) -> Item:
    name, found = "push by job token", facts.merging.job_token_pushes
    if found is None:
        return unseen(name, HIDDEN)
    why = (
        "Finalize pushes with its own token. With this on, a job pushes in the name of whoever started its pipeline,"
        " who may be the bot or a PM."
    )
    if not found:
        return ok(name, "off", why)
    mend = "Settings → CI/CD → Job token permissions: “Allow Git push requests to the repository”: off"
    change = _set("push by job token: off", ci_push_repository_for_job_token_allowed=False)
    return wrong(name, "on", "off", why, mend, change)


def _variables(facts: Facts) -> Item:
    name, found = "pipeline variables", facts.merging.variables_from
    if not found:
        return unseen(name, HIDDEN)
    why = (
        "Whoever sets variables for a pipeline of the default branch says what the job with the bot's token installs"
        " and asks."
    )
    if found != "developer":
        return ok(name, f"may be set by: {found.replace('_', ' ')}", why)
    mend = "Settings → CI/CD → Variables → Minimum role to use pipeline variables: Maintainer"
    body = {"restrict_user_defined_variables": True, "ci_pipeline_variables_minimum_override_role": "maintainer"}
    change = _set("pipeline variables: may be set by Maintainers", **body)
    return wrong(name, "may be set by Developers", "Maintainers, or nobody", why, mend, change)


def _set(does: str, **body: Any) -> Change:
    return Change(does, "put", "", body)
