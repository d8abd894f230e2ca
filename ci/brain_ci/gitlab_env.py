"""GitLab's predefined variables, as far as jobs need them (docs.gitlab.com/ci/variables/predefined_variables)."""

from __future__ import annotations

from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


@value
class Pipeline:
    """The pipeline a job runs in: the folder of the clone, and what its commit is to be compared with.

    ``base`` is a revision, "" where the whole commit counts: on the default branch, by schedule, or outside CI.
    """

    folder: str
    base: str = ""


def read_pipeline(env: Mapping[str, str], cwd: str) -> Pipeline:
    """Return the pipeline that ``env`` describes; outside of one, the folder ``cwd``."""
    folder = env.get("CI_PROJECT_DIR") or cwd
    base = env.get("CI_MERGE_REQUEST_DIFF_BASE_SHA", "")
    branch, default = env.get("CI_COMMIT_BRANCH", ""), env.get("CI_DEFAULT_BRANCH", "")
    if not base and branch and default and branch != default:
        base = f"origin/{default}"
    return Pipeline(folder, base)
