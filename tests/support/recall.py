"""Memories without git, for tests of ranking and rendering; and what a recall says, in few words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from brain.drafts import Drafts
from brain.git.refs import Repo
from brain.index.build import build_segment, read_retro
from brain.index.cache import Part, Tree
from brain.index.segment import Segment
from brain.layout import find_place
from brain.memory import parse_memory
from brain.recall.recall import recall
from brain.settings import load_config
from brain.terms import LANGUAGES, language
from brain.terms import memory_text as memory_terms_text
from brain.ticket import parse_ticket
from brain.value import replace
from brain.workspace import Brain, Workspace
from tests.support.repos import memory_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from brain.memory import Memory
    from brain.ticket import Ticket

TODAY = "2026-06-01"
F3 = "F-003_Payment"


def memory(path: str, **fields: Any) -> Memory:
    """Return a memory that lies at ``path``; one that nothing speaks for unless said otherwise."""
    place = find_place(path)
    assert place, path
    plain: dict[str, Any] = {
        "workflows": ("none",),
        "tags": (),
        "confidence": 0.0,
        "created": TODAY,
        "body": "Nothing.",
    }
    return parse_memory(memory_text(path, **{**plain, **fields}), place)


def segment(memories: Sequence[Memory], retros: Mapping[str, str] | None = None) -> Segment:
    """Return a segment of memories and of retrospects by name."""
    from brain.memory import render_memory

    found = [read_retro(f"03.Retro/{name}.md", text.encode()) for name, text in (retros or {}).items()]
    return Segment(memoryview(build_segment([(item, render_memory(item)) for item in memories], found)), "test")


def part_of(pages: Segment, dead: Iterable[int] = ()) -> Part:
    """Return a segment some of whose memories no longer count."""
    gone = frozenset(dead)
    spoken = [language(memory_terms_text(pages.memory(number))) for number in gone]
    lengths = sum(pages.columns["length"][number] for number in gone)
    return Part(pages, gone, tuple(spoken.count(tongue) for tongue in LANGUAGES), lengths)


def brain_of(
    folder: Path, *parts: Sequence[Memory], drafts: Sequence[Memory] = (), settings: Mapping[str, Any] | None = None,
    state: Mapping[str, Any] | None = None, dead: Sequence[Sequence[int]] = (), retros: Mapping[str, str] | None = None,
) -> Brain:  # fmt: skip
    """Return the memory of a workspace that is no repository; ``dead`` are numbers in each part."""
    segments = [segment(part, retros if index == 0 else None) for index, part in enumerate(parts)]
    tree = Tree(
        "99.Memory", "refs/heads/main", "1" * 40, "2" * 40, tuple(map(part_of, segments, dead or [()] * len(parts)))
    )
    mine = [replace(item, status="pending", hits=0) for item in drafts]
    config = load_config(settings or {}, state, {})
    assert not config.problems, config.problems
    workspace = Workspace(str(folder), str(folder / ".aiflow"), (), None)
    repo = Repo(str(folder / ".git"), str(folder / ".git"), "")
    return Brain(workspace, repo, "", tree, Drafts(segment(mine)) if mine else None, config)


def ticket_of(**fields: Any) -> Ticket:
    """Return a ticket from the keys that files spell it with."""
    ticket, warnings = parse_ticket(fields)
    assert not warnings
    return ticket


def ids(brain: Brain, limit: int | None = None, today: str = TODAY, **ticket: Any) -> list[str]:
    """Return the ids that a ticket recalls, in order."""
    return [item.memory.id for item in recall(brain, ticket_of(**ticket), today, limit).chosen]


def terms_of(brain: Brain, memory_id: str, today: str = TODAY, **ticket: Any) -> dict[str, float]:
    """Return the terms other than nothing of one memory, which must be recalled."""
    found = recall(brain, ticket_of(**ticket), today, 0).chosen
    (item,) = [item for item in found if item.memory.id == memory_id]
    return {name: round(amount, 6) for name, amount in item.terms.items() if amount}
