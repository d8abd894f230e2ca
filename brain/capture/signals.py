"""What of a session is worth keeping, told from words alone: corrections, fixes, wishes, decisions. Pure (SPEC §9).

Only a person's own sentences and a shell's own errors count. What is unsure is left: a reviewer's time is dear, and
what matters is said again.
"""

from __future__ import annotations

import unicodedata
from zlib import crc32

from brain.capture.fixes import find_fixes
from brain.capture.turns import CALL, PERSON, RESULT
from brain.capture.words import (
    ASKS,
    CLAIMS,
    CONTRASTS,
    DECIDES,
    EXTERNAL,
    HEDGES,
    HOLDS,
    INSTEAD,
    ONCE,
    POLITE,
    PROHIBITS,
    REASONS,
    REFUSES,
    REMEMBERS,
    REMEMBERS_AFTER,
    RULES,
    SENTENCE,
    TOPIC,
)
from brain.text import is_dense
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from brain.capture.turns import Turn

CORRECTION, FIX, REMEMBER, DECISION = "correction", "error_fix", "remember", "decision"
LEAST, MOST = 12, 700
"""Letters that say something, and characters of a person's turn that is still a remark and no pasted text."""
MOST_SENTENCES = 4
MOST_SIGNALS = 12
STOPS = ",.:;!、。！，–—-"
"""What ends a bare no."""
DENSE_WEIGHT = 2
"""A Han or Kana sign says as much as so many letters."""


@value
class Signal:
    """One thing to keep.

    ``text`` is a person's own words, or an error's line; ``fix`` is the command that worked after ``failed`` did not.
    ``files`` are the paths that were changed just before. ``sure`` is the confidence of a draft made of it. What a
    model named has its own words for it in ``text`` and ``apply``, and in ``quote`` what of the session shows it.
    """

    kind: str
    text: str
    sure: float
    failed: str = ""
    fix: str = ""
    files: tuple[str, ...] = ()
    apply: str = ""
    quote: str = ""

    @property
    def key(self) -> str:
        """What makes it the same signal when a transcript is read again; it shows nothing of the text."""
        words = "".join(filter(str.isalnum, (self.quote or f"{self.text}{self.fix}").casefold()))
        return f"{self.kind}:{crc32(words.encode('utf-8', 'replace')):08x}{len(words):x}"


def find_signals(turns: Sequence[Turn]) -> list[Signal]:
    """Return the signals in a transcript's turns, in order, each once."""
    found: dict[str, Signal] = {}
    fixes = find_fixes(turns)
    answered = {turn.call for turn in turns if turn.kind == RESULT}
    files: dict[str, None] = {}
    for at, turn in enumerate(turns):
        if turn.kind == CALL and turn.call in answered:
            files.update(dict.fromkeys(turn.files))
        for signal in _of_person(turn.text, tuple(files)) if turn.kind == PERSON else ():
            found.setdefault(signal.key, signal)
        if turn.kind == PERSON:
            files = {}
        if at in fixes:
            fix = fixes[at]
            signal = Signal(FIX, fix.error, 0.35, fix.failed, fix.worked)
            found.setdefault(signal.key, signal)
    return list(found.values())[-MOST_SIGNALS:]


def changes_files(turns: Sequence[Turn]) -> bool:
    """Say whether a file was changed, and not only tried to."""
    answered = {turn.call for turn in turns if turn.kind == RESULT}
    return any(turn.files and turn.call in answered for turn in turns if turn.kind == CALL)


def _of_person(text: str, files: tuple[str, ...]) -> Iterator[Signal]:
    """Yield what a person's turn says: at most one thing that it asks to remember, else one correction or decision."""
    text = unicodedata.normalize("NFC", text)
    text = "\n".join(line for line in text.splitlines() if not EXTERNAL.match(line.lower()))
    if len(text) > MOST:
        return
    sentences = [sentence for match in SENTENCE.finditer(text) if (sentence := match[0].strip())]
    remembered = _remembered(sentences)
    if remembered:
        yield Signal(REMEMBER, remembered, 0.5)
        return
    corrected = _corrected(sentences)
    if corrected:
        yield Signal(CORRECTION, corrected, 0.45 if REASONS.search(corrected.lower()) else 0.4, files=files)
        return
    decided = _decided(sentences)
    if decided:
        yield Signal(DECISION, decided, 0.4)


def _remembered(sentences: list[str]) -> str:
    for at, sentence in enumerate(sentences):
        low = sentence.lower()
        head = REMEMBERS.match(low)
        if head and not ASKS.search(low) and len(low) == len(sentence):
            rest = _joined([sentence[head.end() :].strip(), *sentences[at + 1 : at + MOST_SENTENCES - 1]])
            return rest if _says_enough(rest) and not HEDGES.search(low) else ""
        tail = REMEMBERS_AFTER.search(low)
        if tail and not ASKS.search(low) and len(low) == len(sentence):
            rest = _joined([*sentences[max(0, at - 1) : at], sentence[: tail.start()].strip()])
            return rest if _says_enough(rest) else ""
    return ""


def _corrected(sentences: list[str]) -> str:
    """Return a correction, without the bare no at its beginning."""
    for at, sentence in enumerate(sentences):
        low = sentence.lower()
        refusal = REFUSES.match(low)
        prohibits = PROHIBITS.search(low)
        if not (refusal or prohibits or RULES.search(low) or _prefers(low)) or (ASKS.search(low) and not refusal):
            continue
        kept = sentences[at : at + MOST_SENTENCES]
        whole = " ".join(kept).lower()
        if ONCE.search(whole) or HEDGES.search(whole) or ASKS.search(kept[-1].lower()):
            return ""
        holds, contrasts, reasons = HOLDS.search(whole), CONTRASTS.search(whole), REASONS.search(whole)
        says = CLAIMS.search(whole) and (contrasts or (refusal and reasons))
        if not (holds or says or (prohibits and (reasons or INSTEAD.search(whole)))):
            continue
        if refusal and sentence[refusal.end() :].lstrip()[:1] in STOPS and len(low) == len(sentence):
            kept[0] = sentence[refusal.end() :].lstrip(STOPS + " ")
        text = _joined(kept)
        text = text[: end.start()] if (end := POLITE.search(text.lower())) and len(text.lower()) == len(text) else text
        return text if _says_enough(text) else ""
    return ""


def _prefers(low: str) -> bool:
    """Say whether a sentence, without a no, puts one thing over another in a few words: ``use pnpm, not npm``."""
    return bool(CONTRASTS.search(low)) and (
        low.startswith(("use ", "prefer ", "you should use ", "hãy dùng ", "dùng "))
        or bool(HOLDS.search(low) or TOPIC.search(low))
    )


def _decided(sentences: list[str]) -> str:
    for at, sentence in enumerate(sentences):
        low = sentence.lower()
        if DECIDES.search(low) and not ASKS.search(low):
            text = _joined(sentences[at : at + 2])
            whole = text.lower()
            if REASONS.search(whole) and not (HEDGES.search(whole) or ONCE.search(whole)) and _says_enough(text):
                return text
    return ""


def _joined(sentences: list[str]) -> str:
    """Return sentences as one text, with a space where their script has one."""
    text = ""
    for sentence in filter(None, sentences):
        text += (" " if text and text[-1] not in "。！？" else "") + sentence
    return text


def _says_enough(text: str) -> bool:
    """Say whether a text is long enough to mean something by itself."""
    return sum(DENSE_WEIGHT if is_dense(ord(sign)) else 1 for sign in text if sign.isalnum()) >= LEAST
