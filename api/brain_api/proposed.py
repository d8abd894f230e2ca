"""Drafts that are sent to the service: kept in a folder of its own until a person takes or drops them.

They lie as they do in a workspace, and nobody recalls them. A request with an idempotency key is written down before
its draft is, so that the same request again, after a crash too, is the same draft and the same answer.
"""

from __future__ import annotations

import os
from hashlib import sha256
from threading import RLock

from brain.compose import SAID_ALREADY, compose_draft, compose_update, refuse_similar
from brain.drafts import list_drafts, load_drafts
from brain.errors import BrainError, ConflictError
from brain.files import create_file, read_bytes
from brain.guess import Wish
from brain.json_text import render_json
from brain.layout import PENDING
from brain.lint.advise import advise
from brain.lint.render import as_facts, one_line
from brain.pending import Pending, draft_text, drop_draft, find_pending, list_pending, tag_of
from brain.recall.render import clean_line
from brain.rejected import find_rejected, rejected_before
from brain.search import patience_of
from brain.ticket import parse_ticket
from brain.value import replace, value
from brain_api.errors import ChangedError, FindingsError, InvalidRequestError, NotKeptError
from brain_api.journal import Journal
from brain_api.project import DRAFTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from brain.compose import Draft
    from brain.ticket import Ticket
    from brain.workspace import Brain
    from brain_api.project import Project

MOST_DRAFTS = 1000
"""Drafts that wait; more would be nobody's to read."""
MOST_KEYS, MOST_BYTES = 1000, 8 << 20
"""Requests that are remembered; the file is begun anew with the latest when it is larger."""


@value
class Request:
    """What is to be drafted; ``update`` is the id of what it changes, "" for a new one.

    ``key`` is the caller's own for it, "" for none, and ``digest`` that of all that was sent.
    """

    wish: Wish
    ticket: Ticket
    update: str
    key: str
    digest: str


def keep_draft(project: Project, given: Mapping[str, Any], caller: str, key: str | None, today: str) -> bytes:
    """Keep a draft of what a caller (the token's id) sent to a project, on disk when this returns; return it as JSON.

    ``key`` is the caller's own for it, "" for none; None where what was sent is its own key: twice is once.

    Raises:
        BrainError: See ``Proposed.propose``.
        NotKeptError: The disk did not take it.
    """
    digest = sha256(render_json(given).encode()).hexdigest()
    own_key = f"{caller} {key}" if key else f"{caller} sent {digest}" if key is None else ""
    request = make_request(given, own_key, digest)
    try:
        return project.read(lambda snapshot: project.proposed.propose(snapshot.brain, request, today))
    except OSError:
        raise NotKeptError from None


def make_request(given: Mapping[str, Any], key: str, digest: str) -> Request:
    """Return a request as its body says it."""
    refs, tags = (tuple(filter(None, map(str.strip, given.get(name, ())))) for name in ("refs", "tags"))
    words = {name: given.get(name, "").strip() for name in ("apply", "type", "scope")}
    wish = replace(Wish(given["text"], by_assistant=True, refs=refs, tags=tags), **words)
    return Request(wish, parse_ticket(given.get("ticket", {}))[0], given.get("update", ""), key, digest)


