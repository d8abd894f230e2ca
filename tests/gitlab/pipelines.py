"""Pipelines: when they start, what they hold, how they end."""

from __future__ import annotations

from typing import Any

from tests.gitlab import access, ci_config, errors, events, faults, users
from tests.gitlab.call import Call, Reply
from tests.gitlab.clock import iso
from tests.gitlab.git import ZERO, must_commit, repo_of
from tests.gitlab.pagination import paged
from tests.gitlab.routes import DEVELOPER, OWNER, route
from tests.gitlab.state import Row, World

ENDED = {"success", "failed", "canceled", "skipped", "manual"}
SKIP = ("[skip ci]", "[ci skip]")


def brief(world: World, row: Row) -> Row:
    """Return a pipeline as lists show it."""
    path = access.project_path(world, world.the("projects", row["project_id"]))
    return {
        **{name: row[name] for name in ("id", "iid", "project_id", "sha", "ref", "status", "source", "name")},
        "created_at": iso(row["created_at"]),
        "updated_at": iso(row["updated_at"]),
        "web_url": f"{world.address}/{path}/-/pipelines/{row['id']}",
    }


def full(world: World, row: Row) -> Row:
    """Return a pipeline as its own page shows it."""
    shown = "passed" if row["status"] == "success" else row["status"]
    base = brief(world, row)
    return {
        **base,
        **{name: row[name] for name in ("before_sha", "tag", "yaml_errors", "duration", "queued_duration", "coverage")},
        "user": users.by_id(world, row["user_id"]),
        "started_at": iso(row["started_at"]),
        "finished_at": iso(row["finished_at"]),
        "committed_at": None,
        "detailed_status": {"icon": f"status_{row['status']}", "text": shown, "label": shown, "group": row["status"],
                            "tooltip": shown, "has_details": True, "details_path": base["web_url"], "illustration": None,
                            "favicon": ""},
        "archived": False,
    }  # fmt: skip


def head_pipeline(world: World, mr: Row) -> Row | None:
    """Return the pipeline that speaks for the head: a merge request pipeline before a branch's."""
    mine = world.rows("pipelines", project_id=mr["project_id"], sha=mr["head_sha"])
    for_mr = [row for row in mine if row["mr_id"] == mr["id"]]
    for_branch = [row for row in mine if row["mr_id"] is None and row["ref"] == mr["source_branch"]]
    chosen = for_mr or for_branch
    return chosen[-1] if chosen else None


def for_branch(
    world: World, project: Row, user: Row, ref: str, sha: str, *, quiet: bool = False, tag: bool = False,
    source: str = "push", variables: dict[str, str] | None = None,
) -> Row | None:  # fmt: skip
    """Start a branch or tag pipeline and return it; None when the configuration yields no job."""
    config = _config(world, project, sha)
    if config is None or faults.take(world, "pipeline", name="pipeline_missing"):
        return None
    known = branch_variables(world, project, user, ref, sha, source=source, tag=tag) | (variables or {})
    base = {"ref": ref, "tag": tag, "sha": sha, "source": source, "mr_id": None, "variables": variables or {}}
    skip = quiet or (source == "push" and _says_skip(world, project, sha))
    return _start(world, project, user, config, known, base, skip=skip)


def for_merge_request(world: World, mr: Row, user: Row, *, by_hand: bool = False) -> Row | None:
    """Start a merge request pipeline and return it; None when no job is for merge requests."""
    project = world.the("projects", mr["project_id"])
    if not mr["head_sha"] or faults.take(world, "pipeline", name="pipeline_missing"):
        return None
    place = project if mr["source_project_id"] == project["id"] else world.the("projects", mr["source_project_id"])
    config = _config(world, place, mr["head_sha"])
    if config is None:
        return None
    known = mr_variables(world, project, mr, user)
    base = {"ref": f"refs/merge-requests/{mr['iid']}/head", "tag": False, "sha": mr["head_sha"],
            "source": "merge_request_event", "mr_id": mr["id"], "variables": {}}  # fmt: skip
    changed = repo_of(world, project).changed(mr["base_sha"], mr["head_sha"])
    skip = not by_hand and _says_skip(world, place, mr["head_sha"])
    return _start(world, place, user, config, known, base, skip=skip, changed=changed)


def _says_skip(world: World, project: Row, sha: str) -> bool:
    message = repo_of(world, project).text("log", "-1", "--format=%B", sha).lower()
    return any(mark in message for mark in SKIP)


