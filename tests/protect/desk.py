"""Somebody's clone of a memory repo on the stand-in, and the commands they run there."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any, NamedTuple

from tests.support.program import CODE
from tests.support.repos import git, make_memory_repo

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from tests.gitlab.fixture import Team

SHARED = {"99.Memory/brain.toml": "[people]\n"}
"""What main has before anything is set up; which people are meant, each clone's own settings say."""
TOKEN_NAME = "project-brain"
PROJECT = ("only_allow_merge_if_pipeline_succeeds", "allow_merge_on_skipped_pipeline", "squash_option", "merge_method",
           "remove_source_branch_after_merge", "ci_push_repository_for_job_token_allowed", "builds_access_level",
           "ci_pipeline_variables_minimum_override_role")  # fmt: skip
APPROVING = ("reset_approvals_on_push", "merge_requests_author_approval", "merge_requests_disable_committers_approval",
             "disable_overriding_approvers_per_merge_request")  # fmt: skip


def name_the_package(team: Team) -> None:
    """Have main's pipeline name the wheel that our jobs install."""
    text = team.root.get(f"{team.api}/repository/files/.gitlab-ci.yml/raw").text
    action = {"action": "update", "file_path": ".gitlab-ci.yml", "content": text.replace('package: ""', 'package: "x"')}
    fields = {"branch": "package", "start_branch": "main", "commit_message": "Package", "actions": [action]}
    team.pm.ask("POST", f"{team.api}/repository/commits", **fields)
    iid = int(team.open("package", who="pm")["iid"])
    team.ready(iid)
    team.pm.ask("PUT", f"{team.api}/merge_requests/{iid}/merge")


class Done(NamedTuple):
    """How a command ended, and what it said."""

    returncode: int
    stdout: str
    stderr: str


class Desk:
    """A clone whose remote is the team's project, with people named in brain.toml; commands run as ``who``."""

    def __init__(
        self, folder: Path, team: Team, who: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
        *, people: str = "", more: str = "", remote: str = "",
    ) -> None:  # fmt: skip
        self.team, self.who, self.capsys, self.monkeypatch = team, who, capsys, monkeypatch
        named = people or f'pm = ["{team.pm.username}"]\ntl = ["{team.tl.username}"]'
        self.folder = make_memory_repo(folder, settings=f"[people]\n{named}\n{more}")
        git(self.folder, "remote", "add", "origin", remote or f"{team.forge.url}/{team.path}.git")
        git(self.folder, "update-ref", "refs/remotes/origin/main", "HEAD")
        self.env = {"BRAIN_GITLAB_TOKEN": team.people[who].token}

    def program(self, *args: str, **env: str) -> Done:
        """Run a command, in this process, with that environment."""
        import brain.cli

        with self.monkeypatch.context() as patch:
            for name, text in {**self.env, **env}.items():
                patch.setenv(name, text)
            status = brain.cli.main(["-C", str(self.folder), *args])
        return Done(status, *self.capsys.readouterr())

    def start(self, *args: str, **env: str) -> subprocess.Popen[str]:
        """Start a command as a process of its own."""
        return subprocess.Popen(
            [sys.executable, "-m", "brain", "-C", str(self.folder), *args], env={**os.environ, **CODE, **self.env, **env},
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, encoding="utf-8",
        )  # fmt: skip

    def setup(self, *args: str, **env: str) -> Done:
        return self.program("gitlab", "setup", *args, **env)

    def facts(self, *args: str, **env: str) -> dict[str, Any]:
        """Return what ``gitlab setup --json`` says."""
        done = self.setup("--json", *args, **env)
        assert done.stdout, done.stderr
        found: dict[str, Any] = json.loads(done.stdout)
        return found

    def items(self, *args: str, **env: str) -> dict[str, dict[str, Any]]:
        """Return the settings by name."""
        return {row["name"]: row for row in self.facts(*args, **env)["settings"]}

    def checks(self, *args: str, **env: str) -> dict[str, dict[str, Any]]:
        """Return GitLab's part of what doctor says, by name."""
        done = self.program("doctor", "--json", *args, **env)
        assert done.stdout, done.stderr
        return {row["name"]: row for row in json.loads(done.stdout) if row["name"].startswith(("gitlab", "probe"))}

    def make_bot(self, level: int = 40, **more: Any) -> Any:
        """Make the project access token that finalize works with, and return it."""
        scopes = ["api", "write_repository"]
        fields = {"name": TOKEN_NAME, "scopes": scopes, "access_level": level, **more}
        return self.team.root.ask("POST", f"{self.team.api}/access_tokens", **fields)

    def get(self, path: str) -> Any:
        """Return what the server says of the project, None where it is not there."""
        answer = self.team.root.get(f"{self.team.api}{path}")
        return answer.json() if answer.status_code == 200 else None

    def rule(self) -> dict[str, Any] | None:
        """Return main's protection: who may push, who may merge (roles, or ``@id``), forced push."""
        found = self.get("/protected_branches/main")
        if found is None:
            return None
        rows = {which: found[f"{which}_access_levels"] for which in ("push", "merge")}
        levels = {
            which: [f"@{row['user_id']}" if row.get("user_id") else row["access_level"] for row in some]
            for which, some in rows.items()
        }
        return {**levels, "force": found["allow_force_push"]}

    def state(self) -> dict[str, Any]:
        """Return all that a set-up may change."""
        project = self.get("")
        lists = {name: self.get(f"/{name}") for name in ("approval_rules", "labels", "pipeline_schedules", "hooks")}
        requests = [(row["iid"], row["title"]) for row in self.get("/merge_requests")]
        approving = self.get("/approvals") or {}
        return {
            "rule": self.rule(), "project": {name: project[name] for name in PROJECT}, "requests": requests,
            "approving": {name: approving.get(name) for name in APPROVING},
            "rules": [(row["name"], row["approvals_required"], [user["id"] for user in row["users"]])
                      for row in lists["approval_rules"] or ()],
            "labels": [row["name"] for row in lists["labels"]],
            "schedules": [(row["description"], row["ref"], row["cron"], row["active"]) for row in lists["pipeline_schedules"]],
            "hooks": [(row["url"], row["merge_requests_events"]) for row in lists["hooks"]],
        }  # fmt: skip
