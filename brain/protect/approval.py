"""Who must approve, and what takes an approval away (Premium); on Free, what Brain holds to itself instead."""

from __future__ import annotations

from brain.protect.facts import Unseen
from brain.protect.item import Change, Item, ok, unseen, wrong

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from brain.protect.facts import Approving, Facts, Rule

RULE = "PM"
WHERE = "Settings → Merge requests → Merge request approvals"
NAMES = ("approval rule", "rules in merge requests", "approval by the author", "approval by committers",
         "approvals after a push")  # fmt: skip
ON_FREE = (
    "Free enforces none, and counts anyone's. Brain enforces it: finalize asks GitLab who approved and who merged, and"
    " what no PM did stays pending, is recalled by nobody, and fails the job"
)


def plan_approval(facts: Facts) -> Iterator[Item]:
    """Yield the approval rule and settings, or what stands in for them."""
    if isinstance(facts.tier, Unseen):
        yield unseen("approvals", facts.tier, "ask a Maintainer to run it")
        return
    if not facts.is_paid:
        yield ok("approvals", ON_FREE)
        return
    yield _rule(facts)
    if isinstance(facts.approving, Unseen):
        yield from (unseen(name, facts.approving) for name in NAMES[1:])
        return
    yield from _settings(facts.approving, facts.want.mode)


def _rule(facts: Facts) -> Item:
    if isinstance(facts.rules, Unseen):
        return unseen(NAMES[0], facts.rules)
    pms = facts.pms()
    wanted = f"1 approval by {' or '.join(f'@{row.username}' for row in pms)}" if pms else "1 approval by the PM"
    why = (
        "The approval of a PM is what makes a memory official. The rule counts for every merge request into"
        f" {facts.branch}."
    )
    if len(pms) == 1:
        why += (
            " With one PM, GitLab takes the PM's own merge requests as approved; finalize does not: name a deputy, by a"
            " merge request that somebody else opens."
        )
    if not pms:
        mend = "name the PM in brain.toml, people.pm, and make them a member: Developer at least"
        return wrong(NAMES[0], "no PM is known who could approve", wanted, why, mend)
    ids = {row.id for row in pms}
    good = next((rule for rule in facts.rules if _does(facts, rule, ids)), None)
    if good:
        return ok(NAMES[0], f"{good.name}: {good.required} by {_who(facts, good)}", why)
    old = next((rule for rule in facts.rules if rule.name == RULE), None)
    body: dict[str, Any] = {"name": RULE, "approvals_required": max(1, old.required if old else 1),
                            "user_ids": sorted(ids), "group_ids": []}  # fmt: skip
    if old and not _covers(facts, old):
        body |= {"protected_branch_ids": [], "applies_to_all_protected_branches": False}
    verb, path = ("put", f"/approval_rules/{old.id}") if old else ("post", "/approval_rules")
    found = f"{old.name}: {old.required} by {_who(facts, old)}" if old else "none that only a PM can satisfy"
    mend = f"{WHERE}: add the rule {RULE!r}, {wanted}"
    return wrong(NAMES[0], found, wanted, why, mend, Change(f"approval rule {RULE}: {wanted}", verb, path, body))


def _does(facts: Facts, rule: Rule, pms: set[int]) -> bool:
    return rule.required >= 1 and set(rule.users) == pms and not rule.groups and _covers(facts, rule)


def _covers(facts: Facts, rule: Rule) -> bool:
    return not rule.branches or "*" in rule.branches or facts.branch in rule.branches


def _who(facts: Facts, rule: Rule) -> str:
    names = [
        *map(facts.name_of, rule.users),
        *(f"group {group}" if group else "a hidden group" for group in rule.groups),
    ]
    return f"any of {', '.join(names)}" if len(names) > 1 else next(iter(names), "anyone who may approve")


def _settings(found: Approving, mode: str) -> Iterator[Item]:
    yield _switch(
        NAMES[1], "can be edited" if not found.rules_fixed else "fixed", "fixed",
        "Else whoever opens a merge request can take the PM's rule from it.",
        "“Prevent editing approval rules in merge requests”: on",
        {"disable_overriding_approvers_per_merge_request": True},
    )  # fmt: skip
    yield _switch(
        NAMES[2], "counts" if found.author_may else "does not count", "does not count",
        "Nobody makes their own memory official.", "“Prevent approval by merge request creator”: on",
        {"merge_requests_author_approval": False},
    )  # fmt: skip
    yield _switch(
        NAMES[3], "counts" if found.committers_may else "does not count", "counts",
        "The PM may mend a word on the branch and approve. Else GitLab refuses that approval and, with one PM, takes"
        " its rule as kept. What a developer commits after an approval takes it away all the same.",
        "“Prevent approvals by users who add commits”: off",
        {"merge_requests_disable_committers_approval": False},
    )  # fmt: skip
    on_branch = mode == "on-branch"
    why = "What was approved is what gets merged: a push after the approval takes it away."
    if on_branch:
        why = (
            "In the mode on-branch the bot pushes after the approval, which must outlast that; finalize itself voids"
            " an approval that somebody else's commit follows."
        )
    yield _switch(
        NAMES[4], "are removed" if found.reset_on_push else "are kept",
        "are kept" if on_branch else "are removed", why,
        f"“When a commit is added”: {'keep approvals' if on_branch else 'remove all approvals'}"
        + (", or set review.finalize to on-main" if on_branch else ""),
        {"reset_approvals_on_push": not on_branch},
    )  # fmt: skip


def _switch(name: str, found: str, wanted: str, why: str, mend: str, body: dict[str, Any]) -> Item:
    if found == wanted:
        return ok(name, found, why)
    return wrong(name, found, wanted, why, f"{WHERE}: {mend}", Change(f"{name}: {wanted}", "post", "/approvals", body))
