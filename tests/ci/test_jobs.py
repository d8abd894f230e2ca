"""The job file as it is, run by a runner on the stand-in: what a team sees on a merge request of memories."""

from __future__ import annotations

import json
import os
import shutil
import sysconfig
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest

from brain.scaffold import CI_FILE, skeleton
from tests.ci.request import AREA, Request, bad, good, memory_repo
from tests.gitlab.fixture import start
from tests.support.repos import ROOT, SOURCE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.gitlab.fixture import Team

MODULES = os.environ.get("GITLAB_CI_LOCAL", str(SOURCE / "node_modules"))
pytestmark = pytest.mark.skipif(
    not ((Path(MODULES) / "gitlab-ci-local").exists() and shutil.which("rsync")),
    reason="gitlab-ci-local (npm, with node 22) and rsync are not here; GITLAB_CI_LOCAL names its node_modules",
)
MINUTES = 5
"""How long pipelines may take on a shared machine: each job makes its environment anew."""


@pytest.fixture(scope="module")
def team(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Team]:
    """Return a project with what ``brain init`` makes on main, both tokens set, and a runner. Its PM is ``pm``."""
    folder = tmp_path_factory.mktemp("runner")
    with start(folder / "gitlab", args=("--ci-local", MODULES)) as forge:
        team = forge.team()
        for name, protected in (("BRAIN_NOTE_TOKEN", False), ("BRAIN_GITLAB_TOKEN", True)):
            token = team.tl.token if name == "BRAIN_NOTE_TOKEN" else team.bot.token
            team.root.ask("POST", f"{team.api}/variables", key=name, value=token, protected=protected)
        settings = f'[people]\npm = ["{team.pm.username}"]\n'
        yield memory_repo(team, settings, skeleton_of(checkout_as_wheel(folder)), memories=False)


def skeleton_of(package: Path) -> dict[str, str]:
    files = skeleton(ROOT)
    del files[f"{ROOT}/brain.toml"]
    lines = files[CI_FILE].splitlines()
    files[CI_FILE] = "\n".join(f"      package: {package}" if "package:" in line else line for line in lines) + "\n"
    return files


def checkout_as_wheel(folder: Path) -> Path:
    """Return a package that brings in this checkout and the libraries of this environment: no index is asked."""
    paths = [*(str(SOURCE / room) for room in ("", "hooks", "ci")), sysconfig.get_path("purelib")]
    name, at = "project_brain-0.1.0", "project_brain-0.1.0.dist-info"
    files = {
        "project_brain.pth": "\n".join(paths) + "\n",
        f"{at}/METADATA": "Metadata-Version: 2.1\nName: project-brain\nVersion: 0.1.0\n",
        f"{at}/WHEEL": "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{at}/entry_points.txt": "[console_scripts]\nbrain-ci = brain_ci.cli:main\n",
    }
    with zipfile.ZipFile(folder / f"{name}-py3-none-any.whl", "w") as wheel:
        for path, text in files.items():
            wheel.writestr(path, text)
        wheel.writestr(f"{at}/RECORD", "".join(f"{path},,\n" for path in [*files, f"{at}/RECORD"]))
    return folder / f"{name}-py3-none-any.whl"


def newest(team: Team, **query: str) -> tuple[str, dict[str, tuple[str, str]]]:
    """Return the status of the newest pipeline, and of its jobs: name → (status, log)."""
    settled: dict[str, Any] = {"settled": False}
    for _ in range(MINUTES):
        settled = settled if settled["settled"] else team.forge.inner.post("/settle", json={"seconds": 60}).json()
    assert settled == {"settled": True, "errors": []}
    row = team.pm.get(f"{team.api}/pipelines", params=query).json()[0]
    jobs: list[Any] = team.pm.ask("GET", f"{team.api}/pipelines/{row['id']}/jobs")
    logs = {job["name"]: team.pm.get(f"{team.api}/jobs/{job['id']}/trace").text for job in jobs}
    return row["status"], {job["name"]: (job["status"], logs[job["name"]]) for job in jobs}


def test_a_bad_memory_fails_and_its_mend_passes_on_the_same_note(team: Team, tmp_path: Path) -> None:
    request = Request(team, tmp_path / "clone")
    request.push({f"{AREA}/b.md": bad("b")})
    status, jobs = newest(team, ref=request.ref)
    assert (status, [*jobs]) == ("failed", ["memory-lint"]), jobs
    log = jobs["memory-lint"][1]
    assert "M040" in log, log
    (note,) = request.notes()
    assert note.startswith("### ❌ Memory lint"), log
    assert request.threads() == [(f"{AREA}/b.md", 15, False)]
    request.push({f"{AREA}/b.md": good("b")})
    status, jobs = newest(team, ref=request.ref)
    assert status == "success", jobs
    (note,) = request.notes()
    assert note.startswith("✅ Memory lint: no findings")
    assert request.threads() == [(f"{AREA}/b.md", 15, True)]
    report = json.loads(artifact(team, request.ref, "memory-lint.json"))
    assert report == []
    team.pm.ask("POST", f"{request.at}/approve")
    team.ready(request.iid)
    team.pm.ask("PUT", f"{request.at}/merge")
    status, jobs = newest(team, ref="main")
    assert status == "success", jobs
    raw = team.pm.get(f"{team.api}/repository/files/{quote(f'{AREA}/b.md', safe='')}/raw", params={"ref": "main"}).text
    assert "status: approved" in raw, jobs
    assert f'reviewed_by: "{team.pm.username}"' in raw


def test_jobs_that_a_branch_rewrites_do_not_get_the_token_of_finalize(team: Team, tmp_path: Path) -> None:
    request = Request(team, tmp_path / "clone", "rewritten")
    script = 'echo "finalize ${BRAIN_GITLAB_TOKEN:-absent} notes ${BRAIN_NOTE_TOKEN:+there}"'
    request.push({CI_FILE: f"memory-finalize:\n  rules: [if: $CI_MERGE_REQUEST_IID]\n  script:\n    - {script}\n"})
    status, jobs = newest(team, ref=request.ref)
    assert status == "success", jobs
    assert "finalize absent notes there" in jobs["memory-finalize"][1]


def test_the_sweep_runs_by_schedule(team: Team) -> None:
    made = team.pm.ask("POST", f"{team.api}/pipeline_schedules", description="sweep", ref="main", cron="0 * * * *")
    team.pm.ask("POST", f"{team.api}/pipeline_schedules/{made['id']}/play")
    _, jobs = newest(team, source="schedule")
    assert [*jobs] == ["memory-sweep"]
    assert "brain-ci: no faults" in jobs["memory-sweep"][1], jobs


def artifact(team: Team, ref: str, name: str) -> str:
    """Return a file that the newest job for a ref left."""
    row = team.pm.get(f"{team.api}/pipelines", params={"ref": ref}).json()[0]
    (job,) = team.pm.ask("GET", f"{team.api}/pipelines/{row['id']}/jobs")
    return team.pm.get(f"{team.api}/jobs/{job['id']}/artifacts/{name}").text
