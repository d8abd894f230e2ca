"""``brain doctor``: look at everything the memory needs, and say how to mend what is wrong."""

from __future__ import annotations

from brain import clock
from brain.checkup import WRONG, check_all, make_subject
from brain.commands import Context, add_json, print_json
from brain.protect.doctor import check_gitlab
from brain.semantic.doctor import check_semantic
from brain.text import visible
from brain.workspace import has_meaning

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

HELP = "check the set-up and say how to mend what is wrong"


def add_arguments(parser: ArgumentParser) -> None:
    """Add the command's options."""
    help_text = "also try what only trying tells of the GitLab server: it pushes a ref, and takes it away again"
    parser.add_argument("--probe", action="store_true", help=help_text)
    add_json(parser)


def run(args: Namespace, context: Context) -> int:
    """Print each check; exit 1 if something is wrong."""
    subject = make_subject(context.cwd, context.env, clock.now())
    more = [check_semantic] if subject.brain and has_meaning(subject.brain) else []
    checks = [*check_all(subject, more), *check_gitlab(subject, probes=args.probe)]
    if args.json:
        print_json([{"name": c.name, "state": c.state, "detail": c.detail, "mend": c.mend} for c in checks])
    else:
        for check in checks:
            print(f"{check.state:<10}  {check.name}: {visible(check.detail)}")
            if check.mend and check.state != "ok":
                print(f"{'':<10}  mend: {visible(check.mend)}")
    return 1 if any(check.state == WRONG for check in checks) else 0
