"""Jobs, their logs and artifacts; commit statuses; CI lint."""

from __future__ import annotations

import io
import zipfile
from typing import Any

from tests.gitlab import access, ci_config, errors, pipelines, users
from tests.gitlab.call import Call, Reply
from tests.gitlab.clock import iso
from tests.gitlab.git import must_commit, repo_of
from tests.gitlab.pagination import paged
from tests.gitlab.routes import DEVELOPER, REPORTER, route
from tests.gitlab.state import Row


def shown(call: Call, row: Row) -> Row:
    """Return a job."""
    world = call.world
    pipeline = world.the("pipelines", row["pipeline_id"])
    path = access.project_path(world, world.the("projects", row["project_id"]))
    names = ("id", "iid", "project_id", "sha", "ref", "status", "source", "created_at", "updated_at", "web_url")
    return {
        **{name: row[name] for name in ("id", "status", "stage", "name", "allow_failure")},
        "ref": pipeline["ref"],
        "tag": pipeline["tag"],
        "coverage": None,
        "created_at": iso(row["created_at"]),
        "started_at": iso(row["started_at"]),
        "finished_at": iso(row["finished_at"]),
        "erased_at": iso(row["erased_at"]),
        "duration": (row["finished_at"] - row["started_at"]) if row["finished_at"] and row["started_at"] else None,
        "queued_duration": 0.0,
        "user": users.by_id(world, row["user_id"]),
        "commit": _commit(call, pipeline["sha"]),
        "pipeline": {name: pipelines.brief(world, pipeline)[name] for name in names},
        "web_url": f"{world.address}/{path}/-/jobs/{row['id']}",
        "project": {"ci_job_token_scope_enabled": False},
        "artifacts": [{"file_type": "archive", "size": 1, "filename": "artifacts.zip", "file_format": "zip"}]
        if row["artifacts"]
        else [],
        "runner": None,
        "runner_manager": None,
        "artifacts_expire_at": None,
        "archived": False,
        "tag_list": row["tags"],
    }


def _commit(call: Call, sha: str) -> Row:
    from tests.gitlab import commits

    return commits.one(call.world, call.project, sha)


def _listed(call: Call, rows: list[Row]) -> Reply:
    scope = call.listed("scope")
    chosen = [row for row in rows if not scope or row["status"] in scope]
    return paged(call, list(reversed(chosen)), lambda row: shown(call, row))


def of_pipeline(call: Call) -> Reply:
    """List a pipeline's jobs."""
    row = pipelines.the_pipeline(call)
    return _listed(call, call.world.rows("jobs", pipeline_id=row["id"]))


def index(call: Call) -> Reply:
    """List the project's jobs."""
    return _listed(call, call.world.rows("jobs", project_id=call.project["id"]))


def _one(call: Call) -> Row:
    row = call.world.get("jobs", call.number("job_id"))
    if row is None or row["project_id"] != call.project["id"]:
        raise errors.no_record()
    return row


def _acting(allowed: set[str], to: str) -> Any:
    def run(call: Call) -> Row:
        row = _one(call)
        if row["status"] not in allowed:
            raise errors.forbidden("Job is not " + ("cancelable" if to == "canceled" else "retryable")) if to != "pending" else errors.told(
                400, "400 Bad request - Unplayable Job")  # fmt: skip
        if to == "canceled":
            pipelines.finish_job(call.world, row, "canceled")
        else:
            row |= {"status": "pending", "started_at": None, "finished_at": None}
            result = call.world.settings["result"]
            if call.world.settings["runner"] == "recorded" and result != "pending":
                pipelines.finish_job(call.world, row, result)
        return shown(call, row)

    return run


def erase(call: Call) -> Row:
    """Forget a job's log and artifacts."""
    row = _one(call)
    row |= {"trace": "", "artifacts": {}, "erased_at": call.world.now()}
    return shown(call, row)


def trace(call: Call) -> Reply:
    """Return a job's log."""
    return Reply(_one(call)["trace"], kind="text/plain")


