"""Where a memory came from, as its ``source`` says it: ``shop:docs/adr/7.md#decision @ 1a2b3c4d5e6f``."""

from __future__ import annotations

import re
from hashlib import sha256

from brain.lint.fields import MAX_TEXT
from brain.value import replace, value

SHORT = 12
"""Digits of the commit."""
FORM = re.compile(r"(?P<repo>[\w.-]+):(?P<path>.+)#(?P<anchor>[^#@\s]*)(?: @ (?P<commit>[0-9a-f]{7,64}))?", re.DOTALL)


@value
class Origin:
    """A place in a document: the repo's name, the path from its top, the anchor in it, and the commit it was read at.

    ``commit`` is "" where the document lies in no repository.
    """

    repo: str
    path: str
    anchor: str
    commit: str = ""

    @property
    def text(self) -> str:
        """The ``source`` of a memory; a long anchor is cut, and told from others by a mark."""
        fixed = f"{self.repo}:{self.path}#"
        tail = f" @ {self.commit[:SHORT]}" if self.commit else ""
        return f"{fixed}{short_anchor(self.anchor, MAX_TEXT - len(fixed) - len(tail))}{tail}"

    @property
    def document(self) -> tuple[str, str]:
        """The repo's name and the path."""
        return self.repo, self.path

    def at(self, path: str) -> Origin:
        """Return the same place after its document was renamed."""
        return replace(self, path=path)


def short_anchor(anchor: str, most: int = 64) -> str:
    """Return an anchor as a source holds it: whole, or its beginning with a mark of the whole."""
    most = max(12, min(most, 64))
    if len(anchor) <= most:
        return anchor
    return f"{anchor[: most - 9]}~{sha256(anchor.encode()).hexdigest()[:8]}"


def parse_origin(source: str) -> Origin | None:
    """Return the origin that a memory's source names, None where it names a ticket or something else.

    >>> parse_origin("shop:docs/a#b.md#order @ 1a2b3c4").path
    'docs/a#b.md'
    """
    found = FORM.fullmatch(source)
    return Origin(found["repo"], found["path"], found["anchor"], found["commit"] or "") if found else None
