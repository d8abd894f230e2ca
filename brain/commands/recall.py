"""``brain recall``: what a ticket gets, why, and for machines."""

from __future__ import annotations

import json
import sys

from brain.clock import check_date, today
from brain.commands import Context, add_json, print_json, remark
from brain.errors import BrainError
from brain.recall.recall import Recall, index_text, memories_text, recall
from brain.stale.answers import STALE
from brain.ticket import FIELDS, Ticket, parse_ticket, read_ticket
from brain.tokens import estimate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from typing import Any

    from brain.recall.rank import Ranked
    from brain.workspace import Brain

LEFT_SHOWN = 20
"""How many of the next best an explanation lists."""
HELP = "show the memories a ticket recalls"


def add_arguments(parser: ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("words", nargs="*", help="what the work is about (the ticket's title)")
    parser.add_argument("--ticket", metavar="FILE", help="one ticket as JSON, - for standard input")
    parser.add_argument("--tickets", metavar="FILE", help="JSON lines {qid, ticket}; answers one line each")
    parser.add_argument("--task", dest="taskId", metavar="ID", help="the ticket's id")
    parser.add_argument("--function", dest="functionIds", metavar="ID", action="append", help="a function it touches")
    parser.add_argument("--description", metavar="TEXT")
    parser.add_argument("--keyword", dest="keywords", metavar="WORD", action="append")
    parser.add_argument("--workflow", metavar="NAME", help="coding, review, create-spec, …")
    parser.add_argument("--kind", metavar="KIND", help="bugfix, hotfix or large")
    parser.add_argument("--file", dest="files", metavar="PATH", action="append", help="a file it touches")
    parser.add_argument("--limit", type=int, metavar="N", help="memories at most; 0: every relevant one")
    parser.add_argument("--now", metavar="DATE", help="reckon ages from this day")
    parser.add_argument("--scorer", choices=("rule", "hybrid"), help="instead of the team's setting")
    parser.add_argument("--explain", action="store_true", help="show each term of each score, and what was left out")
    parser.add_argument("--index", action="store_true", help="print the index text too, as at session start")
    add_json(parser)


def run(args: Namespace, context: Context) -> int:
    """Print what is recalled; exit 1 if that is nothing."""
    brain = context.open_brain({"recall.scorer": args.scorer} if args.scorer else None)
    day = check_date(args.now, "--now") if args.now else today(context.env)
    if args.limit is not None and args.limit < 0:
        raise BrainError("--limit is below 0", "0 means every relevant memory")
    if args.tickets:
        return _many(args, brain, day)
    found = recall(brain, _ticket(args, context, brain), day, args.limit, next_best=LEFT_SHOWN if args.explain else 0)
    if args.json:
        print_json({**as_json(found, brain), "keywords": sorted(found.query.keywords)})
    elif args.explain:
        print(explain(found), end="")
    else:
        if args.index:
            print(index_text(brain, found.query.ticket, host_limit=False).text)
        print(memories_text(found, brain.config, host_limit=False).text, end="")
    if not found.chosen and not args.json:
        remark("nothing relevant")
    return 0 if found.chosen else 1


def _ticket(args: Namespace, context: Context, brain: Brain) -> Ticket:
    flags: dict[str, Any] = {name: getattr(args, name) for name in FIELDS if getattr(args, name, None)}
    if args.words:
        flags["title"] = " ".join(args.words)
    if args.ticket:
        ticket, warnings = parse_ticket({**_json_object(_read(args.ticket), args.ticket), **flags})
    else:
        ticket, warnings = read_ticket(flags, context.env, brain.workspace.ticket_dirs)
    for warning in warnings:
        remark(f"warning: {warning}")
    return ticket


def _many(args: Namespace, brain: Brain, day: str) -> int:
    for number, line in enumerate(_read(args.tickets).splitlines(), 1):
        if not line.strip():
            continue
        where = f"{args.tickets}:{number}"
        row = _json_object(line, where)
        ticket, warnings = parse_ticket(_json_object(row.get("ticket"), where))
        for warning in warnings:
            remark(f"warning: {where}: {warning}")
        print_json({"qid": row.get("qid"), **as_json(recall(brain, ticket, day, args.limit), brain)})
    return 0


def _read(name: str) -> str:
    try:
        if name == "-":
            return sys.stdin.buffer.read().decode("utf-8-sig")
        with open(name, encoding="utf-8-sig") as file:
            return file.read()
    except OSError as error:
        raise BrainError(f"{name}: {error.strerror}", "name a file that can be read") from None
    except UnicodeDecodeError:
        raise BrainError(f"{name}: not UTF-8", "save it as UTF-8") from None


def _json_object(text: object, where: str) -> dict[str, Any]:
    try:
        found = json.loads(text) if isinstance(text, str) else text
    except (ValueError, RecursionError) as error:
        raise BrainError(f"{where}: no JSON: {error}", "write one JSON object") from None
    if not isinstance(found, dict):
        raise BrainError(f"{where}: no JSON object with a ticket", 'write {"qid": …, "ticket": {"title": …}}')
    return found


def as_json(found: Recall, brain: Brain) -> dict[str, Any]:
    """Return the stable machine form of a recall."""
    text = memories_text(found, brain.config, host_limit=False).text
    return {"memories": [_row(item, found) for item in found.chosen], "tokens": estimate(text)}


def _row(item: Ranked, found: Recall) -> dict[str, Any]:
    states = [doubt.answer.state for doubt in found.doubts.get(item.memory.path, ())]
    stale: bool | str = STALE in states or ("unknown" if states else False)
    terms = {name: round(amount, 6) + 0.0 for name, amount in item.terms.items()}
    return {"id": item.memory.id, "score": item.score, "terms": terms, "stale": stale}


def explain(found: Recall) -> str:
    """Return the table of scores: a row a memory, a column a term, and why the rest was left out."""
    rows = [*found.chosen, *found.left]
    names = [name for name in (rows[0].terms if rows else ()) if any(row.terms[name] for row in rows)]
    width = max((len(row.memory.id) for row in rows), default=2)
    keywords = ", ".join(
        f"{keyword}*" if keyword in found.query.spotted else keyword for keyword in sorted(found.query.keywords)
    )
    lines = [
        f"keywords: {keywords or 'none'}" + ("  (* read from the title or description)" if found.query.spotted else ""),
        f"{'id':{width}}  {'score':>7}  " + "  ".join(f"{name:>10}" for name in names),
    ]
    for row in rows:
        if found.left and row is found.left[0]:
            lines.append(f"-- left out: beyond the {len(found.chosen)} that this ticket gets --")
        terms = "  ".join(f"{row.terms[name]:>+10.2f}" if row.terms[name] else f"{'.':>10}" for name in names)
        doubts = found.doubts.get(row.memory.path, ())
        marks = [doubt.answer.state for doubt in doubts] + (["draft"] if row.memory.status == "pending" else [])
        lines.append(f"{row.memory.id:{width}}  {row.score:>7.2f}  {terms}  {' '.join(dict.fromkeys(marks))}".rstrip())
    return "\n".join(lines) + "\n"
