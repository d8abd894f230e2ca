"""The second half of the demo: one draft goes through a merge request, on a stand-in for GitLab, to another machine."""

from __future__ import annotations

import contextlib
import json
import re
import subprocess
import sys
import time
import urllib.request
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from tests.demo.stage import BIN, DEMO, ROOT, environment, git, run, show, tell

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

ROOT_TOKEN = "glpat-demo-root"
TICKET, DRAFT = "SHOP-131", "mem-F003-retries-cost-fees"
DEVELOPER, MAINTAINER = 30, 40
PEOPLE = {"mai": DEVELOPER, "khoa": DEVELOPER, "linh": MAINTAINER, "brain-bot": MAINTAINER}
PROJECT = "shop/memory"
DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))
"""Asks this machine itself, whatever proxy the environment names."""
API = f"/api/v4/projects/{quote(PROJECT, safe='')}"


class Server:
    """The stand-in, asked by HTTP as anybody's client would."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.tokens = {"root": ROOT_TOKEN}

    def ask(self, verb: str, path: str, who: str = "root", /, **body: Any) -> Any:
        """Return the answer to a request in a person's name."""
        headers = {"Content-Type": "application/json", "PRIVATE-TOKEN": self.tokens[who]}
        content = json.dumps(body).encode() if body else None
        request = urllib.request.Request(f"{self.url}{path}", content, headers, method=verb)
        with DIRECT.open(request, timeout=60) as answer:
            text = answer.read()
        return json.loads(text) if text else None

    def env(self, who: str) -> dict[str, str]:
        """Return the environment of a person's programs: their token, and git with their credentials."""
        file = DEMO / "people" / who
        file.parent.mkdir(exist_ok=True)
        helper = f"!printf 'username=%s\\\\n' {who}; printf 'password=%s\\\\n' {self.tokens[who]}; true"
        file.write_text(f'[credential]\n\thelper = "{helper}"\n', "utf-8")
        return {"BRAIN_GITLAB_TOKEN": self.tokens[who], "GIT_CONFIG_GLOBAL": str(file)}


