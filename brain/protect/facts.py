"""What GitLab says of a project's settings, as values: parsed once, from answers of any version and tier."""

from __future__ import annotations

from fnmatch import fnmatchcase

from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from brain.forge.locate import Secret
    from brain.forge.values import Person, Project

NO_ONE, REPORTER, DEVELOPER, MAINTAINER, OWNER, ADMIN = 0, 20, 30, 40, 50, 60
ROLES = {NO_ONE: "no one", 5: "Minimal Access", 10: "Guest", 15: "Planner", REPORTER: "Reporter",
         DEVELOPER: "Developer", MAINTAINER: "Maintainer", OWNER: "Owner"}  # fmt: skip
LEVELS = {NO_ONE: "no one", DEVELOPER: "Developers and Maintainers", MAINTAINER: "Maintainers", ADMIN: "administrators"}
FREE, PAID = "Free", "Premium"
"""Tiers, as far as they differ for us: Ultimate has what Premium has."""
ACTIVE = "active"


@value
class Unseen:
    """Something that could not be read, and why; ``status`` is the answer's."""

    why: str
    status: int = 0


@value
class Level:
    """Who may push or merge: a role, or a user, group or deploy key by number (0: not that)."""

    id: int
    role: int
    user: int = 0
    group: int = 0
    key: int = 0
    text: str = ""

    @property
    def is_role(self) -> bool:
        """Whether it stands for a role; GitLab gives single users a role, too."""
        return not (self.user or self.group or self.key)


@value
class Protection:
    """A protected branch or pattern; ``inherited`` ones belong to the group."""

    name: str
    push: tuple[Level, ...]
    merge: tuple[Level, ...]
    force: bool
    inherited: bool = False

    def levels(self, which: str) -> tuple[Level, ...]:
        """Return who may ``push``, or ``merge``."""
        return self.push if which == "push" else self.merge

    def covers(self, branch: str) -> bool:
        """Say whether it is about a branch; ``*`` stands for any text, slashes too."""
        pattern = self.name.replace("[", "[[]").replace("?", "[?]")
        return fnmatchcase(branch, pattern)


@value
class Rule:
    """An approval rule: users and groups by number, 0 for those that may not be seen.

    ``branches`` are the protected branches it is for, none of them: all branches.
    """

    id: int
    name: str
    required: int
    users: tuple[int, ...]
    groups: tuple[int, ...]
    branches: tuple[str, ...]
    kind: str = "regular"


@value
class Approving:
    """The project's approval settings (Premium)."""

    reset_on_push: bool
    author_may: bool
    committers_may: bool
    rules_fixed: bool


@value
class Merging:
    """The project's own settings; None or "" where this version, or this token's role, does not show one.

    ``variables_from`` is the least role that may set variables for a pipeline it starts.
    """

    method: str
    squash: str
    pipelines_must_succeed: bool | None
    skipped_counts: bool | None
    removes_branch: bool | None
    job_token_pushes: bool | None
    variables_from: str
    ci: str
    merge_requests: str


@value
class Member:
    """Somebody who has a role here, given directly or inherited."""

    id: int
    username: str
    level: int
    state: str = ACTIVE
    expires: str = ""


@value
class Account:
    """A user of this server who is no member; ``state`` "" says that there is none."""

    id: int
    username: str
    state: str


@value
class Token:
    """An access token without its secret; ``level`` is the role of a project's token, 0 of a person's."""

    name: str
    user: int
    scopes: tuple[str, ...]
    expires: str
    level: int = 0
    active: bool = True


@value
class Variable:
    """A CI variable without its value."""

    key: str
    masked: bool
    protected: bool
    scope: str


@value
class Schedule:
    """A pipeline schedule; ``consolidates`` says whether it starts the weekly job, None where that is not shown."""

    id: int
    description: str
    branch: str
    active: bool
    owner: Account
    consolidates: bool | None = None


@value
class Hook:
    """A webhook; GitLab shows no secret of it."""

    id: int
    url: str
    merge_requests: bool
    pushes: bool
    verifies: bool
    alert: str


@value
class PushRule:
    """What GitLab asks of pushes (Premium): expressions, "" for none, and switches."""

    branch: str
    message: str
    forbidden_message: str
    email: str
    signed_only: bool
    signed_off_only: bool


@value
class Config:
    """The CI configuration as GitLab reads it: its first error, and which of the jobs asked for it has.

    ``idle`` says that those jobs are given no package to install, so that each of them stops.
    """

    error: str
    jobs: tuple[str, ...]
    idle: bool = False


