"""The stand-in as a process for tests, and helpers that talk to it by HTTP alone.

Import the pytest fixtures by name into a conftest.py: `forge` and `team` on Free, `premium` and `paid` on Premium.
A session has one process a tier, started when first asked for; each test has a project of its own.

    def test_it(team: Team) -> None:
        team.commit("memory/T-1", {"a.md": "text"})                       # through the API, as dev
        mr = team.open("memory/T-1", "memory(T-1)", labels="memory")       # as dev, into main
        team.pm.ask("POST", f"{team.api}/merge_requests/{mr['iid']}/approve")
        git("push", team.remote("dev"), "HEAD:memory/T-2")                 # an address with dev's token
        team.forge.fault("lost_answer", verb="POST", path="/merge_requests$")
        assert team.forge.state(team.path) == "..."                        # refs and merge requests as text

A test that kills the server starts its own: `with start(tmp_path, tier="premium") as forge: …; forge.restart()`.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest

ROOT = Path(__file__).parents[2]
ROOT_TOKEN = "glpat-root-of-the-stand-in"
ROLES = {"pm": 40, "tl": 40, "dev": 30, "bot": 40}


class Person(httpx.Client):
    """A client of the API in one person's name; paths are those below /api/v4."""

    def __init__(self, url: str, token: str, username: str = "root", user_id: int = 1, verify: Any = True) -> None:
        headers = {"PRIVATE-TOKEN": token} if token else {}
        super().__init__(base_url=f"{url}/api/v4", headers=headers, timeout=60, trust_env=False, verify=verify)
        self.token, self.username, self.id = token, username, user_id

    def ask(self, verb: str, path: str, /, **json: Any) -> Any:
        """Return the answer's body; fail with its text when it is an error."""
        answer = self.request(verb, path, json=json or None)
        assert answer.status_code < 400, f"{verb} {path}: {answer.status_code} {answer.text}"
        return answer.json() if answer.content else None


@dataclass
class Team:
    """A project with its people; main is protected: nobody pushes, Maintainers merge."""

    forge: Forge
    id: int
    path: str
    people: dict[str, Person]

    def __getattr__(self, name: str) -> Person:
        if name.startswith("__") or name not in self.people:
            raise AttributeError(name)
        return self.people[name]

    def remote(self, who: str) -> str:
        """Return an address with the person's token in it, for git in tests."""
        scheme, _, rest = self.forge.url.partition("://")
        person = self.people[who]
        return f"{scheme}://{person.username}:{person.token}@{rest}/{self.path}.git"

    @property
    def api(self) -> str:
        """Return the project's path in the API."""
        return f"/projects/{self.id}"

    def commit(
        self, branch: str, files: dict[str, str], message: str = "Work", start: str = "main", who: str = "dev"
    ) -> str:
        """Commit files through the API, on a new branch from `start` or an old one, and return the commit."""
        actions = [{"action": "create", "file_path": path, "content": text} for path, text in files.items()]
        there = self.people[who].get(f"{self.api}/repository/branches/{quote(branch, safe='')}").status_code == 200
        more = {} if there else {"start_branch": start}
        made = self.people[who].ask(
            "POST", f"{self.api}/repository/commits", branch=branch, commit_message=message, actions=actions, **more
        )
        return str(made["id"])

    def open(self, branch: str, title: str = "A change", who: str = "dev", **more: Any) -> Any:
        """Open a merge request into main and return it."""
        fields = {"source_branch": branch, "target_branch": "main", "title": title, **more}
        return self.people[who].ask("POST", f"{self.api}/merge_requests", **fields)

    def ready(self, iid: int) -> Any:
        """Return the merge request once its mergeability is known."""
        mr: Any = {}
        for _ in range(10):
            mr = self.people["pm"].ask("GET", f"{self.api}/merge_requests/{iid}")
            if mr["detailed_merge_status"] not in {"checking", "preparing", "unchecked"}:
                break
        return mr


