"""Lint a set of files together: each by itself, then what only the whole tree shows. Facts only; nothing is printed."""

from __future__ import annotations

from brain.layout import INDEX_FILE, PENDING
from brain.lint.duplicates import check_duplicates, comparable
from brain.lint.finding import ERROR, Rule, Sheet, allow, is_confidential, order
from brain.lint.judge import below_root, judge, lasting_path
from brain.lint.leads import check_leads
from brain.lint.place import PENDING_COMMITTED
from brain.lint.tree import check_tree
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from brain.lint.at_hand import RepoAtHand
    from brain.lint.duplicates import Comparable, Known
    from brain.lint.finding import Finding
    from brain.lint.judge import SourceFile
    from brain.lint.leads import Lead
    from brain.lint.meaning import Asked as Meaning
    from brain.lint.refs import Asked
    from brain.lint.team import Team

INDEX_EDITED = Rule(
    "M322", "index-edited", ERROR, f"{INDEX_FILE} is not what the approved memories give",
    "It is generated; what is written into it by hand would be recalled unreviewed.",
    "brain index --write makes it anew; in a merge request leave it as it was: finalize does it",
)  # fmt: skip


@value
class Judged:
    """One file's findings, the refs and leads still to be looked up, and what duplicates are compared by."""

    path: str
    findings: list[Finding]
    asked: tuple[Asked, ...]
    comparable: Comparable | None
    leads: tuple[Lead, ...] = ()


@value
class Surroundings:
    """What is known beside the files judged.

    ``paths`` is every path below the memory root there will be, ``before`` those that were there, ``committed``
    the repo paths that a commit holds, ``repos`` gives the repos at hand for some aliases, ``known`` yields the
    approved and removed memories that share a tag or the folder with what is proposed, ``among`` asks for duplicates
    among those too, ``index`` says how ``MEMORY.md`` differs from what the tree gives, ``meaning`` asks what says the
    same in another language.
    """

    paths: Sequence[str] = ()
    before: Sequence[str] = ()
    committed: frozenset[str] = frozenset()
    repos: Callable[[set[str]], Mapping[str, RepoAtHand]] | None = None
    known: Known | None = None
    among: bool = False
    index: str = ""
    meaning: Callable[[Sequence[Comparable]], Meaning] | None = None


@value
class Report:
    """The findings in order, those allowed among them, how many files were judged, and what could not be asked."""

    findings: tuple[Finding, ...]
    files: int
    remark: str = ""


def judge_file(file: SourceFile, team: Team) -> Judged:
    """Return one file's own findings."""
    judgement = judge(file, team)
    below = below_root(file.path, team.root)
    found = judgement.sheet.findings()
    return Judged(file.path, found, judgement.asked, comparable(file.content, below), judgement.leads)


def assemble(judged: Sequence[Judged], team: Team, around: Surroundings) -> Report:
    """Return the report of files that were judged one by one, with what their surroundings show."""
    sheets = {row.path: Sheet(row.path, lasting_path(row.path, team.root)) for row in judged}
    prefix = team.root + "/"
    for note in check_tree(around.paths, around.before):
        if prefix + note.path in sheets:
            sheets[prefix + note.path].add(note.rule, message=note.message)
    for path in around.committed & sheets.keys():
        if path.startswith(f"{prefix}{PENDING}/"):
            sheets[path].add(PENDING_COMMITTED)
    asked = [(sheets[row.path], ask) for row in judged for ask in row.asked]
    if around.repos and asked:
        from brain.lint.at_hand import check_exist

        check_exist(asked, around.repos({ask.ref.alias for _, ask in asked}))
    leads = [(sheets[row.path], lead) for row in judged for lead in row.leads]
    if leads:
        check_leads(leads, around.paths, around.committed, team.root)
    if around.known:
        proposed = [row.comparable for row in judged if row.comparable]
        for note in check_duplicates(proposed, around.known, among=around.among):
            sheets[prefix + note.path].add(note.rule, message=note.message)
    remark = _ask_meaning(judged, sheets, around, prefix) if around.meaning else ""
    if around.index and prefix + INDEX_FILE in sheets:
        sheets[prefix + INDEX_FILE].add(INDEX_EDITED, message=around.index)
    found = [finding for row in judged for finding in (*row.findings, *sheets[row.path].findings())]
    return Report(tuple(sorted(allow(found, team.allow), key=order)), len(judged), remark)


def _ask_meaning(judged: Sequence[Judged], sheets: Mapping[str, Sheet], around: Surroundings, prefix: str) -> str:
    """Report what says the same in another language; return why it could not be asked, "" for nothing."""
    clean = [row for row in judged if not any(is_confidential(finding.rule) for finding in row.findings)]
    proposed = [row.comparable for row in clean if row.comparable]
    asked = around.meaning(proposed) if around.meaning and proposed else None
    for note in asked.notes if asked else ():
        sheets[prefix + note.path].add(note.rule, message=note.message)
    return asked.remark if asked else ""