def _config(world: World, project: Row, sha: str) -> str | None:
    path = project["ci_config_path"] or ".gitlab-ci.yml"
    found = repo_of(world, project).blob(sha, path)
    return None if found is None or project["builds_access_level"] == "disabled" else found.decode(errors="replace")


def reader(world: World, project: Row, sha: str) -> Any:
    """Return a function that reads a file of a commit as text."""

    def read(path: str) -> str | None:
        found = repo_of(world, project).blob(sha, path)
        return None if found is None else found.decode(errors="replace")

    return read


def _start(world: World, project: Row, user: Row, config: str, known: dict[str, str], base: Row, *, skip: bool = False,
           changed: list[str] | None = None) -> Row | None:  # fmt: skip
    wrong, rows, stages = None, [], []
    try:
        whole = ci_config.load(config, reader(world, project, base["sha"]))
        rows = ci_config.jobs(whole, known, changed)
        stages = list(dict.fromkeys(row["stage"] for row in rows))
    except ci_config.ConfigError as error:
        wrong = str(error)
    skip = skip or bool(faults.take(world, "pipeline", name="pipeline_skipped"))
    if not rows and wrong is None:
        return None
    status = "failed" if wrong else "skipped" if skip else "created"
    pipeline = world.add("pipelines", {
        **base, "project_id": project["id"], "iid": world.next_iid("pipelines", project["id"]), "user_id": user["id"],
        "status": status, "name": None, "before_sha": ZERO, "yaml_errors": wrong, "duration": None, "queued_duration": None,
        "coverage": None, "started_at": None, "finished_at": world.now() if wrong else None, "stages": stages})  # fmt: skip
    if status == "created":
        for row in rows:
            _add_job(world, project, pipeline, row, user)
        _settle(world, project, pipeline)
    events.pipeline(world, project, pipeline)
    return pipeline


def _add_job(world: World, project: Row, pipeline: Row, row: Row, user: Row) -> Row:
    job = row["job"]
    return world.add("jobs", {
        "project_id": project["id"], "pipeline_id": pipeline["id"], "name": row["name"], "stage": row["stage"],
        "status": "manual" if row["when"] == "manual" else "created", "when": row["when"], "user_id": user["id"],
        "allow_failure": bool(job.get("allow_failure", row["when"] == "manual")), "trace": "", "artifacts": {},
        "started_at": None, "finished_at": None, "resource_group": job.get("resource_group"), "artifact_spec": job.get("artifacts"),
        "tags": job.get("tags", []), "erased_at": None, "retried": False})  # fmt: skip


def _settle(world: World, project: Row, pipeline: Row) -> None:
    """Let the jobs end as the recorded result says, or wait for the runner."""
    pipeline["status"] = "pending"
    waiting = [job for job in world.find("jobs", pipeline_id=pipeline["id"]) if job["status"] == "created"]
    for job in waiting:
        job["status"] = "pending"
    if world.settings["runner"] == "recorded" and world.settings["result"] != "pending":
        for job in waiting:
            finish_job(world, job, world.settings["result"])
    if not waiting:
        pipeline["status"] = "manual"


def finish_job(world: World, job: Row, status: str) -> None:
    """End a job, and its pipeline with the last one."""
    job |= {"status": status, "started_at": job["started_at"] or world.now(), "finished_at": world.now()}
    pipeline = world.the("pipelines", job["pipeline_id"])
    rest = [one for one in world.find("jobs", pipeline_id=pipeline["id"], retried=False) if one["status"] != "manual"]
    if all(one["status"] in ENDED for one in rest):
        bad = [one for one in rest if one["status"] in {"failed", "canceled"} and not one["allow_failure"]]
        finish(world, pipeline, ("failed" if bad[0]["status"] == "failed" else "canceled") if bad else "success")


def finish(world: World, pipeline: Row, status: str) -> None:
    """End a pipeline and do what waited for it."""
    from tests.gitlab.merging import try_auto_merge

    now = world.now()
    pipeline |= {"status": status, "started_at": pipeline["started_at"] or now, "finished_at": now, "updated_at": now}
    pipeline["duration"] = int(now - pipeline["started_at"])
    events.pipeline(world, world.the("projects", pipeline["project_id"]), pipeline)
    for mr in world.rows("merge_requests", project_id=pipeline["project_id"], head_sha=pipeline["sha"], state="opened"):
        try_auto_merge(world, mr)


# Variables


