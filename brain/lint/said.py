"""What a change says beside its files: messages and names of its commits, names of its branch and tags.

All of it is pushed with the files and stays as long, and assistants read it: ``git log`` is one of their first looks.
"""

from __future__ import annotations

from brain.lint.finding import ERROR, Rule, Sheet
from brain.lint.folded import Folded
from brain.lint.hidden import scan_hidden
from brain.lint.markdown import mark_code
from brain.lint.markup import scan_markup
from brain.lint.pattern import Pattern
from brain.lint.personal import scan_personal
from brain.lint.scan import PARTING, Names
from brain.lint.secrets.scan import scan_secrets
from brain.lint.tags import UNKNOWN_TAG
from brain.lint.words import scan_words
from brain.value import replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from brain.lint.finding import Finding
    from brain.lint.sources import Committed

TRAILER = Pattern(r"(?mi)^((?:[a-z][a-z-]{0,40}-by|cc|from|author): [^\n<>]{1,100})<[^<>\s]{1,200}>[ \t]*$", "<")
"""Who wrote, signed or reviewed a commit: their addresses stand there by custom, as in the author's field."""
MARKS = Pattern("", "<", "](", "][", "//", "&#", "$", "```", " " * 40)
"""What markup that acts or hides begins with, and few messages hold."""
MAIL = Pattern(r"<[^<>\n]{0,200}>[ \t]*$", "<")
MEND = "rewrite the branch (git commit --amend, git rebase -i): its history keeps what was pushed"
MEND_NAME = "take it out and give it another name; if it was a secret, change it where it is used"
UNREAD = Rule(
    "M331", "messages-too-long", ERROR, "more messages of commits than are read",
    "All of it is pushed with the files; what lint does not read it does not let through.",
    "squash the branch, and say in a few lines what it does",
)  # fmt: skip
MOST_COMMITS, MOST_READ = 2000, 100_000
"""Commits of a change that are looked at, and characters of all their messages together."""


def check_said(commits: Sequence[Committed], branch: str, domains: tuple[str, ...]) -> list[Finding]:
    """Return what is wrong with what commits say, latest first, and with the names they go by.

    Args:
        commits: The change's.
        branch: The branch that is to be merged, "" where nobody tells.
        domains: The team's own mail domains.
    """
    found: list[Finding] = []
    known: set[str] = set()
    left = MOST_READ
    for number, commit in enumerate(commits):
        sheet = Sheet(f"commit {commit.oid[:12]}", "commit")
        left -= len(commit.message)
        if left < 0 or number >= MOST_COMMITS:
            sheet.add(UNREAD)
            found += sheet.findings()
            break
        if commit.message not in known:
            known.add(commit.message)
            _scan_message(commit.message, sheet, domains)
        for person in set(commit.people) - known:
            known.add(person)
            _scan_person(person, sheet)
        found += [replace(one, mend=MEND) for one in sheet.findings() if one.rule is not UNKNOWN_TAG]
    names = {"branch": {branch} - {""}, "tag": set[str]()}
    for commit in commits[:MOST_COMMITS]:
        for kind, name in _names_of(commit):
            names[kind].add(name)
    for kind, texts in names.items():
        found += [replace(one, mend=MEND_NAME) for one in _scan_names(kind, sorted(texts), domains)]
    return found


def _scan_message(message: str, sheet: Sheet, domains: tuple[str, ...]) -> None:
    scan_hidden(message, sheet)
    scan_secrets(Folded(message), sheet)
    folded = Folded(TRAILER.sub(r"\1", message))
    if MARKS.may_match(message):
        scan_markup(mark_code(message), 1, sheet)
    scan_words(folded, sheet)
    scan_personal(folded, sheet, domains)


def _scan_person(person: str, sheet: Sheet) -> None:
    """Report what a person's name and address hold beside them."""
    scan_hidden(person, sheet)
    scan_secrets(Folded(person), sheet)
    name = Folded(MAIL.sub("", person))
    scan_words(name, sheet)
    scan_personal(name, sheet)


def _names_of(commit: Committed) -> Iterator[tuple[str, str]]:
    """Yield the branches and tags that a commit goes by in this clone."""
    for text in commit.names.split(", "):
        name = text.removeprefix("HEAD -> ")
        if name.startswith("tag: "):
            yield "tag", name[5:]
        elif name and name != "HEAD":
            yield "branch", name


def _scan_names(kind: str, names: Iterable[str], domains: tuple[str, ...]) -> Iterator[Finding]:
    sheet = Sheet(kind)
    for name in names:
        scan_hidden(name, sheet)
        texts = Names("\n".join((name, PARTING.sub(" ", name))))
        scan_words(texts, sheet)
        scan_secrets(texts, sheet)
        scan_personal(texts, sheet, domains)
    yield from sheet.findings()
