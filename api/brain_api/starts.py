"""Starting finalize after a webhook (SPEC §6.4): what is to be started, as a plan, and the doing.

Nothing is decided here by what the webhook says of approvals: finalize asks GitLab itself. So a webhook that comes
twice, late or out of order starts at most a run that finds nothing to do.
"""

from __future__ import annotations

from brain.errors import BrainError, ForgeError
from brain.forge.locate import TOKEN
from brain.value import value
from brain_api.settings import HERE, OFF, PIPELINE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from brain.forge.gitlab import GitLab
    from brain_api.deliveries import Delivery

ON_BRANCH = "on-branch"
APPROVING = ("approved", "approval")
MERGED = "merge"


@value
class Start:
    """One run of finalize: for a merge request's branch, or (0) for the default branch."""

    iid: int = 0


def plan_starts(deliveries: Iterable[Delivery], team_mode: str) -> list[Start]:
    """Return the runs that deliveries ask for, each once; ``team_mode`` is the team's ``review.finalize``."""
    starts: dict[Start, None] = {}
    for told in deliveries:
        if not told.ours:
            continue
        merged = told.action == MERGED or told.state == "merged"
        if merged:
            starts[Start()] = None
        elif told.action in APPROVING and team_mode == ON_BRANCH:
            starts[Start(told.iid)] = None
    return list(starts)


def start(how: str, run: Start, gitlab: GitLab | None, mirror: str, env: Mapping[str, str]) -> str:
    """Start a run as the service's settings say; return what came of it, in a word or two.

    Raises:
        ForgeError: GitLab does not answer, or refuses.
        BrainError: Finalize here could not do it.
    """
    if how == OFF:
        return "off"
    if gitlab is None:
        raise BrainError("there is no token to start finalize with", "name its variable in tokenVariable")
    if how == HERE:
        from brain.finalize.apply import finalize  # only here: the service starts without lint and submit
        from brain.finalize.job import open_job

        outcome = finalize(open_job(mirror, {**env, TOKEN: str(gitlab.location.token)}))
        return "finalized" if outcome.commit else "nothing to finalize"
    assert how == PIPELINE
    return _merge_request_pipeline(gitlab, run.iid) if run.iid else _branch_pipeline(gitlab)


def _merge_request_pipeline(gitlab: GitLab, iid: int) -> str:
    gitlab.connection.call("post", f"{gitlab.at}/merge_requests/{iid}/pipelines", body={})
    return "pipeline started"


def _branch_pipeline(gitlab: GitLab) -> str:
    """Start a pipeline of the default branch, if its head has none: where CI is set up so, the merge started one."""
    branch = gitlab.project().default_branch
    heads = gitlab.connection.call(
        "get", f"{gitlab.at}/repository/commits", query={"ref_name": branch, "per_page": "1"}
    )
    sha = str(heads[0].get("id") or "") if heads else ""
    running = gitlab.connection.call(
        "get", f"{gitlab.at}/pipelines", query={"ref": branch, "sha": sha, "per_page": "1"}
    )
    if running:
        return "a pipeline is there"
    gitlab.connection.call("post", f"{gitlab.at}/pipeline", body={"ref": branch})
    return "pipeline started"


def is_final(error: BrainError) -> bool:
    """Say whether trying again does not help: GitLab understood and refused."""
    return isinstance(error, ForgeError) and 400 <= error.status < 500 and error.status not in (408, 409, 429)