def _common(world: World, project: Row, user: Row, sha: str) -> dict[str, str]:
    message = repo_of(world, project).text("log", "-1", "--format=%B", sha)
    return {
        "CI": "true", "GITLAB_CI": "true", "CI_SERVER": "yes", "CI_COMMIT_SHA": sha, "CI_COMMIT_SHORT_SHA": sha[:8],
        "CI_COMMIT_MESSAGE": message, "CI_COMMIT_TITLE": message.split("\n")[0],
        "CI_DEFAULT_BRANCH": project["default_branch"], "CI_PROJECT_ID": str(project["id"]), "CI_PROJECT_NAME": project["path"],
        "CI_PROJECT_PATH": access.project_path(world, project), "GITLAB_USER_LOGIN": user["username"],
        "GITLAB_USER_ID": str(user["id"]), "CI_API_V4_URL": f"{world.address}/api/v4", "CI_SERVER_URL": world.address,
        "CI_PROJECT_URL": f"{world.address}/{access.project_path(world, project)}", "GITLAB_USER_NAME": user["name"],
        "CI_SERVER_HOST": world.address.split("//")[1].split("/")[0].split(":")[0],
    }  # fmt: skip


def stored_variables(world: World, project: Row, *, protected: bool) -> dict[str, str]:
    """Return the instance's, groups' and project's variables; the nearest wins."""
    rows = world.rows("variables", source="instance")
    for space in reversed(access.line_of(world, world.get("namespaces", project["namespace_id"]))):
        rows += world.rows("variables", source="group", source_id=space["id"])
    rows += world.rows("variables", source="project", source_id=project["id"])
    return ci_config.protected_only(rows, protected=protected)


def branch_variables(
    world: World, project: Row, user: Row, ref: str, sha: str, *, source: str, tag: bool = False
) -> dict[str, str]:
    """Return the variables of a branch or tag pipeline."""
    protected = bool(access.protections(world, project, ref)) and not tag
    own = {"CI_COMMIT_TAG": ref} if tag else {"CI_COMMIT_BRANCH": ref}
    return {
        **stored_variables(world, project, protected=protected), **_common(world, project, user, sha), **own,
        "CI_COMMIT_REF_NAME": ref, "CI_PIPELINE_SOURCE": source, "CI_COMMIT_REF_PROTECTED": str(protected).lower(),
    }  # fmt: skip


def mr_variables(world: World, project: Row, mr: Row, user: Row) -> dict[str, str]:
    """Return the variables of a merge request pipeline; the approved one is true or absent, and never on Free."""
    from tests.gitlab.approvals import satisfied

    both = access.protections(world, project, mr["source_branch"]) and access.protections(
        world, project, mr["target_branch"]
    )
    protected = bool(both) and mr["source_project_id"] == project["id"]
    approved = {"CI_MERGE_REQUEST_APPROVED": "true"} if world.paid and satisfied(world, mr) else {}
    names = {"CI_MERGE_REQUEST_LABELS": ",".join(mr["labels"])} if mr["labels"] else {}
    return {
        **stored_variables(world, project, protected=protected), **_common(world, project, user, mr["head_sha"]),
        "CI_COMMIT_REF_NAME": mr["source_branch"], "CI_PIPELINE_SOURCE": "merge_request_event",
        "CI_COMMIT_REF_PROTECTED": str(protected).lower(), "CI_MERGE_REQUEST_IID": str(mr["iid"]),
        "CI_MERGE_REQUEST_ID": str(mr["id"]), "CI_MERGE_REQUEST_TITLE": mr["title"],
        "CI_MERGE_REQUEST_SOURCE_BRANCH_NAME": mr["source_branch"], "CI_MERGE_REQUEST_TARGET_BRANCH_NAME": mr["target_branch"],
        "CI_MERGE_REQUEST_SOURCE_BRANCH_SHA": mr["head_sha"], "CI_MERGE_REQUEST_DIFF_BASE_SHA": mr["base_sha"] or "",
        "CI_MERGE_REQUEST_PROJECT_ID": str(project["id"]), "CI_MERGE_REQUEST_EVENT_TYPE": "detached",
        "CI_MERGE_REQUEST_PROJECT_PATH": access.project_path(world, project), **names, **approved,
    }  # fmt: skip


# Endpoints


def _wanted(call: Call, row: Row) -> bool:
    exact = all(not call.text(name) or row[name] == call.text(name) for name in ("status", "ref", "sha", "source"))
    user = call.world.get("users", row["user_id"]) or {}
    scope = call.text("scope")
    open_ = row["status"] not in ENDED
    fits = {"": True, "running": row["status"] == "running", "pending": row["status"] == "pending", "finished": not open_,
            "branches": not row["tag"], "tags": row["tag"]}[scope]  # fmt: skip
    return exact and fits and (not call.text("username") or user.get("username") == call.text("username"))


