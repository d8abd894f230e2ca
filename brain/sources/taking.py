"""Drafts that wait at the team's service → drafts of this workspace (SPEC §10): each is one person's, none is lost.

A draft is written here first, then taken away there, by a key that is noted before it is sent: whoever was killed in
between asks again with it, and is told whether it was theirs. One that somebody else was faster with is set aside.
"""

from __future__ import annotations

import os
import secrets
from urllib.parse import quote

from brain.compose import Draft, file_draft
from brain.decisions import set_aside
from brain.errors import BrainError, ConfigError, InvalidMemoryError, MemoryNotFoundError
from brain.files import read_bytes, read_json, write_file
from brain.index.build import read_memory
from brain.index.cache import cache_dir
from brain.json_text import parse_json, render_json
from brain.layout import PENDING
from brain.lint.advise import advise
from brain.lint.finding import is_confidential
from brain.pending import tag_of
from brain.post import address_of, ask
from brain.recall.render import clean_line
from brain.similar import find_similar
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from brain.memory import Memory
    from brain.post import Answer
    from brain.workspace import Brain

TOKEN = "BRAIN_SERVICE_TOKEN"  # noqa: S105 - the name of a variable
SECONDS, MAX_ANSWER = 20.0, 8 << 20
MOST, MOST_NOTES = 50, 1000
"""Drafts that are taken at once: more requests in a row a service may turn away, and nobody looks through more."""
FILE = "taken.json"
TAKEN, LEFT, LATE, LATER = "taken", "left", "late", "later"
"""What becomes of a draft: it is here; it stays there; somebody else had it first; the next run takes it."""
NOTE = {"url", "id", "path", "tag", "key", "open"}
"""What is noted of a draft that was written here; ``open`` until the service has said whether it was ours."""


class ServiceError(BrainError):
    """The service is not there, or said no."""


@value
class Waiting:
    """A draft at the service: id, path below ``_pending/``, first sentence, age in days."""

    id: str
    path: str
    sentence: str
    days: int


@value
class Outcome:
    """What became of a draft, why it was not taken, and what a reader of it should know."""

    kind: str
    draft: Waiting
    why: str = ""
    remarks: tuple[str, ...] = ()


class Service:
    """The drafts of one project at the service.

    Raises:
        ConfigError: It is not named, or not by an address.
    """

    def __init__(self, url: str, env: Mapping[str, str]) -> None:
        if not url:
            raise ConfigError("environment", "BRAIN_SERVICE_URL", "is not set", "https://host/v1/projects/NAME")
        self.url, self._has_token = url.rstrip("/"), bool(env.get(TOKEN))
        self._address = address_of(self.url, env.get(TOKEN, ""), "service.url", TOKEN)

    def waiting(self) -> list[Waiting]:
        """Return the drafts that wait, in the order of their paths.

        Raises:
            ServiceError: The service did not say.
        """
        answer = self._ask("GET", "")
        try:
            rows = parse_json(answer.content.decode())["drafts"]
            return [Waiting(str(row["id"]), str(row["path"]), str(row["hook"]), int(row["days"])) for row in rows]
        except (ValueError, KeyError, TypeError, RecursionError):
            raise ServiceError(f"{self.url}: that is no service's list of drafts", "does it end in /NAME?") from None

    def text(self, name: str) -> bytes:
        """Return the file of a draft; nothing where it is gone.

        Raises:
            ServiceError: The service did not say.
        """
        answer = self._ask("GET", f"/{quote(name, safe='')}", gone=(404,))
        return answer.content if answer.status == 200 else b""

    def take(self, name: str, tag: str, key: str) -> bool:
        """Take a text away there, and say whether it was ours to take; the same key again is told the same.

        Raises:
            ServiceError: The service did not say.
        """
        headers = {"Idempotency-Key": key, "If-Match": f'"{tag}"'}
        return self._ask("DELETE", f"/{quote(name, safe='')}", headers, gone=(404, 412)).status == 204

    def _ask(self, verb: str, path: str, headers: Mapping[str, str] = {}, gone: Sequence[int] = ()) -> Answer:
        answer = ask(self._address, verb, f"/drafts{path}", SECONDS, MAX_ANSWER, headers)
        if answer.status not in (200, 204, *gone):
            raise ServiceError(f"{self.url}: {answer.status} {answer.reason}", self._hint(answer.status))
        return answer

    def _hint(self, status: int) -> str:
        if status in (401, 403):
            return f"{'is the token in' if self._has_token else 'put a token into'} {TOKEN}, with the scope draft?"
        return "does service.url end in /v1/projects/NAME, and is the token for it?" if status == 404 else "try later"