class Forge:
    """A running stand-in."""

    def __init__(self, url: str, data: Path, argv: list[str], verify: Any = True) -> None:
        self.url, self.data, self.argv, self.verify = url, data, argv, verify
        self.clients: list[httpx.Client] = []
        self.root = self.client(ROOT_TOKEN)
        origin = "/".join(url.split("/")[:3])
        self.inner = httpx.Client(base_url=f"{origin}/_stand_in", timeout=60, trust_env=False, verify=verify)
        self.clients.append(self.inner)
        self.process: subprocess.Popen[str] | None = None
        self.count = 0

    # the stand-in's own doors

    def set(self, **settings: Any) -> None:
        """Turn knobs: `tier`, `settle_gets`, `reset_ticks`, `result`, …"""
        self._post("/settings", settings)

    def clock(self, **change: Any) -> Any:
        """Move the clock: `freeze=True`, `advance=60`, `tick=1`, `run=True`."""
        return self._post("/clock", change)

    def fault(self, name: str, **given: Any) -> Any:
        """Switch a fault on; see faults.NAMED."""
        return self._post("/faults", {"name": name, **given})

    def calm(self) -> None:
        """Switch all faults off."""
        self.inner.delete("/faults")

    def settle(self) -> Any:
        """Wait until all webhooks are delivered and all jobs have run."""
        return self._post("/settle", {"seconds": 60})

    def state(self, project: str = "") -> str:
        """Return refs and merge requests as text."""
        return self.inner.get("/state", params={"project": project}).text

    def deliveries(self) -> Any:
        """Return every webhook delivery."""
        return self.inner.get("/deliveries").json()

    def _post(self, path: str, body: Any) -> Any:
        answer = self.inner.post(path, json=body)
        assert answer.status_code < 400, answer.text
        return answer.json()

    # people and projects

    def person(self, username: str, **more: Any) -> Person:
        """Return a client for a user, made when new."""
        made = self._post("/users", {"username": username, **more})
        return self.client(made["token"], username, made["id"])

    def client(self, token: str, username: str = "root", user_id: int = 1) -> Person:
        """Return a client for a token; it is closed with the stand-in."""
        made = Person(self.url, token, username, user_id, self.verify)
        self.clients.append(made)
        return made

    def group(self, path: str) -> int:
        """Return the id of a group, made with those above it when new."""
        parent: int | None = None
        whole = ""
        for part in path.split("/"):
            whole = f"{whole}/{part}".strip("/")
            found = self.root.get(f"/groups/{quote(whole, safe='')}")
            if found.status_code == 404:
                above: dict[str, Any] = {"parent_id": parent} if parent else {}
                found = self.root.post("/groups", json={"name": part, "path": part, **above})
            parent = found.json()["id"]
        assert parent is not None
        return int(parent)

    def team(self, path: str = "", files: dict[str, str] | None = None, **settings: Any) -> Team:
        """Return a new project with a commit on a protected main, and pm, tl, dev and bot with their tokens."""
        self.count += 1
        path = path or f"team{self.count}-{os.getpid()}/docs"
        space, _, name = path.rpartition("/")
        project = self.root.ask(
            "POST",
            "/projects",
            name=name,
            path=name,
            namespace_id=self.group(space),
            initialize_with_readme=True,
            **settings,
        )
        people = {"root": self.root}
        mark = f"{self.count}"
        for role, level in ROLES.items():
            people[role] = self.person(
                f"{role}{mark}", name=role.upper(), email=f"{role}{mark}@example.com", bot=role == "bot"
            )
            self.root.ask("POST", f"/projects/{project['id']}/members", user_id=people[role].id, access_level=level)
        found = Team(self, project["id"], path, people)
        self.root.delete(f"{found.api}/protected_branches/main")
        if files:
            found.commit("main", files, who="root")
        self.root.ask(
            "POST",
            f"{found.api}/protected_branches",
            name="main",
            push_access_level=0,
            merge_access_level=40,
        )
        return found

    # the process

    def launch(self) -> None:
        """Start the process and wait until it answers."""
        env = {**os.environ, "PYTHONPATH": str(ROOT)}
        self.process = subprocess.Popen(self.argv, env=env, cwd=ROOT, text=True)
        end = time.monotonic() + 20
        while time.monotonic() < end:
            with contextlib.suppress(httpx.TransportError):
                if self.inner.get("/ready").status_code == 200:
                    return
            if self.process.poll() is not None:
                break
            time.sleep(0.02)
        raise RuntimeError("the stand-in did not start")

    def kill(self) -> None:
        """Kill the process as a crash would."""
        if self.process:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()

    def restart(self) -> None:
        """Kill the process and start it on the same data."""
        self.kill()
        self.launch()


def free_port() -> int:
    """Return a port that was free a moment ago."""
    import socket

    with socket.socket() as link:
        link.bind(("127.0.0.1", 0))
        return int(link.getsockname()[1])


@contextlib.contextmanager
def start(
    data: Path, *, tier: str = "free", prefix: str = "", args: tuple[str, ...] = (), verify: Any = True
) -> Iterator[Forge]:
    """Run a stand-in with its answers held against the contract, for as long as the block lasts."""
    port = free_port()
    argv = [sys.executable, "-m", "tests.gitlab", "--port", str(port), "--tier", tier, "--token", ROOT_TOKEN, "--prefix", prefix,
            "--data", str(data), "--check-contract", *args]  # fmt: skip
    scheme = "https" if "--tls-cert" in args else "http"
    forge = Forge(f"{scheme}://localhost:{port}{prefix}", data, argv, verify)
    forge.launch()
    forge.set(settle_gets=0)
    try:
        yield forge
    finally:
        for client in forge.clients:
            client.close()
        if forge.process:
            forge.process.terminate()
            forge.process.wait(10)


# Fixtures


@pytest.fixture(scope="session")
def free_forge(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Forge]:
    """Return GitLab Free."""
    with start(tmp_path_factory.mktemp("free")) as forge:
        yield forge


@pytest.fixture(scope="session")
def premium_forge(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Forge]:
    """Return GitLab Premium."""
    with start(tmp_path_factory.mktemp("premium"), tier="premium") as forge:
        yield forge


def _calm(forge: Forge) -> Forge:
    forge.calm()
    forge.set(
        settle_gets=0,
        settle_seconds=1.0,
        reset_ticks=0,
        pipeline_ticks=0,
        hook_ticks=0,
        result="pending",
        rate_limit=None,
    )
    return forge


@pytest.fixture
def forge(free_forge: Forge) -> Forge:
    """Return GitLab Free without faults or delays."""
    return _calm(free_forge)


@pytest.fixture
def premium(premium_forge: Forge) -> Forge:
    """Return GitLab Premium without faults or delays."""
    return _calm(premium_forge)


@pytest.fixture
def team(forge: Forge) -> Team:
    """Return a project on Free."""
    return forge.team()


@pytest.fixture
def paid(premium: Forge) -> Team:
    """Return a project on Premium."""
    return premium.team()
