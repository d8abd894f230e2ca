"""What recall asks: which refs of these memories are not fresh? The overlay knows, else git does."""

from __future__ import annotations

import os

from brain.git.refs import find_commit, find_repo
from brain.stale.answers import (
    COMMIT_MISSING,
    DELETED,
    FRESH,
    HEAD_MISSING,
    INVALID_REF,
    NOT_VERIFIED,
    REPO_MISSING,
    UNKNOWN,
    Answer,
)
from brain.stale.check import Question, check
from brain.stale.objects import is_full_id
from brain.stale.overlay import load_answers, save_answers, store_stamp
from brain.stale.refs import MEMORY, find_verified, parse_ref
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Protocol

    from brain.git.refs import Repo
    from brain.stale.overlay import Key
    from brain.stale.refs import Ref

    class Verified(Protocol):
        """A memory, as far as staleness looks at it."""

        @property
        def refs(self) -> tuple[str, ...]:
            """Refs as written."""

        @property
        def verified_commit(self) -> str | Mapping[str, str]:
            """One commit, or alias → commit."""


LEAST_ID = 7
"""Hex digits from which a shortened commit id is taken for one, and its answer kept."""


@value
class Doubt:
    """A ref, as written, that is not fresh: why, and since which commit ("" if none is named)."""

    ref: str
    commit: str
    answer: Answer


def check_memories(
    memories: Sequence[Verified],
    repos: Mapping[str, str | None],
    cache: str,
    *,
    memory_head: str = "",
    timeout: float | None = None,
    suggest: bool = False,
) -> list[tuple[Doubt, ...]]:
    """Return for each memory its refs that are stale or unknown, in their order.

    Git is asked only for what the overlay lacks: no process where it lacks nothing.

    Args:
        memories: What to look at.
        repos: Alias → folder, None where there is no clone; "" is the workspace's code repo, ``docs`` the
            memory repo.
        cache: Folder of the overlay, one for all repos; "" for none.
        memory_head: The memory repo's commit to compare with, instead of its HEAD.
        timeout: Seconds for git in each repo; what is not answered then is unknown.
        suggest: Look for the new path of what is gone; the overlay does not keep those.
    """
    asked = [[_ask(memory, text) for text in memory.refs] for memory in memories]
    answers: dict[tuple[str, Key], Answer] = {}
    for alias in {ref.alias for refs in asked for ref, _ in refs}:
        wanted = {(commit, ref.place): ref for refs in asked for ref, commit in refs if ref.alias == alias}
        head = memory_head if alias == MEMORY else ""
        found = _check_repo(repos.get(alias), wanted, cache, head=head, timeout=timeout)
        if suggest:
            found.update(_with_new_paths(repos.get(alias), wanted, found, head or "HEAD"))
        answers.update(((alias, key), answer) for key, answer in found.items())
    return [_doubts(refs, answers) for refs in asked]


def _ask(memory: Verified, text: str) -> tuple[Ref, str]:
    ref = parse_ref(text)
    return ref, find_verified(memory.verified_commit, ref.alias)


def _doubts(refs: Iterable[tuple[Ref, str]], answers: Mapping[tuple[str, Key], Answer]) -> tuple[Doubt, ...]:
    doubts = (Doubt(ref.text, commit, answers[ref.alias, (commit, ref.place)]) for ref, commit in refs)
    return tuple(doubt for doubt in doubts if doubt.answer.state != FRESH)


def _check_repo(
    folder: str | None, wanted: dict[Key, Ref], cache: str, *, head: str, timeout: float | None
) -> dict[Key, Answer]:
    """Answer the refs into one repository."""
    repo = find_repo(folder) if folder and os.path.isdir(folder) else None
    if repo is None:
        return dict.fromkeys(wanted, Answer(UNKNOWN, REPO_MISSING))
    head = head or find_commit(repo, "HEAD") or ""
    if not head:
        return dict.fromkeys(wanted, Answer(UNKNOWN, HEAD_MISSING))
    stamp = store_stamp(repo)  # before git looks: what arrives meanwhile makes the answer old
    answers = {key: known for key, ref in wanted.items() if (known := _known_at_once(key, ref))}
    keeps = bool(cache) and is_full_id(head)
    if keeps:
        lasting = [key for key in wanted if key not in answers and _is_lasting(key[0])]
        answers.update(_still_true(load_answers(cache, head, lasting, stamp), repo))
    missing = [key for key in wanted if key not in answers]
    if missing:
        questions = [Question(commit, head, wanted[commit, place]) for commit, place in missing]
        found = dict(zip(missing, check(repo.path, questions, timeout=timeout), strict=True))
        answers.update(found)
        if keeps:
            save_answers(cache, head, {key: found[key] for key in missing if _is_lasting(key[0])}, stamp)
    return answers


def _with_new_paths(
    folder: str | None, wanted: Mapping[Key, Ref], found: Mapping[Key, Answer], head: str
) -> dict[Key, Answer]:
    """Return the answers about what is gone, asked again for where it went."""
    gone = [key for key, answer in found.items() if answer.reason == DELETED]
    if not gone or folder is None:
        return {}
    questions = [Question(key[0], head, wanted[key]) for key in gone]
    return dict(zip(gone, check(folder, questions, suggest=True), strict=True))


def _known_at_once(key: Key, ref: Ref) -> Answer | None:
    if not ref.path:
        return Answer(UNKNOWN, INVALID_REF)
    return None if key[0] else Answer(UNKNOWN, NOT_VERIFIED)


def _is_lasting(commit: str) -> bool:
    """Say whether ``commit`` names the same commit tomorrow: an id does, a branch does not."""
    return len(commit) >= LEAST_ID and set("0123456789abcdef").issuperset(commit)


def _still_true(answers: dict[Key, Answer], repo: Repo) -> dict[Key, Answer]:
    """Drop that a commit is missing where it may have come since as a loose object, which no stamp shows."""
    return {
        key: answer
        for key, answer in answers.items()
        if answer.reason != COMMIT_MISSING or (is_full_id(key[0]) and not _is_loose(repo, key[0]))
    }


def _is_loose(repo: Repo, oid: str) -> bool:
    return os.path.exists(os.path.join(repo.common_dir, "objects", oid[:2], oid[2:]))
