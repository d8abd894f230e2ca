"""Read what a project on GitLab is set to. Only GETs; what may not be seen is told as such, and never a failure."""

from __future__ import annotations

import re
from base64 import b64decode
from urllib.parse import quote

from brain.clock import today
from brain.errors import BrainError, ForgeError
from brain.forge.locate import TOKEN, Secret
from brain.layout import SETTINGS_FILE
from brain.protect.facts import (
    FREE,
    PAID,
    Account,
    Config,
    Facts,
    Member,
    Unseen,
    Want,
    number_of,
    parse_account,
    parse_approving,
    parse_hook,
    parse_member,
    parse_merging,
    parse_protection,
    parse_push_rule,
    parse_rule,
    parse_schedule,
    parse_token,
    parse_variable,
    rows_of,
    text_of,
)
from brain.scaffold import CI_FILE, CI_JOBS, CODEOWNERS_PLACES, TEMPLATE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, TypeVar

    from brain.forge.gitlab import GitLab
    from brain.forge.values import Person
    from brain.protect.facts import PushRule, Schedule, Token, Variable
    from brain.settings import Config as Settings

    T = TypeVar("T")

NO_PACKAGE = re.compile(r"""test -n (""|\\"\\") \|\|""")
"""What our jobs' first line comes to where the input ``package`` is empty."""
TOKEN_NAME = "project-brain"  # noqa: S105 - the name of a token
JOBS = ("memory-lint", "memory-finalize", "memory-sweep", "memory-consolidate")
"""The jobs of our CI include."""
NOTE_TOKEN = "BRAIN_NOTE_TOKEN"  # noqa: S105 - the name of a variable
SETUP_BRANCH = "project-brain-setup"
ROLES = ("pm", "tl", "ba", "qa", "comtor")
MOST_SCHEDULES = 20
STOPPING = (0, 401, 429)
"""Answers after which no other request will fare better."""


def want(gitlab: GitLab, config: Settings, env: Mapping[str, str], webhook: str = "", bot: str = "") -> Want:
    """Return what the team's settings ask for."""
    people = {role: tuple(config[f"people.{role}"]) for role in ROLES}
    secret = Secret(env.get("BRAIN_WEBHOOK_TOKEN", ""))
    return Want(
        _named(gitlab), people, config["memory.root"], config["memory.branch"],
        config["review.finalize"], bot or config["gitlab.bot"], webhook, secret, today(env),
    )  # fmt: skip


def _named(gitlab: GitLab) -> str:
    """Return the project's path as it was asked for on the server that has it."""
    server = gitlab.connection.server
    return next((path for place, path in gitlab.location.places if place == server), "")


def gather(gitlab: GitLab, wanted: Want) -> Facts:
    """Return the facts.

    Raises:
        ForgeError: The project cannot be seen, or the server does not answer any more.
        BrainError: The project is empty.
    """
    project = gitlab.project()
    branch = wanted.branch or project.default_branch
    if not branch or project.empty:
        raise BrainError(f"{project.path} has no branch yet", "push the memory's skeleton first: brain init says how")
    ask = _Asker(gitlab)
    merging = parse_merging(gitlab.connection.call("get", gitlab.at))
    me = gitlab.person()
    members = ask.rows("/members/all", parse_member)
    tier = _tier(ask)
    paid = tier == PAID
    lacking = tier if isinstance(tier, Unseen) else Unseen(f"{tier} has none")
    bot_token, bot = _bot(ask, wanted, members, me)
    return Facts(
        want=wanted,
        project=project,
        branch=branch,
        me=me,
        version=_version(gitlab),
        tier=tier,
        token=ask.own_token(),
        members=members,
        accounts=_accounts(ask, wanted, members),
        bot=bot,
        bot_token=bot_token,
        protections=ask.rows("/protected_branches", parse_protection),
        labels=ask.rows("/labels", lambda row: text_of(row, "name"), search="memory"),
        rules=ask.rows("/approval_rules", parse_rule) if paid else lacking,
        approving=ask.one("/approvals", parse_approving) if paid else lacking,
        merging=merging,
        push_rule=_push_rule(ask) if paid else lacking,
        variable=_variable(ask, TOKEN),
        note_variable=_variable(ask, NOTE_TOKEN),
        note_is_bots=_same_value(ask, TOKEN, NOTE_TOKEN),
        schedules=_schedules(ask),
        hooks=ask.rows("/hooks", parse_hook),
        ci=_config(ask, branch),
        files=_files(ask, branch, f"{wanted.root}/{SETTINGS_FILE}"),
        request=_request(ask),
    )


