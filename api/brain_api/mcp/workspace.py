"""The tools in a workspace of this machine: the approved memory, and this user's drafts."""

from __future__ import annotations

import secrets

from brain import clock, telemetry
from brain.compose import SAID_ALREADY, compose_draft, compose_update, file_draft
from brain.errors import BrainError
from brain.git.fetch import fetch
from brain.guess import Wish
from brain.index.cache import cache_dir
from brain.lint.advise import advise
from brain.lint.finding import ERROR, is_confidential
from brain.pending import list_pending
from brain.recall.doubts import warning_of
from brain.recall.render import clean_line, fenced
from brain.rejected import find_rejected, rejected_before
from brain.ticket import read_ticket
from brain.verify import approved_memory, changes_under, disputed_text, file_copy, verified_text
from brain.workspace import find_workspace, open_brain
from brain_api.mcp.policy import WORKSPACE, phase_of
from brain_api.mcp.proposing import plan_removal, plan_submit
from brain_api.mcp.reading import Answer, look_now, read_answer, recall_answer, search_answer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from brain.compose import Draft
    from brain.memory import Memory
    from brain.ticket import Ticket
    from brain.workspace import Brain
    from brain_api.mcp.proposing import Proposal


class Desk:
    """A workspace, for one session of an assistant; each call reads it anew."""

    where = WORKSPACE

    def __init__(self, folder: str, env: Mapping[str, str]) -> None:
        self.folder, self.env = folder, env
        self.session = f"mcp-{secrets.token_hex(6)}"
        self._fetched = False
        self._tools = {
            "recall": self._recall, "search": self._search, "read": self._read, "pending": self._pending,
            "remember": self._remember, "verify": self._verify,
        }  # fmt: skip

    def phase(self) -> str:
        """Return the phase of the workspace's ticket."""
        return phase_of(self._ticket({}))

    def open(self) -> Brain:
        """Return the memory as it is now.

        Raises:
            BrainError: There is none, or a setting is refused.
        """
        brain = open_brain(self.folder, self.env)
        if brain.config.problems:
            raise brain.config.problems[0]
        return brain

    def answer(self, name: str, given: Mapping[str, Any]) -> Answer:
        """Return what a tool gives that needs no person.

        Raises:
            BrainError: It cannot.
        """
        return self._tools[name](self.open(), given)

    def plan(self, name: str, given: Mapping[str, Any]) -> Proposal:
        """Return what a tool would propose, for a person to confirm.

        Raises:
            BrainError: It cannot.
        """
        if name == "submit":
            ticket = self._ticket({"taskId": given["ticket"]} if given.get("ticket") else {})
            return plan_submit(self.open(), self.env, self.open, ticket, given.get("ids", ()))
        return plan_removal(self.open(), self.env, self.open, given)

    def used(self, answer: Answer) -> None:
        """Count memories that were read on demand (SPEC §8)."""
        if answer.used:
            workspace = find_workspace(self.folder)
            ticket = read_ticket({}, self.env, workspace.ticket_dirs)[0].task_id
            telemetry.record(
                workspace.state_dir, telemetry.EVENTS, telemetry.READ,
                ids=list(answer.used), session=self.session, ticket=ticket,
            )  # fmt: skip

    def _ticket(self, flags: Mapping[str, Any]) -> Ticket:
        return read_ticket(flags, self.env, find_workspace(self.folder).ticket_dirs)[0]

    def _recall(self, brain: Brain, given: Mapping[str, Any]) -> Answer:
        ticket = self._ticket({key: found for key, found in given.items() if key != "full"})
        late, day, full = "", clock.today(self.env), bool(given.get("full"))
        if not self._fetched:  # as at a session's start, for hosts that have none (SPEC §4.1)
            remote, seconds = brain.config["memory.remote"], brain.config["recall.fetchSeconds"]
            late = fetch(brain.repo, remote, seconds, cache_dir(brain.repo), self.env)
            self._fetched, brain = True, self.open()
        return recall_answer(brain, ticket, day, look_now(brain), full=full, remark=late)

    def _search(self, brain: Brain, given: Mapping[str, Any]) -> Answer:
        return search_answer(brain, given["words"], look_now(brain))

    def _read(self, brain: Brain, given: Mapping[str, Any]) -> Answer:
        return read_answer(brain, given["ids"], look_now(brain))

    def _pending(self, brain: Brain, _given: Mapping[str, Any]) -> Answer:
        rows = [
            {"id": draft.id, "path": draft.path, "days": draft.days, "hook": clean_line(draft.sentence),
             "problem": clean_line(draft.problem)}
            for draft in list_pending(brain.memory_root, clock.now())
        ]  # fmt: skip
        lines = [f"- {row['id'] or row['path']}: {row['problem'] or row['hook']} ({row['days']} days)" for row in rows]
        return Answer("\n".join(lines) or "No drafts.", {"drafts": rows})

    def _remember(self, brain: Brain, given: Mapping[str, Any]) -> Answer:
        wish = _wish(given)
        if given.get("update"):
            draft = compose_update(brain, wish, given["update"])
        else:
            draft = compose_draft(brain, self._ticket({}), wish, clock.today(self.env))
            rejected = find_rejected(brain, draft.memory)
            if rejected:
                told = clean_line(rejected[0].sentence)
                hint = f"{told}; a person can run brain restore, or brain remember --force"
                raise rejected_before(rejected[0], draft.memory.id, hint)
        remarks = [*draft.remarks, *_advice(brain, draft, clock.today(self.env))]
        path = file_draft(brain, draft)
        memory = draft.memory
        facts = {"id": memory.id, "path": path, "type": memory.type, "scope": memory.scope, "tags": list(memory.tags),
                 "confidence": memory.confidence, "remarks": remarks}  # fmt: skip
        return Answer(
            "\n".join([f"Drafted {memory.id}: {path}. It is the user's own until submitted.", *remarks]), facts
        )

    def _verify(self, brain: Brain, given: Mapping[str, Any]) -> Answer:
        memory, text = approved_memory(brain, given["id"])
        if "holds" not in given:
            return _changes(brain, memory)
        remarks: list[str] = []
        if given["holds"]:
            text, remarks = verified_text(brain, memory, text)
            said = f"Drafted {memory.id} as verified at the present commit"
        else:
            text = disputed_text(memory, text)
            said = f"Drafted a copy of {memory.id} to mend: change it by remember with update, or propose its removal"
        path = f"{brain.config['memory.root']}/{file_copy(brain, memory, text)}"
        return Answer("\n".join([f"{said}: {path}.", *remarks]), {"id": memory.id, "path": path, "remarks": remarks})


