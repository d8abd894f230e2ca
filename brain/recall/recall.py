"""Recall for one ticket: facts first (``recall``), then the two texts an assistant gets."""

from __future__ import annotations

import zlib
from itertools import islice

from brain.clock import days_before
from brain.index.segment import HAS_HITS
from brain.layout import FLAT_AREAS, GLOBAL, short_code
from brain.memory import Memory
from brain.memory_index import index_line
from brain.recall.choose import appetite_of, choose
from brain.recall.doubts import doubts_of, warning_of
from brain.recall.files import files_of_branch, own_prefixes
from brain.recall.profile import make_profile
from brain.recall.query import Query, make_query
from brain.recall.rank import Ranked, rank
from brain.recall.render import (
    Shown,
    clean_line,
    cut_lines,
    limit_of,
    render_block,
    render_index_text,
    render_memories,
    render_retro,
)
from brain.recall.score import weights_of
from brain.stale.answers import FRESH, STALE, UNKNOWN
from brain.text import CharacterTable
from brain.value import replace, value
from brain.workspace import has_meaning

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from brain.index.cache import Part, Tree
    from brain.index.segment import Segment
    from brain.recall.render import Room
    from brain.recall.score import Weights
    from brain.semantic.ask import Question
    from brain.settings import Config
    from brain.stale.memories import Doubt
    from brain.ticket import Ticket
    from brain.workspace import Brain

    Look = Callable[[Brain, Sequence[Memory]], dict[str, tuple[Doubt, ...]]]

NOTHING: Mapping[str, int] = {}
RETROS = 2
RETRO_SHARE = 5
"""One part in so many of the memories' budget is the most that a raw retrospect gets."""
NOTED = "_note"
"""The piece of a text that is a line to the assistant, and no memory."""
NOT_APPROVED = "not approved yet (your draft)"
MARKED_STALE = "may be stale: marked so in review: verify before you rely on it"


@value
class Recall:
    """What a ticket recalls: the chosen as they are to be shown, those after them, raw retros, path → refs in doubt.

    ``replaced`` is id → id of the one that took its place, for those that would have been relevant. ``remark`` says
    why the semantic phase had no part in it, where it should have.
    """

    query: Query
    chosen: list[Ranked]
    left: list[Ranked]
    retros: list[tuple[str, str]]
    doubts: dict[str, tuple[Doubt, ...]]
    replaced: Mapping[str, str]
    remark: str = ""


def recall(
    brain: Brain, ticket: Ticket, today: str, limit: int | None = None, *,
    rank_all: bool = False, look: Look = doubts_of,
) -> Recall:  # fmt: skip
    """Return what the ticket recalls.

    Args:
        brain: The memory.
        ticket: The work at hand.
        today: ISO date that ages are measured from.
        limit: Memories in place of what the ticket's kind asks for; 0 for every relevant one.
        rank_all: Rank those that are not chosen too, and say what was replaced, to explain why.
        look: What tells the refs in doubt of the chosen; a program that stays remembers them.
    """
    config, tree = brain.config, brain.tree
    drafts = brain.drafts.segment if brain.drafts else None
    weights, profile = weights_of(config), make_profile(config.profile(ticket.workflow))
    question = _ask_meaning(brain, ticket, weights)
    query = _make_query(brain, ticket, drafts, weights)
    cutoff = int(days_before(today, config["recall.decayDays"]).replace("-", ""))
    meaning = question.answer() if question else None
    if meaning is None or meaning.remark:
        weights = replace(weights, meaning=0.0)
    ranking = rank(tree.parts, drafts, query, profile, weights, cutoff, meaning)
    appetite = appetite_of(ticket, config)
    if limit is not None:
        appetite = replace(appetite, limit=limit)
    own = appetite.own_lessons_first or appetite.all_own_lessons
    ranked = ranking.best(0 if rank_all else appetite.limit, and_own_lessons=own)
    chosen, left = choose(ranked, [item.own_lesson for item in ranked], appetite)
    retros = _latest_retros(tree, query.codes) if profile.retros else []
    doubts = look(brain, [item.memory for item in chosen])
    replaced = ranking.replaced() if rank_all else {}
    return Recall(query, chosen, left, retros, doubts, replaced, meaning.remark if meaning else "")


