"""The service as a process for tests: settings in a folder of the test's own, a client that speaks HTTP to it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import httpx

from tests.support.program import CODE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

WAIT = 60.0
"""Seconds until a state that is waited for counts as never coming."""


def wait_for(ask: Callable[[], Any], what: str, seconds: float = WAIT) -> Any:
    """Return what ``ask`` returns as soon as that is something."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = ask()
        if found:
            return found
        time.sleep(0.02)
    raise AssertionError(f"{what}: not within {seconds:g} s")


class Served:
    """A running service. ``token`` is sent with each request of ``http``."""

    def __init__(self, folder: Path, settings: str, env: Mapping[str, str] | None = None, *, limit: int = 0) -> None:
        self.folder, self.env, self.limit = folder, dict(env or {}), limit
        self.settings = folder / "brain-api.toml"
        folder.mkdir(parents=True, exist_ok=True)
        self.settings.write_text('listen = "127.0.0.1:0"\ntokens = "tokens.jsonl"\ndata = "data"\n' + settings, "utf-8")
        self.log = folder / "log"
        self.process: subprocess.Popen[bytes] | None = None
        self.url = ""
        self.http = httpx.Client()

    def run(self, *args: str) -> subprocess.CompletedProcess[str]:
        """Run another command of the program."""
        return subprocess.run(
            [sys.executable, "-m", "brain_api", *args], env=self._env(), capture_output=True, text=True, check=False
        )

    def token(self, *scopes: str, project: str = "*", name: str = "test", expires: str = "") -> str:
        """Make a token."""
        more = [part for scope in scopes for part in ("--scope", scope)]
        more += ["--expires", expires] if expires else []
        done = self.run("token", "new", "--settings", str(self.settings), name, "--project", project, *more)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def start(self, *scopes: str, ready: bool = True) -> Served:
        """Start it; its client has a token with these scopes (all)."""
        if not (self.folder / "tokens.jsonl").exists():
            self.bearer = self.token(*(scopes or ("read", "hits", "review", "metrics", "draft")))
        start = len(self.lines())
        with self.log.open("ab") as log:
            before = self.limits if self.limit else None
            self.process = subprocess.Popen(
                [sys.executable, "-m", "brain_api", "serve", "--settings", str(self.settings)],
                env=self._env(), stderr=log, stdout=log, cwd=self.folder, preexec_fn=before,  # noqa: PLW1509 - a setting of the child's own, nothing that waits for a thread
            )  # fmt: skip
        line = wait_for(lambda: self._said("brain-api: http://", start), "the address")
        self.url = line.split()[1].rstrip("/")
        self.http.close()
        self.http = httpx.Client(
            base_url=self.url, headers={"authorization": f"Bearer {self.bearer}"}, timeout=30, trust_env=False
        )
        wait_for(self._answers, "an answer")
        if ready:
            wait_for(lambda: self.http.get("/readyz").status_code == 200, "every project")
        return self

    bearer = ""

    def limits(self) -> None:
        """Let no file grow larger; in the child, before it starts."""
        import resource

        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (self.limit, self.limit))

    def _env(self) -> dict[str, str]:
        from tests.support.repos import SOURCE

        path = os.pathsep.join(filter(None, [CODE["PYTHONPATH"], str(SOURCE), str(SOURCE / "api")]))
        return {**os.environ, **CODE, "PYTHONPATH": path, **self.env}

    def _check_alive(self) -> None:
        assert self.process
        assert self.process.poll() is None, self.log.read_text()

    def _said(self, text: str, start: int) -> str:
        self._check_alive()
        return next((line for line in self.lines()[start:] if text in line), "")

    def lines(self) -> list[str]:
        """Return the lines of its log."""
        return self.log.read_text("utf-8", "replace").splitlines() if self.log.exists() else []

    def events(self, event: str) -> list[dict[str, Any]]:
        """Return the events of that name in its log."""
        rows = (json.loads(line) for line in self.lines() if line.startswith("{"))
        return [row for row in rows if row["event"] == event]

    def _answers(self) -> bool:
        self._check_alive()
        try:
            return self.http.get("/healthz").status_code == 200
        except httpx.TransportError:
            return False

    def stop(self) -> int:
        """Ask it to stop and return its exit status."""
        assert self.process
        self.process.terminate()
        return self.process.wait(30)

    def kill(self) -> None:
        """Kill it as a crash would."""
        assert self.process
        self.process.kill()
        self.process.wait(30)

    def close(self) -> None:
        """End it, whatever it is at."""
        self.http.close()
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait(30)

    def row(self, project: str = "shop") -> dict[str, Any]:
        """Return how a project stands."""
        rows = self.http.get("/readyz").json()["projects"]
        return next(row for row in rows if row["project"] == project)

    def commit(self, project: str = "shop") -> str:
        """Return the commit that is served."""
        return str(self.row(project)["commit"])