def _wish(given: Mapping[str, Any]) -> Wish:
    texts = {key: given.get(key, "").strip() for key in ("type", "scope", "apply")}
    refs = tuple(filter(None, map(str.strip, given.get("refs", "").split(","))))
    return Wish(given["text"], by_assistant=True, refs=refs, **texts)


def _advice(brain: Brain, draft: Draft, today: str) -> list[str]:
    """Return what lint has to say of a draft.

    Raises:
        BrainError: It holds a secret or personal data, which an assistant writes nowhere.
    """
    found = [one for one in advise(brain, draft.text, draft.memory.path, today) if one.rule.name not in SAID_ALREADY]
    for one in found:
        if one.severity == ERROR and is_confidential(one.rule):
            raise BrainError(f"nothing was written: {one.rule.code} {clean_line(one.message)}", clean_line(one.mend))
    return [clean_line(f"{one.severity}: {one.rule.code} {one.message}; {one.mend}") for one in found]


def _changes(brain: Brain, memory: Memory) -> Answer:
    changes = changes_under(brain, memory)
    rows = [{"warning": clean_line(warning_of(change.doubt)), "diff": change.diff} for change in changes]
    if not rows:
        text = "Nothing changed under its refs." if memory.refs else "It has no refs."
        return Answer(text, {"id": memory.id, "changes": []})
    parts = [f"{row['warning']}\n{fenced(row['diff'])}" if row["diff"] else row["warning"] for row in rows]
    text = "\n\n".join([f"{memory.id}: {clean_line(memory.sentence)}", *parts])
    return Answer(text, {"id": memory.id, "changes": rows})
