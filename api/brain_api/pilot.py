"""The pilot's figures (SPEC §8), of a snapshot and of what was heard beside it: the same as ``brain report`` says."""

from __future__ import annotations

from itertools import islice

from brain.errors import BrainError
from brain.json_text import render_json
from brain.tend.counts import parse_counts, render_counts
from brain.tend.metrics import Request, make_report
from brain.tend.say import figures_of
from brain.value import replace, value
from brain_api.answers import Passing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from brain.forge.gitlab import GitLab
    from brain_api.project import Project
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
    """The figures of a day. ``requests`` is None where no forge is known; ``counted`` is when counts were brought.

    ``heard`` are machines and the counts that they told here, as text.
    """

    day: str
    requests: tuple[Request, ...] | None
    counted: float
    heard: tuple[tuple[str, str], ...] = ()

    def answer(self, snapshot: Snapshot) -> bytes:
        """Return the figures, null where git does not tell."""
        from brain.tend.publish import read_total

        heard = {name: parse_counts(text) for name, text in self.heard}
        try:
            facts, counts = snapshot.history(), read_total(snapshot.brain.repo.path, heard)
        except BrainError:
            return Passing(b"null")
        report = make_report(replace(facts, counts=counts, requests=self.requests, today=self.day))
        return render_json(figures_of(report)).encode()


def pilot_question(project: Project, day: str) -> PilotQuestion:
    """Return the question for the figures, with what was noted down and heard."""
    state = project.state
    rows = state.get("requests")
    requests = None if rows is None else tuple(Request(*map(str, row)) for row in rows)
    heard = tuple((name, render_counts(counts)) for name, counts in sorted(project.hits.machines().items()))
    return PilotQuestion(day, requests, float(state.get("counted") or 0.0), heard)
