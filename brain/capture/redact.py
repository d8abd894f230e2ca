"""Take out of a text what is secret or personal, before anything of it is written."""

from __future__ import annotations

from brain.lint.folded import Folded
from brain.lint.personal import find_personal
from brain.lint.secrets.scan import find_secrets

MASK = "***"


def redacted(text: str) -> str:
    """Return a text with ``***`` for every secret and everything personal, over line ends too."""
    folded = Folded(text)
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    spans = [(hit.start, hit.end) for hit in find_secrets(folded.text)]
    spans += [(hit.start, hit.end) for hit in find_personal(folded.text)]
    pieces, at = [], 0
    for start, end in sorted(spans):
        (first, column), (last, until) = folded.at(start), folded.at(max(start, end - 1))
        begins, ends = starts[first - 1] + column - 1, starts[last - 1] + until
        if ends > at:
            pieces += [text[at:begins], MASK] if begins >= at else []
            at = ends
    return "".join(pieces) + text[at:]
