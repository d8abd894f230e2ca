"""What is tried with the installed programs, in an empty folder with packages of a user's that are called as our rooms."""

from __future__ import annotations

import json
import os
import re
import subprocess
import time
import urllib.request
from typing import TYPE_CHECKING

from tests.gitlab.fixture import free_port

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

INITIALIZE = {
    "jsonrpc": "2.0", "id": 1, "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "try", "version": "1"}},
}  # fmt: skip
SAYS = "The nightly export locks the orders table until six."


class Place:
    """A workspace of somebody who installed us: a memory repo with a draft in it."""

    def __init__(self, bin_folder: Path, folder: Path) -> None:
        self.bin, self.folder, self.memory = bin_folder, folder, folder / "memory"
        for name in ("api", "hooks", "ci", "tests"):
            (folder / name).mkdir(parents=True)
            (folder / name / "__init__.py").write_text("raise SystemExit('a package of the user')\n")
        home = folder / "home"
        home.mkdir()
        (home / ".gitconfig").write_text(
            "[user]\n\tname = Ada\n\temail = ada@example.com\n[init]\n\tdefaultBranch = main\n"
        )
        keep = {name: text for name, text in os.environ.items() if name in ("PATH", "LANG", "TMPDIR")}
        self.env = {
            **keep, "HOME": str(home), "GIT_CONFIG_NOSYSTEM": "1", "PYTHONPATH": "..",
            "PATH": f"{bin_folder}{os.pathsep}{keep['PATH']}",
        }  # fmt: skip
        subprocess.run(["git", "init", "-q", str(self.memory)], env=self.env, check=True)

    def run(self, program: str, *args: str, stdin: str = "", status: int = 0) -> str:
        """Return what a program prints on both outputs; its status must be this one."""
        done = subprocess.run(
            [str(self.bin / program), *args], cwd=self.memory, env=self.env, input=stdin, capture_output=True,
            encoding="utf-8", check=False, timeout=300,
        )  # fmt: skip
        assert done.returncode == status, f"{program} {' '.join(args)}: {done.returncode}\n{done.stdout}{done.stderr}"
        return done.stdout + done.stderr


def base(place: Place) -> None:
    for program in ("brain", "brain-hook", "brain-ci", "brain-api"):
        place.run(program, "--help")
    assert ".gitlab/project-brain.yml" in place.run("brain", "init")
    said = place.run(
        "brain", "remember", SAYS, "--apply", "wait.", "--tags", "export", "--scope", "global", "--role", "dev"
    )
    assert "_pending/01.Lessons/dev/_global/" in said
    place.run("brain", "lint")
    assert SAYS in place.run("brain", "recall", "export")
    event = {"cwd": str(place.memory), "session_id": "s", "hook_event_name": "SessionStart", "source": "startup"}
    assert json.loads(place.run("brain-hook", "claude", "SessionStart", "memories", stdin=json.dumps(event))) == {}
    assert "project-brain.js" in place.run("brain-hook", "install", "opencode")
    assert "there is no remote" in place.run("brain-ci", "finalize", status=4)


def no_api(place: Place) -> None:
    assert "pip install '.[api]'" in place.run("brain-api", "serve", ".", status=3)


def no_mcp(place: Place) -> None:
    assert "pip install '.[mcp]'" in place.run("brain-api", "mcp", status=3)


def no_semantic(place: Place) -> None:
    assert "pip install '.[semantic]'" in place.run("brain", "semantic", "build", status=3)


def no_semantic_pg(place: Place) -> None:
    assert "pip install '.[semantic-pg]'" in place.run("brain", "semantic", "serve", "--data", "pg", status=3)


def api(place: Place) -> None:
    port = free_port()
    server = subprocess.Popen(
        [str(place.bin / "brain-api"), "serve", ".", "--port", str(port)], cwd=place.memory, env=place.env,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        for path, has in (("/healthz", ""), ("/", "<html"), ("/openapi.json", '"openapi"'), ("/metrics", "# HELP")):
            assert has in _get(f"http://127.0.0.1:{port}{path}"), path
    finally:
        server.terminate()
        server.wait(30)


def _get(url: str) -> str:
    deadline = time.monotonic() + 60
    while True:
        try:
            with urllib.request.urlopen(url, timeout=10) as answer:
                return str(answer.read().decode())
        except OSError:
            assert time.monotonic() < deadline, url
            time.sleep(0.2)


def mcp(place: Place) -> None:
    said = place.run("brain-api", "mcp", stdin=json.dumps(INITIALIZE) + "\n")
    assert json.loads(said.splitlines()[0])["result"]["serverInfo"]["name"]


def semantic(place: Place) -> None:
    place.run("brain", "semantic", "build")
    assert re.search(r"\b1 memor", place.run("brain", "semantic", "status"))


def semantic_pg(place: Place) -> None:
    code = "import psycopg, psycopg_pool; from brain.semantic.postgres.server import find_programs; find_programs()"
    place.run("python", "-I", "-c", code)


def lint(place: Place) -> None:
    place.run("gitleaks", "version")


def demo(place: Place) -> None:
    place.run("python", "-I", "-c", "import starlette, uvicorn, httpx, multipart")


WITH: dict[str, Callable[[Place], None]] = {
    "lint": lint, "api": api, "mcp": mcp, "demo": demo, "semantic": semantic, "semantic-pg": semantic_pg,
}  # fmt: skip
"""What is tried where an extra is installed. ``semantic-st`` is not: it brings another package of gigabytes."""
WITHOUT: dict[str, Callable[[Place], None]] = {
    "api": no_api, "mcp": no_mcp, "semantic": no_semantic, "semantic-pg": no_semantic_pg,
}  # fmt: skip
"""What is tried where it is not: one sentence, with the mend."""
BRINGS = {"mcp": {"api"}}
"""Extras whose programs come with another's: then nothing is said of them."""
