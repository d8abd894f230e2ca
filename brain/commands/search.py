"""``brain search``: find memories by words."""

from __future__ import annotations

from brain.commands import Context, add_json, count_of, print_json, remark
from brain.memory_index import index_line
from brain.search import search_all

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

HELP = "find memories by words, beginnings or whole sentences, in any language"


def add_arguments(parser: ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("words", nargs="+")
    parser.add_argument(
        "--limit", type=lambda text: count_of(text, 1), default=10, metavar="N", help="memories at most (10)"
    )
    add_json(parser)


def run(args: Namespace, context: Context) -> int:
    """Print what is found, best first; exit 1 if that is nothing."""
    searched = search_all(context.open_brain(), " ".join(args.words), args.limit)
    found = searched.found
    if searched.remark:
        remark(searched.remark)
    if args.json:
        rows = [{"id": row.memory.id, "score": row.score, "status": row.memory.status} for row in found]
        print_json({"memories": rows})
    else:
        for row in found:
            print(index_line(row.memory) + ("  ⚠ draft" if row.memory.status == "pending" else ""))
    if not found:
        remark("nothing found")
    return 0 if found else 1
