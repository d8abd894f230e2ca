"""Removing approved memories and bringing softly removed ones back: what is asked, and the plan of it (SPEC §7).

A removal changes the memory's file in place, by two keys that say how and why: until the PM approved it the memory is
what it was. Finalize carries it out then. A restore moves the file back, as one that is to be approved anew.
"""

from __future__ import annotations

from collections import Counter

from brain.layout import DEPRECATED, find_place
from brain.submit.plan import (
    MAX_TITLE,
    REMOVE,
    RESTORE,
    Plan,
    approver_of,
    consulted,
    content_key,
    kind_of,
    mark_of,
    safe_name,
)  # fmt: skip
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from brain.forge.values import MergeRequest
    from brain.memory import Memory
    from brain.submit.push import Heads

MINUS = "\N{MINUS SIGN}"


@value
class Wish:
    """What is asked for: ids, each once and in order, the reason on one line, and how they are removed.

    ``removal`` is ``soft`` or ``hard``, "" for a restore, which needs no reason.
    """

    ids: tuple[str, ...]
    reason: str
    removal: str = ""

    @property
    def name(self) -> str:
        """What it is called: the branch after ``memory/``, and the title's word in brackets."""
        first, *more = self.ids
        word = REMOVE if self.removal else RESTORE
        name = f"{word}{first}" + (f"-and-{len(more)}-more-{mark_of(' '.join(self.ids))}" if more else "")
        safe = safe_name(name)
        return safe if safe == name else f"{safe}-{mark_of(name)}"

    @property
    def branch(self) -> str:
        """The branch it is proposed on."""
        return f"memory/{self.name}"


@value
class Reference:
    """How another memory and this one refer to each other: the other's id, and the word for it (``texts``)."""

    id: str
    how: str


@value
class Target:
    """A memory to remove or to restore: as it is, as it is proposed, and the proposed file's text.

    ``says`` is what is shown of it, "" where that holds a secret or personal data; ``references`` is who refers to it.
    """

    memory: Memory
    proposed: Memory
    text: str
    says: str
    references: tuple[Reference, ...] = ()


@value
class Facts:
    """All that a removal or a restore is planned from; see ``brain.submit.plan.Facts`` for what has the same name."""

    root: str
    heads: Heads
    parent: str
    targets: Sequence[Target]
    request: MergeRequest | None
    people: Mapping[str, Sequence[str]]
    author: str = ""
    remarks: tuple[str, ...] = ()


def plan_removal(facts: Facts, wish: Wish) -> Plan:
    """Return what a removal or a restore is to do."""
    shown = {target.memory.path: target.text for target in facts.targets}
    target = facts.heads.default
    return Plan(
        wish.name, wish.branch, target, facts.heads.base, facts.parent, facts.heads.tip, shown,
        shown=shown, updates=frozenset(shown if wish.removal else ()),
        key=content_key(wish.branch, target, shown), title=make_title(wish, shown),
        assignee=approver_of(facts.people, facts.author),
        reviewers=consulted(facts.people, facts.author, shown), iid=facts.request.iid if facts.request else 0,
        gone=() if wish.removal else tuple(f"{DEPRECATED}/{path}" for path in shown), about=tuple(shown),
    )  # fmt: skip


def make_title(wish: Wish, paths: Mapping[str, str]) -> str:
    """Return a title: ``memory(remove-mem-F003-retry): −1 lesson/dev``."""
    counts = Counter(kind_of(place) for place in map(find_place, paths) if place)
    sign = MINUS if wish.removal else "+"
    rows = sorted(counts.items(), key=lambda row: (-row[1], row[0]))
    return f"memory({wish.name}): {', '.join(f'{sign}{count} {kind}' for kind, count in rows)}"[:MAX_TITLE]
