"""What consolidate proposes and what the report says, as JSON values: for ``--json``, the job and the service."""

from __future__ import annotations

from brain.tend.report_texts import FIGURES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from brain.stale.memories import Doubt
    from brain.submit.journal import Entry
    from brain.submit.plan import Plan
    from brain.tend.consolidate import Tended
    from brain.tend.metrics import Report
    from brain.tend.pairs import Pair


def facts_of(tended: Tended, plan: Plan, entry: Entry | None) -> dict[str, Any]:
    """Return what is proposed, and where."""
    proposal = tended.proposal
    return {
        "branch": plan.branch, "title": plan.title, "mergeRequest": (entry.iid if entry else plan.iid) or None,
        "url": (entry.url if entry else "") or None, "stage": entry.stage if entry else None,
        "changes": [
            {"id": change.case.memory.id, "path": change.case.memory.path, "reasons": list(change.reasons),
             "doubts": [_say(doubt) for doubt in change.case.doubts], **change.values}
            for change in proposal.changes
        ],
        "verify": [case.memory.id for case in proposal.verify],
        "duplicates": _pairs(tended, proposal.duplicates), "contradictions": _pairs(tended, proposal.contradictions),
        "retros": [
            {"ticket": row.ticket, "user": row.user or None, "points": list(row.points)} for row in proposal.retros
        ],
        "waiting": proposal.more, "kept": sorted(tended.facts.held), "busy": sorted(tended.facts.busy),
    }  # fmt: skip


def _say(doubt: Doubt) -> str:
    moved = f" → {doubt.answer.new_path}" if doubt.answer.new_path else ""
    return f"{doubt.ref}: {doubt.answer.reason}{moved}"


def _pairs(tended: Tended, pairs: Iterable[Pair]) -> list[dict[str, Any]]:
    memories = tended.facts.memories
    return [
        {"ids": [memories[pair.one].id, memories[pair.other].id], "similarity": pair.similarity,
         "byMeaning": pair.meaning} for pair in pairs
    ]  # fmt: skip


def figures_of(report: Report) -> dict[str, Any]:
    """Return the report, each figure's definition beside it."""
    return {
        "today": report.today, "figures": dict(report.figures), "removals": dict(report.reasons),
        "sprints": [{"start": row.start, "approved": row.approved, "rejected": row.rejected} for row in report.sprints],
        "tokensPerSession": [list(row) for row in report.tokens],
        "citationsPerTask": [list(row) for row in report.cited],
        "definitions": {name: text for name, (_, text) in FIGURES["en"].items()},
    }  # fmt: skip
