"""GitLab's predefined variables, as far as jobs need them (docs.gitlab.com/ci/variables/predefined_variables)."""

from __future__ import annotations

from brain.value import replace, value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from brain.forge.locate import Location
    from brain.settings import Config


@value
class Pipeline:
    """The pipeline a job runs in: the folder of the clone, and what its commit is to be compared with.

    ``base`` is a revision, "" where the whole commit counts: on the default branch, by schedule, or outside CI.
    """

    folder: str
    base: str = ""
    is_default: bool = False


def read_pipeline(env: Mapping[str, str], cwd: str) -> Pipeline:
    """Return the pipeline that ``env`` describes; outside of one, the folder ``cwd``."""
    folder = env.get("CI_PROJECT_DIR") or cwd
    merged_with = env.get("CI_MERGE_REQUEST_TARGET_BRANCH_SHA", "")  # in a merged results pipeline alone
    base = merged_with or env.get("CI_MERGE_REQUEST_DIFF_BASE_SHA", "")
    branch, default = env.get("CI_COMMIT_BRANCH", ""), env.get("CI_DEFAULT_BRANCH", "")
    if not base and branch and default and branch != default:
        base = f"origin/{default}"
    return Pipeline(folder, base, bool(branch) and branch == default)


@value
class MergeRequestPipeline:
    """The merge request that a pipeline is for: its number, its source branch and that branch's commit.

    ``project`` and ``job`` are addresses of web pages, "" where they are not told. ``is_foreign`` says that the
    pipeline runs in a fork, where nothing of the project may be written.
    """

    iid: int
    branch: str
    head: str
    project: str
    job: str
    is_foreign: bool


def read_merge_request(env: Mapping[str, str]) -> MergeRequestPipeline | None:
    """Return the merge request of the pipeline, None outside of a merge request pipeline."""
    iid = env.get("CI_MERGE_REQUEST_IID", "")
    if not (iid.isascii() and iid.isdigit()):
        return None
    own, its = env.get("CI_PROJECT_ID", ""), env.get("CI_MERGE_REQUEST_PROJECT_ID", "")
    return MergeRequestPipeline(
        int(iid), env.get("CI_MERGE_REQUEST_SOURCE_BRANCH_NAME", ""),
        env.get("CI_MERGE_REQUEST_SOURCE_BRANCH_SHA") or env.get("CI_COMMIT_SHA", ""),
        env.get("CI_PROJECT_URL", ""), env.get("CI_JOB_URL", ""), own != (its or own),
    )  # fmt: skip


def find_location(env: Mapping[str, str], config: Config, variable: str) -> Location | None:
    """Return where the pipeline's project is asked for, with the token that ``variable`` holds; None without either."""
    token = env.get(variable, "").strip()
    if not token:
        return None
    from brain.forge.locate import Secret, locate  # where nobody is told anything, nobody is looked for

    where = locate(env.get("CI_PROJECT_URL", ""), config, env)
    if where is None:
        return None
    return replace(where, token=Secret(token), token_name=variable, ca=where.ca or env.get("CI_SERVER_TLS_CA_FILE", ""))


def read_before(env: Mapping[str, str]) -> str:
    """Return the commit that the branch had before the push that a pipeline is for, "" where there is none."""
    before = env.get("CI_COMMIT_BEFORE_SHA", "")
    return before if before.strip("0") else ""
