"""One stop's capture: read what is new, take out signals, keep them as drafts and a retrospect (SPEC §9)."""

from __future__ import annotations

import time

from brain.capture.ledger import alone, mark_of, read_ledger, write_ledger
from brain.capture.signals import CORRECTION, FIX, changes_files, find_signals
from brain.capture.transcript import read_part
from brain.capture.turns import ASSISTANT, CALL, PERSON
from brain.value import replace, value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from brain.capture.asked import Shown
    from brain.capture.signals import Signal
    from brain.capture.transcript import Part
    from brain.ticket import Ticket
    from brain.workspace import Brain

LAG_STEP = 0.05
"""Seconds between two looks at a transcript that lags."""
WAIT_SECONDS = 20.0
"""How long a model's answer waits for a stop that is being captured."""
HAPPENED = frozenset((CORRECTION, FIX))
WRITES_LATE = frozenset(("copilot",))
"""Hosts whose transcript may hold nothing yet of what was said when they stop (Copilot CLI 1.0.102: seen)."""


@value
class Source:
    """A transcript to read: its path, its host's name, and its session's name here.

    One that ends before the assistant does lags behind its host: it is waited for, ``patience`` seconds at most.
    """

    path: str
    host: str
    session: str
    patience: float = 0.0


@value
class Kept:
    """What a stop left: ids of new drafts, what the assistant said, whether something happened, what was unreadable."""

    drafts: tuple[str, ...] = ()
    said: str = ""
    happened: bool = False
    warnings: tuple[str, ...] = ()


def keep_new(brain: Brain, source: Source, ticket: Ticket, day: str, env: Mapping[str, str]) -> Kept:
    """Keep what is new in a transcript; nothing where another process is at it.

    Raises:
        BrainError: A draft or the retrospect cannot be written.
        OSError: The transcript cannot be read, or the ledger not written.
    """
    state_dir = brain.workspace.state_dir
    with alone(state_dir) as mine:
        if not mine:
            return Kept()
        ledger, mark = read_ledger(state_dir), mark_of(source.path)
        deadline, start = time.monotonic() + source.patience, ledger.offsets.get(mark, 0)
        part = read_part(source.path, source.host, start)
        while _lags(part, source.host) and time.monotonic() < deadline:
            time.sleep(LAG_STEP)
            part = read_part(source.path, source.host, start)
        found = find_signals(part.turns)
        known = set(ledger.keys)
        new = [signal for signal in found if signal.key not in known]
        drafts = _keep(brain, new, ticket, day, env) if new else ()
        happened = source.session in ledger.busy or changes_files(part.turns) or any(s.kind in HAPPENED for s in new)
        busy = tuple(name for name in ledger.busy if name != source.session) + (source.session,) * happened
        offsets = {**{name: at for name, at in ledger.offsets.items() if name != mark}, mark: part.next}
        after = replace(ledger, offsets=offsets, keys=(*ledger.keys, *(signal.key for signal in new)), busy=busy)
        if after != ledger:
            write_ledger(state_dir, after)
    said = "\n".join(turn.text for turn in part.turns if turn.kind == ASSISTANT)
    return Kept(drafts, said, happened, part.warnings)


def _lags(part: Part, host: str) -> bool:
    """Say whether a transcript ends before the assistant does: with what it answers to, or with nothing new at all."""
    if not part.turns:
        return host in WRITES_LATE
    return part.turns[-1].kind in (PERSON, CALL)


def keep_asked(
    brain: Brain, source: Source, ticket: Ticket, day: str, env: Mapping[str, str], ask: Callable[[str], str]
) -> tuple[str, ...]:
    """Show a model what it did not see of a transcript yet, and keep what holds of its answer; return what went wrong.

    Nothing is locked while it thinks.

    Raises:
        BrainError: It gives no answer, or a draft cannot be written.
        OSError: The transcript cannot be read, or the ledger not written.
    """
    from brain.capture.asked import make_prompt

    state_dir, mark = brain.workspace.state_dir, mark_of(source.path)
    part = read_part(source.path, source.host, read_ledger(state_dir).shown.get(mark, 0))
    shown = make_prompt(part.turns, [signal.text for signal in find_signals(part.turns)])
    if shown is None:
        return ()
    signals, warnings = _answered(ask(shown.prompt), shown)
    with alone(state_dir, WAIT_SECONDS) as mine:
        if not mine:
            return ("another process captures here: the model's answer is left",)
        ledger = read_ledger(state_dir)
        new = [signal for signal in signals if signal.key not in ledger.keys]
        if new:
            _keep(brain, new, ticket, day, env)
        offsets = {**{name: at for name, at in ledger.shown.items() if name != mark}, mark: part.next}
        write_ledger(state_dir, replace(ledger, shown=offsets, keys=(*ledger.keys, *(signal.key for signal in new))))
    return warnings


def _answered(answer: str, shown: Shown) -> tuple[list[Signal], tuple[str, ...]]:
    """Return what holds of a model's answer, and what there is to say of the rest."""
    from brain.capture.asked import read_answer

    try:
        signals, wrong = read_answer(answer, shown)
    except ValueError as error:
        return [], (f"the model's answer is not what was asked for: {error}",)
    return signals, (
        f"the model's answer: {wrong} of {wrong + len(signals)} do not hold and are left",
    ) if wrong else ()


def _keep(brain: Brain, new: Sequence[Signal], ticket: Ticket, day: str, env: Mapping[str, str]) -> tuple[str, ...]:
    """Write the drafts and the retrospect of new signals, without what is secret; return the drafts' ids."""
    from brain.capture.drafts import file_drafts  # heavy, and most stops bring nothing new
    from brain.capture.redact import redacted
    from brain.capture.retro import lines_of, retro_name, write_retro

    if not brain.memory_root:
        return ()
    clean = [
        replace(
            signal,
            text=redacted(signal.text),
            failed=redacted(signal.failed),
            fix=redacted(signal.fix),
            apply=redacted(signal.apply),
        )
        for signal in new
    ]
    filed = file_drafts(brain, clean, ticket, day, env)
    keys = {draft.key for draft in filed}
    lines = lines_of([signal for signal in clean if not signal.quote or signal.key in keys], filed)
    write_retro(brain.memory_root, retro_name(ticket.task_id, day), lines, brain.config["review.language"])
    return tuple(draft.id for draft in filed)
