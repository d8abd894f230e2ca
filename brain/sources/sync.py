"""A code repo's documents → drafts: what is to be done and what it costs, then document by document (SPEC §3).

Each document is done or failed by itself, and noted at once: a run that is killed goes on where it stopped.
"""

from __future__ import annotations

import os
from functools import cached_property

from brain.guess import function_folders
from brain.index.cache import cache_dir
from brain.layout import GLOBAL, short_code
from brain.lock import alone
from brain.model.model import ModelError
from brain.sources.asked import MOST_DOCUMENT, cost_of, prompt_of, read_answer
from brain.sources.cursor import DONE, FAILED, FOLDER, Source, load_cursor, save_cursor
from brain.sources.documents import changed_documents, earlier_text, find_renames, list_documents, moved
from brain.sources.filing import NEW, UPDATE, Past, mark, parsed_anchor
from brain.sources.known import REMOVED
from brain.sources.origin import Origin
from brain.sources.read import read_document
from brain.value import replace, value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from contextlib import AbstractContextManager

    from brain.git.refs import Repo
    from brain.model.model import Model
    from brain.sources.cursor import Cursor
    from brain.sources.documents import Document, Listing
    from brain.sources.filing import Desk, Outcome
    from brain.sources.piece import Left, Piece, Reading
    from brain.workspace import Brain

READERS = "readers"
"""Who read a document that our own readers know; "" is nobody, anything else a model."""
SAVE_EVERY = 200
"""Documents without a draft after which the cursor is saved."""


@value
class Work:
    """A document to be read, what the readers make of it, and the tokens a model costs (0: none is asked)."""

    document: Document
    reading: Reading
    tokens: int = 0


@value
class Plan:
    """What a sync is to do.

    ``waiting`` are documents that a model drafted from before, and none is asked now; ``gone`` is id → document of
    memories whose document is there no more.
    """

    repo: Repo
    name: str
    listing: Listing
    cursor: Cursor
    works: tuple[Work, ...]
    waiting: tuple[str, ...]
    gone: dict[str, str]

    @property
    def tokens(self) -> int:
        """What it costs."""
        return sum(work.tokens for work in self.works)


@value
class Done:
    """What became of a document: of each of its pieces, what was left, and why it is not done ("" where it is)."""

    path: str
    outcomes: tuple[Outcome, ...]
    left: tuple[Left, ...]
    failure: str = ""


def make_plan(brain: Brain, repo: Repo, name: str, below: Sequence[str], desk: Desk, model: Model | None) -> Plan:
    """Return what is to be done in a repo; nothing is written.

    Args:
        brain: The memory.
        repo: The code repo.
        name: What sources call it.
        below: Paths from its top, "" for all of it.
        desk: What there is already; told of renames.
        model: Who is asked about what the readers do not know, None for nobody.

    Raises:
        BrainError: There is nothing committed at a path.
    """
    own = repo.common_dir == brain.repo.common_dir
    listing = list_documents(repo, below, brain.config["memory.root"] if own else "")
    cursor = load_cursor(brain.repo, name)
    known = {path: there for (owner, path), there in desk.known.items() if owner == name}
    lost = [one for path, there in known.items() if path not in listing.everything for one in there.values()]
    renames = find_renames(repo, [cursor.commit, *(one.origin.commit for one in lost)], listing)
    for old, new in renames.items():
        desk.renamed((name, old), (name, new))
    cursor = moved(cursor, renames)
    gone = {one.memory.id: one.origin.path for one in lost if one.origin.path not in renames and one.state != REMOVED}
    works, waiting = [], []
    for document in changed_documents(repo, listing, cursor, lambda row: model is not None and row.by == ""):
        reading = read_document(document.path, document.text)
        row = cursor.sources.get(document.path)
        if model is None and not reading and row and row.by not in ("", READERS):
            waiting.append(document.path)
            continue
        is_asked = model is not None and not reading and len(document.text.strip()) > 0
        if is_asked and len(document.text) > MOST_DOCUMENT:
            listing.passed[document.path] = f"over {MOST_DOCUMENT} characters: too much for a model at once"
            is_asked = False
        works.append(Work(document, reading, cost_of(document.path, document.text) if is_asked else 0))
    return Plan(repo, name, listing, cursor, tuple(works), tuple(waiting), gone)


def carry_out(brain: Brain, plan: Plan, desk: Desk, model: Model | None) -> Iterator[Done]:
    """Yield what becomes of each document, in their order; each is noted before the next is begun.

    Raises:
        BrainError: Drafts or the cursor cannot be written.
    """
    run = _Run(brain, plan, desk)
    unsaved = 0
    for work in plan.works:
        path = work.document.path
        reading, by, failure = work.reading, READERS if work.reading else "", ""
        if work.tokens and model:
            by = model.label
            try:
                reading = run.ask(model, work.document)
            except ModelError as error:
                failure = f"{error}{f' ({error.hint})' if error.hint else ''}"
        done = Done(path, (), (), failure) if failure else run.file(work.document, reading, by)
        unsaved += 1
        is_worth = failure or by not in ("", READERS) or any(row.kind in (NEW, UPDATE) for row in done.outcomes)
        run.note(work.document, by, done)
        if desk.write and (is_worth or unsaved >= SAVE_EVERY):
            run.save()
            unsaved = 0
        yield done
    if desk.write:
        run.rows = {path: row for path, row in run.rows.items() if path in plan.listing.everything}
        run.save(plan.listing.commit)


