"""Pieces → drafts: a new one, an update of what came from there before, or nothing, and why (SPEC §3).

One desk serves sync and import. Whatever comes from one place of a document stays one memory; what people wrote,
decided or took out is never written over.
"""

from __future__ import annotations

import re
from hashlib import sha256

from brain.capture.redact import MASK, redacted
from brain.clock import check_date
from brain.compose import compose_draft, compose_update, file_draft
from brain.errors import BrainError, ConfigError, ConflictError
from brain.guess import Wish, least_letters
from brain.layout import GLOBAL, slugify
from brain.lint.advise import advise
from brain.lint.fields import MAX_ALIASES
from brain.memory import TAG_CHARACTERS, TAG_START
from brain.rejected import find_rejected
from brain.similar import NEAR, compared_text, shingles, similarity
from brain.sources.known import DRAFT, REMOVED, SUBMITTED, Known, find_known
from brain.sources.origin import parse_origin, short_anchor
from brain.text import HOOK_CHARACTERS, HOOK_WORDS, count_words, visible
from brain.ticket import Ticket
from brain.value import replace, value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from brain.compose import Draft
    from brain.memory import Memory
    from brain.sources.origin import Origin
    from brain.sources.piece import Piece
    from brain.workspace import Brain

NEW, UPDATE = "new", "update"
SAME, KEPT, LIKE, TURNED_DOWN, REFUSED = "same", "kept", "like", "turned down", "refused"
"""What becomes of a piece: drafted anew or as an update; said already; left to the person who changed the draft; like
another memory; not wanted before; refused by lint."""
REWORDED = 0.8
"""Similarity from which a text that a model wrote twice says the same."""
MOST_WHY = 200


@value
class Outcome:
    """What became of a piece: its anchor, the memory's id and path ("" for none), and why it was not drafted.

    ``filed`` stands for the body that the draft was written with; ``remarks`` is what a reader of it should know.
    """

    kind: str
    anchor: str
    id: str = ""
    path: str = ""
    why: str = ""
    filed: str = ""
    remarks: tuple[str, ...] = ()


@value
class Past:
    """What was there before: the piece as its document had it then (None: not known), and what the draft was filed as.

    ``filed`` are marks of bodies, parted by blanks: a run that was killed may have written this one or that.
    ``is_filed`` says that the piece was dealt with then, whether or not a memory of it is left.
    """

    piece: Piece | None = None
    filed: str = ""
    is_filed: bool = False


