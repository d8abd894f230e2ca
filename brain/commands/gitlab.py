"""``brain gitlab setup``: what the project's settings on GitLab are and should be; with ``--apply``, make them so."""

from __future__ import annotations

from brain.commands import Context, add_json, print_json, remark
from brain.errors import BrainError, ForgeError
from brain.layout import SETTINGS_FILE
from brain.protect.apply import apply, changes_of
from brain.protect.facts import MAINTAINER, ROLES, Unseen
from brain.protect.gather import gather, want
from brain.protect.item import WRONG
from brain.protect.pipeline import check_webhook
from brain.protect.plan import plan
from brain.protect.render import item_facts, outcome_facts, render_plan, summary
from brain.submit.gather import open_doors
from brain.text import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from brain.forge.gitlab import GitLab
    from brain.protect.apply import Outcome
    from brain.protect.facts import Facts
    from brain.protect.item import Change, Item

HELP = "set up the memory repo's project on GitLab, or say what is to be done"


def add_arguments(parser: ArgumentParser) -> None:
    """Add the command's options."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    help_text = "show each setting: what it is, what it should be, why; --apply makes it so"
    setup = actions.add_parser("setup", help=help_text, description=help_text)
    setup.add_argument("--apply", action="store_true", help="make the changes (default: only show them)")
    setup.add_argument("--bot", metavar="USERNAME", default="", help="who finalizes (default: setting gitlab.bot)")
    setup.add_argument("--webhook", metavar="URL", default="", help="make a webhook to the service at this address")
    add_json(setup)


def run(args: Namespace, context: Context) -> int:
    """Show the plan or carry it out; exit 1 where something is left to do, 5 where GitLab refused or was gone."""
    brain = context.open_brain()
    gitlab = open_doors(brain, context.env).gitlab
    if gitlab is None:
        raise BrainError("GitLab is not known, or there is no token for it", "set BRAIN_GITLAB_TOKEN; see brain doctor")
    wanted = want(gitlab, brain.config, context.env, args.webhook, args.bot)
    if args.webhook:
        check_webhook(args.webhook, str(wanted.secret))
    facts = gather(gitlab, wanted)
    items = plan(facts)
    if args.apply and changes_of(items):
        _check_may_change(facts)
        outcome = apply(
            gitlab, items, lambda: plan(gather(gitlab, wanted)), lambda change: _say(change, as_json=args.json)
        )
        return _report(outcome, as_json=args.json)
    if args.json:
        print_json({"settings": [item_facts(item) for item in items]})
    else:
        _print_plan(gitlab, items, applied=args.apply)
    return _status(items)


def _check_may_change(facts: Facts) -> None:
    """Raise where every change would be refused, or would shut the memory out."""
    if facts.project.archived:
        raise BrainError(f"{facts.project.path} is archived on GitLab: it takes no changes", "have it unarchived")
    settings = f"{facts.want.root}/{SETTINGS_FILE}"
    if not isinstance(facts.files, Unseen) and settings not in facts.files:
        hint = "push what brain init made first, or merge it: once the branch is protected, nobody pushes to it"
        raise BrainError(f"{facts.branch} has no {settings} yet", hint)
    me = facts.member(facts.me.username)
    if me and me.level < MAINTAINER:
        reason = f"@{me.username} is {ROLES.get(me.level, me.level)} in {facts.project.path}"
        raise BrainError(
            f"{reason}: Maintainers change its settings", "ask one to run it; without --apply it shows all"
        )


def _print_plan(gitlab: GitLab, items: tuple[Item, ...], *, applied: bool) -> None:
    project = gitlab.project()
    print(f"{visible(project.path)} on {gitlab.connection.server}\n")
    for line in render_plan(items, applies=not applied):
        print(line)
    changes = changes_of(items)
    print(f"\n{summary(items)}")
    if changes:
        print(f"--apply makes {len(changes)} change{'s' if len(changes) > 1 else ''}; the rest is done by hand")


def _say(change: Change, *, as_json: bool) -> None:
    if not as_json:
        print(f"done: {visible(change.does)}", flush=True)


def _report(outcome: Outcome, *, as_json: bool) -> int:
    """Say what was done and what not."""
    if as_json:
        print_json(outcome_facts(outcome))
    else:
        for row in outcome.failed:
            print(f"failed: {visible(row.change.does)}: {visible(str(row.error))}")
        for change in outcome.untried:
            print(f"not done: {visible(change.does)}")
        if not outcome.failed or not outcome.untried:
            left = tuple(item for item in outcome.items if item.state == WRONG)
            print()
            for line in render_plan(left, applies=True):
                print(line)
            print(("\n" if left else "") + summary(outcome.items))
    if outcome.failed:
        error = outcome.failed[0].error
        remark(f"{len(outcome.failed)} of the changes failed; run it again when that is mended, it goes on from there")
        if error.hint:
            remark(f"hint: {error.hint}")
        return ForgeError.exit_code
    return _status(outcome.items)


def _status(items: tuple[Item, ...]) -> int:
    return 1 if any(item.state == WRONG for item in items) else 0
