"""``brain pending``: the drafts of this machine's user: list, show, decide, keep, drop, restore, take."""

from __future__ import annotations

import sys
from argparse import SUPPRESS

from brain import clock
from brain.commands import Context, add_json, draft_path, print_json, remark
from brain.decisions import keep_drafts, restore_draft, set_aside
from brain.errors import BrainError
from brain.layout import PENDING
from brain.pending import Pending, draft_text, drop_empty_folders, find_pending, list_pending, want_decision
from brain.text import visible
from brain.workspace import open_brain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Sequence

    from brain.sources.taking import Outcome
    from brain.workspace import Brain

HELP = "list your drafts, and decide what becomes of them"
ACTIONS = (
    ("show", "print drafts"),
    ("keep", "keep drafts for now: no checkpoint asks for them until they change or grow old"),
    ("drop", "take drafts out; restore brings them back"),
    ("restore", "bring drafts back that were dropped"),
)
QUESTION = "[s]ubmit, [k]eep for now, [d]rop, [l]ater? "


def add_arguments(parser: ArgumentParser) -> None:
    """Add the command's options."""
    add_json(parser)
    actions = parser.add_subparsers(dest="action", metavar="ACTION")
    for name, text in ACTIONS:
        action = actions.add_parser(name, help=text, description=text)
        action.add_argument("ids", nargs="+", metavar="ID", help="its id, or its path")
        if name == "drop":  # scripts say it from when what was dropped was gone
            action.add_argument("--yes", action="store_true", help=SUPPRESS)
    text = "ask for each draft that has no decision yet: submit, keep or drop"
    actions.add_parser("decide", help=text, description=text)
    text = "bring drafts here that programs filed at the team's service (service.url), all or some"
    take = actions.add_parser("take", help=text, description=text)
    take.add_argument("ids", nargs="*", metavar="ID", help="its id there")
    take.add_argument("--dry-run", action="store_true", help="list what waits there, and take nothing")


def run(args: Namespace, context: Context) -> int:
    """List the drafts, or do what is asked with some of them."""
    brain = open_brain(context.cwd, context.env)
    if args.action == "take":
        return _take(args, context)
    if args.action == "restore":
        for name in dict.fromkeys(args.ids):
            print(f"restored: {restore_draft(brain.repo, brain.memory_root, name)}")
        return 0
    drafts = list_pending(brain.memory_root, clock.now())
    if args.action in (None, "decide"):
        new = want_decision(brain, drafts, clock.now())
        return _decide(brain, new) if args.action else _list(brain, drafts, new, as_json=args.json)
    chosen = [find_pending(drafts, name) for name in dict.fromkeys(args.ids)]
    if args.action == "show":
        for draft in chosen:
            print(visible(draft_text(brain.memory_root, draft)), end="")
    elif args.action == "keep":
        _keep(brain, chosen)
    else:
        _drop(brain, chosen)
    return 0


def _keep(brain: Brain, chosen: Sequence[Pending]) -> None:
    keep_drafts(brain.repo, brain.memory_root, [draft.path for draft in chosen], clock.now())
    for draft in chosen:
        print(f"kept: {draft.path}")


def _drop(brain: Brain, chosen: Sequence[Pending]) -> None:
    for draft in chosen:
        set_aside(brain.repo, brain.memory_root, draft.path, clock.now())
        drop_empty_folders(brain.memory_root, draft)
        print(f"dropped: {draft.path}")
    remark(f"brain pending restore {chosen[0].id or chosen[0].path} brings it back")


