"""A team that uses nothing but the public commands: people's machines, the jobs of CI, and GitLab by HTTP as its users.

Everything is a process of its own, as for people: ``brain``, ``brain-hook``, ``brain-ci``, and git over HTTP.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple

from tests.support.hook_process import LAUNCHER
from tests.support.repos import PROGRAM, ROOT, commit, git, make_repo

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tests.gitlab.fixture import Person, Team

TICKET = {
    "taskId": "PAY-7", "functionId": "F-003_Payment", "title": "Retry a payment", "keywords": ["payment"],
    "workflow": "coding",
}  # fmt: skip


class Done(NamedTuple):
    """How a program ended: exit status and both outputs."""

    status: int
    out: str
    err: str


def run(folder: Path, module: str, *args: str, env: Mapping[str, str], stdin: str = "") -> Done:
    """Run one of the programs to its end."""
    is_hook = module == "brain_hooks"  # it takes what PYTHONPATH names off the path, so it is launched as installed
    done = subprocess.run(
        [sys.executable, *(["-c", LAUNCHER] if is_hook else ["-m", module]), *args], cwd=folder, input=stdin,
        env={**os.environ, **PROGRAM, **env, **({"PYTHONPATH": ""} if is_hook else {})},
        capture_output=True, check=False, encoding="utf-8", timeout=120,
    )  # fmt: skip
    return Done(done.returncode, done.stdout, done.stderr)


class Machine:
    """One person's computer: a home with their credentials, a workspace, and their clone of the memory repo beside it."""

    def __init__(self, folder: Path, person: Person, url: str) -> None:
        self.folder, self.person, self.url = folder, person, url
        self.work, self.memory = folder / "shop", folder / "docs"
        self.sessions = count(1)
        home = folder / "home"
        home.mkdir(parents=True)
        helper = home / "credentials"
        helper.write_text(f"#!/bin/sh\nprintf 'username=%s\\npassword=%s\\n' '{person.username}' '{person.token}'\n")
        helper.chmod(0o755)
        (home / ".gitconfig").write_text(
            f"[credential]\n\thelper = {helper}\n[user]\n\tname = {person.username}\n\temail = {person.username}@example.com\n"
            "[init]\n\tdefaultBranch = main\n"
        )
        self.env = {
            "HOME": str(home), "GIT_CONFIG_GLOBAL": str(home / ".gitconfig"), "BRAIN_GITLAB_TOKEN": person.token,
            "BRAIN_RECALL_FETCHSECONDS": "30",
        }  # fmt: skip

    def connect(self, ticket: Mapping[str, Any] | None = None) -> Machine:
        """Make a workspace on a ticket, and connect it to the team's memory repo."""
        make_repo(self.work, {"src/pay.py": "pay = 1\n"})
        file = self.work / ".aiflow/context/current.json"
        file.parent.mkdir(parents=True)
        file.write_text(json.dumps({**TICKET, **(ticket or {})}))
        done = self.brain("init", "--repo", self.url, "--into", "../docs")
        assert done.status == 0, done
        return self

    def brain(self, *args: str, **env: str) -> Done:
        return run(self.work, "brain", *args, env={**self.env, **env})

    def remember(self, slug: str, text: str, **options: str) -> str:
        """File a draft and return its id."""
        more = {"type": "lesson", "role": "dev", "tags": "payment", "slug": slug, "apply": "remember it.", **options}
        done = self.brain("remember", text, *(word for name, value in more.items() for word in (f"--{name}", value)), "--json")  # fmt: skip
        assert done.status == 0, done
        return str(json.loads(done.out)["id"])

    def submit(self, *args: str) -> int:
        """Submit and return the merge request's number."""
        return self.propose("submit", *args)

    def propose(self, *args: str) -> int:
        """Run a command that opens or updates a merge request, and return its number."""
        return number(self.brain(*args))

    def session(self) -> str:
        """Start a session, and return what the assistant gets of memories."""
        event = {"cwd": str(self.work), "session_id": f"s{next(self.sessions)}", "hook_event_name": "SessionStart", "source": "startup"}  # fmt: skip
        done = run(
            self.work, "brain_hooks", "claude", "SessionStart", "memories", env=self.env, stdin=json.dumps(event)
        )
        assert (done.status, done.err) == (0, ""), done
        found = json.loads(done.out)
        return str(found.get("hookSpecificOutput", {}).get("additionalContext", ""))

    def recalled(self) -> set[str]:
        """Fetch, start a session, and return the ids of approved memories that the assistant gets."""
        return approved_ids(self.fetch().session())

    def fetch(self) -> Machine:
        """Fetch what GitLab has."""
        git_as(self, "fetch", "-q", "origin")
        return self

    def drafts(self) -> dict[str, str]:
        folder = self.memory / ROOT / "_pending"
        return {path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in sorted(folder.rglob("*.md"))}


