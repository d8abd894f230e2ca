"""A runner: jobs of pending pipelines in fresh clones, through gitlab-ci-local (npm), without Docker."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from tests.gitlab import access, auth, ci_config, pipelines
from tests.gitlab.state import Row, World

TIMEOUT = 120


def command(given: str | None) -> list[str] | None:
    """Return how gitlab-ci-local is started, or None: from a node_modules folder, or from the PATH."""
    if given:
        modules = Path(given).resolve()
        node, script = modules / ".bin" / "node", modules / ".bin" / "gitlab-ci-local"
        return [str(node), str(script.resolve())] if node.exists() and script.exists() else None
    found = shutil.which("gitlab-ci-local")
    return [found] if found else None


def run_next(world: World) -> bool:
    """Run the oldest pending pipeline's next job and return whether there was one."""
    with world.lock:
        found = _claim(world)
        if found is None:
            return False
        job, pipeline, project, variables, token = found
        world.save()
    status, trace, artifacts = _run(world, job, pipeline, project, variables, token)
    with world.lock:
        token |= {"revoked": True, "active": False}
        job |= {"trace": trace, "artifacts": artifacts}
        for table, row in (("tokens", token), ("jobs", job), ("pipelines", pipeline)):
            world.touch(table, row)
        if job["status"] == "running":
            pipelines.finish_job(world, job, status)
            _stop_rest(world, pipeline, job)
        world.save()
    return True


def _claim(world: World) -> tuple[Row, Row, Row, dict[str, str], Row] | None:
    busy = {row["resource_group"] for row in world.find("jobs", status="running")} - {None}
    for job in world.find("jobs", status="pending"):
        pipeline = world.the("pipelines", job["pipeline_id"])
        earlier = [one for one in world.find("jobs", pipeline_id=pipeline["id"]) if one["id"] < job["id"]]
        if job["resource_group"] in busy or any(one["status"] in {"pending", "running"} for one in earlier):
            continue
        project, user = world.the("projects", pipeline["project_id"]), world.the("users", job["user_id"])
        job |= {"status": "running", "started_at": world.now()}
        pipeline |= {"status": "running", "started_at": pipeline["started_at"] or world.now()}
        token = auth.new_token(world, user, "job", [], name=f"job {job['id']}", source_id=project["id"])
        return job, pipeline, project, _variables(world, pipeline, project, user, token, job), token
    return None


def _variables(world: World, pipeline: Row, project: Row, user: Row, token: Row, job: Row) -> dict[str, str]:
    mr = world.get("merge_requests", pipeline["mr_id"])
    if mr:
        known = pipelines.mr_variables(world, world.the("projects", mr["project_id"]), mr, user)
    else:
        known = pipelines.branch_variables(
            world, project, user, pipeline["ref"], pipeline["sha"], source=pipeline["source"], tag=pipeline["tag"]
        )
    mine = {"CI_JOB_TOKEN": token["token"], "CI_JOB_ID": str(job["id"]), "CI_PIPELINE_ID": str(pipeline["id"]),
            "CI_JOB_NAME": job["name"], "CI_JOB_STAGE": job["stage"]}  # fmt: skip
    return known | pipeline["variables"] | mine


def _stop_rest(world: World, pipeline: Row, job: Row) -> None:
    """Skip later stages after a failure that counts."""
    if job["status"] != "failed" or job["allow_failure"]:
        return
    for one in world.rows("jobs", pipeline_id=pipeline["id"], status="pending"):
        if one["stage"] != job["stage"] and one["when"] not in {"always", "on_failure"}:
            one["status"] = "skipped"
    if all(one["status"] in pipelines.ENDED for one in world.find("jobs", pipeline_id=pipeline["id"])):
        pipelines.finish(world, pipeline, "failed")


def _run(
    world: World, job: Row, pipeline: Row, project: Row, variables: dict[str, str], token: Row
) -> tuple[str, str, dict[str, str]]:
    with tempfile.TemporaryDirectory(prefix="stand-in-job-") as folder:
        place = Path(folder) / "work"
        env = _environment(folder)
        try:
            _clone(world, project, pipeline, place, env, token)
            argv = [*world.meta["ci_local"], *_flags(job, {**variables, "CI_PROJECT_DIR": str(place)})]
            code, trace = _watched(argv, place, env)
        except subprocess.CalledProcessError as error:
            return "failed", f"{error.stdout or ''}{error.stderr or ''}", {}
        return ("success" if code == 0 else "failed"), trace, _artifacts(place, job)


def _environment(folder: str) -> dict[str, str]:
    env = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "CI_", "GITLAB_"))}
    return env | {"HOME": folder, "GIT_CONFIG_NOSYSTEM": "1", "GIT_TERMINAL_PROMPT": "0", "FORCE_COLOR": "0"}


def _clone(world: World, project: Row, pipeline: Row, place: Path, env: dict[str, str], token: Row) -> None:
    scheme, _, rest = world.address.partition("://")
    url = f"{scheme}://gitlab-ci-token:{token['token']}@{rest}/{access.project_path(world, project)}.git"

    def git(*argv: str) -> None:
        subprocess.run(["git", *argv], check=True, capture_output=True, text=True, env=env, timeout=TIMEOUT)

    git("clone", "--quiet", url, str(place))
    if pipeline["mr_id"]:
        git("-C", str(place), "fetch", "--quiet", "origin", pipeline["ref"])
    git(
        "-C",
        str(place),
        "checkout",
        "--quiet",
        "-B",
        pipeline["ref"].replace("refs/merge-requests", "mr"),
        pipeline["sha"],
    )


def _flags(job: Row, variables: dict[str, str]) -> list[str]:
    """Return the arguments: every variable by hand, since gitlab-ci-local makes up its own."""
    flags = ["--force-shell-executor", "--no-artifacts-to-source"]
    for name, value in variables.items():
        flags += ["--variable", f"{name}={value}"]
    if "CI_COMMIT_BRANCH" not in variables:
        flags += ["--unset-variable", "CI_COMMIT_BRANCH"]
    names = ",".join(name for name in variables if name.startswith(("CI_", "GITLAB_")))
    return [*flags, "--ignore-predefined-vars", names, job["name"]]


def _watched(argv: list[str], place: Path, env: dict[str, str]) -> tuple[int, str]:
    child = subprocess.Popen(
        argv, cwd=place, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
    )
    try:
        out, _ = child.communicate(timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        out, _ = child.communicate()
    return child.returncode, out


def _artifacts(place: Path, job: Row) -> dict[str, str]:
    spec: Any = job.get("artifact_spec") or {}
    kept = place / ".gitlab-ci-local" / "artifacts" / job["name"]
    found = {}
    for file in sorted(kept.rglob("*")) if kept.exists() else []:
        if file.is_file():
            found[str(file.relative_to(kept))] = file.read_bytes().hex()
    for path in (spec.get("reports") or {}).values():
        for one in [path] if isinstance(path, str) else path if isinstance(path, list) else []:
            file = place / str(one)
            if file.is_file():
                found[str(one)] = file.read_bytes().hex()
    return found


def known(world: World) -> bool:
    """Return whether jobs can be run here."""
    return bool(world.meta.get("ci_local"))


CONFIG_ERROR = ci_config.ConfigError