def _ask_meaning(brain: Brain, ticket: Ticket, weights: Weights) -> Question | None:
    """Ask what the ticket means, where there is a semantic index; it is answered while the rest is looked up."""
    if not (weights.meaning and has_meaning(brain)):
        return None
    from brain.semantic.ask import Question  # loaded in the semantic phase alone
    from brain.semantic.embedder import query_text

    text = query_text(ticket.title, ticket.description)
    return Question(brain, text, brain.config["semantic.deadline"] / 1000) if text else None


def _make_query(brain: Brain, ticket: Ticket, drafts: Segment | None, weights: Weights) -> Query:
    """Return the ticket's query; files are looked for only where they count."""
    if weights.files and not ticket.files:
        ticket = replace(ticket, files=files_of_branch(brain))
    prefixes = own_prefixes(brain) if weights.files and ticket.files else ()
    return make_query(ticket, brain.tree.parts, drafts, prefixes)


@value
class Text:
    """One text for an assistant: what it says, the pieces in it (id → piece), the ids that found no room.

    ``remark`` is for the person: what was missing when it was made.
    """

    text: str
    pieces: dict[str, str]
    left: list[str]
    remark: str = ""


def memories_text(
    found: Recall, config: Config, *, room: Room, told: Mapping[str, int] = NOTHING, note: str = ""
) -> Text:
    """Return layer 2, without the pieces that were told already (id → checksum); "" where nothing is left to say.

    ``note`` is a line of its own, before the memories and within their budget; it is the piece ``NOTED``.
    """
    shown = [Shown(item.memory, tuple(memory_warnings(item.memory, found.doubts))) for item in found.chosen]
    blocks = {NOTED: f"\n{note}\n"} if note else {}
    blocks |= {piece_name(item.memory): render_block(item) for item in shown}
    most = config["memory.injectBudget"] // RETRO_SHARE
    blocks.update({path: render_retro(path, cut_lines(text, most)) for path, text in found.retros})
    new = _untold(blocks, told)
    ticket = found.query.ticket
    title = " ".join(part for part in (ticket.task_id, ticket.title) if part)
    limit = limit_of(config["memory.injectBudget"], room)
    text, kept, left = render_memories(new, {NOTED, *(path for path, _ in found.retros)}, title, limit)
    return Text(text, {name: new[name] for name in kept}, left, found.remark)


def piece_name(memory: Memory) -> str:
    """Return what a memory is called among the pieces of a text: its id, and that it is a draft of it."""
    return memory.id if memory.status == "approved" else f"{memory.id} (draft)"


def memory_warnings(memory: Memory, doubts: Mapping[str, tuple[Doubt, ...]]) -> list[str]:
    """Return the doubts a memory is shown with: not approved, stale refs, refs that could not be checked."""
    found = doubts.get(memory.path, ())
    warnings = [NOT_APPROVED] if memory.status == "pending" else []
    if memory.stale and not any(doubt.answer.state == STALE for doubt in found):
        warnings.append(MARKED_STALE)
    return warnings + [warning_of(doubt) for doubt in found]


def staleness(memory: Memory, doubts: Mapping[str, tuple[Doubt, ...]]) -> str:
    """Return whether a memory is stale, by its refs or by what review marked: ``STALE``, ``UNKNOWN`` or ``FRESH``."""
    states = [doubt.answer.state for doubt in doubts.get(memory.path, ())]
    if memory.stale or STALE in states:
        return STALE
    return UNKNOWN if states else FRESH


