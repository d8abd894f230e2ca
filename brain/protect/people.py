"""The people: those that the settings name, who can get round the PM, the bot and its token, and whose token asks."""

from __future__ import annotations

from brain.clock import days_before
from brain.forge.locate import TOKEN
from brain.protect.facts import ACTIVE, DEVELOPER, MAINTAINER, OWNER, REPORTER, ROLES, Unseen
from brain.protect.gather import ROLES as NAMED_ROLES
from brain.protect.gather import TOKEN_NAME
from brain.protect.item import Item, ok, unseen, wrong

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from brain.protect.facts import Facts, Member, Token

WARN_DAYS = 14
"""Days before its end from which on a token's expiry is told."""
MEMBERS = "Manage → Members"
HOW_TO_STORE_A_TOKEN = (
    f"Settings → CI/CD → Variables → Add variable: key {TOKEN}, visibility “Masked and hidden”, “Protect variable” on,"
    " value: the bot's token; keep it nowhere else"
)
HOW_TO_CHANGE_A_TOKEN = f"Settings → CI/CD → Variables → {TOKEN} → Edit: the new token as its value"
USES = {"pm": "approves", "tl": "is asked about technical memories", "ba": "is asked about domain and glossary",
        "qa": "is asked about testing", "comtor": "is asked about terms"}  # fmt: skip


def plan_people(facts: Facts) -> Iterator[Item]:
    """Yield each person that is named, other Maintainers, the bot, its token, and the token that asks."""
    if not facts.want.people.get("pm"):
        why = "Only a PM's approval makes a memory official."
        mend = 'write people.pm = ["username"] into brain.toml, and the others below it; merge that'
        yield wrong("pm", "nobody is named", "one username, or more", why, mend)
    if isinstance(facts.members, Unseen):
        yield unseen("people", facts.members)
    else:
        yield from (_person(facts, role, name) for role in NAMED_ROLES for name in facts.want.people.get(role, ()))
        yield from _others(facts, facts.members)
    yield _bot(facts)
    if not isinstance(facts.bot_token, Unseen):
        yield _token("the bot's token", facts.bot_token, ("api", "write_repository"), facts.want.today)
    if isinstance(facts.token, Unseen):
        yield unseen("your token", facts.token)
    else:
        yield _token("your token", facts.token, ("api",), facts.want.today)


def _person(facts: Facts, role: str, username: str) -> Item:
    name, why = f"{role} @{username}", f"The {role} {USES[role]}."
    needed = _needed(facts, role)
    wanted = f"an active member, {ROLES[needed]} at least"
    member = facts.member(username)
    if member is None:
        account = facts.accounts.get(username.lower())
        there = bool(account and account.state)
        found = "is no member of this project" if there else "there is no such user on this server"
        mend = f"{MEMBERS}: invite them as {ROLES[needed]}" if there else "mend the name in brain.toml, people"
        return wrong(name, found, wanted, why, mend)
    if member.state != ACTIVE:
        mend = "name another in brain.toml, people, or have the account unblocked"
        return wrong(name, f"the account is {member.state}", wanted, why, mend)
    if member.level < needed:
        mend = f"{MEMBERS}: make them {ROLES[needed]}"
        return wrong(name, _role(member), wanted, why + _reason(facts, role), mend)
    if member.expires and _is_near(member.expires, facts.want.today):
        return wrong(name, f"{_role(member)}, until {member.expires}", wanted, why, f"{MEMBERS}: set a later end")
    return ok(name, _role(member), why)


def _needed(facts: Facts, role: str) -> int:
    """Return the least role: a PM must be able to approve, and on Free to merge; the others to see and comment."""
    if role != "pm":
        return REPORTER
    return DEVELOPER if facts.is_paid else MAINTAINER


def _reason(facts: Facts, role: str) -> str:
    if role != "pm":
        return ""
    return " Below Developer nobody can approve." if facts.is_paid else " On Free only Maintainers can merge."


def _role(member: Member) -> str:
    return ROLES.get(member.level, f"level {member.level}")


