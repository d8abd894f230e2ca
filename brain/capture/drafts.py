"""Signals → drafts of low confidence in ``_pending/``: nothing twice, nothing that the team did not want (SPEC §9)."""

from __future__ import annotations

import os
import re
import unicodedata

from brain.capture.redact import MASK
from brain.capture.signals import CORRECTION, DECISION, FIX, Signal
from brain.compose import compose_draft, file_draft
from brain.drafts import list_drafts, read_draft
from brain.errors import BrainError, ConflictError, InvalidMemoryError
from brain.guess import Wish, language_of
from brain.layout import PENDING
from brain.lint.advise import advise
from brain.rejected import find_rejected
from brain.similar import NEAR, compared_text, shingles, similarity
from brain.ticket import Ticket
from brain.value import replace, value
from brain.workspace import open_brain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from brain.compose import Draft
    from brain.workspace import Brain

MOST_REFS, MOST_TAGS = 2, 3
TAG = re.compile(r"[A-Za-z][A-Za-z0-9.+-]{1,30}")
MOST_COMPARED = 300
"""Drafts that a new one is compared with."""
ATTACKS = ("M4", "M5", "M6")
"""Rules about secrets, personal data and text that attacks (docs/lint-rules.md)."""
TYPES = {CORRECTION: "lesson", FIX: "lesson", DECISION: "decision"}
APPLIES = {
    "en": ("keep to this when changing {files}.", "keep to this.", "run `{fix}`."),
    "vi": ("làm đúng như vậy khi sửa {files}.", "làm đúng như vậy.", "chạy `{fix}`."),
    "ja": ("{files} を変更するときはこれに従う。", "これに従う。", "`{fix}` を実行する。"),
}
"""What to do, by language: where files were changed before, where none were, and of a command."""
FAILED = {
    "en": "`{failed}` fails with `{error}`. `{fix}` works.",
    "vi": "`{failed}` báo lỗi `{error}`. `{fix}` thì chạy được.",
    "ja": "`{failed}` は `{error}` で失敗する。`{fix}` なら動く。",
}
SPECIFIC = re.compile(r"[A-Z][A-Z0-9_]{2,}=\S+|(?<!\S)--[a-z][\w-]+")


@value
class Filed:
    """A draft that was written: its id, what it says, and its signal's key."""

    id: str
    sentence: str
    key: str = ""


def file_drafts(
    brain: Brain, signals: Sequence[Signal], ticket: Ticket, day: str, env: Mapping[str, str]
) -> list[Filed]:
    """Write a draft for each signal that is worth one, and return those that are new.

    Raises:
        BrainError: There is no place for drafts, or they cannot be written.
    """
    filed: list[Filed] = []
    for signal in worth_a_draft(signals):
        draft = _compose(brain, signal, ticket, day)
        if draft is None or draft.similar or _is_drafted(brain, draft):
            continue
        if find_rejected(brain, draft.memory) or _is_refused(brain, draft, day, by_model=bool(signal.quote)):
            continue
        try:
            file_draft(brain, draft)
        except ConflictError:  # another process was faster
            continue
        filed.append(Filed(draft.memory.id, draft.memory.sentence, signal.key))
        brain = open_brain(brain.workspace.root, env)  # so that the next one is compared with this one too
    return filed


def worth_a_draft(signals: Iterable[Signal]) -> list[Signal]:
    """Return the signals without what was taken out as secret, what says the same, and a fix that a person told too."""
    kept: list[Signal] = []
    for signal in sorted(signals, key=lambda signal: -signal.sure):
        own = shingles(signal.text + signal.fix)
        told = " ".join(other.text for other in kept)
        is_told = signal.kind == FIX and any(word in told for word in SPECIFIC.findall(signal.fix))
        again = any(similarity(own, shingles(other.text + other.fix)) >= NEAR for other in kept)
        if MASK not in signal.text + signal.fix + signal.failed and not is_told and not again:
            kept.append(signal)
    return kept


