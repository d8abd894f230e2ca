"""``brain stale``: which memories rest on refs that have changed."""

from __future__ import annotations

import os
import sys

from brain.commands import Context, add_json, print_json, remark
from brain.errors import BrainError
from brain.find import get_memories
from brain.git.refs import find_repo
from brain.recall.doubts import doubts_of, warning_of
from brain.stale.answers import STALE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from brain.stale.memories import Doubt

HELP = "list memories whose refs changed since they were verified"


def add_arguments(parser: ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("ids", nargs="*", metavar="ID", help="only these memories")
    parser.add_argument(
        "--stdin", action="store_true", help="read JSON lines {rid, commit, refs, head}, answer likewise"
    )
    parser.add_argument("--repo", metavar="DIR", help="the code repo that --stdin asks about")
    add_json(parser)


def run(args: Namespace, context: Context) -> int:
    """Print the memories in doubt; exit 1 if any is stale."""
    if args.stdin:
        return _answer_stdin(args.repo or context.cwd)
    brain = context.open_brain()
    if args.ids:
        memories = [memory for name in args.ids for memory in get_memories(brain, name)]
    else:
        memories = [memory for part in brain.tree.parts for memory in part.memories()]
    doubts = doubts_of(brain, memories, timeout=None, suggest=True)
    stale = 0
    for memory in sorted(memories, key=lambda memory: memory.id):
        found = doubts.get(memory.path, ())
        stale += any(doubt.answer.state == STALE for doubt in found)
        if args.json:
            print_json({"id": memory.id, "refs": {doubt.ref: _as_json(doubt) for doubt in found}})
        elif found:
            print(memory.id + "".join(f"\n  {warning_of(doubt)}" for doubt in found))
    if not args.json:
        remark(f"{stale} of {len(memories)} stale")
    return 1 if stale else 0


def _as_json(doubt: Doubt) -> dict[str, str]:
    return {"state": doubt.answer.state, "reason": doubt.answer.reason, "new_path": doubt.answer.new_path}


def _answer_stdin(folder: str) -> int:
    from brain.stale.rows import answer_rows, parse_rows, render_rows

    if not os.path.isdir(folder) or find_repo(folder) is None:
        raise BrainError(f"--repo: no git repository at {folder}", "name a clone of the code repo")
    text = sys.stdin.buffer.read().decode("utf-8", "surrogateescape") if sys.stdin else ""
    lines = text.split("\n")  # JSON may hold the other line ends
    for line in render_rows(answer_rows(folder, list(parse_rows(lines)))):
        print(line)
    return 0
