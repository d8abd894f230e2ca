"""What a submit will do, decided from facts alone: ``--dry-run`` prints it, ``apply`` carries it out (SPEC §6.3)."""

from __future__ import annotations

import re
from hashlib import sha256

from brain.layout import FLAT_AREAS, find_place
from brain.submit.journal import NOTHING, PULLED
from brain.text import visible
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from brain.forge.values import MergeRequest
    from brain.layout import Place
    from brain.memory import Memory
    from brain.submit.journal import Entry
    from brain.submit.push import Heads

LABEL = "memory"
REMOVE, RESTORE = "remove-", "restore-"
"""What the branches of removals and restores begin with, after ``memory/``; no ticket's does."""
MAX_TITLE = 200
"""Characters of a title; GitLab takes 255."""
REVIEWERS = {
    "00.Shared/architecture": ("tl",), "02.Instincts/approved": ("tl",), "00.Shared/decisions": ("tl",),
    "00.Shared/domain": ("ba",), "00.Shared/glossary": ("ba", "comtor"), "01.Lessons/qa": ("qa",),
}  # fmt: skip
"""Area → the roles whose people are consulted (``people.*``)."""


@value
class Proposal:
    """A draft that could be submitted: its memory, the text it is proposed in, and the blob of its file as it is.

    ``waits`` says that the default branch has that text already, and nobody approved it.
    """

    memory: Memory
    text: str
    blob: str
    waits: bool = False


@value
class Left:
    """A draft that stays, by id or path, and why."""

    name: str
    why: str


@value
class Facts:
    """All that a plan is made from.

    ``proposals`` are the drafts asked for, ``left`` those that cannot go. ``parent`` is the commit to build on: the
    branch's where its merge request is open, else the default branch's. ``on_branch`` is path → text of what the
    parent changes below the root already ("" removed), ``approved`` the paths that the default branch has.
    ``blobs`` is path → blob of those that may have to be put back. ``request`` is the open merge request.
    """

    ticket: str
    title: str
    description: str
    root: str
    heads: Heads
    parent: str
    proposals: Sequence[Proposal]
    left: Sequence[Left]
    on_branch: Mapping[str, str]
    approved: Mapping[str, str]
    retro: tuple[str, str]
    entry: Entry | None
    request: MergeRequest | None
    most: int
    people: Mapping[str, Sequence[str]]
    author: str = ""


@value
class Plan:
    """What will be done.

    ``changes`` is path below the root → the text it is to have, None to put back what the default branch has; ``gone``
    are the paths that go; ``leaving`` is draft path → blob of its file; ``shown`` path → text of all that the merge
    request will change; ``iid`` is the merge request that is open already. ``about`` are the paths of the memories that
    a removal or a restore is about, none of which was a draft; ``waiting`` those whose text waits for approval on the
    default branch already.
    """

    ticket: str
    branch: str
    target: str
    base: str
    parent: str
    before: str
    changes: Mapping[str, str | None]
    shown: Mapping[str, str]
    updates: frozenset[str]
    key: str
    title: str
    assignee: str
    reviewers: tuple[str, ...]
    leaving: Mapping[str, str] = NOTHING
    withdrawn: tuple[str, ...] = ()
    left: tuple[Left, ...] = ()
    iid: int = 0
    gone: tuple[str, ...] = ()
    about: tuple[str, ...] = ()
    waiting: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to propose."""
        return not self.shown


def branch_of(ticket: str) -> str:
    """Return a ticket's branch: its name, made safe; where that changes it, with a mark that keeps it apart.

    >>> branch_of("TICKET-123"), branch_of("a b/c")
    ('memory/TICKET-123', 'memory/a-b-c-5391')
    """
    safe = safe_name(ticket)
    if safe != ticket or safe.startswith((REMOVE, RESTORE)):
        safe = f"{safe or 'ticket'}-{mark_of(ticket)}"
    return f"memory/{safe}"


def safe_name(text: str) -> str:
    """Return what of a text the last part of a branch's name can hold; may be empty."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", text).replace("..", "-").strip("-.")[:80].removesuffix(".lock")