def _compose(brain: Brain, signal: Signal, ticket: Ticket, day: str) -> Draft | None:
    """Return the draft of a signal; None where an approved memory or a draft has its name already and says it too."""
    wish = wish_of(signal, brain, ticket, day)
    try:
        draft = compose_draft(brain, ticket, wish, day)
        tags = () if draft.memory.tags else tags_of(wish.refs, ticket)
        slug = draft.memory.place.slug  # tags would give another, that says less
        return compose_draft(brain, ticket, replace(wish, tags=tags, slug=slug), day) if tags else draft
    except ConflictError:  # another memory has the name
        slug = f"{signal.kind.replace('_', '-')}-{signal.key.rpartition(':')[2]}"
    except BrainError:  # it cannot be spelled as a memory
        return None
    try:
        return compose_draft(brain, ticket, replace(wish, slug=slug), day)
    except BrainError:
        return None


def wish_of(signal: Signal, brain: Brain, ticket: Ticket, day: str) -> Wish:
    """Return what a signal asks to have remembered."""
    is_line = signal.kind == FIX and not signal.quote  # an error's line, in no language of people
    language = brain.config["review.language"] if is_line else language_of(signal.text)
    there, nowhere, command = APPLIES[language]
    refs = own_paths(signal.files, brain)[:MOST_REFS]
    apply = command.format(fix=signal.fix) if signal.kind == FIX else nowhere
    if refs:
        apply = there.format(files=", ".join(f"`{path}`" for path in refs))
    apply = signal.apply or apply
    text = signal.text[:1].upper() + signal.text[1:]
    if is_line:
        text = FAILED[language].format(failed=signal.failed, error=signal.text, fix=signal.fix)
    kind = TYPES.get(signal.kind, "")
    return Wish(
        text, type=kind, confidence=signal.sure, by_assistant=True, refs=refs, apply=apply,
        source="" if ticket.task_id else f"session {day}",
    )  # fmt: skip


def tags_of(refs: Iterable[str], ticket: Ticket) -> tuple[str, ...]:
    """Return tags for a text that gives none in ASCII: of the ticket's keywords, and the names of files."""
    words = [*ticket.keywords, *(re.sub(r"\..*", "", path.rpartition("/")[2]) for path in refs)]
    return tuple(dict.fromkeys(word.lower() for word in words if TAG.fullmatch(word)))[:MOST_TAGS]


def own_paths(files: Iterable[str], brain: Brain) -> tuple[str, ...]:
    """Return the paths that lie in the workspace's repo, as refs name them: from its top, with slashes, in NFC."""
    top = brain.workspace.code_repo.work_tree if brain.workspace.code_repo else ""
    if not top:
        return ()
    found: dict[str, None] = {}
    for file in files:
        path = os.path.realpath(os.path.join(top, file.replace("\\", "/")))
        if path.startswith(os.path.realpath(top) + os.sep) and os.path.isfile(path):
            inside = os.path.relpath(path, os.path.realpath(top)).replace(os.sep, "/")
            found[unicodedata.normalize("NFC", inside)] = None
    return tuple(found)


def _is_drafted(brain: Brain, draft: Draft) -> bool:
    """Say whether a draft says the same already, whatever its tags."""
    own = shingles(compared_text(draft.memory))
    for path in list_drafts(brain.memory_root)[:MOST_COMPARED]:
        try:
            _, other = read_draft(os.path.join(brain.memory_root, PENDING), path)
        except InvalidMemoryError:
            continue
        if similarity(own, shingles(compared_text(other))) >= NEAR:
            return True
    return False


def _is_refused(brain: Brain, draft: Draft, day: str, *, by_model: bool) -> bool:
    """Say whether the gate would refuse a draft as it is: nobody's minute is spent on it.

    A model's words may be those of a text that told it to say them: of them nothing is taken that looks like an attack.
    """
    findings = advise(brain, draft.text, draft.memory.path, day)
    return any(finding.blocks or (by_model and finding.rule.code.startswith(ATTACKS)) for finding in findings)