def archive(row: Row) -> Reply:
    """Return a job's artifacts as a zip.

    Raises:
        ApiError: It has none.
    """
    if not row["artifacts"]:
        raise errors.not_found()
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        for path, content in row["artifacts"].items():
            file.writestr(path, bytes.fromhex(content))
    return Reply(packed.getvalue(), kind="application/octet-stream")


def artifact(row: Row, path: str) -> Reply:
    """Return one file of a job's artifacts.

    Raises:
        ApiError: It is not there.
    """
    if path not in row["artifacts"]:
        raise errors.not_found()
    return Reply(bytes.fromhex(row["artifacts"][path]), kind="application/octet-stream")


def _newest(call: Call) -> Row:
    sha = repo_of(call.world, call.project).commit(call.params["ref"])
    rows = call.world.rows("jobs", project_id=call.project["id"], name=call.text("job"), status="success")
    for row in reversed(rows):
        pipeline = call.world.the("pipelines", row["pipeline_id"])
        if pipeline["ref"] == call.params["ref"] or pipeline["sha"] == sha:
            return row
    raise errors.not_found()


def drop_artifacts(call: Call) -> None:
    """Delete a job's artifacts."""
    _one(call)["artifacts"] = {}


# Commit statuses


def status_shown(call: Call, row: Row) -> Row:
    """Return a commit status."""
    return {
        **{name: row[name] for name in ("id", "sha", "ref", "status", "name", "target_url", "description", "coverage")},
        "created_at": iso(row["created_at"]),
        "started_at": None,
        "finished_at": iso(row["finished_at"]),
        "allow_failure": False,
        "pipeline_id": row["pipeline_id"],
        "author": users.by_id(call.world, row["user_id"]),
    }


def statuses(call: Call) -> Reply:
    """List a commit's statuses."""
    sha = must_commit(repo_of(call.world, call.project), call.params["sha"])
    rows = call.world.rows("statuses", project_id=call.project["id"], sha=sha)
    return paged(call, rows, lambda row: status_shown(call, row))


def set_status(call: Call) -> Row:
    """Set a commit's status, in an external pipeline of its own."""
    world, project = call.world, call.project
    sha = must_commit(repo_of(world, project), call.params["sha"])
    name = call.text("name") or call.text("context") or "default"
    ref = call.text("ref") or project["default_branch"]
    old = world.one("statuses", project_id=project["id"], sha=sha, name=name, ref=ref)
    if old and old["status"] == call.text("state"):
        raise errors.told(
            400,
            f'Cannot transition status via :enqueue from :{old["status"]} (Reason(s): Status cannot transition via "enqueue")',
        )
    if old:
        world.drop("statuses", old)
    ended = call.world.now() if call.text("state") in pipelines.ENDED else None
    pipeline = world.one("pipelines", project_id=project["id"], sha=sha, source="external") or world.add("pipelines", {
        "project_id": project["id"], "iid": world.next_iid("pipelines", project["id"]), "sha": sha, "ref": ref, "tag": False,
        "source": "external", "mr_id": None, "user_id": call.me["id"], "status": "pending", "name": None, "before_sha": "0" * 40,
        "yaml_errors": None, "duration": None, "queued_duration": None, "coverage": None, "started_at": None,
        "finished_at": None, "stages": ["external"], "variables": {}})  # fmt: skip
    row = world.add("statuses", {
        "project_id": project["id"], "sha": sha, "ref": ref, "status": call.text("state"), "name": name,
        "target_url": call.args.get("target_url"), "description": call.args.get("description"),
        "coverage": call.args.get("coverage"), "finished_at": ended, "user_id": call.me["id"], "pipeline_id": pipeline["id"]})  # fmt: skip
    _sum_up(call, pipeline)
    return status_shown(call, row)


def _sum_up(call: Call, pipeline: Row) -> None:
    found = {row["status"] for row in call.world.find("statuses", pipeline_id=pipeline["id"])}
    order = ("failed", "running", "pending", "canceled", "success")
    status = next((one for one in order if one in found), "success")
    if status in pipelines.ENDED:
        pipelines.finish(call.world, pipeline, status)
    else:
        pipeline["status"] = status


