"""The protection of the default branch: who may push, who may merge, and that memory branches are free."""

from __future__ import annotations

from urllib.parse import quote

from brain.protect.facts import ADMIN, DEVELOPER, LEVELS, MAINTAINER, NO_ONE, Unseen
from brain.protect.item import Change, Item, levels_text, ok, unseen, wrong
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from brain.protect.facts import Facts, Level, Protection

WHERE = "Settings → Repository → Protected branches"
SAMPLE = "memory/TICKET-1"
PUSH, MERGE = "push", "merge"
VERBS = {PUSH: "push to", MERGE: "merge into"}
HIDING = (0, 403)
"""Answers that say nothing of whether there is a bot."""
HIDDEN = Unseen("it cannot be read")
FREE_ROUTE = (
    "Nothing reaches {branch} but a merge request. Free cannot let a single user push: so finalize takes a merge"
    " request of its own, which the bot, a Maintainer, merges at once."
)
PAID_ROUTE = (
    "Nothing reaches {branch} but a merge request, save the bot's own commit, which makes approved memories official:"
    " it may change status, reviewer, removals and the index alone, and a job checks that."
)
FREE_MERGE = "On Free only a role can be named. Whom it admits besides the PM is listed under people."
PAID_MERGE = "The PM approves and merges in one visit; others can neither merge too early nor forget to."


@value
class Who:
    """Those who are to push, or to merge: users by number, or a role."""

    users: tuple[int, ...] = ()
    role: int = -1

    def admits(self, level: Level) -> bool:
        """Say whether a level stands for one of them."""
        return level.role == self.role if level.is_role else level.user in self.users


def plan_branch(facts: Facts) -> Iterator[Item]:
    """Yield push, merge and force push of the default branch, finalize's way to it, other rules, memory branches."""
    hidden = next((part for part in (facts.protections, facts.tier) if isinstance(part, Unseen)), None)
    if hidden or isinstance(facts.protections, Unseen):
        yield unseen(f"protection of {facts.branch}", hidden or HIDDEN, "ask a Maintainer to run it")
        return
    rule = next((row for row in facts.protections if row.name == facts.branch), None)
    yield from _own_rule(facts, rule)
    yield from _route(facts)
    yield from _other_rules(facts, facts.protections)
    yield _memory_branches(facts.protections)


def _own_rule(facts: Facts, rule: Protection | None) -> Iterator[Item]:
    changes, by_hand = _changes(facts, rule), f"{WHERE}: {facts.branch}"
    if rule and rule.inherited:
        changes, by_hand = (), f"the group's {WHERE}: {facts.branch} is protected there"
    push_why = (PAID_ROUTE if facts.is_paid else FREE_ROUTE).format(branch=facts.branch)
    whys = {PUSH: push_why, MERGE: PAID_MERGE if facts.is_paid else FREE_MERGE}
    for which, who in _wanted(facts).items():
        name = f"{VERBS[which]} {facts.branch}"
        levels = rule.levels(which) if rule else ()
        found = levels_text(facts, levels) if rule else "not protected"
        if which == PUSH and isinstance(facts.bot, Unseen) and _may_be_the_bot(facts, facts.bot, levels):
            seen = Unseen(f"{found}; whether that is the bot is not shown to you", facts.bot.status)
            yield unseen(name, seen, "a Maintainer sees it; or name the bot in gitlab.bot")
        elif rule and _suits(facts, which, levels):
            yield ok(name, found, whys[which])
        else:
            mend = f"{by_hand}, “Allowed to {which}”: {_words(facts, who)}"
            yield wrong(name, found, _words(facts, who), whys[which], mend, *changes)
    name, why = f"force push to {facts.branch}", "A forced push takes approved memories out, and nobody sees it."
    if rule and not rule.force:
        yield ok(name, "off", why)
    else:
        mend = f"{by_hand}, “Allowed to force push”: off"
        yield wrong(name, "on" if rule else "not protected", "off", why, mend, *changes)


def _may_be_the_bot(facts: Facts, bot: Unseen, levels: Sequence[Level]) -> bool:
    """Say whether a single user may push, where it is not shown who the bot is."""
    return facts.is_paid and bot.status in HIDING and len(levels) == 1 and levels[0].user != 0


def _wanted(facts: Facts) -> dict[str, Who]:
    """Return who is to push and who to merge."""
    bot = facts.bot
    push = Who(role=NO_ONE)
    if facts.is_paid and not isinstance(bot, Unseen) and bot.level >= DEVELOPER:
        push = Who((bot.id,))
    pms = tuple(row.id for row in facts.pms()) if facts.is_paid else ()
    return {PUSH: push, MERGE: Who(pms) if pms else Who(role=MAINTAINER)}


