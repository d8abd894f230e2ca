"""From what someone wants remembered to the draft of a memory: facts and guesses, each said (SPEC §6).

Nothing is written here but by ``file_draft``.
"""

from __future__ import annotations

import os

from brain.drafts import put_draft, read_draft
from brain.edit import AS_DRAFT, edit_memory
from brain.errors import BrainError, ConflictError, MemoryNotFoundError
from brain.frontmatter import split
from brain.git.objects import EMPTY_TREES, read_blob
from brain.git.refs import find_commit, find_repo
from brain.git.run import try_git
from brain.guess import (
    APPLY,
    APPLY_LINE,
    Wish,
    check_wish,
    confidence_of,
    guess_area,
    guess_folder,
    guess_slug,
    guess_source,
    guess_tags,
    guess_workflows,
    language_of,
    make_body,
)
from brain.layout import FLAT_AREAS, PENDING, Place
from brain.memory import MAX_FILE_BYTES, Memory, parse_memory, render_memory
from brain.recall.doubts import repo_folders
from brain.similar import PATIENCE, Similar, find_similar
from brain.stale.refs import MEMORY, WORKSPACE_KEYS, parse_ref
from brain.text import count_words
from brain.value import replace, value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from brain.ticket import Ticket
    from brain.workspace import Brain

MAX_WORDS = 150
SAID_ALREADY = frozenset(("body-words", "apply-missing"))
"""Findings of lint that composing a draft remarks on itself."""


@value
class Draft:
    """A draft not written yet: the memory, its file's text, what was guessed or is doubtful, what is like it."""

    memory: Memory
    text: str
    remarks: tuple[str, ...]
    similar: tuple[Similar, ...]
    replaces: bool = False


def compose_draft(brain: Brain, ticket: Ticket, wish: Wish, today: str, patience: float = PATIENCE) -> Draft:
    """Return the draft of a new memory; ``patience`` is how many seconds it may take to look for its like.

    Raises:
        BrainError: Something given cannot be used.
        ConflictError: A memory or draft has that id.
    """
    wish = check_wish(wish)
    remarks: list[str] = []
    body = make_body(wish, remarks)
    area = guess_area(wish, ticket, body, remarks)
    folder = "" if area in FLAT_AREAS else guess_folder(brain, wish, ticket, remarks)
    place = Place(area, folder, wish.slug or guess_slug(wish, body, remarks))
    _refuse_taken(brain, place)
    verified, more = verify_refs(brain, wish.refs)
    remarks += more
    memory = Memory(
        place, workflows=wish.workflows or guess_workflows(area, remarks),
        tags=wish.tags or guess_tags(brain, body, remarks), confidence=confidence_of(wish),
        source=wish.source or guess_source(ticket, today), status="pending", hits=0, created=today, body=body,
        refs=wish.refs, verified_commit=verified, hook=wish.hook, aliases=wish.aliases,
    )  # fmt: skip
    return _finish(brain, memory, render_memory(memory), remarks, patience)


def compose_update(brain: Brain, wish: Wish, memory_id: str, patience: float = PATIENCE) -> Draft:
    """Return the draft that changes an approved memory, or a draft; what the wish leaves empty stays.

    Raises:
        MemoryNotFoundError: There is no such memory.
        BrainError: Something given cannot be used, or nothing would change.
    """
    wish = check_wish(wish)
    for option in ("type", "area", "role", "scope", "slug"):
        if getattr(wish, option):
            raise BrainError(f"--{option} would move {memory_id}", "an update keeps its place; leave the option out")
    old, text, is_draft = _find_text(brain, memory_id)
    remarks: list[str] = []
    body = old.body
    if wish.text.strip() or wish.apply:
        body = make_body(wish if wish.text.strip() else replace(wish, text=body), remarks)
    changes = _changes(brain, wish, old, remarks)
    edited = edit_memory(text, {**changes, **AS_DRAFT}, old.path)
    if body != old.body:
        edited = _with_body(edited, body)
    memory = parse_memory(edited, old.place)
    if replace(memory, **{name: getattr(old, name) for name in AS_DRAFT}) == old:
        raise BrainError(f"{memory_id} says that already: nothing would change", "give the new text, or an option")
    return _finish(brain, memory, edited, remarks, patience, replaces=is_draft)


def _changes(brain: Brain, wish: Wish, old: Memory, remarks: list[str]) -> dict[str, Any]:
    """Return the frontmatter values that a wish changes."""
    keys = ("tags", "workflows", "source", "hook", "aliases", "refs")
    changes: dict[str, Any] = {key: getattr(wish, key) for key in keys if getattr(wish, key)}
    if wish.confidence is not None or wish.by_assistant:
        asked = old.confidence if wish.confidence is None else wish.confidence
        changes["confidence"] = confidence_of(replace(wish, confidence=asked))
    if wish.refs:
        changes["verified_commit"], more = verify_refs(brain, wish.refs)
        changes["stale"] = False
        remarks += more
    return changes