@value
class Want:
    """What the team's settings ask for.

    ``project`` is its path as the remote or the settings have it, ``people`` role → usernames, ``bot`` the username
    that finalizes ("": found by its token), ``mode`` how finalize works, ``webhook`` the service's address ("": no
    webhook asked for), ``secret`` what the hook is to send with it, ``today`` an ISO date.
    """

    project: str
    people: Mapping[str, Sequence[str]]
    root: str
    branch: str
    mode: str
    bot: str
    webhook: str
    secret: Secret
    today: str


@value
class Facts:
    """All that the plan is made from; a part that could not be read is ``Unseen``.

    ``files`` is path → text of those files of the default branch that were asked for and are there, ``request`` the
    number of an open merge request that brings them (0: none). ``note_is_bots`` says that the variable for lint's notes
    is known to hold the bot's own token.
    """

    want: Want
    project: Project
    branch: str
    me: Person
    version: str
    tier: str | Unseen
    token: Token | Unseen
    members: tuple[Member, ...] | Unseen
    accounts: Mapping[str, Account]
    bot: Member | Unseen
    bot_token: Token | Unseen
    protections: tuple[Protection, ...] | Unseen
    labels: tuple[str, ...] | Unseen
    rules: tuple[Rule, ...] | Unseen
    approving: Approving | Unseen
    merging: Merging
    push_rule: PushRule | Unseen | None
    variable: Variable | Unseen | None
    note_variable: Variable | Unseen | None
    note_is_bots: bool
    schedules: tuple[Schedule, ...] | Unseen
    hooks: tuple[Hook, ...] | Unseen
    ci: Config | Unseen
    files: Mapping[str, str] | Unseen
    request: int = 0

    @property
    def is_paid(self) -> bool:
        """Whether this is known to have what Premium has."""
        return self.tier == PAID

    def member(self, username: str) -> Member | None:
        """Return the member of that name, in any case of its letters."""
        rows = () if isinstance(self.members, Unseen) else self.members
        return next((row for row in rows if row.username.lower() == username.lower()), None)

    def name_of(self, user: int) -> str:
        """Return how to name a user by number."""
        rows = () if isinstance(self.members, Unseen) else self.members
        return next((f"@{row.username}" for row in rows if row.id == user), f"user {user}")

    def pms(self) -> tuple[Member, ...]:
        """Return the PMs that can approve: active members that are Developers at least."""
        found = (self.member(name) for name in dict.fromkeys(self.want.people.get("pm", ())))
        return tuple(row for row in found if row and row.level >= DEVELOPER and row.state == ACTIVE)


def text_of(found: Any, key: str) -> str:
    """Return a text of an answer, "" where there is none."""
    said = found.get(key) if isinstance(found, dict) else None
    return said if isinstance(said, str) else ""


def number_of(found: Any, key: str) -> int:
    """Return a number of an answer, 0 where there is none."""
    said = found.get(key) if isinstance(found, dict) else None
    return said if isinstance(said, int) and not isinstance(said, bool) else 0


def rows_of(found: Any, key: str) -> list[Any]:
    """Return a list of an answer, empty where there is none."""
    said = found.get(key) if isinstance(found, dict) else None
    return said if isinstance(said, list) else []


def _flag(found: Any, key: str) -> bool | None:
    said = found.get(key)
    return said if isinstance(said, bool) else None


def parse_protection(found: Any) -> Protection:
    """Return the protected branch that an answer describes."""
    return Protection(
        text_of(found, "name"), tuple(map(_level, rows_of(found, "push_access_levels"))),
        tuple(map(_level, rows_of(found, "merge_access_levels"))), bool(found.get("allow_force_push")),
        bool(found.get("inherited")),
    )  # fmt: skip


def _level(found: Any) -> Level:
    return Level(
        number_of(found, "id"), number_of(found, "access_level"), number_of(found, "user_id"),
        number_of(found, "group_id"), number_of(found, "deploy_key_id"), text_of(found, "access_level_description"),
    )  # fmt: skip