def _words(facts: Facts, who: Who) -> str:
    return ", ".join(map(facts.name_of, who.users)) or LEVELS[who.role]


def _suits(facts: Facts, which: str, levels: Sequence[Level]) -> bool:
    """Say whether those who may are those who should, or fewer where that still lets the flow through."""
    who = _wanted(facts)[which]
    if _too_many(facts, which, levels):
        return False
    if which == MERGE:
        return any(map(who.admits, levels))
    return set(who.users) <= {level.user for level in levels}


def _too_many(facts: Facts, which: str, levels: Sequence[Level]) -> list[Level]:
    """Return who may and should not; whoever may push may merge as well."""
    wanted = _wanted(facts)
    kept = [wanted[PUSH], wanted[which], Who(role=NO_ONE), Who(role=ADMIN)]
    return [level for level in levels if not any(who.admits(level) for who in kept)]


def _changes(facts: Facts, rule: Protection | None) -> tuple[Change, ...]:
    """Return what makes the rule as it should be."""
    wanted, path = _wanted(facts), f"/protected_branches/{quote(facts.branch, safe='')}"
    words = f"push {_words(facts, wanted[PUSH])}; merge {_words(facts, wanted[MERGE])}; no force push"
    does = f"protect {facts.branch}: {words}"
    if rule is None:
        return (_protect(facts, does),)
    unfit = [which for which in wanted if not _suits(facts, which, rule.levels(which))]
    body: dict[str, Any] = {"allow_force_push": False}
    if not unfit:
        return (Change(f"protect {facts.branch}: no force push", "patch", path, body),)
    if not facts.is_paid:  # Free changes the roles of no rule: it is made anew
        gone = Change(f"take the old protection from {facts.branch} (the next step makes it anew)", "delete", path, {})
        return gone, _protect(facts, does)
    body |= {f"allowed_to_{which}": _exchange(rule.levels(which), wanted[which]) for which in unfit}
    return (Change(does, "patch", path, body),)


def _protect(facts: Facts, does: str) -> Change:
    body: dict[str, Any] = {"name": facts.branch, "allow_force_push": False}
    for which, who in _wanted(facts).items():
        if who.users:
            body[f"allowed_to_{which}"] = [{"user_id": user} for user in who.users]
        else:
            body[f"{which}_access_level"] = who.role
    return Change(does, "post", "/protected_branches", body)


def _exchange(levels: Sequence[Level], who: Who) -> list[dict[str, Any]]:
    """Return the entries that put in who should and is not there, and take out who should not."""
    there = {level.user for level in levels if level.user}
    new: list[dict[str, Any]] = [{"user_id": user} for user in who.users if user not in there]
    if not who.users and not any(map(who.admits, levels)):
        new = [{"access_level": who.role}]
    return [*new, *({"id": level.id, "_destroy": True} for level in levels if not who.admits(level))]


def _route(facts: Facts) -> Iterator[Item]:
    """Yield how finalize reaches the default branch, once there is a bot."""
    if not isinstance(facts.bot, Unseen):
        name = f"finalize's way to {facts.branch}"
        if facts.is_paid:
            yield ok(name, f"it pushes as @{facts.bot.username}: Premium can let one user push")
        else:
            yield ok(
                name, f"a merge request of its own, merged at once by @{facts.bot.username}: Free lets nobody push"
            )


def _other_rules(facts: Facts, rules: Sequence[Protection]) -> Iterator[Item]:
    """Yield the patterns that cover the default branch too and let in more: of several rules the widest wins."""
    others = [row for row in rules if row.name != facts.branch and row.covers(facts.branch)]
    wide = [row for row in others if any(_too_many(facts, which, row.levels(which)) for which in (PUSH, MERGE))]
    if wide:
        found = "; ".join(
            f"{row.name}: push {levels_text(facts, row.push)}, merge {levels_text(facts, row.merge)}" for row in wide
        )
        name, wanted = f"other rules for {facts.branch}", f"none that allows more than {facts.branch}'s own"
        why = "Where several rules cover a branch, the most permissive one counts."
        mend = f"{WHERE}: remove these, or allow no more there than for {facts.branch}"
        yield wrong(name, found, wanted, why, mend)


def _memory_branches(rules: Sequence[Protection]) -> Item:
    """Return whether branches of submits are free of rules."""
    over = [row for row in rules if row.covers(SAMPLE)]
    why = (
        "Authors push memory/… themselves. On a protected branch they either cannot, or their pipelines get the"
        " protected token of the bot, and with it the right to write to the default branch."
    )
    if not over:
        return ok("memory/… branches", "not protected", why)
    found = f"protected by {', '.join(row.name for row in over)}"
    return wrong("memory/… branches", found, "not protected", why, f"{WHERE}: unprotect, or narrow the pattern")
