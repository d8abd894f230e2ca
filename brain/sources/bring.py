"""What another tool remembers → drafts: each piece made fit for this memory, and filed once (SPEC §3, import).

What was filed is noted in the memory repo's git directory, so that what a person dropped or turned down since does not
come again. Without the notes a memory's own source tells, and the commit in it.
"""

from __future__ import annotations

import os

from brain.capture.redact import MASK, redacted
from brain.compose import verify_refs
from brain.errors import BrainError
from brain.files import read_json, write_file
from brain.git.refs import find_repo
from brain.guess import APPLY_LINE, Wish, check_wish
from brain.index.cache import cache_dir
from brain.json_text import render_json
from brain.lint.fields import MAX_TAGS
from brain.recall.doubts import repo_folders
from brain.sources.filing import NEW, SAME, TURNED_DOWN, UPDATE, Desk, Outcome, Past
from brain.sources.notes import with_apply
from brain.sources.origin import Origin
from brain.sources.piece import Piece
from brain.sources.text import TAKE, language_in
from brain.stale.refs import MEMORY
from brain.value import replace, value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from brain.git.refs import Repo
    from brain.memory import Memory
    from brain.sources.imports import Gathered
    from brain.workspace import Brain

FILE = "imported.json"
MOST_DRAFTS = 200
"""Drafts of one run: nobody looks through more, and the next run takes the rest."""
MOST_REFS = 6
LATER = "later"
"""What becomes of a piece, beside what filing says: the next run takes it."""


@value
class Brought:
    """A piece and what became of it, or would."""

    piece: Piece
    outcome: Outcome


def bring(
    brain: Brain, gathered: Gathered, day: str, submitted: Iterable[Memory] = (), *, write: bool
) -> Iterator[Brought]:
    """Yield what becomes of each piece, in their order; the drafts are written where ``write`` says so.

    ``submitted`` are the memories that wait for their merge request.

    Raises:
        BrainError: Drafts cannot be written here.
        GitError: A repo cannot be read.
    """
    desk = Desk(brain, day, submitted, write=write)
    fit = _Fitter(brain, gathered)
    notes = read_notes(brain.repo)
    drafted = 0
    try:
        for found in _once(gathered.pieces):
            piece = fit.piece(found)
            origin = fit.origin(piece)
            key = replace(origin, commit="").text
            past = notes.get(key) or fit.past(desk, origin)
            if drafted >= MOST_DRAFTS:
                outcome = Outcome(LATER, piece.anchor, why=f"{MOST_DRAFTS} drafts are enough for once")
            else:
                outcome = desk.file(piece, origin, past)
            drafted += outcome.kind in (NEW, UPDATE)
            if outcome.kind in (NEW, UPDATE) or (outcome.kind in (SAME, TURNED_DOWN) and not past.is_filed):
                notes[key] = Past(piece, outcome.filed, is_filed=True)
            yield Brought(piece, outcome)
    finally:
        if write:
            write_notes(brain.repo, notes)


def _once(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """Yield pieces; of several with one anchor in one document each but the first gets an anchor of its own."""
    counts: dict[tuple[str, str], int] = {}
    for piece in pieces:
        key = (piece.source, piece.anchor)
        counts[key] = counts.get(key, 0) + 1
        yield replace(piece, anchor=f"{piece.anchor}-{counts[key]}") if counts[key] > 1 else piece


class _Fitter:
    """Makes pieces fit: nothing secret, an apply line, tags and refs such as this memory can hold."""

    def __init__(self, brain: Brain, gathered: Gathered) -> None:
        self.brain, self.gathered = brain, gathered
        self.alias = _alias(brain, gathered.work_tree) if gathered.work_tree else None

    def piece(self, found: Piece) -> Piece:
        text = redacted(found.text)
        if not APPLY_LINE.search(text):
            text = with_apply(text, TAKE[language_in(text)])
        tags, names = _tags(found.tags)
        aliases = (name for name in (*found.aliases, *names) if redacted(name) == name)
        return replace(
            found, title=redacted(found.title).replace(MASK, " "), text=text, tags=tags[:MAX_TAGS],
            aliases=tuple(dict.fromkeys(aliases)), refs=self._refs(found.refs),
        )  # fmt: skip

    def origin(self, piece: Piece) -> Origin:
        """Return where a piece is from; with the commit only where its document is as that one has it."""
        commit = self.gathered.commit if piece.source in self.gathered.committed else ""
        return Origin(self.gathered.repo, piece.source, piece.anchor, commit)

    def past(self, desk: Desk, origin: Origin) -> Past:
        """Return what a document said when a memory was made of it, by the commit in that memory's source."""
        known = desk.of(origin).get(origin.anchor)
        reading = self.gathered.earlier(origin.path, known.origin.commit) if known else None
        if not reading:
            return Past()
        piece = next((piece for piece in _once(reading.pieces) if piece.anchor == origin.anchor), None)
        return Past(self.piece(piece), is_filed=True) if piece else Past()

    def _refs(self, paths: Iterable[str]) -> tuple[str, ...]:
        """Return the refs that can be followed: into a repo with a name here, at a path that is there."""
        if self.alias is None:
            return ()
        refs = [f"{self.alias}:{path}" if self.alias else path for path in dict.fromkeys(paths)]
        return tuple(ref for ref in refs[:MOST_REFS] if not verify_refs(self.brain, (ref,))[1])


def _tags(names: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return what of these names can be tags, as tags, and the others."""
    tags: list[str] = []
    others: list[str] = []
    for name in names:
        try:
            tags += check_wish(Wish("", tags=(name.replace("_", "-").replace("/", "-"),))).tags
        except BrainError:
            others.append(name)
    return tuple(dict.fromkeys(tag for tag in tags if redacted(tag) == tag)), tuple(others)


def _alias(brain: Brain, work_tree: str) -> str | None:
    """Return what refs into a repo begin with, "" for the workspace's own, None where none can name it."""
    here = find_repo(work_tree)
    for alias, folder in repo_folders(brain).items():
        there = find_repo(folder) if folder else None
        if here and there and os.path.realpath(here.common_dir) == os.path.realpath(there.common_dir):
            return MEMORY if alias == MEMORY else alias
    return None


def read_notes(repo: Repo) -> dict[str, Past]:
    """Return what was filed here, by origin without its commit; nothing where the notes are gone or damaged."""
    found = read_json(os.path.join(cache_dir(repo), FILE))
    notes = ((key, _past(row)) for key, row in found.items()) if isinstance(found, dict) else ()
    return {key: past for key, past in notes if past}


def write_notes(repo: Repo, notes: dict[str, Past]) -> None:
    """Keep what was filed; a disk that takes none is no harm."""
    rows = {
        key: [past.piece.type, past.piece.title, past.piece.text, list(past.piece.tags), list(past.piece.aliases),
              past.piece.source, past.piece.anchor, past.filed]
        for key, past in notes.items() if past.piece
    }  # fmt: skip
    try:
        write_file(os.path.join(cache_dir(repo), FILE), render_json(rows) + "\n")
    except OSError:
        pass


def _past(row: Any) -> Past | None:
    try:
        kind, title, text, tags, aliases, source, anchor, filed = row
        piece = Piece(kind, title, text, tags=tuple(tags), aliases=tuple(aliases), source=source, anchor=anchor)
        return Past(piece, filed, is_filed=True)
    except (TypeError, ValueError):
        return None
