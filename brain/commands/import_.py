"""``brain import``: bring in what other tools remember, as drafts with their source kept (SPEC §3)."""

from __future__ import annotations

import os

from brain.clock import today
from brain.commands import Context, add_json, draft_path, is_wanted, print_json, remark
from brain.layout import printable
from brain.sources.bring import LATER, bring
from brain.sources.filing import NEW, SAME, UPDATE
from brain.sources.imports import KINDS, gather
from brain.sources.sync import locked
from brain.submit.submitted import submitted_memories
from brain.telemetry import EVENTS, record
from brain.text import visible
from brain.workspace import open_brain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Sequence
    from typing import Any

    from brain.sources.bring import Brought
    from brain.sources.imports import Gathered
    from brain.workspace import Brain

HELP = "bring in what other tools remember, as drafts: Claude Code, Cline, Cursor, Basic Memory, decision records"
NOBODY = "nobody is there to say that the drafts are to be written"
MOST_SHOWN = 20
"""Reasons of one kind that are told one by one; of more, their number is said."""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("paths", nargs="+", metavar="PATH", help="a folder of another tool's memory, or one file of it")
    parser.add_argument(
        "--from", dest="kind", choices=tuple(KINDS), default="", help="whose it is (default: recognised)"
    )
    parser.add_argument("--dry-run", action="store_true", help="say what would become of it, and write nothing")
    parser.add_argument("--yes", action="store_true", help="write the drafts without asking")
    add_json(parser)


def run(args: Namespace, context: Context) -> int:
    """Say what would become of each piece, ask, and write; exit 1 where nothing is to be written, or not wanted."""
    brain = context.open_brain()
    found = [gather(brain, os.path.join(context.cwd, path), args.kind) for path in args.paths]
    with locked(brain.repo, "brain import"):
        planned = [(gathered, _bring(context, gathered, write=False)) for gathered in found]
        if args.dry_run or not any(map(_is_draft, _all(planned))):
            return _tell(brain, planned, written=False, as_json=args.json)
        if not args.yes:
            _tell(brain, planned, written=False, as_json=False)
            count = sum(map(_is_draft, _all(planned)))
            if not is_wanted(f"Write {count} drafts?", NOBODY, "add --yes, or --dry-run to look"):
                remark("nothing was written")
                return 1
        done = [(gathered, _bring(context, gathered, write=True)) for gathered in found]
    ids = [row.outcome.id for row in _all(done) if _is_draft(row)]
    record(brain.workspace.state_dir, EVENTS, "imported", kinds=[gathered.kind for gathered in found], ids=ids)
    if args.yes or args.json:
        return _tell(brain, done, written=True, as_json=args.json)
    print(f"{len(ids)} drafts are written; brain pending lists them, brain submit proposes them")
    return 0


def _bring(context: Context, gathered: Gathered, *, write: bool) -> list[Brought]:
    """Return what becomes of a folder's pieces, beside the drafts that are there by now."""
    brain = open_brain(context.cwd, context.env)
    return list(bring(brain, gathered, today(context.env), submitted_memories(brain.repo), write=write))


def _all(rows: Sequence[tuple[Gathered, list[Brought]]]) -> list[Brought]:
    return [row for _, brought in rows for row in brought]


def _is_draft(row: Brought) -> bool:
    return row.outcome.kind in (NEW, UPDATE)


def _tell(brain: Brain, rows: Sequence[tuple[Gathered, list[Brought]]], *, written: bool, as_json: bool) -> int:
    """Print what became of it, or would: drafts as data, what is left as remarks; exit 1 where there is no draft."""
    if as_json:
        print_json({"written": written, "folders": [_facts(brain, gathered, brought) for gathered, brought in rows]})
    else:
        for gathered, brought in rows:
            _print(brain, gathered, brought)
    return 0 if any(map(_is_draft, _all(rows))) else 1


def _print(brain: Brain, gathered: Gathered, brought: Sequence[Brought]) -> None:
    drafts = [row for row in brought if _is_draft(row)]
    for row in drafts:
        piece, outcome = row.piece, row.outcome
        print(f"{outcome.kind}\t{outcome.id}\t{piece.type}, {piece.area}\t{_place(piece.source, piece.anchor)}")
        print(f"\t{draft_path(brain, outcome.path)}")
    for warning in gathered.warnings:
        remark(f"warning: {visible(warning)}")
    same = sum(row.outcome.kind == SAME for row in brought)
    later = sum(row.outcome.kind == LATER for row in brought)
    left = [(row.piece.source, row.piece.anchor, row.outcome.why) for row in brought
            if row.outcome.kind not in (NEW, UPDATE, SAME, LATER)]  # fmt: skip
    left += [(part.source, part.anchor, part.reason) for part in gathered.left]
    for source, anchor, why in left[:MOST_SHOWN]:
        remark(f"left: {_place(source, anchor)}: {visible(why)}")
    parts = [f"{len(drafts)} draft{'s' if len(drafts) != 1 else ''}", f"{same} there already" if same else "",
             f"{len(left)} left" + (f" ({MOST_SHOWN} shown; --json tells all)" if len(left) > MOST_SHOWN else ""),
             f"{later} for the next run" if later else ""]  # fmt: skip
    remark(f"{KINDS[gathered.kind].title}: {', '.join(filter(None, parts))}")


def _place(source: str, anchor: str) -> str:
    return printable(f"{source}#{anchor}")


def _facts(brain: Brain, gathered: Gathered, brought: Sequence[Brought]) -> dict[str, Any]:
    return {
        "from": gathered.kind, "repo": gathered.repo, "commit": gathered.commit or None,
        "pieces": [
            {
                "action": row.outcome.kind, "id": row.outcome.id or None, "type": row.piece.type,
                "area": row.piece.area, "source": row.piece.source, "anchor": row.piece.anchor,
                "path": draft_path(brain, row.outcome.path) if row.outcome.path else None,
                "why": row.outcome.why or None,
            }
            for row in brought
        ],
        "left": [{"source": part.source, "anchor": part.anchor, "why": part.reason} for part in gathered.left],
        "warnings": list(gathered.warnings),
    }  # fmt: skip