def _decide(brain: Brain, drafts: Sequence[Pending]) -> int:
    """Ask for each draft; exit 1 if one is left without a decision."""
    if sys.stdin is None:
        raise BrainError(
            "nobody is there to decide", "brain pending keep ID…, brain pending drop ID…, brain submit ID…"
        )
    answers: dict[str, list[Pending]] = {}
    for number, draft in enumerate(drafts, 1):
        said = visible(draft.sentence) or f"{draft.problem} ({draft.mend})"
        print(f"{number}/{len(drafts)} {draft.id or draft.path}, {_age(draft.days)}: {said}", file=sys.stderr)
        print(f"    {QUESTION}", end="", file=sys.stderr, flush=True)
        answers.setdefault(sys.stdin.readline().strip().lower()[:1], []).append(draft)
    if answers.get("k"):
        _keep(brain, answers["k"])
    if answers.get("d"):
        _drop(brain, answers["d"])
    if answers.get("s"):
        print("now: brain submit " + " ".join(draft.id or draft.path for draft in answers["s"]))
    return 0 if answers.keys() <= set("kds") else 1


def _take(args: Namespace, context: Context) -> int:
    """Take drafts from the service, or list them; exit 1 where one stays there."""
    from brain.sources.sync import locked  # the other actions ask nobody, and start sooner without
    from brain.sources.taking import Service, Taking, chosen_of
    from brain.submit.submitted import submitted_memories

    brain = context.open_brain()
    service = Service(brain.config["service.url"], context.env)
    chosen = chosen_of(service.waiting(), args.ids)
    if args.dry_run:
        for draft in chosen:
            print(f"{visible(draft.id)}\t{_age(draft.days)}\t{visible(draft.sentence)}")
        remark(f"{len(chosen)} at the service" if chosen else "no drafts wait at the service")
        return 0
    with locked(brain.repo, "brain pending take"):
        submitted = list(submitted_memories(brain.repo))
        taking = Taking(brain, service, submitted, clock.today(context.env), clock.now())
        found = [_told(brain, outcome) for outcome in taking.take(chosen)]
    if not found:
        remark("no drafts wait at the service")
    return 0 if all(found) else 1


def _told(brain: Brain, outcome: Outcome) -> bool:
    """Say what became of a draft at the service, and whether it waits there no longer."""
    from brain.sources.taking import LATE, LATER, LEFT, MOST

    draft, why = outcome.draft, visible(outcome.why)
    if outcome.kind == LEFT:
        remark(f"left: {visible(draft.id)}: {why}")
    elif outcome.kind == LATER:
        remark(f"later: {visible(draft.id)}: {MOST} are enough for once, run it again")
    elif outcome.kind == LATE:
        remark(f"{draft.id}: somebody else took it first{f': {why}' if why else ''}")
    else:
        print(f"{draft.id}\t{visible(draft.sentence)}\n\t{draft_path(brain, draft.path)}")
        for text in outcome.remarks:
            remark(f"warning: {draft.id}: {visible(text)}")
    return outcome.kind not in (LEFT, LATER)


def _list(brain: Brain, drafts: Sequence[Pending], new: Sequence[Pending], *, as_json: bool) -> int:
    kept = {draft.path for draft in drafts} - {draft.path for draft in new}
    if as_json:
        print_json([_facts(draft, kept=draft.path in kept) for draft in drafts])
        return 0
    for draft in drafts:
        if draft.problem:
            continue
        age = f"{_age(draft.days)}, kept" if draft.path in kept else _age(draft.days)
        print(f"{draft.id}\t{age}\t{visible(draft.sentence)}\n\t{draft_path(brain, draft.path)}")
    for draft in drafts:
        if draft.problem:
            remark(f"warning: {PENDING}/{draft.path}:{draft.line}: {draft.problem} ({draft.mend})")
    if not drafts:
        remark("no drafts")
    return 0


def _age(days: int) -> str:
    return "today" if not days else f"{days} day{'s' if days > 1 else ''}"


def _facts(draft: Pending, *, kept: bool) -> dict[str, object]:
    return {
        "id": draft.id, "path": draft.path, "days": draft.days, "sentence": draft.sentence, "kept": kept,
        "problem": draft.problem, "line": draft.line, "mend": draft.mend,
    }  # fmt: skip