# Lint


def lint(call: Call) -> Row:
    """Validate a configuration."""
    project, repo = call.project, repo_of(call.world, call.project)
    sha = repo.commit(call.text("ref") or call.text("content_ref") or call.text("sha") or project["default_branch"])
    text = call.text("content")
    if call.verb == "GET":
        found = repo.blob(sha, project["ci_config_path"] or ".gitlab-ci.yml") if sha else None
        if found is None:
            return {
                "valid": False,
                "errors": ["Please provide content of .gitlab-ci.yml"],
                "warnings": [],
                "merged_yaml": None,
                "includes": [],
            }
        text = found.decode()
    read = pipelines.reader(call.world, project, sha) if sha else lambda _: None
    known = (
        pipelines.branch_variables(call.world, project, call.me, project["default_branch"], sha, source="push")
        if sha
        else {}
    )
    wrong, merged, rows = [], None, []
    try:
        config = ci_config.load(text, read)
        import yaml

        merged = yaml.safe_dump(config, sort_keys=False)
        rows = ci_config.jobs(config, known)
        if not any(
            isinstance(body, dict) and name not in ci_config.GLOBAL and not name.startswith(".")
            for name, body in config.items()
        ):
            wrong = ["jobs config should contain at least one visible job"]
    except ci_config.ConfigError as error:
        wrong = [str(error)]
    more = (
        {"jobs": [{"name": row["name"], "stage": row["stage"], "when": row["when"]} for row in rows]}
        if call.flag("include_jobs") or call.flag("dry_run_jobs")
        else {}
    )
    return {"valid": not wrong, "errors": wrong, "warnings": [], "merged_yaml": merged, "includes": [], **more}


ONE, STATUS = "/projects/:id/jobs/:job_id", "/projects/:id/repository/commits/:sha/statuses"
STATES = ("pending", "running", "success", "failed", "canceled", "skipped")
ROUTES = [
    route("GET /projects/:id/pipelines/:pipeline_id/jobs", of_pipeline),
    route("GET /projects/:id/jobs", index),
    route(f"GET {ONE}", lambda call: shown(call, _one(call))),
    route(f"POST {ONE}/cancel", _acting({"pending", "running", "created"}, "canceled"), role=DEVELOPER),
    route(f"POST {ONE}/retry", _acting({"success", "failed", "canceled"}, "retry"), role=DEVELOPER),
    route(f"POST {ONE}/play", _acting({"manual"}, "pending"), role=DEVELOPER, status=200),
    route(f"POST {ONE}/erase", erase, role=DEVELOPER),
    route(f"GET {ONE}/trace", trace),
    route(f"GET {ONE}/artifacts", lambda call: archive(_one(call)), job=True),
    route(f"DELETE {ONE}/artifacts", drop_artifacts, role=DEVELOPER),
    route(f"POST {ONE}/artifacts/keep", lambda call: shown(call, _one(call)), role=DEVELOPER, status=200),
    route(f"GET {ONE}/artifacts/*path", lambda call: artifact(_one(call), call.params["path"]), job=True),
    route(
        "GET /projects/:id/jobs/artifacts/:ref/download",
        lambda call: archive(_newest(call)),
        required=("job",),
        job=True,
    ),
    route(
        "GET /projects/:id/jobs/artifacts/:ref/raw/*path",
        lambda call: artifact(_newest(call), call.params["path"]),
        required=("job",),
        job=True,
    ),
    route(f"GET {STATUS}", statuses),
    route(
        "POST /projects/:id/statuses/:sha", set_status, role=DEVELOPER, required=("state",), values={"state": STATES}
    ),
    route("POST /projects/:id/ci/lint", lint, role=DEVELOPER, required=("content",), status=200),
    route("GET /projects/:id/ci/lint", lint, role=REPORTER),
]
