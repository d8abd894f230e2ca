"""Whose approval counts, and of what: the rules, in one place. Pure functions (SPEC §6.4, facts.md §0.3, §3).

- Only a person of ``people.pm`` counts, by user number; who is a bot, blocked, or has left the project does not.
- Nobody approves what they proposed. A second PM is the deputy.
- GitLab's own ``approved`` is never looked at: on Free anyone's approval sets it, on Premium sometimes nobody's.
- On Free, where approvals are advice, a PM who merged has approved the head that was merged: main is protected there
  so that nobody pushes and Maintainers merge. On a paid tier merging is no approval.
- An approval is of the head that the merge request had then. Where it is not known which that was, it is of what all
  heads that it may have been have in common.
- A merge request from a fork counts for nothing.
"""

from __future__ import annotations

from datetime import UTC, datetime

from brain.forge.values import MERGED
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from brain.forge.values import Approvals, MergeRequest, Note, Person, Version

FOREIGN, OWN, NOT_PM, NOBODY, BOT, BLOCKED, LEFT = "foreign", "own", "not_pm", "nobody", "bot", "blocked", "left"
CHANGED, DIFFERS, UNKNOWN, PUSHED, UNPROVEN = "changed", "differs", "unknown", "pushed", "unproven"
RESET, STUCK, OUTSIDE, MEANWHILE = "reset", "stuck", "outside", "meanwhile"
"""Why something is not approved; ``texts`` has the words."""
GOOD = ""
APPROVED_NOTE = "approved this merge request"
"""GitLab's own note of an approval, in any language of its pages."""


@value
class Reason:
    """Why something is not approved, and the names or paths that it is about."""

    code: str
    names: tuple[str, ...] = ()


@value
class Consent:
    """A PM's approval: who, and the heads of which it may be, all of them the same where that is known."""

    person: Person
    heads: tuple[Version, ...]


@value
class Case:
    """What GitLab says of one merge request.

    ``pms`` is user number → what speaks against that PM (``GOOD``: nothing). ``notes`` are asked for only where
    approvals carry no time.
    """

    request: MergeRequest
    approvals: Approvals
    versions: Sequence[Version]
    pms: Mapping[int, str]
    notes: Sequence[Note] = ()


def find_consents(case: Case) -> tuple[list[Consent], Reason | None]:
    """Return the approvals that count, the surest first; without any, the reason."""
    if case.request.is_foreign:
        return [], Reason(FOREIGN)
    reasons: list[Reason] = []
    consents: list[Consent] = []
    for person, at in _approving(case):
        why = _objection(case, person)
        if why:
            reasons.append(Reason(why, (person.username,)))
        else:
            consents.append(Consent(person, _heads(case, person, at)))
    if consents:
        return consents, None
    return [], min(reasons, key=lambda reason: reason.code == NOT_PM, default=Reason(NOBODY))


def _approving(case: Case) -> list[tuple[Person, str | None]]:
    """Return who approved and when; the time is None where merging is the approval."""
    found: list[tuple[Person, str | None]] = []
    merger = case.request.merged_by
    if case.request.state == MERGED and merger and not case.approvals.paid:
        found.append((merger, None))
    approvals = [(row.person, row.at) for row in case.approvals.given]
    return [row for row in found if row[0].id in case.pms] + approvals


def _objection(case: Case, person: Person) -> str:
    if person.id not in case.pms:
        return NOT_PM
    return OWN if person.id == case.request.author.id else case.pms[person.id]


def _heads(case: Case, person: Person, at: str | None) -> tuple[Version, ...]:
    """Return the heads that an approval may be of; none where GitLab does not know that head."""
    if at is None:
        return tuple(row for row in case.versions if row.head == case.request.sha)[:1]
    said = [row.created for row in case.notes if _is_approval(row, person)]
    moment = _time(at or max(said, default=""))
    if moment is None:
        return tuple(case.versions)
    dated = [(_time(row.created), row) for row in case.versions]
    if any(when is None for when, _ in dated):
        return tuple(case.versions)
    earlier = [(when, row) for when, row in dated if when and when <= moment]
    return (max(earlier, key=lambda pair: pair[0])[1],) if earlier else tuple(case.versions)


def _is_approval(note: Note, person: Person) -> bool:
    return note.system and note.author.id == person.id and note.body.strip() == APPROVED_NOTE


def _time(text: str) -> datetime | None:
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def weigh(
    consents: Sequence[Consent],
    seen: Mapping[Version, Mapping[str, bytes | None] | None],
    now: Mapping[str, bytes | None] | None,
) -> tuple[str, Reason | None]:
    """Return the first approver whose approval is of what the merge request ended with; "" and the reason without one.

    Args:
        consents: The approvals that count.
        seen: Version → what it changes (``canonical``), None where that cannot be seen. The same head changes
            something else where the merge request was given another target branch.
        now: What the merge request changes now, or was merged with; None where that cannot be seen.
    """
    reason = Reason(UNKNOWN)
    for consent in consents:
        approved = [seen.get(version) for version in consent.heads]
        if now is None or not approved or None in approved:
            continue
        changed = {path for then in approved if then is not None for path in _differing(then, now)}
        if not changed:
            return consent.person.username, None
        reason = Reason(CHANGED if len(approved) == 1 else UNKNOWN, tuple(sorted(changed)))
    return "", reason


def _differing(one: Mapping[str, bytes | None], other: Mapping[str, bytes | None]) -> set[str]:
    missing = object()
    return {path for path in {**one, **other} if one.get(path, missing) != other.get(path, missing)}