def index(call: Call) -> Reply:
    """List pipelines, newest first."""
    rows = [row for row in call.world.find("pipelines", project_id=call.project["id"]) if _wanted(call, row)]
    if call.text("sort", "desc") == "desc":
        rows.reverse()
    return paged(call, rows, lambda row: brief(call.world, row))


def the_pipeline(call: Call) -> Row:
    """Return the pipeline a path names.

    Raises:
        ApiError: There is none.
    """
    row = call.world.get("pipelines", call.number("pipeline_id"))
    if row is None or row["project_id"] != call.project["id"]:
        raise errors.no_record()
    return row


def latest(call: Call) -> Row:
    """Return the newest pipeline of a ref's head."""
    ref = call.text("ref") or call.project["default_branch"]
    sha = repo_of(call.world, call.project).head(ref)
    rows = call.world.rows("pipelines", project_id=call.project["id"], ref=ref, sha=sha)
    if not rows:
        raise errors.forbidden() if sha is None else errors.no_record()
    return full(call.world, rows[-1])


def create(call: Call) -> Row:
    """Run a pipeline for a ref."""
    ref = call.text("ref")
    repo = repo_of(call.world, call.project)
    if repo.commit(ref) is None:
        raise errors.told(400, {"base": ["Reference not found"]})
    given = {str(one["key"]): str(one["value"]) for one in call.listed("variables") if isinstance(one, dict)}
    sha = must_commit(repo, ref)
    if _config(call.world, call.project, sha) is None:
        raise errors.told(400, {"base": ["Missing CI config file"]})
    tag = repo.head(ref) is None
    row = for_branch(call.world, call.project, call.me, ref, sha, source="api", variables=given, tag=tag)
    if row is None:
        why = "Pipeline will not run for the selected trigger. The rules configuration prevented any jobs from being added to the pipeline."
        raise errors.told(400, {"base": [why]})
    return full(call.world, row)


def cancel(call: Call) -> Row:
    """Cancel what has not ended."""
    row = the_pipeline(call)
    for job in call.world.find("jobs", pipeline_id=row["id"]):
        if job["status"] not in ENDED:
            job |= {"status": "canceled", "finished_at": call.world.now()}
    if row["status"] not in ENDED:
        finish(call.world, row, "canceled")
    return full(call.world, row)


def retry(call: Call) -> Row:
    """Run the failed and canceled jobs again."""
    row = the_pipeline(call)
    for job in call.world.rows("jobs", pipeline_id=row["id"], retried=False):
        if job["status"] in {"failed", "canceled"}:
            job["status"] = "created"
    _settle(call.world, call.project, row)
    return full(call.world, row)


def delete(call: Call) -> None:
    """Delete a pipeline and its jobs."""
    row = the_pipeline(call)
    call.world.drop_where("jobs", pipeline_id=row["id"])
    call.world.drop("pipelines", row)


def variables(call: Call) -> Reply:
    """List the variables a pipeline was given."""
    rows = [
        {"key": key, "value": value, "variable_type": "env_var"}
        for key, value in the_pipeline(call)["variables"].items()
    ]
    return paged(call, rows)


def report(call: Call) -> Row:
    """Return an empty test report."""
    the_pipeline(call)
    names = ("total_time", "total_count", "success_count", "failed_count", "skipped_count", "error_count")
    return {**dict.fromkeys(names, 0), "test_suites": []}


BASE, ONE = "/projects/:id/pipelines", "/projects/:id/pipelines/:pipeline_id"
ROUTES = [
    route(f"GET {BASE}", index),
    route("POST /projects/:id/pipeline", create, role=DEVELOPER, required=("ref",)),
    route(f"GET {BASE}/latest", latest),
    route(f"GET {ONE}", lambda call: full(call.world, the_pipeline(call))),
    route(f"DELETE {ONE}", delete, role=OWNER),
    route(f"POST {ONE}/cancel", cancel, role=DEVELOPER, status=200),
    route(f"POST {ONE}/retry", retry, role=DEVELOPER),
    route(f"GET {ONE}/variables", variables),
    route(f"GET {ONE}/test_report", report),
    route(f"GET {ONE}/test_report_summary", report),
    route(f"GET {ONE}/bridges", lambda call: paged(call, [])),
]
