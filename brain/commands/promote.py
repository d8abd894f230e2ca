"""``brain promote``: propose memories as rules or skills of the kit, for all projects."""

from __future__ import annotations

from datetime import date

from brain.clock import today
from brain.commands import Context, add_json, print_json, remark
from brain.commands.proposing import print_request
from brain.errors import BrainError
from brain.find import get_memories
from brain.submit.gather import open_doors, renew
from brain.submit.journal import locked
from brain.tend import publish
from brain.tend.kit import open_kit
from brain.tend.promote import KINDS, Promotion, files_of, promote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from brain.memory import Memory
    from brain.submit.gather import Doors
    from brain.workspace import Brain

HELP = "propose memories as rules or skills of the kit, for all projects"


def add_arguments(parser: ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("ids", nargs="+", metavar="ID", help="approved memories, by id or path")
    parser.add_argument("--as", dest="kind", choices=KINDS, required=True, help="what they become")
    parser.add_argument(
        "--to", required=True, metavar="KIT", help="the kit repo: a folder, a URL, or an alias of repos"
    )
    parser.add_argument("--sprint", default="", metavar="NAME", help="whose branch it goes to (default: this week)")
    parser.add_argument("--dry-run", action="store_true", help="print the files, and do nothing")
    add_json(parser)


def run(args: Namespace, context: Context) -> int:
    """Propose them in the kit repo."""
    brain = context.open_brain()
    doors = open_doors(brain, context.env)
    brain = renew(brain, doors.link, context.open_brain)
    memories = [_approved(brain, name) for name in dict.fromkeys(args.ids)]
    year, week, _ = date.fromisoformat(today(context.env)).isocalendar()
    with locked(brain.repo, "brain promote", say=remark):
        publish.fetch(doors.link)
        promotion = Promotion(
            memories, args.kind, args.sprint or f"{year}-W{week:02}", _all(brain),
            publish.read_total(brain.repo.path).uses, _web(brain, doors),
        )  # fmt: skip
        if args.dry_run:
            for path, text in files_of(brain, promotion).items():
                print(f"--- {path}\n{text}")
            return 0
        done = promote(brain, open_kit(brain, args.to, context.env), promotion)
    remark(*done.remarks)
    if args.json:
        request = {"mergeRequest": done.iid or None, "url": done.url or None}
        print_json({"branch": done.branch, "files": list(done.files), **request})
        return 0
    for path in done.files:
        print(path)
    print_request(done, done.branch)
    return 0


def _approved(brain: Brain, name: str) -> Memory:
    memory = next((found for found in get_memories(brain, name) if found.status == "approved"), None)
    if memory is None:
        raise BrainError(f"{name} is not approved: what is promoted is in force here first", "brain submit")
    return memory


def _all(brain: Brain) -> dict[str, Memory]:
    """Return id → approved memory."""
    return {memory.id: memory for part in brain.tree.parts for memory in part.memories()}


def _web(brain: Brain, doors: Doors) -> str:
    """Return the address below which the memory's files are seen, "" without a forge."""
    if doors.gitlab is None:
        return ""
    project = doors.gitlab.project()
    return f"{project.url}/-/blob/{project.default_branch}/{brain.config['memory.root']}"
