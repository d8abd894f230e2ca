"""What lint says of the merge requests that wait, judged from the mirror: GitLab is not asked."""

from __future__ import annotations

import time

from brain.errors import BrainError
from brain.git.objects import find_tree
from brain.json_text import parse_json, render_json
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from brain.lint.finding import Finding
    from brain_api.snapshot import Snapshot

MOST_FILES = 100
"""Changed files of a merge request that are judged here; CI judges them all."""
MOST_ROWS = 20
SECONDS = 2.0
"""How long a page waits for judgements that are not kept yet."""
JUDGED, UNKNOWN, LATER, MANY = "judged", "unknown", "later", "many"


@value
class FindingsQuestion:
    """What lint says on a day of a commit, against the memory that is served."""

    commit: str
    day: str

    def answer(self, snapshot: Snapshot) -> bytes:
        """Return how many errors and warnings nobody allowed, and the first of them."""
        from brain.lint.run import Job, lint_change  # only here: the service starts without lint
        from brain.lint.sources import changes_between, merge_base

        brain = snapshot.brain
        repo, base = brain.repo.path, snapshot.commit
        try:
            if not base or find_tree(repo, self.commit, "") is None:
                return _told(UNKNOWN)
            change = changes_between(repo, merge_base(repo, base, self.commit), self.commit)
            if len(change.added) + len(change.changed) > MOST_FILES:
                return _told(MANY)
            report = lint_change(Job(brain.repo, brain.tree.root, self.day), base, self.commit)
        except BrainError:
            return _told(UNKNOWN)
        return _told(JUDGED, [finding for finding in report.findings if not finding.allowed])


def _told(state: str, findings: Iterable[Finding] = ()) -> bytes:
    rows = sorted(findings, key=lambda finding: not finding.blocks)
    errors = sum(finding.blocks for finding in rows)
    shown = [
        {"path": row.path, "line": row.line, "severity": row.severity, "code": row.rule.code, "message": row.message,
         "mend": row.mend}
        for row in rows[:MOST_ROWS]
    ]  # fmt: skip
    facts = {"state": state, "errors": errors, "warnings": len(rows) - errors, "rows": shown}
    return render_json({**facts, "more": len(rows) - len(shown)}).encode()


def findings_of(snapshot: Snapshot, requests: Iterable[Mapping[str, Any]], day: str) -> dict[int, Any]:
    """Return iid → what is said of each merge request; those whose turn does not come in time are told so."""
    until, found = time.monotonic() + SECONDS, {}
    for row in requests:
        question = FindingsQuestion(str(row.get("sha") or ""), day)
        if not question.commit:
            text = _told(UNKNOWN)
        elif time.monotonic() < until:
            text = snapshot.ask(question)
        else:
            text = snapshot.answers.find(question) or _told(LATER)
        found[row["iid"]] = parse_json(text.decode())
    return found
