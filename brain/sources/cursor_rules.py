"""Cursor's rules: ``.cursor/rules/**/*.mdc`` with ``description``, ``globs`` and ``alwaysApply``, and ``.cursorrules``.

A rule tells an assistant how to work: an instinct. Its globs say what it rests on, so they become refs.
"""

from __future__ import annotations

import re

from brain.sources.notes import cut, heading_of, read_note, statement, tags_in, titled, with_apply
from brain.sources.piece import MADE, Left, Piece, Reading
from brain.sources.text import language_in

RULES = re.compile(r"\.mdc$|(^|/)\.cursorrules$", re.IGNORECASE)
MOST_SAID, MOST_GLOBS = 2, 6
"""Globs that are named in a memory, and those that become its refs: a rule with more is about everything."""
ROLE = re.compile(r"\b(you are|act as|your role is) (an?|the|my)\b|あなたは.{1,40}です|bạn là (một )?", re.IGNORECASE)
FOLLOW = {
    "en": ("follow this when changing {globs}.", "follow this in every change."),
    "vi": ("làm theo khi sửa {globs}.", "làm theo trong mọi thay đổi."),
    "ja": ("{globs} を変更するときはこれに従う。", "変更のたびにこれに従う。"),
}
"""What to do: with files that the rule names, and without."""


def is_rule(name: str) -> bool:
    """Say whether a file has the name of a rule."""
    return bool(RULES.search(name))


def read(path: str, text: str) -> Reading:
    """Return the pieces of a rule, one a heading where it is long."""
    note = read_note(text)
    globs = globs_of(note.field("globs"))
    stem = path.rpartition("/")[2].removesuffix(".mdc").lstrip(".")
    whole = heading_of(note) or stem.replace("-", " ").replace("_", " ")
    always_applies = note.field("alwaysapply").lower() == "true"
    reason = "a rule for every change" if always_applies else "a rule for its globs" if globs else "a rule"
    shown = [] if always_applies else [f"`{glob}`" for glob in globs[:MOST_SAID]]
    shown += ["…"] if shown and len(globs) > MOST_SAID else []
    pieces, left = [], []
    for part in cut(note.body):
        if not part.why_left and ROLE.match(part.text) and not part.title:
            left.append(Left(path, part.anchor, "tells the assistant who it is: no knowledge"))
        elif part.why_left:
            left.append(Left(path, part.anchor, part.why_left))
        else:
            there, every = FOLLOW[language_in(part.text)]
            said = statement(", ".join(filter(None, (whole, part.title))), part.text)
            apply = there.format(globs=", ".join(shown)) if shown else every
            pieces.append(
                Piece(
                    "instinct", titled(stem, part.title), with_apply(said, apply), tags=tags_in((note.field("tags"),)),
                    source=path, anchor=part.anchor, refs=globs if len(globs) <= MOST_GLOBS else (), reason=reason,
                    confidence=MADE,
                )
            )  # fmt: skip
    return Reading(tuple(pieces), tuple(left))


def globs_of(text: str) -> tuple[str, ...]:
    """Return the globs of a rule's one line, as git spells them; those of everything say nothing.

    >>> globs_of("**/*.ts, src/{api,db}/**/*, ./docs/*.md, **/*")
    ('**/*.ts', 'src/api/', 'src/db/', 'docs/*.md')
    """
    found: dict[str, None] = {}
    for glob in re.findall(r"(?:[^,{}\s]|\{[^{}]*\})+", text):
        for one in _unfolded(glob.strip("\"'[]")):
            clean = re.sub(r"^\.?/", "", one)
            clean = re.sub(r"^([^*?\[]+/)\*\*(?:/\*)?$", r"\1", clean)
            if clean.strip("*/."):
                found[clean] = None
    return tuple(found)


def _unfolded(glob: str) -> list[str]:
    """Return a glob without braces, which git does not know: one for each way to read it."""
    brace = re.search(r"\{([^{}]*)\}", glob)
    if not brace:
        return [glob]
    ways = (glob[: brace.start()] + way.strip() + glob[brace.end() :] for way in brace[1].split(","))
    return [one for way in ways for one in _unfolded(way)]
