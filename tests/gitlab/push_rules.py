"""Push rules; Premium."""

from __future__ import annotations

import re

from tests.gitlab import access, commits, errors
from tests.gitlab.call import Call
from tests.gitlab.clock import iso
from tests.gitlab.git import ZERO, Repo
from tests.gitlab.routes import MAINTAINER, route
from tests.gitlab.state import Row, World

TEXTS = (
    "commit_message_regex",
    "commit_message_negative_regex",
    "branch_name_regex",
    "author_email_regex",
    "file_name_regex",
)
FLAGS = ("deny_delete_tag", "member_check", "prevent_secrets", "commit_committer_check", "commit_committer_name_check",
         "reject_unsigned_commits", "reject_non_dco_commits")  # fmt: skip
SECRETS = re.compile(r"(^|/)(id_rsa|id_dsa|id_ed25519|.*\.pem|.*\.key|\.netrc|_history|.*\.pgpass)$")


def breach(world: World, repo: Repo, project: Row, user: Row, old: str, new: str, ref: str) -> str | None:
    """Return how a push breaks the project's rule, or None."""
    rule = project["push_rule"]
    if rule is None:
        return None
    branch = ref.removeprefix("refs/heads/")
    pattern = rule["branch_name_regex"]
    if (
        pattern
        and ref.startswith("refs/heads/")
        and branch != project["default_branch"]
        and not re.search(pattern, branch)
    ):
        return f"Branch name '{branch}' does not follow the pattern '{pattern}'"
    span = [new, "--not", "--branches"] if old == ZERO else [f"{old}..{new}"]
    for row in commits.read(repo, *span):
        wrong = _commit(world, project, rule, row, user) or _files(repo, rule, row)
        if wrong:
            return wrong
    return None


def _commit(world: World, project: Row, rule: Row, row: Row, user: Row) -> str | None:
    message, mail = row["message"], row["author_email"]
    if rule["commit_message_regex"] and not re.search(rule["commit_message_regex"], message):
        return f"Commit message does not follow the pattern '{rule['commit_message_regex']}'"
    if rule["commit_message_negative_regex"] and re.search(rule["commit_message_negative_regex"], message):
        return f"Commit message contains the forbidden pattern '{rule['commit_message_negative_regex']}'"
    if rule["author_email_regex"] and not re.search(rule["author_email_regex"], mail):
        return f"Author's commit email '{mail}' does not follow the pattern '{rule['author_email_regex']}'"
    if rule["member_check"]:
        known = world.one("users", email=mail)
        if known is None or not access.project_role(world, project, known):
            return f"Author '{mail}' is not a member of team"
    if rule["commit_committer_check"] and row["committer_email"] != user["email"]:
        return (f"You cannot push commits for '{row['committer_email']}'. You can only push commits if the committer "
                "email is one of your own verified emails.")  # fmt: skip
    if rule["reject_unsigned_commits"]:
        return "Commit must be signed with a GPG key"
    if rule["reject_non_dco_commits"] and "\nSigned-off-by: " not in message:
        return "Commit message must contain a DCO signoff"
    return None


def _files(repo: Repo, rule: Row, row: Row) -> str | None:
    if not (rule["file_name_regex"] or rule["prevent_secrets"] or rule["max_file_size"]):
        return None
    names = repo.text("show", "--name-only", "--format=", "--diff-filter=d", row["id"]).splitlines()
    for name in names:
        if rule["file_name_regex"] and re.search(rule["file_name_regex"], name):
            return f'File name {name} was prohibited by the pattern "{rule["file_name_regex"]}".'
        if rule["prevent_secrets"] and SECRETS.search(name):
            return f'File name {name} was prohibited by the pattern "{SECRETS.pattern}".'
        size = int(repo.text("cat-file", "-s", f"{row['id']}:{name}"))
        if rule["max_file_size"] and size > rule["max_file_size"] * 1_048_576:
            return f'File "{name}" is larger than the allowed size of {rule["max_file_size"]} MiB.'
    return None


def shown(call: Call) -> Row:
    """Return the project's rule.

    Raises:
        ApiError: It has none.
    """
    rule = call.project["push_rule"]
    if rule is None:
        raise errors.not_found("Push Rule")
    return {"id": rule["id"], "project_id": call.project["id"], "created_at": iso(rule["created_at"]),
            **{name: rule[name] for name in (*TEXTS, *FLAGS, "max_file_size")}}  # fmt: skip


def _given(call: Call) -> Row:
    fields: Row = {name: call.text(name) or None for name in TEXTS if call.has(name)}
    fields |= {name: call.flag(name) for name in FLAGS if call.has(name)}
    for name, text in fields.items():
        if name in TEXTS and text:
            try:
                re.compile(text)
            except re.error:
                raise errors.refused(**{name: ["not valid RE2 syntax: missing argument"]}) from None
    return fields | ({"max_file_size": call.int("max_file_size")} if call.has("max_file_size") else {})


def create(call: Call) -> Row:
    """Make the rule."""
    if call.project["push_rule"]:
        raise errors.unprocessable("Project push rule exists")
    base: Row = {**dict.fromkeys(TEXTS), **dict.fromkeys(FLAGS, False), "max_file_size": 0}
    number = call.world.next_iid("push_rules", 0)
    call.project["push_rule"] = {**base, "id": number, "created_at": call.world.now(), **_given(call)}
    return shown(call)


def update(call: Call) -> Row:
    """Change the rule."""
    shown(call)
    call.project["push_rule"].update(_given(call))
    return shown(call)


def delete(call: Call) -> None:
    """Drop the rule."""
    shown(call)
    call.project["push_rule"] = None


BASE = "/projects/:id/push_rule"
ROUTES = [
    route(f"GET {BASE}", shown, role=MAINTAINER, paid=True),
    route(f"POST {BASE}", create, role=MAINTAINER, paid=True),
    route(f"PUT {BASE}", update, role=MAINTAINER, paid=True),
    route(f"DELETE {BASE}", delete, role=MAINTAINER, paid=True),
]