class Taking:
    """Takes drafts into a workspace. ``submitted`` are the memories that wait for their merge request."""

    def __init__(self, brain: Brain, service: Service, submitted: Sequence[Memory], day: str, now: float) -> None:
        self.brain, self.service, self.day, self.now = brain, service, day, now
        self.submitted = {memory.id for memory in submitted}
        self._file = os.path.join(cache_dir(brain.repo), FILE)
        found = read_json(self._file)
        rows = found.items() if isinstance(found, dict) else ()
        self._notes = {mark: row for mark, row in rows if isinstance(row, dict) and row.keys() == NOTE}

    def take(self, drafts: Sequence[Waiting]) -> Iterator[Outcome]:
        """Yield what becomes of each draft, and of those that an earlier run did not hear the end of.

        Raises:
            ServiceError: The service did not answer; the next run goes on from there.
            BrainError: Drafts cannot be written here.
        """
        listed = {draft.id for draft in drafts}
        for number, draft in enumerate(drafts):
            yield Outcome(LATER, draft) if number >= MOST else self._take(draft)
        for mark, note in list(self._notes.items()):
            if note["open"] and note["url"] == self.service.url and note["id"] not in listed:
                yield self._settle(mark, Outcome(TAKEN, Waiting(note["id"], note["path"], "", 0)))

    def _take(self, draft: Waiting) -> Outcome:
        content = self.service.text(draft.id)
        if not content:
            return Outcome(LATE, draft)
        mark = tag_of(f"{self.service.url} {draft.path} ".encode() + content)
        outcome = Outcome(TAKEN, draft)
        if mark not in self._notes or not self._notes[mark]["open"]:
            # an earlier run that was killed has written it here otherwise: it may be submitted by now
            outcome = self._write(draft, content)
            if outcome.kind != TAKEN:
                return outcome
            self._note(mark, url=self.service.url, id=draft.id, path=draft.path, tag=tag_of(content),
                       key=secrets.token_hex(16), open=True)  # fmt: skip
        return self._settle(mark, outcome)

    def _settle(self, mark: str, outcome: Outcome) -> Outcome:
        """Take away there what is here; where somebody else had it, take it away here."""
        note = self._notes[mark]
        is_ours = self.service.take(note["id"], note["tag"], note["key"])
        self._note(mark, **{**note, "open": False})
        if is_ours:
            return outcome
        here = os.path.join(self.brain.memory_root, PENDING, *note["path"].split("/"))
        if tag_of(read_bytes(here)) == note["tag"]:
            set_aside(self.brain.repo, self.brain.memory_root, note["path"], self.now)
            return Outcome(LATE, outcome.draft)
        return Outcome(LATE, outcome.draft, "what you made of it here is yours to keep or drop")

    def _write(self, draft: Waiting, content: bytes) -> Outcome:
        """Write a draft where nothing is."""
        try:
            memory = read_memory(draft.path, content, f"{PENDING}/{draft.path}")
        except InvalidMemoryError as error:
            return Outcome(LEFT, draft, str(error))
        text, there = content.decode(), os.path.join(self.brain.memory_root, PENDING, *memory.path.split("/"))
        found = advise(self.brain, text, memory.path, self.day)
        secret = next((one for one in found if one.blocks and is_confidential(one.rule)), None)
        if secret:
            return Outcome(LEFT, draft, f"{secret.rule.code} {secret.message}; {secret.mend}")
        if memory.id in self.submitted:
            return Outcome(LEFT, draft, f"{memory.id} is in a merge request of yours")
        if os.path.lexists(there):
            if read_bytes(there) != content:  # else an earlier run was killed right after it wrote it
                return Outcome(LEFT, draft, f"another draft {memory.id} is here: submit it, or brain pending drop it")
        else:
            file_draft(self.brain, Draft(memory, text, (), ()), force=True)
        like = [f"{one.id} says nearly the same ({one.similarity:.0%})" for one in find_similar(self.brain, memory)]
        wrong = [clean_line(f"{one.severity}: {one.rule.code} {one.message}; {one.mend}") for one in found]
        return Outcome(TAKEN, draft, remarks=(*like, *wrong))

    def _note(self, mark: str, **facts: Any) -> None:
        """Keep on disk what is known of a draft that came here.

        Raises:
            BrainError: It cannot be kept.
        """
        self._notes[mark] = facts
        try:
            write_file(self._file, render_json(dict(list(self._notes.items())[-MOST_NOTES:])) + "\n")
        except OSError as error:
            raise BrainError(
                f"{error.filename or self._file}: {error.strerror}", "check room and permissions"
            ) from None


def chosen_of(drafts: Sequence[Waiting], names: Sequence[str]) -> list[Waiting]:
    """Return the drafts that are named by id or path, all where none is.

    Raises:
        MemoryNotFoundError: There is none of a name.
    """
    for name in names:
        if not any(name in (draft.id, draft.path) for draft in drafts):
            hint = "brain pending take --dry-run lists what waits; what was taken lies here: brain pending"
            raise MemoryNotFoundError(name, told=BrainError(f"no draft {name!r} waits at the service", hint))
    return [draft for draft in drafts if not names or draft.id in names or draft.path in names]
