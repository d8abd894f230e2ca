"""``brain report``: the pilot's figures, as a table, as JSON, or as a page with charts."""

from __future__ import annotations

import os

from brain.commands import Context, add_json, print_json, remark
from brain.files import write_file
from brain.submit.gather import open_doors, renew
from brain.tend import publish
from brain.tend.chart import render_page
from brain.tend.metrics import make_report
from brain.tend.report_facts import gather
from brain.tend.report_texts import FIGURES, WORDS, said
from brain.tend.say import figures_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from brain.tend.metrics import Report

HELP = "print the pilot's figures with their definitions"


def add_arguments(parser: ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("--html", metavar="FILE", help="write a page with charts; it loads nothing from anywhere")
    add_json(parser)


def run(args: Namespace, context: Context) -> int:
    """Print the figures, by what the remote has now."""
    brain = context.open_brain()
    doors = open_doors(brain, context.env)
    brain = renew(brain, doors.link, context.open_brain)
    publish.fetch(doors.link)
    report = make_report(gather(brain, doors.gitlab, context.env))
    language = brain.config["review.language"]
    if args.html:
        write_file(os.path.join(context.cwd, args.html), render_page(report, language))
        remark(f"written: {args.html}")
    if args.json:
        print_json(figures_of(report))
    elif not args.html:
        _print_table(report, language)
    return 0


def _print_table(report: Report, language: str) -> None:
    words = WORDS[language]
    print(words["asOf"].format(today=report.today))
    for name, number in report.figures.items():
        title, definition = FIGURES[language][name]
        print(f"{said(name, number, language):>12}  {title}: {definition}")
    for name, count in report.reasons.items():
        print(f"{count:>12}  {words['reasons']}: {name} {words[name]}")
    for row in report.sprints:
        print(f"{row.start:>12}  {words['approved']} {row.approved}, {words['rejected']} {row.rejected}")