class _Run:
    """One run through the documents of a plan."""

    def __init__(self, brain: Brain, plan: Plan, desk: Desk) -> None:
        self.brain, self.plan, self.desk = brain, plan, desk
        self.rows = {**plan.cursor.sources}

    @cached_property
    def folders(self) -> set[str]:
        return function_folders(self.brain)

    def ask(self, model: Model, document: Document) -> Reading:
        """Return what a model drafts of a document.

        Raises:
            ModelError: It gave no answer that can be used.
        """
        there = self.desk.of(self._origin(document, ""))
        known = {name: one.memory.body for name, one in there.items() if one.state != REMOVED}
        answer = model.answer(prompt_of(document.path, document.text, known))
        return read_answer(answer, document.path, self.folders, known)

    def file(self, document: Document, reading: Reading, by: str) -> Done:
        """File all pieces of a document."""
        is_model = by not in ("", READERS)
        before = {} if is_model else self._before(document)
        row = self.rows.get(document.path)
        if is_model and self.desk.write and reading.pieces:  # so that a run that is killed knows its own drafts again
            filed = {**row.filed} if row else {}
            for piece in reading.pieces:
                filed[piece.anchor] = f"{filed.get(piece.anchor, '')} {mark(piece.text)}".strip()
            row = Source(row.blob if row else "", FAILED, by, filed)
            self.rows[document.path] = row
            self.save()
        area = self._area(document.path)
        anchors = [piece.anchor for piece in reading.pieces]
        outcomes = []
        for found in reading.pieces:
            piece = replace(found, area=area) if found.area == GLOBAL else found
            origin = self._origin(document, piece.anchor)
            past = Past(filed=row.filed.get(piece.anchor, "") if row else "")
            if not is_model:
                past = self._past(document, piece, before, past)
            outcomes.append(self.desk.file(piece, origin, past, anchors, reworded=is_model))
        return Done(document.path, tuple(outcomes), reading.left)

    def note(self, document: Document, by: str, done: Done) -> None:
        """Put a document into the cursor: what is not done keeps the blob that was."""
        row = self.rows.get(document.path, Source("", FAILED))
        if done.failure:
            self.rows[document.path] = replace(row, state=FAILED, by=row.by or by)
            return
        filed = {**row.filed, **{outcome.anchor: outcome.filed for outcome in done.outcomes if outcome.filed}}
        self.rows[document.path] = Source(document.blob, DONE, by, filed)

    def save(self, commit: str = "") -> None:
        """Write the cursor; with a commit where all is read that it has.

        Raises:
            BrainError: It cannot be written.
        """
        commit = commit or self.plan.cursor.commit
        save_cursor(self.brain.repo, replace(self.plan.cursor, commit=commit, sources=self.rows))

    def _origin(self, document: Document, anchor: str) -> Origin:
        return Origin(self.plan.name, document.path, anchor, self.plan.listing.commit)

    def _before(self, document: Document) -> dict[str, Piece]:
        """Return anchor → piece of the document as the readers dealt with it last here."""
        row = self.rows.get(document.path)
        text = earlier_text(self.plan.repo, row.blob) if row and row.blob else None
        return {} if text is None else {piece.anchor: piece for piece in read_document(document.path, text).pieces}

    def _past(self, document: Document, piece: Piece, before: dict[str, Piece], past: Past) -> Past:
        """Return what a piece was: as this machine dealt with it, else as the memory made of it says by its commit."""
        if piece.anchor in before:
            return replace(past, piece=before[piece.anchor], is_filed=True)
        origin = self._origin(document, piece.anchor)
        known = self.desk.of(origin).get(parsed_anchor(origin))
        if not known or not known.origin.commit:
            return past
        text = earlier_text(self.plan.repo, f"{known.origin.commit}:{known.origin.path}")
        pieces = read_document(document.path, text).pieces if text else ()
        return replace(past, piece=next((one for one in pieces if one.anchor == piece.anchor), None))

    def _area(self, path: str) -> str:
        """Return the function whose folder a document lies in, by the names that the memory has."""
        codes = {short_code(folder).lower(): folder for folder in self.folders}
        for part in reversed(path.split("/")[:-1]):
            if part in self.folders:
                return part
            if short_code(part).lower() in codes and any(map(str.isdigit, part)):
                return codes[short_code(part).lower()]
        return GLOBAL


def locked(repo: Repo, command: str) -> AbstractContextManager[None]:
    """Let one command that reads sources work on a repo; see ``alone``."""
    return alone(os.path.join(cache_dir(repo), FOLDER, "lock"), command)
