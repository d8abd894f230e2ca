"""``brain telemetry``: count what was used here, and publish the counts."""

from __future__ import annotations

from brain.commands import Context, add_json, print_json, remark
from brain.submit.gather import open_doors
from brain.submit.journal import locked
from brain.tend.counts import plain
from brain.tend.here import count_here
from brain.tend.publish import publish

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

HELP = "count what memories were used for here, and publish the counts"


def add_arguments(parser: ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("--publish", action="store_true", help="bring the counts to the memory repo's remote")
    add_json(parser)


def run(args: Namespace, context: Context) -> int:
    """Count, publish if asked, and print the counts."""
    brain = context.open_brain()
    with locked(brain.repo, "brain telemetry", say=remark):
        ledger = count_here(brain)
        done = None
        if args.publish:
            done = publish(open_doors(brain, context.env).link, ledger.machine, ledger.counts)
    if args.json:
        ref = done.ref if done else None
        print_json({"machine": ledger.machine, "ref": ref, **plain(ledger.counts)})
        return 0
    for name, use in sorted(ledger.counts.uses.items(), key=lambda row: (-row[1].hits, row[0])):
        print(f"{use.hits:6} {name} (cited {use.cited}, last {use.last})")
    if not ledger.counts.uses:
        print("nothing was used yet: no memory was cited, or read on demand")
    if done:
        print(f"published: {done.ref}" if done.moved else f"published already: {done.ref}")
    return 0