def _others(facts: Facts, members: tuple[Member, ...]) -> Iterator[Item]:
    """Yield on Free who else can merge: every Maintainer can, and every Owner, whom no setting keeps from anything."""
    if facts.is_paid or isinstance(facts.tier, Unseen):
        return
    known = {name.lower() for name in facts.want.people.get("pm", ())}
    rows = [row for row in members if row.level >= MAINTAINER and row.username.lower() not in known]
    rows = sorted((row for row in rows if not _is_bot(facts, row)), key=lambda row: row.username)
    name = "other Maintainers"
    why = (
        "On Free every Maintainer and Owner can merge without the PM. A memory merged so stays pending, is recalled by"
        " nobody, and finalize says so: nothing gets official, but the default branch holds it."
    )
    owners, others = ([row for row in rows if (row.level >= OWNER) == is_owner] for is_owner in (True, False))
    beside = f", but for {_listed(owners)}" if owners else ""
    if not others:
        yield ok(name, f"none{beside}", why)
        return
    if owners:
        why += f" Owners are not counted, for no setting keeps them out: {_listed(owners)}."
    mend = f"{MEMBERS}: make them Developers where they need no more; who comes from the group is changed there"
    yield wrong(name, _listed(others), "none but the PM and the bot", why, mend)


def _listed(members: Iterable[Member]) -> str:
    return ", ".join(f"@{row.username} ({_role(row)})" for row in members)


def how_to_make_a_token(facts: Facts) -> str:
    """Return how a person makes the bot and gives its token to the jobs."""
    role = "Maintainer" if not facts.is_paid else "Developer"
    return (
        f"Settings → Access tokens → Add new token: name {TOKEN_NAME}, role {role}, scopes api and write_repository,"
        f" expiry within a year. Then {_how_to_store(facts)}. (gitlab.com makes such tokens from Premium on; a user of"
        " its own, with a personal token of these scopes, does as well: name it in gitlab.bot.)"
    )


def _how_to_store(facts: Facts) -> str:
    """Return how the bot's token gets to the jobs: there is a variable for it already, or (as far as is seen) none."""
    there = facts.variable is not None and not isinstance(facts.variable, Unseen)
    return HOW_TO_CHANGE_A_TOKEN if there else HOW_TO_STORE_A_TOKEN


def _is_bot(facts: Facts, member: Member) -> bool:
    """Say whether a member is the bot; where that one cannot be seen, any bot of this project may be it."""
    if not isinstance(facts.bot, Unseen):
        return member.id == facts.bot.id
    return member.username.startswith(f"project_{facts.project.id}_bot")


def _bot(facts: Facts) -> Item:
    name, needed = "bot", DEVELOPER if facts.is_paid else MAINTAINER
    why = "Finalize works in its name, so that its commits and merges can be told from people's."
    if isinstance(facts.bot, Unseen):
        if facts.bot.status in (0, 403):
            return unseen(name, facts.bot, "a Maintainer's token shows it; or name it in gitlab.bot")
        return wrong(name, facts.bot.why, f"a project access token {TOKEN_NAME!r}", why, how_to_make_a_token(facts))
    found = f"@{facts.bot.username}, {_role(facts.bot)}"
    if facts.bot.level < needed:
        mend = f"make the token anew with the role {ROLES[needed]}: a token's role cannot be changed"
        reason = " On Free it merges its own merge request, which needs a Maintainer." if not facts.is_paid else ""
        return wrong(name, found, f"{ROLES[needed]} at least", why + reason, mend)
    if facts.bot.state != ACTIVE:
        return wrong(name, f"{found}, {facts.bot.state}", ACTIVE, why, how_to_make_a_token(facts))
    return ok(name, found, why)


def _token(name: str, token: Token, needed: tuple[str, ...], today: str) -> Item:
    missing = [scope for scope in needed if scope not in token.scopes]
    why = "api reads and changes merge requests"
    why += ", write_repository pushes." if "write_repository" in needed else "."
    found = f"{token.name or 'unnamed'}: {', '.join(token.scopes) or 'no scopes'}; "
    found += f"until {token.expires}" if token.expires else "without end"
    anew = f"make a new one, and put it where the old one is ({TOKEN}); a rotated one keeps its bot"
    if missing:
        return wrong(name, found, f"scopes {', '.join(needed)}", why, anew)
    if token.expires and token.expires <= today:
        return wrong(name, f"{found}: it has expired", "valid", why, anew)
    if token.expires and _is_near(token.expires, today):
        return wrong(name, f"{found}: it ends soon", f"valid for more than {WARN_DAYS} days", why, anew)
    return ok(name, found, why)


def _is_near(date: str, today: str) -> bool:
    try:
        return days_before(date[:10], WARN_DAYS) <= today
    except ValueError:
        return False
