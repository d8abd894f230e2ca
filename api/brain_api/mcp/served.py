"""The tools at a project that is served: its approved memory, read only."""

from __future__ import annotations

from brain import clock
from brain.ticket import parse_ticket
from brain_api.errors import BadRequestError
from brain_api.mcp.policy import ANYWHERE, UNKNOWN
from brain_api.mcp.reading import read_answer, recall_answer, search_answer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from brain.workspace import Brain
    from brain_api.mcp.proposing import Proposal
    from brain_api.mcp.reading import Answer
    from brain_api.project import Project
    from brain_api.snapshot import Snapshot


class Shelf:
    """A served project, for one request."""

    where = ANYWHERE

    def __init__(self, project: Project, env: Mapping[str, str]) -> None:
        self.project, self.env = project, env

    def phase(self) -> str:
        """Return that no ticket is known."""
        return UNKNOWN

    def open(self) -> Brain:
        """Return the memory that is served now."""
        return self.project.current().brain

    def answer(self, name: str, given: Mapping[str, Any]) -> Answer:
        """Return what a tool gives.

        Raises:
            BrainError: It cannot.
        """
        return self.project.read(lambda snapshot: self._answer(snapshot, name, given))

    def _answer(self, snapshot: Snapshot, name: str, given: Mapping[str, Any]) -> Answer:
        brain, look = snapshot.brain, snapshot.doubts
        if name == "read":
            return read_answer(brain, given["ids"], look)
        if name == "search":
            return search_answer(brain, given["words"], look)
        assert name == "recall"
        flags = {key: found for key, found in given.items() if key != "full"}
        if not any(flags.values()):
            raise BadRequestError(
                "recall: no ticket is known here", "give title, description, functionId, keywords or files"
            )
        ticket, _ = parse_ticket(flags)
        return recall_answer(brain, ticket, clock.today(self.env), look, full=bool(given.get("full")))

    def plan(self, name: str, given: Mapping[str, Any]) -> Proposal:
        """Propose nothing: the policy lets none through."""
        raise NotImplementedError(name, given)

    def used(self, answer: Answer) -> None:
        """Count memories that were read on demand; a disk that takes none is no harm."""
        try:
            self.project.hits.add(self.project.counter(), answer.used, clock.today(self.env))
        except OSError:
            pass
