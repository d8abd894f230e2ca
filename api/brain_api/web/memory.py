"""What the page of one memory shows: its text, what it rests on, and what git tells of it."""

from __future__ import annotations

from brain.errors import MemoryNotFoundError
from brain.find import find_memories
from brain.git.run import try_git
from brain.guess import APPLY_LINE
from brain.stale.answers import FRESH, STALE
from brain.stale.refs import MEMORY, parse_ref
from brain.terms import CJK, VIETNAMESE, language
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from brain.memory import Memory
    from brain.stale.memories import Doubt
    from brain_api.snapshot import Snapshot
    from brain_api.web.links import Links

MOST_CHANGES = 30
GIT_SECONDS = 5.0
"""Longest that git may look for the history of one file."""
FORM = "%H%x1f%at%x1f%(trailers:key=Brain-Finalize,valueonly,separator=%x2C)%x1f%an%x1f%s"


@value
class Rest:
    """Something a memory rests on: as written, its state and the reason, where it is now, and its address."""

    text: str
    state: str
    reason: str
    new_path: str
    url: str


@value
class Change:
    """A commit that changed the memory; ``at`` is seconds since 1970; ``official``: it claims to be finalize's."""

    commit: str
    at: float
    official: bool
    author: str
    subject: str
    url: str


@value
class MemoryPage:
    """What a page shows. ``state`` is of all it rests on; ``language`` is the code of the text's language.

    ``told`` is the text before its apply line, ``label`` how that begins ("" where there is none), ``apply`` the rest.
    ``verified`` says at which commits, ``known`` are those of the ids it names that are memories.
    """

    memory: Memory
    told: str
    label: str
    apply: str
    language: str
    state: str
    rests: Sequence[Rest]
    changes: Sequence[Change]
    url: str
    verified: str
    known: frozenset[str]


def memory_page(snapshot: Snapshot, links: Links, memory_id: str) -> MemoryPage:
    """Return what the page of a memory shows.

    Raises:
        MemoryNotFoundError: There is none of that id.
    """
    found = find_memories(snapshot.brain, memory_id)
    if not found:
        raise MemoryNotFoundError(memory_id)
    memory, brain = found[0], snapshot.brain
    path = f"{brain.tree.root}/{memory.path}"
    doubts = snapshot.doubts([memory]).get(memory.path, ())
    named = (*memory.supersedes, *memory.superseded_by)
    return MemoryPage(
        memory, *parts_of(memory.body), language_of(memory), state_of(memory, doubts),
        rests_of(snapshot, links, memory, doubts),
        changes_of(brain.repo.path, snapshot.commit, path, links), links.file(MEMORY, snapshot.commit, path),
        verified_text(memory), frozenset(name for name in named if find_memories(brain, name)),
    )  # fmt: skip


def parts_of(body: str) -> tuple[str, str, str]:
    r"""Return a body in three: what is so, how the apply line begins, what to do.

    >>> parts_of("It hangs.\n\n**Apply:** wait.\n")
    ('It hangs.', 'Apply:', 'wait.')
    """
    found = list(APPLY_LINE.finditer(body))
    if not found:
        return body.strip(), "", ""
    return body[: found[-1].start()].strip(), found[-1][0].strip(" \n-*>"), body[found[-1].end() :].strip()


def language_of(memory: Memory) -> str:
    """Return the code of the language that a memory's text seems to be in, for who reads it aloud."""
    return {CJK: "ja", VIETNAMESE: "vi"}.get(language(memory.body), "en")


def verified_text(memory: Memory) -> str:
    """Return at which commits a memory was verified, shortened; "" where none is named."""
    found = memory.verified_commit
    rows = [("", found)] if isinstance(found, str) else found.items()
    return ", ".join(f"{alias} {commit[:12]}".strip() for alias, commit in rows)


def state_of(memory: Memory, doubts: Sequence[Doubt]) -> str:
    """Return ``stale``, ``unknown`` or ``fresh``, as what a memory rests on is; "" where it rests on nothing."""
    states = {doubt.answer.state for doubt in doubts}
    if not memory.refs:
        return ""
    return STALE if STALE in states else next(iter(states), FRESH)


def rests_of(snapshot: Snapshot, links: Links, memory: Memory, doubts: Sequence[Doubt]) -> list[Rest]:
    """Return each ref with its state."""
    heads = {MEMORY: snapshot.commit}
    by_ref = {doubt.ref: doubt.answer for doubt in doubts}
    found = []
    for text in memory.refs:
        ref, answer = parse_ref(text), by_ref.get(text)
        state, reason, new_path = (answer.state, answer.reason, answer.new_path) if answer else (FRESH, "", "")
        found.append(Rest(text, state, reason, new_path, links.ref(ref, heads.get(ref.alias, "HEAD"))))
    return found


def changes_of(repo: str, commit: str, path: str, links: Links) -> list[Change]:
    """Return the commits that changed a file, the latest first; none where git does not tell in time."""
    if not commit:
        return []
    done = try_git(
        repo, "--literal-pathspecs", "log", "-z", f"--max-count={MOST_CHANGES}", "--no-show-signature", "--no-color",
        "--no-notes", f"--format={FORM}", commit, "--", path, timeout=GIT_SECONDS,
    )  # fmt: skip
    rows = done.out.decode("utf-8", "replace").split("\0") if done.status == 0 else []
    return [_change(row.split("\x1f", 4), links) for row in rows if row]


def _change(parts: Sequence[str], links: Links) -> Change:
    commit, at, trailer, author, subject = parts
    return Change(commit, float(at), bool(trailer.strip()), author, subject, links.commit(commit))