def file_draft(brain: Brain, draft: Draft, *, force: bool = False) -> str:
    """Write the draft where its approved file will lie, below ``_pending/``; return its path in the memory repo.

    Raises:
        ConflictError: A draft is there; or a near duplicate, and not ``force``.
        BrainError: It cannot be written.
    """
    if not force:
        refuse_similar(draft)
    try:
        return put_draft(brain, draft.memory.path, draft.text, over=draft.replaces)
    except FileExistsError:
        raise _draft_there(draft.memory.id) from None


def refuse_similar(draft: Draft) -> None:
    """Let no draft pass that says nearly what a memory or another draft says.

    Raises:
        ConflictError: It does.
    """
    if not draft.similar:
        return
    first = draft.similar[0]
    what = "draft" if first.draft else "memory"
    raise ConflictError(
        f"nothing was written: the {what} {first.id} says nearly the same ({first.similarity:.0%})",
        f"brain remember --update {first.id} to change that one, or --force to write this one beside it",
    )


def _draft_there(memory_id: str) -> ConflictError:
    return ConflictError(
        f"there is a draft {memory_id} already",
        f"brain remember --update {memory_id} to change it, brain pending drop {memory_id} first, or another --slug",
    )


def _refuse_taken(brain: Brain, place: Place) -> None:
    """Raise where an approved memory or a draft has the id, wherever it lies: ids are unique over the tree."""
    for part in brain.tree.parts:
        for number in part.numbers(f"id:{place.id}"):
            raise ConflictError(
                f"{place.id} is approved already ({part.segment.record(number)[0]})",
                f"brain remember --update {place.id} to propose a change of it, or another --slug",
            )
    if brain.drafts and len(brain.drafts.segment.postings(f"id:{place.id}")):
        raise _draft_there(place.id)


def verify_refs(brain: Brain, refs: tuple[str, ...]) -> tuple[str | dict[str, str], list[str]]:
    """Return the ``verified_commit`` of refs, and a remark for each that names nothing there."""
    folders = repo_folders(brain)
    commits: dict[str, str] = {}
    remarks = []
    parsed = [parse_ref(text) for text in refs]
    for ref in parsed:
        folder = folders.get(ref.alias)
        repo = find_repo(folder) if folder else None
        head = brain.tree.commit if ref.alias == MEMORY else find_commit(repo, "HEAD") if repo else None
        if not repo or not head:
            remarks.append(f"warning: ref {ref.text}: there is no repo with a commit here to check it in")
            continue
        commits[ref.alias or WORKSPACE_KEYS[0]] = head
        if not ref.path or not _is_in(repo.path, head, ref.path):
            remarks.append(f"warning: ref {ref.text}: commit {head[:12]} has no such path")
    if len({ref.alias for ref in parsed}) == 1:  # one id is meant for every ref
        return next(iter(commits.values()), ""), remarks
    return commits or "", remarks


def _is_in(repo: str, commit: str, path: str) -> bool:
    empty = EMPTY_TREES[len(commit)]
    return try_git(repo, "diff-tree", "--quiet", "-r", empty, commit, "--", f"./{path}").status == 1


def _find_text(brain: Brain, memory_id: str) -> tuple[Memory, str, bool]:
    """Return a memory, its file's text, and whether it is a draft; a draft goes before the approved one it changes."""
    if brain.drafts:
        for number in brain.drafts.segment.postings(f"id:{memory_id}"):
            path, _ = brain.drafts.segment.record(number)
            text, memory = read_draft(os.path.join(brain.memory_root, PENDING), path)
            return memory, text, True
    for part in brain.tree.parts:
        for number in part.numbers(f"id:{memory_id}"):
            memory = part.segment.memory(number)
            spec = f"{brain.tree.commit}:{brain.tree.root}/{memory.path}"
            return memory, (read_blob(brain.repo.path, spec, MAX_FILE_BYTES) or b"").decode(), False
    raise MemoryNotFoundError(memory_id)


def _with_body(text: str, body: str) -> str:
    """Return the file's text with another body, in its own line endings."""
    old = split(text, "")[1]
    newline = "\r\n" if "\r\n" in text else "\n"
    return text[: len(text) - len(old)] + newline + body.replace("\n", newline) + newline


def _finish(
    brain: Brain, memory: Memory, text: str, remarks: list[str], patience: float, *, replaces: bool = False
) -> Draft:  # fmt: skip
    """Check the file as a whole: it must read back as the very memory that was meant."""
    if len(text.encode("utf-8", "surrogatepass")) > MAX_FILE_BYTES:
        raise BrainError(f"the file would be over {MAX_FILE_BYTES} bytes", "one fact, at most 150 words")
    if parse_memory(text, memory.place) != memory:
        raise BrainError("the values would not read back as they were given", "write them more plainly")
    words = count_words(memory.body)
    if words > MAX_WORDS:
        remarks.append(f"warning: {words} words, {MAX_WORDS} at most: it will not pass review; keep one fact")
    if not APPLY_LINE.search(memory.body):
        remarks.append(f"warning: no apply line ({APPLY[language_of(memory.body)]} what to do); --apply TEXT adds one")
    return Draft(memory, text, tuple(remarks), tuple(find_similar(brain, memory, patience=patience)), replaces)
