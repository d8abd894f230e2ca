"""What a change may not do to what is official: finalize alone makes memories approved, and takes them out (SPEC §6.4).

Counts, doubts and a proposed removal may come to an approved memory, which stays what it was. A commit that claims to
be finalize's is believed as far as it changed status and reviewer, or carried out a removal: git does not say who
approved, and finalize looks behind each such claim before it counts.
"""

from __future__ import annotations

import os

from brain.git.objects import read_blobs
from brain.git.run import git
from brain.layout import DEPRECATED, INDEX_FILE, SETTINGS_FILE, find_place
from brain.lint.fields import is_empty
from brain.lint.finding import ERROR, WARNING, Rule, Sheet
from brain.lint.header import cut, read_header
from brain.lint.pattern import Pattern
from brain.lint.place import split_layer
from brain.lint.sources import is_empty_tree
from brain.memory import MAX_FILE_BYTES
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from brain.frontmatter import Node
    from brain.lint.finding import Finding
    from brain.lint.sources import Change

SELF_APPROVED = Rule(
    "M324", "self-approved", ERROR, "a change that makes its own text approved",
    "What is approved is recalled for everybody; only a PM's approval makes it so, and finalize writes that down.",
    'write status: pending and reviewed_by: ""',
)  # fmt: skip
HITS_GIVEN = Rule(
    "M325", "hits-given", ERROR, "uses that nobody counted, or a confidence that was raised",
    "Both lift a memory over others; consolidate counts, on its own branch.",
    "write what it was before, hits: 0 in a new one",
)  # fmt: skip
TAKEN_OUT = Rule(
    "M326", "taken-out", ERROR, "a change that takes out what finalize alone takes out",
    "What goes without its reason is missed by nobody, and comes again.",
    "put it back; brain remove proposes the removal of a memory",
)  # fmt: skip
NEVER_LIVE = Rule(
    "M328", "never-live", ERROR, f"a new memory in {DEPRECATED}/ that was not in force before",
    "What lies there was approved once, and brain restore brings it back.", "take it out",
)  # fmt: skip

STAY_APPROVED = frozenset(
    ("hits", "stale", "confidence", "verified_commit", "review_by", "removal", "removal_reason")
)  # fmt: skip
"""What may change in an approved memory that stays approved."""
SHARE = Pattern(r"[01](?:\.[0-9]{1,6})?")
COUNTING = "memory/consolidate"
"""The branch on which uses are counted (``brain.tend.gather.BRANCH``)."""
CLAIM = "Brain-Finalize"
"""The trailer of finalize's commits (``brain.finalize.history.TRAILER``)."""
CLAIMED = frozenset(("status", "reviewed_by"))
"""What such a commit may change in a memory."""
REMOVAL = frozenset(("removal", "removal_reason"))
"""What it may take away from one besides."""
MOVED = STAY_APPROVED | CLAIMED
"""What differs between a memory and what a removal keeps of it."""
MOST_CLAIMS = 20


@value
class Said:
    """What a memory's file says: its fields, and its body."""

    fields: Mapping[str, Node]
    body: str

    def text(self, key: str) -> str:
        """Return a field's text, "" for none."""
        node = self.fields.get(key, "")
        return str(node) if isinstance(node, str) and not is_empty(node) else ""

    def is_like(self, other: Said | None, besides: Collection[str]) -> bool:
        """Say whether another file says the same, but for some keys."""
        if other is None or self.body != other.body:
            return False
        keys = {*self.fields, *other.fields}.difference(besides)
        return all(self.fields.get(key) == other.fields.get(key) for key in keys)


def read_said(content: bytes | None) -> Said | None:
    """Return what a file says, None where nobody could tell."""
    sheet = Sheet("")
    text = (content or b"").decode("utf-8", "replace").replace("\r\n", "\n").removeprefix("\ufeff")
    blocks = cut(text, sheet)
    if blocks is None:
        return None
    fields = {key: field.node for key, field in read_header(blocks.head, sheet).fields.items()}
    return Said(fields, blocks.body.strip("\n")) if fields else None


def check_official(
    repo: str,
    start: str,
    commit: str,
    change: Change,
    contents: Mapping[str, bytes | None],
    root: str,
    branch: str = "",
) -> list[Finding]:
    """Return what a change does to what is official; ``branch`` is the one to be merged, "" where nobody tells.

    ``contents`` is repo path → content of the memories it adds or changes; git is asked only where one of them is
    more than proposed.
    """
    prefix = root + "/"
    said = {path: one for path in contents if (one := read_said(contents[path])) and _layer(path, prefix) == ""}
    live = {path: one for path, one in said.items() if not _is_proposed(one)}
    gone = [path for path in change.removed if path.startswith(prefix)]
    sheets: dict[str, Sheet] = {}
    if live or gone:
        before = _Before(repo, start, prefix, (*live, *gone))
        claims = _read_claims(repo, start, commit, {*live, *gone}, contents)
        for path, one in live.items():
            for rule in _judge(claims.get(path, one), before, path):
                _sheet(sheets, path).add(rule)
            for message, severity in _raised(one, before.memory(path)) if branch != COUNTING else ():
                _sheet(sheets, path).add(HITS_GIVEN, message=message, severity=severity if branch else WARNING)
        for path in gone:
            at, message, severity = _taken_out(path, prefix, change, contents, before)
            if severity and not (severity == WARNING and path in claims):
                _sheet(sheets, at).add(TAKEN_OUT, message=message, severity=severity)
    for path in change.added:
        is_removed = _layer(path, prefix) == DEPRECATED
        if is_removed and prefix + path.removeprefix(f"{prefix}{DEPRECATED}/") not in change.removed:
            _sheet(sheets, path).add(NEVER_LIVE)
    return [finding for sheet in sheets.values() for finding in sheet.findings()]


