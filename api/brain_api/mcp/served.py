"""The tools at a project that is served: its approved memory, and drafts that wait there for a person to take."""

from __future__ import annotations

from brain import clock
from brain.json_text import parse_json
from brain.recall.render import clean_line
from brain.ticket import parse_ticket
from brain_api.errors import BadRequestError, FindingsError, InvalidRequestError
from brain_api.mcp.policy import DRAFTING, SERVED, UNKNOWN
from brain_api.mcp.reading import Answer, read_answer, recall_answer, search_answer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from brain.workspace import Brain
    from brain_api.mcp.proposing import Proposal
    from brain_api.project import Project
    from brain_api.snapshot import Snapshot


class Shelf:
    """A served project, for one request of a caller (the token's id)."""

    def __init__(self, project: Project, env: Mapping[str, str], caller: str, *, may_draft: bool) -> None:
        self.project, self.env, self.caller = project, env, caller
        self.where = DRAFTING if may_draft else SERVED

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
        if name == "remember":
            return self._remember(given)
        return self.project.read(lambda snapshot: self._answer(snapshot, name, given))

    def _remember(self, given: Mapping[str, Any]) -> Answer:
        """Keep a draft as ``POST …/drafts`` does; the same again is the same draft, and nothing more."""
        from brain_api.proposed import keep_draft  # only here: the service starts without lint

        body = {**given, "refs": given.get("refs", "").split(",")}
        try:
            kept = parse_json(keep_draft(self.project, body, self.caller, None, clock.today(self.env)).decode())
        except FindingsError as error:
            rows = [f"{row['code']} {row['message']}; {row['mend']}" for row in error.members["findings"]]
            raise InvalidRequestError("\n".join(["nothing was written", *map(clean_line, rows)])) from None
        said = f"Drafted {kept['id']}: it waits here until a person takes it (brain pending take {kept['id']})."
        facts = {name: found for name, found in kept.items() if name != "text"}
        return Answer("\n".join([said, *kept["remarks"]]), facts)

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
