"""Say whether refs changed between commits, as ``git diff --name-only COMMIT HEAD -- REF`` does (SPEC §5.2).

One batch asks for the folders that the refs lie in, one reads those trees, and the entries of both sides are
compared: mode and object id, so submodules and mode changes count as they do for git. Only globs are left to
``git diff-tree``, one process a pattern, on the trees below the pattern's literal folders.
"""

from __future__ import annotations

import os
import time

from brain.errors import GitError
from brain.git.objects import EMPTY_TREES
from brain.git.refs import find_repo
from brain.stale.answers import (
    ADDED,
    CHANGED,
    COMMIT_MISSING,
    DELETED,
    FRESH,
    GIT_FAILED,
    HEAD_MISSING,
    INVALID_REF,
    NEVER,
    RENAMED,
    REPO_MISSING,
    SAME,
    STALE,
    UNKNOWN,
    Answer,
)
from brain.stale.lines import compare_lines
from brain.stale.objects import FOLDER, SUBMODULE, Entry, Objects, Sides, encode
from brain.stale.refs import GLOB_SIGNS, Ref
from brain.stale.renames import Gone, find_new_paths
from brain.value import replace, value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


@value
class Question:
    """Did ``ref`` change between two revs? They may be anything that git resolves to a commit."""

    commit: str
    head: str
    ref: Ref


ABSENT = Sides(None, None)
UNCHANGED, NEVER_THERE = Answer(FRESH, SAME), Answer(FRESH, NEVER)
CAME, WENT, DIFFERS = Answer(STALE, ADDED), Answer(STALE, DELETED), Answer(STALE, CHANGED)
"""Answers of two sides: most are alike, so each is made once."""


def check(
    folder: str, questions: Sequence[Question], *, suggest: bool = False, timeout: float | None = None
) -> list[Answer]:
    """Return the answer to each question from the repository ``folder`` lies in; what fails is unknown.

    Args:
        folder: A working tree, anything below it, or a bare repository.
        questions: In any order; their aliases are not looked at.
        suggest: Look for the new path of what is gone.
        timeout: Seconds for all of git's work; what is not answered then is unknown.
    """
    repo = find_repo(folder) if os.path.isdir(folder) else None
    if repo is None:
        return [Answer(UNKNOWN, REPO_MISSING)] * len(questions)
    objects = Objects(repo, None if timeout is None else time.monotonic() + timeout)
    try:
        return _Check(objects, questions).answers(suggest=suggest)
    except GitError:
        return [Answer(UNKNOWN, GIT_FAILED)] * len(questions)


