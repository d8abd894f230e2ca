"""The service as one value: its settings, projects, keepers, and who may ask; the app carries it."""

from __future__ import annotations

from brain import clock
from brain_api.access import Guard
from brain_api.crew import Crew
from brain_api.keeper import Keeper
from brain_api.log import Log
from brain_api.metrics import Metrics
from brain_api.project import Projects

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from fastapi import FastAPI

    from brain_api.access import Caller
    from brain_api.project import Project
    from brain_api.settings import Settings

STOP_SECONDS = 5.0
"""Longest that keepers are waited for in the end."""


class Service:
    """What an app is made of. ``projects`` is what MCP and the web page read from, too."""

    def __init__(self, settings: Settings, env: Mapping[str, str], log: Log | None = None) -> None:
        self.settings, self.env, self.log = settings, env, log or Log()
        self.projects = Projects(settings, env)
        self.guard = Guard(settings, self.projects, env)
        self.metrics, self.crew = Metrics(), Crew()
        self.keepers = {project.name: Keeper(project, self.metrics, self.log) for project in self.projects}

    def begin(self) -> None:
        """Start keeping all projects."""
        self.log.write("start", projects=len(self.keepers))
        for keeper in self.keepers.values():
            keeper.begin()

    def end(self) -> None:
        """Stop keeping them."""
        until = clock.now() + STOP_SECONDS
        for keeper in self.keepers.values():
            keeper.end(max(0.1, until - clock.now()))
        self.log.write("stop")

    def status(self) -> str:
        """Return the worst of the projects' states."""
        found = {project.status() for project in self.projects}
        return next((state for state in ("starting", "old") if state in found), "ready")

    def rows(self, caller: Caller) -> list[dict[str, Any]]:
        """Return how those projects stand that a caller may see."""
        return [_row(project) for project in self.projects if self.guard.sees(caller, project.name)]


def _row(project: Project) -> dict[str, Any]:
    snapshot = project.snapshot
    causes = [*project.state.get("trouble", ()), *([project.unreadable] if project.unreadable else [])]
    return {
        "project": project.name, "status": project.status(), "commit": snapshot.commit if snapshot else "",
        "memories": snapshot.brain.tree.size if snapshot else 0, "refreshed": project.state.get("refreshed") or None,
        "cause": list(dict.fromkeys(causes)),
    }  # fmt: skip


def service_of(app: FastAPI) -> Service:
    """Return the service that an app carries."""
    found: Service = app.state.service
    return found
