"""Holds every answer against endpoint-contract.json: which fields it has, and of which kinds."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from tests.gitlab.call import Reply
from tests.gitlab.routes import Route

DATA = Path(__file__).parent / "data" / "endpoint-contract.json"

# Fields that gitbeaker's types name and GitLab itself sends only sometimes, or no longer (each seen in GitLab's entities).
SOMETIMES: dict[str, set[str]] = {
    "ExpandedUserSchema": {
        "is_admin", "last_sign_in_at", "confirmed_at", "last_activity_on", "email", "theme_id", "color_scheme_id",
        "projects_limit", "current_sign_in_at", "note", "identities", "can_create_group", "can_create_project",
        "two_factor_enabled", "external", "private_profile", "namespace_id", "created_by", "skype", "is_followed",
        "followers", "following", "local_time", "work_information", "pronouns", "job_title", "organization",
        "website_url", "discord", "twitter", "linkedin", "public_email", "location", "bio", "bot", "created_at",
    },
    "ProjectSchema": {
        "merge_requests_template", "issues_template", "owner", "license_url", "license", "import_url", "import_error",
        "import_type", "permissions", "runners_token", "repository_storage", "mirror", "mirror_user_id",
        "mirror_trigger_builds", "only_mirror_protected_branches", "mirror_overwrites_diverged_branches",
        "external_authorization_classification_label", "marked_for_deletion_on", "compliance_frameworks",
        "issue_branch_template", "description_html", "readme_url",
    },
    "ExpandedMergeRequestSchema": {"pipeline", "head_pipeline", "approvals_before_merge", "diff_refs", "merge_error",
        "rebase_in_progress", "subscribed", "changes_count", "latest_build_started_at", "latest_build_finished_at",
        "first_deployed_to_production_at", "first_contribution", "user", "should_remove_source_branch", "merged_by"},
    "ExpandedPipelineSchema": {"before_sha", "tag", "yaml_errors", "user", "started_at", "finished_at", "committed_at",
        "duration", "queued_duration", "coverage", "detailed_status"},
    "ExpandedCommitSchema": {"last_pipeline", "stats", "status"},
    "MemberSchema": {"group_saml_identity", "email"},
    "MergeRequestLevelMergeRequestApprovalSchema": {  # Premium's shape alone; Free answers four keys
        "id", "iid", "project_id", "title", "description", "state", "created_at", "updated_at", "merge_status",
        "approvals_required", "approvals_left"},
    "ProjectLevelMergeRequestApprovalSchema": {"require_password_to_approve"},
    "ProjectLevelApprovalRuleSchema": {"overridden", "protected_branches"},
    "MergeRequestLevelApprovalRuleSchema": {"source_rule"},
    "ProjectHookSchema": {"projectId"},  # a slip of gitbeaker's: GitLab sends project_id
    "PipelineScheduleSchema": {"last_pipeline"},
    "CommitStatusSchema": {"started_at"},
    "MergeRequestDiffSchema": set(),
    "LabelSchema": {"open_issues_count", "closed_issues_count", "open_merge_requests_count"},
    "ProtectedBranchSchema": {"unprotect_access_levels", "code_owner_approval_required"},
    "RepositoryFileExpandedSchema": {"file_name", "size", "encoding", "content", "content_sha256", "ref", "blob_id",
        "commit_id", "last_commit_id", "branch"},
    "DiscussionNoteSchema": set(),
    "NoteSchema": set(),
}  # fmt: skip
SLIPS = {  # fields whose type gitbeaker has wrong, with the type GitLab sends
    ("ExpandedUserSchema", "private_profile"): "boolean",
    ("ExpandedUserSchema", "identities"): "unknown",
    ("MergeRequestLevelApprovalRuleSchema", "source_rule"): "unknown",
    ("ProjectSchema", "ci_pipeline_variables_minimum_override_role"): "string",
}


class Contract:
    """The contract, and what broke it so far."""

    def __init__(self, file: Path = DATA) -> None:
        document = json.loads(file.read_text())
        self.schemas: dict[str, dict[str, str]] = document["schemas"]
        self.endpoints: list[dict[str, Any]] = document["endpoints"]
        self.by_route: dict[tuple[str, str], str] = {}
        for endpoint in self.endpoints:
            self._learn(endpoint)

    def _learn(self, endpoint: dict[str, Any]) -> None:
        schema = endpoint.get("response_schema")
        for operation, detail in endpoint["operations"].items():
            if schema and detail.get("method") != "DELETE":
                suffix = _suffix(endpoint, operation)
                self.by_route[detail["method"], _plain(endpoint["path"] + suffix)] = schema

    def checked(self, entry: Route, reply: Reply) -> Reply:
        """Return the answer, or a 500 that says how it breaks the contract."""
        schema = self.by_route.get((entry.verb, _plain(entry.text)))
        if schema is None or (reply.status or 200) > 201 or not isinstance(reply.body, (list, dict)):
            return reply
        rows = reply.body if isinstance(reply.body, list) else [reply.body]
        listed = isinstance(reply.body, list)
        wrong = [line for row in rows for line in self.breaches(schema, row, listed=listed)]
        if not wrong:
            return reply
        told = f"contract: {entry.verb} {entry.text}: " + "; ".join(sorted(set(wrong)))
        return Reply({"message": told}, 500)

    def breaches(self, schema: str, row: Any, *, listed: bool = False) -> list[str]:
        """Return what is wrong with one object."""
        fields = self.schemas[schema]
        sometimes = SOMETIMES.get(schema, set()) | ({"permissions"} if listed else set())
        simple = listed and schema == "ProjectSchema" and "visibility" not in row
        lines = []
        for name, kind in fields.items():
            if name not in row:
                if "(optional)" not in kind and name not in sometimes and not simple:
                    lines.append(f"{schema}.{name} is absent")
            elif not _fits(SLIPS.get((schema, name), kind), row[name]):
                lines.append(f"{schema}.{name} is {row[name]!r}, not {kind}")
        return lines


def _suffix(endpoint: dict[str, Any], operation: str) -> str:
    if operation in {"list", "create"} or endpoint["id_attr"] is None or endpoint["path"].endswith("/user"):
        return ""
    if endpoint["operations"]["get"].get("path_suffix") == "" if "get" in endpoint["operations"] else False:
        return ""
    return "/{id}"


def _plain(path: str) -> str:
    return re.sub(r"\{[^}]*\}|[:*][a-z_]+", ":", path)


def _fits(kind: str, value: Any) -> bool:
    """Return whether a value is of a TypeScript type; null is always let through, since the types do not say."""
    kind = kind.replace(" (optional)", "")
    if value is None or kind == "unknown":
        return True
    if kind in {"string", "number", "boolean"}:
        return {"string": isinstance(value, str), "boolean": isinstance(value, bool)}.get(
            kind, isinstance(value, (int, float)) and not isinstance(value, bool)
        )
    if kind.endswith("[]") or kind.startswith("("):
        return isinstance(value, list)
    literals = re.findall(r'"([^"]*)"', kind)
    if kind.startswith('"') and not kind.endswith("...") and "external..." not in kind:
        return value in literals or len(literals) > 8  # the long unions are older than GitLab's own list
    return True