class _Asker:
    """Asks for one thing after another; what is refused is ``Unseen``."""

    def __init__(self, gitlab: GitLab) -> None:
        self.gitlab = gitlab

    def one(self, path: str, parse: Callable[[Any], T], **query: str) -> T | Unseen:
        """Return what an answer about the project says."""
        return self._seen(lambda: parse(self.gitlab.connection.call("get", self.gitlab.at + path, query=query)))

    def rows(self, path: str, parse: Callable[[Any], T], **query: str) -> tuple[T, ...] | Unseen:
        """Return what a list about the project says."""
        return self._seen(lambda: tuple(map(parse, self.gitlab.connection.each(self.gitlab.at + path, query))))

    def server(self, path: str, parse: Callable[[Any], T], **query: str) -> T | Unseen:
        """Return what an answer about something else says."""
        return self._seen(lambda: parse(self.gitlab.connection.call("get", path, query=query)))

    def own_token(self) -> Token | Unseen:
        """Return the token that asks; of another kind than an access token, GitLab tells nothing."""
        try:
            return self.server("/personal_access_tokens/self", parse_token)
        except ForgeError as error:
            if error.status != 401:  # the token itself is valid: it was asked with before
                raise
            return Unseen("it is no access token, so GitLab does not tell its scopes and end", 401)

    def _seen(self, ask: Callable[[], T]) -> T | Unseen:
        try:
            return ask()
        except ForgeError as error:
            if error.status in STOPPING:
                raise
            return Unseen(_why(error), error.status)


def _why(error: ForgeError) -> str:
    if error.status == 403:
        return "this token may not see it"
    return f"GitLab answers {error.status} {error.reason}"


def _tier(ask: _Asker) -> str | Unseen:
    """Return the tier: Premium's approvals say so themselves; where there is no merge request, its routes do."""
    newest = ask.one("/merge_requests", lambda rows: rows, per_page="1")
    if isinstance(newest, list) and newest:
        found = ask.one(f"/merge_requests/{number_of(newest[0], 'iid')}/approvals", lambda found: found)
        if isinstance(found, dict):
            return PAID if found.get("merge_request_approvers_available") else FREE
    rules = ask.one("/approval_rules", lambda _: PAID)
    if isinstance(rules, Unseen) and rules.status == 404:
        return FREE
    return rules


def _version(gitlab: GitLab) -> str:
    try:
        return text_of(gitlab.connection.call("get", "/version"), "version")
    except ForgeError as error:
        if error.status in STOPPING:
            raise
        return ""


def _bot(
    ask: _Asker, wanted: Want, members: tuple[Member, ...] | Unseen, me: Person
) -> tuple[Token | Unseen, Member | Unseen]:
    """Return the bot's token, as far as it can be seen, and the bot: the one named, the token's, or who asks."""
    tokens = ask.rows("/access_tokens", parse_token, state="active")
    rows = () if isinstance(members, Unseen) else members
    token: Token | Unseen
    if isinstance(tokens, Unseen):
        token = tokens
    else:
        named = next((row.id for row in rows if row.username.lower() == wanted.bot.lower()), 0)
        ours = [row for row in tokens if row.active and (row.user == named if named else row.name == TOKEN_NAME)]
        newest = max(ours, key=lambda row: row.expires or "9999", default=None)
        token = newest or Unseen(f"there is no project access token {TOKEN_NAME!r}", 404)
    if wanted.bot:
        found = next((row for row in rows if row.username.lower() == wanted.bot.lower()), None)
        return token, found or Unseen(f"@{wanted.bot} is no member", 404)
    user = token.user if not isinstance(token, Unseen) else me.id if me.bot else 0
    found = next((row for row in rows if row.id == user), None) if user else None
    return token, found or (token if isinstance(token, Unseen) else Unseen("its user is no member", 404))


