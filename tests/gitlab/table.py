"""Every route of the API, gathered."""

from __future__ import annotations

from tests.gitlab import (
    approval_rules,
    approvals,
    branches,
    commits,
    extras,
    files,
    groups,
    instance,
    issues,
    jobs,
    kinds,
    labels,
    members,
    merge_requests,
    merging,
    milestones,
    notes,
    people_on,
    pipelines,
    projects,
    push_rules,
    releases,
    repository,
    schedules,
    status_checks,
    tokens,
    users,
    versions,
    webhooks,
)  # fmt: skip
from tests.gitlab.routes import Router

MODULES = (
    users, tokens, groups, members, projects, commits, files, branches, repository, releases, labels, milestones, issues,
    merge_requests, versions, merging, approvals, approval_rules, notes, people_on, pipelines, jobs, schedules, webhooks,
    push_rules, status_checks, instance, kinds, extras,
)  # fmt: skip


def router() -> Router:
    """Return the router of /api/v4."""
    return Router(entry for module in MODULES for entry in module.ROUTES)