class Desk:
    """Files pieces as drafts of one memory repo.

    Args:
        brain: The memory.
        day: Today, as an ISO date.
        submitted: Memories that wait for their merge request.
        write: Write the drafts; else only say what would become of each piece.
    """

    def __init__(self, brain: Brain, day: str, submitted: Iterable[Memory] = (), *, write: bool = True) -> None:
        self.brain, self.day, self.write = brain, day, write
        self.known = find_known(brain, submitted)
        self._written: list[tuple[Memory, set[str]]] = []

    def of(self, origin: Origin) -> dict[str, Known]:
        """Return anchor → what came from a document."""
        return self.known.get(origin.document, {})

    def renamed(self, old: tuple[str, str], new: tuple[str, str]) -> None:
        """Let what came from a document count for its new path."""
        self.known.setdefault(new, {}).update(self.known.pop(old, {}))

    def file(
        self, piece: Piece, origin: Origin, past: Past, anchors: Collection[str] = (), *, reworded: bool = False
    ) -> Outcome:
        """Draft a piece, or say why not.

        Args:
            piece: What is to be remembered.
            origin: Where it stands now.
            past: What was there before.
            anchors: All anchors that the document has now: what came from another one may have become this piece.
                Without them, nothing is known again but by its own.
            reworded: The text is a program's own wording, which is another each time.

        Raises:
            BrainError: Drafts cannot be written here.
        """
        is_same = past.piece is not None and content_of(past.piece) == content_of(piece)
        known = self._find(piece, origin, anchors)
        if known and known.state != REMOVED:
            return self._again(piece, origin, past, known, is_same=is_same, reworded=reworded)
        if known and (is_same or past.piece is None):
            return Outcome(TURNED_DOWN, piece.anchor, known.memory.id, why=f"{known.memory.id} was removed")
        if is_same and past.is_filed:  # dropped or turned down since
            return Outcome(SAME, piece.anchor)
        return self._new(piece, origin, is_changed=past.piece is not None)

    def _find(self, piece: Piece, origin: Origin, anchors: Collection[str]) -> Known | None:
        """Return the memory that came from there: by its anchor, else the likest one whose own anchor is gone."""
        there = self.of(origin)
        known = there.get(parsed_anchor(origin))
        if known or not anchors:
            return known
        kept = {parsed_anchor(replace(origin, anchor=name)) for name in anchors}
        own = shingles(piece.text)
        lost = [
            (similarity(own, shingles(other.memory.body)), name)
            for name, other in there.items()
            if name not in kept and other.memory.type == piece.type and other.state != REMOVED
        ]
        best = max(lost, default=(0.0, ""))
        return there[best[1]] if best[0] >= NEAR else None

    def _again(
        self, piece: Piece, origin: Origin, past: Past, known: Known, *, is_same: bool, reworded: bool
    ) -> Outcome:
        """Draft the update of a memory that came from there, where it would say something else."""
        memory, filed = known.memory, mark(piece.text)
        is_said = memory.body.strip() == piece.text.strip()
        near = reworded and similarity(shingles(memory.body), shingles(piece.text)) >= REWORDED
        if is_same or is_said or near:
            return Outcome(SAME, piece.anchor, memory.id, filed=filed if is_said else past.filed)
        was_filed = {*past.filed.split(), mark(past.piece.text) if past.piece else ""}
        if known.state == DRAFT and mark(memory.body) not in was_filed:
            why = f"its document changed, and so did you change the draft {memory.id}: look at both"
            return Outcome(KEPT, piece.anchor, memory.id, why=why, filed=past.filed)
        wish = wish_of(piece, origin)
        try:
            if known.state == SUBMITTED:
                draft = self._over(wish, memory)
            else:
                hook = wish.hook if memory.hook else ""
                said = Wish(wish.text, source=wish.source, aliases=wish.aliases, hook=hook)  # all else stays
                draft = compose_update(self.brain, said, memory.id)
        except BrainError as error:
            return Outcome(REFUSED, piece.anchor, memory.id, why=str(error))
        return self._write(piece, origin, draft, UPDATE)

    def _over(self, wish: Wish, memory: Memory) -> Draft:
        """Return a draft at the place of a memory that is submitted: with the next submit it takes that one's place."""
        place = {"slug": memory.place.slug, "scope": memory.place.folder or "global"}
        part = memory.place.area.rpartition("/")[2]
        part_of = {"fact": {"area": part}, "lesson": {"role": part}}.get(memory.type, {})
        wish = replace(wish, **{**place, "type": memory.type, "area": "", "role": "", **part_of}, tags=memory.tags)
        return compose_draft(self.brain, Ticket(), wish, memory.created)

    def _new(self, piece: Piece, origin: Origin, *, is_changed: bool) -> Outcome:
        """Draft a piece of which no memory is there."""
        wish = wish_of(piece, origin)
        day = piece.created if _is_past(piece.created, self.day) else self.day
        try:
            draft = self._compose(wish, origin, day)
        except BrainError as error:
            return Outcome(REFUSED, piece.anchor, why=str(error))
        near = [row for row in draft.similar if not self._is_sibling(row.id, origin)]
        like = near[0].id if near else self._like_written(draft.memory, origin)
        if like:
            return Outcome(LIKE, piece.anchor, draft.memory.id, why=f"{like} says nearly the same")
        before = find_rejected(self.brain, draft.memory)
        if before and not is_changed:
            return Outcome(TURNED_DOWN, piece.anchor, draft.memory.id, why=before[0].sentence)
        return self._write(piece, origin, draft, NEW, tuple(row.sentence for row in before))

    def _compose(self, wish: Wish, origin: Origin, day: str) -> Draft:
        """Return a new draft, under another name where its own is taken: now, or by what was removed."""
        other = f"{wish.slug or 'note'}-{sha256(origin.text.partition(' @ ')[0].encode()).hexdigest()[:4]}"
        try:
            draft = compose_draft(self.brain, Ticket(), wish, day)
        except ConflictError:
            return compose_draft(self.brain, Ticket(), replace(wish, slug=other), day)
        gone = {row.id for row in find_rejected(self.brain, draft.memory) if row.removed}
        taken = draft.memory.id in gone | {memory.id for memory, _ in self._written}
        return compose_draft(self.brain, Ticket(), replace(wish, slug=other), day) if taken else draft

    def _is_sibling(self, memory_id: str, origin: Origin) -> bool:
        return any(known.memory.id == memory_id for known in self.of(origin).values())

    def _like_written(self, memory: Memory, origin: Origin) -> str:
        """Return the id of a draft of this run, from another document, that says nearly the same."""
        own = shingles(compared_text(memory))
        for other, pieces in self._written:
            theirs = parse_origin(other.source)
            if theirs and theirs.document != origin.document and similarity(own, pieces) >= NEAR:
                return other.id
        return ""

    def _write(self, piece: Piece, origin: Origin, draft: Draft, kind: str, remarks: tuple[str, ...] = ()) -> Outcome:
        """Write a draft that lint has no error against."""
        memory = draft.memory
        wrong = [finding for finding in advise(self.brain, draft.text, memory.path, self.day) if finding.blocks]
        if wrong:
            why = f"{wrong[0].rule.code} {wrong[0].message}: {wrong[0].mend}"
            return Outcome(REFUSED, piece.anchor, memory.id, why=why[:MOST_WHY])
        path = memory.path
        if self.write:
            try:
                path = file_draft(self.brain, draft, force=True)
            except ConflictError as error:  # another program was faster
                return Outcome(REFUSED, piece.anchor, memory.id, why=str(error))
        self._written.append((memory, shingles(compared_text(memory))))
        self.known.setdefault(origin.document, {})[parsed_anchor(origin)] = Known(memory, DRAFT, origin)
        return Outcome(kind, piece.anchor, memory.id, path, filed=mark(memory.body), remarks=remarks)


