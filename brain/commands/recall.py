"""``brain recall``: what a ticket gets, why, and for machines."""

from __future__ import annotations

import json
import sys

from brain.answers import recall_facts
from brain.clock import check_date, today
from brain.commands import Context, add_json, count_of, print_json, remark, warn
from brain.errors import BrainError
from brain.recall.recall import Recall, index_text, memories_text, piece_name, recall, staleness
from brain.recall.render import UNBOUNDED
from brain.stale.answers import FRESH
from brain.ticket import FIELDS, Ticket, parse_ticket

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Sequence
    from typing import Any

    from brain.memory import Memory
    from brain.recall.query import Query
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
    parser.add_argument("--limit", type=count_of, metavar="N", help="memories, in place of 10; 0: every relevant one")
    parser.add_argument("--now", metavar="DATE", help="reckon ages from this day")
    parser.add_argument("--scorer", choices=("rule", "hybrid"), help="instead of the team's setting")
    parser.add_argument("--explain", action="store_true", help="show each term of each score, and what was left out")
    parser.add_argument("--index", action="store_true", help="print the index text too, as at session start")
    add_json(parser)


def run(args: Namespace, context: Context) -> int:
    """Print what is recalled; exit 1 if that is nothing."""
    brain = context.open_brain({"recall.scorer": args.scorer} if args.scorer else None)
    day = check_date(args.now, "--now") if args.now else today(context.env)
    if args.tickets:
        return _many(args, brain, day)
    found = recall(brain, _ticket(args, context, brain), day, args.limit, rank_all=args.explain)
    if found.remark:
        remark(found.remark)
    if args.json:
        print_json({**as_json(found, brain), "keywords": sorted(found.query.keywords)})
    elif args.explain:
        print(explain(found, memories_text(found, brain.config, room=UNBOUNDED).left), end="")
    else:
        if args.index:
            print(index_text(brain, found.query.ticket, room=UNBOUNDED).text)
        print(memories_text(found, brain.config, room=UNBOUNDED).text, end="")
    if not found.chosen and not args.json:
        remark("nothing relevant")
    return 0 if found.chosen else 1


def _ticket(args: Namespace, context: Context, brain: Brain) -> Ticket:
    flags: dict[str, Any] = {name: getattr(args, name) for name in FIELDS if getattr(args, name, None)}
    if args.words:
        flags["title"] = " ".join(args.words)
    if not args.ticket:
        return context.read_ticket(brain, flags)
    ticket, warnings = parse_ticket({**_json_object(_read(args.ticket), args.ticket, ONE_TICKET), **flags})
    warn(warnings)
    return ticket


def _many(args: Namespace, brain: Brain, day: str) -> int:
    for number, line in enumerate(_read(args.tickets).split("\n"), 1):  # JSON may hold the other line ends
        if not line.strip():
            continue
        where = f"{args.tickets}:{number}"
        row = _json_object(line, where, MANY_TICKETS)
        ticket, warnings = parse_ticket(_json_object(row.get("ticket"), f"{where}: ticket", MANY_TICKETS))
        warn(warnings, f"{where}: ")
        found = recall(brain, ticket, day, args.limit)
        if found.remark:
            remark(f"{where}: {found.remark}")
        print_json({"qid": row.get("qid"), **as_json(found, brain)})
    return 0


def _read(name: str) -> str:
    try:
        if name == "-":
            return sys.stdin.buffer.read().decode("utf-8-sig") if sys.stdin else ""
        with open(name, encoding="utf-8-sig") as file:
            return file.read()
    except OSError as error:
        raise BrainError(f"{name}: {error.strerror}", "name a file that can be read") from None
    except UnicodeDecodeError:
        raise BrainError(f"{name}: not UTF-8", "save it as UTF-8") from None


ONE_TICKET = 'write one JSON object: {"title": …, "functionId": …}'
MANY_TICKETS = 'write on each line {"qid": …, "ticket": {"title": …}}'


def _json_object(text: object, where: str, mend: str) -> dict[str, Any]:
    try:
        found = json.loads(text) if isinstance(text, str) else text
    except (ValueError, RecursionError) as error:
        raise BrainError(f"{where}: no JSON: {error}", mend) from None
    if not isinstance(found, dict):
        raise BrainError(f"{where}: no JSON object", mend)
    return found


def as_json(found: Recall, brain: Brain) -> dict[str, Any]:
    """Return the stable machine form of a recall."""
    text = memories_text(found, brain.config, room=UNBOUNDED).text
    return recall_facts(found, text)


def explain(found: Recall, no_room: Sequence[str]) -> str:
    """Return the table of scores: a row a memory, a column a term, and why the rest was left out.

    ``no_room`` are the pieces of the text that the budget left out.
    """
    rows = [*found.chosen, *found.left[:LEFT_SHOWN]]
    names = [name for name in (rows[0].terms if rows else ()) if any(row.terms[name] for row in rows)]
    width = max((len(row.memory.id) for row in rows), default=2)
    head = f"{'id':{width}}  {'score':>7}  " + "  ".join(f"{name:>10}" for name in names)
    lines = [_keywords_line(found.query), *([head] if rows else [])]
    for number, row in enumerate(rows):
        if number == len(found.chosen):
            lines.append(f"-- left out: beyond the {number} that this ticket gets --")
        terms = "  ".join(f"{row.terms[name]:>+10.2f}" if row.terms[name] else f"{'.':>10}" for name in names)
        marks = " ".join(_marks(row.memory, found, no_room))
        lines.append(f"{row.memory.id:{width}}  {row.score:>7.2f}  {terms}  {marks}".rstrip())
    if len(found.left) > LEFT_SHOWN:
        lines.append(f"-- left out: {len(found.left) - LEFT_SHOWN} more below these --")
    lines += [f"-- left out: {old}, replaced by {new} --" for old, new in found.replaced.items()]
    return "\n".join(lines) + "\n"


def _keywords_line(query: Query) -> str:
    marked = (f"{keyword}*" if keyword in query.spotted else keyword for keyword in sorted(query.keywords))
    remark = "  (* read from the title or description)" if query.spotted else ""
    return f"keywords: {', '.join(marked) or 'none'}{remark}"


def _marks(memory: Memory, found: Recall, no_room: Sequence[str]) -> list[str]:
    states = {"draft": memory.status == "pending", "no-room": piece_name(memory) in no_room}
    state = staleness(memory, found.doubts)
    return [state] * (state != FRESH) + [name for name, is_so in states.items() if is_so]