def approved_ids(text: str) -> set[str]:
    """Return the ids of an injected text, of memories that are not marked as drafts."""
    blocks = re.split(r"^## (mem-[^ ]+) ", text, flags=re.MULTILINE)[1:]
    return {name for name, block in zip(blocks[::2], blocks[1::2], strict=True) if "not approved yet" not in block}


def number(done: Done) -> int:
    """Return the number of the merge request that a command named."""
    assert done.status == 0, done
    found = re.search(r"^!(\d+) ", done.out, re.MULTILINE)
    assert found, done
    return int(found[1])


def git_as(machine: Machine, *args: str) -> str:
    """Run git in a machine's memory repo, as its person."""
    done = subprocess.run(
        ["git", "-C", str(machine.memory), *args], env={**os.environ, **machine.env}, capture_output=True, check=False,
        encoding="utf-8",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


class World:
    """A project whose main holds what ``brain init`` made, with its settings as ``brain gitlab setup`` wants them."""

    def __init__(self, team: Team, folder: Path, tier: str, settings: str = "") -> None:
        self.team, self.folder, self.tier = team, folder, tier
        self.url = f"{team.forge.url}/{team.path}.git"
        self.numbers = count(1)
        team.forge.set(result="pending")
        tl = Machine(folder / "tl", team.tl, self.url)
        self._skeleton(tl, settings)
        done = run(tl.memory, "brain", "gitlab", "setup", "--apply", "--bot", team.bot.username, env=tl.env)
        assert done.status in (0, 1), done
        self.runner = self._clone("runner")
        for iid in self.opened():  # what GitLab reads from files comes by a merge request, on Premium
            self.accept(iid)

    def _skeleton(self, tl: Machine, settings: str) -> None:
        """Propose and merge the skeleton; settings count once they are on main."""
        team = self.team
        git(self.folder, "clone", "-q", team.remote("tl"), str(tl.memory))
        git(tl.memory, "remote", "set-url", "origin", self.url)
        done = run(tl.memory, "brain", "init", env=tl.env)
        assert done.status == 0, done
        file = tl.memory / ROOT / "brain.toml"
        people = f'[people]\npm = ["{team.pm.username}"]\ntl = ["{team.tl.username}"]'
        file.write_text(file.read_text("utf-8").replace("[people]", people) + settings, "utf-8")
        git(tl.memory, "checkout", "-q", "-b", "start")
        commit(tl.memory, {}, "memory: skeleton")
        git_as(tl, "push", "-q", "origin", "start")
        self.merge(int(team.open("start", who="tl")["iid"]), "pm")
        git(tl.memory, "checkout", "-q", "main")
        git_as(tl, "pull", "-q", "origin", "main")

    def machine(self, who: str = "dev", name: str = "", **ticket: Any) -> Machine:
        """Return another machine of a person, connected."""
        folder = self.folder / (name or f"{who}-{next(self.numbers)}")
        return Machine(folder, self.team.people[who], self.url).connect(ticket)

    def _clone(self, name: str) -> Path:
        """Return a runner's clone: no credentials are in it."""
        folder = self.folder / name
        git(self.folder, "clone", "-q", self.team.remote("bot"), str(folder))
        git(folder, "remote", "set-url", "origin", self.url)
        return folder

    # people on GitLab

    def approve(self, iid: int, who: str = "pm") -> None:
        self.team.people[who].ask("POST", f"{self.team.api}/merge_requests/{iid}/approve")

    def merge(self, iid: int, who: str = "pm") -> None:
        """Merge as a person, once the pipeline of the head has succeeded."""
        self.team.ready(iid)
        self.team.people[who].ask("PUT", f"{self.team.api}/merge_requests/{iid}/merge")

    def accept(self, iid: int) -> None:
        """Lint as the pipeline does; approve and merge as the PM."""
        done = self.lint(iid)
        assert done.status == 0, done
        self.approve(iid)
        self.merge(iid)

    def close(self, iid: int, why: str) -> None:
        """Turn a merge request down as the PM."""
        self.team.pm.ask("POST", f"{self.team.api}/merge_requests/{iid}/notes", body=why)
        self.team.pm.ask("PUT", f"{self.team.api}/merge_requests/{iid}", state_event="close")

    def request(self, iid: int) -> dict[str, Any]:
        found: dict[str, Any] = self.team.pm.ask("GET", f"{self.team.api}/merge_requests/{iid}")
        return found

    def opened(self) -> list[int]:
        rows = self.team.pm.ask("GET", f"{self.team.api}/merge_requests?state=opened")
        return sorted(row["iid"] for row in rows)

    def file(self, path: str, ref: str = "main") -> str:
        """Return a file of a branch, "" where there is none."""
        where = f"{ROOT}/{path}".replace("/", "%2F")
        answer = self.team.pm.get(f"{self.team.api}/repository/files/{where}/raw?ref={ref.replace('/', '%2F')}")
        return answer.text if answer.status_code == 200 else ""

    # jobs

    def lint(self, iid: int) -> Done:
        """Run memory-lint of a merge request's head, and have its pipeline end as the job did."""
        found = self.request(iid)
        folder = self.folder / f"lint-{next(self.numbers)}"
        git(self.folder, "clone", "-q", self.team.remote("bot"), str(folder))
        git(folder, "checkout", "-q", found["sha"])
        where = {
            "CI_MERGE_REQUEST_IID": str(iid), "CI_MERGE_REQUEST_PROJECT_ID": str(self.team.id),
            "CI_MERGE_REQUEST_SOURCE_BRANCH_NAME": found["source_branch"],
            "CI_MERGE_REQUEST_DIFF_BASE_SHA": found["diff_refs"]["base_sha"],
        }  # fmt: skip
        done = self._job(folder, "lint", "--scanner", "off", BRAIN_NOTE_TOKEN=self.team.tl.token, **where)
        self._end_pipelines("failed" if done.status else "success", found["sha"])
        return done

    def _end_pipelines(self, status: str, sha: str) -> None:
        for row in self.team.root.ask("GET", f"{self.team.api}/pipelines?sha={sha}"):
            self.team.forge.inner.post("/pipelines", json={"id": row["id"], "status": status})
        self.team.forge.settle()

    def finalize(self, *args: str) -> Done:
        """Run memory-finalize on the default branch; where its merge request waits for lint, let lint run."""
        done = self._job(self.runner, "finalize", *args, BRAIN_GITLAB_TOKEN=self.team.bot.token)
        for iid in self.opened():
            found = self.request(iid)
            if found["source_branch"].startswith("memory/finalize-"):
                linted = self.lint(iid)
                assert linted.status == 0, linted
        return done

    def _job(self, folder: Path, job: str, *args: str, **env: str) -> Done:
        sha = git(folder, "rev-parse", "HEAD")
        url = self.team.forge.url
        facts = {
            "CI_PROJECT_DIR": str(folder), "CI_PROJECT_ID": str(self.team.id), "CI_PROJECT_PATH": self.team.path,
            "CI_PROJECT_URL": f"{url}/{self.team.path}", "CI_API_V4_URL": f"{url}/api/v4", "CI_SERVER_HOST": "localhost",
            "CI_COMMIT_SHA": sha, "CI_DEFAULT_BRANCH": "main",
        }  # fmt: skip
        return run(folder, "brain_ci", job, *args, env={**facts, **env})