def wish_of(piece: Piece, origin: Origin) -> Wish:
    """Return what a piece asks to have remembered, its values such as a frontmatter may hold."""
    title = one_line(redacted(piece.title))
    slug = slugify(title) if MASK not in title else ""
    fits = count_words(title) <= HOOK_WORDS and len(title) <= HOOK_CHARACTERS and not re.search(r"[\[\]<>`*_|#]", title)
    return Wish(
        piece.text, type=piece.type, area=piece.part if piece.type == "fact" else "",
        role=piece.part if piece.type == "lesson" else "", scope="global" if piece.area == GLOBAL else piece.area,
        slug=slug if sum(map(str.isalpha, slug)) >= least_letters(title) else "",
        tags=tuple(tag for tag in piece.tags if tag and tag[0] in TAG_START and TAG_CHARACTERS.issuperset(tag)),
        confidence=piece.confidence, by_assistant=True, source=origin.text,
        refs=tuple(map(one_line, piece.refs)), hook=title if fits and piece.type == "decision" else "",
        aliases=tuple(dict.fromkeys(filter(None, map(one_line, piece.aliases))))[:MAX_ALIASES],
    )  # fmt: skip


def one_line(text: str) -> str:
    """Return a text as one line that shows all it holds."""
    return " ".join(visible(text).split())


def content_of(piece: Piece) -> tuple[object, ...]:
    """Return what of a piece a memory is made of, whichever commit and path it was read at."""
    path = piece.source
    return piece.type, piece.title, piece.text.replace(path, "") if path else piece.text, piece.tags, piece.aliases


def parsed_anchor(origin: Origin) -> str:
    """Return an anchor as it reads back from a memory's source."""
    found = parse_origin(origin.text)
    return found.anchor if found else short_anchor(origin.anchor)


def mark(body: str) -> str:
    """Return a few digits that stand for a body."""
    return sha256(body.strip().encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _is_past(date: str, day: str) -> bool:
    try:
        return bool(date) and check_date(date, "") <= day
    except ConfigError:
        return False