def parse_rule(found: Any) -> Rule:
    """Return the approval rule that an answer describes."""
    hidden = [0] if found.get("contains_hidden_groups") else []
    everywhere = ["*"] if found.get("applies_to_all_protected_branches") else []
    return Rule(
        number_of(found, "id"), text_of(found, "name"), number_of(found, "approvals_required"),
        tuple(number_of(row, "id") for row in rows_of(found, "users")),
        (*(number_of(row, "id") for row in rows_of(found, "groups")), *hidden),
        tuple(everywhere or (text_of(row, "name") for row in rows_of(found, "protected_branches"))),
        text_of(found, "rule_type") or "regular",
    )  # fmt: skip


def parse_approving(found: Any) -> Approving:
    """Return the approval settings that an answer describes."""
    return Approving(
        bool(found.get("reset_approvals_on_push")), bool(found.get("merge_requests_author_approval")),
        not found.get("merge_requests_disable_committers_approval"),
        bool(found.get("disable_overriding_approvers_per_merge_request")),
    )  # fmt: skip


def parse_merging(found: Any) -> Merging:
    """Return the settings in a project's answer; "skipped counts" is off where GitLab says null."""
    skipped = bool(found["allow_merge_on_skipped_pipeline"]) if "allow_merge_on_skipped_pipeline" in found else None
    return Merging(
        text_of(found, "merge_method"), text_of(found, "squash_option"),
        _flag(found, "only_allow_merge_if_pipeline_succeeds"), skipped,
        _flag(found, "remove_source_branch_after_merge"), _flag(found, "ci_push_repository_for_job_token_allowed"),
        _variables_from(found), text_of(found, "builds_access_level"), text_of(found, "merge_requests_access_level"),
    )  # fmt: skip


def _variables_from(found: Any) -> str:
    role = text_of(found, "ci_pipeline_variables_minimum_override_role")
    return "developer" if role and found.get("restrict_user_defined_variables") is False else role


def parse_member(found: Any) -> Member:
    """Return the member that an answer describes."""
    return Member(
        number_of(found, "id"), text_of(found, "username"), number_of(found, "access_level"),
        text_of(found, "state") or ACTIVE, text_of(found, "expires_at"),
    )  # fmt: skip


def parse_account(found: Any) -> Account:
    """Return the user that an answer describes."""
    return Account(number_of(found, "id"), text_of(found, "username"), text_of(found, "state") or ACTIVE)


def parse_token(found: Any) -> Token:
    """Return the token that an answer describes."""
    scopes = tuple(scope for scope in rows_of(found, "scopes") if isinstance(scope, str))
    return Token(
        text_of(found, "name"), number_of(found, "user_id"), scopes, text_of(found, "expires_at")[:10],
        number_of(found, "access_level"), found.get("active") is not False,
    )  # fmt: skip


def parse_variable(found: Any) -> Variable:
    """Return the variable that an answer describes; its value is not looked at."""
    scope = text_of(found, "environment_scope") or "*"
    return Variable(text_of(found, "key"), bool(found.get("masked")), bool(found.get("protected")), scope)


CONSOLIDATE = "BRAIN_CONSOLIDATE"
"""The variable by which a schedule starts the weekly job."""


def parse_schedule(found: Any) -> Schedule:
    """Return the schedule that an answer describes; a list of them shows no variables."""
    variables = {text_of(row, "key"): text_of(row, "value") for row in rows_of(found, "variables")}
    consolidates = variables.get(CONSOLIDATE) == "true" if "variables" in found else None
    return Schedule(
        number_of(found, "id"), text_of(found, "description"), text_of(found, "ref").removeprefix("refs/heads/"),
        bool(found.get("active")), parse_account(found.get("owner") or {}), consolidates,
    )  # fmt: skip


def parse_hook(found: Any) -> Hook:
    """Return the webhook that an answer describes."""
    return Hook(
        number_of(found, "id"), text_of(found, "url"), bool(found.get("merge_requests_events")),
        bool(found.get("push_events")), found.get("enable_ssl_verification") is not False,
        text_of(found, "alert_status"),
    )  # fmt: skip


def parse_push_rule(found: Any) -> PushRule | None:
    """Return the push rule that an answer describes; GitLab answers null, or nothing, where there is none."""
    if not isinstance(found, dict) or not found:
        return None
    texts = ("branch_name_regex", "commit_message_regex", "commit_message_negative_regex", "author_email_regex")
    branch, message, forbidden, email = (text_of(found, key) for key in texts)
    signed, signed_off = (bool(found.get(key)) for key in ("reject_unsigned_commits", "reject_non_dco_commits"))
    return PushRule(branch, message, forbidden, email, signed, signed_off)