def _taken_out(
    path: str, prefix: str, change: Change, contents: Mapping[str, bytes | None], before: _Before
) -> tuple[str, str, str]:
    """Return what is wrong with a file being gone: where to say so, what, and how severe it is ("" for not at all)."""
    moved = _deprecated(path, prefix)
    if path in (prefix + INDEX_FILE, prefix + SETTINGS_FILE):
        return path, "", ERROR
    if moved in change.added and before.differs(path, contents.get(moved)):
        return moved, f"moved to {DEPRECATED}/ with another text", ERROR
    if moved in change.added and (kept := read_said(contents.get(moved))) and kept.text("status") == "approved":
        return moved, f"moved to {DEPRECATED}/, and says that it is in force", ERROR
    if before.is_approved(path) and moved not in change.added:
        return path, "an approved memory is taken out at once", WARNING
    return path, "", ""


def _sheet(sheets: dict[str, Sheet], path: str) -> Sheet:
    return sheets.setdefault(path, Sheet(path))


def _layer(path: str, prefix: str) -> str | None:
    """Return the layer a memory lies in, None for what is no memory."""
    layer, bare = split_layer(path[len(prefix) :]) if path.startswith(prefix) else ("", "")
    return layer if find_place(bare) else None


def _deprecated(path: str, prefix: str) -> str:
    return f"{prefix}{DEPRECATED}/{path[len(prefix) :]}"


def _is_proposed(said: Said) -> bool:
    return said.text("status") == "pending" and not said.text("reviewed_by") and said.text("hits") in ("", "0")


def _judge(said: Said, before: _Before, path: str) -> Iterator[Rule]:
    old = before.memory(path)
    status, reviewer = said.text("status"), said.text("reviewed_by")
    if (status != "pending" or reviewer) and not said.is_like(old, STAY_APPROVED):
        yield SELF_APPROVED
    elif status == "pending" and _count(said) > _count(old or before.removed(path)):
        yield HITS_GIVEN


def _raised(said: Said, old: Said | None) -> Iterator[tuple[str, str]]:
    """Yield what speaks for an approved memory and was raised in it, and how severe that is."""
    if said.text("status") == "approved" and old is not None:
        if _count(said) > _count(old):
            yield f"hits: {_count(old)} → {_count(said)}", ERROR
        before, after = old.text("confidence"), said.text("confidence")
        if SHARE.fullmatch(before) and SHARE.fullmatch(after) and float(after) > float(before):
            yield f"confidence: {before} → {after}", WARNING


def _count(said: Said | None) -> int:
    hits = said.text("hits") if said else ""
    return int(hits) if hits.isascii() and hits.isdigit() and len(hits) < 10 else 0


class _Before:
    """What memories said before a change, read at once."""

    def __init__(self, repo: str, start: str, prefix: str, paths: Iterable[str]) -> None:
        self.prefix = prefix
        asked = [path for path in paths if path.isprintable()]
        asked += [_deprecated(path, prefix) for path in asked]
        blobs = read_blobs(repo, (f"{start}:{path}" for path in asked), MAX_FILE_BYTES)
        self._said = {path: read_said(content) for path, content in zip(asked, blobs, strict=True) if content}

    def memory(self, path: str) -> Said | None:
        """Return what a path said, None where it was not there or cannot be read."""
        return self._said.get(path)

    def removed(self, path: str) -> Said | None:
        """Return what the softly removed memory of a path says."""
        return self._said.get(_deprecated(path, self.prefix))

    def differs(self, path: str, content: bytes | None) -> bool:
        """Say whether what is kept of a memory that was in force says something else than it did."""
        old, new = self._said.get(path), read_said(content)
        return old is not None and (new is None or not new.is_like(old, MOVED))

    def is_approved(self, path: str) -> bool:
        """Say whether a path was an approved memory's."""
        said = self._said.get(path)
        return said is not None and _layer(path, self.prefix) == "" and said.text("status") == "approved"


def _read_claims(
    repo: str, start: str, commit: str, paths: Collection[str], contents: Mapping[str, bytes | None]
) -> dict[str, Said]:
    """Return path → what it said before a commit that claims to be finalize's made of it what it is."""
    rows = [row for row in _claimed(repo, start, commit) if row[0] in paths]
    blobs = iter(read_blobs(repo, (oid for row in rows for oid in row[1:]), MAX_FILE_BYTES))
    found: dict[str, Said] = {}
    for path, _, _ in rows:
        old, content = read_said(next(blobs)), next(blobs)
        new = read_said(content)
        removes = new is None and path not in contents and old is not None and old.text("removal") != ""
        besides = CLAIMED if new is None or new.text("removal") else CLAIMED | REMOVAL
        approves = new is not None and content == contents.get(path) and new.is_like(old, besides)
        if old and (removes or approves):
            found.setdefault(path, old)
    return found


def _claimed(repo: str, start: str, commit: str) -> Iterator[tuple[str, str, str]]:
    """Yield path and blobs before and after, of what such commits changed since ``start``, the latest first."""
    span = commit if is_empty_tree(start) else f"{start}..{commit}"
    out = git(
        repo, "log", "-z", "--raw", "--no-renames", "--no-abbrev", "--format=", f"--max-count={MOST_CLAIMS}",
        f"--grep=^{CLAIM}: ", "--end-of-options", span, "--",
    )  # fmt: skip
    parts = iter(out.split(b"\0"))
    for part in parts:
        if part.lstrip(b"\n").startswith(b":"):
            old, new = part.decode().split(" ")[2:4]
            yield os.fsdecode(next(parts)), old, new
