"""Retrospects of which nothing became a memory: on people's side branches, and new on main (SPEC §8, §9)."""

from __future__ import annotations

import os
import re

from brain.git.objects import find_tree, list_refs, list_tree, read_blobs
from brain.git.run import git
from brain.layout import RETRO
from brain.submit.judge import is_private
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from brain.workspace import Brain

BRANCHES = "refs/heads/memory-retro/"
NOTED = "refs/brain/retros/"
"""Where the side branches lie here, as they are there."""
FETCHED = (f"+{BRANCHES}*:{NOTED}*",)
MAX_BYTES = 1 << 16
MOST_LINES = 3
TICKET = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")
ITEM = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+(?:\[[ x]\]\s+)?(?=\S)")


@value
class Retro:
    """A retrospect: its ticket, whose side branch has it ("" for the default branch), its text, its first points."""

    ticket: str
    user: str
    text: str
    points: tuple[str, ...]

    @property
    def path(self) -> str:
        """Where it lies below the root."""
        return f"{RETRO}/{self.ticket}.md"


def find_retros(brain: Brain, base: str, root: str, known: Iterable[str], since: str) -> list[Retro]:
    """Return the retrospects that no memory names as its source, by ticket; one a ticket.

    ``known`` are sources of memories. ``since`` is the ISO date from which those on the default branch are told of.
    What holds a secret or personal data is left where it is.
    """
    sources = "\n".join(known)
    repo = brain.repo.path
    own = _files(repo, base, root)
    found = {ticket: ("", oid) for ticket, oid in own.items() if ticket in _added(repo, base, root, since)}
    for user, commit in sorted(list_refs(repo, NOTED).items()):
        for ticket, oid in _files(repo, commit, root).items():
            if ticket not in own:
                found.setdefault(ticket, (user, oid))
    wanted = {ticket: row for ticket, row in sorted(found.items()) if not is_named(ticket, sources)}
    contents = read_blobs(repo, [oid for _, oid in wanted.values()], MAX_BYTES)
    retros = [
        Retro(ticket, user, text, tuple(points_of(text)))
        for (ticket, (user, _)), content in zip(wanted.items(), contents, strict=True)
        if (text := _decoded(content))
    ]
    return [retro for retro in retros if not is_private(brain, retro.text)]


def is_named(ticket: str, sources: str) -> bool:
    """Say whether a ticket stands in a text as a word of its own."""
    return re.search(rf"(?<![\w-]){re.escape(ticket)}(?![\w-])", sources) is not None


def points_of(text: str) -> Iterator[str]:
    """Yield the first points of a retrospect's list of proposed memories; without such a part, of its first list."""
    parts = re.split(r"^#+\s+(.*)$", text, flags=re.MULTILINE)
    titled = dict(zip(parts[1::2], parts[2::2], strict=True))
    proposed = [part for title, part in titled.items() if re.search(r"propos|đề xuất|提案", title, re.IGNORECASE)]
    points = [line for part in proposed or [text] for line in part.splitlines() if ITEM.match(line)]
    yield from (ITEM.sub("", line).strip() for line in points[:MOST_LINES])


def _files(repo: str, commit: str, root: str) -> Mapping[str, str]:
    """Return ticket → blob of a commit's retrospects."""
    tree = find_tree(repo, commit, f"{root}/{RETRO}") or ""
    entries = list_tree(repo, tree) if tree else []
    rows = {entry.path.removesuffix(".md"): entry.oid for entry in entries if entry.mode == "100644"}
    return {ticket: oid for ticket, oid in rows.items() if TICKET.fullmatch(ticket)}


def _added(repo: str, commit: str, root: str, since: str) -> set[str]:
    """Return the tickets whose retrospects came to a branch since a date."""
    out = git(
        repo, "--literal-pathspecs", "log", "-m", "--first-parent", "--format=", "--name-only", "-z", "--no-renames",
        "--diff-filter=A", f"--since={since}T00:00:00Z", commit, "--", f"{root}/{RETRO}",
    )  # fmt: skip
    names = (os.fsdecode(raw.strip(b"\n")).rpartition("/")[2] for raw in out.split(b"\0"))
    return {name.removesuffix(".md") for name in names if name}


def _decoded(content: bytes | None) -> str:
    try:
        return (content or b"").decode()
    except UnicodeDecodeError:
        return ""
