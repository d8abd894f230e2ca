"""The description of the weekly merge request: what needs a decision first, each change with reason and evidence.

As in every description of ours, no text of a memory, a retrospect or a path stands outside of a code span.
"""

from __future__ import annotations

from hashlib import sha256

from brain.layout import find_place
from brain.stale.words import REASONS
from brain.submit.body import CONSULT, END, MAX_SENTENCE, MOST_ROWS, START, code, render_list
from brain.submit.journal import Texts
from brain.submit.judge import is_private
from brain.submit.plan import content_key
from brain.tend.change import CLEARED, DOUBTED, FLAGGED, HITS, UNVERIFIED, last_use
from brain.tend.pairs import advice
from brain.tend.plan import wanted_texts
from brain.tend.texts import WORDS
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from brain.submit.plan import Plan
    from brain.tend.change import Case, Change
    from brain.tend.gather import Facts
    from brain.tend.pairs import Pair
    from brain.tend.plan import Proposal
    from brain.tend.retros import Retro
    from brain.workspace import Brain

MAX_ID = 160
MOST_HITS = 20
KEY = "0" * 16
"""What stands for the key while it is worked out."""


@value
class Section:
    """A part of the description: its name, what it is about, its text, and whether it is to judge or else changes."""

    name: str
    about: Sequence[object]
    text: str
    judge: bool = False


def reason_of(change: Change, language: str) -> str:
    """Return why a memory is to be removed, in one line: its file keeps it."""
    rule = "R2" if UNVERIFIED in change.reasons else "R1"
    return f"{rule}: {_why(change, WORDS[language])}"


def _why(change: Change, words: Mapping[str, str]) -> str:
    """Return why a memory is less sure, or to be removed."""
    case, reason = change.case, change.reasons[-1]
    return words[DOUBTED if reason == UNVERIFIED else reason].format(
        since=last_use(case), hits=max(case.memory.hits, case.use.hits), confidence=f"{case.memory.confidence:g}",
        flagged=case.flagged,
    )  # fmt: skip


def describe(brain: Brain, facts: Facts, proposal: Proposal) -> str:
    """Return the description, under a key that stands for all it says and all that the branch changes."""
    words = WORDS[brain.config["review.language"]]
    body = _render(brain, facts, proposal, words)
    key = content_key(sha256(body.encode()).hexdigest(), facts.heads.default, wanted_texts(facts, proposal))
    return body.replace(START.format(key=KEY), START.format(key=key), 1)


def texts_of(brain: Brain, plan: Plan, description: str) -> Texts:
    """Return what the merge request is to say, and whom it is for."""
    words = WORDS[brain.config["review.language"]]
    return Texts(plan.key, plan.title, description, plan.assignee, plan.reviewers, words["consult"])


def _render(brain: Brain, facts: Facts, proposal: Proposal, words: Mapping[str, str]) -> str:
    sections = [part for part in _sections(brain, facts, proposal, words) if part.about]
    asked = (proposal.removals, [*proposal.duplicates, *proposal.contradictions])  # nobody ticks off what is not there
    lines = [line for line, about in zip(words["checks"].splitlines(), asked, strict=True) if about]
    checks = "\n".join(f"- [ ] {line}" for line in lines)
    kept = " ".join(path for path in sorted(facts.held) if find_place(path))
    parts = [
        START.format(key=KEY), f"<!-- brain:kept {kept} -->" if kept else "", words["intro"],
        _summary(sections, words), CONSULT, *(part.text for part in sections),
        f"### {words['checklist']}\n\n{checks}" if checks else "", END,
    ]  # fmt: skip
    return "\n\n".join(part for part in parts if part) + "\n"


def _sections(
    brain: Brain, facts: Facts, proposal: Proposal, words: Mapping[str, str]
) -> list[Section]:  # fmt: skip
    flagged, cleared, counted = (_with(proposal, reason) for reason in (FLAGGED, CLEARED, HITS))
    fading = [change for change in proposal.changes if "confidence" in change.values]
    brings = any(retro.user for retro in proposal.retros)
    against, alike = proposal.contradictions, proposal.duplicates
    return [
        Section("remove", proposal.removals, _removals(brain, proposal, words)),
        Section("contradictions", against, _pairs(brain, facts, against, "contradictions", words), judge=True),
        Section("verify", proposal.verify, _doubted(brain, "verify", proposal.verify, words), judge=True),
        Section("flagged", flagged, _doubted(brain, "flagged", [change.case for change in flagged], words)),
        Section("cleared", cleared, _rows("cleared", [_id(change.case) for change in cleared], words)),
        Section("fading", fading, _fading(brain, fading, words)),
        Section("duplicates", alike, _pairs(brain, facts, alike, "duplicates", words), judge=True),
        Section("retros", proposal.retros, _retros(proposal.retros, words), judge=not brings),
        Section("hits", counted, _hits(counted, words)),
    ]


def _summary(sections: Sequence[Section], words: Mapping[str, str]) -> str:
    rows = [
        f"| {words[part.name]} | {len(part.about)} | {words['judge' if part.judge else 'changes']} |"
        for part in sections
    ]
    return "\n".join([words["summary"], *rows]) if rows else ""


