"""The description of a merge request: markdown in which no text of a memory can do anything (SPEC §6.3).

Memory text stands in code spans and code fences alone: there GitLab sees no mention, no reference, no quick action, no
link, no image and no HTML; in a table, a bar is escaped as GitLab asks for it.
"""

from __future__ import annotations

import re

from brain.layout import RETRO
from brain.sources.origin import parse_origin
from brain.stale.words import REASONS
from brain.submit.texts import WORDS
from brain.text import visible
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from brain.memory import Memory

START, END = "<!-- brain:submit key={key} -->", "<!-- /brain:submit -->"
CONSULT = "<!-- brain:consult -->"
"""Where people are mentioned whom GitLab does not take as reviewers."""
PLACE = "<!-- brain:memories -->"
"""Where in the team's own template our part goes; without it, above the template."""
MAX_CELL, MAX_SENTENCE, MAX_TEXT = 80, 140, 800
MOST_ROWS = 20
MAX_BODY = 4000
NOTHING: Mapping[str, str] = {}
USERNAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")


@value
class Alike:
    """Two memories that are near: ids, how alike (0 to 1), and whether the second is in the same merge request."""

    id: str
    other: str
    similarity: float
    same: bool


@value
class Quote:
    """A line of a rule: file, line number, text."""

    path: str
    line: int
    text: str


@value
class Aged:
    """A ref that is doubted, of which memory, and the reason (``brain.stale.answers``)."""

    id: str
    ref: str
    reason: str


@value
class Again:
    """A memory like one that was turned down or removed before: ids, how alike (0 to 1), when, by whom, and why."""

    id: str
    other: str
    similarity: float
    removed: bool
    when: str
    by: str
    reason: str


@value
class Subject:
    """What a description is made of.

    ``memories`` are (memory, is an update); ``template`` is the team's own text; ``synced`` repo → the commit
    up to which its documents were read.
    """

    key: str
    ticket: str
    title: str
    description: str
    memories: Sequence[tuple[Memory, bool]]
    retro: bool
    alike: Sequence[Alike]
    quotes: Sequence[Quote]
    aged: Sequence[Aged]
    template: str
    again: Sequence[Again] = ()
    waiting: Sequence[Memory] = ()
    synced: Mapping[str, str] = NOTHING


def render_body(subject: Subject, language: str) -> str:
    """Return the description."""
    words = WORDS[language]
    parts = [
        words["intro"].format(ticket=code(subject.ticket)) + (f" {code(subject.title)}" if subject.title else ""),
        fence(subject.description) if subject.description.strip() else "",
        CONSULT,
        _table(subject, words),
        _synced(subject, words),
        _waiting(subject.waiting, words),
        words["retro"].format(path=code(f"{RETRO}/{subject.ticket}.md")) if subject.retro else "",
        _alike(subject.alike, words), _again(subject.again, words),
        _quotes(subject.quotes, words), _aged(subject.aged, words, REASONS[language]),
        "" if subject.template.strip() else _checklist(words, has_alike=bool(subject.alike)),
    ]  # fmt: skip
    ours = "\n\n".join([START.format(key=subject.key), *(part for part in parts if part), END])
    if PLACE in subject.template:
        return subject.template.replace(PLACE, ours, 1)
    return "\n\n".join(part for part in (ours, subject.template.strip()) if part) + "\n"


def with_consulted(description: str, sentence: str, usernames: Sequence[str]) -> str:
    """Return a description that mentions these people, in the words of ``sentence``; nobody where there are none."""
    people = mention(usernames)
    text = sentence.format(people=people) if people else ""
    return description.replace(f"{CONSULT}\n\n", f"{text}\n\n" if text else "", 1)


def replace_ours(old: str, new: str) -> str:
    """Return a description with our part renewed and what people wrote around it kept; without our part, the new one.

    The same content keeps the old text, ticked boxes and all.
    """
    found = re.search(r"<!-- brain:submit key=([0-9a-f]+) -->.*?<!-- /brain:submit -->", old, re.DOTALL)
    ours = re.search(r"<!-- brain:submit key=([0-9a-f]+) -->.*?<!-- /brain:submit -->", new, re.DOTALL)
    if not found or not ours:
        return new
    return old if found[1] == ours[1] else old[: found.start()] + ours[0] + old[found.end() :]


def key_in(description: str) -> str:
    """Return the key that a description was made with, "" where it is none of ours."""
    found = re.search(r"<!-- brain:submit key=([0-9a-f]+) -->", description)
    return found[1] if found else ""