def index_text(brain: Brain, ticket: Ticket, *, room: Room, told: Mapping[str, int] = NOTHING) -> Text:
    """Return layer 1: the whole index where it fits its budget, else the ticket's functions, ``_global`` and counts.

    Of a session that was ``told`` some lines already (id → checksum), it gets those that are new.
    """
    limit = limit_of(brain.config["memory.indexBudget"], room)
    total = brain.tree.size
    if not total:
        return Text("", {}, [])
    if total * TOKENS_OF_A_LINE <= limit.tokens:
        whole = [memory for part in brain.tree.parts for memory in part.memories()]
        new = list(_new_lines(whole, told))
        text, shown = render_index_text(new, [], total, limit)
        if len(shown) == len(new):
            return Text(text if shown else "", shown, [])
    codes = {short_code(name).lower() for name in ticket.functions} - {""}
    near, far = _split_places(brain.tree, codes)
    listed = (part.segment.memory(number) for part, number in near)
    text, shown = render_index_text(_new_lines(listed, told), [] if told else sorted(far.items()), total, limit)
    return Text(text if shown or not told else "", shown, [])


def _new_lines(memories: Iterable[Memory], told: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    for memory in memories:
        line = clean_line(index_line(memory))
        if told.get(memory.id) != checksum(line + "\n"):
            yield memory.id, line


def _untold(pieces: dict[str, str], told: Mapping[str, int]) -> dict[str, str]:
    return {name: piece for name, piece in pieces.items() if told.get(name) != checksum(piece)}


def checksum(piece: str) -> int:
    """Return a number that tells two versions of a piece apart."""
    return zlib.crc32(piece.encode("utf-8", "surrogatepass"))


TOKENS_OF_A_LINE = 12
"""No index line costs less: id, path, hook and kind."""


def _split_places(tree: Tree, codes: set[str]) -> tuple[list[tuple[Part, int]], dict[str, int]]:
    """Return the memories to list, the ticket's functions first and the best of each first, and counts of the rest."""
    near: list[tuple[bool, float, int, int, int]] = []
    far: dict[str, int] = {}
    for index, part in enumerate(tree.parts):
        confidence, created = part.segment.columns["confidence"], part.segment.columns["created"]
        for area, folder, count in part.segment.header["places"]:
            if folder == GLOBAL or short_code(folder).lower() in codes:
                numbers = part.numbers(f"place:{area}/{folder}")
                near += [(folder == GLOBAL, -confidence[n], -(created[n] % HAS_HITS), index, n) for n in numbers]
            else:
                name = area if area in FLAT_AREAS else f"{area}/{folder}"
                alive = len(part.numbers(f"place:{area}/{folder}")) if part.dead else count
                if alive:  # a folder may have nothing left but the dead
                    far[name] = far.get(name, 0) + alive
    return [(tree.parts[index], number) for *_, index, number in sorted(near)], far


def _latest_retros(tree: Tree, codes: Collection[str]) -> list[tuple[str, str]]:
    """Return path and text of the latest raw retrospects that name one of the functions (SPEC §4.6)."""
    found = []
    for part in tree.parts:
        latest_first = (part.segment.record(number) for number in part.numbers("retro:"))
        concerned = ((path, text) for path, text in latest_first if _names_any(text, codes))
        found += [(_retro_date(text), path, text) for path, text in islice(concerned, RETROS)]
    return [(path, text) for _, path, text in sorted(found, reverse=True)[:RETROS]]


def _names_any(text: str, codes: Collection[str]) -> bool:
    """Say whether one of the functions, by its code or its folder's name, stands in the text as a word."""
    words = {word.strip(".-_") for word in text.translate(_FUNCTION_NAMES).split()}
    return any(short_code(word).lower() in codes for word in words)


_FUNCTION_NAMES = CharacterTable(lambda code: code if chr(code).isalnum() or chr(code) in "._-" else " ")


def _retro_date(text: str) -> str:
    dates = (line[len(DATED) :].strip() for line in text.splitlines() if line.startswith(DATED))
    return next((date for date in dates if date[:4].isdigit()), "")


DATED = "created: "