class _Check:
    """The work on one batch of questions; ``trees`` and ``entries`` are what was asked for so far."""

    def __init__(self, objects: Objects, questions: Sequence[Question]) -> None:
        self.objects, self.questions = objects, questions
        self.trees: dict[tuple[str, str], str] = {}
        self.entries: dict[tuple[str, bytes], Entry] = {}

    def answers(self, *, suggest: bool) -> list[Answer]:
        self._ask([question for question in self.questions if question.ref.path])
        sides = [self._sides(question) for question in self.questions]
        self._try_other_forms(sides)
        answers = [self._answer(*pair) for pair in zip(self.questions, sides, strict=True)]
        self._check_globs(sides, answers)
        self._check_lines(sides, answers)
        if suggest:
            self._suggest(sides, answers)
        return answers

    def _ask(self, questions: Sequence[Question]) -> None:
        """Fetch the trees that the questions' paths lie in, then what those say of them."""
        wanted: set[tuple[str, str]] = set()
        for question in questions:
            folders = {"", split(question.ref.path)[0]}
            if question.ref.is_glob:
                folders.add(split_glob(question.ref.path)[0])
            wanted.update((rev, folder) for folder in folders for rev in (question.commit, question.head))
        self.trees.update(self.objects.find_trees(wanted))
        names: dict[str, set[bytes]] = {}
        for question in questions:
            folder, name = split(question.ref.path)
            for rev in (question.commit, question.head):
                tree = self.trees.get((rev, folder))
                if tree:
                    names.setdefault(tree, set()).add(encode(name))
        self.entries.update(self.objects.find_entries(names))

    def _sides(self, question: Question) -> Sides:
        path = question.ref.path
        return Sides(self._entry(question.commit, path), self._entry(question.head, path)) if path else ABSENT

    def _entry(self, rev: str, path: str) -> Entry | None:
        folder, name = split(path)
        tree = self.trees.get((rev, folder))
        if not tree:
            return None
        if path == ".":
            return Entry(FOLDER, bytes.fromhex(tree))
        entry = self.entries.get((tree, encode(name)))
        if entry and path.endswith("/") and entry.mode not in (FOLDER, SUBMODULE):
            return None
        return entry

    def _try_other_forms(self, sides: list[Sides]) -> None:
        """Look once more, composed and decomposed, for paths that are on neither side as written."""
        again = [
            (number, replace(question, ref=replace(question.ref, path=path)))
            for number, question in enumerate(self.questions)
            if sides[number] == ABSENT
            for path in _other_forms(question.ref.path)
        ]
        if again:
            self._ask([question for _, question in again])
        for number, question in again:
            found = self._sides(question)
            sides[number] = sides[number] if found == ABSENT else found

    def _answer(self, question: Question, sides: Sides) -> Answer:
        if not question.ref.path:
            return Answer(UNKNOWN, INVALID_REF)
        if (question.commit, "") not in self.trees:
            return Answer(UNKNOWN, COMMIT_MISSING)
        if (question.head, "") not in self.trees:
            return Answer(UNKNOWN, HEAD_MISSING)
        return _compare(sides)

    def _check_globs(self, sides: list[Sides], answers: list[Answer]) -> None:
        """Ask git about the patterns, where the same text taken literally found nothing.

        Lines are those of one file, so a pattern with lines that is itself a file is no more than that file.
        """
        asked: dict[str, dict[tuple[str, str], list[int]]] = {}
        for number, question in enumerate(self.questions):
            is_file_with_lines = question.ref.first and sides[number] != ABSENT
            if answers[number].state == FRESH and question.ref.is_glob and not is_file_with_lines:
                answers[number] = UNCHANGED  # whether a pattern ever matched is not known
                folder, pattern = split_glob(question.ref.path)
                empty = EMPTY_TREES[len(self.trees[question.head, ""])]
                old, new = (self.trees.get((rev, folder), empty) for rev in (question.commit, question.head))
                if old != new:
                    asked.setdefault(pattern, {}).setdefault((old, new), []).append(number)
        for pattern, numbers in asked.items():
            for pair in self.objects.find_differing(list(numbers), pattern):
                for number in numbers[pair]:
                    answers[number] = DIFFERS

    def _check_lines(self, sides: list[Sides], answers: list[Answer]) -> None:
        """Answer refs to lines of changed files by the lines themselves."""
        changed = [number for number, pair in enumerate(sides) if pair.old and answers[number].reason == CHANGED]
        asked = [number for number in changed if self.questions[number].ref.first]
        if not asked:
            return
        blocks = [(self.questions[number].ref, sides[number]) for number in asked]
        for number, answer in zip(asked, compare_lines(self.objects, blocks), strict=True):
            answers[number] = answer

    def _suggest(self, sides: list[Sides], answers: list[Answer]) -> None:
        """Name the new path of what is gone, where there is one."""
        gone = {}
        for number, (question, pair) in enumerate(zip(self.questions, sides, strict=True)):
            if pair.old and answers[number].reason == DELETED:
                old, new = self.trees[question.commit, ""], self.trees[question.head, ""]
                gone[number] = Gone(old, new, question.ref.path, pair.old.oid.hex())
        new_paths = find_new_paths(self.objects, set(gone.values())) if gone else {}
        for number, item in gone.items():
            if item in new_paths:
                answers[number] = Answer(STALE, RENAMED, new_paths[item])


def split(path: str) -> tuple[str, str]:
    """Return the folder of a clean path, "" for the root, and its last name."""
    folder, _, name = path.rstrip("/").rpartition("/")
    return folder, "" if path == "." else name


def split_glob(path: str) -> tuple[str, str]:
    """Return the folder before the first sign of a glob, "" for the root, and the pattern below it."""
    first = min(path.find(sign) for sign in GLOB_SIGNS if sign in path)
    folder, _, _ = path[:first].rpartition("/")
    return folder, path[len(folder) + 1 if folder else 0 :]


def _compare(sides: Sides) -> Answer:
    if sides.old == sides.new:
        return UNCHANGED if sides.old else NEVER_THERE
    if sides.old is None:
        return CAME
    return DIFFERS if sides.new else WENT


def _other_forms(path: str) -> set[str]:
    """Return the NFC and NFD spellings of a path other than itself: macOS wrote names decomposed."""
    if path.isascii():
        return set()
    import unicodedata

    return {unicodedata.normalize("NFC", path), unicodedata.normalize("NFD", path)} - {path}
