"""The pipeline of finalize's own merge request is missing or skipped, where one must succeed: said, and finished later."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.faults.sample import WHOLE, told
from tests.finalize.project import NOON, Project, draft
from tests.finalize.test_on_main import accepted
from tests.finalize.test_trouble import finish

if TYPE_CHECKING:
    from pathlib import Path

    from tests.gitlab.fixture import Team

CI = 'check:\n  script: ["true"]\n  rules: [{when: always}]\n'
WAIT = "its pipeline must succeed: run it, or mend what fails; the next run goes on"
pytestmark = pytest.mark.skipif(not WHOLE, reason="finalize waits for a minute here; make faults runs it")


@pytest.mark.parametrize("fault", ["pipeline_missing", "pipeline_skipped"])
def test_it_is_said_and_the_next_run_goes_on(team: Team, tmp_path: Path, fault: str) -> None:
    project = Project(team, tmp_path)
    actions = [{"action": "create", "file_path": ".gitlab-ci.yml", "content": CI}]
    team.dev.ask("POST", f"{team.api}/repository/commits", branch="ci", start_branch="main", commit_message="CI", actions=actions)  # fmt: skip
    project.merge(int(team.open("ci")["iid"]))
    iid = accepted(project, {NOON: draft(NOON)})
    project.ask("PUT", "", only_allow_merge_if_pipeline_succeeds=True)
    team.forge.fault(fault, times=99)
    status, _, err = project.run()
    team.forge.calm()
    assert (status, WAIT in err, project.state(NOON)) == (3, True, ("pending", "")), err
    (mine,) = project.ask("GET", "merge_requests?state=opened")
    project.ask("POST", f"merge_requests/{mine['iid']}/pipelines")
    finish(project)
    assert project.run().status == 0
    finish(project)
    assert project.run().status == 0
    told(fault, 1, int(project.bot_commits() == [f"memory: finalize !{iid}"]))