def _accounts(ask: _Asker, wanted: Want, members: tuple[Member, ...] | Unseen) -> dict[str, Account]:
    """Return who those are that the settings name and that are no members, by name in lower case."""
    rows = () if isinstance(members, Unseen) else members
    known = {row.username.lower() for row in rows}
    names = {name.lower(): name for group in wanted.people.values() for name in group}
    accounts = {}
    for lower, name in names.items():
        if lower not in known and name:
            found = ask.server("/users", lambda rows: [parse_account(row) for row in rows], username=name)
            users = [] if isinstance(found, Unseen) else found
            same = next((row for row in users if row.username.lower() == lower), None)
            accounts[lower] = same or Account(0, name, "")
    return accounts


def _push_rule(ask: _Asker) -> PushRule | Unseen | None:
    found = ask.one("/push_rule", parse_push_rule)
    return None if isinstance(found, Unseen) and found.status == 404 else found


def _variable(ask: _Asker, key: str) -> Variable | Unseen | None:
    found = ask.one(f"/variables/{key}", parse_variable)
    return None if isinstance(found, Unseen) and found.status == 404 else found


def _same_value(ask: _Asker, *keys: str) -> bool:
    """Say whether variables are seen to hold the same; of a hidden one GitLab shows no value, and nothing is kept."""
    values = [ask.one(f"/variables/{key}", lambda found: Secret(text_of(found, "value"))) for key in keys]
    shown = {found for found in values if not isinstance(found, Unseen) and found}
    return len(shown) == 1 and all(not isinstance(found, Unseen) and found for found in values)


def _schedules(ask: _Asker) -> tuple[Schedule, ...] | Unseen:
    """Return the schedules, each asked for by itself as far as there are few: their list shows no variables."""
    rows = ask.rows("/pipeline_schedules", parse_schedule)
    if isinstance(rows, Unseen):
        return rows
    whole = [ask.one(f"/pipeline_schedules/{row.id}", parse_schedule) for row in rows[:MOST_SCHEDULES]]
    seen = [row if isinstance(one, Unseen) else one for row, one in zip(rows, whole, strict=False)]
    return (*seen, *rows[MOST_SCHEDULES:])


def _config(ask: _Asker, branch: str) -> Config | Unseen:
    """Return what the branch's CI configuration comes to, includes and all."""

    def parse(found: Any) -> Config:
        merged = text_of(found, "merged_yaml")
        jobs = tuple(job for job in JOBS if re.search(rf"""^["']?{job}["']?:""", merged, re.MULTILINE))
        errors = [str(error) for error in rows_of(found, "errors")]
        error = "" if found.get("valid") else next(iter(errors), "not valid")
        return Config(error, jobs, idle=bool(NO_PACKAGE.search(merged)))

    return ask.one("/ci/lint", parse, content_ref=branch)


def _files(ask: _Asker, branch: str, settings: str) -> dict[str, str] | Unseen:
    """Return path → text of the files of ours that the default branch has; of code owners' the one that counts."""
    found: dict[str, str] = {}
    for path in (TEMPLATE, CI_FILE, CI_JOBS, settings, *CODEOWNERS_PLACES):
        if path in CODEOWNERS_PLACES and any(place in found for place in CODEOWNERS_PLACES):
            continue
        text = ask.one(f"/repository/files/{quote(path, safe='')}", _content, ref=branch)
        if not isinstance(text, Unseen):
            found[path] = text
        elif text.status != 404:
            return text
    return found


def _content(found: Any) -> str:
    return b64decode(text_of(found, "content")).decode("utf-8", "replace")


def _request(ask: _Asker) -> int:
    """Return the open merge request that an earlier set-up made."""
    query = {"source_branch": SETUP_BRANCH, "state": "opened", "per_page": "1"}
    rows = ask.one("/merge_requests", lambda rows: rows, **query)
    return number_of(rows[0], "iid") if isinstance(rows, list) and rows else 0