@contextlib.contextmanager
def serve() -> Iterator[Server]:
    """Run the stand-in for as long as the block lasts."""
    argv = [sys.executable, "-m", "tests.gitlab", "--port", "0", "--tier", "free", "--token", ROOT_TOKEN, "--data", str(DEMO / "gitlab")]  # fmt: skip
    process = subprocess.Popen(argv, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert process.stdout
    try:
        found = re.search(r"http://\S+", process.stdout.readline())
        assert found, "the stand-in for GitLab did not start"
        server = Server(found[0])
        wait_for(server)
        yield server
    finally:
        process.terminate()
        process.wait(10)


def wait_for(server: Server) -> None:
    """Wait until it answers."""
    for _ in range(200):
        with contextlib.suppress(OSError):
            server.ask("GET", "/_stand_in/ready")
            return
        time.sleep(0.05)


def play(shop: Path, memory: Path) -> None:
    """Tell the story from the draft to another machine's session."""
    with serve() as server:
        found(server, memory)
        mai, bot = server.env("mai"), server.env("brain-bot")
        tell("Her draft is to be the team's. It goes to GitLab (here a stand-in on this machine) as a merge request:")
        run(shop, "brain", "submit", "--ticket", TICKET, env=mai)
        (request,) = server.ask("GET", f"{API}/merge_requests?state=opened")
        tell(f"This is what {request['assignees'][0]['username']}, who approves, reads there:")
        show(as_read(request["description"]))
        tell("The merge request's job judges it:")
        runner = DEMO / "runner"
        git(
            DEMO,
            "clone",
            "-q",
            "--branch",
            request["source_branch"],
            f"{server.url}/{PROJECT}.git",
            str(runner),
            env=bot,
        )
        run(runner, "brain-ci", "lint", "--base", "origin/main", "--scanner", "off", env=bot)
        tell("Linh approves and merges. The job on main asks GitLab who approved, and makes the memory official:")
        where = f"{API}/merge_requests/{request['iid']}"
        server.ask("POST", f"{where}/approve", "linh")
        merge(server, where)
        git(runner, "checkout", "-q", "--detach", "origin/main")
        run(runner, "brain-ci", "finalize", env=bot)
        tell("On Khoa's machine an assistant starts on the same ticket. Among what the hook gives it:")
        show(recalled(shop, server))
        run(shop, "brain", "status", env=mai, quiet=True)  # sees the merge, which ends Mai's journal entry
        leave(memory, mai)


def merge(server: Server, where: str) -> None:
    """Merge as the PM does: on the page, once GitLab has looked whether it can be."""
    for _ in range(200):
        if server.ask("GET", where, "linh")["detailed_merge_status"] == "mergeable":
            break
        time.sleep(0.05)
    server.ask("PUT", f"{where}/merge", "linh")


def found(server: Server, memory: Path) -> None:
    """Make the project with its people and what the demo's team remembers already."""
    server.ask("POST", "/api/v4/groups", name="shop", path="shop")
    group = server.ask("GET", "/api/v4/groups/shop")["id"]
    server.ask("POST", "/api/v4/projects", name="memory", path="memory", namespace_id=group)
    for name, level in PEOPLE.items():
        made = server.ask("POST", "/_stand_in/users", username=name, name=name.title(), bot=name == "brain-bot")
        server.tokens[name] = made["token"]
        server.ask("POST", f"{API}/members", user_id=made["id"], access_level=level)
    git(memory, "remote", "set-url", "origin", f"{server.url}/{PROJECT}.git")
    git(memory, "push", "-q", "origin", "main", env=server.env("linh"))
    with contextlib.suppress(OSError):
        server.ask("DELETE", f"{API}/protected_branches/main")
    server.ask("POST", f"{API}/protected_branches", name="main", push_access_level=0, merge_access_level=MAINTAINER)
    bot = server.env("brain-bot")
    runner = DEMO / "adopting"
    git(DEMO, "clone", "-q", f"{server.url}/{PROJECT}.git", str(runner), env=bot)
    run(runner, "brain-ci", "finalize", "--adopt", env=bot, quiet=True)  # they were approved before there was a GitLab


def leave(memory: Path, env: Mapping[str, str]) -> None:
    """Let the demo's memory repo have what was merged, and its own remote again: the stand-in ends here."""
    git(memory, "pull", "-q", "--ff-only", "origin", "main", env=env)
    git(memory, "remote", "set-url", "origin", "../memory.git")
    git(memory, "push", "-q", "origin", "main")


def as_read(description: str) -> str:
    """Return a merge request's text without what a page does not show."""
    text = re.sub(r"<!--.*?-->\n?", "", description, flags=re.DOTALL)
    return re.sub(r"\n{3,}", "\n\n", text).strip()


def recalled(shop: Path, server: Server) -> str:
    """Return the memory's part of what a session on another machine starts with."""
    khoa, there = server.env("khoa"), DEMO / "khoa" / "shop"
    git(DEMO, "clone", "-q", str(shop), str(there))
    run(there, "brain", "init", "--repo", f"{server.url}/{PROJECT}.git", env=khoa, quiet=True)
    context = there / ".aiflow" / "context"
    context.mkdir(parents=True)
    context.joinpath("current.json").write_bytes((shop / ".aiflow" / "context" / "current.json").read_bytes())
    event = json.dumps({"cwd": str(there), "hook_event_name": "SessionStart", "source": "startup"})
    done = subprocess.run(
        [str(BIN / "brain-hook"), "text", "SessionStart"], cwd=there, env=environment() | khoa, input=event.encode(),
        stdout=subprocess.PIPE, check=False,
    )  # fmt: skip
    block = re.search(rf"^## {DRAFT} .*?(?=^## |\Z)", done.stdout.decode(), re.DOTALL | re.MULTILINE)
    return block[0].strip() if block else "(nothing: this is a bug)"
