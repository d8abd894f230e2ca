"""The pilot's figures (SPEC §8), of a snapshot and of what was heard beside it: the same as ``brain report`` says."""

from __future__ import annotations

from itertools import islice

from brain.errors import BrainError
from brain.json_text import render_json
from brain.tend.metrics import Request, make_report
from brain.tend.say import figures_of
from brain.value import replace, value
from brain_api.answers import Passing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from brain.forge.gitlab import GitLab
    from brain_api.snapshot import Snapshot

MOST_REQUESTS = 5000


def read_requests(gitlab: GitLab) -> list[list[str]]:
    """Return the merge requests of memories, as rows to be noted down.

    Raises:
        ForgeError: GitLab does not answer.
    """
    from brain.tend.report_facts import list_requests  # only here, as below: the service starts without it

    rows = islice(list_requests(gitlab), MOST_REQUESTS)
    return [[row.state, row.branch, row.created, row.ended] for row in rows]


@value
class PilotQuestion:
    """The figures of a day. ``requests`` is None where no forge is known; ``counted`` is when counts were brought."""

    day: str
    requests: tuple[Request, ...] | None
    counted: float

    def answer(self, snapshot: Snapshot) -> bytes:
        """Return the figures, null where git does not tell."""
        from brain.tend.report_facts import gather

        try:
            facts = gather(snapshot.brain, None, {})
        except BrainError:
            return Passing(b"null")
        report = make_report(replace(facts, requests=self.requests, today=self.day))
        return render_json(figures_of(report)).encode()


def pilot_question(state: Mapping[str, Any], day: str) -> PilotQuestion:
    """Return the question for the figures, with what was noted down."""
    rows = state.get("requests")
    requests = None if rows is None else tuple(Request(*map(str, row)) for row in rows)
    return PilotQuestion(day, requests, float(state.get("counted") or 0.0))