class Proposed:
    """The drafts of one project, in a folder."""

    def __init__(self, folder: str) -> None:
        self.root, self._segment = os.path.join(folder, DRAFTS), os.path.join(folder, "drafts.segment")
        self._journal = Journal(os.path.join(folder, "drafts.jsonl"))
        self._turn = RLock()
        self._known: dict[str, dict[str, Any]] = {}

    def propose(self, brain: Brain, request: Request, today: str) -> bytes:
        """Keep a draft, on disk when this returns; return it as JSON.

        Raises:
            FindingsError: Rules of lint stand against it.
            ConflictError: One like it is there, or was turned down.
            InvalidRequestError: It cannot be drafted, or its key was used for another.
            OSError: The disk did not take it.
        """
        with self._turn, self._journal.locked():
            self._catch_up()
            row = self._said(request.key, request.digest)
            if row is None:
                row = self._row(self._compose(brain, request, today), brain, request)
                self._note(row)
            if not row.get("done"):
                self._write(row)
                self._note({"key": request.key, "done": True})
            return str(row["answer"]).encode()

    def text(self, name: str, now: float) -> bytes:
        """Return a draft's file, by its id or path.

        Raises:
            MemoryNotFoundError: There is none.
        """
        return draft_text(self.root, find_pending(list_pending(self.root, now), name)).encode()

    def drop(self, name: str, now: float, key: str = "", tag: str = "") -> None:
        """Take a draft away: it was taken, or is not wanted.

        With a ``key``, whoever asks again with it, after a crash too, has taken it all the same. ``tag`` is that of the
        text which is to go, "" for whatever it is.

        Raises:
            MemoryNotFoundError: There is none.
            ChangedError: Its text is another.
            InvalidRequestError: The key was used for another request.
            OSError: The disk did not take the note of the key.
        """
        with self._turn, self._journal.locked():
            self._catch_up()
            digest = f"drop {name} {tag}"
            row = self._said(key, digest)
            if row is None:
                found = find_pending(list_pending(self.root, now), name)
                if tag and tag != tag_of(draft_text(self.root, found).encode()):
                    raise ChangedError
                row = {"key": key, "digest": digest, "path": found.path}
                self._note(row)
            if not row.get("done"):
                drop_draft(self.root, Pending("", row["path"], 0, ""))
                self._note({"key": key, "done": True})

    def _said(self, key: str, digest: str) -> dict[str, Any] | None:
        """Return the row of a request that was made before, None where it was not.

        Raises:
            InvalidRequestError: Its key was used for another.
        """
        row = self._known.get(key) if key else None
        if row and row["digest"] != digest:
            raise InvalidRequestError("the idempotency key was used for another request", "send a new key")
        return row

    def _compose(self, brain: Brain, request: Request, today: str) -> Draft:
        if len(list_drafts(self.root)) >= MOST_DRAFTS:
            raise ConflictError(f"{MOST_DRAFTS} drafts wait already", "take them, or drop some")
        here = replace(brain, memory_root=self.root, drafts=load_drafts(self.root, self._segment))
        patience = patience_of(brain.config)
        try:
            if request.update:
                draft = compose_update(here, request.wish, request.update, patience)
            else:
                draft = compose_draft(here, request.ticket, request.wish, today, patience)
        except BrainError as error:
            if type(error) is BrainError:  # what was given cannot be used
                raise InvalidRequestError(str(error), error.hint) from None
            raise
        if draft.replaces:  # another's, maybe: nothing that waits for a person is lost
            raise ConflictError(f"there is a draft of {draft.memory.id} already", "take it or drop it before the next")
        found = advise(here, draft.text, draft.memory.path, today)
        errors = [as_facts(one) for one in found if one.blocks]
        if errors:
            raise FindingsError(errors)
        refuse_similar(draft)
        rejected = [] if request.update else find_rejected(here, draft.memory)
        if rejected:
            raise rejected_before(rejected[0], draft.memory.id, clean_line(rejected[0].sentence))
        more = [f"{one.rule.code} {one.message}; {one.mend}" for one in found if one.rule.name not in SAID_ALREADY]
        return replace(draft, remarks=tuple(map(one_line, (*draft.remarks, *more))))

    def _row(self, draft: Draft, brain: Brain, request: Request) -> dict[str, Any]:
        memory = draft.memory
        answer = {
            "id": memory.id, "path": f"{brain.config['memory.root']}/{PENDING}/{memory.path}", "type": memory.type,
            "scope": memory.scope, "tags": list(memory.tags), "confidence": memory.confidence,
            "remarks": list(draft.remarks), "text": draft.text,
        }  # fmt: skip
        return {"key": request.key, "digest": request.digest, "path": memory.path, "text": draft.text,
                "answer": render_json(answer)}  # fmt: skip

    def _write(self, row: dict[str, Any]) -> None:
        path, content = self._path_of(row["path"]), str(row["text"]).encode()
        try:
            create_file(path, content)
        except FileExistsError:
            if read_bytes(path) != content:  # else a crash came between writing it and saying so
                raise ConflictError("there is a draft of that name already", "look at it, and change it") from None

    def _path_of(self, path: str) -> str:
        return os.path.join(self.root, PENDING, *path.split("/"))

    def _note(self, row: dict[str, Any]) -> None:
        if row["key"]:
            self._journal.append([row])
            self._catch_up()
            if self._journal.size() > MOST_BYTES:
                self._journal.rewrite(list(self._known.values())[-MOST_KEYS:])

    def _catch_up(self) -> None:
        anew, rows = self._journal.read_on()
        if anew:
            self._known = {}
        for row in rows:
            key = row.get("key")
            if isinstance(key, str):
                known = {**self._known.pop(key, {}), **row}
                self._known[key] = {**known, "text": ""} if known.get("done") else known
