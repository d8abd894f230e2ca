"""What capture finds in the labelled transcripts and in our own sentences, counted."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from brain.capture.signals import Signal, find_signals
from brain.capture.transcript import read_part
from brain.capture.turns import PERSON, Turn

if TYPE_CHECKING:
    from collections.abc import Iterable

DATA = Path(__file__).parents[1] / "data" / "capture"
EXPECTED = {
    name: row
    for name, row in json.loads((DATA / "expected.json").read_text("utf-8")).items()
    if not name.startswith("_")
}
SAYINGS = [json.loads(line) for line in (DATA / "sayings.jsonl").read_text("utf-8").splitlines()]
"""Our own sentences by set. Each set but the first was written before the patterns saw it; "last" was never used to change them.
"near" was written against the patterns: what comes close to what is kept, and is not to be."""
FOUND, WRONG, MISSED, LEFT = "found", "wrong", "missed", "left"


def signals(name: str) -> list[Signal]:
    """Return what is found in one of the labelled transcripts."""
    return find_signals(read_part(str(DATA / name), name.partition("/")[0], 0).turns)


def fits(found: Signal, wanted: dict[str, str]) -> bool:
    """Say whether a signal is one that was expected."""
    if found.kind not in wanted["kind"]:
        return False
    parts = [wanted["contains"]] if "contains" in wanted else [wanted["error"], wanted["fix"]]
    return all(part in f"{found.text} {found.failed} {found.fix}" for part in [*parts, wanted.get("why", "")])


def count_transcripts() -> Counter[str]:
    """Count what is found, wrong and missed in all labelled transcripts."""
    counts: Counter[str] = Counter()
    for name, row in EXPECTED.items():
        found, wanted = signals(name), row["signals"]
        right = sum(any(fits(signal, one) for one in wanted) for signal in found)
        met = sum(any(fits(signal, one) for signal in found) for one in wanted)
        counts += Counter({FOUND: right, WRONG: len(found) - right, MISSED: len(wanted) - met})
    return counts


def count_sayings(rows: Iterable[dict[str, Any]]) -> Counter[str]:
    """Count the sentences that are found as what they are, wrongly, missed, and rightly left."""
    counts: Counter[str] = Counter()
    for row in rows:
        found = [signal.kind for signal in find_signals([Turn(PERSON, row["text"], 0)])]
        counts[FOUND if found == [row["kind"]] else WRONG if found else MISSED if row["kind"] else LEFT] += 1
    return counts


def precision(counts: Counter[str]) -> float:
    """Return the share of what was taken that is worth it."""
    return counts[FOUND] / max(1, counts[FOUND] + counts[WRONG])


def recall(counts: Counter[str]) -> float:
    """Return the share of what is worth it that was taken."""
    return counts[FOUND] / max(1, counts[FOUND] + counts[MISSED])