def mark_of(text: str) -> str:
    """Return four hex digits that keep names apart which were made safe."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:4]


def plan_submit(facts: Facts) -> Plan:
    """Return what a submit is to do: at most so many memories a merge request, the most telling first."""
    withdrawn = _withdrawn(facts)
    there = {path: text for path, text in facts.on_branch.items() if path not in withdrawn}
    chosen, crowded = _choose(facts, there)
    changes: dict[str, str | None] = {item.memory.path: item.text for item in chosen}
    changes.update({path: None for path in withdrawn if path not in changes})
    if facts.retro[0]:
        changes[facts.retro[0]] = facts.retro[1]
    shown = {path: text for path, text in sorted({**there, **changes}.items()) if text}
    memories = [path for path in shown if find_place(path)]
    if not memories or not (chosen or facts.entry):
        shown = {}
    updates = frozenset(path for path in shown if path in facts.approved)
    branch, target = branch_of(facts.ticket), facts.heads.default
    return Plan(
        facts.ticket, branch, target, facts.heads.base, facts.parent, facts.heads.tip, changes,
        leaving={item.memory.path: item.blob for item in chosen},
        withdrawn=tuple(sorted(path for path in withdrawn if changes.get(path) is None)),
        left=(*facts.left, *crowded), shown=shown, updates=updates, key=content_key(branch, target, shown),
        title=make_title(facts.ticket, memories, updates), assignee=approver_of(facts.people, facts.author),
        reviewers=consulted(facts.people, facts.author, memories), iid=facts.request.iid if facts.request else 0,
        waiting=tuple(item.memory.path for item in chosen if item.waits),
    )  # fmt: skip


def _withdrawn(facts: Facts) -> set[str]:
    """Return what was brought back for editing: the branch no longer counts as having it."""
    entry = facts.entry
    if entry is None or entry.stage != PULLED:
        return set()
    return {path for path in entry.drafts if path in facts.on_branch}


def _choose(facts: Facts, there: Mapping[str, str]) -> tuple[list[Proposal], list[Left]]:
    """Return the proposals that go, and those for which there is no room; what is on the branch already has its."""
    ordered = sorted(facts.proposals, key=lambda item: _rank(item.memory, facts.ticket))
    taken = {path for path in there if find_place(path)}
    chosen, crowded = [], []
    for item in ordered:
        path = item.memory.path
        if path in taken or len(taken) < facts.most:
            taken.add(path)
            chosen.append(item)
        else:
            crowded.append(Left(item.memory.id, f"a merge request takes {facts.most}: submit it with the next"))
    return chosen, crowded


def _rank(memory: Memory, ticket: str) -> tuple[bool, float, tuple[int, ...], str]:
    """Return what proposals are sorted by: the ticket's own, the surest, the newest, the id."""
    newest = tuple(-ord(sign) for sign in memory.created)
    own = re.search(rf"(?<![\w-]){re.escape(ticket)}(?![\w-])", memory.source)
    return own is None, -memory.confidence, newest, memory.id


def approver_of(people: Mapping[str, Sequence[str]], author: str) -> str:
    """Return the approver: the first PM who did not write it, else the first."""
    approvers = people.get("pm", ())
    return next((name for name in approvers if name != author), next(iter(approvers), ""))


def consulted(people: Mapping[str, Sequence[str]], author: str, paths: Iterable[str]) -> tuple[str, ...]:
    """Return whom to consult, those of the most memories first; not the author, and not the approver again."""
    votes: dict[str, int] = {}
    for path in paths:
        for role in REVIEWERS.get("/".join(path.split("/")[:2]), ()):
            for name in people.get(role, ()):
                votes[name] = votes.get(name, 0) + 1
    out = {author, approver_of(people, author)}
    return tuple(sorted(votes.keys() - out, key=lambda name: (-votes[name], list(votes).index(name))))


def content_key(branch: str, target: str, shown: Mapping[str, str]) -> str:
    """Return what stands for the content of a merge request: the same submit twice has the same."""
    rows = [branch, target, *(part for row in sorted(shown.items()) for part in row)]
    return sha256("\0".join(rows).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def make_title(ticket: str, paths: Iterable[str], updates: Iterable[str]) -> str:
    """Return a title: ``memory(TICKET-123): +2 lesson/dev, +1 fact/domain, ~1 decision``."""
    changed = set(updates)
    counts: dict[tuple[bool, str], int] = {}
    for path in paths:
        place = find_place(path)
        if place:
            key = (path in changed, kind_of(place))
            counts[key] = counts.get(key, 0) + 1
    rows = sorted(counts.items(), key=lambda row: (row[0][0], -row[1], row[0][1]))
    parts = ", ".join(f"{'~' if update else '+'}{count} {kind}" for (update, kind), count in rows)
    return f"memory({plain_ticket(ticket)}): {parts or 'retro'}"[:MAX_TITLE]


def kind_of(place: Place) -> str:
    """Return a memory's kind for a title: its type, and which of that type's areas."""
    if place.area in FLAT_AREAS or place.type == "instinct":
        return place.type
    return f"{place.type}/{place.area.rpartition('/')[2]}"


def plain_ticket(ticket: str) -> str:
    """Return a ticket's name for a title: one short line, and no ``[skip ci]``, which would leave it unchecked."""
    return " ".join(visible(ticket).split()).translate(str.maketrans("[]()", "----"))[:60]
