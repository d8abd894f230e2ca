"""The pilot's figures (SPEC §8), of a snapshot and of what was heard beside it: the same as ``brain report`` says."""

from __future__ import annotations

from itertools import islice

from brain.errors import BrainError
from brain.json_text import render_json
from brain.tend.metrics import Request, make_report
from brain.tend.say import figures_of
from brain.value import replace

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


def pilot_figures(project: Project, day: str) -> bytes:
    """Return the figures of a day (ISO date) as JSON, null where git does not tell.

    The answer is not kept: machines tell their counts all the time, and those would be much to keep as a question.
    """
    from brain.tend.publish import read_total

    state = project.state
    rows = state.get("requests")
    requests = None if rows is None else tuple(Request(*map(str, row)) for row in rows)
    heard = project.hits.machines()

    def figures(snapshot: Snapshot) -> bytes:
        try:
            facts, counts = snapshot.history(), read_total(snapshot.brain.repo.path, heard)
        except BrainError:
            return b"null"
        report = make_report(replace(facts, counts=counts, requests=requests, today=day))
        return render_json(figures_of(report)).encode()

    return project.read(figures)