def code(text: str, most: int = MAX_CELL) -> str:
    """Return text as one code span, on one line, cut; ``–`` for nothing. It holds no bar or backtick of its own."""
    line = _unmarked(" ".join(visible(text).split())).replace("`", "'").replace("|", "¦")
    line = line if len(line) <= most else line[: most - 1] + "…"
    return f"`{line}`" if line else "–"


def fence(text: str, most: int = MAX_TEXT) -> str:
    """Return text as a fenced block that it cannot close."""
    shown = _unmarked(visible(text).strip())
    shown = shown if len(shown) <= most else shown[: most - 1] + "…"
    marks = max((len(run) for run in re.findall(r"`+", shown)), default=0)
    bar = "`" * max(3, marks + 1)
    return f"{bar}text\n{shown}\n{bar}"


def _unmarked(text: str) -> str:
    """Return text in which no comment opens: it could be taken for a mark of ours."""
    return text.replace("<!--", "<! --")


def mention(usernames: Sequence[str]) -> str:
    """Return mentions of people that the settings name."""
    return " ".join(f"@{name}" for name in usernames if USERNAME.fullmatch(name))


def _table(subject: Subject, words: dict[str, str]) -> str:
    rows = [f"### {words['memories']}", "", words["columns"], "|" + " --- |" * 8]
    for memory, update in subject.memories:
        refs = " ".join(code(ref) for ref in memory.refs[:3]) + (" …" if len(memory.refs) > 3 else "")
        cells = [
            words["update" if update else "new"], code(memory.id, 160), memory.type, code(memory.scope),
            f"{memory.confidence:g}", code(memory.source), refs or "–", code(memory.sentence, MAX_SENTENCE),
        ]  # fmt: skip
        rows.append("| " + " | ".join(cells) + " |")
    return "\n".join(rows)


def render_list(heading: str, rows: Sequence[str], words: dict[str, str]) -> str:
    """Return a section of rows, cut; "" where there are none."""
    if not rows:
        return ""
    more = [words["more"].format(count=len(rows) - MOST_ROWS)] if len(rows) > MOST_ROWS else []
    return "\n".join([f"### {heading}", "", *(f"- {row}" for row in [*rows[:MOST_ROWS], *more])])


def _alike(alike: Sequence[Alike], words: dict[str, str]) -> str:
    where = {True: words["same"], False: words["approved"]}
    rows = [f"{code(row.id, 160)} ≈ {row.similarity:.0%} {code(row.other, 160)} ({where[row.same]})" for row in alike]
    return render_list(words["similar"], rows, words)


def _synced(subject: Subject, words: dict[str, str]) -> str:
    """Return how far the repos were read whose documents some of the memories are of."""
    origins = (parse_origin(memory.source) for memory, _ in subject.memories)
    repos = sorted({origin.repo for origin in origins if origin} & subject.synced.keys())
    rows = [words["synced"].format(repo=code(repo), commit=code(subject.synced[repo][:12])) for repo in repos]
    return "\n".join(rows)


def _waiting(waiting: Sequence[Memory], words: dict[str, str]) -> str:
    """Return the texts that the diff does not show, for they are on the branch already."""
    if not waiting:
        return ""
    texts = [f"{code(memory.id, 160)}\n\n{fence(memory.body, MAX_BODY)}" for memory in waiting]
    return "\n\n".join([f"### {words['waiting']}", words["waiting_text"], *texts])


def _again(again: Sequence[Again], words: dict[str, str]) -> str:
    rows = [
        words["again_removed" if row.removed else "again_refused"].format(
            id=code(row.id, 160), other=code(row.other, 160), similarity=f"{row.similarity:.0%}", when=code(row.when),
            by=code(row.by), reason=code(row.reason, 300),
        )
        for row in again
    ]  # fmt: skip
    return render_list(words["again"], rows, words)


def _quotes(quotes: Sequence[Quote], words: dict[str, str]) -> str:
    rows = [f"{code(f'{row.path}:{row.line}', 160)}: {code(row.text, 200)}" for row in quotes]
    return render_list(words["rules"], rows, words)


def _aged(aged: Sequence[Aged], words: dict[str, str], said: Mapping[str, str]) -> str:
    rows = [f"{code(row.id, 160)}: {code(row.ref, 160)} ({said[row.reason]})" for row in aged]
    return render_list(words["stale"], rows, words)


def _checklist(words: dict[str, str], *, has_alike: bool) -> str:
    checks = words["checks"].format(near=words["near"] if has_alike else "")
    boxes = "\n".join(f"- [ ] {line}" for line in checks.splitlines())
    return f"### {words['checklist']}\n\n{boxes}"
