"""The schedules: a sweep each hour, and each week the merge request that keeps the memory true (SPEC §6.4, §8)."""

from __future__ import annotations

from brain.protect.facts import ACTIVE, CONSOLIDATE, MAINTAINER, Unseen
from brain.protect.item import Change, Item, ok, unseen, wrong
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from brain.protect.facts import Facts, Schedule

OWNER_WHY = "GitLab starts it in its owner's name, on a protected branch only where the owner may push or merge."


@value
class Wanted:
    """A schedule that the flow needs: the setting's name, what GitLab shows of it, when it runs, and what for."""

    name: str
    description: str
    cron: str
    often: str
    why: str
    weekly: bool = False

    def fits(self, row: Schedule) -> bool:
        """Say whether a schedule is of this kind: the weekly one is told by its variable, or by its name."""
        return self.weekly == (row.consolidates is True or row.description == WEEKLY.description)


SWEEP = Wanted(
    "schedule", "Project Brain: sweep", "17 * * * *", "each hour",
    "A sweep each hour finishes what a lost webhook, a failed job or a race left behind.",
)  # fmt: skip
WEEKLY = Wanted(
    "weekly schedule", "Project Brain: consolidate", "23 3 * * 1", "each week",
    "One merge request a week counts what memories were used for, and proposes what is stale or unused for removal.",
    weekly=True,
)  # fmt: skip


def plan_schedules(facts: Facts) -> Iterator[Item]:
    """Yield the sweep's schedule, and the weekly one."""
    for wanted in (SWEEP, WEEKLY):
        if isinstance(facts.schedules, Unseen):
            yield unseen(wanted.name, facts.schedules)
        else:
            yield _schedule(facts, wanted, facts.schedules)


def _schedule(facts: Facts, wanted: Wanted, schedules: Sequence[Schedule]) -> Item:
    rows = sorted(filter(wanted.fits, schedules), key=lambda row: (not _runs(facts, row), not _is_ours(wanted, row)))
    mend = f"Build → Pipeline schedules: {wanted.description!r}, cron {wanted.cron}, target branch {facts.branch}"
    mend += f", variable {CONSOLIDATE} = true" if wanted.weekly else ""
    target = f"one {wanted.often}, for {facts.branch}"
    may = may_run(facts, facts.me.id)
    row = next((row for row in rows if _runs(facts, row) or _is_ours(wanted, row)), None)
    if row is None:
        if not may:
            return wrong(wanted.name, "none", target, f"{wanted.why} {OWNER_WHY}", f"a PM does: {mend}")
        return wrong(wanted.name, "none", target, wanted.why, mend, _make(facts, wanted))
    changes = tuple(_mends(facts, wanted, row))
    if not changes:
        return ok(wanted.name, _found(row), OWNER_WHY)
    target += ", of somebody who may push or merge there"
    if not may:
        return wrong(wanted.name, _found(row), target, OWNER_WHY, f"a PM takes ownership of it; then {mend}")
    mend = f"take ownership; then {mend}"
    return wrong(wanted.name, _found(row), target, f"{wanted.why} {OWNER_WHY}", mend, *changes)


def _runs(facts: Facts, row: Schedule) -> bool:
    return row.active and row.branch == facts.branch


def _is_ours(wanted: Wanted, row: Schedule) -> bool:
    return row.description == wanted.description


def _found(row: Schedule) -> str:
    off = "" if row.active else ", switched off"
    lacks = f", without {CONSOLIDATE}" if row.description == WEEKLY.description and row.consolidates is False else ""
    return f"{row.description}, for {row.branch}, of @{row.owner.username}{off}{lacks}"


def _make(facts: Facts, wanted: Wanted) -> Change:
    body = {"description": wanted.description, "ref": facts.branch, "cron": wanted.cron, "cron_timezone": "UTC",
            "active": True}  # fmt: skip
    does = f"make the schedule {wanted.description!r}: {wanted.often}, for {facts.branch}"
    return Change(does, "post", "/pipeline_schedules", body)


def _mends(facts: Facts, wanted: Wanted, row: Schedule) -> Iterator[Change]:
    """Yield what makes a schedule as it should be: first of all whose it is, for GitLab lets its owner edit it."""
    path, shown = f"/pipeline_schedules/{row.id}", f"the schedule {row.description!r}"
    lacks = wanted.weekly and row.consolidates is False
    edits = lacks or not _runs(facts, row)
    if not may_run(facts, row.owner.id) or (edits and row.owner.id != facts.me.id):
        yield Change(f"take ownership of {shown}", "post", f"{path}/take_ownership", {})
    if not _runs(facts, row):
        body = {"active": True, "ref": facts.branch}
        yield Change(f"switch {shown} on, for {facts.branch}", "put", path, body)
    if lacks:
        variable = {"key": CONSOLIDATE, "value": "true"}
        yield Change(f"give {shown} the variable {CONSOLIDATE}", "post", f"{path}/variables", variable)


def may_run(facts: Facts, user: int) -> bool:
    """Say whether a user can start pipelines of the protected branch: whoever may push or merge there."""
    if isinstance(facts.members, Unseen):
        return True
    member = next((row for row in facts.members if row.id == user), None)
    if member is None or member.state != ACTIVE:
        return False
    if facts.is_paid and facts.pms():
        return member in (*facts.pms(), facts.bot)
    return member.level >= MAINTAINER