def _with(proposal: Proposal, reason: str) -> list[Change]:
    return [change for change in proposal.changes if reason in change.reasons]


def _id(case: Case) -> str:
    return code(case.memory.id, MAX_ID)


def _doubts(case: Case, said: Mapping[str, str]) -> str:
    """Return why a memory is doubted, a line for each ref."""
    return "<br>".join(
        f"{code(doubt.ref, MAX_ID)}: {said[doubt.answer.reason]}"
        + (f" → {code(doubt.answer.new_path, MAX_ID)}" if doubt.answer.new_path else "")
        for doubt in case.doubts
    )


def _says(brain: Brain, text: str) -> str:
    return code("" if is_private(brain, text) else text, MAX_SENTENCE)


def _titled(name: str, words: Mapping[str, str], *parts: str) -> str:
    return "\n\n".join([f"### {words[name]}", *(part for part in parts if part)])


def _rows(name: str, rows: Sequence[str], words: Mapping[str, str], text: str = "") -> str:
    listed = render_list("", rows, dict(words)).partition("\n\n")[2]
    return _titled(name, words, text, listed)


def _table(columns: str, rows: Sequence[Sequence[str]]) -> str:
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join([columns, "|" + " --- |" * (columns.count("|") - 1), *lines])


def _removals(brain: Brain, proposal: Proposal, words: Mapping[str, str]) -> str:
    rows = [
        (_id(change.case), _why(change, words), _says(brain, change.case.memory.sentence))
        for change in proposal.removals
    ]
    later = words["later"].format(count=proposal.more) if proposal.more else ""
    return _titled("remove", words, words["remove_text"], _table(words["remove_columns"], rows), later)


def _doubted(brain: Brain, name: str, cases: Sequence[Case], words: Mapping[str, str]) -> str:
    """Return a section of memories whose refs changed; how long they are used like that, where that is known."""
    rows, said = [], REASONS[brain.config["review.language"]]
    for case in cases[:MOST_ROWS]:
        since = words["verify_row"].format(flagged=case.flagged, last=case.use.last) if name == "verify" else ""
        why = "<br>".join(filter(None, (since, _doubts(case, said) or words["unknown"])))
        rows.append((_id(case), why, _says(brain, case.memory.sentence)))
    return _titled(name, words, words[f"{name}_text"], _table(words["remove_columns"], rows), _more(cases, words))


def _more(rows: Sequence[object], words: Mapping[str, str]) -> str:
    return words["more"].format(count=len(rows) - MOST_ROWS) if len(rows) > MOST_ROWS else ""


def _fading(brain: Brain, changes: Sequence[Change], words: Mapping[str, str]) -> str:
    rows = []
    for change in changes[:MOST_ROWS]:
        step = f"{change.case.memory.confidence:g} → {change.values['confidence']:g}"
        says = _says(brain, change.case.memory.sentence)
        rows.append((_id(change.case), step, _why(change, words), says))
    return _titled("fading", words, words["fading_text"], _table(words["fade_columns"], rows), _more(changes, words))


def _pairs(brain: Brain, facts: Facts, pairs: Sequence[Pair], name: str, words: Mapping[str, str]) -> str:
    def cell(path: str) -> str:
        memory = facts.memories[path]
        text = advice(memory) if name == "contradictions" else memory.sentence
        return f"{code(memory.id, MAX_ID)}<br>{_says(brain, text)}"

    def how(pair: Pair) -> list[str]:
        alike = words["in_meaning"] if pair.meaning else f"{pair.similarity:.0%}"
        return [] if name == "contradictions" else [alike]

    rows = [(*how(pair), cell(pair.one), cell(pair.other)) for pair in pairs]
    return _titled(name, words, words[f"{name}_text"], _table(words[f"{name}_columns"], rows))


def _retros(retros: Sequence[Retro], words: Mapping[str, str]) -> str:
    rows = [
        words["retro_row"].format(
            ticket=code(retro.ticket), user=code(retro.user) if retro.user else words["retro_main"],
            points="; ".join(code(point, MAX_SENTENCE) for point in retro.points) or words["no_points"],
        )
        for retro in retros
    ]  # fmt: skip
    return _rows("retros", rows, words, words["retros_text"])


def _hits(changes: Sequence[Change], words: Mapping[str, str]) -> str:
    ordered = sorted(changes, key=lambda change: (-_gain(change), change.case.memory.id))
    rows = [
        words["hits_row"].format(id=_id(change.case), before=change.case.memory.hits, after=change.values["hits"])
        for change in ordered
    ]
    more = [words["more"].format(count=len(rows) - MOST_HITS)] if len(rows) > MOST_HITS else []
    summary = words["hits_all"].format(count=len(rows), sum=sum(map(_gain, changes)))
    listed = "\n".join(f"- {row}" for row in [*rows[:MOST_HITS], *more])
    return _titled("hits", words, f"<details><summary>{summary}</summary>\n\n{listed}\n\n</details>")


def _gain(change: Change) -> int:
    return int(change.values["hits"]) - change.case.memory.hits
