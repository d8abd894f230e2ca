"""Who does the work of answers: as many threads as there are cores, and no project has all of them."""

from __future__ import annotations

import os

from anyio import CapacityLimiter, to_thread

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    from brain_api.answers import Question
    from brain_api.project import Project

    T = TypeVar("T")


class Crew:
    """Threads for work that takes a while, shared fairly among the projects."""

    def __init__(self) -> None:
        cores = max(2, os.cpu_count() or 2)
        self._all = CapacityLimiter(cores + 1)
        self._each = cores
        self._of_project: dict[str, CapacityLimiter] = {}

    async def run(self, project: str, work: Callable[[], T]) -> T:
        """Return what ``work`` returns; one project's work waits for its own, and never for all of another's."""
        own = self._of_project.get(project)
        if own is None:
            own = self._of_project[project] = CapacityLimiter(self._each)
        async with own:
            return await to_thread.run_sync(work, limiter=self._all, abandon_on_cancel=True)

    async def ask(self, project: Project, question: Question) -> bytes:
        """Return the answer of the project's snapshot; one that is kept costs no thread."""
        found = project.current().answers.find(question)
        if found is not None:
            return found
        return await self.run(project.name, lambda: project.read(lambda snapshot: snapshot.ask(question)))
